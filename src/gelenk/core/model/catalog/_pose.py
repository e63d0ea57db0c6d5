"""Poses as 4 x 4 matrices, as far as the catalogue's files need them."""

from __future__ import annotations

import numpy as np

from gelenk.core.typing import ArrayLike, FloatArray


def shift(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> FloatArray:
    """Return the pose at (x, y, z) [m] with unturned axes."""
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def turn(axis: int, angle: float) -> FloatArray:
    """Return the rotation by `angle` [rad] about coordinate axis 0, 1 or 2."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    T = np.eye(4)
    T[i, i] = T[j, j] = np.cos(angle)
    T[j, i] = np.sin(angle)
    T[i, j] = -T[j, i]
    return T


def turn_rpy(roll: float, pitch: float, yaw: float) -> FloatArray:
    """Return Rz(yaw) Ry(pitch) Rx(roll), the order of URDF files; angles in [rad]."""
    return turn(2, yaw) @ turn(1, pitch) @ turn(0, roll)


def with_z(origin: ArrayLike, direction: ArrayLike) -> FloatArray:
    """Return a pose at `origin` [m] whose z axis points along `direction`."""
    z = np.asarray(direction, dtype=np.float64)
    z = z / np.sqrt(z @ z)
    x = np.zeros(3)
    x[np.abs(z).argmin()] = 1.0
    x -= (x @ z) * z
    x /= np.sqrt(x @ x)
    T = np.eye(4)
    T[:3, 0], T[:3, 1], T[:3, 2], T[:3, 3] = x, np.cross(z, x), z, origin
    return T


def inverse(T: FloatArray) -> FloatArray:
    """Return the inverse of a pose."""
    out = np.eye(4)
    out[:3, :3] = T[:3, :3].T
    out[:3, 3] = -T[:3, :3].T @ T[:3, 3]
    return out
