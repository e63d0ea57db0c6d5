"""What the world costs beside the engine alone, on the same model."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import mujoco as engine
import numpy as np

import gelenk
from benchmarks.harness import Row, Settings, interleaved
from gelenk.sim import Ball, Box, Cuboid, Ground, PositionServo, Robot, World
from gelenk.sim.compiled_world import WorldItem

mujoco: Any = engine  # its wheel has no types

EVENT_LAYER = 3.0  # target: times the engine alone
NO_BOUNCE = 1.1  # target where nothing can bounce: nothing but the grain of the clock
OVERHEAD = 15.0  # target [%]
TICKS = 200  # of a block of the event layer
BLOCK = 5  # control ticks of a block of the overhead
CONTROL = 10  # ticks between two calls of a controller: 100 Hz
STATE = mujoco.mjtState.mjSTATE_INTEGRATION


def price_of_events(settings: Settings) -> Iterator[Row]:
    """Time ten balls that rest, fly and bounce, and a world where nothing bounces."""
    rounds = settings.pick(60, 15)
    for name, things in _balls().items():
        yield _compare(f"event_layer_{name}", things, rounds, EVENT_LAYER, "ten balls")
    yield _compare(
        "event_layer_without_bouncing",
        _stack(),
        rounds,
        NO_BOUNCE,
        "two stacks of five boxes, at rest",
    )


def _compare(
    name: str, things: Sequence[WorldItem], rounds: int, target: float, what: str
) -> Row:
    world, plain = _both(things)
    start = world.snapshot()

    def ours() -> None:
        world.restore(start)
        world.step(TICKS)

    timings = interleaved(
        {"gelenk": ours, "mujoco": plain}, rounds=rounds, block=1e-3, warmup=2
    )
    counters = world._compiled().banks.contact.counters
    micros = {key: value / TICKS for key, value in timings.microseconds().items()}
    return Row(
        name=name,
        value=timings.ratio("gelenk", "mujoco"),
        unit="x",
        target=target,
        peers={"mujoco": 1.0},
        note=f"{what}, {TICKS} ticks of 1 ms from the same state, mj_step on a copy of "
        f"the model: {micros['gelenk']:.1f} and {micros['mujoco']:.1f} us per tick, "
        f"{counters[2] / counters[1]:.2f} sub-steps per tick",
    )


def _both(things: Sequence[WorldItem]) -> tuple[World, Callable[[], None]]:
    """Return a world that has settled a little, and its like in the engine alone."""
    world = World(seed=0)
    for thing in things:
        world.add(thing)
    plant = world._compiled()
    model = copy.copy(plant.model)  # before the world changes its gaps
    world.step(5)
    data = mujoco.MjData(model)
    state = np.empty(mujoco.mj_stateSize(model, STATE))
    mujoco.mj_getState(plant.model, plant.data, state, STATE)

    def plain() -> None:
        mujoco.mj_setState(model, data, state, STATE)
        mujoco.mj_step(model, data, TICKS)

    return world, plain


def _balls() -> dict[str, list[WorldItem]]:
    """Return ten balls that rest, fly and bounce in a box."""
    rng = np.random.default_rng(3)
    floor: list[WorldItem] = [Ground()]
    walls: list[WorldItem] = [
        Box(name=f"wall_{i}", size=size, position=place)
        for i, (size, place) in enumerate(
            [
                ((0.02, 0.8, 0.8), (0.4, 0.0, 0.4)),
                ((0.02, 0.8, 0.8), (-0.4, 0.0, 0.4)),
                ((0.8, 0.02, 0.8), (0.0, 0.4, 0.4)),
                ((0.8, 0.02, 0.8), (0.0, -0.4, 0.4)),
            ]
        )
    ]

    def ball(i: int, z: float, speed: float) -> Ball:
        vx, vy, vz = (float(v) for v in speed * rng.normal(size=3))
        place = (0.14 * (i % 5) - 0.28, 0.14 * (i // 5) - 0.07, z)
        return Ball(
            name=f"ball_{i}",
            radius=0.05,
            mass=0.2,
            position=place,
            velocity=(vx, vy, abs(vz)),
            restitution=0.9,
        )

    return {
        "rest": [*floor, *(ball(i, 0.04999, 0.0) for i in range(10))],
        "flying": [*floor, *(ball(i, 3.0, 0.1) for i in range(10))],
        "bouncing": [*floor, *walls, *(ball(i, 0.3, 2.0) for i in range(10))],
    }


def _stack() -> list[WorldItem]:
    return [
        Ground(),
        *(
            Cuboid(
                name=f"box_{i}",
                size=(0.1, 0.1, 0.1),
                mass=0.3,
                position=(0.5 * (i % 2), 0.0, 0.04999 + 0.09999 * (i // 2)),
            )
            for i in range(10)
        ),
    ]


# -- controllers ----------------------------------------------------------------------


def overhead_of_steps(settings: Settings) -> Iterator[Row]:
    """Time two robots with a Python controller each, in our loop and in a bare one."""
    rounds = settings.pick(300, 60)
    value, note = _measure_overhead(num_things=12, rounds=rounds)
    yield Row(
        name="step_overhead",
        value=value,
        unit="%",
        target=OVERHEAD,
        peers={"mujoco": 0.0},
        note=f"ur5e, panda and twelve things on the ground; {note}",
    )
    value, note = _measure_overhead(num_things=0, rounds=rounds)
    yield Row(
        name="step_overhead_arms_alone",
        value=value,
        unit="%",
        peers={"mujoco": 0.0},
        note=f"the same without anything to touch; {note}",
    )


def _measure_overhead(*, num_things: int, rounds: int) -> tuple[float, str]:
    """Return what our loop costs over the bare one [%], and how it was measured."""
    servo = PositionServo(kp=400.0, kd=40.0, torque_limit=150.0, rotor_inertia=0.1)
    world = World(seed=0)
    world.add(Ground())
    names = ("ur5e", "panda")
    for i, name in enumerate(names):
        T = np.eye(4)
        T[0, 3], T[2, 3] = 3.0 * i, 1.5
        model = gelenk.load(name)
        world.add(Robot(name=name, model=model, motors=servo, T_world_base=T))
    for i in range(num_things):
        position = (0.3 * i, 2.0, 0.05)
        world.add(
            Cuboid(name=f"box{i}", size=(0.1, 0.1, 0.1), mass=0.5, position=position)
        )
    plant = world._compiled()
    model, data = plant.model, plant.data
    home = {name: world.joint_positions(name) for name in names}
    spans = {name: slice(*_span(plant.joints[name][1].tolist())) for name in names}

    def ours() -> None:
        for name in names:
            q, qd = world.joint_positions(name), world.joint_velocities(name)
            world.command(name, _controller(world.time, home[name], q, qd))
        world.step(CONTROL)

    def bare() -> None:
        for name in names:
            q, qd = world.joint_positions(name), world.joint_velocities(name)
            target = _controller(data.time, home[name], q, qd)
            # the same law, held for ten ticks; its damping is the joints'
            data.qfrc_applied[spans[name]] = 400.0 * (target - q)
        mujoco.mj_step(model, data, CONTROL)

    world.run(0.5)
    ratios, micros = [], []
    for _ in range(rounds):
        start = world.snapshot()
        took = []
        for loop in (bare, ours):  # from the same state; ours goes on
            world.restore(start)
            began = time.perf_counter()
            for _ in range(BLOCK):
                loop()
            took.append(1e6 * (time.perf_counter() - began) / BLOCK)
        ratios.append(took[1] / took[0])
        micros.append(took)
    world.close()
    bare_us, ours_us = np.median(micros, axis=0)
    return 100.0 * (float(np.median(ratios)) - 1.0), (
        "one 100 Hz Python controller each, 1 ms ticks, by turns from the same states; "
        "in ours servo motors run in every tick, in the bare loop their law is held "
        f"for ten: {ours_us:.0f} and {bare_us:.0f} us per 10 ms"
    )


def _controller(
    time: float, home: np.ndarray, q: np.ndarray, qd: np.ndarray
) -> np.ndarray:
    """Return targets that swing about home, a little behind what is measured."""
    return home + 0.2 * np.sin(2.0 * time) + 0.01 * (home - q) - 0.001 * qd


def _span(joints: list[int]) -> tuple[int, int]:
    """Return first and last plus one; dofs of arms without a base are their joints."""
    return min(joints), max(joints) + 1
