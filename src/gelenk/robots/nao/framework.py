"""NAO's modules and the world meet here: topics, sensors, joints and the motion engine.

The processes are `Motion`, at 100 Hz, and `Cognition`, at 60 Hz or driven by images.
Each is made of modules by `gelenk.runtime.make_process`; what they tell each other are
the representations, under the topics of `TOPICS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gelenk.core.model.tree import RobotModel
from gelenk.robots.nao import representations as rep
from gelenk.robots.nao.config import MOTION_PERIOD
from gelenk.robots.nao.drives import stiffness
from gelenk.robots.nao.joints import body_from_model, model_from_body
from gelenk.robots.nao.motion.engine import EngineState, initial_state, step
from gelenk.robots.nao.motion.program import MotionProgram
from gelenk.robots.nao.world import NaoNames
from gelenk.runtime import CameraImage, Module, PureController, View

TOPICS: dict[str, type] = {
    "joint_data": rep.JointData,
    "key_states": rep.KeyStates,
    "image": CameraImage,
    "corner_percept": rep.CornerPercept,
    "chessboard": rep.Chessboard,
    "camera_matrix": rep.CameraMatrix,
    "calibrator_output": rep.CalibratorOutput,
    "motion_request": rep.MotionRequest,
    "head_motion_request": rep.HeadMotionRequest,
    "motion_info": rep.MotionInfo,
    "joint_request": rep.JointRequest,
}
SENSOR_TOPICS = ("joint_data", "key_states", "image")


def topics(*names: str) -> dict[str, type]:
    """Return message types by topic, for `requires`, `uses` and `provides`.

    Example:
        >>> topics("image", "chessboard")["chessboard"].__name__
        'Chessboard'
    """
    return {name: TOPICS[name] for name in names}


def motion_module(program: MotionProgram) -> Module:
    """Return the motion engine as a module, to be run every 10 ms.

    Args:
        program: What it can play.
    """

    def play(
        state: EngineState | None, inputs: Mapping[str, Any]
    ) -> tuple[EngineState, Mapping[str, Any]]:
        angles = inputs["joint_data"].angles
        state = initial_state(angles) if state is None else state
        request = inputs["motion_request"] or rep.MotionRequest()
        played = step(program, state, request, MOTION_PERIOD, measured=angles)
        outputs = {"joint_request": played.joints, "motion_info": played.info}
        return played.state, outputs

    return Module(
        name="JointMotionEngine",
        step=play,
        requires=topics("joint_data"),
        uses=topics("motion_request"),
        provides=topics("joint_request", "motion_info"),
    )


def make_body(model: RobotModel, names: NaoNames) -> PureController:
    """Return the controller that hands joint requests to the motors.

    Args:
        model: Of the robot; its joints are those of the world's robot.
        names: Of the parts in the world.
    """

    def observe(view: View) -> rep.JointRequest | None:
        return view.bus.latest("joint_request")

    def command(view: View, request: rep.JointRequest | None) -> None:
        if request is None:
            return
        is_left = request.angles == rep.IGNORE
        is_free = is_left | (request.angles == rep.OFF)
        # NaN leaves a motor as it is.
        angles = np.where(is_free, np.nan, request.angles)
        firmness = np.where(is_left, np.nan, request.stiffness)
        q = model_from_body(model, angles)
        view.world.command(names.robot, q, stiffness(model, firmness))

    return PureController(
        name="Body",
        step=lambda cfg, state, request: (state, request),
        cfg=None,
        initial=None,
        observe=observe,
        apply=command,
        period=MOTION_PERIOD,
        robot=names.robot,
        requires=topics("joint_request"),
    )


def make_sensor_publisher(
    model: RobotModel, names: NaoNames, *, camera: str | None = None
) -> Callable[[View], None]:
    """Return what publishes NAO's sensors; for the `publishers` of a `Run`.

    Args:
        model: Of the robot; its joints are those of the world's robot.
        names: Of the parts in the world.
        camera: Whose images are published, each once; None: none.
    """

    def publish(view: View) -> None:
        world, bus = view.world, view.bus
        reading = world.read(names.encoders)
        if reading.is_valid:
            angles = body_from_model(model, reading.value)
            data = rep.JointData(time=reading.time, angles=angles)
            bus.publish("joint_data", data, sender="sensors")
        pressed = world.read(names.bumpers).value > 0.5
        keys = rep.KeyStates(
            is_left_pressed=bool(pressed[:2].any()),
            is_right_pressed=bool(pressed[2:].any()),
        )
        bus.publish("key_states", keys, sender="sensors")
        if camera is not None:
            _publish_image(view, camera)

    return publish


def _publish_image(view: View, camera: str) -> None:
    image = view.world.image(camera)
    last = view.bus.latest("image")
    if image is None or (last is not None and last.number == image.frame):
        return
    message = CameraImage.from_pixels(
        image.pixels, camera=camera, number=image.frame, time=image.time
    )
    view.bus.publish("image", message, sender="sensors")
