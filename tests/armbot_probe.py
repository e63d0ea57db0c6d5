"""Cells for tests of ArmBot's physics: environment text in cm, robots of a few parts.

Everything that goes in and comes out here is in centimetres and seconds, as in the
paper; worlds count in metres.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from gelenk.models.parts import Assembly, Tip
from gelenk.robots.armbot.config import ArmBotCfg
from gelenk.robots.armbot.design import RobotDesign, design_robot
from gelenk.robots.armbot.environment.read import parse_environment
from gelenk.robots.armbot.model import GripperModel, ManipulatorModel
from gelenk.robots.armbot.scene import add_scene, base_pose, make_robot, world_config
from gelenk.sim import World
from gelenk.typing import ArrayLike, FloatArray

CM = 0.01
UP = (0.0, np.pi / 2.0, 0.0)  # turns x into z
LEVEL = (0.0, -np.pi / 2.0, 0.0)  # and back
AHEAD = -np.pi / 2.0  # heading whose body frame is parallel to the world's

Robots = Sequence[tuple[RobotDesign, float, float]]


def cell(text: str, robots: Robots = (), **settings: Any) -> World:
    """Return the world of an environment text, with robots at places in cm."""
    cfg = ArmBotCfg(**settings)
    environment = parse_environment(text)
    world = World(world_config(cfg, environment))
    add_scene(world, environment, cfg)
    for number, (design, x, y) in enumerate(robots):
        place = base_pose(CM * x, CM * y, AHEAD)
        world.add(make_robot(f"robot{number}", design, place, cfg))
    return world


def center(world: World, name: str) -> FloatArray:
    """Return where a thing is [cm], (3,)."""
    return world.pose(name)[:3, 3] / CM


def velocity(world: World, name: str) -> FloatArray:
    """Return how fast it is [cm/s], (3,)."""
    return world.twist(name)[:3] / CM


def throw(world: World, name: str, speed: ArrayLike) -> None:
    """Give a thing a velocity [cm/s] where it is."""
    twist = np.concatenate([CM * np.array(speed, dtype=float), np.zeros(3)])
    world.place(name, world.pose(name), twist)


def follow(world: World, seconds: float, look: Callable[[], Any]) -> list[Any]:
    """Step tick by tick and return what was seen after each."""
    seen: list[Any] = []
    for _ in range(round(seconds / world.config.step)):
        world.step()
        seen.append(look())
    return seen


def tilt(world: World, name: str) -> float:
    """Return the angle between a thing's z axis and the vertical [deg]."""
    return float(np.degrees(np.arccos(np.clip(world.pose(name)[2, 2], -1.0, 1.0))))


def deepest(world: World) -> float:
    """Return the depth of the deepest contact of the last tick [cm]."""
    return max([-one.distance / CM for one in world.contacts()], default=0.0)


class Ram(ManipulatorModel):
    """A linear motor along x that carries one part, `height` above the floor [cm]."""

    has_own_wrist = True

    def __init__(self, part: str, height: float, speed: float = 30.0) -> None:
        self.part, self.height, self.speed = part, height, speed

    def build(self, body: Assembly) -> Tip:
        """Join motor and part, and a mount out of the way."""
        rod = body.linear_motor(
            "push",
            at=(0.0, 0.0, CM * self.height),
            limits=(-1.0, 1.0),
            max_speed=CM * self.speed,
        )
        across = (0.0, 0.1, 0.0)
        side = rod.t_connector("head")
        if self.part == "touch_point":
            side.touch_point("tip")
        elif self.part == "touch_segment":
            side.touch_segment(across, "tip", at=(0.0, -0.05, 0.0)).termination_point()
        elif self.part == "segment":
            side.segment(across, "tip", at=(0.0, -0.05, 0.0)).termination_point()
        else:
            side.termination_point("tip")
        return body.gripper_mount("mount", at=(0.0, 0.0, 2.0))


class Lift(ManipulatorModel):
    """A linear motor along z; its mount is level. Three servos follow."""

    def __init__(self, height: float) -> None:
        self.height = height  # of the mount at value 0 [cm]

    def build(self, body: Assembly) -> Tip:
        """Join the mast."""
        mast = body.linear_motor(
            "lift", at=(0, 0, CM * self.height), turn=UP, limits=(-1, 2), max_speed=0.1
        )
        return mast.gripper_mount("mount", turn=LEVEL)


TIPS = ((4.0, 0.0), (-2.0, 3.4), (-2.0, -3.4))  # of the paper's three-point grip [cm]


class Tripod(GripperModel):
    """Three radial linear motors that end in touch points; places of §4.2.1 [cm]."""

    closed_values: ClassVar[Mapping[str, float]] = {
        f"finger_{k}": CM * float(np.hypot(x, y)) for k, (x, y) in enumerate(TIPS)
    }
    open_values: ClassVar[Mapping[str, float]] = {
        name: value + 0.03 for name, value in closed_values.items()
    }
    start_values: ClassVar[Mapping[str, float]] = closed_values

    def build(self, base: Tip) -> None:
        """Join the fingers."""
        for k, (x, y) in enumerate(TIPS):
            base.linear_motor(
                f"finger_{k}",
                turn=(float(np.arctan2(y, x)), 0, 0),
                limits=(0, 0.2),
                home=self.start_values[f"finger_{k}"],
            ).touch_point(f"tip_{k}")


class Jaws(GripperModel):
    """Two fingers along x, each three parallel touch segments that hang down."""

    angle: ClassVar[float] = 0.0  # of the first finger, from x [rad]
    length: ClassVar[float] = 0.06  # [m]
    open_values: ClassVar[Mapping[str, float]] = {"jaw_0": 0.08, "jaw_1": 0.08}
    closed_values: ClassVar[Mapping[str, float]] = {"jaw_0": 0.041, "jaw_1": 0.041}

    def build(self, base: Tip) -> None:
        """Join the fingers."""
        for k, angle in enumerate((self.angle, self.angle + np.pi)):
            slide = base.linear_motor(
                f"jaw_{k}", turn=(angle, 0, 0), limits=(0, 0.2), home=0.08
            )
            pad = slide.t_connector(f"pad_{k}")
            for i, y in enumerate((-0.02, 0.0, 0.02)):
                pad.touch_segment(
                    (0.0, 0.0, -self.length), f"edge_{k}{i}", at=(0.0, y, 0.0)
                ).termination_point()


class Cup(GripperModel):
    """A suction cup: one touch point below the base."""

    grasp = "suction"

    def build(self, base: Tip) -> None:
        """Join the cup."""
        base.segment((0.0, 0.0, -0.05), "pipe").touch_point("cup")


def ram(part: str, height: float, speed: float = 30.0) -> RobotDesign:
    """Return a robot that pushes one part along x."""
    return design_robot(Ram(part, height, speed), None)


def lift(gripper: GripperModel, height: float = 10.0) -> RobotDesign:
    """Return a gripper on a mast, its mount at a height [cm] at the start."""
    return design_robot(Lift(height), gripper)


def drive(world: World, robot: str = "robot0", /, **targets: float) -> None:
    """Command motors by name [m] or [rad]; the others stay as they are."""
    names = motor_names(world, robot)
    values = np.full(len(names), np.nan)
    for name, target in targets.items():
        values[names.index(name)] = target
    world.command(robot, values)


def motor_names(world: World, robot: str) -> tuple[str, ...]:
    """Return the motors of a robot in the order of commands."""
    things = {thing.name: thing for thing in world._contents.things}
    return things[robot].model.joint_names  # type: ignore[union-attr]
