"""Batches of states in the form the dynamics kernels read."""

from __future__ import annotations

from typing import Any

import numpy as np

from gelenk.checks import as_array, as_kernel_array
from gelenk.kinematics.forward import tree_link_poses
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray

NO_WRENCH = np.empty((0, 6))


def kernel_constants(model: RobotModel) -> tuple[Any, Any, Any, Any, Any]:
    """Return body, topology, base, floating flag and gravity as kernels take them."""
    try:
        return model._cache["kernel_constants"]
    except KeyError:
        tree = model.compiled
        constants = (
            tree.body,
            tree.topology,
            tree.base.reshape(1, -1),
            tree.is_floating,
            tree.gravity.reshape(1, 3),
        )
        return model._cached("kernel_constants", lambda: constants)


def as_single_state(model: RobotModel, *arrays: ArrayLike) -> list[FloatArray] | None:
    """Return q and velocities of one state as contiguous rows; None if it is a batch.

    The short way for control loops, which ask for one state at a time. Wrong shapes are
    left to `as_states`, which says what is wrong.
    """
    out: list[FloatArray] = []
    size = model.nq
    for array in arrays:
        row = as_kernel_array(array)
        if np.ndim(array) != 1 or row.shape[0] != size:
            return None
        out.append(row)
        size = model.nv
    return out


def external_wrenches(
    model: RobotModel,
    batch: tuple[int, ...],
    q_tree: FloatArray,
    wrenches: dict[str, ArrayLike],
) -> FloatArray:
    """Return wrenches on links as [f; n] on each body about its origin.

    Args:
        model: Robot.
        batch: Batch shape of the wrenches.
        q_tree: Tree coordinates, shape (count, n).
        wrenches: [f; n] in world axes at the link origin, by link name, (..., 6) each.

    Returns:
        Shape (count, num_bodies + 1, 6), row 0 the base.
    """
    tree = model.compiled
    poses = tree_link_poses(model, q_tree)
    out = np.zeros((len(q_tree), tree.num_bodies + 1, 6))
    for name, value in wrenches.items():
        link = model.link_id(name)
        given = as_array(f"wrenches[{name!r}]", value, (6,))
        wrench = np.broadcast_to(given, (*batch, 6)).reshape(-1, 6)
        # From the link origin to the origin of the body that carries the link.
        arm = np.einsum(
            "nij,j->ni",
            poses[:, link, :3, :3] @ tree.link_placement[link, :9].reshape(3, 3).T,
            tree.link_placement[link, 9:],
        )
        row = tree.link_body[link] + 1
        out[:, row, :3] += wrench[:, :3]
        out[:, row, 3:] += wrench[:, 3:] + np.cross(arm, wrench[:, :3])
    return out
