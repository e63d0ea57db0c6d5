"""Tool motions: straight lines (LIN), circles (CIRC), fly-by of via points.

Fly-by rounds via points by parabolas instead of stopping at them: the velocity changes
by Δv at constant acceleration, centred at the time of the corner, t_b = |Δv| / a. The
path misses the corner by |Δv| t_b / 8.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.spatial import se3, so3
from gelenk.spatial.vectors import cross
from gelenk.trajectory.ptp import LawKind, TimeLaw, fastest_law
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolLimits:
    """Limits of a tool's speed and acceleration.

    Attributes:
        speed: Largest speed [m/s].
        acceleration: Largest acceleration along the path [m/s²].
        turn_speed: Largest angular speed [rad/s].
        turn_acceleration: Largest angular acceleration [rad/s²].

    Example:
        >>> from gelenk.trajectory import ToolLimits
        >>> ToolLimits(speed=0.25, acceleration=1.0).turn_speed
        2.0
    """

    speed: float
    acceleration: float
    turn_speed: float = 2.0
    turn_acceleration: float = 10.0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LinMotion:
    """A straight line: p(0) + s (p(T) - p(0)), the orientation by slerp.

    Attributes:
        start: T_base_tool at the start, shape (4, 4).
        end: Pose at the end, shape (4, 4).
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
        end: Pose at the end, shape (4, 4).
        limits: Limits of the tool.
        kind: Time law.

    Example:
        >>> import numpy as np
        >>> from gelenk.trajectory import ToolLimits, plan_lin
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
class OrientedCircle:
    """An oriented circle in space.

    Attributes:
        centre: Centre [m], shape (3,).
        radius: Radius [m].
        normal: Unit vector; the points turn about it by the right hand, shape (3,).
    """

    centre: FloatArray
    radius: float
    normal: FloatArray


def circle_through(start: ArrayLike, via: ArrayLike, end: ArrayLike) -> OrientedCircle:
    """Return the circle through three points, turning from start over via to end.

    With u = via - start, w = end - start, n = u × w the centre is start +
    (|w|² n × u + |u|² w × n) / 2|n|².

    Args:
        start: First point [m], shape (3,).
        via: Point in between [m], shape (3,).
        end: Last point [m], shape (3,).

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
    return OrientedCircle(
        centre=p + arm, radius=float(np.linalg.norm(arm)), normal=n / np.sqrt(size)
    )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CircMotion:
    """A motion on an arc; the orientation by slerp from start to end.

    Attributes:
        start: T_base_tool at the start, shape (4, 4).
        end: Pose at the end, shape (4, 4).
        circle: Circle on which the tool moves.
        angle: Angle of the arc [rad], > 0.
        law: s(t).
    """

    start: FloatArray
    end: FloatArray
    circle: OrientedCircle
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
        limits: Limits of the tool.
        kind: Time law.

    Example:
        >>> import numpy as np
        >>> from gelenk.trajectory import ToolLimits, plan_circ
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


def blend_time(change: ArrayLike, acceleration: float) -> FloatArray:
    """Return t_b = |Δv| / a [s].

    Args:
        change: Change Δv of the velocity [m/s], a number or (..., n) with n >= 2.
        acceleration: Acceleration a [m/s²], > 0.

    Example:
        >>> print(blend_time(-0.5 - 1.0, 2.0))
        0.75
    """
    return _size(change) / acceleration


def corner_deviation(change: ArrayLike, acceleration: float) -> FloatArray:
    """Return |Δv| t_b / 8 [m]: how far the rounded path stays off its via point.

    Example:
        >>> print(corner_deviation(-0.5 - 1.0, 2.0))
        0.140625
    """
    size = _size(change)
    return size * size / (8.0 * acceleration)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FlyBy:
    """A motion along straight lines with parabolas at the corners, from rest to rest.

    Attributes:
        points: Via points, shape (k, n).
        corners: Time of each, shape (k,) [s]; the motion starts at 0.
        velocities: Velocities before, between and after the points, shape (k + 1, n).
        blends: Time of each parabola, shape (k,) [s].
    """

    points: FloatArray
    corners: FloatArray
    velocities: FloatArray
    blends: FloatArray

    @property
    def duration(self) -> float:
        """From rest to rest [s]."""
        return float(self.corners[-1] + 0.5 * self.blends[-1])

    @property
    def deviations(self) -> FloatArray:
        """Distance of the path from each point at its time, shape (k,)."""
        return _size(np.diff(self.velocities, axis=0)) * self.blends / 8.0

    def sample(self, time: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return position, velocity, acceleration at times, each (..., n)."""
        t = np.asarray(time, np.float64)[..., None]
        begin = self.corners - 0.5 * self.blends
        # Each corner adds its change of velocity along its own ramp.
        change = np.diff(self.velocities, axis=0)  # (k, n)
        into = np.clip(t - begin, 0.0, self.blends)
        width = np.where(self.blends > 0.0, self.blends, 1.0)
        share = np.where(self.blends > 0.0, into / width, (t >= begin) * 1.0)
        beyond = np.maximum(t - begin - self.blends, 0.0)
        position = self.points[0] + (0.5 * into * share + beyond) @ change
        inside = (t >= begin) & (t < begin + self.blends)
        return position, share @ change, (inside / width) @ change


