"""Twenty small worlds, as different as worlds can be, for checks that hold in all.

A scene is built anew each time and steered by its tick alone, so that it can be run in
parts, in other processes, and from snapshots.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import gelenk
from gelenk.models.link import Geometry
from gelenk.sim import (
    Ball,
    Box,
    Conveyor,
    Cuboid,
    DCGearMotor,
    Ground,
    HeightField,
    IdealMotor,
    PositionServo,
    Robot,
    Sphere,
    TorqueServo,
    World,
    WorldConfig,
)
from gelenk.sim.compiled_world import WorldItem
from gelenk.sim.motors import Motor
from gelenk.sim.objects import (
    Body,
    MovableCylinder,
    PolygonOutline,
    Prism,
    RectOutline,
    Slope,
    Step,
    Wedge,
)
from gelenk.sim.zones import CircleZone, LightBarrier
from gelenk.typing import FloatArray

CONTROL = 10  # ticks between two commands


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A world and what commands it.

    Attributes:
        things: Makes what is in it, from a generator of its own.
        robots: Names of the robots that are commanded.
        belts: Names of the conveyors that start and stop.
        zones: What notices objects.
        step: Tick [s].
        reach: How far commands of the robots swing, in the unit of their motors.
    """

    things: Callable[[np.random.Generator], list[WorldItem]]
    robots: tuple[str, ...] = ()
    belts: tuple[str, ...] = ()
    zones: tuple[CircleZone | LightBarrier, ...] = ()
    step: float = 0.001
    reach: float = 0.5

    def build(self, seed: int = 0) -> World:
        """Return the world at its start."""
        world = World(WorldConfig(step=self.step), seed=seed)
        for thing in self.things(np.random.default_rng(seed)):
            world.add(thing)
        for zone in self.zones:
            world.add(zone)
        return world

    def advance(self, world: World, ticks: int) -> None:
        """Run on; commands depend on the tick alone. `ticks` is a multiple of 10."""
        for _ in range(ticks // CONTROL):
            swing = self.reach * np.sin(2.0 * np.pi * world.time)
            for name in self.robots:
                world.command(name, swing)
            for name in self.belts:
                world.command_conveyor(name, running=int(world.time / 0.2) % 2 == 0)
            world.step(CONTROL)


def _at(x: float, y: float = 0.0, z: float = 0.0) -> FloatArray:
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def _balls(
    rng: np.random.Generator, count: int, *, spins: bool = True, z: float = 0.3
) -> list[WorldItem]:
    """Return balls side by side on a grid, thrown at random."""
    balls: list[WorldItem] = []
    for i in range(count):
        vx, vy, vz = (float(v) for v in rng.normal(size=3))
        wx, wy, wz = (
            (float(w) for w in 10.0 * rng.normal(size=3)) if spins else (0,) * 3
        )
        balls.append(
            Ball(
                name=f"ball_{i}",
                radius=0.03,
                mass=0.1,
                position=(0.15 * (i % 4) - 0.2, 0.15 * (i // 4) - 0.2, z),
                velocity=(vx, vy, vz),
                angular_velocity=(wx, wy, wz),
                restitution=float(rng.uniform(0.3, 0.95)),
                spins=spins,
                rolling_resistance=0.2,
            )
        )
    return balls


def _boxes(
    rng: np.random.Generator, count: int, *, e: float | None = None, z: float = 0.4
) -> list[WorldItem]:
    """Return tumbling boxes side by side."""
    boxes: list[WorldItem] = []
    for i in range(count):
        w, x, y, k = (float(a) for a in rng.normal(size=4))
        length = float(np.sqrt(w * w + x * x + y * y + k * k))
        boxes.append(
            Cuboid(
                name=f"box_{i}",
                size=(0.1, 0.08, 0.06),
                mass=0.3,
                position=(0.2 * (i % 3) - 0.2, 0.2 * (i // 3), z),
                quat=(w / length, x / length, y / length, k / length),
                angular_velocity=(x, y, k),
                restitution=e,
            )
        )
    return boxes


def _tower() -> list[WorldItem]:
    return [
        Cuboid(
            name=f"brick_{i}",
            size=(0.1, 0.1, 0.05),
            mass=0.2,
            position=(0.004 * i, 0.0, 0.025 + 0.05 * i),
        )
        for i in range(6)
    ]


def _cradle() -> list[WorldItem]:
    row: list[WorldItem] = [
        Ball(
            name=f"b{i}",
            radius=0.02,
            mass=0.1,
            position=(0.04 * i, 0.0, 0.02),
            restitution=0.98,
        )
        for i in range(5)
    ]
    hammer = Ball(
        name="hammer",
        radius=0.02,
        mass=0.1,
        position=(-0.2, 0.0, 0.02),
        velocity=(1.0, 0.0, 0.0),
        restitution=0.98,
    )
    return [Ground(), hammer, *row]


def _sliders() -> list[WorldItem]:
    return [
        Ground(friction=0.4),
        Cuboid(
            name="fast",
            size=(0.2, 0.2, 0.05),
            mass=1.0,
            position=(0.0, 0.0, 0.025),
            velocity=(5.0, 0.0, 0.0),
        ),
        Ball(
            name="backspin",
            radius=0.05,
            mass=0.2,
            position=(0.0, 1.0, 0.05),
            velocity=(3.0, 0.0, 0.0),
            angular_velocity=(0.0, -80.0, 0.0),
        ),
        MovableCylinder(
            name="puck",
            radius=0.05,
            length=0.03,
            mass=0.2,
            position=(0.0, -1.0, 0.015),
            velocity=(4.0, 0.0, 0.0),
            angular_velocity=(0.0, 0.0, 30.0),
        ),
    ]


def _ramps(rng: np.random.Generator) -> list[WorldItem]:
    return [
        Ground(),
        Slope(name="slope", plan=RectOutline(size=(1.2, 1.2)), h1=0.0, h2=0.4),
        Wedge(
            name="roof",
            plan=RectOutline(center=(1.5, 0.0), size=(1.0, 1.0)),
            top=(0.3, 0.5),
            bottom=(0.2, 0.3),
        ),
        *_balls(rng, 8, spins=False, z=0.6),
    ]


def _valley(rng: np.random.Generator) -> list[WorldItem]:
    return [
        Box(name="left", size=(1.0, 1.0, 0.2), position=(-0.52, 0.0, -0.1)),
        Box(name="right", size=(1.0, 1.0, 0.2), position=(0.52, 0.0, -0.1)),
        *_balls(rng, 4),
    ]


def _notch(rng: np.random.Generator) -> list[WorldItem]:
    outline = PolygonOutline(
        points=(
            (-0.5, -0.5),
            (0.5, -0.5),
            (0.5, 0.5),
            (0.1, 0.5),
            (0.0, 0.0),
            (-0.1, 0.5),
            (-0.5, 0.5),
        )
    )
    return [
        Ground(),
        Prism(name="notch", plan=outline, bottom=0.0, top=0.1),
        Step(
            name="step",
            plan=RectOutline(center=(0.9, 0.0), size=(0.5, 0.5)),
            height=0.05,
        ),
        Sphere(name="knob", radius=0.1, position=(-0.3, 0.3, 0.15)),
        *_balls(rng, 8, z=0.5),
    ]


def _hills(rng: np.random.Generator) -> list[WorldItem]:
    heights = 0.1 * rng.uniform(size=(12, 12))
    cans: list[WorldItem] = [
        MovableCylinder(
            name=f"can_{i}",
            radius=0.03,
            length=0.1,
            mass=0.2,
            position=(0.3 * i - 0.3, 0.3, 0.4),
        )
        for i in range(3)
    ]
    return [
        HeightField(name="hills", size=(2.0, 2.0), heights=heights),
        *_balls(rng, 6),
        *cans,
    ]


def _belt(name: str, *, incline: float = 0.0, y: float = 0.0) -> Conveyor:
    return Conveyor(
        name=name,
        plan=RectOutline(center=(0.0, y), size=(2.0, 0.5)),
        h1=0.1,
        h2=0.1 + incline,
        speed=0.5,
        to_middle_speed=0.1,
        friction=0.8,
    )


def _carried(rng: np.random.Generator, incline: float) -> list[WorldItem]:
    return [
        _belt("belt", incline=incline),
        *_boxes(rng, 3, z=0.6),
        *_balls(rng, 3, z=0.4),
    ]


def _bodies(rng: np.random.Generator) -> list[WorldItem]:
    bar = Geometry(kind="box", size=(0.2, 0.03, 0.03))
    knob = Geometry(kind="sphere", size=(0.04,), T_link_geometry=_at(0.1))
    return [
        Ground(),
        *(
            Body(
                name=f"club_{i}",
                mass=0.4,
                shapes=(bar, knob),
                position=(0.4 * i, 0.0, 0.5),
                angular_velocity=(1.0, 2.0, float(i)),
                restitution=0.6,
            )
            for i in range(3)
        ),
        *_balls(rng, 4, z=0.8),
    ]


SERVO = TorqueServo(
    stall_torque=8.0, no_load_speed=7.0, nominal_voltage=12.0, rotor_inertia=0.005
)
GEAR = DCGearMotor(
    stall_torque=5.0,
    no_load_speed=3.0,
    nominal_voltage=12.0,
    rotor_inertia=0.01,
    back_drive_torque=0.5,
    spread=0.1,
)
STIFF = PositionServo(kp=200.0, kd=20.0, torque_limit=80.0, rotor_inertia=0.1)


def _robot(rng: np.random.Generator, name: str, motor: Motor | None) -> list[WorldItem]:
    """Return a robot of the catalogue among balls."""
    robot = Robot(name="robot", model=gelenk.load(name), motors=motor)
    return [Ground(position=(0.0, 0.0, -0.5)), robot, *_balls(rng, 6, z=1.2)]


def _hall(rng: np.random.Generator) -> list[WorldItem]:
    arms: list[WorldItem] = [
        Robot(
            name=f"arm_{i}",
            model=gelenk.load("ur5e"),
            motors=IdealMotor(max_speed=2.0),
            T_world_base=_at(2.0 * i - 1.0, 1.5),
        )
        for i in range(2)
    ]
    belts: list[WorldItem] = [_belt("belt"), _belt("slope", incline=0.3, y=-1.0)]
    return [Ground(), *arms, *belts, *_balls(rng, 12, z=0.6), *_boxes(rng, 4, z=1.0)]


_ZONES = (
    CircleZone(name="in", on="enter", center=(0.0, 0.0), radius=0.3),
    CircleZone(name="out", on="leave", center=(0.2, 0.0), radius=0.4, watches="ball"),
    LightBarrier(name="gate", start=(0.1, -1.0), end=(0.1, 1.0)),
)

SCENES: dict[str, Scene] = {
    "dropped_balls": Scene(things=lambda rng: [Ground(), *_balls(rng, 12)]),
    "coarse_balls": Scene(things=lambda rng: [Ground(), *_balls(rng, 12)], step=0.004),
    "tower": Scene(things=lambda rng: [Ground(), *_tower(), *_balls(rng, 2, z=0.5)]),
    "boxes": Scene(things=lambda rng: [Ground(), *_boxes(rng, 6)]),
    "bouncing_boxes": Scene(things=lambda rng: [Ground(), *_boxes(rng, 6, e=0.6)]),
    "cradle": Scene(things=lambda rng: _cradle()),
    "sliders": Scene(things=lambda rng: _sliders(), step=0.002),
    "ramps": Scene(things=_ramps),
    "valley": Scene(things=_valley),
    "notch": Scene(things=_notch),
    "hills": Scene(things=_hills),
    "clubs": Scene(things=_bodies),
    "belt": Scene(things=lambda rng: _carried(rng, 0.0), belts=("belt",)),
    "inclined_belt": Scene(things=lambda rng: _carried(rng, 0.3), belts=("belt",)),
    "zones": Scene(things=lambda rng: [Ground(), *_balls(rng, 8)], zones=_ZONES),
    "ideal_ur5e": Scene(
        things=lambda rng: _robot(rng, "ur5e", IdealMotor(max_speed=3.0)),
        robots=("robot",),
    ),
    "position_panda": Scene(
        things=lambda rng: _robot(rng, "panda", STIFF), robots=("robot",)
    ),
    "torque_iiwa": Scene(
        things=lambda rng: _robot(rng, "iiwa7", SERVO), robots=("robot",)
    ),
    "gear_scara": Scene(
        things=lambda rng: _robot(rng, "scara", GEAR), robots=("robot",), reach=200.0
    ),
    "hall": Scene(
        things=_hall,
        robots=("arm_0", "arm_1"),
        belts=("belt", "slope"),
        zones=_ZONES,
    ),
}
