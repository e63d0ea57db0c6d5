"""Splines through via points (waypoints): cubic splines and B-splines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.linalg import solve_banded

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CubicSpline:
    """Cubics between knots, continuous up to the acceleration.

    Attributes:
        knots: Times [s], increasing, shape (k,).
        points: Values there, shape (k, n).
        slopes: Velocities there, shape (k, n).

    Example:
        >>> from gelenk.trajectory import fit_cubic_spline
        >>> spline = fit_cubic_spline([0.0, 1.0, 2.0], [0.0, 1.0, 0.0])
        >>> position, velocity, acceleration = spline.sample(1.0)
        >>> print(position, velocity.round(6) + 0.0)
        [1.] [0.]
    """

    knots: FloatArray
    points: FloatArray
    slopes: FloatArray

    def sample(self, time: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return value, velocity, acceleration at times within the knots, (..., n)."""
        t = np.clip(np.asarray(time, np.float64), self.knots[0], self.knots[-1])
        k = np.clip(np.searchsorted(self.knots, t, "right") - 1, 0, len(self.knots) - 2)
        h = (self.knots[k + 1] - self.knots[k])[..., None]
        u = (t - self.knots[k])[..., None] / h
        a, b = self.points[k], self.points[k + 1]
        m, n = h * self.slopes[k], h * self.slopes[k + 1]
        rise = b - a
        # Hermite's form: a + m u + (3 rise - 2 m - n) u² + (m + n - 2 rise) u³.
        c, d = 3.0 * rise - 2.0 * m - n, m + n - 2.0 * rise
        value = a + u * (m + u * (c + u * d))
        return (
            value,
            (m + u * (2.0 * c + 3.0 * u * d)) / h,
            (2.0 * c + 6.0 * u * d) / h**2,
        )


def fit_cubic_spline(
    knots: ArrayLike,
    points: ArrayLike,
    *,
    ends: Literal["natural", "clamped"] = "clamped",
    slopes: tuple[ArrayLike, ArrayLike] = (0.0, 0.0),
) -> CubicSpline:
    """Return the cubic spline through via points, smooth in position to acceleration.

    The slopes m solve h_k m_{k-1} + 2 (h_{k-1} + h_k) m_k + h_{k-1} m_{k+1} =
    3 (h_k Δ_{k-1} + h_{k-1} Δ_k), Δ the difference quotients: three diagonals.

    Args:
        knots: Times [s], increasing, shape (k,), k >= 2.
        points: Points, shape (k,) or (k, n).
        ends: "natural": no acceleration at the ends; "clamped": given velocities.
        slopes: Velocities at both ends, for "clamped"; numbers or (n,).

    Example:
        >>> from gelenk.trajectory import fit_cubic_spline
        >>> natural = fit_cubic_spline([0, 1, 2], [0, 1, 0], ends="natural")
        >>> clamped = fit_cubic_spline([0, 1, 2], [0, 1, 0])
        >>> print(natural.sample(0.5)[0], clamped.sample(0.5)[0])
        [0.6875] [0.5]
    """
    t, y = as_finite("knots", knots, ()), as_finite("points", points, ())
    y = y[:, None] if y.ndim == 1 else y
    if t.ndim != 1 or len(t) < 2 or len(y) != len(t):
        raise ShapeError("points", expected=f"({t.size}, n)", actual=y.shape)
    h = np.diff(t)
    if not np.all(h > 0.0):
        raise ConfigError("`knots` must be increasing times")
    quotient = np.diff(y, axis=0) / h[:, None]
    k = len(t)
    band, right = np.zeros((3, k)), np.zeros_like(y)
    band[0, 2:], band[1, 1:-1], band[2, :-2] = h[:-1], 2.0 * (h[:-1] + h[1:]), h[1:]
    right[1:-1] = 3.0 * (h[1:, None] * quotient[:-1] + h[:-1, None] * quotient[1:])
    if ends == "clamped":
        band[1, 0] = band[1, -1] = 1.0
        right[0], right[-1] = np.asarray(slopes[0]), np.asarray(slopes[1])
    elif ends == "natural":
        band[1, 0] = band[1, -1] = 2.0
        band[0, 1] = band[2, -2] = 1.0
        right[0], right[-1] = 3.0 * quotient[0], 3.0 * quotient[-1]
    else:
        raise ConfigError(f"`ends` must be 'natural' or 'clamped', got {ends!r}")
    found = np.asarray(solve_banded((1, 1), band, right), np.float64)
    return CubicSpline(knots=t, points=y, slopes=found)


def b_spline(
    knots: ArrayLike, points: ArrayLike, degree: int, time: ArrayLike
) -> FloatArray:
    """Return a B-spline at parameters, by de Boor's recursion, shape (..., n).

    It stays within the hull of its control points and does not pass through them;
    moving one changes the curve nearby only.

    Args:
        knots: Knots, not decreasing, shape (k + degree + 1,).
        points: Control points, shape (k, n).
        degree: Degree p; cubic is 3.
        time: Parameters within [knots[p], knots[k]], shape (...).

    Example:
        >>> from gelenk.trajectory import b_spline
        >>> print(b_spline([0, 0, 1, 1], [[0.0], [2.0]], 1, 0.25))
        [0.5]
    """
    U, P = as_finite("knots", knots, ()), as_finite("points", points, ())
    p, k = degree, len(P)
    if P.ndim != 2 or p < 0 or U.shape != (k + p + 1,):
        raise ShapeError("knots", expected=f"({k + p + 1},)", actual=U.shape)
    if np.any(np.diff(U) < 0.0):
        raise ConfigError("`knots` must not decrease")
    t = np.clip(np.asarray(time, np.float64), U[p], U[k])
    i = np.clip(np.searchsorted(U, t, "right") - 1, p, k - 1)
    d = [P[i - p + j] for j in range(p + 1)]
    for r in range(1, p + 1):
        for j in range(p, r - 1, -1):
            low, high = U[i - p + j], U[i + 1 + j - r]
            width = np.where(high > low, high - low, 1.0)
            share = ((t - low) / width)[..., None]
            d[j] = (1.0 - share) * d[j - 1] + share * d[j]
    return d[p]


def clamped_knots(count: int, degree: int = 3) -> FloatArray:
    """Return equal knots on [0, 1] for which the curve starts and ends on its points.

    Args:
        count: Number of control points, > degree.
        degree: Degree p.

    Example:
        >>> print(clamped_knots(5, 3))
        [0.  0.  0.  0.  0.5 1.  1.  1.  1. ]
    """
    if count <= degree:
        raise ConfigError(f"{count} control points need a degree below, got {degree}")
    inner = np.linspace(0.0, 1.0, count - degree + 1)
    return np.concatenate([np.zeros(degree), inner, np.ones(degree)])
