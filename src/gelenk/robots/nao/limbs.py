"""The motion process: says when the body is at rest, plays motions, turns the head."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gelenk.robots.nao import config
from gelenk.robots.nao.framework import topics
from gelenk.robots.nao.joints import HEAD, LEG, NUM_BODY, SIDES, clip_head
from gelenk.robots.nao.motion.engine import EngineState, initial_state, step
from gelenk.robots.nao.motion.program import MotionProgram
from gelenk.robots.nao.poses.view import gaze
from gelenk.robots.nao.representations import (
    FilteredJointData,
    HeadMotionRequest,
    JointData,
    JointRequest,
    MotionRequest,
)
from gelenk.runtime.controller import PureController
from gelenk.runtime.modules import Module, make_process
from gelenk.typing import BoolArray, FloatArray

WINDOW = 20  # readings over which the body must stand still: 0.2 s
SLACK = math.radians(0.02)  # [rad] that a joint may creep meanwhile
HEAD_SPEED = math.radians(120.0)  # [rad/s]


def _used_joints() -> BoolArray:
    """Return which joints must be at rest: those of the arms do not matter."""
    used = np.zeros(NUM_BODY, dtype=bool)
    for part in (HEAD, *(LEG[side] for side in SIDES)):
        used[part] = True
    return used


_USED = np.flatnonzero(_used_joints())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Rest:
    """The newest readings, and since when they stay where they are."""

    times: tuple[float, ...] = ()
    readings: tuple[FloatArray, ...] = ()
    since: float = math.nan


def rest_module(encoder_step: float) -> Module:
    """Return the module that says whether the body stands still.

    It does when over a window all readings stay within two steps of the encoder, and
    their mean does not drift from its first to its second half.

    Args:
        encoder_step: Width of the encoders' steps [rad]; 0: none.
    """
    widest = SLACK + 2.2 * encoder_step
    drift = 0.3 * (SLACK + encoder_step)
    half = WINDOW // 2

    def watch(
        state: _Rest, inputs: Mapping[str, Any]
    ) -> tuple[_Rest, Mapping[str, Any]]:
        data: JointData = inputs["joint_data"]
        if state.times and data.time <= state.times[-1]:
            return state, {}  # nothing new has come
        times = (*state.times, data.time)[-WINDOW:]
        readings = (*state.readings, data.angles)[-WINDOW:]
        window = np.array(readings)
        mean = window[half:].mean(axis=0) if len(window) > half else data.angles
        is_still = False
        if len(window) == WINDOW:
            used = window[:, _USED]
            first = used[:half].mean(axis=0)
            is_still = bool(
                (used.max(axis=0) - used.min(axis=0)).max() <= widest
                and np.abs(first - mean[_USED]).max() <= drift
            )
        since = state.since if is_still else math.nan
        if is_still and math.isnan(since):
            since = times[0]
        rest = FilteredJointData(
            time=data.time, angles=data.angles, mean=mean, still_since=since
        )
        state = _Rest(times=times, readings=readings, since=since)
        return state, {"filtered_joint_data": rest}

    return Module(
        name="JointFilter",
        step=watch,
        initial=_Rest(),
        requires=topics("joint_data"),
        provides=topics("filtered_joint_data"),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Playing:
    """What the engine remembers, and where the head was commanded [rad]."""

    engine: EngineState
    head: FloatArray | None


def motion_module(
    program: MotionProgram, period: float = config.MOTION_PERIOD
) -> Module:
    """Return the module that plays motions and turns the head.

    The head belongs to the motion until a head motion is requested.

    Args:
        program: What it can play.
        period: Of its process [s].
    """

    def play(
        state: _Playing | None, inputs: Mapping[str, Any]
    ) -> tuple[_Playing, Mapping[str, Any]]:
        measured = inputs["joint_data"].angles
        if state is None:
            state = _Playing(engine=initial_state(measured), head=None)
        request = inputs["motion_request"] or MotionRequest()
        turn: HeadMotionRequest | None = inputs["head_motion_request"]
        played = step(program, state.engine, request, period, measured=measured)
        joints, head = played.joints, state.head
        if turn is None or request.is_off:
            head = None
        else:
            head = measured[HEAD] if head is None else head
            head = _turned(head, turn, HEAD_SPEED * period)
            angles = joints.angles.copy()
            angles[HEAD] = head
            joints = JointRequest(angles=angles, stiffness=joints.stiffness)
        outputs = {"joint_request": joints, "motion_info": played.info}
        return _Playing(engine=played.state, head=head), outputs

    return Module(
        name="JointMotionEngine",
        step=play,
        requires=topics("joint_data"),
        uses=topics("motion_request", "head_motion_request"),
        provides=topics("joint_request", "motion_info"),
    )


def _turned(head: FloatArray, turn: HeadMotionRequest, longest: float) -> FloatArray:
    """Return the head's next angles on the straight way to what is requested."""
    wanted = np.array([turn.yaw, turn.pitch])
    if turn.target is not None:
        wanted = gaze(turn.target)
        if not np.isfinite(wanted).all():
            return head  # nearer to the neck than the camera can look
    goal = np.array(clip_head(wanted[0], wanted[1]), dtype=np.float64)
    way = goal - head
    length = float(np.abs(way).max())
    return goal if length <= longest else head + way * (longest / length)


def motion_process(
    program: MotionProgram,
    *,
    encoder_step: float = config.ENCODER_STEP,
    period: float = config.MOTION_PERIOD,
) -> PureController[Any, Any, Any, Any]:
    """Return the process that watches the joints and moves them.

    Args:
        program: Motions that can be requested.
        encoder_step: Width of the encoders' steps [rad]; 0: none.
        period: Time between two cycles [s].
    """
    return make_process(
        "Motion",
        (rest_module(encoder_step), motion_module(program, period)),
        given=topics("joint_data", "motion_request", "head_motion_request"),
        period=period,
    )
