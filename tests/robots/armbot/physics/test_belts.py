"""Belts carry at once and exactly, draw to their middle, start and stop; in cm."""

from __future__ import annotations

import numpy as np
import pytest

from armbot_probe import cell, center, follow, velocity
from gelenk.sim import World

THINGS = {
    "ball_1": "BALL {x} {y} {z} 5 0.3 0.2 FF0000",
    "cuboid_1": "CUBOID {x} {y} {z} 8 8 8 00FF00",
}


def belt(
    thing: str,
    speed: float,
    *,
    rise: float = 0.0,
    across: float = 0.0,
    to_middle: float = 0.0,
    direction: str = "x",
    state: str = "RUN",
) -> World:
    """Return a belt of 300 cm from the origin on, rising to `rise`, and one thing."""
    half = 5.0 if thing == "ball_1" else 4.0
    along = 100.0 if speed > 0.0 else 200.0
    height = 10.0 + rise * along / 300.0 + half / np.cos(np.arctan(rise / 300.0))
    x, y, plan = along, across, "150 0 300 60"
    if direction == "y":
        x, y, plan = across, along, "0 150 60 300"
    return cell(
        f"CONVEYOR 20 {state} 10 {10 + rise} {direction} {speed} {to_middle} 404040\n"
        f"RECT {plan}\nENDCONVEYOR\n" + THINGS[thing].format(x=x, y=y, z=height + 0.01)
    )


@pytest.mark.capability("AB-65")
@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize("speed", [20.0, -20.0])
@pytest.mark.parametrize(("direction", "rise"), [("x", 0.0), ("x", 300.0 * np.tan(np.radians(15.0))), ("y", 0.0)])  # fmt: skip
def test_a_belt_carries_with_its_speed_along_its_incline(
    thing: str, speed: float, direction: str, rise: float
):
    """From 0.5 s on for 3 s: 60 cm within 1 %; inclined: lifted by its share."""
    world = belt(thing, speed, rise=rise, direction=direction)
    world.run(0.5)
    start = center(world, thing)

    world.run(3.0)

    way = center(world, thing) - start
    slope = np.arctan(rise / 300.0)
    axis = "xy".index(direction)
    assert np.linalg.norm(way) == pytest.approx(60.0, rel=1e-2)
    assert way[axis] == pytest.approx(np.sign(speed) * 60.0 * np.cos(slope), rel=1e-2)
    assert way[2] == pytest.approx(np.sign(speed) * 60.0 * np.sin(slope), abs=0.2)
    assert abs(way[1 - axis]) < 0.2


@pytest.mark.capability("AB-66")
@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_belt_draws_to_its_middle_without_overshoot(thing: str, side: float):
    world = belt(thing, 20.0, across=10.0 * side, to_middle=5.0)

    offsets = side * np.array(follow(world, 4.0, lambda: center(world, thing)[1]))

    assert abs(offsets[2499]) <= 0.2
    assert offsets[2499:].max() <= 0.2
    assert offsets.min() >= -0.2  # it never goes far over to the other side


@pytest.mark.capability("AB-67")
def test_a_stopped_belt_holds_a_cuboid_and_lets_a_ball_go_on():
    cuboid, ball = belt("cuboid_1", 20.0), belt("ball_1", 20.0)
    for world in (cuboid, ball):
        world.run(1.0)
        world.command_conveyor("conveyor_1", running=False)
        world.run(0.2)

    assert np.abs(velocity(cuboid, "cuboid_1")).max() < 0.01
    assert velocity(ball, "ball_1")[0] == pytest.approx(20.0 * 0.7**0.2, rel=2e-2)
    place = center(cuboid, "cuboid_1")
    cuboid.run(0.5)
    assert np.abs(center(cuboid, "cuboid_1") - place).max() < 0.01


@pytest.mark.capability("AB-67")
def test_a_belt_stands_at_the_start_if_told_so_and_runs_when_started():
    world = belt("cuboid_1", 20.0, state="STOP")
    world.run(0.5)
    assert center(world, "cuboid_1")[0] == pytest.approx(100.0, abs=0.01)

    world.command_conveyor("conveyor_1", running=True)
    world.run(1.0)

    assert center(world, "cuboid_1")[0] == pytest.approx(120.0, abs=0.5)


def test_a_stopped_inclined_belt_is_a_slope_for_balls():
    rise = 300.0 * float(np.tan(np.radians(15.0)))
    world = belt("ball_1", 20.0, rise=rise, state="STOP")

    world.run(0.5)

    # resistance 0.3: v' = g sin - c v with c = -ln 0.7
    c, g = -np.log(0.7), 981.0 * np.sin(np.radians(15.0))
    expected = g / c * (1.0 - np.exp(-c * 0.5))
    assert np.linalg.norm(velocity(world, "ball_1")) == pytest.approx(
        expected, rel=2e-2
    )


def test_resistance_does_not_brake_what_a_belt_carries():
    world = belt("ball_1", 20.0)

    world.run(2.0)

    assert velocity(world, "ball_1")[0] == pytest.approx(20.0, rel=1e-2)
