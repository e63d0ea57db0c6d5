"""Arms drawn as tubes along d and a of their DH rows.

Where the source states no masses, the tubes are filled with a density.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gelenk.models.catalog._shapes import (
    GREY,
    Rgba,
    capsule,
    cylinder,
    moved,
    solid,
)
from gelenk.models.dh import DhRow, dh_matrix, links_from_dh
from gelenk.models.link import Geometry, Link
from gelenk.spatial.se3 import inverse


def tube_arm(
    rows: Sequence[DhRow],
    *,
    base: tuple[Geometry, ...],
    radius: float | Sequence[float] = 0.04,
    rod: float = 0.0,
    density: float | None = None,
    rgba: Rgba = GREY,
) -> list[Link]:
    """Return the links `base`, `axis_1`, `link_1`, ... of an arm; `base` is S_0.

    Args:
        rows: Standard DH rows, base to tool; one with shapes of its own keeps them.
        base: Shapes of the base in S_0.
        radius: Of the tubes [m], one for all rows or one per row.
        rod: Length of the rod that a slider pushes out, backwards along z [m].
        density: Of the filled shapes [kg/m^3]; None leaves the masses of the rows.
        rgba: Colour of the tubes.
    """
    drawn: list[DhRow] = []
    radii: list[float] = np.broadcast_to(radius, len(rows)).tolist()
    for row, r in zip(rows, radii, strict=True):
        shapes = row.geometry or _tubes(row, r, rod, rgba)
        row = replace(row, geometry=shapes)
        if density is not None:
            mass, com, inertia = solid(shapes, density)
            row = replace(row, mass=mass, com=com, inertia=inertia)
        drawn.append(row)
    return [Link(name="base", geometry=base), *links_from_dh(drawn, parent="base")]


def _tubes(row: DhRow, r: float, rod: float, rgba: Rgba) -> tuple[Geometry, ...]:
    """Return housing, tube along d and tube along a in S_i."""
    if row.kind == "P":
        shapes = [cylinder((0, 0, -rod), (0, 0, 0), r)] if rod else []
        top = 0.0
    else:
        top = row.d
        middle = 1.4 * r * np.sign(top)  # beside the previous link if the tube rises
        shapes = [cylinder((0, 0, middle - 1.4 * r), (0, 0, middle + 1.4 * r), 1.2 * r)]
        if top:
            shapes.append(capsule((0, 0, 0), (0, 0, top), r, rgba))
    if row.a:
        shapes.append(capsule((0, 0, top), (row.a, 0, top), r, rgba))
    T_link_axis = inverse(dh_matrix(0.0, top, row.a, row.alpha))
    return tuple(moved(shape, T_link_axis) for shape in shapes)
