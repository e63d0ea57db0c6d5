"""Forward kinematics: poses of frames, and how all links move.

The angular velocity of a link is that of its parent plus its own joint's, each in world
axes (Damken 2023 §4.2.1); the same recursion gives the accelerations.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.checks import as_kernel_array
from gelenk.kernels.batch import in_pieces
from gelenk.kernels.chain import pose_many, pose_one
from gelenk.kernels.tree import link_motion_many, link_poses_many
from gelenk.kinematics.chain import frame_chain
from gelenk.kinematics.configuration import open_tree_rows, tree_coordinates
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray


def frame_pose(
    model: RobotModel, q: ArrayLike, *, frame: str | None = None
) -> FloatArray:
    """Return the pose of a frame in the base (with a floating base: in the world).

    Args:
        model: Robot. If it has loops, they are closed first.
        q: Joint values [rad] or [m], shape (..., nq).
        frame: Name of a link; by default the tool.

    Returns:
        `T_base_frame`, shape (..., 4, 4).

    Raises:
        ShapeError: If the last axis of `q` does not fit the robot.
        NameNotFoundError: If there is no such frame.

    Example:
        Stretched along x, the planar two-link arm reaches 1.0 m + 0.8 m.

        >>> import gelenk
        >>> gelenk.load("planar2r").forward([0.0, 0.0])[:3, 3].tolist()
        [1.8, 0.0, 0.0]
    """
    chain = frame_chain(model, frame)
    q = tree_coordinates(model, q)
    if q.ndim == 1:
        T = np.empty((4, 4))
        pose_one(chain, q, T)
        return T
    rows = q.reshape(math.prod(q.shape[:-1]), q.shape[-1])
    out = np.empty((len(rows), 4, 4))
    in_pieces(len(rows), lambda part: pose_many(chain, rows[part], out[part]))
    return out.reshape(*q.shape[:-1], 4, 4)


def link_poses(model: RobotModel, q: ArrayLike) -> FloatArray:
    """Return the poses of all links in the base, in the order of `link_names`.

    Args:
        model: Robot. If it has loops, they are closed first.
        q: Joint values [rad] or [m], shape (..., nq).

    Returns:
        `Ts_base_link`, shape (..., num_links, 4, 4).

    Raises:
        ShapeError: If the last axis of `q` does not fit the robot.

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> print(link_poses(arm, [0.0, 0.0])[:, 0, 3])  # x of all links [m]
        [0.  0.  1.  1.  1.8]
    """
    return tree_link_poses(model, tree_coordinates(model, q))


def tree_link_poses(model: RobotModel, q_tree: FloatArray) -> FloatArray:
    """Return what `link_poses` returns, for the coordinates of the cut tree."""
    tree = model.compiled
    count = math.prod(q_tree.shape[:-1])  # -1 in reshape fails without joints
    rows = as_kernel_array(q_tree).reshape(count, q_tree.shape[-1])
    out = np.empty((count, len(model.link_names), 4, 4))

    def work(part: slice) -> None:
        link_poses_many(
            tree.body,
            tree.topology,
            tree.is_floating,
            tree.link_body,
            tree.link_placement,
            rows[part],
            np.empty((tree.num_bodies + 1, 12)),
            out[part],
        )

    in_pieces(len(rows), work)
    return out.reshape(*q_tree.shape[:-1], len(model.link_names), 4, 4)


def link_twists(model: RobotModel, q: ArrayLike, qd: ArrayLike) -> FloatArray:
    """Return the twists of all links, in the order of `link_names`.

    Args:
        model: Robot without loops.
        q: Joint values [rad] or [m], shape (..., nq).
        qd: Joint velocities, shape (..., nv).

    Returns:
        [v; omega] of each link's origin in base axes [m/s], [rad/s], shape
        (..., num_links, 6).

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> link_twists(arm, [0.0, 0.0], [1.0, 2.0])[-1, 5]  # turn rates add up [rad/s]
        np.float64(3.0)
    """
    return link_motion(model, q, qd, np.zeros(model.nv))[0]


def link_motion(
    model: RobotModel, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Return twists and accelerations of all links, in the order of `link_names`.

    Args:
        model: Robot without loops.
        q: Joint values [rad] or [m], shape (..., nq).
        qd: Joint velocities, shape (..., nv).
        qdd: Joint accelerations, shape (..., nv).

    Returns:
        [v; omega] and [dv/dt; domega/dt] of each link's origin in base axes, without
        gravity, shape (..., num_links, 6) each.

    Raises:
        ShapeError: If an argument does not fit the robot.
        ModelError: If the robot has loops.
    """
    batch, rows, (qd_rows, qdd_rows) = open_tree_rows(model, q, qd=qd, qdd=qdd)
    tree, num_links = model.compiled, len(model.link_names)
    twist = np.empty((len(rows), num_links, 6))
    acc = np.empty_like(twist)

    def work(part: slice) -> None:
        link_motion_many(
            tree.body, tree.topology, tree.is_floating, tree.link_body,
            tree.link_placement, rows[part], qd_rows[part], qdd_rows[part],
            twist[part], acc[part],
        )  # fmt: skip

    in_pieces(len(rows), work)
    shape = (*batch, num_links, 6)
    return twist.reshape(shape), acc.reshape(shape)
