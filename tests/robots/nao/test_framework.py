"""NAO's modules find their order, keep their rates, and can be replayed without NAO."""

import itertools
from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.framework import (
    SENSOR_TOPICS,
    SILENCE,
    TOPICS,
    make_body,
    make_sensor_publisher,
    topics,
)
from gelenk.robots.nao.joints import LEG
from gelenk.robots.nao.limbs import motion_module
from gelenk.robots.nao.representations import (
    IGNORE,
    OFF,
    CalibratorOutput,
    Chessboard,
    CornerPercept,
    JointRequest,
    MotionRequest,
)
from gelenk.robots.nao.robot_with_errors import nominal_model, rest_body
from gelenk.robots.nao.world import make_world
from gelenk.runtime import (
    Bus,
    CameraImage,
    Module,
    PureController,
    Recorder,
    Recording,
    Replay,
    Run,
    make_process,
    open_recording,
    order_modules,
)
from gelenk.runtime.messages import codec_for
from gelenk.vision.chess import find_corners
from gelenk.vision.chessboard import detect_chessboard
from robots.nao.motion.sample_motions import program_of, with_body

SENSORS = topics("joint_data", "key_states", "image", "motion_info")
RAISE = program_of(
    with_body(
        "(LHipPitch -60, LKneePitch 70) 80 0 rise",
        "(LKneePitch 60) 60 0 milestone up",
        "(LKneePitch 70) 60 0 end",
    )
)


def find(state: None, inputs: Mapping[str, Any]):
    """Search an image for corners, if the calibrator wants it."""
    output, image = inputs["calibrator_output"], inputs["image"]
    if output is None or not output.is_detector_on:
        return state, {}
    found = find_corners(image.pixels)
    return state, {
        "corner_percept": CornerPercept(
            time=image.time, xy=found.xy, response=found.response
        )
    }


def order(state: None, inputs: Mapping[str, Any]):
    """Search the same image for the board."""
    image = inputs["image"]
    found = detect_chessboard(image.pixels)
    corners = np.empty((0, 2)) if found.corners is None else found.corners
    return state, {
        "chessboard": Chessboard(
            time=image.time,
            corners=corners,
            is_measured=np.ones(len(corners), dtype=bool),
            status=found.status,
        )
    }


def calibrate(count: int, inputs: Mapping[str, Any]):
    """Want the detector on, and a leg raised, once, and let it go on at milestones."""
    info = inputs["motion_info"]
    request = MotionRequest(
        motion="go" if count < 5 else "", is_continuing=info.is_at_milestone
    )
    return count + 1, {
        "calibrator_output": CalibratorOutput(is_detector_on=True),
        "motion_request": request,
    }


CORNERS = Module(
    name="ChessCornerDetector",
    step=find,
    requires=topics("image"),
    uses=topics("calibrator_output"),
    provides=topics("corner_percept"),
)
BOARD = Module(
    name="ChessboardDetector",
    step=order,
    requires=topics("corner_percept", "image"),
    provides=topics("chessboard"),
)
CALIBRATOR = Module(
    name="Calibrator",
    step=calibrate,
    initial=0,
    requires=topics("motion_info"),
    uses=topics("chessboard"),
    provides=topics("calibrator_output", "motion_request"),
)


@pytest.mark.capability("CA-81")
@pytest.mark.parametrize("given", list(itertools.permutations((CALIBRATOR, BOARD, CORNERS))))  # fmt: skip
def test_the_modules_find_their_order(given) -> None:
    ordered = [module.name for module in order_modules(given, given=SENSORS)]

    assert ordered.index("ChessCornerDetector") < ordered.index("ChessboardDetector")


