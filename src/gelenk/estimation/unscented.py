"""Unscented filters: a belief carried through functions by sigma points.

2 n + 1 points, the mean and plus and minus sqrt(n + kappa) times the columns of a root
of the covariance, go through a function; their weighted mean and spread are the new
belief. Exact for linear functions, right to second order for others, no derivatives.

With kappa > 0 all weights are positive. The correction works in the coordinates in
which the belief is a unit ball: there the covariance after a measurement is

    1 - D S^-1 D^T = (1 - K D^T)(1 - K D^T)^T + K (S - D^T D) K^T,  K = D S^-1,

and S - D^T D >= R: as in Joseph's form, a sum of what cannot become negative.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from gelenk.checks import as_finite, as_kernel_array
from gelenk.errors import ConfigError
from gelenk.estimation.kalman import Belief, Correction
from gelenk.kernels.compile import kernel
from gelenk.typing import ArrayLike, FloatArray, Vec2

KAPPA = 1.0


@kernel
def lower_root(P: FloatArray, n: int, L: FloatArray) -> bool:
    """Write the Cholesky factor of P[:n, :n] into L; return whether there is one."""
    for j in range(n):
        d = P[j, j]
        for k in range(j):
            d -= L[j, k] * L[j, k]
        if not d > 0.0:
            return False
        d = math.sqrt(d)
        L[j, j] = d
        for i in range(j + 1, n):
            s = P[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            L[i, j] = s / d
            L[j, i] = 0.0
    return True


@kernel
def spread_points(
    x: FloatArray, P: FloatArray, kappa: float, L: FloatArray, points: FloatArray
) -> bool:
    """Write a root of P into L and 2 n + 1 points around x; return whether it went."""
    n = x.shape[0]
    if not lower_root(P, n, L):
        return False
    reach = math.sqrt(n + kappa)
    points[0] = x
    for k in range(n):
        for i in range(n):
            step = reach * L[i, k]
            points[1 + k, i] = x[i] + step
            points[1 + n + k, i] = x[i] - step
    return True


@kernel
def gather_points(
    points: FloatArray, kappa: float, Q: FloatArray, x: FloatArray, P: FloatArray
) -> None:
    """Write mean and covariance of points, plus Q, into x and P."""
    count, n = points.shape
    half = (count - 1) // 2
    w = 0.5 / (half + kappa)
    w0 = kappa / (half + kappa)
    for i in range(n):
        s = 0.0
        for k in range(1, count):
            s += points[k, i]
        x[i] = w0 * points[0, i] + w * s
    for k in range(count):
        for i in range(n):
            points[k, i] -= x[i]
    for i in range(n):
        for j in range(i + 1):
            s = 0.0
            for k in range(1, count):
                s += points[k, i] * points[k, j]
            P[i, j] = Q[i, j] + w0 * points[0, i] * points[0, j] + w * s
            P[j, i] = P[i, j]


@kernel
def correct_by_points(
    x: FloatArray,
    P: FloatArray,
    L: FloatArray,
    seen: FloatArray,
    z: FloatArray,
    R: FloatArray,
    kappa: float,
    residual: FloatArray,
    S: FloatArray,
    gate: float,
) -> Vec2:
    """Correct x and P by z, given what the points of `spread_points` would see.

    Args:
        x: Mean, shape (n,); changed if the measurement is believed.
        P: Covariance, shape (n, n); changed likewise.
        L: Root of the covariance, as `lower_root` writes it.
        seen: Expected measurements of the points, shape (2 n + 1, m); changed.
        z: The measurement, shape (m,).
        R: Covariance of its noise, shape (m, m).
        kappa: Spread of the points, the same as for their choice.
        residual: z minus the expected measurement, written, shape (m,).
        S: Covariance of the residual, written, shape (m, m).
        gate: Largest `nis` that is believed.

    Returns:
        nis and the logarithm of the density of z; NaN if S has no root.
    """
    n, m = x.shape[0], z.shape[0]
    expected = np.empty(m)
    gather_points(seen, kappa, R, expected, S)
    root, D = np.empty((m, m)), np.empty((n, m))
    if not lower_root(S, m, root):
        return math.nan, math.nan
    w = 0.5 / math.sqrt(n + kappa)
    for k in range(n):
        for i in range(m):
            D[k, i] = w * (seen[1 + k, i] - seen[1 + n + k, i])
    nis, log_det = 0.0, 0.0
    y = np.empty(m)
    for i in range(m):
        residual[i] = z[i] - expected[i]
        s = residual[i]
        for k in range(i):
            s -= root[i, k] * y[k]
        y[i] = s / root[i, i]
        nis += y[i] * y[i]
        log_det += 2.0 * math.log(root[i, i])
    if nis <= gate:
        _shrink(x, P, L, D, S, root, residual)
    return nis, -0.5 * (nis + log_det + m * math.log(2.0 * math.pi))


@kernel
def _shrink(
    x: FloatArray,
    P: FloatArray,
    L: FloatArray,
    D: FloatArray,
    S: FloatArray,
    root: FloatArray,
    residual: FloatArray,
) -> None:
    """Carry out the correction in the coordinates of the root."""
    n, m = D.shape
    K = D.copy()
    for a in range(n):  # K = D S^-1, one row after the other
        for i in range(m):
            for k in range(i):
                K[a, i] -= root[i, k] * K[a, k]
            K[a, i] /= root[i, i]
        for i in range(m - 1, -1, -1):
            for k in range(i + 1, m):
                K[a, i] -= root[k, i] * K[a, k]
            K[a, i] /= root[i, i]
    shrink = np.eye(n) - np.dot(K, D.T)
    rest = S - np.dot(D.T, D)
    inner = np.dot(shrink, shrink.T) + np.dot(np.dot(K, rest), K.T)
    x += np.dot(L, np.dot(K, residual))
    outer = np.dot(np.dot(L, inner), L.T)
    for i in range(n):
        for j in range(n):
            P[i, j] = 0.5 * (outer[i, j] + outer[j, i])


def sigma_points(belief: Belief, kappa: float = KAPPA) -> tuple[FloatArray, FloatArray]:
    """Return the points (2 n + 1, n) that stand for a belief and their weights.

    Raises:
        ConfigError: If the covariance is not positive definite.
    """
    n = belief.mean.size
    points, _ = _spread(belief, kappa)
    weights = np.full(2 * n + 1, 0.5 / (n + kappa))
    weights[0] = kappa / (n + kappa)
    return points, weights


def unscented_predict(
    belief: Belief,
    f: Callable[[FloatArray], ArrayLike],
    Q: ArrayLike,
    *,
    kappa: float = KAPPA,
) -> Belief:
    """Return the belief after the motion x <- f(x) + noise.

    Args:
        belief: Belief before the motion, n numbers.
        f: The motion, of many states at once: (k, n) to (k, n).
        Q: Covariance of the motion's noise, shape (n, n).
        kappa: Spread of the points, > 0.

    Example:
        >>> from gelenk.estimation import Belief, unscented_predict
        >>> belief = Belief(mean=np.array([2.0]), covariance=np.eye(1))
        >>> after = unscented_predict(belief, lambda x: 3.0 * x, [[1.0]])
        >>> print(after.mean.round(6), after.covariance.round(6))
        [6.] [[10.]]
    """
    n = belief.mean.size
    points, _ = _spread(belief, kappa)
    moved = np.array(as_finite("f(x)", f(points), points.shape), order="C")
    noise = as_kernel_array(as_finite("Q", Q, (n, n)))
    mean, P = np.empty(n), np.empty((n, n))
    gather_points(moved, kappa, noise, mean, P)
    return Belief(mean=mean, covariance=P)


def unscented_update(
    belief: Belief,
    z: ArrayLike,
    h: Callable[[FloatArray], ArrayLike],
    R: ArrayLike,
    *,
    kappa: float = KAPPA,
    gate: float = math.inf,
) -> Correction:
    """Return the belief after the measurement z = h(x) + noise.

    Args:
        belief: Belief before the measurement, n numbers.
        z: Measurement, shape (m,).
        h: The expected measurements of many states at once: (k, n) to (k, m).
        R: Covariance of the measurement's noise, shape (m, m).
        kappa: Spread of the points, > 0.
        gate: Largest `nis` at which the measurement is believed, see `chi2_gate`.

    Example:
        >>> from gelenk.estimation import Belief, unscented_update
        >>> belief = Belief(mean=np.array([0.0]), covariance=np.eye(1))
        >>> after = unscented_update(belief, [2.0], lambda x: x, [[1.0]]).belief
        >>> print(after.mean.round(6), after.covariance.round(6))
        [1.] [[0.5]]
    """
    z = as_kernel_array(np.atleast_1d(as_finite("z", z, ())))
    m = z.size
    points, L = _spread(belief, kappa)
    seen = np.array(as_finite("h(x)", h(points), (len(points), m)), order="C")
    noise = as_kernel_array(as_finite("R", R, (m, m)))
    mean, P = np.array(belief.mean), np.array(belief.covariance)
    residual, S = np.empty(m), np.empty((m, m))
    nis, log_likelihood = correct_by_points(
        mean, P, L, seen, z, noise, kappa, residual, S, gate
    )
    if math.isnan(nis):
        raise ConfigError(
            "the covariance of the residual must be positive definite; is a sensor "
            "without noise?"
        )
    accepted = nis <= gate
    return Correction(
        belief=Belief(mean=mean, covariance=P) if accepted else belief,
        accepted=accepted,
        residual=residual,
        residual_covariance=S,
        nis=nis,
        log_likelihood=log_likelihood,
    )


def _spread(belief: Belief, kappa: float) -> tuple[FloatArray, FloatArray]:
    if not 0.0 < kappa < math.inf:
        raise ConfigError(f"`kappa` must be positive, got {kappa}")
    n = belief.mean.size
    L, points = np.empty((n, n)), np.empty((2 * n + 1, n))
    mean, P = np.array(belief.mean), np.array(belief.covariance)
    if not spread_points(mean, P, kappa, L, points):
        raise ConfigError("`covariance` must be positive definite")
    return points, L
