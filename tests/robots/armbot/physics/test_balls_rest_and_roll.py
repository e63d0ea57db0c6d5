"""Balls that lie on things, roll down and slow down; cuboids that lie; all in cm."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from armbot_probe import cell, center, follow, throw, tilt, velocity

G = 981.0  # [cm/s^2]
SUPPORTS = {
    "floor": ("", 0.0),
    "rect": ("STEP 12 808080\nRECT 0 0 40 40\nENDSTEP\n", 12.0),
    "circle": ("STEP 7 808080\nCIRCLE 0 0 20\nENDSTEP\n", 7.0),
    "poly": ("STEP 9 808080\nPOLY 3 -30 -20 30 -20 0 40\nENDSTEP\n", 9.0),
    "slice": ("SLICE 28 30 A08060\nRECT 0 0 40 40\nENDSLICE\n", 30.0),
}


@pytest.mark.capability("AB-61", "AB-63", "AB-69", "AB-72", "AB-141")
@pytest.mark.parametrize("support", SUPPORTS)
def test_ball_and_cuboid_come_to_rest_on_their_support(support: str):
    text, height = SUPPORTS[support]
    world = cell(
        text
        + f"BALL -8 -8 {height + 7} 5 0.2 0.4 FF0000\n"
        + f"CUBOID 8 0 {height + 6} 8 8 8 00FF00"
    )

    world.run(2.0)

    assert center(world, "ball_1")[2] == pytest.approx(height + 5.0, abs=0.05)
    assert center(world, "cuboid_1")[2] == pytest.approx(height + 4.0, abs=0.05)
    assert tilt(world, "cuboid_1") < 0.05
    assert_allclose(center(world, "cuboid_1")[:2], [8.0, 0.0], atol=0.05)


@pytest.mark.capability("AB-61")
@pytest.mark.parametrize("shape", ["RECT 0 0 20 20", "CIRCLE 0 0 10", "POLY 4 -10 -10 10 -10 10 10 -10 10"])  # fmt: skip
def test_a_ball_bounces_off_the_side_of_a_step(shape: str):
    world = cell(
        f"STEP 20 808080\n{shape}\nENDSTEP\nBALL -30 0 5 5 0 0.6 FF0000", gravity=0.0
    )
    throw(world, "ball_1", (50.0, 0.0, 0.0))

    world.run(0.6)

    assert velocity(world, "ball_1")[0] == pytest.approx(-30.0, rel=2e-2)


@pytest.mark.capability("AB-63")
def test_a_ball_passes_below_a_slice():
    world = cell(
        "SLICE 12 14 A08060\nRECT 0 0 40 40\nENDSLICE\nBALL -40 0 5 5 0 0.5 FF0000"
    )
    throw(world, "ball_1", (100.0, 0.0, 0.0))

    world.run(0.8)

    assert center(world, "ball_1")[0] == pytest.approx(40.0, rel=1e-2)


@pytest.mark.capability("AB-62", "AB-148")
@pytest.mark.parametrize("direction", ["x", "y"])
def test_down_a_ramp_a_ball_gathers_speed_as_without_rotation(direction: str):
    """20 degrees, 1 s from rest: g sin 20 = 335.5 cm/s, not 5/7 of it."""
    rise = 400.0 * np.tan(np.radians(20.0))
    world = cell(_ramp(direction, rise))

    world.run(1.0)

    v = velocity(world, "ball_1")
    assert np.linalg.norm(v) == pytest.approx(G * np.sin(np.radians(20.0)), rel=1e-2)
    assert v["xy".index(direction)] < 0.0  # to the low side
    assert v[2] < 0.0


def _ramp(direction: str, rise: float) -> str:
    """Return a ramp of 400 cm from the origin along an axis and a ball high on it."""
    plan = {"x": "200 0 400 100", "y": "0 200 100 400"}[direction]
    height = 350.0 / 400.0 * rise + 5.0 / np.cos(np.radians(20.0))
    place = {"x": "350 0", "y": "0 350"}[direction]
    return (
        f"SLOPE 0 {rise:.6f} {direction} 808080\nRECT {plan}\nENDSLOPE\n"
        f"BALL {place} {height:.6f} 5 0 0.5 FF0000"
    )


@pytest.mark.capability("AB-X22")
def test_with_spin_a_ball_rolls_down_with_five_sevenths():
    rise = 400.0 * np.tan(np.radians(20.0))
    world = cell(_ramp("x", rise), spin=True)

    world.run(1.0)

    v = velocity(world, "ball_1")
    expected = 5.0 / 7.0 * G * np.sin(np.radians(20.0))
    assert np.linalg.norm(v) == pytest.approx(expected, rel=1e-2)
    assert world.twist("ball_1")[4] == pytest.approx(-expected / 5.0, rel=1e-2)


@pytest.mark.capability("AB-70")
def test_resistance_takes_its_share_per_second_on_the_floor_only():
    world = cell(
        "BALL 0 0 5 5 0.3 0.5 FF0000\nBALL 0 30 700 5 0.3 0.5 00FF00\n"
        "BALL 0 60 55 5 0.9 0.5 0000FF"
    )
    for name in ("ball_1", "ball_2", "ball_3"):
        throw(world, name, (100.0, 0.0, 0.0))

    world.run(1.0)

    assert velocity(world, "ball_1")[0] == pytest.approx(70.0, rel=1e-2)
    assert velocity(world, "ball_2")[0] == pytest.approx(100.0, rel=1e-2)
    bounces = [b for b in world.impacts() if set(b.bodies) == {"ball_3", "ground"}]
    assert bounces[1].speed / bounces[0].speed == pytest.approx(0.5, rel=1e-2)


def test_resistance_can_be_what_remains_and_can_act_always():
    text = "BALL 0 0 5 5 0.3 0.5 FF0000\nBALL 0 30 700 5 0.3 0.5 00FF00"

    def after(**settings: Any) -> tuple[float, float]:
        world = cell(text, **settings)
        throw(world, "ball_1", (100.0, 0.0, 0.0))
        throw(world, "ball_2", (100.0, 0.0, 0.0))
        world.run(1.0)
        return velocity(world, "ball_1")[0], velocity(world, "ball_2")[0]

    assert_allclose(after(resistance_is_remaining=True), [30.0, 100.0], rtol=1e-2)
    assert_allclose(after(resistance="always"), [70.0, 70.0], rtol=1e-2)


@pytest.mark.slow
@pytest.mark.capability("AB-X03")
def test_flying_rolling_and_resting_balls_are_told_apart_and_gain_no_energy():
    rise = 400.0 * np.tan(np.radians(20.0))
    world = cell(
        _ramp("x", rise)
        + "\nBALL -200 0 50 5 0.9 0 00FF00\nBALL -200 50 5 5 0 0.5 0000FF"
    )
    start = world.energy()

    seen = follow(
        world,
        1.0,
        lambda: (
            *(world.motion(f"ball_{k}") for k in (1, 2, 3)),
            world.energy(),
        ),
    )

    first, second, third, energies = zip(*seen, strict=True)
    assert set(first[50:]) == {"rolling"}
    landing = int(np.sqrt(2.0 * 45.0 / G) / 1e-3)
    assert set(second[: landing - 2]) == {"flying"}
    assert set(second[landing + 20 :]) == {"resting"}
    assert set(third[5:]) == {"resting"}
    # no rule adds energy: neither in flight nor on the ramp nor at the impact
    before = np.array([start, *energies[:-1]])
    assert (np.array(energies) - before).max() <= 1e-6 * abs(start)
