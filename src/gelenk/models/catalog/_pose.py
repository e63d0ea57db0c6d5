"""Poses by their origin: unturned, or with z along a direction."""

from __future__ import annotations

import numpy as np

from gelenk.typing import ArrayLike, FloatArray


def shift(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> FloatArray:
    """Return the pose at (x, y, z) [m] with unturned axes."""
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


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