def plan_fly_by(
    points: ArrayLike,
    *,
    speed: ArrayLike,
    acceleration: float,
    zone: float = np.inf,
) -> FlyBy:
    """Return the motion past via points without stopping.

    Args:
        points: Start, via points, end; places or joint values, shape (k, n), k >= 2.
        speed: Speed along each line, a number or (k - 1,), > 0.
        acceleration: Acceleration of the parabolas, > 0.
        zone: Largest distance from an inner via point; where a parabola would leave it,
            all speeds are reduced together.

    Raises:
        ConfigError: If a line is too short for the parabolas at its ends.

    Example:
        >>> from gelenk.trajectory import plan_fly_by
        >>> motion = plan_fly_by([[0, 0], [1, 0], [1, 1]], speed=0.5, acceleration=1.0)
        >>> print(round(motion.duration, 6), motion.deviations[1].round(6))
        4.5 0.0625
    """
    p = as_finite("points", points, ())
    if p.ndim != 2 or len(p) < 2:
        raise ShapeError("points", expected="(k >= 2, n)", actual=p.shape)
    v = np.broadcast_to(np.asarray(speed, np.float64), (len(p) - 1,))
    if not (np.all(v > 0.0) and acceleration > 0.0 and zone > 0.0):
        raise ConfigError("`speed`, `acceleration` and `zone` must be > 0")
    way = np.diff(p, axis=0)
    length = np.linalg.norm(way, axis=1)
    if not np.all(length > 0.0):
        raise ConfigError("two via points in a row are the same; leave one out")
    lines = way / length[:, None] * v[:, None]
    turns = np.linalg.norm(np.diff(lines, axis=0), axis=1)
    widest = float(turns.max(initial=0.0))
    factor = min(1.0, np.sqrt(8.0 * acceleration * zone) / widest) if widest else 1.0
    velocities = np.zeros((len(p) + 1, p.shape[1]))
    velocities[1:-1] = factor * lines
    blends = np.linalg.norm(np.diff(velocities, axis=0), axis=1) / acceleration
    times = length / (factor * v)
    tight = 0.5 * (blends[:-1] + blends[1:]) > times * (1.0 + 1e-9)
    if tight.any():
        k = int(np.argmax(tight))
        raise ConfigError(
            f"line {k + 1} takes {times[k]:.3g} s, less than the parabolas at its ends "
            f"({0.5 * (blends[k] + blends[k + 1]):.3g} s); lower its speed or raise "
            "the acceleration"
        )
    corners = 0.5 * blends[0] + np.concatenate([[0.0], np.cumsum(times)])
    return FlyBy(points=p, corners=corners, velocities=velocities, blends=blends)


def _size(change: ArrayLike) -> FloatArray:
    change = np.asarray(change, np.float64)
    return np.abs(change) if change.ndim == 0 else np.linalg.norm(change, axis=-1)
