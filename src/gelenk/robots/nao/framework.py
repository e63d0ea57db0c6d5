"""Where NAO's processes and its world meet: topics, sensors and motors.

The processes are `Motion` (`limbs`), 100 times a second, and `Cognition`, 60 times a
second. Each is made of modules by `gelenk.runtime.make_process`; what they tell each
other are the representations, under the topics of `TOPICS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from gelenk.models.tree import RobotModel
from gelenk.robots.nao import representations as rep
from gelenk.robots.nao.compensation import Compensation
from gelenk.robots.nao.config import MOTION_PERIOD
from gelenk.robots.nao.drives import WARM_JOINTS, stiffness
from gelenk.robots.nao.joints import BODY_JOINTS, body_from_model, model_from_body
from gelenk.robots.nao.world import NaoNames
from gelenk.runtime import CameraImage, PureController, View

TOPICS: dict[str, type] = {
    "frame_info": rep.FrameInfo,
    "joint_data": rep.JointData,
    "joint_temperatures": rep.JointTemperatures,
    "key_states": rep.KeyStates,
    "image": CameraImage,
    "filtered_joint_data": rep.FilteredJointData,
    "corner_percept": rep.CornerPercept,
    "chessboard": rep.Chessboard,
    "camera_matrix": rep.CameraMatrix,
    "calibrator_output": rep.CalibratorOutput,
    "motion_request": rep.MotionRequest,
    "head_motion_request": rep.HeadMotionRequest,
    "motion_info": rep.MotionInfo,
    "joint_request": rep.JointRequest,
}
SENSOR_TOPICS = (
    "frame_info",
    "joint_data",
    "joint_temperatures",
    "key_states",
    "image",
)
SILENCE = 0.5  # [s] after which a process that has spoken before counts as ended
_WARM = [BODY_JOINTS.index(joint) for joint in WARM_JOINTS]


def topics(*names: str) -> dict[str, type]:
    """Return message types by topic, for `requires`, `uses` and `provides`.

    Example:
        >>> topics("image", "chessboard")["chessboard"].__name__
        'Chessboard'
    """
    return {name: TOPICS[name] for name in names}


def make_body(
    model: RobotModel,
    names: NaoNames,
    *,
    watched: Iterable[str] = ("joint_request",),
    compensation: Compensation | None = None,
) -> PureController:
    """Return the controller that hands joint requests to the motors.

    It switches them off when one of the processes falls silent.

    Args:
        model: Of the robot; its joints are those of the world's robot.
        names: Of the parts in the world.
        watched: Topics on which messages must go on coming, once they have begun.
        compensation: Corrects requests; None: they are passed on as they are.
    """
    lifelines = tuple(watched)

    def observe(view: View) -> rep.JointRequest | None:
        if any(_is_silent(view, topic) for topic in lifelines):
            off = np.full(len(BODY_JOINTS), rep.OFF)
            return rep.JointRequest(angles=off, stiffness=np.zeros(len(BODY_JOINTS)))
        return view.bus.latest("joint_request")

    def command(view: View, request: rep.JointRequest | None) -> None:
        if request is None:
            return
        is_left, is_off = request.angles == rep.IGNORE, request.angles == rep.OFF
        # NaN leaves a motor as it is.
        angles = np.where(is_left | is_off, np.nan, request.angles)
        if compensation is not None:
            angles = compensation.command(angles)
        firmness = np.where(is_off, 0.0, request.stiffness)
        firmness = np.where(is_left, np.nan, firmness)
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


def _is_silent(view: View, topic: str) -> bool:
    """Return whether a topic had messages, and has none any more."""
    last = view.bus.latest_delivery(topic)
    return last is not None and view.time - 1e-9 * last.time_ns > SILENCE


def make_sensor_publisher(
    model: RobotModel,
    names: NaoNames,
    *,
    camera: str | None = None,
    on_demand: bool = False,
    has_thermometers: bool = False,
    compensation: Compensation | None = None,
) -> Callable[[View], None]:
    """Return what publishes NAO's sensors; for the `publishers` of a `Run`.

    Args:
        model: Of the robot; its joints are those of the world's robot.
        names: Of the parts in the world.
        camera: Whose images are published, each once; None: none.
        on_demand: Draw and publish images only while `calibrator_output` wants them.
        has_thermometers: Whether the world's motors become warm.
        compensation: Corrects readings of joints; None: they are published as read.
    """

    def publish(view: View) -> None:
        world, bus = view.world, view.bus
        bus.publish("frame_info", rep.FrameInfo(time=view.time), sender="sensors")
        reading = world.read(names.encoders)
        if reading.is_valid:
            angles = body_from_model(model, reading.value)
            if compensation is not None:
                angles = compensation.corrected(angles)
            data = rep.JointData(time=reading.time, angles=angles)
            bus.publish("joint_data", data, sender="sensors")
        bumpers = world.read(names.bumpers)
        if bumpers.is_valid:
            pressed = bumpers.value > 0.5
            keys = rep.KeyStates(
                is_left_pressed=bool(pressed[:2].any()),
                is_right_pressed=bool(pressed[2:].any()),
            )
            bus.publish("key_states", keys, sender="sensors")
        if has_thermometers:
            _publish_temperatures(view, names.temperatures)
        if camera is not None and (not on_demand or _is_detector_on(view)):
            _publish_image(view, camera)

    return publish


def _publish_temperatures(view: View, sensor: str) -> None:
    reading = view.world.read(sensor)
    if reading.is_valid:
        kelvin = np.full(len(BODY_JOINTS), np.nan)
        kelvin[_WARM] = reading.value
        message = rep.JointTemperatures(kelvin=kelvin)
        view.bus.publish("joint_temperatures", message, sender="sensors")


def _is_detector_on(view: View) -> bool:
    output = view.bus.latest("calibrator_output")
    return output is not None and output.is_detector_on


def _publish_image(view: View, camera: str) -> None:
    image = view.world.image(camera)
    last = view.bus.latest("image")
    if image is None or (last is not None and last.number == image.frame):
        return
    message = CameraImage.from_pixels(
        image.pixels, camera=camera, number=image.frame, time=image.time
    )
    view.bus.publish("image", message, sender="sensors")
