"""The floor that the page draws: its limits, its tiles, its paint."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gelenk.sim.fixed_objects import Ground
from gelenk.typing import FloatArray
from gelenk.ui import messages

MARGIN = 0.5  # [m] of floor around everything where no border is said


def make_floor(
    ground: Ground | None,
    low: FloatArray,
    high: FloatArray,
    paints: Sequence[messages.Patch] = (),
) -> messages.Floor:
    """Return the floor: the border of the ground, or room for everything.

    Args:
        ground: The ground; None: a plain floor.
        low: Lowest corner of everything [m], shape (3,).
        high: Highest corner, shape (3,).
        paints: Areas over the tiles.
    """
    tile = ground.tile_size if ground is not None else 0.5
    if ground is not None and ground.border is not None:
        corners = ground.border.corners
        start, end = corners.min(axis=0), corners.max(axis=0)
    else:
        start = np.floor((low[:2] - MARGIN) / tile) * tile
        end = np.ceil((high[:2] + MARGIN) / tile) * tile
    patches = [] if ground is None else _tiles(ground, start, end)
    return messages.Floor(
        low=(float(start[0]), float(start[1])),
        high=(float(end[0]), float(end[1])),
        tile=tile,
        patches=(*patches, *paints),
    )


def _tiles(ground: Ground, start: FloatArray, end: FloatArray) -> list[messages.Patch]:
    """Return coloured tiles; neighbours of one colour along x become one area."""
    colors = {(tile.row, tile.column): tile.rgba for tile in ground.tiles}
    patches: list[messages.Patch] = []
    done: set[tuple[int, int]] = set()
    for (row, column), rgba in sorted(colors.items()):
        if (row, column) in done:
            continue
        last = column
        while colors.get((row, last + 1)) == rgba:
            last += 1
        done |= {(row, i) for i in range(column, last + 1)}
        size = ground.tile_size
        x1, y1 = start[0] + size * column, start[1] + size * row
        x2, y2 = min(start[0] + size * (last + 1), end[0]), min(y1 + size, end[1])
        corners = (x1, y1, x2, y1, x2, y2, x1, y2)
        patch = messages.Patch(corners=tuple(float(c) for c in corners), rgba=rgba)
        patches.append(patch)
    return patches
