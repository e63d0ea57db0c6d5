"""Plane angles: wrapping, differences, and quotients that stay exact near zero.

The exponential maps and their derivatives are built from four even functions of the
rotation angle. Two of them need no series: sin(x) / x is exact to rounding for every x
but 0, and 1 - cos(x) is twice the square of a sine. The other two subtract nearly equal
numbers; they use their Taylor series below a threshold.
"""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_array
from gelenk.typing import ArrayLike, FloatArray

TWO_PI = 2.0 * np.pi  # [rad]


def wrap_angle(angle: ArrayLike) -> FloatArray:
    """Return the angle [rad] in [-pi, pi) that differs from `angle` by whole turns.

    Every step is exact in floating point (`fmod` is, and so is a difference of
    numbers within a factor of two), so angles inside the range come back unchanged,
    down to the smallest.

    Args:
        angle: Angles [rad], any shape.

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import wrap_angle
        >>> print(wrap_angle([0.5, np.pi, -3.5 * np.pi]) / np.pi)
        [ 0.15915494 -1.          0.5       ]
    """
    rest = np.fmod(as_array("angle", angle, ()), TWO_PI)
    rest = np.where(rest >= np.pi, rest - TWO_PI, rest)
    return np.where(rest < -np.pi, rest + TWO_PI, rest)


def angle_difference(angle: ArrayLike, reference: ArrayLike) -> FloatArray:
    """Return the shorter turn from `reference` to `angle` [rad], in [-pi, pi).

    Args:
        angle: Angles at the end of the turn [rad], shape (...).
        reference: Angles at its start [rad], shape (...).

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import angle_difference
        >>> bool(np.isclose(angle_difference(3.0, -3.0), 6.0 - 2.0 * np.pi))
        True
    """
    reference = as_array("reference", reference, ())
    return wrap_angle(as_array("angle", angle, ()) - reference)


SERIES_THRESHOLD = 0.5
"""Angle [rad] below which the two cancelling quotients use their series.

At 0.5 the closed forms have lost a factor 12 / 0.5**2 of machine precision, an error
of 1e-14 at most; the seven terms kept leave less than 1e-15. Both sides agree there
to far better than 1e-12.
"""

# (x - sin x) / x^3 = sum over k of (-1)^k x^(2k) / (2k + 3)!
_CUBIC_TERMS = (
    1.0 / 6.0,
    -1.0 / 120.0,
    1.0 / 5040.0,
    -1.0 / 362880.0,
    1.0 / 39916800.0,
    -1.0 / 6227020800.0,
    1.0 / 1307674368000.0,
)
# (1 - x/2 cot(x/2)) / x^2 = sum over k of |B_2k| x^(2k-2) / (2k)!, Bernoulli numbers B
_COTANGENT_TERMS = (
    1.0 / 12.0,
    1.0 / 720.0,
    1.0 / 30240.0,
    1.0 / 1209600.0,
    1.0 / 47900160.0,
    691.0 / 1307674368000.0,
    1.0 / 74724249600.0,
)


def sine_quotient(angle: FloatArray) -> FloatArray:
    """Return sin(x) / x, and 1 at zero.

    Example:
        >>> print(sine_quotient(np.array([0.0, 1e-300, np.pi / 2])) * np.pi)
        [3.14159265 3.14159265 2.        ]
    """
    divisor = np.where(angle == 0.0, 1.0, angle)
    return np.where(angle == 0.0, 1.0, np.sin(divisor) / divisor)


def cosine_quotient(angle: FloatArray) -> FloatArray:
    """Return (1 - cos x) / x^2, and 1/2 at zero, as half the square of a sine quotient.

    Example:
        >>> print(cosine_quotient(np.array([0.0, 1e-9, np.pi])) * np.pi**2)
        [4.9348022 4.9348022 2.       ]
    """
    return 0.5 * sine_quotient(0.5 * angle) ** 2


def cubic_quotient(angle: FloatArray) -> FloatArray:
    """Return (x - sin x) / x^3, and 1/6 at zero.

    Example:
        >>> print(cubic_quotient(np.array([0.0, 1e-9, 2.0 * np.pi])) * 6.0)
        [1.         1.         0.15198178]
    """
    is_small = np.abs(angle) < SERIES_THRESHOLD
    x = np.where(is_small, 1.0, angle)
    return np.where(is_small, _series(angle, _CUBIC_TERMS), (x - np.sin(x)) / x**3)


def cotangent_quotient(angle: FloatArray) -> FloatArray:
    """Return (1 - x/2 cot(x/2)) / x^2, and 1/12 at zero; infinite at a full turn.

    Example:
        >>> print(cotangent_quotient(np.array([0.0, 1e-9, np.pi])) * 12.0)
        [1.        1.        1.2158542]
    """
    is_small = np.abs(angle) < SERIES_THRESHOLD
    x = np.where(is_small, 1.0, angle)
    closed = (1.0 - 0.5 * x * np.cos(0.5 * x) / np.sin(0.5 * x)) / x**2
    return np.where(is_small, _series(angle, _COTANGENT_TERMS), closed)


def _series(angle: FloatArray, terms: tuple[float, ...]) -> FloatArray:
    """Return the sum of terms[k] * angle**(2k) by Horner's rule, for small angles."""
    # Large angles are not wanted from the series; clipping keeps them from overflow.
    square = np.minimum(np.abs(angle), SERIES_THRESHOLD) ** 2
    total = np.full_like(square, terms[-1])
    for term in reversed(terms[:-1]):
        total = total * square + term
    return total
