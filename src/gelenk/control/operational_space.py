"""Control in tool coordinates: resolved acceleration, transposed Jacobian."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from gelenk.control.pd import tracking_servo
from gelenk.dynamics.crba import mass_matrix
from gelenk.dynamics.equation_terms import coriolis_torques, gravity_torques
from gelenk.dynamics.rnea import inverse_dynamics
from gelenk.kinematics.jacobian import jacobian_rate_product, pose_and_jacobian
from gelenk.models.tree import RobotModel
from gelenk.spatial import so3
from gelenk.typing import ArrayLike, FloatArray

ALL = (0, 1, 2, 3, 4, 5)
RANK_TOL = 1e-8  # singular values below this part of the largest count as 0


def _six() -> FloatArray:
    return np.zeros(6)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ToolTarget:
    """Wanted pose and motion of the tool.

    Attributes:
        T: Wanted pose in the base, shape (4, 4).
        twist: Wanted twist [v; ω] in base axes [m/s], [rad/s], shape (6,).
        acceleration: Rate of the wanted twist [m/s²], [rad/s²], shape (6,).

    Example:
        >>> import gelenk
        >>> from gelenk.control import ToolTarget
        >>> arm = gelenk.load("planar2r")
        >>> hold = ToolTarget(T=arm.forward([0.3, 0.8]))
        >>> print(hold.twist)
        [0. 0. 0. 0. 0. 0.]
    """

    T: FloatArray
    twist: FloatArray = field(default_factory=_six)
    acceleration: FloatArray = field(default_factory=_six)


def pose_error(T_wanted: ArrayLike, T: ArrayLike) -> FloatArray:
    """Return [p_d - p; log(R_d Rᵀ)], base axes, shape (..., 6).

    Moving and turning by it in base axes leads from the pose to the wanted one.

    Example:
        >>> from gelenk.spatial import se3, so3
        >>> T = se3.pose_from_rotation_translation(so3.rot_z(0.3), [0.0, 0.0, 1.0])
        >>> print(pose_error(T, np.eye(4)).round(9))
        [0.  0.  1.  0.  0.  0.3]
    """
    T_wanted, T = np.asarray(T_wanted, np.float64), np.asarray(T, np.float64)
    turn = so3.log(T_wanted[..., :3, :3] @ T[..., :3, :3].swapaxes(-1, -2))
    return np.concatenate([T_wanted[..., :3, 3] - T[..., :3, 3], turn], axis=-1)


def resolved_acceleration(
    model: RobotModel,
    state: tuple[ArrayLike, ArrayLike],
    target: ToolTarget,
    *,
    kp: ArrayLike,
    kv: ArrayLike | None = None,
    rows: Sequence[int] = ALL,
    frame: str | None = None,
) -> FloatArray:
    """Return torques under which the tool error obeys ë + k_v ė + k_p e = 0.

    q̈ = J⁺ (ẍ_d + k_v ė + k_p e - J̇ q̇), then inverse dynamics. Exact for positions;
    for rotations as long as the error is small.

    Args:
        model: Robot, fixed base, not singular in `rows`.
        state: Measured (q, q̇), each (n,).
        target: Pose, twist, acceleration that the tool should have.
        kp: Proportional gain [1/s²], a number or one per row.
        kv: Derivative gain [1/s]; by default critical, 2 √k_p.
        rows: Controlled rows of (x, y, z, ωx, ωy, ωz).
        frame: Name of a link; by default the tool.

    Returns:
        Array of shape (n,) [N m] or [N].

    Example:
        >>> import numpy as np
        >>> from gelenk.control import ToolTarget, resolved_acceleration
        >>> from gelenk.dynamics import gravity_torques
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> q = np.array([0.3, 0.8])
        >>> hold = ToolTarget(T=arm.forward(q))
        >>> tau = resolved_acceleration(arm, (q, [0, 0]), hold, kp=25.0, rows=(0, 1))
        >>> bool(np.allclose(tau, gravity_torques(arm, q)))
        True
    """
    q, qd = (np.asarray(value, np.float64) for value in state)
    T, J = pose_and_jacobian(model, q, frame=frame)
    rows = list(rows)
    servo = tracking_servo(
        pose_error(target.T, T)[rows],
        (target.twist - J @ qd)[rows],
        kp=kp,
        kv=kv,
        acceleration=target.acceleration[rows],
    )
    drift = jacobian_rate_product(model, q, qd, frame=frame)[rows]
    qdd = np.linalg.pinv(J[rows], rcond=RANK_TOL) @ (servo - drift)
    return inverse_dynamics(model, q, qd, qdd)


def transpose_torque(
    model: RobotModel,
    state: tuple[ArrayLike, ArrayLike],
    target: ToolTarget,
    *,
    kp: ArrayLike,
    kv: ArrayLike,
    rows: Sequence[int] = ALL,
    frame: str | None = None,
) -> FloatArray:
    """Return τ = Jᵀ (K_p e + K_v ė) + G: no inverse, no mass matrix.

    A spring and a damper from the tool to its target: stable for every K_p, K_v > 0,
    but how fast depends on the pose.

    Args:
        model: Robot, fixed base.
        state: Measured (q, q̇), each (n,).
        target: Pose and twist that the tool should have.
        kp: Proportional gain [N/m], [N m/rad], a number or one per row.
        kv: Derivative gain [N s/m], [N m s/rad], a number or one per row.
        rows: Controlled rows of (x, y, z, ωx, ωy, ωz).
        frame: Name of a link; by default the tool.

    Returns:
        Array of shape (n,) [N m] or [N].

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> hold = ToolTarget(T=arm.forward([0.3, 0.8]))
        >>> tau = transpose_torque(arm, ([0.3, 0.8], [0, 0]), hold, kp=90.0, kv=9.0)
        >>> bool(np.allclose(tau, gravity_torques(arm, [0.3, 0.8])))
        True
    """
    q, qd = (np.asarray(value, np.float64) for value in state)
    T, J = pose_and_jacobian(model, q, frame=frame)
    rows = list(rows)
    pull = np.asarray(kp) * pose_error(target.T, T)[rows]
    pull = pull + np.asarray(kv) * (target.twist - J @ qd)[rows]
    return J[rows].T @ pull + gravity_torques(model, q)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ToolDynamics:
    """The arm as the tool feels it: Λ ẍ + μ + (gravity) = F.

    Attributes:
        T: Pose of the tool in the base, shape (4, 4).
        J: Jacobian of the tool in the chosen rows, shape (r, n).
        twist: J q̇, shape (r,).
        inertia: Inertia Λ = (J M⁻¹ Jᵀ)⁻¹, shape (r, r).
        coriolis: Coriolis force μ = Λ (J M⁻¹ c - J̇ q̇), shape (r,).
        gravity: G in joint space, shape (n,).
    """

    T: FloatArray
    J: FloatArray
    twist: FloatArray
    inertia: FloatArray
    coriolis: FloatArray
    gravity: FloatArray


def tool_dynamics(
    model: RobotModel,
    q: ArrayLike,
    qd: ArrayLike,
    *,
    rows: Sequence[int] = ALL,
    frame: str | None = None,
    R_base_task: ArrayLike | None = None,
) -> ToolDynamics:
    """Return inertia and Coriolis forces of the tool; τ = Jᵀ F + G moves it.

    Args:
        model: Robot, fixed base, not singular in `rows`.
        q: Joint values, shape (n,).
        qd: Joint velocities, shape (n,).
        rows: Chosen rows of (x, y, z, ωx, ωy, ωz).
        frame: Name of a link; by default the tool.
        R_base_task: Axes in which everything is expressed, by default the base's.

    Example:
        >>> import numpy as np
        >>> from gelenk.control import tool_dynamics
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")  # elbow at 90°: 1.5 kg along the forearm
        >>> felt = tool_dynamics(arm, [0.0, np.pi / 2], [0.0, 0.0], rows=(0, 1))
        >>> print(np.diag(felt.inertia).round(6))
        [1.5 3.5]
    """
    q, qd = np.asarray(q, np.float64), np.asarray(qd, np.float64)
    T, J = pose_and_jacobian(model, q, frame=frame)
    drift = jacobian_rate_product(model, q, qd, frame=frame)
    if R_base_task is not None:
        R = np.asarray(R_base_task, np.float64).T
        turn = np.block([[R, np.zeros((3, 3))], [np.zeros((3, 3)), R]])
        J, drift = turn @ J, turn @ drift
    J, drift = J[list(rows)], drift[list(rows)]
    M = mass_matrix(model, q)
    solved = np.linalg.solve(M, np.column_stack([J.T, coriolis_torques(model, q, qd)]))
    inertia = np.asarray(np.linalg.inv(J @ solved[:, :-1]), np.float64)
    return ToolDynamics(
        T=T,
        J=J,
        twist=J @ qd,
        inertia=inertia,
        coriolis=inertia @ (J @ solved[:, -1] - drift),
        gravity=gravity_torques(model, q),
    )
