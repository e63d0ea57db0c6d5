"""Springs and their characteristic: how stiffness changes with deflection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray


class SpringType(StrEnum):
    """Shape of a characteristic curve."""

    LINEAR = "linear"
    """Constant stiffness (Hooke)."""
    PROGRESSIVE = "progressive"
    """Stiffness grows with deflection."""
    DEGRESSIVE = "degressive"
    """Stiffness falls with deflection."""
    MIXED = "mixed"
    """It does both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerSpring:
    """F = k s₀ sign(s) |s / s₀|ⁿ: linear for n = 1, progressive for more.

    Attributes:
        stiffness: k [N/m] or [N m/rad].
        exponent: n.
        scale: s₀, deflection at which it gives k s₀ [m] or [rad].
    """

    stiffness: float
    exponent: float = 1.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        if min(self.stiffness, self.exponent, self.scale) <= 0.0:
            raise ConfigError(f"a spring needs positive numbers, got {self}")

    def force(self, deflection: ArrayLike) -> FloatArray:
        """Return the force [N] or torque [N m], shape of `deflection`.

        Example:
            >>> float(PowerSpring(stiffness=200.0).force(0.05))
            10.0
        """
        s = np.asarray(deflection, np.float64)
        share = np.abs(s) / self.scale
        return self.stiffness * self.scale * np.sign(s) * share**self.exponent


def stiffness(
    law: Callable[[FloatArray], FloatArray], deflection: ArrayLike
) -> FloatArray:
    """Return c = dF/ds of any characteristic [N/m] or [N m/rad], by differences.

    Args:
        law: F(s), takes and returns arrays.
        deflection: s [m] or [rad], any shape.

    Example:
        >>> print(stiffness(lambda s: 3.0 * s**2, [0.5, 1.0]).round(6))
        [3. 6.]
    """
    s = np.asarray(deflection, np.float64)
    h = 1e-6 * np.maximum(np.abs(s), 1e-3)
    return (law(s + h) - law(s - h)) / (2.0 * h)


def spring_type(
    law: Callable[[FloatArray], FloatArray],
    *,
    low: float,
    high: float,
    tolerance: float = 1e-6,
) -> SpringType:
    """Return whether a spring stiffens or softens with deflection.

    Deflection, not time, as is sometimes printed.

    Args:
        law: F(s).
        low: Smallest deflection, > 0.
        high: Largest deflection.
        tolerance: Relative change of stiffness that counts as none.

    Example:
        >>> str(spring_type(lambda s: s**3, low=0.1, high=1.0))
        'progressive'
    """
    if not 0.0 < low < high:
        raise ConfigError(f"deflections must satisfy 0 < low < high, got {low}, {high}")
    c = stiffness(law, np.linspace(low, high, 50))
    change = np.diff(c)
    small = tolerance * float(np.abs(c).max())
    if np.all(np.abs(change) <= small):
        return SpringType.LINEAR
    if np.all(change >= -small):
        return SpringType.PROGRESSIVE
    return SpringType.DEGRESSIVE if np.all(change <= small) else SpringType.MIXED
