"""Tuning of controllers: pole placement, Ziegler-Nichols, step response metrics.

Pole placement needs a model, Ziegler-Nichols only the gain and the period at which the
proportional loop swings for ever. Its table (Damken 2023 §8.1.8) prints 1.2/P, 2/P and
P/8 for integral and derivative: those are 1/T_i and T_d of the ideal form; in parallel
form they are multiplied by k_p.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

import numpy as np

from gelenk.control.linear_system import LinearSystem, feedback, step_response
from gelenk.control.pid import PidGains
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray


def place_poles(A: ArrayLike, B: ArrayLike, poles: ArrayLike) -> FloatArray:
    """Return K of u = -K x that gives A - B K the wanted poles (Ackermann).

    K = [0 ... 0 1] [B, A B, ..., A^{n-1} B]^{-1} p(A), p the wanted polynomial.

    Args:
        A: State matrix A, shape (n, n).
        B: Input matrix B, shape (n,) or (n, 1): one input.
        poles: Wanted poles [1/s], shape (n,), complex ones in conjugate pairs.

    Returns:
        Array of shape (1, n).

    Raises:
        ConfigError: If the input does not reach every state.

    Example:
        A unit mass, both poles at -4: k_p = 16, k_v = 8.

        >>> from gelenk.control import place_poles
        >>> print(place_poles([[0, 1], [0, 0]], [0, 1], [-4, -4]))
        [[16.  8.]]
    """
    A = np.asarray(A, np.float64)
    b = np.asarray(B, np.float64).reshape(len(A))
    polynomial = np.poly(np.asarray(poles, np.complex128))
    if len(polynomial) != len(A) + 1 or np.abs(polynomial.imag).max() > 1e-9 * max(
        1.0, float(np.abs(polynomial).max())
    ):
        raise ConfigError(
            f"`poles` must be {len(A)} numbers, complex ones in conjugate pairs, got "
            f"{np.asarray(poles).tolist()}"
        )
    columns = [b]
    for _ in range(len(A) - 1):
        columns.append(A @ columns[-1])
    reach = np.stack(columns, axis=1)
    if np.linalg.matrix_rank(reach) < len(A):
        raise ConfigError(
            "the input does not reach every state: poles cannot be placed"
        )
    row = np.asarray(np.linalg.solve(reach.T, np.eye(len(A))[-1]), np.float64)
    p_of_A = np.zeros_like(A)
    for coefficient in polynomial.real:
        p_of_A = p_of_A @ A + coefficient * np.eye(len(A))
    return (row @ p_of_A).reshape(1, -1)


def pid_gains_from_poles(
    poles: ArrayLike, *, mass: float = 1.0, damping: float = 0.0, stiffness: float = 0.0
) -> PidGains:
    """Return the PID (three poles) or PD (two) gains of m ẍ + b ẋ + k x = f.

    By comparison of coefficients with m s³ + (b + k_v) s² + (k + k_p) s + k_i.

    Args:
        poles: Wanted poles [1/s], two or three, complex ones in conjugate pairs.
        mass: Mass m of the plant [kg].
        damping: Damping b of the plant [N s/m].
        stiffness: Stiffness k of the plant [N/m].

    Example:
        >>> pid_gains_from_poles([-1.0, -1.0, -1.0])
        PidGains(kp=3.0, ki=1.0, kv=3.0)
    """
    polynomial = np.real_if_close(np.poly(np.asarray(poles, np.complex128)))
    if len(polynomial) not in (3, 4) or np.iscomplexobj(polynomial):
        raise ConfigError(
            "`poles` must be two or three numbers, complex ones in conjugate pairs, "
            f"got {np.asarray(poles).tolist()}"
        )
    c = mass * polynomial
    ki = float(c[3]) if len(c) == 4 else 0.0
    return PidGains(kp=float(c[2]) - stiffness, ki=ki, kv=float(c[1]) - damping)


Experiment: TypeAlias = Callable[[float], tuple[FloatArray, FloatArray]]


@dataclass(frozen=True, slots=True, kw_only=True)
class StabilityLimit:
    """Stability limit of a proportional loop, at which it swings for ever.

    Attributes:
        gain: Gain K at which the loop just does not come to rest.
        period: Period P of the oscillation [s].
    """

    gain: float
    period: float


def ziegler_nichols_gains(
    limit: StabilityLimit, kind: Literal["P", "PI", "PID"] = "PID"
) -> PidGains:
    """Return gains in parallel form from the stability limit.

    Args:
        limit: Stability limit of the proportional loop.
        kind: Kind of controller, "P", "PI" or "PID".

    Example:
        >>> from gelenk.control import ziegler_nichols_gains
        >>> from gelenk.control.tuning import StabilityLimit
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


