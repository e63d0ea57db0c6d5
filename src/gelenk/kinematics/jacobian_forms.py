"""Other forms of the Jacobian: in the frame's own axes, at a point, by Euler rates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_array
from gelenk.kinematics.jacobian import pose_and_jacobian
from gelenk.models.tree import RobotModel
from gelenk.spatial.euler import (
    EulerAxes,
    EulerSequence,
    euler_from_matrix,
    rate_matrix,
)
from gelenk.spatial.vectors import cross
from gelenk.typing import ArrayLike, BoolArray, FloatArray


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
    """
    T, J = pose_and_jacobian(model, q, frame=frame)
    arm = np.matvec(T[..., :3, :3], as_array("p_frame_point", p_frame_point, (3,)))
    return moved_jacobian(J, arm)


def moved_jacobian(J: ArrayLike, arm: ArrayLike) -> FloatArray:
    """Return a Jacobian [v; omega] whose reference point is moved by `arm`.

    Args:
        J: Jacobian, shape (..., 6, n).
        arm: From the old reference point to the new one, in the Jacobian's axes [m],
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
