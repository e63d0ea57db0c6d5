"""Computed torque: the inverse dynamics make an arm n separate unit masses.

τ = M(q) τ̂ + C + G + F with τ̂ = q̈_d + K_v ė + K_p e gives ë + K_v ė + K_p e = 0 for
every joint alone (Damken 2023 §8.2.2). It needs one controller for all joints, the
dynamics in real time, and their parameters.
"""

from __future__ import annotations

import numpy as np

from gelenk.control.partition import tracking_servo
from gelenk.dynamics.rnea import inverse_dynamics
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray


def computed_torque(
    model: RobotModel,
    state: tuple[ArrayLike, ArrayLike],
    desired: tuple[ArrayLike, ArrayLike, ArrayLike],
    *,
    kp: ArrayLike,
    kv: ArrayLike | None = None,
    friction: ArrayLike = 0.0,
) -> FloatArray:
    """Return the torques of inverse-dynamics control [N m] or [N].

    Args:
        model: Robot, fixed base.
        state: Measured (q, q̇), each (..., n).
        desired: (q_d, q̇_d, q̈_d), each (..., n).
        kp: K_p [1/s²], a number or (n,).
        kv: K_v [1/s]; by default critical, 2 √K_p.
        friction: F, torque that friction takes at this state, shape (..., n).

    Returns:
        Shape (..., n).

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> tau = computed_torque(
        ...     arm,
        ...     (np.deg2rad([30, 45]), [0.5, -0.3]),
        ...     ([0.6, 0.7], [0.4, -0.2], [1.0, 2.0]),
        ...     kp=100.0,
        ... )
        >>> print(tau.round(6))
        [65.633213 10.909574]
    """
    q, qd = (np.asarray(value, np.float64) for value in state)
    q_d, qd_d, qdd_d = (np.asarray(value, np.float64) for value in desired)
    servo = tracking_servo(q_d - q, qd_d - qd, kp=kp, kv=kv, acceleration=qdd_d)
    return inverse_dynamics(model, q, qd, servo) + np.asarray(friction, np.float64)


def feedforward_torque(
    model: RobotModel,
    state: tuple[ArrayLike, ArrayLike],
    desired: tuple[ArrayLike, ArrayLike, ArrayLike],
    *,
    kp: ArrayLike,
    kv: ArrayLike,
) -> FloatArray:
    """Return torques of the wanted motion plus PD: NE(q_d, q̇_d, q̈_d) + K_v ė + K_p e.

    The dynamics can be computed beforehand; the errors of the joints stay coupled.

    Args:
        model: Robot, fixed base.
        state: Measured (q, q̇), each (..., n).
        desired: (q_d, q̇_d, q̈_d), each (..., n).
        kp: K_p [N m/rad], a number or (n,).
        kv: K_v [N m s/rad], a number or (n,).

    Returns:
        Shape (..., n).

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> still = ([0.3, 0.4], [0.0, 0.0])
        >>> tau = feedforward_torque(arm, still, (*still, [0.0, 0.0]), kp=9.0, kv=3.0)
        >>> bool(np.allclose(tau, arm.inverse_dynamics(*still, [0.0, 0.0])))
        True
    """
    q, qd = (np.asarray(value, np.float64) for value in state)
    q_d, qd_d, qdd_d = (np.asarray(value, np.float64) for value in desired)
    feedback = np.asarray(kp) * (q_d - q) + np.asarray(kv) * (qd_d - qd)
    return inverse_dynamics(model, q_d, qd_d, qdd_d) + feedback
