"""`hall`: robots, conveyors in a ring, things going round, triggers without end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.runtime.config import setting
from gelenk.runtime.scenario import Figure, Outcome, scenario
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from gelenk.runtime.run import Run
    from gelenk.sim.world import World

LENGTH, WIDTH = 8.0, 1.2  # [m], of each belt of the ring
LOW, HIGH = 0.2, 0.32  # [m], at its begin and at its end, where things drop
HALF = 0.5 * LENGTH
EDGE = 0.5 * WIDTH
LANES = 5  # things beside each other at the start
POSES = np.array(
    [
        [0.0, -1.6, 1.4, -1.4, -1.6, 0.0],
        [0.8, -1.2, 1.0, -1.4, -1.6, 0.5],
        [-0.8, -1.9, 1.8, -1.5, -1.4, -0.5],
    ]
)  # [rad], of the six axes; a robot goes on to the next with each trigger


@dataclass(frozen=True, slots=True, kw_only=True)
class HallCfg:
    """Number of things in the hall, and duration.

    Attributes:
        robots: Number of six-axis robots, each with its own controller.
        things: Number of balls and boxes on the ring.
        barriers: Number of light barriers across each of the four belts of the ring.
        circles: Number of circles that notice what enters.
        speed: Speed of the belts [m/s].
        seconds: Simulated time [s].
        step: Physics step [s].
        period: Period of the controllers [s].
    """

    robots: int = setting(10, minimum=1, maximum=10)
    things: int = setting(200, minimum=4)
    barriers: int = setting(10, minimum=1)
    circles: int = setting(10, minimum=0)
    speed: float = setting(0.4, unit="m/s", minimum=0.01)
    seconds: float = setting(60.0, unit="s", minimum=0.1)
    step: float = setting(0.004, unit="s", minimum=1e-4, maximum=0.004)
    period: float = setting(0.02, unit="s", minimum=0.001)


@scenario(
    "hall",
    config=HallCfg,
    figures={
        "passages": Figure(help="things that passed a barrier, counted from positions"),
        "triggers": Figure(help="triggers that were sent"),
        "lost": Figure(help="triggers that did not arrive"),
        "missed": Figure(help="passages without a trigger"),
        "fallen": Figure(help="things that lie beside the ring at the end"),
    },
    warm_up=lambda: run_hall(HallCfg(things=4, robots=1, seconds=0.2), 0, None),
)
def hall(config: HallCfg, seed: int, recorder: Any) -> Outcome:
    """Let things go round on a ring of conveyors while robots react to triggers.

    Passages of the light barriers are counted a second time from the positions alone;
    every one must have sent a trigger and every trigger must have arrived.
    """
    count = run_hall(config, seed, recorder)
    figures = {
        "passages": float(count.passages),
        "triggers": float(count.sent),
        "lost": float(count.sent - count.received),
        "missed": float(abs(count.passages - count.barrier_triggers)),
        "fallen": float(count.fallen),
    }
    problems = [f"{figures[name]:.0f} {name}" for name in ("lost", "missed")]
    ok = figures["lost"] == 0 and figures["missed"] == 0
    return Outcome(ok=ok, figures=figures, reason="" if ok else ", ".join(problems))


@dataclass(frozen=True, slots=True, kw_only=True)
class HallCount:
    """Counts of a run: see the figures of `hall`."""

    passages: int
    barrier_triggers: int
    sent: int
    received: int
    fallen: int


def run_hall(config: HallCfg, seed: int, recorder: Any) -> HallCount:
    """Run the hall and count."""
    with build_hall(config, seed) as world:
        watcher = Watcher(config, world)
        with make_run(config, world, watcher, recorder) as run:
            run.run(config.seconds)
            # before the end of the run hands out what was sent in the last tick
            sent, barriers = watcher.sent.total(), watcher.sent["barrier"]
            received = sum(getattr(host, "value")[0] for host in run.executors)  # noqa: B009
        places = world.positions(thing_names(config))
    return HallCount(
        passages=watcher.passages,
        barrier_triggers=barriers,
        sent=sent,
        received=received,
        fallen=int((places[:, 2] < 0.5 * LOW).sum()),
    )


class Watcher:
    """Counts triggers as they are sent, and passages from positions alone.

    Looks once in each control tick, in which things move by some millimetres.
    """

    def __init__(self, config: HallCfg, world: World) -> None:
        self.sent: Counter[str] = Counter()
        self.passages = 0
        self._names = thing_names(config)
        ends = np.array(barrier_ends(config))
        self._start, self._along = ends[:, 0], ends[:, 1] - ends[:, 0]
        self._is_left = self._sides(world)[0] > 0.0

    def count_trigger(self, event: Any) -> None:
        """Take note of a trigger that was sent."""
        self.sent[event.text.split()[0]] += 1

    def look(self, view: Any) -> None:
        """Count what went from the left to the right between the ends of a barrier."""
        side, share = self._sides(view.world)
        is_left = np.where(side == 0.0, self._is_left, side > 0.0)
        has_passed = self._is_left & ~is_left & (share >= 0.0) & (share <= 1.0)
        self.passages += int(has_passed.sum())
        self._is_left = is_left

    def _sides(self, world: World) -> tuple[FloatArray, FloatArray]:
        """Return the side of each thing at each barrier, and where along it."""
        away = world.positions(self._names)[:, None, :2] - self._start
        x, y = self._along[:, 0], self._along[:, 1]
        side = x * away[..., 1] - y * away[..., 0]
        share = (away * self._along).sum(-1) / (self._along**2).sum(-1)
        return side, share


def thing_names(config: HallCfg) -> tuple[str, ...]:
    """Return the names of the things on the ring."""
    return tuple(f"thing{i}" for i in range(config.things))


def barrier_ends(config: HallCfg) -> list[tuple[tuple[float, float], ...]]:
    """Return start and end of all barriers; the belts run from left to right."""
    ends: list[tuple[tuple[float, float], ...]] = []
    for belt in range(4):
        for k in range(config.barriers):
            s = -HALF + LENGTH * (k + 0.5) / config.barriers
            ends.append((_on_ring(belt, s, -EDGE), _on_ring(belt, s, EDGE)))
    return ends


def _on_ring(belt: int, s: float, t: float) -> tuple[float, float]:
    """Return x and y at a place on a belt: s along its way, t to its left [m]."""
    x, y = s - EDGE, t - HALF
    for _ in range(belt):
        x, y = -y, x
    return x, y


def build_hall(config: HallCfg, seed: int) -> World:
    """Return the hall, ready to run."""
    from gelenk.models.loader import load
    from gelenk.sim.config import WorldConfig
    from gelenk.sim.motors.descriptions import IdealMotor
    from gelenk.sim.robot import Robot
    from gelenk.sim.world import World

    rng = np.random.default_rng(seed)
    world = World(WorldConfig(step=config.step), seed=seed)
    _add_belts(world, config)
    _add_things(world, config, rng)
    _add_zones(world, config)
    arm = load("ur5e")
    for i in range(config.robots):
        T_world_base = np.eye(4)
        angle = 2.0 * np.pi * i / config.robots
        T_world_base[:2, 3] = 2.2 * np.cos(angle), 2.2 * np.sin(angle)
        world.add(
            Robot(
                name=f"robot{i}",
                model=arm,
                T_world_base=T_world_base,
                motors=IdealMotor(max_speed=1.5),
                q=POSES[0],
            )
        )
    return world


def _add_belts(world: World, config: HallCfg) -> None:
    from gelenk.sim.fixed_objects import Conveyor, Ground
    from gelenk.sim.objects import RectOutline

    world.add(Ground())
    for belt, name in enumerate(("south", "east", "north", "west")):
        center = _on_ring(belt, 0.0, 0.0)
        is_along_x = belt % 2 == 0
        is_forward = belt < 2
        world.add(
            Conveyor(
                name=name,
                plan=RectOutline(
                    center=center,
                    size=(LENGTH, WIDTH) if is_along_x else (WIDTH, LENGTH),
                ),
                h1=LOW if is_forward else HIGH,
                h2=HIGH if is_forward else LOW,
                direction="x" if is_along_x else "y",
                speed=config.speed if is_forward else -config.speed,
            )
        )
    world.add(
        Conveyor(
            name="middle",
            plan=RectOutline(size=(2.0, 0.6)),
            h1=LOW,
            h2=LOW,
            speed=0.5 * config.speed,
            to_middle_speed=0.05,
        )
    )


def _add_things(world: World, config: HallCfg, rng: np.random.Generator) -> None:
    from gelenk.sim.scene_object import Ball, Cuboid

    per_belt = -(-config.things // 4)
    rows = -(-per_belt // LANES)
    for i, name in enumerate(thing_names(config)):
        belt, place = i % 4, i // 4
        s = -HALF + 0.8 + (LENGTH - 1.6) * (place // LANES) / rows
        t = (place % LANES - 0.5 * (LANES - 1)) * 0.18 + rng.uniform(-0.02, 0.02)
        position = (*_on_ring(belt, s, t), HIGH + 0.06)
        if rng.uniform() < 0.5:
            ball = Ball(
                name=name,
                radius=0.03,
                mass=0.1,
                position=position,
                restitution=0.5,
                rolling=0.02,
            )
            world.add(ball)
        else:
            world.add(
                Cuboid(name=name, size=(0.06, 0.05, 0.04), mass=0.2, position=position)
            )


def _add_zones(world: World, config: HallCfg) -> None:
    from gelenk.sim.zones import CircleZone, LightBarrier

    for k, (start, end) in enumerate(barrier_ends(config)):
        world.add(LightBarrier(name=f"barrier{k}", start=start, end=end))
    for k in range(config.circles):
        s = -HALF + LENGTH * (k + 0.5) / config.circles
        center = _on_ring(k % 4, s, 0.2)
        world.add(CircleZone(name=f"circle{k}", on="enter", center=center, radius=0.2))


def make_run(
    config: HallCfg, world: World, watcher: Watcher, recorder: Any = None
) -> Run:
    """Return the run: a controller for each robot, a receiver for each zone."""
    from gelenk.runtime.events import TRIGGER_TOPIC
    from gelenk.runtime.run import Run
    from gelenk.runtime.triggers import ZoneTrigger

    names = [f"barrier{k}" for k in range(4 * config.barriers)]
    names += [f"circle{k}" for k in range(config.circles)]
    run = Run(
        world,
        [_controller(f"robot{i}") for i in range(config.robots)],
        recorder=recorder,
        period=config.period,
        zone_triggers=[
            ZoneTrigger(
                zone=name,
                receiver=k % config.robots,
                text=f"{name.rstrip('0123456789')} {k}",
            )
            for k, name in enumerate(names)
        ],
        publishers=[watcher.look],
    )
    run.bus.subscribe(TRIGGER_TOPIC, watcher.count_trigger)
    return run


def _controller(robot: str) -> Any:
    """Return a controller that takes its robot to the next pose with each trigger.

    Its state: triggers so far, and the pose it is on its way to.
    """
    from gelenk.runtime.controller import PureController

    def count(poses: FloatArray, state: tuple[int, int], text: str) -> tuple[int, int]:
        return state[0] + 1, (state[1] + 1) % len(poses)

    start: Any = (0, 0)
    return PureController(
        name=robot,
        robot=robot,
        cfg=POSES,
        initial=start,
        observe=lambda view: None,
        step=lambda poses, state, seen: (state, poses[state[1]]),
        apply=lambda view, command: view.world.command(robot, command),
        on_trigger=count,
    )
