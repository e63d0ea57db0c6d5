"""Loads in every joint of a robot at rest, link by link from the ends to the base.

The recursion carries the full force and moment, not only the motor's share: it is what
bearings and welds must hold (Damken 2023 §5.2.1 at rest).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gelenk.checks import as_array
from gelenk.kinematics.coordinates import tree_coordinates
from gelenk.kinematics.forward import tree_link_poses
from gelenk.kinematics.states import require_open_tree
from gelenk.models.link import JointType
from gelenk.models.tree import RobotModel
from gelenk.spatial.vectors import cross
from gelenk.typing import ArrayLike, FloatArray


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
        gravity: In place of the model's [m/s^2], shape (3,).

    Returns:
        [f; n] on each link, base axes, about the link's origin, in the order of
        `link_names`, shape (..., num_links, 6). Row 0 is what the ground gives.

    Raises:
        ModelError: If the robot has loops.
    """
    require_open_tree(model)
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
    poses = tree_link_poses(model, tree_coordinates(model, q))
    loads = as_array("loads", loads, (len(model.link_names), 6))
    axis = np.matvec(poses[..., :3, :3], model.axis)
    turning = np.vecdot(axis, loads[..., 3:])
    sliding = np.vecdot(axis, loads[..., :3])
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
