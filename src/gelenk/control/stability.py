"""Stability: from poles, and from coefficients without computing poles."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from gelenk.errors import ConfigError
from gelenk.typing import FloatArray


class Stability(StrEnum):
    """What becomes of a small disturbance."""

    STABLE = "stable"
    """It dies out: every pole has a negative real part."""
    MARGINAL = "marginal"
    """A pole lies on the imaginary axis, none to the right of it."""
    UNSTABLE = "unstable"
    """It grows."""


def stability_of_poles(poles: ArrayLike, *, tol: float = 1e-9) -> Stability:
    """Return what the real parts of poles say.

    Args:
        poles: Complex [1/s], shape (n,).
        tol: Real parts this close to 0 (relative to the largest pole) count as 0.

    Example:
        >>> stability_of_poles([-1.0 + 2.0j, -1.0 - 2.0j]).value
        'stable'
    """
    poles = np.asarray(poles, dtype=np.complex128)
    width = tol * max(1.0, float(np.abs(poles).max(initial=0.0)))
    largest = float(poles.real.max(initial=-np.inf))
    if largest < -width:
        return Stability.STABLE
    return Stability.MARGINAL if largest <= width else Stability.UNSTABLE


def routh_column(coefficients: ArrayLike) -> FloatArray:
    """Return the first column of Routh's scheme of a polynomial.

    Every sign change is a root with a positive real part; all of one sign means stable.
    A zero in the column is replaced by a tiny positive number, as usual.

    Args:
        coefficients: Highest power first, shape (n + 1,), the first not 0.

    Example:
        s³ + 2 s² + 3 s + 10: two roots on the right.

        >>> print(routh_column([1.0, 2.0, 3.0, 10.0]))
        [ 1.  2. -2. 10.]
    """
    a = np.asarray(coefficients, dtype=np.float64)
    if a.ndim != 1 or len(a) < 2 or a[0] == 0.0:
        raise ConfigError(
            f"a polynomial needs a leading coefficient that is not 0, got {a.tolist()}"
        )
    n, width = len(a) - 1, (len(a) + 1) // 2
    rows = np.zeros((n + 1, width + 1))
    rows[0, : len(a[0::2])], rows[1, : len(a[1::2])] = a[0::2], a[1::2]
    for i in range(2, n + 1):
        pivot = rows[i - 1, 0] or np.finfo(np.float64).tiny ** 0.25
        rows[i, :-1] = rows[i - 2, 1:] - rows[i - 2, 0] / pivot * rows[i - 1, 1:]
    return rows[:, 0]


def is_hurwitz(coefficients: ArrayLike) -> bool:
    """Return whether all roots of a polynomial have negative real parts.

    Args:
        coefficients: Highest power first, shape (n + 1,).

    Example:
        >>> is_hurwitz([1.0, 3.0, 3.0, 1.0])
        True
    """
    column = routh_column(coefficients)
    return bool(np.all(column * column[0] > 0.0))
