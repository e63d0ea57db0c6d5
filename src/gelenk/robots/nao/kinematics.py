"""NAO's kinematics written out as products of turns and shifts, in B-Human's signs.

After Kastner 2014, with its errata (legs point down; corners lie in the sole's frame):

    T_O_LF = Ty(lbl/2) Rx(pi/4) Rz(-HipYawPitch) Rx(-pi/4) Rx(-HipRoll) Ry(HipPitch)
             Tz(-ull) Ry(KneePitch) Tz(-lll) Ry(AnklePitch) Rx(-AnkleRoll)
    T_O_RF = Ty(-lbl/2) Rx(-pi/4) Rz(HipYawPitch) Rx(pi/4) Rx(HipRoll) Ry(HipPitch)
             Tz(-ull) Ry(KneePitch) Tz(-lll) Ry(AnklePitch) Rx(AnkleRoll)
    T_O_S  = T_O_F Tz(-hlj)
    T_O_N  = Tz(tth) Rz(HeadYaw) Ry(HeadPitch)
    T_O_C  = T_O_N Tx(nlcx) Tz(nlcz) Ry(theta)

A second way to the poses of `gelenk.load("nao")`, for the truth of synthetic
measurements and for tests; nothing here uses the robot model. All functions take
leading axes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gelenk.robots.nao import robot as nao
from gelenk.robots.nao.joints import Side
from gelenk.typing import ArrayLike, FloatArray

_SLANT = np.pi / 4.0  # of the HipYawPitch axes
_CELLS = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}
LEG_BODIES = ("pelvis", "hip", "thigh", "tibia", "ankle_pitch", "ankle")


@dataclass(frozen=True, slots=True, kw_only=True)
class LegLengths:
    """Lengths of one leg [m]: from the middle to the hip, and then down."""

    hip: float = nao.HIP_WIDTH / 2.0
    thigh: float = nao.UPPER_LEG
    tibia: float = nao.LOWER_LEG
    foot: float = nao.FOOT_HEIGHT


def turn(axis: Literal["x", "y", "z"], angle: ArrayLike) -> FloatArray:
    """Return Rot_axis(angle) [rad], shape (..., 4, 4)."""
    a = np.asarray(angle, dtype=np.float64)
    T = np.zeros((*a.shape, 4, 4))
    T[..., range(4), range(4)] = 1.0
    i, j = _CELLS[axis]
    T[..., i, i] = T[..., j, j] = np.cos(a)
    T[..., j, i] = np.sin(a)
    T[..., i, j] = -T[..., j, i]
    return T


def move(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> FloatArray:
    """Return Trans(x, y, z) [m], shape (4, 4)."""
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def leg_frames(
    q_leg: ArrayLike, side: Side, lengths: LegLengths | None = None
) -> dict[str, FloatArray]:
    """Return the poses of a leg's bodies and of its sole in the torso.

    Args:
        q_leg: Six angles [rad], B-Human's signs, shape (..., 6).
        side: Which leg.
        lengths: Of the leg; nominal if None.

    Returns:
        Poses by the names of `LEG_BODIES` and "sole", each of shape (..., 4, 4).
    """
    k = lengths or LegLengths()
    s = 1.0 if side == "left" else -1.0
    q = np.moveaxis(np.asarray(q_leg, dtype=np.float64), -1, 0)
    yaw_pitch, roll, pitch, knee, ankle_pitch, ankle_roll = q
    pelvis = (
        move(y=s * k.hip)
        @ turn("x", s * _SLANT)
        @ turn("z", -s * yaw_pitch)
        @ turn("x", -s * _SLANT)
    )
    hip = pelvis @ turn("x", -s * roll)
    thigh = hip @ turn("y", pitch)
    tibia = thigh @ move(z=-k.thigh) @ turn("y", knee)
    heel = tibia @ move(z=-k.tibia) @ turn("y", ankle_pitch)
    foot = heel @ turn("x", -s * ankle_roll)
    poses = (pelvis, hip, thigh, tibia, heel, foot)
    return {
        **dict(zip(LEG_BODIES, poses, strict=True)),
        "sole": foot @ move(z=-k.foot),
    }


def sole_pose(
    q_leg: ArrayLike, side: Side, lengths: LegLengths | None = None
) -> FloatArray:
    """Return `T_torso_sole`, shape (..., 4, 4)."""
    return leg_frames(q_leg, side, lengths)["sole"]


def neck_pose(q_head: ArrayLike, height: float = nao.NECK_HEIGHT) -> FloatArray:
    """Return `T_torso_head` of HeadYaw and HeadPitch, shape (..., 4, 4)."""
    yaw, pitch = np.moveaxis(np.asarray(q_head, dtype=np.float64), -1, 0)
    return move(z=height) @ turn("z", yaw) @ turn("y", pitch)


def camera_pose(
    q_head: ArrayLike,
    camera: Literal["lower", "upper"] = "lower",
    *,
    height: float = nao.NECK_HEIGHT,
    shift: ArrayLike = (0.0, 0.0, 0.0),
) -> FloatArray:
    """Return `T_torso_camera`, x along the optical axis, z up, shape (..., 4, 4).

    Args:
        q_head: HeadYaw and HeadPitch [rad], shape (..., 2).
        camera: Which one.
        height: Of the neck [m].
        shift: Of the camera in the head [m].
    """
    if camera == "lower":
        place, tilt = nao.LOWER_CAMERA, nao.LOWER_CAMERA_TILT
    else:
        place, tilt = nao.UPPER_CAMERA, nao.UPPER_CAMERA_TILT
    x, y, z = np.add(place, shift)
    return neck_pose(q_head, height) @ move(x, y, z) @ turn("y", tilt)
