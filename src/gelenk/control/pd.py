"""PD and partitioned control of a second-order plant m ẍ + b ẋ + k x = f.

PD control adds to the spring and the damper of the plant. Partitioned control first
cancels the plant, f = α f̂ + β with α = m and β = h(x, ẋ), so that the servo f̂ meets a
unit mass (Damken 2023 §8.1.4, §8.1.5).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

CRITICAL_TOL = 1e-9  # relative width of b² = 4 m k


class Regime(StrEnum):
    """Damping regime of an oscillator."""

    OVER_DAMPED = "over-damped"
    CRITICAL = "critically damped"
    UNDER_DAMPED = "under-damped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Oscillator:
    """A mass on a spring with a damper, or a loop that behaves like one.

    Attributes:
        mass: Mass m > 0 [kg].
        damping: Damping b [N s/m].
        stiffness: Stiffness k [N/m].
    """

    mass: float
    damping: float
    stiffness: float

    def __post_init__(self) -> None:
        if not self.mass > 0.0:
            raise ConfigError(f"`mass` must be > 0 kg, got {self.mass}")

    @property
    def poles(self) -> NDArray[np.complex128]:
        """λ = (-b ± √(b² - 4 m k)) / 2m [1/s], complex, shape (2,)."""
        root = np.sqrt(complex(self._discriminant))
        both = np.array([root, -root], dtype=np.complex128)
        return (both - self.damping) / (2.0 * self.mass)

    @property
    def regime(self) -> Regime:
        """By the sign of b² - 4 m k; critical is the fastest without overshoot."""
        d = self._discriminant
        size = max(self.damping**2, 4.0 * self.mass * abs(self.stiffness))
        if abs(d) <= CRITICAL_TOL * size:
            return Regime.CRITICAL
        return Regime.OVER_DAMPED if d > 0.0 else Regime.UNDER_DAMPED

    @property
    def natural_frequency(self) -> float:
        """ω = √(k/m) [rad/s]."""
        return float(np.sqrt(self.stiffness / self.mass))

    @property
    def damping_ratio(self) -> float:
        """ζ = b / 2√(m k); 1 is critical."""
        return float(self.damping / (2.0 * np.sqrt(self.mass * self.stiffness)))

    @property
    def _discriminant(self) -> float:
        return self.damping**2 - 4.0 * self.mass * self.stiffness


def free_motion(
    oscillator: Oscillator, x: float, v: float, time: ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Return position [m] and speed [m/s] of the free motion, each (...).

    Over-damped c₁ e^{λ₁t} + c₂ e^{λ₂t}; critical (c₁ + c₂ t) e^{λt}; under-damped
    e^{λᵣt} (c₁ cos λᵢt + c₂ sin λᵢt).

    Args:
        oscillator: Mass, damping, stiffness.
        x: Position at time 0 [m].
        v: Speed at time 0 [m/s].
        time: Time [s], shape (...).

    Example:
        >>> x, _ = free_motion(Oscillator(mass=1, damping=5, stiffness=6), -1, 0, 1.0)
        >>> print(x.round(6))
        -0.306432
    """
    t = np.asarray(time, dtype=np.float64)
    first, second = oscillator.poles
    match oscillator.regime:
        case Regime.OVER_DAMPED:
            c = (second.real * x - v) / (second.real - first.real)
            a, b = c * np.exp(first.real * t), (x - c) * np.exp(second.real * t)
            return a + b, first.real * a + second.real * b
        case Regime.CRITICAL:
            decay, c = np.exp(first.real * t), v - first.real * x
            return (x + c * t) * decay, (c + first.real * (x + c * t)) * decay
        case Regime.UNDER_DAMPED:
            r, w = first.real, first.imag
            c = (v - r * x) / w
            decay, cos, sin = np.exp(r * t), np.cos(w * t), np.sin(w * t)
            position = decay * (x * cos + c * sin)
            return position, r * position + decay * w * (c * cos - x * sin)


@dataclass(frozen=True, slots=True, kw_only=True)
class PdGains:
    """Gains of a PD law.

    Attributes:
        kp: Gain on the error [N/m].
        kv: Gain on the rate of the error [N s/m].
    """

    kp: float
    kv: float


def pd_force(
    gains: PdGains,
    x: ArrayLike,
    v: ArrayLike,
    *,
    x_d: ArrayLike = 0.0,
    v_d: ArrayLike = 0.0,
) -> FloatArray:
    """Return f = k_p (x_d - x) + k_v (ẋ_d - ẋ) [N]; arguments broadcast.

    Args:
        gains: k_p and k_v.
        x: Position [m].
        v: Speed [m/s].
        x_d: Wanted position [m].
        v_d: Wanted speed [m/s].

    Example:
        >>> print(pd_force(PdGains(kp=16.0, kv=8.0), 0.5, 0.25))
        -10.0
    """
    error = np.asarray(x_d, np.float64) - np.asarray(x, np.float64)
    rate = np.asarray(v_d, np.float64) - np.asarray(v, np.float64)
    return gains.kp * error + gains.kv * rate


