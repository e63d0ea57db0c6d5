"""How high the top and the underside of an obstacle are, and where its top looks."""

from __future__ import annotations

import math

from gelenk.robots.armbot.environment.description import Obstacle, Point3
from gelenk.robots.armbot.environment.plans import extent


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
