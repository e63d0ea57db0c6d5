"""Weighted nonlinear least squares; circles and spheres through points.

The geometric residual r_i = |x_i - c| - R is a distance, which is what noise acts on;
the algebraic one |x_i - c|² - R² makes the problem linear and weighs far points more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.estimation.least_squares import (
    LeastSquaresCfg,
    LeastSquaresResult,
    solve_least_squares,
)
from gelenk.typing import ArrayLike, FloatArray


def solve_weighted(
    residuals: Callable[[FloatArray], ArrayLike],
    x0: ArrayLike,
    weights: ArrayLike,
    *,
    jacobian: Callable[[FloatArray], ArrayLike] | None = None,
    cfg: LeastSquaresCfg | None = None,
) -> LeastSquaresResult:
    """Return the minimum of ½ Σ ω_i r_i(p)², ω_i > 0.

    (Jᵀ W J + λ D) δ = -Jᵀ W r, p <- p + δ; the covariance is σ² (Jᵀ W J)⁻¹. A weight
    ω counts a residual like ω copies of it: residuals are scaled by √ω.

    Args:
        residuals: Function of the parameters, (P,) -> (N,).
        x0: Start, shape (P,).
        weights: ω, positive, shape (N,).
        jacobian: Derivative of the residuals, (P,) -> (N, P); None: by differences.
        cfg: Settings of the search; by default `LeastSquaresCfg()`.

    Example:
        The weighted mean of 0 and 3.

        >>> from gelenk.estimation import solve_weighted
        >>> data = np.array([0.0, 3.0])
        >>> found = solve_weighted(lambda p: p - data, [1.0], weights=[2.0, 1.0])
        >>> print(found.x.round(9))
        [1.]
    """
    root = np.sqrt(as_finite("weights", weights, ()))
    if not (root > 0.0).all():
        raise ConfigError("`weights` must be positive")
    slope: Callable[[FloatArray], FloatArray] | None = None
    if jacobian is not None:
        given = jacobian
        slope = lambda p: root[:, None] * np.asarray(given(p), dtype=float)  # noqa: E731
    return solve_least_squares(
        lambda p: root * np.asarray(residuals(p), dtype=float),
        x0,
        jacobian=slope,
        cfg=cfg,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SphereFit:
    """A circle or sphere.

    Attributes:
        center: Center, shape (n,).
        radius: Radius, in the unit of the points.
        cost: ½ Σ r_i² with geometric residuals.
        covariance: Covariance of (center, radius), shape (n + 1, n + 1); None:
            algebraic.
    """

    center: FloatArray
    radius: float
    cost: float
    covariance: FloatArray | None = None


def fit_sphere_algebraic(points: ArrayLike) -> SphereFit:
    """Return the circle or sphere of least Σ (|x_i - c|² - R²)² (Kåsa).

    Linear: 2 c·x + (R² - |c|²) = |x|².

    Args:
        points: Points, shape (k, n), k > n, not all in one line (plane).

    Example:
        >>> ball = fit_sphere_algebraic([[2.0, 0.0], [0.0, 2.0], [-2.0, 0.0]])
        >>> print(ball.center.round(9) + 0.0, round(ball.radius, 9))
        [0. 0.] 2.0
    """
    p = _points(points)
    middle = p.mean(axis=0)
    q = p - middle
    A = np.concatenate([2.0 * q, np.ones((len(q), 1))], axis=1)
    right = np.asarray((q**2).sum(axis=1), dtype=np.float64)
    found, _, rank, _ = np.linalg.lstsq(A, right, rcond=1e-12)
    if rank < A.shape[1]:
        raise ConfigError("points in one line (or plane) lie on no circle (or sphere)")
    radius = float(np.sqrt(found[-1] + (found[:-1] ** 2).sum()))
    center = found[:-1] + middle
    return SphereFit(center=center, radius=radius, cost=_cost(p, center, radius))


def fit_sphere(points: ArrayLike, *, radius: float | None = None) -> SphereFit:
    """Return the circle or sphere of least ½ Σ (|x_i - c| - R)².

    Args:
        points: Points, shape (k, n), k > n, not all in one line (plane).
        radius: R if it is known, as of a ball of known size.

    Example:
        >>> from gelenk.estimation import fit_sphere
        >>> x = [5.05, 2.1, -1.03, 1.95, 4.1, -0.1]
        >>> y = [-1.02, 1.97, -0.95, -4.04, 1.15, -3.1]
        >>> ball = fit_sphere(np.stack([x, y], axis=1))
        >>> print(ball.center.round(6), round(ball.radius, 6), round(ball.cost, 9))
        [ 2.022094 -1.021978] 3.011446 0.002064996
    """
    p = _points(points)
    start = fit_sphere_algebraic(p)
    size = start.radius if radius is None else radius
    n = p.shape[1]

    def residuals(x: FloatArray) -> FloatArray:
        return np.linalg.norm(p - x[:n], axis=1) - x[n]

    def jacobian(x: FloatArray) -> FloatArray:
        gap = x[:n] - p
        # Only at the centre itself there is no derivative; 0 leaves it out.
        length = np.maximum(np.linalg.norm(gap, axis=1), 1e-300)
        return np.concatenate([gap / length[:, None], -np.ones((len(p), 1))], axis=1)

    found = solve_least_squares(
        residuals,
        np.append(start.center, size),
        jacobian=jacobian,
        is_frozen=[k == n and radius is not None for k in range(n + 1)],
        cfg=LeastSquaresCfg(),
    )
    return SphereFit(
        center=found.x[:n],
        radius=float(found.x[n]),
        cost=0.5 * found.chi2,
        covariance=found.covariance,
    )


def _points(points: ArrayLike) -> FloatArray:
    p = as_finite("points", points, ())
    if p.ndim != 2 or len(p) <= p.shape[1]:
        raise ShapeError("points", expected="(k, n) with k > n", actual=p.shape)
    return p


def _cost(p: FloatArray, center: FloatArray, radius: float) -> float:
    return 0.5 * float(((np.linalg.norm(p - center, axis=1) - radius) ** 2).sum())
