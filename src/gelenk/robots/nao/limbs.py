"""The motion process: reads joints, plays motions, turns the head, drives motors."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gelenk.core.kinematics.forward import frame_pose
from gelenk.core.model.tree import RobotModel
from gelenk.core.typing import FloatArray
from gelenk.robots.nao import config
from gelenk.robots.nao.drives import stiffness
from gelenk.robots.nao.joints import (
    HEAD,
    LEG,
    SIDES,
    body_from_model,
    clip_head,
    model_from_body,
)
from gelenk.robots.nao.motion.engine import EngineState, initial_state, step
from gelenk.robots.nao.motion.program import MotionProgram
from gelenk.robots.nao.poses.gaze import gaze
from gelenk.robots.nao.representations import (
    IGNORE,
    OFF,
    FilteredJointData,
    HeadMotionRequest,
    JointData,
    JointRequest,
    KeyStates,
    MotionInfo,
    MotionRequest,
)
from gelenk.robots.nao.world import NaoNames
from gelenk.runtime.controller import PureController, View
from gelenk.runtime.images import CameraImage
from gelenk.runtime.modules import Module, make_process

JOINTS_TOPIC = "joint_data"
KEYS_TOPIC = "key_states"
IMAGE_TOPIC = "image"
STILL_TOPIC = "filtered_joint_data"
REQUEST_TOPIC = "joint_request"
INFO_TOPIC = "motion_info"
MOTION_TOPIC = "motion_request"
HEAD_TOPIC = "head_motion_request"
OUTPUT_TOPIC = "calibrator_output"

# What `sense` publishes.
SENSED: dict[str, type] = {
    JOINTS_TOPIC: JointData,
    KEYS_TOPIC: KeyStates,
    IMAGE_TOPIC: CameraImage,
}

WINDOW = 20  # readings over which the body must stand still: 0.2 s
SLACK = math.radians(0.02)  # [rad] that a joint may creep meanwhile
HEAD_SPEED = math.radians(120.0)  # [rad/s]
_USED = np.zeros(22, dtype=bool)  # joints that must be at rest: arms do not matter
_USED[HEAD] = True
for _side in SIDES:
    _USED[LEG[_side]] = True


def sense(names: NaoNames, model: RobotModel) -> Callable[[View], None]:
    """Return what publishes NAO's sensors in every control tick.

    Images are published only while the calibrator's output asks for them.

    Args:
        names: Of the robot's parts in its world.
        model: Its nominal model: order of the joints.
    """
    shown = {"number": -1}

    def publish(view: View) -> None:
        reading = view.world.read(names.encoders)
        if reading.is_valid:
            angles = body_from_model(model, np.asarray(reading.value))
            data = JointData(time=float(reading.time), angles=angles)
            view.bus.publish(JOINTS_TOPIC, data, sender="sensors")
        bumpers = view.world.read(names.bumpers)
        if bumpers.is_valid:
            left, right = (bumpers.value.reshape(2, 2) > 0.5).any(axis=1)
            keys = KeyStates(is_left_pressed=bool(left), is_right_pressed=bool(right))
            view.bus.publish(KEYS_TOPIC, keys, sender="sensors")
        output = view.bus.latest(OUTPUT_TOPIC)
        if output is not None and output.is_detector_on:
            image = view.world.image(names.lower)
            if image is not None and image.frame != shown["number"]:
                shown["number"] = image.frame
                message = CameraImage.from_pixels(
                    image.pixels,
                    camera=names.lower,
                    number=image.frame,
                    time=image.time,
                )
                view.bus.publish(IMAGE_TOPIC, message, sender="sensors")

    return publish


class _Rest(NamedTuple):
    """The newest readings, and since when they stay where they are."""

    times: FloatArray
    readings: FloatArray
    since: float


def joint_filter(
    encoder_step: float,
) -> Callable[[Any, Mapping[str, Any]], tuple[Any, Mapping[str, Any]]]:
    """Return the step of the module that says whether the body stands still.

    It does when over the window all readings stay within two steps of the encoder,
    and their mean does not drift from its first to its second half.

    Args:
        encoder_step: Width of the encoders' steps [rad]; 0: none.
    """
    widest = SLACK + 2.2 * encoder_step
    drift = 0.3 * (SLACK + encoder_step)

    def watch(
        state: _Rest | None, inputs: Mapping[str, Any]
    ) -> tuple[_Rest, Mapping[str, Any]]:
        data: JointData = inputs[JOINTS_TOPIC]
        q = data.angles
        if state is None:
            state = _Rest(np.zeros(0), np.zeros((0, 22)), math.nan)
        times = np.append(state.times, data.time)[-WINDOW:]
        readings = np.vstack([state.readings, q])[-WINDOW:]
        used, half = readings[:, _USED], len(readings) // 2
        is_still = (
            len(readings) == WINDOW
            and np.ptp(used, axis=0).max() <= widest
            and np.abs(used[:half].mean(0) - used[half:].mean(0)).max() <= drift
        )
        since = state.since
        if not is_still:
            since = math.nan
        elif math.isnan(since):
            since = float(times[0])
        mean = readings[half:].mean(axis=0)
        out = FilteredJointData(time=data.time, angles=q, mean=mean, still_since=since)
        return _Rest(times, readings, since), {STILL_TOPIC: out}

    return watch


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Playing:
    """What the engine remembers, and where the head was commanded [rad]."""

    engine: EngineState
    head: FloatArray


def play(
    program: MotionProgram, period: float
) -> Callable[[Any, Mapping[str, Any]], tuple[Any, Mapping[str, Any]]]:
    """Return the step of the module that plays motions and turns the head.

    Args:
        program: Motions.
        period: Of the process [s].
    """

    def advance(
        state: _Playing | None, inputs: Mapping[str, Any]
    ) -> tuple[_Playing, Mapping[str, Any]]:
        joints: FilteredJointData = inputs[STILL_TOPIC]
        if state is None:
            state = _Playing(
                engine=initial_state(joints.angles), head=joints.angles[HEAD].copy()
            )
        request = inputs[MOTION_TOPIC] or MotionRequest()
        played = step(program, state.engine, request, period, measured=joints.angles)
        angles = played.joints.angles.copy()
        head = _turned(state.head, inputs[HEAD_TOPIC], HEAD_SPEED * period)
        if not request.is_off:
            angles[HEAD] = head
        joint_request = JointRequest(angles=angles, stiffness=played.joints.stiffness)
        return _Playing(engine=played.state, head=head), {
            REQUEST_TOPIC: joint_request,
            INFO_TOPIC: played.info,
        }

    return advance


def _turned(
    head: FloatArray, request: HeadMotionRequest | None, longest: float
) -> FloatArray:
    """Return the head's next angles on the way to what is requested."""
    if request is None:
        return head
    wanted = np.array([request.yaw, request.pitch])
    if request.target is not None:
        wanted = gaze(request.target)
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
    """Return the process that filters readings and plays motions, 100 times a second.

    Args:
        program: Motions that can be requested.
        encoder_step: Width of the encoders' steps [rad]; 0: none.
        period: Time between two cycles [s].
    """
    return make_process(
        "Motion",
        (
            Module(
                name="JointFilter",
                step=joint_filter(encoder_step),
                requires={JOINTS_TOPIC: JointData},
                provides={STILL_TOPIC: FilteredJointData},
            ),
            Module(
                name="JointMotionEngine",
                step=play(program, period),
                requires={STILL_TOPIC: FilteredJointData},
                uses={MOTION_TOPIC: MotionRequest, HEAD_TOPIC: HeadMotionRequest},
                provides={REQUEST_TOPIC: JointRequest, INFO_TOPIC: MotionInfo},
            ),
        ),
        given={
            JOINTS_TOPIC: JointData,
            MOTION_TOPIC: MotionRequest,
            HEAD_TOPIC: HeadMotionRequest,
        },
        period=period,
    )


