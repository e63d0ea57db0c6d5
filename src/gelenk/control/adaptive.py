"""Adaptive control after Slotine and Li: masses are learned while the arm moves.

s = ė + Λ e, q̇_r = q̇_d + Λ e, τ = Y(q, q̇, q̇_r, q̈_r) π̂ + K_D s, dπ̂/dt = Γ Yᵀ s. The
energy-like ½ sᵀ M s + ½ π̃ᵀ Γ⁻¹ π̃ then falls by sᵀ K_D s: the error dies out, whether or
not π̂ becomes true (that takes a motion that excites every parameter).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.dynamics.regressor import regressor
from gelenk.errors import ConfigError
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AdaptiveCfg:
    """Gains of adaptive control.

    Attributes:
        rate: Λ [1/s], how fast the error follows s.
        damping: K_D [N m s/rad], a number or (n,).
        learning: Γ of each parameter, a number or (p,); 0 keeps a parameter.
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
        state: (q, q̇), each (..., n).
        reference: (q̇_r, q̈_r), each (..., n).
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
        desired: (q_d, q̇_d, q̈_d), each (n,).
        parameters: π̂, ten per link, shape (p,).

    Returns:
        τ, shape (n,), and dπ̂/dt, shape (p,).

    Example:
        >>> import gelenk
        >>> from gelenk.dynamics.regressor import inertial_parameters
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
