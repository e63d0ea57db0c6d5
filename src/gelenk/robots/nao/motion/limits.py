"""What the joints of the body can do: how far and how fast, clipped and reported."""

from __future__ import annotations

import functools

import numpy as np

from gelenk.robots.nao.joints import (
    BODY_JOINTS,
    ankle_roll_limits,
    clip_body,
    head_pitch_limits,
)
from gelenk.robots.nao.robot import JOINTS
from gelenk.typing import ArrayLike, BoolArray, FloatArray

LEFT_HIP = BODY_JOINTS.index("LHipYawPitch")
RIGHT_HIP = BODY_JOINTS.index("RHipYawPitch")
_YAW, _PITCH = BODY_JOINTS.index("HeadYaw"), BODY_JOINTS.index("HeadPitch")
_ANKLES = tuple(
    (BODY_JOINTS.index(f"{side}AnklePitch"), BODY_JOINTS.index(f"{side}AnkleRoll"))
    for side in "LR"
)
_TOLERANCE = 1e-9  # [rad] by which a clipped angle must differ to count as clipped
_SAMPLES = 129  # of a path between two poses


def clip_command(q22: ArrayLike) -> FloatArray:
    """Return the nearest angles that the motors reach.

    Both hips get the left HipYawPitch: there is one motor.

    Args:
        q22: Body vector [rad], shape (..., 22).
    """
    q = np.array(q22, dtype=np.float64)
    q[..., RIGHT_HIP] = q[..., LEFT_HIP]
    return clip_body(q)


def differs(wanted: FloatArray, clipped: FloatArray) -> BoolArray:
    """Return which joints a limit holds back, shape (..., 22)."""
    return np.abs(wanted - clipped) > _TOLERANCE


@functools.cache
def max_speeds() -> FloatArray:
    """Return the largest speeds of the joints [rad/s], shape (22,)."""
    names = [joint if joint in JOINTS else joint[1:] for joint in BODY_JOINTS]
    speeds = np.deg2rad([JOINTS[name].speed for name in names])
    speeds.setflags(write=False)
    return speeds


def shortest_time(start: FloatArray, target: FloatArray, speeds: FloatArray) -> float:
    """Return the time in which no joint of a straight, clipped path is too fast [s].

    Where a table clips the path, a joint follows the edge of the table, and may be
    faster there than on the straight line.

    Args:
        start: Where the path begins [rad], within the limits, shape (22,).
        target: Where it ends [rad], within the limits, shape (22,).
        speeds: Largest speeds [rad/s], shape (22,).
    """
    travel = np.abs(target - start)
    share = np.linspace(0.0, 1.0, _SAMPLES)[:, None]
    path = start + share * (target - start)
    is_clipped = np.any(differs(path, clip_command(path)), axis=0)
    for (leader, follower), steepness in _edges().items():
        if is_clipped[follower]:
            travel[follower] = max(travel[follower], steepness * travel[leader])
    return float(np.max(travel / speeds))


@functools.cache
def _edges() -> dict[tuple[int, int], float]:
    """Return the steepest edge of each table by the joint that leads and follows."""
    turn = np.linspace(-np.pi, np.pi, 36001)
    steepest = [
        max(float(np.max(np.abs(np.gradient(edge, turn)))) for edge in table(turn))
        for table in (head_pitch_limits, ankle_roll_limits)
    ]
    return {(_YAW, _PITCH): steepest[0]} | dict.fromkeys(_ANKLES, steepest[1])
