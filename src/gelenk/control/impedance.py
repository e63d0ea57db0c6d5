"""Impedance control: the arm behaves like a spring and a damper at its tool.

Motion in, force out; no force sensor is needed, but drives that can be pushed back.
"""

from __future__ import annotations

import numpy as np

from gelenk.control.cartesian import ToolDynamics
from gelenk.typing import ArrayLike, FloatArray


def impedance_force(
    error: ArrayLike, error_rate: ArrayLike, *, stiffness: ArrayLike, damping: ArrayLike
) -> FloatArray:
    """Return f = K (x_d - x) + D (ẋ_d - ẋ) [N], shape (r,).

    Args:
        error: x_d - x [m], rotations as log(R_d Rᵀ) [rad], shape (r,).
        error_rate: ẋ_d - ẋ, shape (r,).
        stiffness: K [N/m], a number, (r,) or (r, r).
        damping: D [N s/m], likewise.

    Example:
        >>> print(impedance_force([0.02], [-0.1], stiffness=500.0, damping=40.0))
        [6.]
    """
    return _times(stiffness, error) + _times(damping, error_rate)


def impedance_torque(
    felt: ToolDynamics,
    error: ArrayLike,
    error_rate: ArrayLike,
    *,
    stiffness: ArrayLike,
    damping: ArrayLike,
    acceleration: ArrayLike = 0.0,
) -> FloatArray:
    """Return τ = Jᵀ (Λ ẍ_d + f + μ) + G: the arm's own inertia Λ stays.

    Args:
        felt: The arm at the tool (`tool_dynamics`).
        error: x_d - x, shape (r,).
        error_rate: ẋ_d - ẋ, shape (r,).
        stiffness: K, a number, (r,) or (r, r).
        damping: D, likewise.
        acceleration: ẍ_d, shape (r,).

    Example:
        >>> import gelenk
        >>> from gelenk.control.cartesian import tool_dynamics
        >>> arm = gelenk.load("planar2r")
        >>> felt = tool_dynamics(arm, [0.0, np.pi / 2], [0.0, 0.0], rows=(0, 1))
        >>> tau = impedance_torque(
        ...     felt, [0, 0.01], [0, 0], stiffness=500.0, damping=40.0
        ... )
        >>> print((tau - felt.gravity).round(6) + 0.0)
        [5. 0.]
    """
    f = impedance_force(error, error_rate, stiffness=stiffness, damping=damping)
    a = np.broadcast_to(np.asarray(acceleration, np.float64), f.shape)
    return felt.J.T @ (felt.inertia @ a + f + felt.coriolis) + felt.gravity


def shaped_impedance_torque(
    felt: ToolDynamics,
    error: ArrayLike,
    error_rate: ArrayLike,
    *,
    inertia: ArrayLike,
    stiffness: ArrayLike,
    damping: ArrayLike,
    external: ArrayLike,
    acceleration: ArrayLike = 0.0,
) -> FloatArray:
    """Return torques for Λ_d ë + D ė + K e = -f_ext: the inertia is chosen as well.

    F = Λ ẍ_d + Λ Λ_d⁻¹ (D ė + K e) + (Λ Λ_d⁻¹ - E) f_ext + μ. It takes a force sensor;
    with Λ_d = Λ the sensor's part vanishes.

    Args:
        felt: The arm at the tool (`tool_dynamics`).
        error: e = x_d - x, shape (r,).
        error_rate: ė, shape (r,).
        inertia: Λ_d [kg], shape (r, r).
        stiffness: K, a number, (r,) or (r, r).
        damping: D, likewise.
        external: f_ext, of the environment on the robot [N], shape (r,).
        acceleration: ẍ_d, shape (r,).

    Example:
        >>> import gelenk
        >>> from gelenk.control.cartesian import tool_dynamics
        >>> arm = gelenk.load("planar2r")
        >>> felt = tool_dynamics(arm, [0.0, np.pi / 2], [0.0, 0.0], rows=(0, 1))
        >>> gains = dict(stiffness=500.0, damping=40.0)
        >>> plain = impedance_torque(felt, [0, 0.01], [0, 0.1], **gains)
        >>> same = shaped_impedance_torque(
        ...     felt, [0, 0.01], [0, 0.1], inertia=felt.inertia, external=[3, 4],
        ...     **gains,
        ... )
        >>> bool(np.allclose(plain, same))
        True
    """
    f = impedance_force(error, error_rate, stiffness=stiffness, damping=damping)
    a = np.broadcast_to(np.asarray(acceleration, np.float64), f.shape)
    push = np.asarray(external, np.float64)
    scale = felt.inertia @ np.linalg.inv(np.asarray(inertia, np.float64))
    F = felt.inertia @ a + scale @ (f + push) - push + felt.coriolis
    return felt.J.T @ F + felt.gravity


def critical_damping(stiffness: ArrayLike, inertia: ArrayLike) -> FloatArray:
    """Return D = 2 √(K Λ), for matrices such that every mode is critically damped.

    Both are made diagonal together: Λ = Q Qᵀ, K = Q diag(k) Qᵀ, D = 2 Q diag(√k) Qᵀ.

    Args:
        stiffness: K, a number or symmetric (r, r), positive definite.
        inertia: Λ, a number or symmetric (r, r), positive definite.

    Example:
        >>> print(critical_damping(500.0, 2.0).round(6))
        63.245553
    """
    K, L = np.asarray(stiffness, np.float64), np.asarray(inertia, np.float64)
    if K.ndim == 0 and L.ndim == 0:
        return 2.0 * np.sqrt(K * L)
    size = max(len(np.atleast_1d(K)), len(np.atleast_1d(L)))
    K = K if K.ndim == 2 else K * np.eye(size)
    L = L if L.ndim == 2 else L * np.eye(size)
    root = np.linalg.cholesky(L)
    inside = np.linalg.solve(root, np.linalg.solve(root, K).T)
    k, V = np.linalg.eigh(0.5 * (inside + inside.T))
    Q = root @ V
    return 2.0 * (Q * np.sqrt(k)) @ Q.T


def wall_force(depth: float, *, stiffness: float, wall_stiffness: float) -> float:
    """Return the force [N] of a spring commanded `depth` [m] into an elastic wall.

    Two springs in series: d K k_e / (K + k_e); the wall hardly matters if it is stiff.

    Example:
        >>> round(wall_force(0.02, stiffness=500.0, wall_stiffness=1e4), 6)
        9.52381
    """
    return depth * stiffness * wall_stiffness / (stiffness + wall_stiffness)


def _times(gain: ArrayLike, vector: ArrayLike) -> FloatArray:
    gain, vector = np.asarray(gain, np.float64), np.asarray(vector, np.float64)
    return gain @ vector if gain.ndim == 2 else gain * vector
