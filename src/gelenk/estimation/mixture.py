"""Several beliefs, each with a weight: reweighed by evidence, merged when close."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.estimation.kalman import Belief
from gelenk.typing import ArrayLike, FloatArray


def reweigh(weights: ArrayLike, likelihoods: ArrayLike) -> FloatArray:
    """Return the weights after a measurement, summing to 1.

    Args:
        weights: Before, shape (k,); one of them may stand for "none of these".
        likelihoods: Density of the measurement under each, shape (k,); for "none of
            these" the constant density of a false measurement.

    Example:
        >>> print(reweigh([0.5, 0.3, 0.2], [0.1, 0.4, 0.05]).round(6))
        [0.277778 0.666667 0.055556]
    """
    w = as_finite("weights", weights, ())
    product = w * as_finite("likelihoods", likelihoods, w.shape)
    total = product.sum()
    if not (np.all(product >= 0.0) and 0.0 < total < math.inf):
        raise ConfigError(
            "weights and likelihoods must be >= 0 and not all zero, got "
            f"{w.tolist()} and {np.asarray(likelihoods).tolist()}"
        )
    return product / total


def merge(weights: ArrayLike, beliefs: Sequence[Belief]) -> Belief:
    """Return the normal distribution with the mean and covariance of a mixture.

    Args:
        weights: Shape (k,), any positive scale.
        beliefs: k of them.

    Example:
        >>> a = Belief(mean=[0.0], covariance=[[0.1]])
        >>> b = Belief(mean=[1.0], covariance=[[0.2]])
        >>> both = merge([0.6, 0.4], [a, b])
        >>> print(both.mean.round(6), both.covariance.round(6))
        [0.4] [[0.38]]
    """
    w = as_finite("weights", weights, (len(beliefs),))
    if not (np.all(w >= 0.0) and w.sum() > 0.0):
        raise ConfigError(f"`weights` must be >= 0, not all zero, got {w.tolist()}")
    w = w / w.sum()
    means = np.array([belief.mean for belief in beliefs])
    mean = w @ means
    spread = means - mean
    P = np.einsum("k,kij->ij", w, np.array([b.covariance for b in beliefs]))
    return Belief(mean=mean, covariance=P + np.einsum("k,ki,kj->ij", w, spread, spread))
