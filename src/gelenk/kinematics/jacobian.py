"""Jacobians: how frame velocities follow from joint velocities.

All Jacobians here are geometric, [v; omega] in base axes with the reference point in
the frame's origin, unless a name says otherwise. Derivatives, by time for accelerations
and by coordinates for gradients, are exact and not by differences.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_array
from gelenk.kernels.batch import in_pieces
from gelenk.kernels.chain import (
    jacobian_partials_many,
    jacobian_rate_many,
    pose_jacobian_many,
    pose_jacobian_one,
)
from gelenk.kinematics.chain import frame_chain
from gelenk.kinematics.configuration import open_tree_rows, tree_coordinates
from gelenk.models.tree import RobotModel
from gelenk.spatial.euler import (
    EulerAxes,
    EulerSequence,
    euler_from_matrix,
    rate_matrix,
)
from gelenk.spatial.vectors import cross
from gelenk.typing import ArrayLike, BoolArray, FloatArray


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
    nv = q.shape[-1] - model.compiled.num_quaternions
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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AnalyticJacobian:
    """Jacobian of position and orientation angles.

    Attributes:
        J: Rows [dp/dt; d(angles)/dt] per unit of `qd`, shape (..., 6, nv). Where the
            angles are singular, those of least norm among the best.
        angles: Orientation angles at `q` [rad], shape (..., 3).
        singular: Whether the angles, not the robot, are singular there, shape (...).
    """

    J: FloatArray
    angles: FloatArray
    singular: BoolArray


def body_jacobian(
    model: RobotModel, q: ArrayLike, *, frame: str | None = None
) -> FloatArray:
    """Return the Jacobian of a frame in its own axes, `J_base_frame_in_frame`.

    Args:
        model: Robot.
        q: Joint values [rad] or [m], shape (..., nq).
        frame: Name of a link; by default the tool.

    Returns:
        Rows [v; omega] of the frame's origin, frame axes, shape (..., 6, nv).

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> print(body_jacobian(arm, [0.3, 0.0])[1])  # sideways speed of the tool
        [1.8 0.8]
    """
    T, J = pose_and_jacobian(model, q, frame=frame)
    R_frame_base = T[..., :3, :3].swapaxes(-1, -2)
    return np.concatenate(
        [R_frame_base @ J[..., :3, :], R_frame_base @ J[..., 3:, :]], axis=-2
    )


def point_jacobian(
    model: RobotModel,
    q: ArrayLike,
    p_frame_point: ArrayLike,
    *,
    frame: str | None = None,
) -> FloatArray:
    """Return the Jacobian of a frame with another point of its body as reference.

    Args:
        model: Robot.
        q: Joint values [rad] or [m], shape (..., nq).
        p_frame_point: The point in the frame [m], shape (..., 3).
        frame: Name of a link; by default the tool.

    Returns:
        Rows [v; omega], base axes, v of the point, shape (..., 6, nv).

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> J = point_jacobian(arm, [0.0, 0.0], [0.2, 0.0, 0.0])  # 0.2 m ahead
        >>> print(J[1])
        [2. 1.]
    """
    T, J = pose_and_jacobian(model, q, frame=frame)
    arm = np.matvec(T[..., :3, :3], as_array("p_frame_point", p_frame_point, (3,)))
    return moved_jacobian(J, arm)


def moved_jacobian(J: ArrayLike, arm: ArrayLike) -> FloatArray:
    """Return a Jacobian [v; omega] whose reference point is moved by `arm`.

    Args:
        J: Jacobian, shape (..., 6, n).
        arm: Vector from the old reference point to the new one, Jacobian's axes [m],
            shape (..., 3).
    """
    J = np.asarray(J, dtype=np.float64)
    arm = as_array("arm", arm, (3,))
    shift = cross(J[..., 3:, :].swapaxes(-1, -2), arm[..., None, :])
    linear = J[..., :3, :] + shift.swapaxes(-1, -2)
    angular = np.broadcast_to(J[..., 3:, :], linear.shape)
    return np.concatenate([linear, angular], axis=-2)


def analytic_jacobian(
    model: RobotModel,
    q: ArrayLike,
    sequence: EulerSequence,
    *,
    axes: EulerAxes,
    frame: str | None = None,
) -> AnalyticJacobian:
    """Return the Jacobian of the pose vector: position and three orientation angles.

    omega = E(angles) d(angles)/dt, so its lower rows are E^-1 J_omega. It grows beyond
    bounds where the angles are singular, wherever the robot is.

    Args:
        model: Robot.
        q: Joint values [rad] or [m], shape (..., nq).
        sequence: Axes of the angles, such as "zyz".
        axes: "intrinsic" for turning axes, "extrinsic" for fixed ones.
        frame: Name of a link; by default the tool.
    """
    T, J = pose_and_jacobian(model, q, frame=frame)
    euler = euler_from_matrix(T[..., :3, :3], sequence, axes=axes)
    E = rate_matrix(euler.angles, sequence, axes=axes)
    E = np.where(euler.singular[..., None, None], np.eye(3), E)
    rates: FloatArray = np.linalg.solve(E, J[..., 3:, :]).astype(np.float64)
    if euler.singular.any():
        E = rate_matrix(euler.angles[euler.singular], sequence, axes=axes)
        rates[euler.singular] = (
            np.linalg.pinv(E, rcond=1e-9) @ J[euler.singular][..., 3:, :]
        )
    return AnalyticJacobian(
        J=np.concatenate([J[..., :3, :], rates], axis=-2),
        angles=euler.angles,
        singular=euler.singular,
    )


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