def closed_loop(plant: Oscillator, gains: PdGains) -> Oscillator:
    """Return the oscillator that a plant under PD control is: b + k_v, k + k_p.

    Example:
        >>> plant = Oscillator(mass=1.0, damping=1.0, stiffness=1.0)
        >>> closed_loop(plant, PdGains(kp=15.0, kv=7.0)).regime.value
        'critically damped'
    """
    return Oscillator(
        mass=plant.mass,
        damping=plant.damping + gains.kv,
        stiffness=plant.stiffness + gains.kp,
    )


def critical_pd_gains(plant: Oscillator, stiffness: float) -> PdGains:
    """Return the gains that give a stiffness k̂ with critical damping b̂² = 4 m k̂.

    The course prints b̂² = 2 m k̂ (§8.1.3): that is ζ = 0.707 and overshoots by 4.3 %.

    Args:
        plant: Plant that is controlled.
        stiffness: Stiffness k̂ of the closed loop [N/m].

    Example:
        >>> critical_pd_gains(Oscillator(mass=1.0, damping=1.0, stiffness=1.0), 16.0)
        PdGains(kp=15.0, kv=7.0)
    """
    return damped_pd_gains(plant, stiffness, 1.0)


def damped_pd_gains(plant: Oscillator, stiffness: float, ratio: float) -> PdGains:
    """Return the gains that give a stiffness [N/m] and a damping ratio ζ.

    Example:
        >>> damped_pd_gains(Oscillator(mass=1.0, damping=0.0, stiffness=0.0), 4.0, 0.5)
        PdGains(kp=4.0, kv=2.0)
    """
    if not stiffness > 0.0:
        raise ConfigError(f"`stiffness` must be > 0 N/m, got {stiffness}")
    b = 2.0 * ratio * math.sqrt(plant.mass * stiffness)
    return PdGains(kp=stiffness - plant.stiffness, kv=b - plant.damping)


def pd_rest_offset(plant: Oscillator, gains: PdGains, load: float) -> float:
    """Return where a constant load [N] leaves it: x = d / (k + k_p) [m], for x_d = 0.

    Only an infinite gain or an integral part makes it vanish.

    Example:
        >>> plant = Oscillator(mass=1.0, damping=1.0, stiffness=1.0)
        >>> pd_rest_offset(plant, PdGains(kp=15.0, kv=7.0), 8.0)
        0.5
    """
    return load / closed_loop(plant, gains).stiffness


def partitioned_force(
    alpha: ArrayLike, beta: ArrayLike, servo: ArrayLike
) -> FloatArray:
    """Return f = α f̂ + β.

    Args:
        alpha: Mass [kg], shape (...), or mass matrix (..., n, n).
        beta: Forces that are cancelled [N], shape (...) or (..., n).
        servo: Acceleration f̂ that the servo asks for [m/s²], shape of `beta`.

    Example:
        m ẍ + k x² = f with m = 2, k = 3, at x = 0.5: cancel k x², ask for 1 m/s².

        >>> print(partitioned_force(2.0, 3.0 * 0.5**2, 1.0))
        2.75
    """
    alpha, beta = np.asarray(alpha, np.float64), np.asarray(beta, np.float64)
    servo = np.asarray(servo, np.float64)
    if alpha.ndim >= 2:
        return np.matvec(alpha, servo) + beta
    return alpha * servo + beta


def tracking_servo(
    error: ArrayLike,
    error_rate: ArrayLike,
    *,
    kp: ArrayLike,
    kv: ArrayLike | None = None,
    acceleration: ArrayLike = 0.0,
) -> FloatArray:
    """Return f̂ = ẍ_d + k_v ė + k_p e, so that ë + k_v ė + k_p e = 0 on a unit mass.

    Args:
        error: Error e = x_d - x [m], shape (...).
        error_rate: ė [m/s].
        kp: Proportional gain [1/s²], > 0.
        kv: Derivative gain [1/s]; by default critical, 2 √k_p.
        acceleration: ẍ_d [m/s²]; without it a moving reference is followed late.

    Example:
        >>> print(tracking_servo(0.1, 0.0, kp=25.0, acceleration=1.0))
        3.5
    """
    kp = np.asarray(kp, np.float64)
    if not np.all(kp > 0.0):
        raise ConfigError(f"`kp` must be > 0, got {kp.tolist()}")
    kv = 2.0 * np.sqrt(kp) if kv is None else np.asarray(kv, np.float64)
    feedback = kp * np.asarray(error, np.float64) + kv * np.asarray(error_rate)
    return np.asarray(acceleration, np.float64) + feedback
