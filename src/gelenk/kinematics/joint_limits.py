"""Joint limits in motion: staying away from end stops, keeping within speeds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, BoolArray, FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ScaledVelocity:
    """Joint rates slowed down until all of them are allowed.

    Attributes:
        qd: Scaled joint velocities, same direction, shape (..., n).
        factor: Share of the wanted speed that is left, in [0, 1], shape (...).
        active: Joints that move at their limit, shape (..., n).
    """

    qd: FloatArray
    factor: FloatArray
    active: BoolArray


def limit_distance_gradient(model: RobotModel, q: ArrayLike) -> FloatArray:
    """Return the gradient of the criterion that keeps joints away from their limits.

    H = -1/(2n) sum ((q - middle) / (upper - lower))^2; joints without limits count
    nothing.

    Args:
        model: Robot; a floating base has no limits.
        q: Joint values [rad] or [m], shape (..., nq).

    Returns:
        dH/dq, shape (..., nv).
    """
    q = model.check_q("q", q)
    lower, upper = model.limits
    bounded = np.isfinite(lower) & np.isfinite(upper) & (upper > lower)
    lower, upper = np.where(bounded, lower, -0.5), np.where(bounded, upper, 0.5)
    span, middle = upper - lower, 0.5 * (upper + lower)
    values = q[..., -len(lower) :] if len(lower) else q[..., :0]
    pull = np.where(bounded, (middle - values) / span**2, 0.0) / max(len(lower), 1)
    base = np.zeros((*q.shape[:-1], model.nv - model.num_joints))
    return np.concatenate([base, pull], axis=-1)


def scale_to_limits(qd: ArrayLike, max_velocity: ArrayLike) -> ScaledVelocity:
    """Return joint rates slowed down as a whole, so that none exceeds its limit.

    The tool keeps its direction and only moves slower.

    Args:
        qd: Joint velocities, shape (..., n).
        max_velocity: Largest speed of each joint, may be infinite, shape (n,).
    """
    qd = np.asarray(qd, dtype=np.float64)
    limit = np.asarray(max_velocity, dtype=np.float64)
    if not (limit > 0.0).all():
        raise ConfigError(f"`max_velocity` must be > 0, got {limit.tolist()}")
    load = np.abs(qd) / limit
    worst = load.max(axis=-1, initial=0.0)
    factor = 1.0 / np.maximum(worst, 1.0)
    active = (load >= worst[..., None] * (1.0 - 1e-12)) & (worst[..., None] >= 1.0)
    return ScaledVelocity(qd=qd * factor[..., None], factor=factor, active=active)
