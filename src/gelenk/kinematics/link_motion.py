"""How all links move: velocities and accelerations added along the tree.

The angular velocity of a link is that of its parent plus its own joint's, each in world
axes (Damken 2023 §4.2.1); the same recursion gives the accelerations.
"""

from __future__ import annotations

import numpy as np

from gelenk.kernels.batch import in_pieces
from gelenk.kernels.tree import link_motion_many
from gelenk.kinematics.states import open_tree_rows
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray


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
