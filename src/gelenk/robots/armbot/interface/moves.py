"""Moves of an arm: checked targets, wrist angles, paths of the motors, and results.

A path has one row of motor values per control period; between two rows every motor
runs at constant speed, so that all of them arrive together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, GelenkError
from gelenk.spatial.plane_angles import (
    matrix_from_plane_angles,
    plane_angles_from_matrix,
)
from gelenk.typing import FloatArray

Solver: TypeAlias = Callable[[float, FloatArray], FloatArray]
"""`(share of a line, motor values before) -> motor values`; may raise."""

COARSE = 0.01  # [m] between two samples that decide on the timing
MAX_REFINEMENTS = 8  # of the timing
SLACK = 1e-9  # share of a top speed by which rounding may exceed it


def ticks_needed(
    start: FloatArray, end: FloatArray, top_speed: FloatArray, period: float
) -> int:
    """Return the number of periods in which all motors get from start to end."""
    with np.errstate(invalid="ignore"):
        times = np.where(start == end, 0.0, np.abs(end - start) / top_speed)
    return int(np.ceil(np.max(times, initial=0.0) / period * (1.0 - SLACK)))


def joint_path(
    start: FloatArray, end: FloatArray, top_speed: FloatArray, period: float
) -> FloatArray:
    """Return a path on which all motors start and arrive together.

    Args:
        start: Motor values at the start, shape (n,).
        end: ... and at the end.
        top_speed: Of each motor, shape (n,).
        period: Time between two rows [s].

    Returns:
        Motor values after each period, shape (k, n); without the start.
    """
    count = max(ticks_needed(start, end, top_speed, period), 1)
    shares = np.arange(1, count + 1)[:, None] / count
    path = start + shares * (end - start)
    path[-1] = end
    return path


def fast_line(
    solve: Solver,
    start: FloatArray,
    extent: float,
    top_speed: FloatArray,
    period: float,
) -> FloatArray:
    """Return a path along a line that is as fast as the motors can go.

    Args:
        solve: Gives motor values anywhere on the line.
        start: Motor values at its start, shape (n,).
        extent: How long the line is [m], turns included; decides on the sampling.
        top_speed: Of each motor, shape (n,).
        period: Time between two rows [s].

    Returns:
        Motor values after each period, shape (k, n).
    """
    count = max(int(np.ceil(extent / COARSE)), 1)
    shares = np.linspace(0.0, 1.0, count + 1)
    rows = [start]
    for share in shares[1:]:
        rows.append(solve(float(share), rows[-1]))
    steps = np.abs(np.diff(np.array(rows), axis=0))
    with np.errstate(invalid="ignore"):
        times = np.where(steps == 0.0, 0.0, steps / top_speed).max(axis=1, initial=0.0)
    # Motors must not be asked for more anywhere between two samples either.
    times = np.maximum(times, _spread(times))
    arrival = np.concatenate([[0.0], np.cumsum(times)])
    num_ticks = max(int(np.ceil(arrival[-1] / period * (1.0 - SLACK))), 1)
    path = np.array(rows[1:])
    for _ in range(MAX_REFINEMENTS):
        moments = np.arange(1, num_ticks + 1) / num_ticks * arrival[-1]
        path = _sample(solve, start, np.interp(moments, arrival, shares))
        excess = fastest(np.vstack([start, path]), top_speed, period)
        if excess <= 1.0 + SLACK:
            return path
        num_ticks = max(int(np.ceil(num_ticks * excess)), num_ticks + 1)
    return path  # there is a jump in it, and no time is long enough


def constant_line(
    solve: Solver,
    start: FloatArray,
    duration: float,
    period: float,
) -> FloatArray:
    """Return a path along a line at one speed; whether motors can follow is not asked.

    Args:
        solve: As for `fast_line`.
        start: Motor values at its start, shape (n,).
        duration: Time that the line takes [s]; rounded up to whole periods.
        period: Time between two rows [s].
    """
    count = max(int(np.ceil(duration / period * (1.0 - SLACK))), 1)
    # The last step alone may be shorter: the speed is what was asked for.
    shares = np.minimum(np.arange(1, count + 1) * period / max(duration, period), 1.0)
    shares[-1] = 1.0
    return _sample(solve, start, shares)


def fastest(path: FloatArray, top_speed: FloatArray, period: float) -> float:
    """Return the largest share of its top speed that a path asks of a motor."""
    steps = np.abs(np.diff(path, axis=0))
    return float(np.max(steps / (top_speed * period), initial=0.0))


def _sample(
    solve: Solver,
    start: FloatArray,
    shares: FloatArray,
) -> FloatArray:
    rows = np.empty((len(shares), len(start)))
    before = start
    for i, share in enumerate(shares):
        before = rows[i] = solve(float(share), before)
    return rows


def _spread(times: FloatArray) -> FloatArray:
    """Return the mean of each time and its slower neighbour."""
    if len(times) < 2:
        return times
    before = np.concatenate([times[:1], times[:-1]])
    after = np.concatenate([times[1:], times[-1:]])
    return 0.5 * (times + np.maximum(before, after))


MoveCode: TypeAlias = Literal[
    "ok",
    "unreachable",
    "limits",
    "too_fast",
    "stopped",
    "replaced",
    "timeout",
]


class UnsupportedOperationError(GelenkError, RuntimeError):
    """A service is needed that a skill has switched off; install an own one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveResult:
    """What became of a move; true where it went well.

    Attributes:
        ok: Whether the move was accepted, or after waiting: whether it is completed.
        code: "ok", or why not: "unreachable" (no joint values found), "limits" (they
            lie beyond a motor's range), "too_fast" (a motor could not follow),
            "stopped" (an end was requested), "replaced" (by a newer command),
            "timeout".
        message: The same for people.
        exception: What the kinematics raised, if it did.
    """

    ok: bool
    code: MoveCode = "ok"
    message: str = ""
    exception: Exception | None = None

    def __bool__(self) -> bool:
        return self.ok


