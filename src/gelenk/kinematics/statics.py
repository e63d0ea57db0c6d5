"""Static forces: what joints must hold, what the tool can push, how far it gives way.

By virtual work, joints that do the work of a tool wrench F carry tau = J^T F (Damken
2023 §4.6). Here F = [f; n] is what the tool exerts **on its surroundings**, in base
axes at the frame's origin; a wrench that the surroundings exert on the robot is -F.

Bearing loads come from the recursion over the links, which carries the full force and
moment and not only the motor's share: what bearings and welds must hold (§5.2.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np

from gelenk.checks import as_array
from gelenk.dynamics.rnea import inverse_dynamics
from gelenk.errors import ConfigError, ShapeError
from gelenk.kinematics.configuration import (
    require_open_tree,
    require_scalar_joints,
    tree_coordinates,
)
from gelenk.kinematics.forward import tree_link_poses
from gelenk.kinematics.jacobian import frame_jacobian
from gelenk.kinematics.velocity import RANK_TOL
from gelenk.models.link import JointType
from gelenk.models.tree import RobotModel
from gelenk.spatial.vectors import cross
from gelenk.typing import ArrayLike, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ellipsoid:
    """Velocities or forces that unit joint rates or torques produce.

    Attributes:
        directions: Unit vectors of the task space as columns, shape (..., m, k).
        semi_axes: Length along each; infinite where the structure alone carries the
            force, shape (..., k).
    """

    directions: FloatArray
    semi_axes: FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ForceLimits:
    """The forces along a direction that the joints can hold.

    Attributes:
        lowest, highest: Bounds of the signed magnitude, shape (...); infinite where no
            joint feels the direction. `lowest > highest`: the joints cannot even hold
            their own load.
        lowest_joint, highest_joint: Joint that sets each bound or -1, shape (...).
    """

    lowest: FloatArray
    highest: FloatArray
    lowest_joint: IntArray
    highest_joint: IntArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WrenchEstimate:
    """Wrench read from joint torques.

    Attributes:
        wrench: [f; n] that the tool exerts on its surroundings, base axes at the
            frame's origin, without the blind part, shape (..., 6).
        blind: Projector onto wrenches that no joint feels, shape (..., 6, 6); zero for
            a regular arm of six or more joints.
        residual: Norm of the torque that no wrench at the frame explains, shape (...).
    """

    wrench: FloatArray
    blind: FloatArray
    residual: FloatArray


def static_torques(
    model: RobotModel,
    q: ArrayLike,
    wrench: ArrayLike,
    *,
    frame: str | None = None,
    gravity: ArrayLike | None = None,
) -> FloatArray:
    """Return J^T F + G(q): what joints hold while the tool pushes and nothing moves.

    Args:
        model: Robot; with loops, the loads of its motors.
        q: Joint values [rad] or [m], shape (..., nq).
        wrench: F, exerted by the frame on its surroundings [N], [N m], shape (..., 6).
        frame: Name of a link; by default the tool.
        gravity: Gravitational acceleration [m/s^2], shape (3,); by default the
            model's, zeros to leave it out.

    Returns:
        Generalised forces [N m] or [N], shape (..., nv).

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> push = [0.0, 5.0, 0.0, 0.0, 0.0, 0.0]  # 5 N sideways
        >>> print(static_torques(arm, [0.0, 0.0], push, gravity=[0.0, 0.0, 0.0]))
        [9. 4.]
    """
    wrench = as_array("wrench", wrench, (6,))
    held = torques_from_wrench(frame_jacobian(model, q, frame=frame), wrench)
    rest = np.zeros((*np.shape(q)[:-1], model.nv))
    return held + inverse_dynamics(model, q, rest, rest, gravity=gravity)


def torques_from_wrench(J: ArrayLike, wrench: ArrayLike) -> FloatArray:
    """Return J^T F, shape (..., n).

    Args:
        J: Task Jacobian, shape (..., m, n).
        wrench: F in the same rows, shape (..., m).

    Example:
        >>> import numpy as np
        >>> from gelenk.kinematics import torques_from_wrench
        >>> J = np.array([[0.0, 0.0], [1.5, 0.5]])  # stretched: links of 1 and 0.5 m
        >>> torques_from_wrench(J, [0.0, 10.0])  # 10 N upwards
        array([15.,  5.])
    """
    J, wrench = np.asarray(J, dtype=np.float64), np.asarray(wrench, dtype=np.float64)
    if J.ndim < 2 or wrench.ndim < 1 or wrench.shape[-1] != J.shape[-2]:
        raise ShapeError(
            "wrench", expected=f"(..., {J.shape[-2]})", actual=wrench.shape
        )
    return np.vecmat(wrench, J)


def moved_wrench(wrench: ArrayLike, arm: ArrayLike) -> FloatArray:
    """Return a wrench with the same effect, its reference point shifted by -`arm`.

    A force at the contact point p_c has about the tool centre the moment
    n + (p_c - p_tool) x f.

    Args:
        wrench: Wrench [f; n] at a point [N], [N m], shape (..., 6).
        arm: Vector from the new reference point to that point [m], shape (..., 3).
    """
    wrench, arm = as_array("wrench", wrench, (6,)), as_array("arm", arm, (3,))
    moment = wrench[..., 3:] + cross(arm, wrench[..., :3])
    force = np.broadcast_to(wrench[..., :3], moment.shape)
    return np.concatenate([force, moment], axis=-1)


def velocity_ellipsoid(J: ArrayLike) -> Ellipsoid:
    """Return the task velocities of joint rates of unit norm.

    Args:
        J: Task Jacobian, shape (..., m, n).
    """
    U, sigma, _ = np.linalg.svd(np.asarray(J, dtype=np.float64), full_matrices=False)
    return Ellipsoid(directions=U, semi_axes=sigma)


def force_ellipsoid(J: ArrayLike) -> Ellipsoid:
    """Return the task forces that joint torques of unit norm hold: |J^T F| <= 1.

    Its axes are those of the velocity ellipsoid, its semi-axes their inverses: where
    the tool moves fast it is weak.

    Args:
        J: Task Jacobian, shape (..., m, n).
    """
    moving = velocity_ellipsoid(J)
    sigma = moving.semi_axes
    held = sigma > RANK_TOL * sigma[..., :1]
    inverse = np.where(held, 1.0 / np.where(held, sigma, 1.0), np.inf)
    return Ellipsoid(directions=moving.directions, semi_axes=inverse)


def force_limits(
    J: ArrayLike,
    direction: ArrayLike,
    *,
    max_torque: ArrayLike,
    torque_offset: ArrayLike = 0.0,
) -> ForceLimits:
    """Return how hard the tool can push along a direction.

    Each joint i allows the interval between (-max_i - offset_i)/a_i and
    (max_i - offset_i)/a_i with a = J^T u; the tool has what all allow.

    Args:
        J: Task Jacobian, shape (..., m, n).
        direction: u in the task rows, any length but 0, shape (..., m).
        max_torque: Largest magnitude each joint can give, shape (n,).
        torque_offset: Torque held already, as for gravity [N m], [N], shape (..., n).
    """
    u = np.asarray(direction, dtype=np.float64)
    size = np.linalg.norm(u, axis=-1, keepdims=True)
    if not (size > 0.0).all():
        raise ConfigError("`direction` must have a length, got zero")
    a = torques_from_wrench(J, u / size)
    limit = np.broadcast_to(np.asarray(max_torque, dtype=np.float64), a.shape)
    offset = np.broadcast_to(np.asarray(torque_offset, dtype=np.float64), a.shape)
    felt = np.abs(a) > RANK_TOL * np.linalg.norm(a, axis=-1, keepdims=True)
    slope = np.where(felt, a, 1.0)
    ends = np.stack([(-limit - offset) / slope, (limit - offset) / slope])
    low = np.where(felt, ends.min(axis=0), -np.inf)
    high = np.where(felt, ends.max(axis=0), np.inf)
    # A joint that feels no force along u must still hold its own load.
    overloaded = (~felt & (np.abs(offset) > limit)).any(axis=-1)
    lowest, highest = low.max(axis=-1), high.min(axis=-1)
    return ForceLimits(
        lowest=np.where(overloaded, np.inf, lowest),
        highest=np.where(overloaded, -np.inf, highest),
        lowest_joint=np.where(np.isfinite(lowest), low.argmax(axis=-1), -1),
        highest_joint=np.where(np.isfinite(highest), high.argmin(axis=-1), -1),
    )


def estimate_wrench(
    model: RobotModel,
    q: ArrayLike,
    tau: ArrayLike,
    *,
    qd: ArrayLike | None = None,
    qdd: ArrayLike | None = None,
    friction: ArrayLike = 0.0,
    frame: str | None = None,
) -> WrenchEstimate:
    """Return the wrench at a frame that explains measured joint torques.

    F = (J^T)^+ (tau - M qdd - C - G - friction), of least norm among the best.

    Args:
        model: Robot.
        q: Joint values [rad] or [m], shape (..., nq).
        tau: Measured generalised forces [N m] or [N], shape (..., nv).
        qd: Joint velocities, by default 0, shape (..., nv).
        qdd: Joint accelerations, by default 0, shape (..., nv).
        friction: Friction torques that oppose the motion, shape (..., nv).
        frame: Name of a link; by default the tool.
    """
    rest = np.zeros((*np.shape(q)[:-1], model.nv))
    qd, qdd = rest if qd is None else qd, rest if qdd is None else qdd
    own = inverse_dynamics(model, q, qd, qdd)
    excess = model.check_v("tau", tau) - own - np.asarray(friction, dtype=np.float64)
    J_t = frame_jacobian(model, q, frame=frame).swapaxes(-1, -2)
    inverse = np.linalg.pinv(J_t, rcond=RANK_TOL)
    wrench = np.matvec(inverse, excess)
    left = excess - np.matvec(J_t, wrench)
    return WrenchEstimate(
        wrench=wrench,
        blind=np.eye(6) - inverse @ J_t,
        residual=np.linalg.norm(left, axis=-1),
    )


def cartesian_compliance(J: ArrayLike, joint_stiffness: ArrayLike) -> FloatArray:
    """Return C = J K_q^-1 J^T: the tool gives way by C F to a force F on it.

    For an arm that carries no load.

    Args:
        J: Task Jacobian, shape (..., m, n).
        joint_stiffness: Stiffness of each joint [N m/rad] or [N/m], > 0, shape
            (..., n).
    """
    J = np.asarray(J, dtype=np.float64)
    K_q = np.asarray(joint_stiffness, dtype=np.float64)
    if not (K_q > 0.0).all():
        raise ConfigError(f"`joint_stiffness` must be > 0, got {K_q.tolist()}")
    return J / K_q[..., None, :] @ J.swapaxes(-1, -2)


def cartesian_stiffness(J: ArrayLike, joint_stiffness: ArrayLike) -> FloatArray:
    """Return K_x = (J K_q^-1 J^T)^-1, shape (..., m, m).

    Args:
        J: Task Jacobian of full row rank, shape (..., m, n).
        joint_stiffness: Stiffness of each joint [N m/rad] or [N/m], > 0, shape
            (..., n).

    Raises:
        ConfigError: If some task direction is rigid, as all beyond the number of
            joints are.

    Example:
        >>> import numpy as np
        >>> from gelenk.kinematics import cartesian_stiffness
        >>> J = np.array([[-0.5, -0.5], [1.0, 0.0]])  # elbow at a right angle
        >>> cartesian_stiffness(J, [1000.0, 500.0]).round(3)
        array([[2000., 1000.],
               [1000., 1500.]])
    """
    C = cartesian_compliance(J, joint_stiffness)
    sigma = np.linalg.svd(C, compute_uv=False)
    if (sigma[..., -1] <= RANK_TOL * sigma[..., 0]).any():
        raise ConfigError(
            "the joints do not move every task row, so some direction is infinitely "
            "stiff; choose fewer rows or use `cartesian_compliance`"
        )
    return np.asarray(np.linalg.inv(C), dtype=np.float64)


def bearing_loads(
    model: RobotModel,
    q: ArrayLike,
    *,
    wrenches: Mapping[str, ArrayLike] | None = None,
    gravity: ArrayLike | None = None,
) -> FloatArray:
    """Return what each link gets from its parent through their joint, at rest.

    Args:
        model: Robot without loops.
        q: Joint values [rad] or [m], shape (..., nq).
        wrenches: External wrenches [f; n] acting **on** links, by name, base axes at
            the link origin, shape (..., 6) each.
        gravity: Gravitational acceleration [m/s^2], shape (3,); by default the
            model's.

    Returns:
        [f; n] on each link, base axes, about the link's origin, in the order of
        `link_names`, shape (..., num_links, 6). Row 0 is what the ground gives.

    Raises:
        ModelError: If the robot has loops.
    """
    require_open_tree(model)
    require_scalar_joints(model)
    q_tree = tree_coordinates(model, q)
    return tree_bearing_loads(model, q_tree, wrenches=wrenches, gravity=gravity)


def tree_bearing_loads(
    model: RobotModel,
    q_tree: FloatArray,
    *,
    wrenches: Mapping[str, ArrayLike] | None = None,
    gravity: ArrayLike | None = None,
) -> FloatArray:
    """Return what `bearing_loads` returns, for the cut tree of a robot with loops.

    The forces of the closures must be among the `wrenches`.
    """
    g = model.gravity if gravity is None else as_array("gravity", gravity, (3,))
    poses = tree_link_poses(model, q_tree)
    p_base_link = poses[..., :3, 3]
    arm = np.matvec(poses[..., :3, :3], model.com)  # to each centre of mass
    force = np.broadcast_to(-model.mass[:, None] * g, arm.shape).copy()
    moment = cross(arm, force)
    for name, value in (wrenches or {}).items():
        k = model.link_id(name)
        wrench = as_array(f"wrenches[{name!r}]", value, (6,))
        force[..., k, :] -= wrench[..., :3]
        moment[..., k, :] -= wrench[..., 3:]
    for k in range(len(model.link_names) - 1, 0, -1):
        parent = int(model.parent[k])
        lever = p_base_link[..., k, :] - p_base_link[..., parent, :]
        force[..., parent, :] += force[..., k, :]
        moment[..., parent, :] += moment[..., k, :] + cross(lever, force[..., k, :])
    return np.concatenate([force, moment], axis=-1)


def motor_share(model: RobotModel, q: ArrayLike, loads: ArrayLike) -> FloatArray:
    """Return the part of bearing loads along the joint axes: what the motors give.

    Args:
        model: Robot without loops.
        q: Joint values [rad] or [m], shape (..., nq).
        loads: Result of `bearing_loads`, shape (..., num_links, 6).

    Returns:
        Torques [N m] or forces [N], shape (..., nv); of a floating base, its wrench.
    """
    require_open_tree(model)
    require_scalar_joints(model)
    poses = tree_link_poses(model, tree_coordinates(model, q))
    loads = as_array("loads", loads, (len(model.link_names), 6))
    axis: FloatArray = np.matvec(poses[..., :3, :3], model.axis)
    turning = cast("FloatArray", np.vecdot(axis, loads[..., 3:]))
    sliding = cast("FloatArray", np.vecdot(axis, loads[..., :3]))
    along = np.where(model.joint_type == JointType.REVOLUTE, turning, sliding)
    out = np.zeros((*along.shape[:-1], model.nv))
    first = 6 if model.has_floating_base else 0
    out[..., :first] = loads[..., 0, :first]
    coordinate = {int(k): c for c, k in enumerate(model.joint_ids)}
    for k, kind in enumerate(model.joint_type):
        if kind in (JointType.REVOLUTE, JointType.PRISMATIC):
            followed = k if model.mimic[k] < 0 else int(model.mimic[k])
            out[..., first + coordinate[followed]] += (
                model.multiplier[k] * along[..., k]
            )
    return out
