"""Serial arms from standard DH rows.

Joint i moves about or along z of frame S_(i-1). It carries two links: `axis_i`, the
moving frame on the axis, without mass, and fixed to it `link_i`, the body, whose frame
is S_i. So `frame="link_3"` is S_3 of the textbook.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gelenk.core.model.catalog._pose import inverse, shift, turn
from gelenk.core.model.catalog._shapes import (
    GREY,
    Rgba,
    capsule,
    cylinder,
    moved,
    solid,
)
from gelenk.core.model.link import Geometry, JointType, Link
from gelenk.core.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DhRow:
    """One row of a standard DH table and what hangs on it.

    Attributes:
        kind: "R": q adds to theta; "P": q adds to d.
        theta, d, a, alpha: Constant parts of the parameters [rad], [m].
        mass, com, inertia: Of link i [kg], in S_i [m], about the centre [kg m^2]; None
            fills the drawn shapes with the arm's density.
        lower, upper, max_velocity, max_effort, home: As in `Link`.
        radius: Of the drawn tubes [m].
        rod: Length of the drawn rod of a sliding joint, backwards along z [m].
        geometry: Shapes in S_i instead of tubes along d and a.
    """

    kind: Literal["R", "P"] = "R"
    theta: float = 0.0
    d: float = 0.0
    a: float = 0.0
    alpha: float = 0.0
    mass: float | None = None
    com: ArrayLike = (0.0, 0.0, 0.0)
    inertia: ArrayLike = (0.0, 0.0, 0.0)
    lower: float = -np.inf
    upper: float = np.inf
    max_velocity: float = np.inf
    max_effort: float = np.inf
    home: float = 0.0
    radius: float = 0.04
    rod: float = 0.0
    geometry: tuple[Geometry, ...] | None = None


def serial_links(
    rows: Sequence[DhRow],
    *,
    base: tuple[Geometry, ...] = (),
    density: float = 0.0,
    rgba: Rgba = GREY,
) -> list[Link]:
    """Return the links `base`, `axis_1`, `link_1`, ... of a serial arm.

    Args:
        rows: DH rows, base to tool.
        base: Shapes of the base in S_0.
        density: Of bodies whose row states no mass [kg/m^3].
        rgba: Colour of the tubes.
    """
    links = [Link(name="base", geometry=base)]
    parent = "base"
    for i, row in enumerate(rows, start=1):
        T_parent_axis, T_axis_link = _split(row)
        shapes = row.geometry
        if shapes is None:
            T_link_axis = inverse(T_axis_link)
            shapes = tuple(moved(shape, T_link_axis) for shape in _tubes(row, rgba))
        mass, com, inertia = _mass_properties(row, shapes, density)
        links.append(
            Link(
                name=f"axis_{i}",
                parent=parent,
                joint=f"joint_{i}",
                joint_type=JointType.REVOLUTE
                if row.kind == "R"
                else JointType.PRISMATIC,
                T_parent_joint=T_parent_axis,
                lower=row.lower,
                upper=row.upper,
                max_velocity=row.max_velocity,
                max_effort=row.max_effort,
                home=row.home,
            )
        )
        links.append(
            Link(
                name=f"link_{i}",
                parent=f"axis_{i}",
                joint=f"link_{i}_fixed",
                T_parent_joint=T_axis_link,
                mass=mass,
                com=com,
                inertia=inertia,
                geometry=shapes,
            )
        )
        parent = f"link_{i}"
    return links


def _split(row: DhRow) -> tuple[FloatArray, FloatArray]:
    """Return the constant poses before and behind the joint's motion."""
    foot = shift(x=row.a) @ turn(0, row.alpha)
    if row.kind == "R":
        return turn(2, row.theta), shift(z=row.d) @ foot
    return turn(2, row.theta) @ shift(z=row.d), foot


def _mass_properties(
    row: DhRow, shapes: tuple[Geometry, ...], density: float
) -> tuple[float, ArrayLike, FloatArray]:
    if row.mass is None:
        return solid(shapes, density)
    inertia = np.asarray(row.inertia, dtype=np.float64)
    return row.mass, row.com, np.diag(inertia) if inertia.ndim == 1 else inertia


def _tubes(row: DhRow, rgba: Rgba) -> list[Geometry]:
    """Return housing, tube along d and tube along a in the axis frame."""
    r = row.radius
    if row.kind == "P":
        shapes = [cylinder((0, 0, -row.rod), (0, 0, 0), r)] if row.rod else []
        top = 0.0
    else:
        top = row.d
        middle = 1.4 * r * np.sign(top)  # beside the previous link if the tube rises
        shapes = [cylinder((0, 0, middle - 1.4 * r), (0, 0, middle + 1.4 * r), 1.2 * r)]
        if top:
            shapes.append(capsule((0, 0, 0), (0, 0, top), r, rgba))
    if row.a:
        shapes.append(capsule((0, 0, top), (row.a, 0, top), r, rgba))
    return shapes
