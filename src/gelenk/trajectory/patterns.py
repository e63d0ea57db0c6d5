"""Motion patterns of one joint: arrive at a time with a speed.

Six phases of constant acceleration (Hammer 2011 §4.3.3): accelerate from v_start to
v_c, cruise, decelerate to v_p, wait, accelerate to v_h, and pass the target with v_h
after a steady time t_h. Of four cases the first that works is taken; they come near the
target early and leave only the last acceleration for the end. What none of them solves
is answered by the fastest motion, and by braking where the target is overshot.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import sqrt

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

TOL = 1e-12  # [s] and relative: durations this little below zero are rounding
RAMP_PEAK = 1.5  # peak over mean acceleration of a rounded ramp


class PatternCase(StrEnum):
    """Case of the construction that gave a pattern."""

    WAIT = "1"
    SLOW = "2"
    STEADY = "3"
    LATE = "4"
    FASTEST = "fastest"
    OVERSHOOT = "overshoot"


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternCfg:
    """Limits of one joint.

    Attributes:
        max_speed: Largest speed [rad/s] or [m/s].
        max_acceleration: Largest acceleration of the drive [rad/s^2] or [m/s^2].
        derating: Part of the drive's acceleration that patterns plan with. Rounded
            ramps peak at 1.5 times their mean: above 2/3 the peak exceeds the drive's.
        hit_time: Time before the target from which the speed is steady [s].
    """

    max_speed: float
    max_acceleration: float
    derating: float = 1.0
    hit_time: float = 0.0

    def __post_init__(self) -> None:
        if not min(self.max_speed, self.max_acceleration, self.derating) > 0.0:
            raise ConfigError(f"limits of a pattern must be positive, got {self}")
        if not self.hit_time >= 0.0:
            raise ConfigError(f"`hit_time` must not be negative, got {self.hit_time} s")

    @property
    def acceleration(self) -> float:
        """That patterns plan with."""
        return self.derating * self.max_acceleration

    @property
    def peak_acceleration(self) -> float:
        """Largest acceleration of a rounded pattern."""
        return RAMP_PEAK * self.acceleration


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionPattern:
    """A motion of one joint in phases of constant acceleration.

    Attributes:
        start: Joint value at the start [rad] or [m].
        durations: Durations of the phases [s].
        speeds: Speeds at the phases' ends, one more than durations [rad/s] or [m/s].
        case: Case that gave the pattern.
    """

    start: float
    durations: tuple[float, ...]
    speeds: tuple[float, ...]
    case: PatternCase

    @property
    def duration(self) -> float:
        """Of the whole motion [s]."""
        return sum(self.durations)

    @property
    def distance(self) -> float:
        """From start to end, signed."""
        pairs = zip(self.durations, self.speeds[:-1], self.speeds[1:], strict=True)
        return sum(t * (a + b) / 2.0 for t, a, b in pairs)

    def sample(
        self, time: ArrayLike, *, rounded: bool = True
    ) -> tuple[FloatArray, FloatArray]:
        """Return position and speed at times since the start, each (...).

        Before the start the joint rests there; after the end it goes on with the last
        speed.

        Args:
            time: Time [s], shape (...).
            rounded: Whether ramps are cubic Bezier curves without a jump of the
                acceleration (4.17) to (4.19) instead of straight.
        """
        t = np.asarray(time, dtype=np.float64)
        ends = np.concatenate([[0.0], np.cumsum(self.durations)])
        v = np.array(self.speeds)
        steps = np.array(self.durations) * (v[:-1] + v[1:]) / 2.0
        places = self.start + np.concatenate([[0.0], np.cumsum(steps)])
        k = np.clip(np.searchsorted(ends, t, side="right") - 1, 0, len(steps) - 1)
        length = np.array(self.durations)[k]
        s = np.clip((t - ends[k]) / np.where(length > 0.0, length, 1.0), 0.0, 1.0)
        rise, area = (
            (s * s * (3.0 - 2.0 * s), s**3 * (1.0 - 0.5 * s))
            if rounded
            else (s, 0.5 * s * s)
        )
        change = v[k + 1] - v[k]
        position = places[k] + length * (v[k] * s + change * area)
        after = np.maximum(t - ends[-1], 0.0)
        is_before = t < 0.0
        speed = np.where(is_before, 0.0, v[k] + change * rise)
        return position + after * v[-1], speed

    def acceleration(self, time: ArrayLike) -> FloatArray:
        """Return the acceleration of the rounded motion, shape (...)."""
        t = np.asarray(time, dtype=np.float64)
        ends = np.concatenate([[0.0], np.cumsum(self.durations)])
        k = np.clip(
            np.searchsorted(ends, t, side="right") - 1, 0, len(self.durations) - 1
        )
        length = np.array(self.durations)[k]
        s = (t - ends[k]) / np.where(length > 0.0, length, 1.0)
        inside = (s >= 0.0) & (s <= 1.0) & (length > 0.0)
        slope = np.diff(np.array(self.speeds))[k] / np.where(length > 0.0, length, 1.0)
        return np.where(inside, slope * 6.0 * s * (1.0 - s), 0.0)


def plan_pattern(
    cfg: PatternCfg,
    start: tuple[float, float],
    target: tuple[float, float],
    time: float | None = None,
) -> MotionPattern:
    """Return the motion from a place and speed to another.

    Args:
        cfg: Limits.
        start: Position and speed now.
        target: Position and the speed with which it is passed.
        time: Time at which the target is passed, from now [s]; None for as soon as
            possible.

    Raises:
        ConfigError: If a speed exceeds the limit.

    Example:
        >>> from gelenk.trajectory import plan_pattern
        >>> from gelenk.trajectory.patterns import PatternCfg
        >>> limits = PatternCfg(max_speed=2.0, max_acceleration=10.0)
        >>> pattern = plan_pattern(limits, (0.0, 0.0), (1.0, 0.0))
        >>> round(sum(pattern.durations), 6)
        0.7
    """
    for name, speed in (("start", start[1]), ("target", target[1])):
        if not abs(speed) <= cfg.max_speed * (1.0 + 1e-9):
            raise ConfigError(
                f"speed at the {name} must not exceed {cfg.max_speed}, got {speed}"
            )
    s = target[0] - start[0]
    # In the direction of motion; without a distance to go, of the last speed.
    sign = -1.0 if s < 0.0 or (s == 0.0 and target[1] < 0.0) else 1.0
    asked = (sign * s, sign * start[1], sign * target[1])
    solved = None
    if time is not None:
        solved = _timed(cfg, *asked, time)
    if solved is None:
        solved = _fastest(cfg, *asked)
    durations, speeds, case = solved
    return MotionPattern(
        start=start[0],
        durations=durations,
        speeds=tuple(sign * v for v in speeds),
        case=case,
    )


_Solved = tuple[tuple[float, ...], tuple[float, ...], PatternCase]


def _phases(
    cfg: PatternCfg,
    v: tuple[float, float, float, float],
    t_c: float,
    t_p: float,
    case: PatternCase,
) -> _Solved:
    """Return durations and speeds from v_start, v_c, v_p, v_h, cruise and wait."""
    v_start, v_c, v_p, v_h = v
    a = cfg.acceleration
    durations = (
        abs(v_c - v_start) / a,
        max(t_c, 0.0),
        abs(v_p - v_c) / a,
        max(t_p, 0.0),
        abs(v_h - v_p) / a,
        cfg.hit_time,
    )
    return durations, (v_start, v_c, v_c, v_p, v_p, v_h, v_h), case


def _timed(
    cfg: PatternCfg, s: float, v_start: float, v_h: float, time: float
) -> _Solved | None:
    """Return the first of the four cases that works."""
    found = (
        _case_1(cfg, s, v_start, v_h, time)
        or _case_2(cfg, s, v_start, v_h, time)
        or _case_3(cfg, s, v_start, v_h, time)
    )
    return found or _case_4(cfg, s, v_start, v_h, PatternCase.LATE)


def _case_1(
    cfg: PatternCfg, s: float, v_start: float, v_h: float, time: float
) -> _Solved | None:
    """Cruise at full speed, stop, wait, accelerate."""
    a, v = cfg.acceleration, cfg.max_speed
    t_a, t_d, t_f = abs(v - v_start) / a, v / a, abs(v_h) / a
    ramps = (v_start + v) / 2.0 * t_a + v / 2.0 * t_d + v_h / 2.0 * t_f
    t_c = (s - ramps - v_h * cfg.hit_time) / v
    t_p = time - (t_a + t_c + t_d + t_f + cfg.hit_time)
    if min(t_c, t_p) < -TOL:
        return None
    return _phases(cfg, (v_start, v, 0.0, v_h), t_c, t_p, PatternCase.WAIT)


def _case_2(
    cfg: PatternCfg, s: float, v_start: float, v_h: float, time: float
) -> _Solved | None:
    """Cruise at full speed, slow down without stopping, accelerate."""
    a, v = cfg.acceleration, cfg.max_speed
    t_a = abs(v - v_start) / a
    rest = time - t_a - cfg.hit_time
    s_a = (v_start + v) / 2.0 * t_a
    root = (v - v_h) ** 2 / 2.0 + a * (s_a + v * rest + v_h * cfg.hit_time - s)
    if root < 0.0:
        return None
    v_p = v - sqrt(root)
    t_c = rest - (v + v_h - 2.0 * v_p) / a
    if t_c < -TOL or not 0.0 <= v_p <= v_h:
        return None
    return _phases(cfg, (v_start, v, v_p, v_h), t_c, 0.0, PatternCase.SLOW)


def _case_3(
    cfg: PatternCfg, s: float, v_start: float, v_h: float, time: float
) -> _Solved | None:
    """Cruise as slowly as the time allows: over a hump, in between, or in a dip."""
    a, rest, distance = cfg.acceleration, time - cfg.hit_time, s - v_h * cfg.hit_time
    both, squares = v_start + v_h, (v_start**2 + v_h**2) / 2.0
    low, high = min(v_start, v_h), max(v_start, v_h)
    tries: list[tuple[float, float, float, float]] = []  # v_c, t_c, its bounds
    b = a * rest + both
    root = b * b - 4.0 * (squares + a * distance)
    if root >= 0.0:
        v = (b - sqrt(root)) / 2.0
        tries.append((v, rest - (2.0 * v - both) / a, high, cfg.max_speed))
    t_c = rest - (high - low) / a
    if t_c > TOL:
        v = (distance - both * (high - low) / (2.0 * a)) / t_c
        tries.append((v, t_c, low, high))
    b = a * rest - both
    root = b * b - 4.0 * (squares - a * distance)
    if root >= 0.0:
        v = (-b + sqrt(root)) / 2.0
        tries.append((v, rest - (both - 2.0 * v) / a, -cfg.max_speed, low))
    for v, t_c, lower, upper in tries:
        if t_c >= -TOL and lower - TOL <= v <= upper + TOL:
            return _phases(cfg, (v_start, v, v_h, v_h), t_c, 0.0, PatternCase.STEADY)
    return None


def _case_4(
    cfg: PatternCfg, s: float, v_start: float, v_h: float, case: PatternCase
) -> _Solved | None:
    """Accelerate, decelerate at once; the time is what it is."""
    square = cfg.acceleration * (s - v_h * cfg.hit_time) + (v_start**2 + v_h**2) / 2.0
    if square < 0.0:
        return None
    v = sqrt(square)
    if not max(v_start, v_h) - TOL <= v <= cfg.max_speed + TOL:
        return None
    return _phases(cfg, (v_start, v, v_h, v_h), 0.0, 0.0, case)


def _fastest(cfg: PatternCfg, s: float, v_start: float, v_h: float) -> _Solved:
    """Return the motion without a time: full speed, a peak, or back after a stop."""
    a, v = cfg.acceleration, cfg.max_speed
    ramps = (v * v - v_start**2) / (2.0 * a) + (v * v - v_h**2) / (2.0 * a)
    t_c = (s - ramps - v_h * cfg.hit_time) / v
    if t_c >= -TOL:
        return _phases(cfg, (v_start, v, v_h, v_h), t_c, 0.0, PatternCase.FASTEST)
    peak = _case_4(cfg, s, v_start, v_h, PatternCase.FASTEST)
    return peak or _overshoot(cfg, s, v_start, v_h)


def _overshoot(cfg: PatternCfg, s: float, v_start: float, v_h: float) -> _Solved:
    """Brake, run back as far as the distance to v_h needs, and come again.

    For targets that are nearer than the change of speed: brake to a stop, then go on
    with the motion from rest; if even that has no room, back up first.
    """
    a = cfg.acceleration
    stop = abs(v_start) / a
    left = s - v_start * stop / 2.0
    room = v_h * abs(v_h) / (2.0 * a) + v_h * cfg.hit_time
    # From rest to v_h: too near, so move first by `left - room`, ending at rest.
    move = left - room
    top = min(sqrt(a * abs(move)), cfg.max_speed)
    sign = 1.0 if move >= 0.0 else -1.0
    cruise = abs(move) / top - top / a if top > 0.0 else 0.0
    u = sign * top
    durations = (
        stop,
        top / a,
        max(cruise, 0.0),
        top / a,
        abs(v_h) / a,
        cfg.hit_time,
    )
    return durations, (v_start, 0.0, u, u, 0.0, v_h, v_h), PatternCase.OVERSHOOT
