"""Tool motions: straight lines (LIN) and circles (CIRC), orientation beside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.spatial import se3, so3
from gelenk.spatial.vectors import cross
from gelenk.trajectory.time_law import LawKind, TimeLaw, fastest_law
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolLimits:
    """How fast a tool may move and turn.

    Attributes:
        speed: [m/s].
        acceleration: [m/s²], along the path.
        turn_speed: [rad/s].
        turn_acceleration: [rad/s²].
    """

    speed: float
    acceleration: float
    turn_speed: float = 2.0
    turn_acceleration: float = 10.0


class ToolMotion(Protocol):
    """A motion of the tool."""

    law: TimeLaw

    def pose(self, time: ArrayLike) -> FloatArray:
        """Return T_base_tool at times since the start, shape (..., 4, 4)."""
        ...


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LinMotion:
    """A straight line: p(0) + s (p(T) - p(0)), the orientation by slerp.

    Attributes:
        start: T_base_tool at the start, shape (4, 4).
        end: At the end, shape (4, 4).
        law: s(t).
    """

    start: FloatArray
    end: FloatArray
    law: TimeLaw

    def pose(self, time: ArrayLike) -> FloatArray:
        """Return T_base_tool at times since the start, shape (..., 4, 4)."""
        return se3.interpolate_decoupled(self.start, self.end, self.law.sample(time)[0])


def plan_lin(
    start: ArrayLike, end: ArrayLike, limits: ToolLimits, *, kind: LawKind = "trapezoid"
) -> LinMotion:
    """Return the fastest straight motion of the tool between two poses.

    Args:
        start: T_base_tool at the start, shape (4, 4).
        end: At the end, shape (4, 4).
        limits: Of the tool.
        kind: Time law.

    Example:
        >>> goal = np.eye(4)
        >>> goal[:3, 3] = [1.0, 0.0, 0.0]
        >>> line = plan_lin(np.eye(4), goal, ToolLimits(speed=0.5, acceleration=1.0))
        >>> print(line.law.duration, line.pose(1.25)[:3, 3])
        2.5 [0.5 0.  0. ]
    """
    T0, T1 = as_finite("start", start, (4, 4)), as_finite("end", end, (4, 4))
    way = float(se3.translation_distance(T0, T1))
    turn = float(so3.angle_between(T0[:3, :3], T1[:3, :3]))
    return LinMotion(start=T0, end=T1, law=_law(way, turn, limits, kind))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Circle:
    """An oriented circle in space.

    Attributes:
        centre: [m], shape (3,).
        radius: [m].
        normal: Unit vector; the points turn about it by the right hand, shape (3,).
    """

    centre: FloatArray
    radius: float
    normal: FloatArray


def circle_through(start: ArrayLike, via: ArrayLike, end: ArrayLike) -> Circle:
    """Return the circle through three points, turning from start over via to end.

    With u = via - start, w = end - start, n = u × w the centre is start +
    (|w|² n × u + |u|² w × n) / 2|n|².

    Args:
        start: [m], shape (3,).
        via: Shape (3,).
        end: Shape (3,).

    Raises:
        ConfigError: If they lie on a line.

    Example:
        >>> circle = circle_through([1, 0, 0], [0, 1, 1], [-1, 0, 2])
        >>> print(circle.centre, circle.radius, circle.normal.round(6) + 0.0)
        [ 0.  -0.5  1. ] 1.5 [0.707107 0.       0.707107]
    """
    p = as_finite("start", start, (3,))
    u = as_finite("via", via, (3,)) - p
    w = as_finite("end", end, (3,)) - p
    n = cross(u, w)
    size = float(n @ n)
    if size <= 1e-18 * float(u @ u) * float(w @ w) or size == 0.0:
        raise ConfigError(
            "`start`, `via` and `end` lie on a line (or coincide): no circle; use a "
            "straight motion"
        )
    arm = ((w @ w) * cross(n, u) + (u @ u) * cross(w, n)) / (2.0 * size)
    return Circle(
        centre=p + arm, radius=float(np.linalg.norm(arm)), normal=n / np.sqrt(size)
    )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CircMotion:
    """A motion on an arc; the orientation by slerp from start to end.

    Attributes:
        start: T_base_tool at the start, shape (4, 4).
        end: At the end, shape (4, 4).
        circle: On which the tool moves.
        angle: Of the arc [rad], > 0.
        law: s(t).
    """

    start: FloatArray
    end: FloatArray
    circle: Circle
    angle: float
    law: TimeLaw

    def pose(self, time: ArrayLike) -> FloatArray:
        """Return T_base_tool at times since the start, shape (..., 4, 4)."""
        s = self.law.sample(time)[0]
        T = np.array(se3.interpolate_decoupled(self.start, self.end, s))
        arm = self.start[:3, 3] - self.circle.centre
        turn = so3.exp((s * self.angle)[..., None] * self.circle.normal)
        T[..., :3, 3] = self.circle.centre + np.matvec(turn, arm)
        return T


def plan_circ(
    start: ArrayLike,
    via: ArrayLike,
    end: ArrayLike,
    limits: ToolLimits,
    *,
    kind: LawKind = "trapezoid",
) -> CircMotion:
    """Return the fastest motion on the arc from a pose over a point to a pose.

    On a circle part of the acceleration turns the velocity: the speed is limited to
    √(r a) as well, so that v²/r stays within the acceleration.

    Args:
        start: T_base_tool at the start, shape (4, 4).
        via: Point on the way [m], shape (3,).
        end: T_base_tool at the end, shape (4, 4).
        limits: Of the tool.
        kind: Time law.

    Example:
        >>> start, end = np.eye(4), np.eye(4)
        >>> start[:3, 3], end[:3, 3] = [1, 0, 0], [-1, 0, 0]
        >>> limits = ToolLimits(speed=0.5, acceleration=1.0)
        >>> arc = plan_circ(start, [0, 1, 0], end, limits)
        >>> print(arc.pose(arc.law.duration / 2)[:3, 3].round(9) + 0.0)
        [0. 1. 0.]
    """
    T0, T1 = as_finite("start", start, (4, 4)), as_finite("end", end, (4, 4))
    circle = circle_through(T0[:3, 3], via, T1[:3, 3])
    a, b = T0[:3, 3] - circle.centre, T1[:3, 3] - circle.centre
    angle = float(np.arctan2(circle.normal @ cross(a, b), a @ b)) % (2.0 * np.pi)
    turn = float(so3.angle_between(T0[:3, :3], T1[:3, :3]))
    bend = float(np.sqrt(circle.radius * limits.acceleration))
    slower = ToolLimits(
        speed=min(limits.speed, bend),
        acceleration=limits.acceleration,
        turn_speed=limits.turn_speed,
        turn_acceleration=limits.turn_acceleration,
    )
    law = _law(angle * circle.radius, turn, slower, kind)
    return CircMotion(start=T0, end=T1, circle=circle, angle=angle, law=law)


def _law(way: float, turn: float, limits: ToolLimits, kind: LawKind) -> TimeLaw:
    return fastest_law(
        [way, turn],
        max_speed=[limits.speed, limits.turn_speed],
        max_acceleration=[limits.acceleration, limits.turn_acceleration],
        kind=kind,
    )
