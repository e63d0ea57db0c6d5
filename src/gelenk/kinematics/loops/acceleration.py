"""Accelerations of closed mechanisms: what closures demand of the passive joints."""

from __future__ import annotations

import numpy as np

from gelenk.kernels.tree import link_motion_many
from gelenk.kinematics.forward import tree_link_poses
from gelenk.kinematics.loops.constraint import KINDS, evaluate, loop_system
from gelenk.models.tree import RobotModel
from gelenk.typing import FloatArray


def closure_bias(
    model: RobotModel, q_tree: FloatArray, qd_tree: FloatArray
) -> FloatArray:
    """Return dA/dt qd, the closure accelerations while qdd = 0, shape (count, m).

    Args:
        model: Robot with loops.
        q_tree: Rows of closed tree coordinates, shape (count, n).
        qd_tree: Rows of velocities that keep the loops closed, shape (count, nv).
    """
    tree, num_links = model.compiled, len(model.link_names)
    twist = np.empty((len(q_tree), num_links, 6))
    acc = np.empty_like(twist)
    link_motion_many(
        tree.body, tree.topology, tree.is_floating, tree.link_body, tree.link_placement,
        q_tree, qd_tree, np.zeros_like(qd_tree), twist, acc,
    )  # fmt: skip
    poses = tree_link_poses(model, q_tree)
    out: list[FloatArray] = []
    for loop in model.loops:
        ends = [
            _frame_motion(poses[:, link], T, twist[:, link], acc[:, link])
            for link, T in zip(loop.links, loop.T_link_frame, strict=True)
        ]
        out += [_pair_bias(KINDS[loop.kind], ends[0], end) for end in ends[1:]]
    return np.concatenate(out, axis=1)


def passive_accelerations(
    model: RobotModel, q_tree: FloatArray, qd_tree: FloatArray
) -> FloatArray:
    """Return the tree accelerations that keep the loops closed while motors keep speed.

    Returns:
        Gamma-dot qd: zero for motors, -A_p^+ dA/dt qd for passive joints, (count, nv).
    """
    system = loop_system(model)
    base = 6 if model.has_floating_base else 0
    joints = q_tree[:, 7:] if base else q_tree
    _, A = evaluate(system, joints)
    bias = closure_bias(model, q_tree, qd_tree)
    out = np.zeros_like(qd_tree)
    inverse = np.linalg.pinv(A[:, :, system.passive], rcond=1e-8)
    out[:, base + system.passive] = -np.einsum("bij,bj->bi", inverse, bias)
    return out


_FrameMotion = tuple[FloatArray, FloatArray, FloatArray]


def _frame_motion(
    T: FloatArray, T_link_frame: FloatArray, twist: FloatArray, acc: FloatArray
) -> _FrameMotion:
    """Return pose, twist and acceleration of a frame fixed to a link."""
    T_frame = T @ T_link_frame
    arm = T_frame[:, :3, 3] - T[:, :3, 3]
    omega, alpha = twist[:, 3:], acc[:, 3:]
    v = twist[:, :3] + np.cross(omega, arm)
    a = acc[:, :3] + np.cross(alpha, arm) + np.cross(omega, np.cross(omega, arm))
    return T_frame, np.hstack([v, omega]), np.hstack([a, alpha])


def _pair_bias(kind: int, a: _FrameMotion, b: _FrameMotion) -> FloatArray:
    T_a, twist_a, _ = a
    d = b[0][:, :3, 3] - T_a[:, :3, 3]
    relative, bias = b[1] - twist_a, b[2] - a[2]
    if kind == KINDS["distance"]:
        length = np.linalg.norm(d, axis=1)
        along = np.einsum("bi,bi->b", d, bias[:, :3])
        rate = np.einsum("bi,bi->b", d, relative[:, :3]) / length
        speed = np.einsum("bi,bi->b", relative[:, :3], relative[:, :3])
        return ((along + speed - rate**2) / length)[:, None]
    if kind == KINDS["point"]:
        return bias[:, :3]
    if kind == KINDS["pose"]:
        return bias
    rows = [bias[:, :3]]
    for axis in (T_a[:, :3, 0], T_a[:, :3, 1]):
        turning = np.cross(twist_a[:, 3:], axis)
        rows.append(
            np.einsum("bi,bi->b", axis, bias[:, 3:])[:, None]
            + np.einsum("bi,bi->b", turning, relative[:, 3:])[:, None]
        )
    return np.hstack(rows)