@pytest.mark.capability("CA-81")
def test_modules_in_a_circle_are_refused_by_name() -> None:
    """The calibrator switches the detector whose board it waits for."""
    eager = Module(
        name="Calibrator",
        step=calibrate,
        requires=topics("chessboard"),
        provides=topics("calibrator_output"),
    )
    strict = Module(
        name="ChessCornerDetector",
        step=find,
        requires=topics("image", "calibrator_output"),
        provides=topics("corner_percept"),
    )

    with pytest.raises(ConfigError) as caught:
        order_modules([eager, strict, BOARD], given=SENSORS)

    for words in (
        "'Calibrator' requires 'chessboard' of 'ChessboardDetector'",
        "'ChessboardDetector' requires 'corner_percept' of 'ChessCornerDetector'",
        "'ChessCornerDetector' requires 'calibrator_output' of 'Calibrator'",
    ):
        assert words in str(caught.value)


def test_every_representation_can_be_recorded() -> None:
    for kind in TOPICS.values():
        assert codec_for(kind).schema["type"] == "object"
    output = CalibratorOutput(region=(1, 2, 3, 4), camera_turn=(0.1, 0.2, 0.3))
    codec = codec_for(CalibratorOutput)
    again = codec.decode(codec.encode(output))
    assert (again.region, again.camera_turn) == (output.region, output.camera_turn)
    np.testing.assert_array_equal(again.joint_offsets, np.zeros(22))


def looking_at_the_board() -> np.ndarray:
    """Return a pose in which the left board is in the middle of the image."""
    q = rest_body()
    q[:2] = np.deg2rad([19.0, 13.0])
    q[LEG["left"]] = np.deg2rad([0.0, 5.0, -60.0, 70.0, -25.0, 8.0])
    return q


def cognition(**options) -> PureController:
    return make_process(
        "Cognition", [CALIBRATOR, BOARD, CORNERS], given=SENSORS, **options
    )


def counting(name: str, **options) -> PureController:
    """Return a process whose only module counts its cycles."""
    counter = Module(name=f"{name}Counter", step=lambda n, _: (n + 1, {}), initial=0)
    return make_process(name, [counter], **options)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recording]:
    """A run of NAO in its world: 0.45 s, a leg that moves, images of its board."""
    path = tmp_path_factory.mktemp("nao") / "run.mcap"
    q = looking_at_the_board()
    world, names = make_world(NaoErrors(), q22=q)
    model = nominal_model()
    sensors = make_sensor_publisher(model, names, camera=names.lower)
    motion = make_process(
        "Motion",
        [motion_module(RAISE)],
        given=topics("joint_data", "motion_request", "head_motion_request"),
        period=0.01,
    )
    controllers = [motion, make_body(model, names), cognition(driver="image")]
    with (
        world,
        Recorder(path) as recorder,
        Run(
            world,
            controllers,
            bus=Bus(topics(*SENSOR_TOPICS, "head_motion_request")),
            period=0.01,
            recorder=recorder,
            publishers=[sensors],
        ) as run,
    ):
        run.run(0.45)
    with open_recording(path) as recording:
        yield recording


@pytest.mark.slow
@pytest.mark.capability("CA-82")
def test_motion_and_cognition_keep_their_rates_and_hear_each_other(recorded) -> None:
    times = {topic: recorded.times(topic) for topic in recorded.topics}

    # Motion answers every tick from the first joint data on: 100 Hz.
    np.testing.assert_allclose(np.diff(times["joint_request"]), 0.01, atol=1e-9)
    assert len(times["motion_info"]) > 40
    # Cognition is driven by the camera: 30 images and answers per second.
    count = len(times["image"])
    assert 12 <= count <= 14
    assert np.allclose(np.diff(times["image"]), 1 / 30, atol=0.0101)
    assert count - 2 <= len(times["motion_request"]) <= count  # motion is heard first
    # Requests of cognition reached motion, and its milestone came back.
    tokens = [m.value["token"] for m in recorded.messages("motion_info")]
    assert list(dict.fromkeys(tokens)) == ["", "rise", "up", "end"]
    switches = [m.value["is_continuing"] for m in recorded.messages("motion_request")]
    assert any(switches)