DONE = MoveResult(ok=True)


class OutOfReachError(Exception):
    """No motor values were found on the way of a move; `result` says why."""

    def __init__(self, result: MoveResult) -> None:
        super().__init__(result.message)
        self.result = result


def refused(
    code: MoveCode, message: str, exception: Exception | None = None
) -> MoveResult:
    """Return the answer to a move that is not made."""
    return MoveResult(ok=False, code=code, message=message, exception=exception)


def wrist_target(
    x: float,
    y: float,
    z: float,
    ang_xy: float | None,
    ang_xz: float | None,
    ang_yz: float | None,
) -> tuple[FloatArray, FloatArray | None]:
    """Return position [m] and rotation, None without any angle; others count as 0."""
    p = as_finite("position", (x, y, z), (3,))
    if ang_xy is None and ang_xz is None and ang_yz is None:
        return p, None
    angles = as_finite("angles", (ang_xy or 0.0, ang_xz or 0.0, ang_yz or 0.0), (3,))
    return p, matrix_from_plane_angles(angles, order="reverse")


def point_in_words(p: FloatArray) -> str:
    """Return a point for messages."""
    return f"the point ({p[0]:.3f}, {p[1]:.3f}, {p[2]:.3f}) m"


def switched_off(which: str, skill: str) -> str:
    """Return what to do about kinematics that a skill has switched off."""
    return (
        f"there is no {which} kinematics: the skill {skill} is off; install an own "
        f"object as manipulator.{which}_kinematics, or switch it on with -skills "
        f"+{skill}"
    )


def check_kind(name: str, own: object, kind: type) -> None:
    """Raise ConfigError unless an own object is derived from its base class."""
    if not isinstance(own, kind):
        raise ConfigError(
            f"manipulator.{name} must be derived from {kind.__name__}, got {own!r}"
        )


def check_velocity(velocity: float) -> None:
    """Raise ConfigError unless a speed is above 0."""
    if not (np.isfinite(velocity) and velocity > 0.0):
        raise ConfigError(f"`velocity` must be above 0 m/s, got {velocity}")


TURN = 2.0 * np.pi  # [rad]
EPS = 1e-12  # [rad] beyond a range that are rounding


def wrist_values(
    R_mount_gripper: FloatArray,
    before: FloatArray,
    low: FloatArray,
    high: FloatArray,
) -> FloatArray | None:
    """Return the servo values that turn a gripper against its mount as wanted.

    Every orientation has two solutions, and each servo may add full turns. Of those
    within the ranges the one is taken that is nearest to the values before, so that
    servos do not swing round on the way.

    Args:
        R_mount_gripper: Wanted rotation, shape (3, 3).
        before: Servo values now: xy, xz, yz [rad], shape (3,).
        low: Smallest values of the servos [rad], shape (3,).
        high: Largest ones.

    Returns:
        Servo values [rad], shape (3,); None if no solution is within the ranges.
    """
    found = plane_angles_from_matrix(R_mount_gripper, order="reverse")
    xy, xz, yz = found.angles
    if found.singular:  # then yz is 0, and only xy + yz or xy - yz counts: keep xy
        xy, yz = before[0], np.sign(xz) * (xy - before[0])
    best: FloatArray | None = None
    for angles in ((xy, xz, yz), (xy + np.pi, np.pi - xz, yz + np.pi)):
        values = angles + TURN * np.round((before - angles) / TURN)
        values = np.where(values > high + EPS, values - TURN, values)
        values = np.where(values < low - EPS, values + TURN, values)
        if np.any(values > high + EPS):
            continue
        if best is None or _distance(values, before) < _distance(best, before):
            best = np.clip(values, low, high)
    return best


def _distance(a: FloatArray, b: FloatArray) -> float:
    return float(np.abs(a - b).max())
