"""Derivatives of Jacobians: by time for accelerations, by coordinates for gradients.

Exact, not by differences. Frames and reference points are those of `jacobian`.
"""

from __future__ import annotations

import numpy as np

from gelenk.kernels.batch import in_pieces
from gelenk.kernels.chain import jacobian_partials_many, jacobian_rate_many
from gelenk.kinematics.chain import frame_chain
from gelenk.kinematics.states import open_tree_rows
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray


def jacobian_rate(
    model: RobotModel, q: ArrayLike, qd: ArrayLike, *, frame: str | None = None
) -> FloatArray:
    """Return dJ/dt of a frame's Jacobian, so that its acceleration is J qdd + dJ/dt qd.

    Args:
        model: Robot without loops.
        q: Joint values [rad] or [m], shape (..., nq).
        qd: Joint velocities, shape (..., nv).
        frame: Name of a link; by default the tool.

    Returns:
        Time derivative of `J_base_frame`, shape (..., 6, nv).

    Raises:
        ShapeError: If an argument does not fit the robot.
        NameNotFoundError: If there is no such frame.
        ModelError: If the robot has loops.

    Example:
        >>> import gelenk
        >>> arm, h = gelenk.load("planar2r"), 1e-6
        >>> q, qd = np.array([0.3, 0.5]), np.ones(2)
        >>> change = (arm.jacobian(q + h * qd) - arm.jacobian(q)) / h
        >>> bool(np.allclose(jacobian_rate(arm, q, qd), change, atol=1e-5))
        True
    """
    batch, q_rows, (qd_rows,) = open_tree_rows(model, q, qd=qd)
    J_dot = tree_jacobian_rate(model, q_rows, qd_rows, frame=frame)
    return J_dot.reshape(*batch, 6, model.nv)


def tree_jacobian_rate(
    model: RobotModel, q: FloatArray, qd: FloatArray, *, frame: str | None = None
) -> FloatArray:
    """Return what `jacobian_rate` returns, for rows of the cut tree: (count, 6, n)."""
    chain = frame_chain(model, frame)
    J_dot = np.empty((len(q), 6, qd.shape[-1]))

    def work(part: slice) -> None:
        jacobian_rate_many(chain, q[part], qd[part], J_dot[part])

    in_pieces(len(q), work)
    return J_dot


def jacobian_rate_product(
    model: RobotModel, q: ArrayLike, qd: ArrayLike, *, frame: str | None = None
) -> FloatArray:
    """Return dJ/dt qd: the frame's acceleration [a; alpha] while qdd = 0.

    Args:
        model: Robot without loops.
        q: Joint values [rad] or [m], shape (..., nq).
        qd: Joint velocities, shape (..., nv).
        frame: Name of a link; by default the tool.

    Returns:
        Acceleration of the frame's origin [m/s^2] and angular acceleration [rad/s^2],
        base axes, shape (..., 6).
    """
    J_dot = jacobian_rate(model, q, qd, frame=frame)
    return np.matvec(J_dot, np.asarray(qd, dtype=np.float64))


def jacobian_partials(
    model: RobotModel, q: ArrayLike, *, frame: str | None = None
) -> FloatArray:
    """Return the derivative of a frame's Jacobian by every coordinate.

    With a floating base, the first six directions are those of `qd`: shifts of the
    base along, and turns about, the world axes.

    Args:
        model: Robot without loops.
        q: Joint values [rad] or [m], shape (..., nq).
        frame: Name of a link; by default the tool.

    Returns:
        H with H[..., i, j, k] = dJ_ij / dq_k, shape (..., 6, nv, nv).

    Raises:
        ShapeError: If the last axis of `q` does not fit the robot.
        NameNotFoundError: If there is no such frame.
        ModelError: If the robot has loops.
    """
    batch, rows, _ = open_tree_rows(model, q)
    chain, nv = frame_chain(model, frame), model.nv
    H = np.empty((len(rows), 6, nv, nv))
    rest = np.zeros((len(rows), nv))

    def work(part: slice) -> None:
        jacobian_partials_many(chain, rows[part], rest[part], H[part])

    in_pieces(len(rows), work)
    return H.reshape(*batch, 6, nv, nv)
