"""Scenes of the world itself: things that roll, bounce, collide and ride."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.runtime.panel_actions import NumberField
from gelenk.runtime.scene import LiveScene, Point3, SceneButton, SceneSpec, Settings
from gelenk.ui.gallery_cameras import CAMERAS
from gelenk.ui.gallery_flight import FLIGHT

if TYPE_CHECKING:
    from gelenk.sim.world import World

GROUP = "World"
PERIOD = 0.01  # [s]
DROP_PERIOD = 10.0  # [s] between two drops down the stairs
COLORS = (
    (0.85, 0.26, 0.24, 1.0),
    (0.95, 0.68, 0.16, 1.0),
    (0.20, 0.56, 0.86, 1.0),
    (0.24, 0.66, 0.42, 1.0),
    (0.58, 0.36, 0.78, 1.0),
    (0.92, 0.92, 0.90, 1.0),
)


def make_hall(seed: int, settings: Settings) -> LiveScene:
    """Build the hall, smaller than the scenario so that it keeps up with the clock."""
    from gelenk.runtime.scenarios.hall import HallCfg, Watcher, build_hall, make_run

    config = HallCfg(robots=6, things=60, barriers=4, circles=4)
    world = build_hall(config, seed)
    run = make_run(config, world, Watcher(config, world))
    names = ("south", "east", "north", "west", "middle")
    parameter = NumberField(
        name="belts.speed",
        title="Speed of the ring",
        default=config.speed,
        unit="m/s",
        minimum=0.0,
        maximum=0.8,
        help="Takes effect at once.",
    )

    def set_speed(value: Any) -> None:
        for name, share in zip(names, (1.0, 1.0, -1.0, -1.0, 0.5), strict=True):
            world.command_conveyor(name, speed=share * float(value))

    return _live(
        world,
        run=run,
        title="Busy hall",
        receivers={
            "-1": "all controllers",
            **{str(i): f"robot{i}" for i in range(config.robots)},
        },
        parameters=(parameter,),
        setters={"belts.speed": set_speed},
    )


def make_billiards(seed: int, settings: Settings) -> LiveScene:
    """Build a table with balls that lose nothing."""
    from gelenk.sim.config import WorldConfig
    from gelenk.sim.fixed_objects import Box, Ground
    from gelenk.sim.scene_object import Ball
    from gelenk.sim.world import World

    rng = np.random.default_rng(seed)
    slick: dict[str, Any] = {"friction": 0.0, "torsion": 0.0, "rolling": 0.0}
    world = World(WorldConfig(step=0.001), seed=seed)
    world.add(Ground(**slick, tile_size=0.25))
    wall, x, y = 0.1, 1.0, 0.5
    for name, place, size in (
        ("east", (x + wall / 2, 0.0), (wall, 2 * y + 2 * wall)),
        ("west", (-x - wall / 2, 0.0), (wall, 2 * y + 2 * wall)),
        ("north", (0.0, y + wall / 2), (2 * x, wall)),
        ("south", (0.0, -y - wall / 2), (2 * x, wall)),
    ):
        world.add(
            Box(
                name=f"cushion_{name}",
                position=(*place, 0.5 * wall),
                size=(*size, wall),
                restitution=1.0,
                rgba=(0.36, 0.22, 0.14, 1.0),
                **slick,
            )
        )
    cells = [(0.17 * i - 0.765, 0.2 * j - 0.3) for i in range(10) for j in range(4)]
    chosen = rng.permutation(len(cells))[:20]
    names: list[str] = []
    for number, cell in enumerate(chosen.tolist()):
        vx, vy = rng.normal(0.0, 0.6, 2)
        names.append(f"ball_{number}")
        world.add(
            Ball(
                name=names[-1],
                radius=0.0286,
                mass=0.17,
                restitution=1.0,
                position=(*cells[cell], 0.0286),
                velocity=(float(vx), float(vy), 0.0),
                rgba=COLORS[number % len(COLORS)],
                **slick,
            )
        )

    def kick() -> None:
        for name in names:
            twist = np.zeros(6)
            twist[:2] = rng.normal(0.0, 0.6, 2)
            world.place(name, world.pose(name), twist)

    button = SceneButton(
        name="kick", title="Kick", press=kick, help="New speeds for all."
    )
    return _live(world, title="Billiards", buttons=(button,))


def make_stairs(seed: int, settings: Settings) -> LiveScene:
    """Build a staircase with balls above it, which come back to the top."""
    from gelenk.runtime.controller import PureController
    from gelenk.runtime.run import Run
    from gelenk.sim.config import WorldConfig
    from gelenk.sim.fixed_objects import Box, Ground
    from gelenk.sim.scene_object import Ball
    from gelenk.sim.world import World

    rng = np.random.default_rng(seed)
    world = World(WorldConfig(step=0.001), seed=seed)
    world.add(Ground(restitution=0.9))
    for k in range(6):
        height = 0.15 * (6 - k)
        world.add(
            Box(
                name=f"stair_{k + 1}",
                size=(0.3, 1.4, height),
                position=(0.3 * k - 0.9, 0.0, 0.5 * height),
                restitution=0.95,
                rgba=(0.62, 0.64, 0.68, 1.0),
            )
        )
    for name, place, size in tray(low=(-1.1, -0.8), high=(2.4, 0.8), height=0.12):
        world.add(
            Box(
                name=name,
                position=place,
                size=size,
                restitution=0.6,
                rgba=(0.44, 0.46, 0.50, 1.0),
            )
        )
    starts: dict[str, Any] = {}
    for k in range(6):
        name, liveliness = f"ball_{k + 1}", 0.55 + 0.08 * k
        vx = 0.5 + 0.05 * float(rng.uniform(-1.0, 1.0))
        position = (-1.0, 0.2 * k - 0.5, 1.25)
        ball = Ball(
            name=name,
            radius=0.05,
            mass=0.2,
            restitution=liveliness,
            rolling=0.001,
            position=position,
            velocity=(vx, 0.0, 0.0),
            rgba=COLORS[k],
        )
        world.add(ball)
        starts[name] = (position, (vx, 0.0, 0.0))

    def drop() -> None:
        for name, (position, velocity) in starts.items():
            T = np.eye(4)
            T[:3, 3] = position
            world.place(name, T, [*velocity, 0.0, 0.0, 0.0])

    every = round(DROP_PERIOD / PERIOD)
    dropper: Any = PureController(
        name="dropper",
        cfg=every,
        initial=0,
        observe=lambda view: None,
        step=lambda every, count, _: ((count + 1) % every, count == every - 1),
        apply=lambda view, is_due: drop() if is_due else None,
    )
    button = SceneButton(
        name="drop", title="Drop again", press=drop, help="All balls to the top."
    )
    run = Run(world, [dropper], period=PERIOD)
    return _live(world, run=run, title="Bounce stairs", buttons=(button,))


def tray(
    *, low: tuple[float, float], high: tuple[float, float], height: float
) -> Iterator[tuple[str, Point3, Point3]]:
    """Yield name, position and size of four walls around an area [m]."""
    (x1, y1), (x2, y2), thick = low, high, 0.04
    x, y, z = 0.5 * (x1 + x2), 0.5 * (y1 + y2), 0.5 * height
    long, wide = x2 - x1 + 2.0 * thick, y2 - y1
    for side, edge in (("south", y1 - 0.5 * thick), ("north", y2 + 0.5 * thick)):
        yield f"wall_{side}", (x, edge, z), (long, thick, height)
    for side, edge in (("west", x1 - 0.5 * thick), ("east", x2 + 0.5 * thick)):
        yield f"wall_{side}", (edge, y, z), (thick, wide, height)


def make_belts(seed: int, settings: Settings) -> LiveScene:
    """Build belts on which boxes go round without end."""
    from gelenk.sim.config import WorldConfig
    from gelenk.sim.fixed_objects import Conveyor, Ground
    from gelenk.sim.objects import RectOutline
    from gelenk.sim.scene_object import Cuboid
    from gelenk.sim.world import World

    rng = np.random.default_rng(seed)
    world = World(WorldConfig(step=0.002), seed=seed)
    world.add(Ground())
    # A belt ends beside the next one, and higher than that begins: boxes drop onto it.
    low, high, half, edge = 0.2, 0.32, 1.1, 0.25
    along, across = (2.0 * half, 2.0 * edge), (2.0 * edge, 2.0 * half)
    belts = {
        "south": ((-edge, -half), along, "x", low, high, 1.0),
        "east": ((half, -edge), across, "y", low, high, 1.0),
        "north": ((edge, half), along, "x", high, low, -1.0),
        "west": ((-half, edge), across, "y", high, low, -1.0),
    }
    for name, (center, size, direction, h1, h2, sign) in belts.items():
        world.add(
            Conveyor(
                name=name,
                plan=RectOutline(center=center, size=size),
                h1=h1,
                h2=h2,
                direction="x" if direction == "x" else "y",
                speed=0.4 * sign,
                to_middle_speed=0.05,
                friction=0.9,
                rgba=(0.24, 0.26, 0.30, 1.0),
            )
        )
    for k in range(8):
        size = tuple(float(edge) for edge in rng.uniform(0.07, 0.13, 3))
        world.add(
            Cuboid(
                name=f"box_{k + 1}",
                size=(size[0], size[1], size[2]),
                mass=0.4,
                friction=0.8,
                position=(0.22 * k - 1.1, -half, 0.45),
                rgba=COLORS[k % 5],
            )
        )
    parameters = tuple(
        NumberField(
            name=f"belt.{name}.speed",
            title=f"{name}: speed",
            default=0.4,
            unit="m/s",
            minimum=-1.0,
            maximum=1.0,
            help="Along its way; takes effect at once.",
        )
        for name in belts
    )

    def setter(name: str, sign: float) -> Any:
        return lambda value: world.command_conveyor(name, speed=sign * float(value))

    return _live(
        world,
        title="Belts",
        parameters=parameters,
        setters={
            f"belt.{name}.speed": setter(name, row[-1]) for name, row in belts.items()
        },
    )


def _live(world: World, *, run: Any = None, **parts: Any) -> LiveScene:
    from gelenk.runtime.controls import SetPaceRequest
    from gelenk.runtime.run import Run

    if run is None:
        run = Run(world, period=PERIOD, pace=1.0)
    run.do(SetPaceRequest(pace=1.0))
    return LiveScene(run=run, world=world, **parts)


SCENES = (
    SceneSpec(
        name="hall",
        title="Busy hall",
        summary="Things ride round; each light barrier they pass sends a robot on.",
        group=GROUP,
        make=make_hall,
    ),
    SceneSpec(
        name="billiards",
        title="Billiards",
        summary="Twenty balls without friction: energy and momentum stay.",
        group=GROUP,
        make=make_billiards,
    ),
    SceneSpec(
        name="bounce",
        title="Bounce stairs",
        summary="Six balls of different liveliness bounce down a staircase.",
        group=GROUP,
        make=make_stairs,
    ),
    SceneSpec(
        name="belt",
        title="Belts",
        summary=(
            "Boxes ride up, across and down on conveyors whose speed you can change."
        ),
        group=GROUP,
        make=make_belts,
    ),
    FLIGHT,
    CAMERAS,
)
