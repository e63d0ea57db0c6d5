"""Where a predicted flight comes into the bat's reach, and with which pose to meet it.

The first crossing of the workspace from outside, at a time to come: a ball that enters
usually leaves behind or below, where nothing is to be had. A ball whose centre passes
just outside can still be touched; it is met where it comes nearest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.robots.piggy.config import RADIUS_SUM, UNIT, UnitCfg
from gelenk.robots.piggy.kinematics import inverse
from gelenk.robots.piggy.planner.path import BallPath, touch_time
from gelenk.robots.piggy.surface import unit_params
from gelenk.robots.piggy.workspace import height, is_valid
from gelenk.typing import BoolArray, FloatArray

GRAZE = 0.12  # [m] outside of the workspace a ball is still met, of 0.1855 m


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Crossing:
    """Meeting of a flight and the workspace.

    Attributes:
        time: When the ball's centre is there [s].
        position: The ball's centre then [m], (3,).
        velocity: [m/s], (3,).
        q: Roll and tilt that bring the bat there, or nearest [rad], (2,).
        is_inside: Whether the ball's centre really enters the workspace.
    """

    time: float
    position: FloatArray
    velocity: FloatArray
    q: FloatArray
    is_inside: bool

    @property
    def touch(self) -> float:
        """When the ball first touches a bat that waits in its path [s]."""
        speed = float(np.linalg.norm(self.velocity))
        return self.time - RADIUS_SUM / max(speed, 1.0)


def find_crossing(
    path: BallPath, *, after: float, graze: float = GRAZE, unit: UnitCfg = UNIT
) -> Crossing | None:
    """Return where a flight comes into reach; None if it does not.

    Args:
        path: Predicted flight.
        after: Earlier crossings do not count [s].
        graze: How far outside the ball may pass [m].
        unit: Geometry of the robot.
    """
    heights = height(path.position, cfg=unit)
    later = path.time >= after
    enters = (heights[:-1] > 0.0) & (heights[1:] <= 0.0) & later[1:]
    rows = path.rows
    for k in np.flatnonzero(enters):
        span = float(path.time[k]), float(path.time[k + 1])
        _, t = touch_time(rows, (0.0, 0.0, 1.0), 0.0, span, unit_params(unit))
        found = _at(path, t, is_inside=True, unit=unit)
        if found is not None and t >= after:
            return found
    return _graze(path, heights, later, graze, unit)


def _graze(
    path: BallPath,
    heights: FloatArray,
    later: BoolArray,
    graze: float,
    unit: UnitCfg,
) -> Crossing | None:
    """Return the nearest approach of a flight that stays outside."""
    outside = np.where(later & (heights > 0.0), heights, np.inf)
    k = int(np.argmin(outside))
    # At its ends the path may just not be known further.
    if not 0 < k < len(heights) - 1 or outside[k] > graze:
        return None
    if not (heights[k - 1] >= heights[k] <= heights[k + 1]):
        return None
    a, b, c = heights[k - 1 : k + 2]
    bend = a - 2.0 * b + c
    shift = 0.5 * (a - c) / bend if bend > 1e-12 else 0.0
    step = path.time[k + 1] - path.time[k]
    return _at(path, float(path.time[k] + shift * step), is_inside=False, unit=unit)


def _at(path: BallPath, t: float, *, is_inside: bool, unit: UnitCfg) -> Crossing | None:
    position, velocity = path.at(t)
    q = inverse(position, cfg=unit)
    if not np.isfinite(q).all() or not bool(is_valid(q, cfg=unit)):
        return None
    return Crossing(
        time=t, position=position, velocity=velocity, q=q, is_inside=is_inside
    )


def beside(crossing: Crossing, offset: float, *, unit: UnitCfg = UNIT) -> FloatArray:
    """Return the pose with the bat beside the ball's path, shape (2,).

    Args:
        crossing: Where the ball comes.
        offset: To the robot's right, across the path [m]; the ball then goes left.
        unit: Geometry of the robot.
    """
    v = crossing.velocity / max(float(np.linalg.norm(crossing.velocity)), 1e-9)
    right = np.cross(v, (0.0, 0.0, -1.0))  # a ball towards -y: +x
    right /= max(float(np.linalg.norm(right)), 1e-9)
    return inverse(crossing.position + offset * right, cfg=unit)
