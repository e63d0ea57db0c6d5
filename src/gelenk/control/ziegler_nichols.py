"""Ziegler-Nichols: raise the P gain until the loop swings for ever, read K and P.

Only responses are needed, no model. The table (Damken 2023 §8.1.8) prints 1.2/P, 2/P
and P/8 for integral and derivative: those are 1/T_i and T_d of the ideal form; in
parallel form they are multiplied by k_p.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from gelenk.control.linear_system import LinearSystem, feedback, step_response
from gelenk.control.pid import PidGains
from gelenk.errors import ConfigError
from gelenk.typing import FloatArray

Experiment: TypeAlias = Callable[[float], tuple[FloatArray, FloatArray]]


@dataclass(frozen=True, slots=True, kw_only=True)
class StabilityLimit:
    """Where a proportional loop just does not come to rest.

    Attributes:
        gain: K.
        period: P of the oscillation [s].
    """

    gain: float
    period: float


def ziegler_nichols_gains(
    limit: StabilityLimit, kind: Literal["P", "PI", "PID"] = "PID"
) -> PidGains:
    """Return gains in parallel form from the stability limit.

    Example:
        >>> gains = ziegler_nichols_gains(StabilityLimit(gain=8.0, period=3.627599))
        >>> round(gains.kp, 6), round(gains.ki, 6), round(gains.kv, 6)
        (4.8, 2.646378, 2.176559)
    """
    K, P = limit.gain, limit.period
    match kind:
        case "P":
            return PidGains(kp=0.5 * K)
        case "PI":
            return PidGains(kp=0.45 * K, ki=1.2 * 0.45 * K / P)
        case "PID":
            kp = 0.6 * K
            return PidGains(kp=kp, ki=2.0 * kp / P, kv=kp * P / 8.0)
    raise ConfigError(f"`kind` must be 'P', 'PI' or 'PID', got {kind!r}")


def find_stability_limit(
    experiment: Experiment, *, lower: float, upper: float, rtol: float = 1e-3
) -> StabilityLimit:
    """Return the gain at which a loop neither calms down nor swings up.

    By bisection: a response whose late swings are larger than its early ones belongs to
    a gain above the limit.

    Args:
        experiment: Step response (t, y) of the closed loop as a function of the gain;
            long enough for some ten swings.
        lower: A gain at which it calms down.
        upper: A gain at which it swings up.
        rtol: Relative accuracy of the gain.

    Raises:
        ConfigError: If the limit is not between the two gains.

    Example:
        >>> plant = LinearSystem.from_transfer_function([1.0], [1.0, 3.0, 3.0, 1.0])
        >>> run = p_loop_experiment(plant, dt=0.01, duration=80.0)
        >>> limit = find_stability_limit(run, lower=1.0, upper=20.0)
        >>> round(limit.gain, 1), round(limit.period, 2)
        (8.0, 3.63)
    """
    if not _grows(*experiment(upper)) or _grows(*experiment(lower)):
        raise ConfigError(
            f"the loop must calm down at gain {lower} and swing up at gain {upper}"
        )
    while upper - lower > rtol * upper:
        middle = 0.5 * (lower + upper)
        if _grows(*experiment(middle)):
            upper = middle
        else:
            lower = middle
    gain = 0.5 * (lower + upper)
    return StabilityLimit(gain=gain, period=_period(*experiment(gain)))


def p_loop_experiment(plant: LinearSystem, *, dt: float, duration: float) -> Experiment:
    """Return the experiment on a known plant: its step response under u = K (r - y).

    Example:
        >>> lag = LinearSystem.from_transfer_function([1.0], [1.0, 1.0])
        >>> t, y = p_loop_experiment(lag, dt=0.1, duration=5.0)(9.0)
        >>> print(y[-1].round(6))
        0.9
    """

    def run(gain: float) -> tuple[FloatArray, FloatArray]:
        t, y = step_response(feedback(plant, gain), dt=dt, duration=duration)
        return t, y[:, 0]

    return run


def _slopes(y: FloatArray) -> FloatArray:
    """Return the changes from sample to sample: they swing about zero."""
    return np.diff(y)


def _grows(t: FloatArray, y: FloatArray) -> bool:
    """Return whether the last quarter swings more than the second."""
    slope = _slopes(y)
    quarter = len(slope) // 4
    early = np.abs(slope[quarter : 2 * quarter]).max()
    return bool(np.abs(slope[-quarter:]).max() > early)


def _period(t: FloatArray, y: FloatArray) -> float:
    """Return the mean time between every second change of direction [s]."""
    slope = _slopes(y)[len(y) // 4 :]
    k = np.flatnonzero(slope[1:] * slope[:-1] < 0.0)
    if len(k) < 3:
        raise ConfigError("the response swings too little to read a period from it")
    # Turning points lie between samples: the slope is interpolated to zero.
    dt = t[1] - t[0]
    turns = dt * (k + slope[k] / (slope[k] - slope[k + 1]))
    return float(2.0 * (turns[-1] - turns[0]) / (len(turns) - 1))
