"""NAO's joints: names, order, signs, ranges.

A body vector `q22` holds 22 angles [rad] in the order of `BODY_JOINTS` (head, left arm,
right arm, left leg, right leg), in **B-Human's signs**: mirroring a pose exchanges left
and right and negates HeadYaw, nothing else. They differ from Aldebaran's ("NAO") signs
by -1 for the joints of `FLIPPED`. HeadPitch has NAO's sign in both: positive looks
down. Wrists and hands are not in the body vector; a robot model has them too.

One motor drives both HipYawPitch joints: RHipYawPitch of a reading is a copy.
"""

from __future__ import annotations

import functools
from typing import Literal, TypeAlias

import numpy as np

from gelenk.errors import ShapeError
from gelenk.models.tree import RobotModel
from gelenk.robots.nao.robot import JOINTS
from gelenk.typing import ArrayLike, FloatArray

Side: TypeAlias = Literal["left", "right"]
SIDES: tuple[Side, Side] = ("left", "right")

HEAD_JOINTS = ("HeadYaw", "HeadPitch")
_ARM = ("ShoulderPitch", "ShoulderRoll", "ElbowYaw", "ElbowRoll")
_LEG = ("HipYawPitch", "HipRoll", "HipPitch", "KneePitch", "AnklePitch", "AnkleRoll")
ARM_JOINTS: dict[Side, tuple[str, ...]] = {
    "left": tuple(f"L{name}" for name in _ARM),
    "right": tuple(f"R{name}" for name in _ARM),
}
LEG_JOINTS: dict[Side, tuple[str, ...]] = {
    "left": tuple(f"L{name}" for name in _LEG),
    "right": tuple(f"R{name}" for name in _LEG),
}
BODY_JOINTS: tuple[str, ...] = (
    *HEAD_JOINTS,
    *ARM_JOINTS["left"],
    *ARM_JOINTS["right"],
    *LEG_JOINTS["left"],
    *LEG_JOINTS["right"],
)
NUM_BODY = len(BODY_JOINTS)
HEAD = slice(0, 2)
LEG: dict[Side, slice] = {"left": slice(10, 16), "right": slice(16, 22)}
ARM: dict[Side, slice] = {"left": slice(2, 6), "right": slice(6, 10)}
FLIPPED = (
    "LShoulderPitch",
    "RShoulderPitch",
    "RShoulderRoll",
    "RElbowYaw",
    "RElbowRoll",
    "LHipRoll",
    "LAnkleRoll",
)
SIGNS: FloatArray = np.array([-1.0 if j in FLIPPED else 1.0 for j in BODY_JOINTS])
SIGNS.setflags(write=False)

# Usable ranges of both legs [deg], B-Human's signs: what the hardware and B-Human's
# soft limits both allow.
_LEG_RANGES = (
    (-65.0, 42.44),
    (-41.0, 21.74),
    (-88.0, 21.0),
    (-5.0, 120.0),
    (-67.97, 52.0),
    (-23.0, 22.79),
)
# Head pitch by |yaw|, and left ankle roll by ankle pitch, NAO's signs [deg]: Aldebaran,
# "joints", tables against self-collision.
_HEAD_YAW = (0.0, 27.85, 43.32, 51.74, 62.45, 87.49, 119.52)
_HEAD_PITCH_MIN = (-38.50, -38.50, -31.40, -27.50, -24.64, -18.91, -25.73)
_HEAD_PITCH_MAX = (29.51, 24.18, 21.20, 18.91, 17.19, 11.46, 18.91)
_ANKLE_PITCH = (-68.15, -48.13, -40.11, -25.78, 5.73, 20.05, 52.87)
_ANKLE_ROLL_MIN = (-2.86, -10.31, -22.80, -22.80, -22.80, -22.80, 0.00)
_ANKLE_ROLL_MAX = (4.30, 9.74, 12.61, 44.06, 44.06, 31.54, 2.86)


def nao_from_bh(q22: ArrayLike) -> FloatArray:
    """Return Aldebaran's angles of a body vector [rad], shape (..., 22)."""
    return _body("q22", q22) * SIGNS


def bh_from_nao(q22: ArrayLike) -> FloatArray:
    """Return the body vector of angles in Aldebaran's signs [rad], shape (..., 22)."""
    return _body("q22", q22) * SIGNS


def mirror(q22: ArrayLike) -> FloatArray:
    """Return the mirrored pose: left and right exchanged, HeadYaw negated.

    Args:
        q22: Body vector [rad], B-Human's signs, shape (..., 22).
    """
    q = _body("q22", q22)
    out = q.copy()
    out[..., 0] = -q[..., 0]
    for kind in (ARM, LEG):
        out[..., kind["left"]] = q[..., kind["right"]]
        out[..., kind["right"]] = q[..., kind["left"]]
    return out


