"""Timing of joint paths with limits of jerk.

The fastest motion within speed, acceleration and effort is averaged over a moving
window of time: the place on the path at t becomes the mean of the places from t - T to
t. The acceleration then grows linearly where it jumped, the path is kept exactly, and
the motion takes T longer. On a straight line between two points this is the optimum.
What curved paths exceed is mended by stretching time. The window, and how much of the
acceleration is used, are searched for the shortest result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gelenk.errors import ConfigError
from gelenk.models.tree import RobotModel
from gelenk.trajectory.jerk_limited import JerkLimitedPlanner
from gelenk.trajectory.joint_path import JointPath
from gelenk.trajectory.limits import JointLimits, LimitArrays
from gelenk.trajectory.time_optimal import TimingResult, TimingStatus, time_path
from gelenk.trajectory.trajectory import Trajectory
from gelenk.typing import FloatArray

SEARCH_SAMPLES = 6  # per piece of the law, while searching
GRID = 250  # intervals of the path: averaging leaves nothing of a finer one
WINDOWS = np.geomspace(0.4, 3.0, 8)  # tried, in units of acceleration over jerk
SHARES = (0.85, 0.7, 0.55, 0.4, 0.25)  # of the acceleration, tried one after another
LAST_SHARE_GAIN = 1.002
EFFORT_PASSES = 8
CUT = 1e-12  # [s]: a piece of the law that is shorter is none


def timed(
    path: JointPath, limits: JointLimits | None, *, model: RobotModel | None
) -> Trajectory:
    """Return the fastest motion along a path, see `JointPath.timed`."""
    if limits is None:
        if model is None:
            raise ConfigError("give `limits`, or the `model` whose limits hold")
        limits = JointLimits.of(model)
    is_smooth = np.isfinite(np.asarray(limits.jerk)).any()
    time_one = time_smoothly if is_smooth else time_path
    found = time_one(path, limits, model=model)
    if found.trajectory is None:
        raise ConfigError(found.reason)
    names = model.joint_names if model is not None else ()
    return replace(found.trajectory, joint_names=names)


def time_smoothly(
    path: JointPath, limits: JointLimits, *, model: RobotModel | None = None
) -> TimingResult:
    """Return a fast motion along a path, from rest to rest, with limits of jerk.

    Args:
        path: Path of the joints.
        limits: Limits of speed, acceleration, jerk and, with a model, effort.
        model: Robot whose efforts are limited; None leaves them out.

    Raises:
        ConfigError: If nothing limits the acceleration or the jerk of a joint.

    Example:
        >>> from gelenk.trajectory import JointLimits, round_corners, time_smoothly
        >>> path = round_corners([[0.0, 0.0], [1.0, 0.5]])
        >>> limits = JointLimits(velocity=1.0, acceleration=2.0, jerk=10.0)
        >>> round(time_smoothly(path, limits).trajectory.duration, 3)
        1.7
    """
    own = limits.for_joints(path.num_joints)
    unit = _window_unit(own)
    motion: Trajectory | None = None
    for stretch in path.stretches():
        if (stretch.coefficients[:, 2:] == 0.0).all() and len(stretch.breaks) == 2:
            found = _along_line(stretch, limits)
        else:
            result = _along_curve(stretch, limits, unit, model)
            if result.trajectory is None:
                return result
            found = result.trajectory
        motion = found if motion is None else motion.then(found)
    assert motion is not None
    motion = replace(motion, path=path)
    if model is not None and np.isfinite(own.effort).any():
        return _within_effort(own, model, motion)
    return _solved(motion)


def _along_line(line: JointPath, limits: JointLimits) -> Trajectory:
    """Return the optimum on a straight line from rest to rest."""
    slope = np.abs(line.coefficients[0, 1])
    each = limits.for_joints(line.num_joints)
    with np.errstate(divide="ignore"):
        rates = [
            float((limit / slope).min())
            for limit in (each.velocity, each.acceleration, each.jerk)
        ]
    own = JointLimits(velocity=rates[0], acceleration=rates[1], jerk=rates[2])
    law = JerkLimitedPlanner(own, 1).plan([0.0], [line.length]).trajectory()
    law_rows = np.array(law.path.coefficients[:, :, 0])
    return Trajectory(path=line, times=law.times, law=law_rows).stretched_to(limits)


def _along_curve(
    path: JointPath, limits: JointLimits, unit: float, model: RobotModel | None
) -> TimingResult:
    best: Trajectory | None = None
    last = TimingResult(status=TimingStatus.TOO_WEAK, reason="", trajectory=None)
    for share in (1.0, *SHARES):
        last = time_path(path, limits.scaled(1.0, share, 1.0), model=model, grid=GRID)
        if last.trajectory is None:
            break
        found = _best_window(last.trajectory, limits, share * unit)
        if best is not None and found.duration > best.duration / LAST_SHARE_GAIN:
            break
        best = found
    if best is None:
        return last
    return _solved(best.stretched_to(limits))


def _solved(motion: Trajectory) -> TimingResult:
    return TimingResult(
        status=TimingStatus.SOLVED,
        reason=f"{motion.duration:.4g} s for {motion.path.length:.4g} of path",
        trajectory=motion,
    )


def _window_unit(limits: LimitArrays) -> float:
    """Return the longest time in which a joint reaches its acceleration [s]."""
    with np.errstate(invalid="ignore"):
        ratio = limits.acceleration / limits.jerk
    ratio = ratio[np.isfinite(ratio)]
    if not ratio.size or ratio.max() <= 0.0:
        raise ConfigError(
            "`limits` must limit acceleration and jerk of the same joints; without "
            "jerk use `time_path`"
        )
    return float(ratio.max())


def _best_window(motion: Trajectory, limits: JointLimits, unit: float) -> Trajectory:
    """Return the motion averaged over the best window and stretched to its limits."""

    def averaged(size: float) -> Trajectory:
        return average(motion, size * unit).stretched_to(limits, SEARCH_SAMPLES)

    tried = [(averaged(size).duration, size) for size in WINDOWS]
    size = min(tried)[1]
    step = WINDOWS[1] / WINDOWS[0]
    return averaged(_least(lambda x: averaged(x).duration, size / step, size * step))


def _least(value: Callable[[float], float], low: float, high: float) -> float:
    """Return about the place of the least value, by golden sections."""
    golden = 0.5 * (np.sqrt(5.0) - 1.0)
    a, b = high - golden * (high - low), low + golden * (high - low)
    fa, fb = value(a), value(b)
    for _ in range(8):
        if fa < fb:
            high, b, fb = b, a, fa
            a = high - golden * (high - low)
            fa = value(a)
        else:
            low, a, fa = a, b, fb
            b = low + golden * (high - low)
            fb = value(b)
    return a if fa < fb else b


def average(motion: Trajectory, window: float) -> Trajectory:
    """Return the same path with the mean of the law over the last `window` seconds.

    Args:
        motion: Motion whose law is piecewise quadratic.
        window: Length of the window [s].
    """
    end = motion.duration + window
    times = np.unique(np.concatenate([motion.times, motion.times + window, [0.0, end]]))
    keep = np.concatenate([[True], np.diff(times) > 1e-9 * end])
    times = times[keep]
    times[-1] = end
    middle = 0.5 * (times[1:] + times[:-1])
    start = times[:-1]
    # s_f' = (s(t) - s(t - T)) / T and so on; the highest derivative from mid pieces
    jerk = (_law(motion, middle, 2) - _law(motion, middle - window, 2)) / window
    now = [_law(motion, start, order) for order in range(2)]
    then = [_law(motion, start - window, order) for order in range(2)]
    speed = (now[0] - then[0]) / window
    rise = (now[1] - then[1]) / window
    width = np.diff(times)
    steps = width * (speed + width * (rise / 2.0 + width * jerk / 6.0))
    place = np.concatenate([[0.0], np.cumsum(steps)])
    place *= motion.path.length / place[-1]
    law = np.stack([place[:-1], speed, rise / 2.0, jerk / 6.0], axis=1)
    times, law = _cut(times, law, motion.path.breaks[1:-1])
    return Trajectory(path=motion.path, times=times, law=law)


def _cut(
    times: FloatArray, law: FloatArray, places: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the law with its pieces cut where it passes the given places."""
    row = np.clip(np.searchsorted(law[:, 0], places, "right") - 1, 0, None)
    low, high = np.zeros(len(places)), np.diff(times)[row]
    c0, c1, c2, c3 = law[row].T
    for _ in range(60):  # halves the interval down to the last bit
        u = 0.5 * (low + high)
        is_late = c0 + u * (c1 + u * (c2 + u * c3)) > places
        low, high = np.where(is_late, low, u), np.where(is_late, u, high)
    is_inside = (low > CUT) & (low < np.diff(times)[row] - CUT)
    row, u = row[is_inside], low[is_inside]
    rows = law[row]
    shifted = np.stack(
        [
            rows[:, 0] + u * (rows[:, 1] + u * (rows[:, 2] + u * rows[:, 3])),
            rows[:, 1] + u * (2.0 * rows[:, 2] + 3.0 * u * rows[:, 3]),
            rows[:, 2] + 3.0 * u * rows[:, 3],
            rows[:, 3],
        ],
        axis=1,
    )
    all_times = np.concatenate([times[:-1], times[row] + u])
    order = np.argsort(all_times, kind="stable")
    return np.append(all_times[order], times[-1]), np.concatenate([law, shifted])[order]


