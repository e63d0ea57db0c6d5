"""Jacobians: how frame velocities follow from joint velocities.

All Jacobians here are geometric, [v; omega] in base axes with the reference point in
the frame's origin, unless a name says otherwise.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.kernels.batch import in_pieces
from gelenk.kernels.chain import pose_jacobian_many, pose_jacobian_one
from gelenk.kinematics.chain import frame_chain
from gelenk.kinematics.coordinates import tree_coordinates
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray


def pose_and_jacobian(
    model: RobotModel, q: ArrayLike, *, frame: str | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return the pose of a frame and its Jacobian, both in the base, in one pass.

    Args:
        model: Robot. If it has loops, they are closed first and the Jacobian is that of
            the closed mechanism.
        q: Joint values [rad] or [m], shape (..., nq).
        frame: Name of a link; by default the tool.

    Returns:
        `T_base_frame`, shape (..., 4, 4), and `J_base_frame`, shape (..., 6, nv).

    Raises:
        ShapeError: If the last axis of `q` does not fit the robot.
        NameNotFoundError: If there is no such frame.
    """
    chain = frame_chain(model, frame)
    q = tree_coordinates(model, q)
    nv = q.shape[-1] - 1 if model.has_floating_base else q.shape[-1]
    if q.ndim == 1:
        T, J = np.empty((4, 4)), np.empty((6, nv))
        pose_jacobian_one(chain, q, T, J)
    else:
        rows = q.reshape(math.prod(q.shape[:-1]), q.shape[-1])
        T, J = np.empty((len(rows), 4, 4)), np.empty((len(rows), 6, nv))

        def work(part: slice) -> None:
            pose_jacobian_many(chain, rows[part], T[part], J[part])

        in_pieces(len(rows), work)
        T, J = T.reshape(*q.shape[:-1], 4, 4), J.reshape(*q.shape[:-1], 6, nv)
    if model.loops:
        from gelenk.kinematics.loops.close import velocity_map

        J = J @ velocity_map(model, q)
    return T, J


def frame_jacobian(
    model: RobotModel, q: ArrayLike, *, frame: str | None = None
) -> FloatArray:
    """Return the Jacobian of a frame: `J_base_frame @ qd` is its twist [v; omega].

    Args:
        model: Robot.
        q: Joint values [rad] or [m], shape (..., nq).
        frame: Name of a link; by default the tool.

    Returns:
        `J_base_frame`, shape (..., 6, nv), in [m/s] and [rad/s] per unit of `qd`.

    Raises:
        ShapeError: If the last axis of `q` does not fit the robot.
        NameNotFoundError: If there is no such frame.

    Example:
        >>> import gelenk
        >>> frame_jacobian(gelenk.load("planar2r"), [0.0, np.pi / 2])[:2].round(3)
        array([[-0.8, -0.8],
               [ 1. ,  0. ]])
    """
    return pose_and_jacobian(model, q, frame=frame)[1]
