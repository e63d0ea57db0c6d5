"""The simulated place in which a NAO lies on its back and looks at its sandals.

The world is the truth. A calibration reads the sensors that `NaoNames` lists and the
cameras' images, and nothing else.

World axes: z up, the feet towards +x, the robot's left side towards +y. Images are
drawn when they are asked for.

| level | what is real |
|---|---|
| 1 | drawn images, blurred; exact encoders in front of stiff gears |
| 2 | and noise, vignetting; encoders with steps of 0.1 deg and noise |
| 3 | and the drives' elasticity and play, which the encoders do not see |

Offsets, lengths, camera, lens and boards of the errors are true at every level.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

from gelenk.errors import ConfigError
from gelenk.models.tree import RobotModel
from gelenk.robots.nao import config, sandal
from gelenk.robots.nao.drives import WARM_JOINTS, servo_motors, stiffness
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.joints import SIDES, Side, model_from_body
from gelenk.robots.nao.light import LightScene, light_scene
from gelenk.robots.nao.robot_with_errors import (
    BUMPER_RADIUS,
    nominal_intrinsics,
    rest_body,
    true_intrinsics,
    true_model,
)
from gelenk.sim.bridge.engine import EngineCfg
from gelenk.sim.cameras.boards import Chessboard
from gelenk.sim.cameras.description import Camera, SensorNoise
from gelenk.sim.config import WorldConfig
from gelenk.sim.fixed_objects import Ground
from gelenk.sim.motors.descriptions import Heating
from gelenk.sim.robot import Robot
from gelenk.sim.scene_object import Ball
from gelenk.sim.sensors.descriptions import (
    Encoder,
    Imu,
    MotorTemperature,
    Sensor,
    SensorModel,
    TouchSwitch,
)
from gelenk.sim.world import Addable, World
from gelenk.typing import ArrayLike, FloatArray
from gelenk.vision.camera import Intrinsics

Level = Literal[1, 2, 3]
CameraName = Literal["lower", "upper"]

# Columns: x, y, z of the torso in the world; lying on the back.
R_WORLD_TORSO = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
_FINGER_RADIUS = 0.01  # [m]
_FINGER_REST = (-1.5, 1.0, 0.01)  # [m], where the finger waits that presses bumpers


class NaoNames(NamedTuple):
    """Under which names a NAO's parts are asked for in its world.

    Attributes:
        robot: For `World.command`, in the order of the model's joints.
        encoders: Angles of the model's joints, motor's side [rad], (25,).
        imu: Specific force and angular rate in the torso's axes, (6,).
        bumpers: Left foot left and right, right foot left and right: 1 if pressed.
        temperatures: Of the motors of `WARM_JOINTS` [K]; in worlds with `heating`.
        lower, upper: The cameras.
        boards: Bodies of the left and the right board.
        finger: The body that presses bumpers.
    """

    robot: str = "nao"
    encoders: str = "nao/encoders"
    imu: str = "nao/imu"
    bumpers: str = "nao/bumpers"
    temperatures: str = "nao/temperatures"
    lower: str = "lower"
    upper: str = "upper"
    boards: tuple[str, str] = ("left_board", "right_board")
    finger: str = "finger"


@dataclass(frozen=True, slots=True, kw_only=True)
class NaoWorldCfg:
    """What else can be chosen.

    Attributes:
        eye: What the cameras do to light.
        boards: Sides that wear a sandal's board.
        flipped: Sides whose board was put on with its print down.
        has_lens_cap: Whether the lower camera sees nothing.
        upper_camera: Whether there is one.
        heating: How warm the motors of head and legs become; None: not simulated.
        extras: What else is in the world: faults, obstacles, cameras of onlookers.
        step: Of physics [s].
    """

    eye: config.EyeCfg = field(default_factory=config.EyeCfg)
    boards: tuple[Side, ...] = SIDES
    flipped: tuple[Side, ...] = ()
    has_lens_cap: bool = False
    upper_camera: bool = True
    heating: Heating | None = None
    extras: tuple[Addable, ...] = ()
    step: float = 0.001


def make_world(
    errors: NaoErrors,
    *,
    light: str = "711lx",
    level: Level = 1,
    seed: int = 0,
    q22: ArrayLike | None = None,
    cfg: NaoWorldCfg | None = None,
) -> tuple[World, NaoNames]:
    """Return a world with a lying NAO, its motors on, and the names of its parts.

    Args:
        errors: What is wrong with it.
        light: Name of a scene, see `light.SCENES`.
        level: Of what is real, see above.
        seed: Of all noise.
        q22: Readings of the body's joints at the start [rad], (22,); None: at rest.
        cfg: What else can be chosen.
    """
    if level not in (1, 2, 3):
        raise ConfigError(f"`level` must be 1, 2 or 3, got {level!r}")
    cfg = cfg or NaoWorldCfg()
    scene, names = light_scene(light), NaoNames()
    world = World(_world_config(cfg), seed=seed)
    model = true_model(errors)
    start = model_from_body(model, rest_body() if q22 is None else q22)
    world.add(_floor())
    world.add(_robot(model, errors, level, start, cfg.heating))
    for side, name in zip(SIDES, names.boards, strict=True):
        if side in cfg.boards:
            world.add(_board(side, name, is_flipped=side in cfg.flipped))
    for item in (*scene.lights(), *scene.walls(), *cfg.extras):
        world.add(item)
    world.add(_camera(names.lower, true_intrinsics(errors), scene, level, cfg))
    if cfg.upper_camera:
        world.add(_camera(names.upper, nominal_intrinsics(), scene, level, cfg))
    world.add(_finger(names.finger))
    world.command(names.robot, start, stiffness(model))
    return world, names


def press_bumper(world: World, names: NaoNames, side: Side = "left") -> None:
    """Press a bumper of a foot with a finger; the next ticks feel it.

    Args:
        world: Made by `make_world`.
        names: Of its parts.
        side: Of the foot.
    """
    T_world_bumper = world.pose(f"{names.robot}/{side[0]}_bumper_left")
    T = np.eye(4)
    reach = BUMPER_RADIUS + _FINGER_RADIUS
    T[:3, 3] = T_world_bumper[:3, 3] + (reach + 0.0005) * T_world_bumper[:3, 0]
    push = -0.3 * T_world_bumper[:3, 0]  # [m/s]
    world.place(names.finger, T, [*push, 0.0, 0.0, 0.0])


def release_bumper(world: World, names: NaoNames) -> None:
    """Take the finger away."""
    T = np.eye(4)
    T[:3, 3] = _FINGER_REST
    world.place(names.finger, T)


def _world_config(cfg: NaoWorldCfg) -> WorldConfig:
    # One motor holds both legs: what couples their joints is stiffer than contacts.
    engine = EngineCfg(solimp=(0.9999, 0.9999, 0.001))
    return WorldConfig(
        step=cfg.step, gravity=(0.0, 0.0, -config.GRAVITY), engine=engine
    )


def _floor() -> Ground:
    carpet = (0.36, 0.47, 0.38, 1.0)  # without tiles: their corners look like a board's
    return Ground(tile_rgba=(carpet, carpet))


def _robot(
    model: RobotModel,
    errors: NaoErrors,
    level: Level,
    start: FloatArray,
    heating: Heating | None,
) -> Robot:
    T_world_torso = np.eye(4)
    T_world_torso[:3, :3] = R_WORLD_TORSO
    T_world_torso[2, 3] = -config.FLOOR
    steps = SensorModel(
        rate=1.0 / config.MOTION_PERIOD,
        quantisation=config.ENCODER_STEP if level >= 2 else 0.0,
        noise=config.ENCODER_NOISE if level >= 2 else 0.0,
    )
    bumpers = tuple(f"{s}_bumper_{k}" for s in "lr" for k in ("left", "right"))
    thermometer: dict[str, Sensor] = {}
    if heating is not None:
        thermometer["temperatures"] = MotorTemperature(joints=WARM_JOINTS)
    return Robot(
        name="nao",
        model=model,
        T_world_base=T_world_torso,
        motors=servo_motors(errors, level=level, heating=heating),
        sensors={
            "encoders": Encoder(side="motor", model=steps),
            "imu": Imu(link="torso"),
            "bumpers": TouchSwitch(
                links=bumpers, threshold=config.BUMPER_FORCE, is_latched=True
            ),
            **thermometer,
        },
        q=start,
    )


def _board(side: Side, name: str, *, is_flipped: bool) -> Chessboard:
    plate = sandal.SandalCfg()
    T = sandal.board_pose()
    if is_flipped:
        T = T @ np.diag([1.0, -1.0, -1.0, 1.0])
        T[2, 3] = -plate.thickness
    along, across = sandal.TILES
    return Chessboard(
        name=name,
        columns=across,
        rows=along,
        square=sandal.TILE,
        border=plate.border,
        thickness=plate.thickness - 0.0005,
        parent=f"nao/{side[0]}_sandal",
        T_parent_board=T,
    )


def _camera(
    name: str, lens: Intrinsics, scene: LightScene, level: Level, cfg: NaoWorldCfg
) -> Camera:
    eye, is_lower = cfg.eye, name == NaoNames().lower
    is_noisy = level >= 2
    noise = SensorNoise(
        read=eye.read_noise * scene.gain if is_noisy else 0.0,
        shot=eye.shot_noise * scene.gain if is_noisy else 0.0,
    )
    return Camera(
        name=name,
        intrinsics=lens,
        parent="nao/camera_bottom" if is_lower else "nao/camera_top",
        T_parent_camera=config.T_MOUNT_CAMERA,
        rate=config.FRAME_RATE,
        gain=1e-3 if cfg.has_lens_cap and is_lower else 1.0,
        blur=eye.blur,
        vignetting=eye.vignetting if is_noisy else 0.0,
        noise=noise,
        samples=eye.samples,
        shadows=scene.shadow,
    )


def _finger(name: str) -> Ball:
    return Ball(name=name, radius=_FINGER_RADIUS, mass=0.2, position=_FINGER_REST)
