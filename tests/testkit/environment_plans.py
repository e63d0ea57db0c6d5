"""What the plans, heights and tiles of an environment mean, by plain formulas."""

from __future__ import annotations

import math

from gelenk.geometry import polygon
from gelenk.robots.armbot.config import TILE_SIZE
from gelenk.robots.armbot.environment.description import (
    Axis,
    Border,
    CirclePlan,
    Color,
    Environment,
    Obstacle,
    Plan,
    Point2,
    Point3,
    PolyPlan,
    RectPlan,
)


def contains(plan: Plan, point: Point2) -> bool:
    """Return whether a point [m] lies inside a plan.

    The edge of a rectangle or circle belongs to it; that of a polygon to either side.
    """
    x, y = point
    match plan:
        case RectPlan(center=(cx, cy), size=(width, depth)):
            return abs(x - cx) <= width / 2.0 and abs(y - cy) <= depth / 2.0
        case CirclePlan(center=(cx, cy), radius=radius):
            return (x - cx) ** 2 + (y - cy) ** 2 <= radius**2
        case PolyPlan(points=points):
            return bool(polygon.contains(points, point))


def extent(plan: Plan, axis: Axis) -> tuple[float, float]:
    """Return the smallest and the largest coordinate of a plan along an axis [m]."""
    k = 0 if axis == "x" else 1
    match plan:
        case RectPlan(center=center, size=size):
            return center[k] - size[k] / 2.0, center[k] + size[k] / 2.0
        case CirclePlan(center=center, radius=radius):
            return center[k] - radius, center[k] + radius
        case PolyPlan(points=points):
            along = [point[k] for point in points]
            return min(along), max(along)


def top_height(obstacle: Obstacle, x: float, y: float) -> float:
    """Return the height of the top over a point of the plan [m].

    It runs straight from one end of the plan to the other along `direction`; points
    outside the plan get the height of the plane that the top lies in.
    """
    return _height(obstacle, obstacle.top, x, y)


def bottom_height(obstacle: Obstacle, x: float, y: float) -> float:
    """Return the height of the underside over a point of the plan [m]; see above."""
    return _height(obstacle, obstacle.bottom, x, y)


def top_normal(obstacle: Obstacle) -> Point3:
    """Return the unit vector that stands on the top and points out of the obstacle."""
    low, high = extent(obstacle.plan, obstacle.direction)
    rise = obstacle.top[1] - obstacle.top[0]
    length = math.hypot(rise, high - low)
    across, up = -rise / length, (high - low) / length
    return (across, 0.0, up) if obstacle.direction == "x" else (0.0, across, up)


def _height(obstacle: Obstacle, ends: tuple[float, float], x: float, y: float) -> float:
    low, high = extent(obstacle.plan, obstacle.direction)
    along = x if obstacle.direction == "x" else y
    share = (along - low) / (high - low)
    return ends[0] + share * (ends[1] - ends[0])


DARK_TILE: Color = (168, 172, 176)


LIGHT_TILE: Color = (196, 200, 204)


def count_tiles(border: Border) -> tuple[int, int]:
    """Return the number of tiles along x and along y; the last ones may be cut."""
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
