"""Kalman filters, linear and extended, with gates, consistency tests and mixtures.

A belief is a mean and a covariance. Prediction carries it through the motion,

    x <- f(x),  P <- A P A^T + Q,  A = df/dx at the old x,

correction weighs it against a measurement z = h(x) + noise of covariance R,

    S = H P H^T + R,  K = P H^T S^-1,  x <- x + K (z - h(x)),
    P <- (1 - K H) P (1 - K H)^T + K R K^T,

the last line in Joseph's form, which keeps P symmetric and positive definite whatever
is rounded. Several sensors: predict to the time of each measurement, then correct.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import gammaincinv

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Belief:
    """State of a filter: a normal distribution.

    Attributes:
        mean: Mean of the state, shape (n,).
        covariance: Symmetric, positive definite, shape (n, n).

    Example:
        >>> from gelenk.estimation import Belief
        >>> Belief(mean=np.zeros(2), covariance=np.diag([4.0, 9.0])).sigma.tolist()
        [2.0, 3.0]
    """

    mean: FloatArray
    covariance: FloatArray

    def __post_init__(self) -> None:
        mean = np.array(as_finite("mean", self.mean, ()))
        covariance = np.array(as_finite("covariance", self.covariance, ()))
        if mean.ndim != 1:
            raise ShapeError("mean", expected="(n,)", actual=mean.shape)
        if covariance.shape != (mean.size, mean.size):
            expected = f"({mean.size}, {mean.size})"
            raise ShapeError("covariance", expected=expected, actual=covariance.shape)
        mean.setflags(write=False)
        covariance.setflags(write=False)
        object.__setattr__(self, "mean", mean)
        object.__setattr__(self, "covariance", covariance)

    @property
    def sigma(self) -> FloatArray:
        """Standard deviations, shape (n,)."""
        return np.sqrt(np.diag(self.covariance))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Correction:
    """A belief after a measurement, and how well the measurement fitted.

    Attributes:
        belief: Unchanged if the measurement was not accepted.
        accepted: Whether the measurement passed the gate.
        residual: z - h(x), shape (m,).
        residual_covariance: S, shape (m, m).
        nis: residual^T S^-1 residual: chi-square with m degrees if all is well.
        log_likelihood: Logarithm of the density of the measurement.
    """

    belief: Belief
    accepted: bool
    residual: FloatArray
    residual_covariance: FloatArray
    nis: float
    log_likelihood: float


def kalman_predict(
    belief: Belief, A: ArrayLike, Q: ArrayLike, shift: ArrayLike | None = None
) -> Belief:
    """Return the belief after the linear motion x <- A x + shift.

    Args:
        belief: Belief before the motion.
        A: Transition matrix, shape (n, n).
        Q: Covariance of the motion's noise, shape (n, n).
        shift: Displacement by inputs, shape (n,); None: none.

    Example:
        >>> from gelenk.estimation import Belief, kalman_predict
        >>> before = Belief(mean=[0.0], covariance=[[1.0]])
        >>> after = kalman_predict(before, [[1.0]], [[0.5]], [1.0])
        >>> print(after.mean, after.covariance)
        [1.] [[1.5]]
    """
    n = belief.mean.size
    A = as_finite("A", A, (n, n))
    mean = A @ belief.mean
    if shift is not None:
        mean = mean + as_finite("shift", shift, (n,))
    return _moved(belief, mean, A, Q)


def extended_predict(
    belief: Belief,
    f: Callable[[FloatArray], ArrayLike],
    A: Callable[[FloatArray], ArrayLike],
    Q: ArrayLike,
) -> Belief:
    """Return the belief after the motion x <- f(x) with the derivative A(x).

    The derivative is taken at the mean before the motion.

    Args:
        belief: Belief before the motion.
        f: Motion of one state, (n,) -> (n,).
        A: Derivative of the motion, (n,) -> (n, n).
        Q: Covariance of the motion's noise, shape (n, n).

    Example:
        >>> from gelenk.estimation import Belief, extended_predict
        >>> belief = Belief(mean=np.array([2.0]), covariance=np.eye(1))
        >>> f, A = lambda x: x**2, lambda x: [2.0 * x]
        >>> after = extended_predict(belief, f, A, [[0.0]])
        >>> after.mean.tolist(), after.covariance.tolist()
        ([4.0], [[16.0]])
    """
    n = belief.mean.size
    mean = as_finite("f(x)", f(belief.mean), (n,))
    return _moved(belief, mean, as_finite("A(x)", A(belief.mean), (n, n)), Q)


def kalman_update(
    belief: Belief, z: ArrayLike, H: ArrayLike, R: ArrayLike, *, gate: float = math.inf
) -> Correction:
    """Return the belief after the measurement z = H x + noise.

    Args:
        belief: Belief before the measurement.
        z: Measurement, shape (m,).
        H: Measurement matrix, shape (m, n).
        R: Covariance of the measurement's noise, shape (m, m).
        gate: Largest `nis` at which the measurement is believed, see `chi2_gate`.

    Example:
        >>> from gelenk.estimation import Belief, kalman_update
        >>> belief = Belief(mean=np.zeros(1), covariance=np.eye(1))
        >>> after = kalman_update(belief, [2.0], [[1.0]], [[1.0]]).belief
        >>> print(after.mean.round(6), after.covariance.round(6))
        [1.] [[0.5]]
    """
    z = np.atleast_1d(as_finite("z", z, ()))
    H = as_finite("H", H, (z.size, belief.mean.size))
    return _corrected(belief, z - H @ belief.mean, H, R, gate)


def extended_update(
    belief: Belief,
    z: ArrayLike,
    h: Callable[[FloatArray], ArrayLike],
    H: Callable[[FloatArray], ArrayLike],
    R: ArrayLike,
    *,
    difference: Callable[[FloatArray, FloatArray], FloatArray] = np.subtract,
    gate: float = math.inf,
) -> Correction:
    """Return the belief after the measurement z = h(x) + noise.

    Args:
        belief: Belief before the measurement.
        z: Measurement, shape (m,).
        h: The expected measurement, shape (m,).
        H: Derivative of the measurement function, shape (m, n).
        R: Covariance of the measurement's noise, shape (m, m).
        difference: Difference of two measurements; angles must be wrapped here.
        gate: Largest `nis` at which the measurement is believed, see `chi2_gate`.

    Example:
        >>> from gelenk.estimation import Belief, extended_update
        >>> belief = Belief(mean=np.array([2.0]), covariance=np.eye(1))
        >>> after = extended_update(
        ...     belief, [5.0], lambda x: x**2, lambda x: [2.0 * x], [[9.0]]
        ... ).belief
        >>> print(after.mean.round(3), after.covariance.round(3))
        [2.16] [[0.36]]
    """
    z = np.atleast_1d(as_finite("z", z, ()))
    expected = as_finite("h(x)", h(belief.mean), (z.size,))
    slope = as_finite("H(x)", H(belief.mean), (z.size, belief.mean.size))
    return _corrected(belief, difference(z, expected), slope, R, gate)


def chi2_quantile(dof: float, probability: float) -> float:
    """Return the value a chi-square variable stays below with `probability`.

    Example:
        >>> [round(chi2_quantile(m, 0.99), 2) for m in (1, 2, 3)]
        [6.63, 9.21, 11.34]
    """
    if not (dof > 0.0 and 0.0 < probability < 1.0):
        raise ConfigError(
            "a chi-square quantile needs `dof` > 0 and a probability between 0 and 1, "
            f"got {dof} and {probability}"
        )
    return float(2.0 * gammaincinv(0.5 * dof, probability))


def chi2_gate(dim: int, probability: float = 0.99) -> float:
    """Return the `nis` that good measurements of `dim` numbers stay below.

    Args:
        dim: Number of values of the measurement.
        probability: Share of good measurements that pass.

    Example:
        >>> from gelenk.estimation import chi2_gate
        >>> round(chi2_gate(2), 2)
        9.21
    """
    return chi2_quantile(dim, probability)


def chi2_band(dim: int, count: int = 1, level: float = 0.95) -> tuple[float, float]:
    """Return the band that holds the mean of `count` NEES or NIS values.

    Args:
        dim: Numbers in the state (NEES) or in the measurement (NIS).
        count: Independent values that the mean is taken of.
        level: Probability that a consistent filter is inside.

    Example:
        >>> print(*np.round(chi2_band(6, count=300), 2))
        5.61 6.4
    """
    dof = dim * count
    low = chi2_quantile(dof, 0.5 * (1.0 - level))
    high = chi2_quantile(dof, 0.5 * (1.0 + level))
    return low / count, high / count


def nees(error: ArrayLike, covariance: ArrayLike) -> FloatArray:
    """Return error^T P^-1 error, shape (...,), for errors (..., n) and P (..., n, n).

    Normalised estimation error squared: chi-square with n degrees if P is honest.

    Args:
        error: Errors of the estimate, shape (..., n).
        covariance: Covariances of the estimate, shape (..., n, n).

    Example:
        >>> from gelenk.estimation import nees
        >>> float(nees([3.0, 4.0], np.diag([9.0, 16.0])))
        2.0
    """
    e = as_finite("error", error, ())
    P = as_finite("covariance", covariance, (e.shape[-1], e.shape[-1]))
    return np.sum(e * np.linalg.solve(P, e[..., None])[..., 0], axis=-1)


def _moved(belief: Belief, mean: FloatArray, A: FloatArray, Q: ArrayLike) -> Belief:
    noise = as_finite("Q", Q, (mean.size, mean.size))
    P = A @ belief.covariance @ A.T + noise
    return Belief(mean=mean, covariance=0.5 * (P + P.T))


def _corrected(
    belief: Belief, residual: FloatArray, H: FloatArray, R: ArrayLike, gate: float
) -> Correction:
    m = residual.size
    P, R = belief.covariance, as_finite("R", R, (m, m))
    S = H @ P @ H.T + R
    try:
        factor = cho_factor(S, lower=True)
    except np.linalg.LinAlgError as error:
        raise ConfigError(
            "H P H^T + R must be positive definite; is a sensor without noise?"
        ) from error
    nis = float(residual @ cho_solve(factor, residual))
    log_det = 2.0 * float(np.sum(np.log(np.diag(factor[0]))))
    accepted = nis <= gate
    if accepted:
        K = cho_solve(factor, H @ P).T
        shrink = np.eye(belief.mean.size) - K @ H
        joseph = shrink @ P @ shrink.T + K @ R @ K.T
        belief = Belief(
            mean=belief.mean + K @ residual, covariance=0.5 * (joseph + joseph.T)
        )
    return Correction(
        belief=belief,
        accepted=accepted,
        residual=residual,
        residual_covariance=S,
        nis=nis,
        log_likelihood=-0.5 * (nis + log_det + m * math.log(2.0 * math.pi)),
    )


def reweigh_beliefs(weights: ArrayLike, likelihoods: ArrayLike) -> FloatArray:
    """Return the weights after a measurement, summing to 1.

    Args:
        weights: Weights before the evidence, shape (k,); one of them may stand for
            "none of these".
        likelihoods: Density of the measurement under each, shape (k,); for "none of
            these" the constant density of a false measurement.

    Example:
        >>> print(reweigh_beliefs([0.5, 0.3, 0.2], [0.1, 0.4, 0.05]).round(6))
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


def merge_beliefs(weights: ArrayLike, beliefs: Sequence[Belief]) -> Belief:
    """Return the normal distribution with the mean and covariance of a mixture.

    Args:
        weights: Weights of the beliefs, shape (k,), any positive scale.
        beliefs: k of them.

    Example:
        >>> from gelenk.estimation import Belief, merge_beliefs
        >>> a = Belief(mean=[0.0], covariance=[[0.1]])
        >>> b = Belief(mean=[1.0], covariance=[[0.2]])
        >>> both = merge_beliefs([0.6, 0.4], [a, b])
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
