"""Paths for motors: joint interpolation, and straight lines of the wrist.

A path has one row of motor values per control period; between two rows every motor
runs at constant speed, so that all of them arrive together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

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
