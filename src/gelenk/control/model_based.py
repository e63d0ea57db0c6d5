"""Model-based joint control: computed torque, adaptation, learned residuals.

Computed torque makes an arm n separate unit masses: τ = M(q) τ̂ + C + G + F with
τ̂ = q̈_d + K_v ė + K_p e gives ë + K_v ė + K_p e = 0 for every joint (Damken 2023
§8.2.2). Adaptive control (Slotine and Li) learns the masses while the arm moves: with
s = ė + Λ e it sets τ = Y(q, q̇, q̇_r, q̈_r) π̂ + K_D s and dπ̂/dt = Γ Yᵀ s. A Gaussian
process learns from samples what the model gets wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_solve, cholesky

from gelenk.control.pd import tracking_servo
from gelenk.dynamics.equation_terms import regressor
from gelenk.dynamics.rnea import inverse_dynamics
from gelenk.errors import ConfigError, ShapeError
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray


def computed_torque(
    model: RobotModel,
    state: tuple[ArrayLike, ArrayLike],
    desired: tuple[ArrayLike, ArrayLike, ArrayLike],
    *,
    kp: ArrayLike,
    kv: ArrayLike | None = None,
    friction: ArrayLike = 0.0,
) -> FloatArray:
    """Return the torques of inverse-dynamics control [N m] or [N].

    Args:
        model: Robot, fixed base.
        state: Measured (q, q̇), each (..., n).
        desired: Desired motion (q_d, q̇_d, q̈_d), each (..., n).
        kp: Proportional gain K_p [1/s²], a number or (n,).
        kv: Derivative gain K_v [1/s]; by default critical, 2 √K_p.
        friction: Torque F that friction takes at this state [N m], shape (..., n).

    Returns:
        Array of shape (..., n).

    Example:
        >>> import numpy as np
        >>> from gelenk.control import computed_torque
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> tau = computed_torque(
        ...     arm,
        ...     (np.deg2rad([30, 45]), [0.5, -0.3]),
        ...     ([0.6, 0.7], [0.4, -0.2], [1.0, 2.0]),
        ...     kp=100.0,
        ... )
        >>> print(tau.round(6))
        [65.633213 10.909574]
    """
    q, qd = (np.asarray(value, np.float64) for value in state)
    q_d, qd_d, qdd_d = (np.asarray(value, np.float64) for value in desired)
    servo = tracking_servo(q_d - q, qd_d - qd, kp=kp, kv=kv, acceleration=qdd_d)
    return inverse_dynamics(model, q, qd, servo) + np.asarray(friction, np.float64)


def feedforward_torque(
    model: RobotModel,
    state: tuple[ArrayLike, ArrayLike],
    desired: tuple[ArrayLike, ArrayLike, ArrayLike],
    *,
    kp: ArrayLike,
    kv: ArrayLike,
) -> FloatArray:
    """Return torques of the wanted motion plus PD: NE(q_d, q̇_d, q̈_d) + K_v ė + K_p e.

    The dynamics can be computed beforehand; the errors of the joints stay coupled.

    Args:
        model: Robot, fixed base.
        state: Measured (q, q̇), each (..., n).
        desired: Desired motion (q_d, q̇_d, q̈_d), each (..., n).
        kp: Proportional gain K_p [N m/rad], a number or (n,).
        kv: Derivative gain K_v [N m s/rad], a number or (n,).

    Returns:
        Array of shape (..., n).

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> still = ([0.3, 0.4], [0.0, 0.0])
        >>> tau = feedforward_torque(arm, still, (*still, [0.0, 0.0]), kp=9.0, kv=3.0)
        >>> bool(np.allclose(tau, arm.inverse_dynamics(*still, [0.0, 0.0])))
        True
    """
    q, qd = (np.asarray(value, np.float64) for value in state)
    q_d, qd_d, qdd_d = (np.asarray(value, np.float64) for value in desired)
    feedback = np.asarray(kp) * (q_d - q) + np.asarray(kv) * (qd_d - qd)
    return inverse_dynamics(model, q_d, qd_d, qdd_d) + feedback


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AdaptiveCfg:
    """Gains of adaptive control.

    Attributes:
        rate: Rate Λ at which the error follows s [1/s].
        damping: Damping K_D [N m s/rad], a number or (n,).
        learning: Learning rate Γ of each parameter, a number or (p,); 0 keeps a
            parameter.
        links: Names of the links whose ten parameters each are π, by default all.
    """

    rate: float
    damping: ArrayLike
    learning: ArrayLike
    links: Sequence[str] | None = None

    def __post_init__(self) -> None:
        if not (self.rate > 0.0 and np.all(np.asarray(self.damping) > 0.0)):
            raise ConfigError(
                f"`rate` and `damping` must be > 0, got {self.rate}, {self.damping}"
            )
        if np.any(np.asarray(self.learning) < 0.0):
            raise ConfigError("`learning` must not be negative")


def reference_regressor(
    model: RobotModel,
    state: tuple[ArrayLike, ArrayLike],
    reference: tuple[ArrayLike, ArrayLike],
    *,
    links: Sequence[str] | None = None,
) -> FloatArray:
    """Return Y with Y π = M q̈_r + C(q, q̇) q̇_r + G, shape (..., n, 10 k).

    C is the Christoffel matrix, which the torque of Newton-Euler hides; its action on a
    second velocity is C(q, q̇) w = ½ (c(q̇ + w) - c(q̇) - c(w)).

    Args:
        model: Robot without loops.
        state: Measured state (q, q̇), each (..., n).
        reference: Reference motion (q̇_r, q̈_r), each (..., n).
        links: Names of the links that π holds, by default all.

    Example:
        With q̇_r = q̇ it is the plain regressor.

        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> q, qd, qdd = [0.3, 0.4], [0.5, -0.2], [1.0, 2.0]
        >>> Y = reference_regressor(arm, (q, qd), (qd, qdd))
        >>> bool(np.allclose(Y, regressor(arm, q, qd, qdd)))
        True
    """
    q, qd = (np.asarray(value, np.float64) for value in state)
    qd_r, qdd_r = (np.asarray(value, np.float64) for value in reference)
    rest = np.zeros_like(qd)

    def quadratic(v: FloatArray) -> FloatArray:
        return regressor(model, q, v, rest, links=links, gravity=np.zeros(3))

    mixed = 0.5 * (quadratic(qd + qd_r) - quadratic(qd) - quadratic(qd_r))
    return regressor(model, q, rest, qdd_r, links=links) + mixed


def adaptive_torque(
    model: RobotModel,
    cfg: AdaptiveCfg,
    state: tuple[ArrayLike, ArrayLike],
    desired: tuple[ArrayLike, ArrayLike, ArrayLike],
    parameters: ArrayLike,
) -> tuple[FloatArray, FloatArray]:
    """Return torques and the rate at which the parameters should change.

    Args:
        model: Robot whose geometry is right; its masses are not used.
        cfg: Gains.
        state: Measured (q, q̇), each (n,).
        desired: Desired motion (q_d, q̇_d, q̈_d), each (n,).
        parameters: Estimated parameters π̂, ten per link, shape (p,).

    Returns:
        Torques τ, shape (n,), and rates dπ̂/dt, shape (p,).

    Example:
        >>> import gelenk
        >>> from gelenk.dynamics.equation_terms import inertial_parameters
        >>> arm = gelenk.load("planar2r")
        >>> q, qd, qdd = [0.3, 0.4], [0.5, -0.2], [1.0, 2.0]
        >>> cfg = AdaptiveCfg(rate=5.0, damping=10.0, learning=1.0)
        >>> tau, rate = adaptive_torque(
        ...     arm, cfg, (q, qd), (q, qd, qdd), inertial_parameters(arm)
        ... )
        >>> bool(np.allclose(tau, arm.inverse_dynamics(q, qd, qdd))), rate.any()
        (True, np.False_)
    """
    q, qd = (np.asarray(value, np.float64) for value in state)
    q_d, qd_d, qdd_d = (np.asarray(value, np.float64) for value in desired)
    error, error_rate = q_d - q, qd_d - qd
    s = error_rate + cfg.rate * error
    reference = (qd_d + cfg.rate * error, qdd_d + cfg.rate * error_rate)
    Y = reference_regressor(model, (q, qd), reference, links=cfg.links)
    tau = Y @ np.asarray(parameters, np.float64) + np.asarray(cfg.damping) * s
    return tau, np.asarray(cfg.learning) * (Y.T @ s)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GaussianProcess:
    """Gaussian process fitted to samples of a function.

    Attributes:
        X: Sample points, shape (k, d).
        weights: Weights (K + σ_n² E)⁻¹ y, shape (k,) or (k, m).
        factor: Lower Cholesky factor of K + σ_n² E, shape (k, k).
        length: Length scale ℓ, in units of X, a number or (d,).
        sigma: Standard deviation σ_f of the function, in units of y.
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
        X: Sample points, shape (k, d), or (k,) for one dimension.
        y: Sampled values, shape (k,) or (k, m).
        length: ℓ > 0, distance over which values are related, a number or (d,).
        sigma: Standard deviation σ_f > 0 of the function.
        noise: Standard deviation σ_n > 0 of the samples' noise.

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
