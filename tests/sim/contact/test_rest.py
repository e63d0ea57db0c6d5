"""Balls that have bounced lie still: on faces, edges, steps, in valleys and trays."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from contact_probe import as_triple, deepest_overlap, world_of
from gelenk.sim import Ball, Box, Ground, World
from gelenk.sim.compiled_world import WorldItem
from gelenk.sim.objects import RectOutline, Step

R = 0.05
SPRING = 3e-4  # share of energy that the soft contact of a landed ball may give back


def _ball(
    x: float, z: float, e: float = 0.8, name: str = "ball", y: float = 0.0
) -> Ball:
    return Ball(name=name, radius=R, mass=0.2, position=(x, y, z), restitution=e)


def _block(name: str, x: float, width: float, top: float) -> Box:
    return Box(name=name, size=(width, 1.0, 0.2), position=(x, 0.0, top - 0.1))


def _groove() -> list[WorldItem]:
    """Return two boards that stand at 45 degrees and meet in a line."""
    half = np.radians(45.0) / 2.0
    boards: list[WorldItem] = []
    for name, side in (("left", -1.0), ("right", 1.0)):
        quat = (np.cos(half), 0.0, -side * np.sin(half), 0.0)
        middle = side * 0.2 * np.array([np.sqrt(0.5), 0.0, 0.0])
        normal = 0.01 * np.array([side * np.sqrt(0.5), 0.0, -np.sqrt(0.5)])
        middle = middle + np.array([0.0, 0.0, 0.2 * np.sqrt(0.5)]) + normal
        boards.append(
            Box(name=name, size=(0.4, 1.0, 0.02), position=as_triple(middle), quat=quat)
        )
    return boards


def _tray() -> list[WorldItem]:
    things: list[WorldItem] = [Ground()]
    for name, x, y in (("e", 0.2, 0), ("w", -0.2, 0), ("n", 0, 0.2), ("s", 0, -0.2)):
        size = (0.02, 0.42, 0.1) if x else (0.42, 0.02, 0.1)
        things.append(Box(name=name, size=size, position=(x, y, 0.05)))
    return things


# the valley: two edges 6 cm apart, between which the ball's centre lies 4 cm high
VALLEY: list[WorldItem] = [
    _block("left", -0.53, 1.0, 0.0),
    _block("right", 0.53, 1.0, 0.0),
]
FENCE: list[WorldItem] = [
    Box(name=name, size=(0.02, 1.0, 0.6), position=(x, 0.0, 0.3))
    for name, x in (("fence_left", -0.12), ("fence_right", 0.12))
]
SCENES: dict[str, tuple[list[WorldItem], list[Ball]]] = {
    "valley, from rest": (VALLEY, [_ball(0.0, 0.04)]),
    "valley, dropped": ([*VALLEY, *FENCE], [_ball(0.013, 0.3)]),
    "face": ([_block("block", 0.0, 0.6, 0.0)], [_ball(0.1, 0.3)]),
    # it hits the step's edge and ends on the floor between step and fence
    "step": (
        [
            Ground(),
            Step(name="step", plan=RectOutline(center=(0.55, 0), size=(1, 1)), height=0.045),
            Box(name="fence", size=(0.02, 1.0, 0.8), position=(-0.06, 0.0, 0.4)),
        ],
        [_ball(0.008, 0.2)],
    ),
    "groove": (_groove(), [_ball(0.03, 0.3)]),
    "tray": (
        _tray(),
        [_ball(0.12 * (i % 3) - 0.12, 0.1 + 0.12 * (i // 3), name=f"ball_{i}", y=0.01 * i - 0.05) for i in range(10)],
    ),
}  # fmt: skip


def _drop(balls: list[Ball]) -> float:
    """Return the energy with which balls fall to the ground [J]."""
    return sum(ball.mass * 9.81 * ball.position[2] for ball in balls)


def _settle(world: World, balls: list[Ball]) -> tuple[float, float]:
    """Run 60 s; return the largest rise of energy [J] and when it came to rest [s]."""
    least, rise, moved = world.energy(), 0.0, 0.0
    while world.time < 60.0 - 1e-9:
        world.step(5)
        now = world.energy()
        rise, least = max(rise, now - least), min(least, now)
        if max(np.abs(world.twist(ball.name)).max() for ball in balls) > 1e-3:
            moved = world.time
    return rise, moved


@pytest.mark.slow
@pytest.mark.capability("AB-X01", "AB-X02")
@pytest.mark.parametrize("step", [0.001, 0.004])
@pytest.mark.parametrize(
    "name", ["valley, from rest", "valley, dropped", "face", "step"]
)
def test_a_ball_comes_to_rest_and_stays_there_for_a_minute(name: str, step: float):
    things, balls = SCENES[name]
    world = world_of([*things, *balls], step)

    rise, moved = _settle(world, balls)

    blows = world.impacts()
    last = max((blow.time for blow in blows), default=0.0)
    assert moved <= last + 1.0
    assert rise <= SPRING * _drop(balls)
    assert deepest_overlap(world) <= 5e-4
    before = world.pose("ball")[:3, 3]
    world.run(10.0)
    assert np.abs(world.pose("ball")[:3, 3] - before).max() <= 1e-6
    assert world.impacts() == ()


@pytest.mark.slow
@pytest.mark.parametrize("step", [0.001, 0.004])
@pytest.mark.parametrize("name", ["groove", "tray"])
def test_balls_in_a_groove_and_in_a_tray_stop_and_do_not_creep(name: str, step: float):
    things, balls = SCENES[name]
    world = world_of([*things, *balls], step)

    rise, _ = _settle(world, balls)

    assert rise <= SPRING * _drop(balls)
    before = [world.pose(ball.name)[:3, 3] for ball in balls]
    world.impacts()
    world.run(30.0)
    for ball, place in zip(balls, before, strict=True):
        assert np.abs(world.pose(ball.name)[:3, 3] - place).max() <= 1e-6
        assert np.abs(world.twist(ball.name)).max() <= 1e-6
    assert world.impacts() == ()


@pytest.mark.capability("AB-X02", "AB-187")
def test_bounces_get_lower_one_by_one_and_end():
    """Drop, bounce 0.8: peaks fall strictly; then the height stays within 1e-6 m."""
    world = world_of([Ground(), _ball(0.0, 1.05)])
    speeds, heights = [], []

    world.run(6.0)
    speeds = [blow.speed for blow in world.impacts()]
    for _ in range(1000):
        world.step(10)
        heights.append(world.pose("ball")[2, 3])

    assert len(speeds) > 15
    assert all(later < earlier for earlier, later in pairwise(speeds))
    assert np.ptp(heights) <= 1e-6


def test_a_stack_of_two_balls_in_a_valley_stands():
    """The upper one hits the lower while that rests: both end where they were put."""
    lower, upper = _ball(0.0, 0.04, name="lower"), _ball(0.0, 0.1402, name="upper")
    world = world_of([*VALLEY, lower, upper])

    world.run(0.5)

    assert np.abs(world.pose("upper")[:3, 3] - [0.0, 0.0, 0.14]).max() < 5e-4
    assert np.abs(world.twist("upper")).max() < 1e-2
