"""The damped oscillator m ẍ + b ẋ + k x = 0: three regimes, closed solutions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

CRITICAL_TOL = 1e-9  # relative width of b² = 4 m k


class Regime(StrEnum):
    """How an oscillator comes to rest."""

    OVER_DAMPED = "over-damped"
    CRITICAL = "critically damped"
    UNDER_DAMPED = "under-damped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Oscillator:
    """A mass on a spring with a damper, or a loop that behaves like one.

    Attributes:
        mass: m > 0 [kg].
        damping: b [N s/m].
        stiffness: k [N/m].
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
        time: [s], shape (...).

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
