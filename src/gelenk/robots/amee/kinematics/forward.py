"""Place of the foot from joint angles, and how far a leg can be tucked up."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from gelenk.errors import ShapeError
from gelenk.robots.amee.config import LegGeometry
from gelenk.typing import ArrayLike, FloatArray


def forward(
    angles: ArrayLike,
    geometry: LegGeometry,
    *,
    foot: Literal["measured", "level"] = "measured",
) -> FloatArray:
    """Return the sole's centre in the leg's frame [m], shape (..., 3).

    Args:
        angles: [rad], shape (..., 4).
        geometry: Lengths of the leg.
        foot: `measured` uses the ankle's angle; `level` assumes a sole parallel to the
            torso, as the thesis does.
    """
    q = np.asarray(angles, dtype=np.float64)
    if q.ndim < 1 or q.shape[-1] != 4:
        raise ShapeError("angles", expected="(..., 4)", actual=q.shape)
    thigh, shank = q[..., 1], q[..., 1] + q[..., 2]
    radius = geometry.thigh * np.cos(thigh) + geometry.shank * np.cos(shank)
    height = geometry.thigh * np.sin(thigh) + geometry.shank * np.sin(shank)
    pitch = foot_pitch(q) if foot == "measured" else np.zeros(q.shape[:-1])
    c, s = np.cos(pitch), np.sin(pitch)
    drop = np.full(q.shape[:-1], geometry.hip_drop)
    if geometry.offset_mode == "thesis":
        drop = np.where(height >= 0.0, -drop, drop)
    radius = radius + geometry.toe_ahead * c + geometry.sole_drop * s
    height = height - drop + geometry.toe_ahead * s - geometry.sole_drop * c
    yaw = q[..., 0]
    return np.stack([radius * np.cos(yaw), height, radius * np.sin(yaw)], axis=-1)


def foot_pitch(angles: ArrayLike) -> FloatArray:
    """Return how far the toes point above the torso's plane [rad], shape (...).

    Args:
        angles: [rad], shape (..., 4).
    """
    q = np.asarray(angles, dtype=np.float64)
    pitch = math.pi + q[..., 1] + q[..., 2] - q[..., 3]
    return np.asarray((pitch + math.pi) % (2.0 * math.pi) - math.pi)


def point_of(angles: tuple[float, ...], geometry: LegGeometry) -> tuple[float, ...]:
    """Return the sole's centre of one pose [m] and its pitch [rad]: x, y, z, pitch.

    The same as `forward` for one pose without an array, for the inner loop of a leg.
    """
    yaw, hip, knee, ankle = angles
    shank = hip + knee
    pitch = (2.0 * math.pi + shank - ankle) % (2.0 * math.pi) - math.pi
    c, s = math.cos(pitch), math.sin(pitch)
    ankle_height = geometry.thigh * math.sin(hip) + geometry.shank * math.sin(shank)
    radius = (
        geometry.thigh * math.cos(hip)
        + geometry.shank * math.cos(shank)
        + geometry.toe_ahead * c
        + geometry.sole_drop * s
    )
    drop = geometry.hip_drop
    if geometry.offset_mode == "thesis" and ankle_height >= 0.0:
        drop = -drop
    height = ankle_height - drop + geometry.toe_ahead * s - geometry.sole_drop * c
    return radius * math.cos(yaw), height, radius * math.sin(yaw), pitch


def tucked_height(height: float, hip_angle: float, geometry: LegGeometry) -> float:
    """Return the height [m] to which a foot is lifted to bring its thigh to the torso.

    This is CalcMinTorsoDistance; its printed formula says knee but means axis B. It is
    meant to be applied once: repeated with the foot ahead of the hip it diverges.

    Args:
        height: Of the sole's centre now [m].
        hip_angle: Of axis B [rad].
        geometry: Lengths of the leg.
    """
    knee_below_hip = geometry.thigh * math.sin(abs(hip_angle))
    gain = knee_below_hip - geometry.thigh_thickness
    return height + gain if height < 0.0 else height - gain