HUNTING_DECAY = 0.9  # a swing that keeps this much from first to last does not decay
CRITICAL_RATIO = 3.6  # t(98 %) / t(50 %): 3.48 if critical, 5.64 if one pole is slow
NO_OVERSHOOT = 1e-3  # [1]


class StepClass(StrEnum):
    """Class of a step response, by its approach to the final value."""

    HUNTING = "hunting"
    """It swings and never stays in the band."""
    RINGING = "ringing"
    """It swings through the band more than once before it stays."""
    OVERSHOOT = "under-damped"
    """It overshoots once and stays."""
    CRITICAL = "critically damped"
    """As fast as possible without overshoot."""
    OVER_DAMPED = "over-damped"
    """It creeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepMetrics:
    """Numbers of a step response.

    Attributes:
        rise_time: First entry into the band [s]; NaN if never.
        settling_time: Time from which on the response stays in the band [s]; NaN if
            never.
        overshoot: Overshoot beyond the final value, as part of the step.
        kind: Class of the response.
    """

    rise_time: float
    settling_time: float
    overshoot: float
    kind: StepClass


def measure_step(
    time: ArrayLike, response: ArrayLike, *, final: float = 1.0, band: float = 0.02
) -> StepMetrics:
    """Return rise time, settling time, overshoot and class of a step response.

    Args:
        time: Time since the step [s], shape (k,), increasing.
        response: Response y from its value before the step on, shape (k,).
        final: Value that it should reach.
        band: Half width of the tolerance band, as part of the step.

    Example:
        >>> import numpy as np
        >>> from gelenk.control import measure_step
        >>> t = np.linspace(0.0, 20.0, 2001)
        >>> metrics = measure_step(t, 1.0 - np.exp(-t))
        >>> metrics.kind.value, metrics.settling_time
        ('over-damped', 3.92)
    """
    t, y = np.asarray(time, np.float64), np.asarray(response, np.float64)
    if t.ndim != 1 or t.shape != y.shape or len(t) < 3 or final == y[0]:
        raise ConfigError(
            "a step response needs as many values as times, at least 3, and a final "
            f"value that differs from the first, got {y.shape} and {t.shape}"
        )
    e = (y - final) / (final - y[0])  # -1 at the start, 0 in the end
    inside = np.abs(e) <= band
    outside = np.flatnonzero(~inside)
    rise = t[np.argmax(inside)] if inside.any() else math.nan
    last = outside[-1] if len(outside) else -1
    settled = t[last + 1] if last + 1 < len(t) else math.nan
    return StepMetrics(
        rise_time=float(rise),
        settling_time=float(settled),
        overshoot=float(max(e.max(), 0.0)),
        kind=_classify(t, e, band, is_settled=last + 1 < len(t)),
    )


def _classify(
    t: FloatArray, e: FloatArray, band: float, *, is_settled: bool
) -> StepClass:
    """Return the class of a normalised error."""
    swings = _swings(e)
    wide = np.abs(swings) > band
    if (
        not is_settled
        and len(swings) > 2
        and abs(swings[-1]) > (HUNTING_DECAY * abs(swings[0]))
    ):
        return StepClass.HUNTING
    if wide[1:].any():
        return StepClass.RINGING
    if e.max() > NO_OVERSHOOT:
        return StepClass.OVERSHOOT
    half, most = np.argmax(e >= -0.5), np.argmax(e >= -0.02)
    if not is_settled or t[most] > CRITICAL_RATIO * t[half]:
        return StepClass.OVER_DAMPED
    return StepClass.CRITICAL


def _swings(e: FloatArray) -> FloatArray:
    """Return the extreme error between each two crossings of the final value."""
    sign = np.sign(e)
    cuts = np.flatnonzero(sign[1:] * sign[:-1] < 0.0) + 1
    parts = np.split(e, cuts)[1:]
    return np.array([part[np.argmax(np.abs(part))] for part in parts])


def overshoot_from_damping(ratio: float) -> float:
    """Return e^{-πζ/√(1-ζ²)}: overshoot of a second-order step, as part of it.

    Example:
        The course's b̂² = 2 m k̂ for critical damping is ζ = 1/√2.

        >>> round(overshoot_from_damping(0.5**0.5), 4)
        0.0432
    """
    if not ratio >= 0.0:
        raise ConfigError(f"`ratio` must not be negative, got {ratio}")
    if ratio >= 1.0:
        return 0.0
    return math.exp(-math.pi * ratio / math.sqrt(1.0 - ratio * ratio))


def damping_from_overshoot(overshoot: float) -> float:
    """Return ζ of a second-order step response from its overshoot in (0, 1).

    Example:
        >>> round(damping_from_overshoot(0.0432), 3)
        0.707
    """
    if not 0.0 < overshoot < 1.0:
        raise ConfigError(f"`overshoot` must be between 0 and 1, got {overshoot}")
    log = math.log(overshoot)
    return -log / math.hypot(math.pi, log)
