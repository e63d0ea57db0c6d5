"""Partitioned control: a model part that cancels the plant, a servo part for the rest.

A plant m ẍ + h(x, ẋ) = f becomes ẍ = f̂ under f = α f̂ + β with α = m, β = h(x, ẋ):
whatever h is. The servo then meets a unit mass (Damken 2023 §8.1.4, §8.1.5).
"""

from __future__ import annotations

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray


def partitioned_force(
    alpha: ArrayLike, beta: ArrayLike, servo: ArrayLike
) -> FloatArray:
    """Return f = α f̂ + β.

    Args:
        alpha: Mass [kg], shape (...), or mass matrix (..., n, n).
        beta: Forces that are cancelled [N], shape (...) or (..., n).
        servo: f̂, the acceleration asked for [m/s²], shape of `beta`.

    Example:
        m ẍ + k x² = f with m = 2, k = 3, at x = 0.5: cancel k x², ask for 1 m/s².

        >>> print(partitioned_force(2.0, 3.0 * 0.5**2, 1.0))
        2.75
    """
    alpha, beta = np.asarray(alpha, np.float64), np.asarray(beta, np.float64)
    servo = np.asarray(servo, np.float64)
    if alpha.ndim >= 2:
        return np.matvec(alpha, servo) + beta
    return alpha * servo + beta


def tracking_servo(
    error: ArrayLike,
    error_rate: ArrayLike,
    *,
    kp: ArrayLike,
    kv: ArrayLike | None = None,
    acceleration: ArrayLike = 0.0,
) -> FloatArray:
    """Return f̂ = ẍ_d + k_v ė + k_p e, so that ë + k_v ė + k_p e = 0 on a unit mass.

    Args:
        error: e = x_d - x [m], shape (...).
        error_rate: ė [m/s].
        kp: [1/s²], > 0.
        kv: [1/s]; by default critical, 2 √k_p.
        acceleration: ẍ_d [m/s²]; without it a moving reference is followed late.

    Example:
        >>> print(tracking_servo(0.1, 0.0, kp=25.0, acceleration=1.0))
        3.5
    """
    kp = np.asarray(kp, np.float64)
    if not np.all(kp > 0.0):
        raise ConfigError(f"`kp` must be > 0, got {kp.tolist()}")
    kv = 2.0 * np.sqrt(kp) if kv is None else np.asarray(kv, np.float64)
    feedback = kp * np.asarray(error, np.float64) + kv * np.asarray(error_rate)
    return np.asarray(acceleration, np.float64) + feedback
