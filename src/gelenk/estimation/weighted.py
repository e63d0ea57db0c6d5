"""Nonlinear least squares with a weight for every residual."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.estimation.least_squares import (
    LeastSquaresCfg,
    LeastSquaresResult,
    solve,
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
        jacobian: Its derivative, (P,) -> (N, P); None: by differences.
        cfg: Settings of the search, see `least_squares.solve`.

    Example:
        The weighted mean of 0 and 3.

        >>> data = np.array([0.0, 3.0])
        >>> found = solve_weighted(lambda p: p - data, [1.0], weights=[2.0, 1.0])
        >>> print(found.x.round(9))
        [1.]
    """
    root = np.sqrt(as_finite("weights", weights, ()))
    if not (root > 0.0).all():
        raise ConfigError("`weights` must be positive")
    slope = None
    if jacobian is not None:
        given = jacobian
        slope = lambda p: root[:, None] * np.asarray(given(p), dtype=float)  # noqa: E731
    return solve(
        lambda p: root * np.asarray(residuals(p), dtype=float),
        x0,
        jacobian=slope,
        cfg=cfg,
    )
