"""A leg with six joints in closed form: hip yaw, roll, pitch, knee, ankle pitch, roll.

The three hip axes meet in one point, the two ankle axes in another, thigh and shank lie
between (Kajita 2014, ch. 2). Body and foot frames are parallel when all angles are 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.spatial import so3
from gelenk.spatial.se3 import pose_from_rotation_translation
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class BipedLeg:
    """Lengths of a leg.

    Attributes:
        hip_offset: D, hip to the left of the body's origin [m]; < 0: a right leg.
        thigh: A, hip to knee [m].
        shank: B, knee to ankle [m].
    """

    hip_offset: float
    thigh: float = 0.3
    shank: float = 0.3

    def __post_init__(self) -> None:
        if min(self.thigh, self.shank) <= 0.0:
            raise ConfigError(f"thigh and shank must be > 0 m, got {self}")


def leg_forward(leg: BipedLeg, q: ArrayLike) -> FloatArray:
    """Return T_body_foot of the ankle for six angles [rad], shape (..., 4, 4).

    Example:
        >>> stretched = leg_forward(BipedLeg(hip_offset=0.1), np.zeros(6))
        >>> print(stretched[:3, 3])
        [ 0.   0.1 -0.6]
    """
    angles = as_finite("q", q, (6,))
    z = np.array([0.0, 0.0, -1.0])
    R = so3.rot_z(angles[..., 0]) @ so3.rot_x(angles[..., 1])
    R = R @ so3.rot_y(angles[..., 2])
    p = np.array([0.0, leg.hip_offset, 0.0]) + leg.thigh * (R @ z)
    R = R @ so3.rot_y(angles[..., 3])
    p = p + leg.shank * (R @ z)
    R = R @ so3.rot_y(angles[..., 4]) @ so3.rot_x(angles[..., 5])
    return pose_from_rotation_translation(R, p)


def leg_inverse(leg: BipedLeg, T_body_foot: ArrayLike) -> FloatArray:
    """Return the six angles that put the ankle there, knee bent forwards [rad].

    A foot out of reach is met with a stretched knee, in its direction.

    Args:
        leg: Lengths.
        T_body_foot: Pose of the ankle in the body, shape (..., 4, 4).

    Returns:
        Shape (..., 6).
    """
    T = as_finite("T_body_foot", T_body_foot, (4, 4))
    R_foot = T[..., :3, :3]
    to_hip = np.array([0.0, leg.hip_offset, 0.0]) - T[..., :3, 3]
    r = np.einsum("...ji,...j->...i", R_foot, to_hip)
    A, B = leg.thigh, leg.shank
    C = np.maximum(np.linalg.norm(r, axis=-1), 1e-12)
    bend = (C * C - A * A - B * B) / (2.0 * A * B)
    knee = np.arccos(np.clip(bend, -1.0, 1.0))
    lean = np.arcsin(np.clip(A / C * np.sin(np.pi - knee), -1.0, 1.0))
    # Roll in (-π/2, π/2]: an ankle does not turn upside down.
    up = np.where(r[..., 2] < 0.0, -1.0, 1.0)
    ankle_roll = np.arctan2(up * r[..., 1], up * r[..., 2])
    side = up * np.hypot(r[..., 1], r[..., 2])
    ankle_pitch = -np.arctan2(r[..., 0], side) - lean
    R = R_foot @ so3.rot_x(-ankle_roll) @ so3.rot_y(-ankle_pitch - knee)
    yaw = np.arctan2(-R[..., 0, 1], R[..., 1, 1])
    flat = -R[..., 0, 1] * np.sin(yaw) + R[..., 1, 1] * np.cos(yaw)
    roll = np.arctan2(R[..., 2, 1], flat)
    pitch = np.arctan2(-R[..., 2, 0], R[..., 2, 2])
    return np.stack([yaw, roll, pitch, knee, ankle_pitch, ankle_roll], axis=-1)
