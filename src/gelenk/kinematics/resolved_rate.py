"""Resolved-rate motion: poses followed by joint rates, past singularities and limits.

Each step asks for the twist that leads to the next pose and gets joint rates for it:
damped near singularities, climbing in manipulability with whatever joints are free,
slowed down to what the motors can do (Whitney 1969; Nakamura and Hanafusa 1986).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.kinematics.jacobian import pose_and_jacobian
from gelenk.kinematics.singularity import (
    ALL_ROWS,
    arm_length,
    generic_rank,
    manipulability_gradient,
    select_rows,
    singular_values,
    variable_damping,
)
from gelenk.kinematics.velocity import solve_velocity_with_gradient
from gelenk.models.tree import RobotModel
from gelenk.spatial import so3
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedRateCfg:
    """Settings for following poses.

    Attributes:
        dt: Time between poses [s].
        feedback: Share of a pose error that is corrected per second [1/s].
        threshold: Singular value of the scaled Jacobian below which damping begins.
        max_damping: Damping in a singularity, of the scaled Jacobian; 0 for none.
        climb: Gain of the ascent in manipulability; 0 for none.
        max_velocity: Largest speed of any joint [rad/s] or [m/s].
        rows: Rows of [v; omega] that are the task.
        length: Length that weighs rotation [m]; None: the size of the arm.
    """

    dt: float = 0.01
    feedback: float = 10.0
    threshold: float = 0.05
    max_damping: float = 0.05
    climb: float = 0.0
    max_velocity: float = np.inf
    rows: tuple[int, ...] = ALL_ROWS
    length: float | None = None

    def __post_init__(self) -> None:
        for name in ("dt", "threshold", "max_velocity"):
            if not getattr(self, name) > 0.0:
                raise ConfigError(f"`{name}` must be > 0, got {getattr(self, name)}")
        for name in ("feedback", "max_damping", "climb"):
            if not getattr(self, name) >= 0.0:
                raise ConfigError(f"`{name}` must be >= 0, got {getattr(self, name)}")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FollowedPath:
    """Motion that came of following poses.

    Attributes:
        q: Joint values after each step, the start first, shape (k + 1, nq).
        qd: Joint velocities of each step, shape (k, nv).
        error: Distance from the task after each step, scaled units, shape (k,).
        sigma_min: Smallest generic singular value before each step, shape (k,).
        factor: Share of the asked speed that the joint speeds allowed, shape (k,).
    """

    q: FloatArray
    qd: FloatArray
    error: FloatArray
    sigma_min: FloatArray
    factor: FloatArray


def follow_poses(
    model: RobotModel,
    q_start: ArrayLike,
    T_base_target: ArrayLike,
    *,
    cfg: ResolvedRateCfg | None = None,
    frame: str | None = None,
) -> FollowedPath:
    """Return the joint motion along a sequence of poses, one every `cfg.dt`.

    Args:
        model: Robot with a fixed base and no loops.
        q_start: Joint values at the start, shape (nq,).
        T_base_target: Poses to pass, shape (k, 4, 4).
        cfg: Settings of the pursuit; by default with damping.
        frame: Name of the link that follows; by default the tool.

    Raises:
        ConfigError: If the base floats.

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> way = np.linspace([0.5, 1.0], [0.6, 1.1], 50)
        >>> cfg = ResolvedRateCfg(rows=(0, 1))
        >>> found = follow_poses(arm, way[0], arm.forward(way), cfg=cfg)
        >>> bool(np.allclose(found.q[-1], way[-1], atol=1e-2))
        True
    """
    cfg = cfg or ResolvedRateCfg()
    if model.has_floating_base:
        raise ConfigError(f"robot {model.name!r} floats; fix its base to follow poses")
    targets = as_finite("T_base_target", T_base_target, (4, 4)).reshape(-1, 4, 4)
    length = arm_length(model, frame, cfg.length)
    full = generic_rank(model, frame=frame, rows=cfg.rows)
    limits = np.full(model.nv, cfg.max_velocity)
    q = as_finite("q_start", model.check_q("q_start", q_start), (model.nq,)).copy()
    qs, qds, factors = [q], list[FloatArray](), list[FloatArray]()
    sigma_min, error = np.empty(len(targets)), np.empty(len(targets))
    T, J = pose_and_jacobian(model, q, frame=frame)
    before = T
    for k, target in enumerate(targets):
        J = select_rows(J, cfg.rows, length)
        sigma_min[k] = singular_values(J)[full - 1]
        damping = variable_damping(
            sigma_min[k], threshold=cfg.threshold, max_damping=cfg.max_damping
        )
        uphill = np.zeros(model.nv)
        if cfg.climb > 0.0:
            uphill = manipulability_gradient(
                model, q, frame=frame, rows=cfg.rows, length=length
            )
        wanted = _pose_error(target, before, cfg.rows, length) / cfg.dt
        wanted += cfg.feedback * _pose_error(before, T, cfg.rows, length)
        asked = solve_velocity_with_gradient(
            J, wanted, uphill, gain=cfg.climb, damping=damping
        )
        scaled = scale_to_limits(asked.qd, limits)
        q, before = q + cfg.dt * scaled.qd, target
        T, J = pose_and_jacobian(model, q, frame=frame)
        error[k] = np.linalg.norm(_pose_error(target, T, cfg.rows, length))
        qs.append(q)
        qds.append(scaled.qd)
        factors.append(scaled.factor)
    return FollowedPath(
        q=np.array(qs),
        qd=np.array(qds),
        error=error,
        sigma_min=sigma_min,
        factor=np.array(factors),
    )


def _pose_error(
    T_target: FloatArray, T: FloatArray, rows: Sequence[int], length: float
) -> FloatArray:
    """Return the twist that leads from one pose to another in unit time, scaled."""
    turn = so3.log(T_target[:3, :3] @ T[:3, :3].T)
    twist = np.concatenate([(T_target[:3, 3] - T[:3, 3]) / length, turn])
    return twist[list(rows)]