def motor_provider(
    names: NaoNames, model: RobotModel
) -> PureController[None, None, JointRequest | None, JointRequest | None]:
    """Return what hands commands to the motors.

    Args:
        names: Of the robot's parts in its world.
        model: Its nominal model.
    """
    held = {"angles": np.zeros(22)}

    def apply(view: View, request: JointRequest | None) -> None:
        if request is None:
            return
        angles = request.angles
        is_off = angles == OFF
        keeps = is_off | (angles == IGNORE)
        held["angles"] = np.where(keeps, held["angles"], angles)
        hardness = np.where(is_off, 0.0, request.stiffness)
        view.world.command(
            names.robot,
            model_from_body(model, held["angles"]),
            stiffness(model, hardness),
        )

    return PureController(
        name="NaoProvider",
        step=lambda cfg, state, request: (None, request),
        cfg=None,
        initial=None,
        observe=lambda view: view.bus.latest(REQUEST_TOPIC),
        apply=apply,
        robot=names.robot,
        requires={REQUEST_TOPIC: JointRequest},
    )


def sole_point(
    model: RobotModel, angles: FloatArray, side: str, p_sole: FloatArray
) -> FloatArray:
    """Return a point of a sole in the torso's frame [m], shape (3,).

    Args:
        model: The nominal robot.
        angles: Body vector [rad], shape (22,).
        side: Of the sole.
        p_sole: The point in the sole's frame [m].
    """
    T = frame_pose(model, model_from_body(model, angles), frame=f"{side[0]}_sole")
    return T[:3, :3] @ p_sole + T[:3, 3]