@pytest.mark.slow
@pytest.mark.capability("CA-82")
def test_the_joints_of_the_world_follow_the_motion_engine(recorded) -> None:
    _, wanted = recorded.arrays("joint_request", "angles")
    _, measured = recorded.arrays("joint_data", "angles")

    knee = LEG["left"].start + 3
    is_driven = wanted[:, knee] < 1000.0
    assert np.rad2deg(np.ptp(wanted[is_driven, knee])) > 9.0
    # A servo of some 40 rad/s lags 170 deg/s by some degrees.
    both = min(len(wanted), len(measured))
    lag = np.rad2deg(np.abs(wanted[:both, knee] - measured[:both, knee]))
    assert 0.5 < lag[is_driven[:both]].max() < 12.0
    assert lag[both - 1] < 2.0


@pytest.mark.slow
@pytest.mark.capability("CA-84")
def test_a_replay_without_the_world_gives_identical_detections(
    recorded, tmp_path
) -> None:
    replay = Replay(
        recorded,
        topics("joint_data", "key_states", "image", "motion_info"),
        period=0.01,
    )
    with (
        Recorder(tmp_path / "again.mcap") as recorder,
        Run(
            replay,
            [cognition(driver="image")],
            bus=replay.bus,
            step=replay.period,
            recorder=recorder,
            publishers=[replay.publish],
        ) as run,
    ):
        run.run(replay.duration)

    with open_recording(tmp_path / "again.mcap") as again:
        for topic in ("image", "corner_percept", "chessboard", "motion_request"):
            before, after = (
                [(m.time_ns, m.data) for m in recording.raw() if m.topic == topic]
                for recording in (recorded, again)
            )
            assert len(before) > 8
            assert after[: len(before)] == before  # byte by byte
        statuses = {m.value["status"] for m in again.messages("chessboard")}
        assert statuses == {"found"}
        image = next(again.messages("image", message_type=CameraImage)).value
        assert image.pixels.shape == (480, 640)


@pytest.mark.capability("CA-82")
def test_processes_of_100_60_and_30_cycles_per_second_share_a_clock() -> None:
    class Clockwork:
        tick = 0

        def step(self, n: int = 1) -> None:
            self.tick += n

        def snapshot(self) -> int:
            return self.tick

        def restore(self, tick: int) -> None:
            self.tick = tick

    processes = [
        counting("Motion", period=0.01),
        counting("Cognition", rate=60.0),
        counting("Camera", rate=30.0),
    ]
    with Run(Clockwork(), processes, step=0.001, period=0.002) as run:
        run.run(5.0)
        counts = {host.name: host.value.states[0] for host in run.executors}  # type: ignore[attr-defined]

    assert counts == {"Motion": 500, "Cognition": 300, "Camera": 150}


def test_joints_are_left_to_others_or_switched_off() -> None:
    world, names = make_world(NaoErrors(), q22=looking_at_the_board())
    body = make_body(nominal_model(), names)

    def fall_after(angle: float) -> float:
        """Return how far a joint moves in 0.2 s after a request for all [deg]."""
        before = world.joint_positions(names.robot)
        request = JointRequest(angles=np.full(22, angle), stiffness=np.ones(22))
        view: Any = SimpleNamespace(world=world)
        body.apply(view, request)
        world.run(0.2)
        moved = np.abs(world.joint_positions(names.robot) - before)
        return float(np.rad2deg(moved.max()))

    with world:
        world.run(0.5)
        assert fall_after(IGNORE) < 0.1
        assert fall_after(OFF) > 1.0


def test_motors_are_off_when_a_process_falls_silent() -> None:
    """The last word of the motion process is not obeyed for ever."""
    world, names = make_world(NaoErrors(), q22=looking_at_the_board())
    commands: list[np.ndarray] = []

    def note(robot: str, q: np.ndarray, firmness: np.ndarray) -> None:
        commands.append(firmness)

    body = make_body(nominal_model(), names)
    bus = Bus(topics("joint_request"))
    request = JointRequest(angles=looking_at_the_board(), stiffness=np.ones(22))
    bus.publish("joint_request", request)
    bus.advance(1_000_000)
    for time in (0.001, SILENCE, SILENCE + 0.01):
        view: Any = SimpleNamespace(
            world=SimpleNamespace(command=note), bus=bus, time=time
        )
        body.apply(view, body.observe(view))
    world.close()

    assert [firmness.max() for firmness in commands] == [1.0, 1.0, 0.0]