def _law(motion: Trajectory, time: FloatArray, order: int) -> FloatArray:
    """Return s or a derivative of it at times, also before the start and after."""
    inside = np.clip(time, 0.0, motion.duration)
    row = np.clip(
        np.searchsorted(motion.times, inside, "right") - 1, 0, len(motion.law) - 1
    )
    u = inside - motion.times[row]
    _, c1, c2, _ = motion.law[row].T
    if order == 0:
        return motion.law[row, 0] + u * (c1 + u * c2)
    is_moving = (time > 0.0) & (time < motion.duration)
    return is_moving * (c1 + 2.0 * u * c2 if order == 1 else 2.0 * c2)


def _within_effort(
    limits: LimitArrays, model: RobotModel, motion: Trajectory
) -> TimingResult:
    """Slow a motion down until its efforts are within their limits."""
    effort = limits.effort
    for _ in range(EFFORT_PASSES):
        shares = np.linspace(0.0, 1.0, 8)
        t = (motion.times[:-1, None] + np.diff(motion.times)[:, None] * shares).ravel()
        at = motion.sample(t)
        zero = np.zeros_like(at.q)
        still = model.inverse_dynamics(at.q, zero, zero)
        moving = model.inverse_dynamics(at.q, at.qd, at.qdd) - still
        # still + moving / factor^2 must be within +- effort
        room = np.where(moving > 0.0, effort - still, effort + still)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(moving != 0.0, np.abs(moving) / room, 0.0)
        if (room < 0.0).any():
            return TimingResult(
                status=TimingStatus.TOO_WEAK,
                reason="the limits of effort cannot hold the robot on this path; "
                "raise them, or plan past such postures",
                trajectory=None,
            )
        worst = float(ratio.max())
        if worst <= 1.0:
            break
        motion = motion.slowed(np.sqrt(worst) * (1.0 + 1e-9))
    return _solved(motion)
