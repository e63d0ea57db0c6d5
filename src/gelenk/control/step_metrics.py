"""What a step response says: rise, settling, overshoot, and one of five classes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

HUNTING_DECAY = 0.9  # a swing that keeps this much from first to last does not decay
CRITICAL_RATIO = 3.6  # t(98 %) / t(50 %): 3.48 if critical, 5.64 if one pole is slow
NO_OVERSHOOT = 1e-3  # [1]


class StepClass(StrEnum):
    """How a response approaches its final value."""

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
        settling_time: From then on it stays in the band [s]; NaN if never.
        overshoot: Beyond the final value, as part of the step.
        kind: Which class.
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
        time: Since the step [s], shape (k,), increasing.
        response: y, shape (k,), from its value before the step.
        final: Value that it should reach.
        band: Half width of the tolerance band, as part of the step.

    Example:
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
