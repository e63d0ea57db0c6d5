"""A motion file made ready to be played: names resolved, angles within joint limits."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from gelenk.robots.nao.joints import (
    BODY_JOINTS,
    ankle_roll_limits,
    clip_body,
    head_pitch_limits,
)
from gelenk.robots.nao.robot import JOINTS
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray

KEEP, DRIVE, OFF = 0, 1, 2  # what a line does with a joint


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MoveStep:
    """A line of angles.

    Attributes:
        values: Targets or increments [rad], 0 where there are none, shape (22,).
        modes: KEEP, DRIVE or OFF for each joint, shape (22,).
        is_relative: Whether the values are increments.
        duration: Shortest time of the move [s].
        max_speed: [rad/s]; infinite if the line does not limit it.
        is_milestone: Whether to hold the pose.
        token: What the line announces.
        line: Its number in the file.
    """

    values: FloatArray
    modes: IntArray
    is_relative: bool
    duration: float
    max_speed: float
    is_milestone: bool
    token: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StiffnessStep:
    """A line of hardness: stiffness 0 to 1, shape (22,), reached in a time [s]."""

    stiffness: FloatArray
    duration: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Jump:
    """A transition.

    Attributes:
        goal: Number of the step to go on with.
        request: Requested motion that it waits for; None: always taken.
        is_rest: Whether it costs one tick, as the last line of `motions` does.
    """

    goal: int
    request: str | None
    is_rest: bool


Step: TypeAlias = MoveStep | StiffnessStep | Jump


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MotionProgram:
    """Steps of all motions in a row; it begins with the first.

    Attributes:
        steps: They never run off the end: each motion closes with a jump.
        owners: Name of the motion that each step belongs to.
        motions: Names in the order of the file.
        requests: Names that a transition waits for.
    """

    steps: tuple[Step, ...]
    owners: tuple[str, ...]
    motions: tuple[str, ...]
    requests: frozenset[str]


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
