"""Gaussian-process regression: what a model gets wrong, learned from samples.

k(a, b) = σ_f² exp(-|a - b|² / 2ℓ²); mean k*ᵀ (K + σ_n² E)⁻¹ y, variance
k** - k*ᵀ (K + σ_n² E)⁻¹ k* of the function itself, without the noise of a new sample.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_solve, cholesky

from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GaussianProcess:
    """A fitted process.

    Attributes:
        X: Where it was sampled, shape (k, d).
        weights: (K + σ_n² E)⁻¹ y, shape (k,) or (k, m).
        factor: Lower Cholesky factor of K + σ_n² E, shape (k, k).
        length: ℓ, in units of X, a number or (d,).
        sigma: σ_f, in units of y.
    """

    X: FloatArray
    weights: FloatArray
    factor: FloatArray
    length: FloatArray
    sigma: float


def fit_gaussian_process(
    X: ArrayLike, y: ArrayLike, *, length: ArrayLike, sigma: float, noise: float
) -> GaussianProcess:
    """Return the process through noisy samples.

    Args:
        X: Where, shape (k, d), or (k,) for one dimension.
        y: What, shape (k,) or (k, m).
        length: ℓ > 0, distance over which values are related, a number or (d,).
        sigma: σ_f > 0, size of the function.
        noise: σ_n > 0, standard deviation of the samples.

    Example:
        >>> gp = fit_gaussian_process(
        ...     [0.0, 1.0, 2.0], [0.0, 1.0, 0.0], length=1.0, sigma=1.0, noise=0.1
        ... )
        >>> mean, variance = predict_gaussian_process(gp, [0.5])
        >>> print(mean.round(6), variance.round(6))
        [0.661668] [0.02502]
    """
    X, y = _points(X), np.asarray(y, np.float64)
    scale = np.asarray(length, np.float64)
    if len(X) != len(y):
        raise ShapeError("y", expected=f"({len(X)}, ...)", actual=y.shape)
    if not (np.all(scale > 0.0) and sigma > 0.0 and noise > 0.0):
        raise ConfigError(
            f"`length`, `sigma`, `noise` must be > 0, got {length}, {sigma}, {noise}"
        )
    K = _kernel(X, X, scale, sigma) + noise**2 * np.eye(len(X))
    factor = np.asarray(cholesky(K, lower=True))
    weights = np.asarray(cho_solve((factor, True), y))
    return GaussianProcess(
        X=X, weights=weights, factor=factor, length=scale, sigma=sigma
    )


def predict_gaussian_process(
    process: GaussianProcess, X: ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Return mean (q,) or (q, m) and variance (q,) at points, shape (q, d) or (q,).

    Example:
        Far from all samples it knows nothing: mean 0, variance σ_f².

        >>> gp = fit_gaussian_process([0.0], [3.0], length=1.0, sigma=2.0, noise=0.1)
        >>> mean, variance = predict_gaussian_process(gp, [50.0])
        >>> print(mean, variance)
        [0.] [4.]
    """
    k = _kernel(_points(X), process.X, process.length, process.sigma)
    solved = np.asarray(cho_solve((process.factor, True), k.T))
    return k @ process.weights, process.sigma**2 - np.sum(k.T * solved, axis=0)


def _points(X: ArrayLike) -> FloatArray:
    X = np.asarray(X, np.float64)
    return X[:, None] if X.ndim == 1 else X


def _kernel(
    a: FloatArray, b: FloatArray, length: FloatArray, sigma: float
) -> FloatArray:
    gap = (a[:, None, :] - b[None, :, :]) / length
    return sigma**2 * np.exp(-0.5 * np.sum(gap * gap, axis=-1))
