"""A tree of links as in a textbook: matrix products, Rodrigues, kinetic energy.

Reads the arrays of a `RobotModel` and shares no code with the kernels of the package;
slow, plain, an oracle for them.
"""

from __future__ import annotations

import numpy as np

from gelenk.models.link import JointType
from gelenk.models.tree import RobotModel, link_chain
from gelenk.typing import ArrayLike


def motion(kind: int, axis: np.ndarray, value: float) -> np.ndarray:
    T = np.eye(4)
    if kind == JointType.REVOLUTE:
        x, y, z = axis
        K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        T[:3, :3] += np.sin(value) * K + (1.0 - np.cos(value)) * K @ K
    elif kind == JointType.PRISMATIC:
        T[:3, 3] = value * axis
    return T


def link_poses(model: RobotModel, values: np.ndarray) -> np.ndarray:
    """Poses of all links for one joint value per link; mimics follow."""
    T = np.tile(np.eye(4), (len(values), 1, 1))
    for i in range(1, len(values)):
        k = model.mimic[i]
        value = (
            values[i] if k < 0 else model.multiplier[i] * values[k] + model.offset[i]
        )
        T[i] = T[model.parent[i]] @ model.T_parent_joint[i]
        T[i] = T[i] @ motion(model.joint_type[i], model.axis[i], value)
    return T


def values_at(model: RobotModel, q: ArrayLike) -> np.ndarray:
    values = model.home.copy()
    values[model.joint_ids] = q
    return values


def tool_pose(model: RobotModel, q: ArrayLike) -> np.ndarray:
    return link_poses(model, values_at(model, q))[model.link_id()]


def mass_matrix_and_gravity(
    model: RobotModel, values: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """M = sum of m Jv'Jv + Jw' R I R' Jw, and the torque that holds the weight."""
    T = link_poses(model, values)
    coord = {int(k): c for c, k in enumerate(model.tree_joint_ids)}
    M, g = np.zeros((len(coord), len(coord))), np.zeros(len(coord))
    for i in range(len(values)):
        centre = (T[i] @ [*model.com[i], 1.0])[:3]
        Jv, Jw = np.zeros((3, len(coord))), np.zeros((3, len(coord)))
        for k in link_chain(model, i):
            source = int(model.mimic[k]) if model.mimic[k] >= 0 else k
            axis = model.multiplier[k] * T[k, :3, :3] @ model.axis[k]
            if model.joint_type[k] == JointType.REVOLUTE:
                Jv[:, coord[source]] += np.cross(axis, centre - T[k, :3, 3])
                Jw[:, coord[source]] += axis
            elif model.joint_type[k] == JointType.PRISMATIC:
                Jv[:, coord[source]] += axis
        inertia = T[i, :3, :3] @ model.inertia[i] @ T[i, :3, :3].T
        M += model.mass[i] * Jv.T @ Jv + Jw.T @ inertia @ Jw
        g -= model.mass[i] * Jv.T @ model.gravity
    return M, g
