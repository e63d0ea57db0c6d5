"""What throws have in common: place and velocity, in slices along the flight.

A track may begin anywhere on the way, late if the ball was hidden. So the prior is not
one normal distribution at the release but one for every few hundredths of a second.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_array, as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.kernels.compile import kernel
from gelenk.kernels.linear import solve_spd
from gelenk.typing import ArrayLike, FloatArray

FEWEST = 12  # throws of a slice: twice the numbers of its mean


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ThrowPrior:
    """Normal distributions of (p, v) in world axes [m, m/s], one per slice.

    Attributes:
        mean: Shape (k, 6).
        covariance: Shape (k, 6, 6).
        weight: How likely a ball is first seen in the slice, sums to 1, shape (k,).
    """

    mean: FloatArray
    covariance: FloatArray
    weight: FloatArray

    def __post_init__(self) -> None:
        mean = np.array(as_finite("mean", self.mean, (6,)), order="C")
        if mean.ndim != 2 or not len(mean):
            raise ShapeError("mean", expected="(k, 6)", actual=mean.shape)
        k = len(mean)
        P = np.array(as_finite("covariance", self.covariance, (k, 6, 6)), order="C")
        weight = np.array(as_finite("weight", self.weight, (k,)), order="C")
        try:
            np.linalg.cholesky(P)
        except np.linalg.LinAlgError as error:
            raise ConfigError("every `covariance` must be positive definite") from error
        if not (np.all(weight > 0.0) and abs(weight.sum() - 1.0) < 1e-9):
            raise ConfigError(f"`weight` must be > 0 and sum to 1, got {weight}")
        for name, value in (("mean", mean), ("covariance", P), ("weight", weight)):
            object.__setattr__(self, name, value)


def learn_throw_prior(paths: ArrayLike, *, inflation: float = 1.2) -> ThrowPrior:
    """Return the prior of throws like the given ones.

    Args:
        paths: (p, v) of n throws at the same k times after the release, shape
            (n, k, 6); NaN where a flight is over or was not seen. Steps of 60 ms do.
        inflation: Factor of all standard deviations: few throws never show how far the
            next one may stray.

    Raises:
        ConfigError: If fewer than 12 throws reach any slice.
    """
    x = as_array("paths", paths, (6,))
    if x.ndim != 3:
        raise ShapeError("paths", expected="(n, k, 6)", actual=x.shape)
    seen = np.all(np.isfinite(x), axis=-1)
    means, covariances, weights = [], [], []
    for k in np.flatnonzero(seen.sum(axis=0) >= FEWEST):
        rows = x[seen[:, k], k]
        means.append(rows.mean(axis=0))
        floor = np.diag([1e-4] * 3 + [1e-3] * 3)  # 1 cm, 3 cm/s: no throw is sharper
        covariances.append(inflation**2 * np.cov(rows.T) + floor)
        weights.append(float(len(rows)))
    if not means:
        raise ConfigError(
            f"a prior needs at least {FEWEST} throws in a slice, got at most "
            f"{int(seen.sum(axis=0).max(initial=0))}; record more throws"
        )
    weight = np.array(weights)
    return ThrowPrior(
        mean=np.array(means),
        covariance=np.array(covariances),
        weight=weight / weight.sum(),
    )


@kernel
def prior_density(
    mean: FloatArray,
    covariance: FloatArray,
    weight: FloatArray,
    p: FloatArray,
    C: FloatArray,
) -> float:
    """Return the log density of a place p (3,), known up to C (3, 3)."""
    S, y = np.empty((3, 3)), np.empty(3)
    top, total = -math.inf, 0.0
    for k in range(mean.shape[0]):
        value = math.log(weight[k]) + _fit(mean, covariance, k, p, C, S, y)
        if value > top:
            total = total * math.exp(top - value) + 1.0 if total > 0.0 else 1.0
            top = value
        elif value > -math.inf:
            total += math.exp(value - top)
    return top + math.log(total) if total > 0.0 else -math.inf


@kernel
def _fit(
    mean: FloatArray,
    covariance: FloatArray,
    k: int,
    p: FloatArray,
    C: FloatArray,
    S: FloatArray,
    y: FloatArray,
) -> float:
    """Return the log density of p in slice k; leave the root of S in S."""
    for i in range(3):
        y[i] = p[i] - mean[k, i]
        for j in range(3):
            S[i, j] = covariance[k, i, j] + C[i, j]
    r0, r1, r2 = y[0], y[1], y[2]
    if not solve_spd(S, y):
        return -math.inf
    nis = r0 * y[0] + r1 * y[1] + r2 * y[2]
    log_det = 2.0 * (math.log(S[0, 0]) + math.log(S[1, 1]) + math.log(S[2, 2]))
    return -0.5 * (nis + log_det + 3.0 * math.log(2.0 * math.pi))


@kernel
def prior_given_place(
    mean: FloatArray,
    covariance: FloatArray,
    weight: FloatArray,
    p: FloatArray,
    C: FloatArray,
    x: FloatArray,
    P: FloatArray,
) -> None:
    """Write the belief (6,), (6, 6) of a ball at p, known up to C (3, 3).

    Each slice is corrected by the place; their mixture is merged.
    """
    count = mean.shape[0]
    S, y = np.empty((3, 3)), np.empty(3)
    share, means = np.empty(count), np.empty((count, 6))
    for k in range(count):
        share[k] = math.log(weight[k]) + _fit(mean, covariance, k, p, C, S, y)
        for i in range(6):
            means[k, i] = mean[k, i]
            for j in range(3):
                means[k, i] += covariance[k, i, j] * y[j]
    share = np.exp(share - share.max())
    share /= share.sum()
    x[:] = 0.0
    P[:] = 0.0
    for k in range(count):
        x += share[k] * means[k]
    gain, A = np.empty((6, 3)), np.empty((3, 3))
    for k in range(count):
        if share[k] < 1e-9:
            continue
        A[:] = covariance[k, :3, :3] + C
        for i in range(6):
            S[:] = A
            y[:] = covariance[k, i, :3]
            solve_spd(S, y)
            gain[i] = y
        for i in range(6):
            for j in range(6):
                value = covariance[k, i, j] + (means[k, i] - x[i]) * (
                    means[k, j] - x[j]
                )
                for a in range(3):
                    value -= gain[i, a] * covariance[k, a, j]
                P[i, j] += share[k] * value
    for i in range(6):
        for j in range(i):
            P[i, j] = P[j, i] = 0.5 * (P[i, j] + P[j, i])