def limits() -> FloatArray:
    """Return lower and upper ends of the body vector [rad], shape (2, 22).

    Of the legs what hardware and soft limits both allow; of head and arms the hardware.
    `clip_head` and `ankle_roll_limits` say what else must hold.
    """
    ranges: list[tuple[float, float]] = []
    for joint, sign in zip(BODY_JOINTS, SIGNS, strict=True):
        if joint in LEG_JOINTS["left"] or joint in LEG_JOINTS["right"]:
            ranges.append(_LEG_RANGES[_LEG.index(joint[1:])])
            continue
        data = JOINTS[joint if joint in JOINTS else joint[1:]]
        ends = data.right if joint[0] == "R" else (data.lower, data.upper)
        low, high = sorted(float(sign) * end for end in ends)
        ranges.append((low, high))
    return np.deg2rad(np.array(ranges).T)


def head_pitch_limits(yaw: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and largest head pitch at a yaw [rad], NAO's sign."""
    turn = np.rad2deg(np.abs(_floats(yaw)))
    low = np.interp(turn, _HEAD_YAW, _HEAD_PITCH_MIN)
    high = np.minimum(np.interp(turn, _HEAD_YAW, _HEAD_PITCH_MAX), 29.5)
    return np.deg2rad(low), np.deg2rad(high)


def clip_head(yaw: ArrayLike, pitch: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return the nearest yaw, then pitch, that the head reaches [rad], NAO's signs."""
    reach = np.deg2rad(JOINTS["HeadYaw"].upper)
    turn = np.clip(_floats(yaw), -reach, reach)
    return turn, np.clip(_floats(pitch), *head_pitch_limits(turn))


def ankle_roll_limits(pitch: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return the range of AnkleRoll at an AnklePitch [rad], B-Human's signs."""
    degrees = np.rad2deg(_floats(pitch))
    low = -np.interp(degrees, _ANKLE_PITCH, _ANKLE_ROLL_MAX)
    high = -np.interp(degrees, _ANKLE_PITCH, _ANKLE_ROLL_MIN)
    ends = _LEG_RANGES[-1]
    return np.deg2rad(np.maximum(low, ends[0])), np.deg2rad(np.minimum(high, ends[1]))


def clip_body(q22: ArrayLike) -> FloatArray:
    """Return the nearest body vectors within all ranges [rad], shape (..., 22).

    Joint by joint, then head pitch by its yaw and ankle roll by its pitch. NaN, in
    place of angles that are left alone, stays.
    """
    q = np.clip(_body("q22", q22), *_ranges())
    q[..., 1] = _within(q[..., 1], *head_pitch_limits(q[..., 0]))
    for leg in LEG.values():
        roll = leg.stop - 1
        q[..., roll] = _within(q[..., roll], *ankle_roll_limits(q[..., roll - 1]))
    return q


@functools.cache
def _ranges() -> FloatArray:
    return limits()


def _within(x: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """Return `x` between bounds; a bound that is NaN is none."""
    return np.where(np.isnan(x), x, np.fmin(np.fmax(x, low), high))


def model_from_body(model: RobotModel, q22: ArrayLike) -> FloatArray:
    """Return the joint values of a NAO model, shape (..., 25).

    RHipYawPitch has no coordinate of its own in the model: it follows the left one.
    Wrists and hands are 0.

    Args:
        model: Made by `robot.nominal_model` or `gelenk.load("nao")`.
        q22: Body vector [rad], B-Human's signs, shape (..., 22).
    """
    angles = nao_from_bh(q22)
    q = np.zeros((*angles.shape[:-1], model.nq))
    for i, joint in enumerate(BODY_JOINTS):
        if joint != "RHipYawPitch":
            q[..., model.joint_id(joint)] = angles[..., i]
    return q


def body_from_model(model: RobotModel, q: ArrayLike) -> FloatArray:
    """Return the body vector of a NAO model's joint values, shape (..., 22)."""
    values = model.check_q("q", q)
    names = ["LHipYawPitch" if j == "RHipYawPitch" else j for j in BODY_JOINTS]
    return bh_from_nao(values[..., [model.joint_id(name) for name in names]])


def _floats(value: ArrayLike) -> FloatArray:
    return np.asarray(value, dtype=np.float64)


def _body(name: str, value: ArrayLike) -> FloatArray:
    array = np.asarray(value, dtype=np.float64)
    if array.ndim == 0 or array.shape[-1] != NUM_BODY:
        raise ShapeError(name, expected=f"(..., {NUM_BODY})", actual=array.shape)
    return array


def parked_hip_pitch(hip_yaw_pitch: ArrayLike) -> FloatArray:
    """Return HipPitch of a leg that is parked while the other one is measured [rad].

    One motor turns both legs. Where it lowers the parked one, its hip pitch lifts it:
    a leg that touches the floor would take load off that motor.

    Args:
        hip_yaw_pitch: Of both legs [rad], any shape.
    """
    return -np.maximum(np.asarray(hip_yaw_pitch, dtype=np.float64), 0.0)
