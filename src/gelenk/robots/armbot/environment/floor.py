"""The tiles of the floor: how many there are, and which colour each has."""

from __future__ import annotations

import math

from gelenk.robots.armbot.config import TILE_SIZE
from gelenk.robots.armbot.environment.description import Border, Color, Environment

# The checkerboard of tiles that nobody coloured.
DARK_TILE: Color = (168, 172, 176)
LIGHT_TILE: Color = (196, 200, 204)


def count_tiles(border: Border) -> tuple[int, int]:
    """Return the number of tiles along x and along y; the last ones may be cut.

    Example:
        >>> count_tiles(Border(low=(-3.0, -3.0), high=(3.0, 2.1)))
        (12, 11)
    """
    columns, rows = (
        math.ceil((high - low) / TILE_SIZE - 1e-9)
        for low, high in zip(border.low, border.high, strict=True)
    )
    return columns, rows


def tile_color(environment: Environment, column: int, row: int) -> Color:
    """Return the colour of a tile; tile 0, 0 has the smallest x and y.

    Among several TILE directives for it the last one counts.
    """
    for tile in reversed(environment.tiles):
        if (
            tile.columns[0] <= column <= tile.columns[1]
            and tile.rows[0] <= row <= tile.rows[1]
        ):
            return tile.color
    return DARK_TILE if (column + row) % 2 == 0 else LIGHT_TILE
