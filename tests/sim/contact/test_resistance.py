"""Resistance: a factor per second of touching, along the surface only, or of flight."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from contact_probe import world_of
from gelenk.sim import Ball, Conveyor, Ground, World
from gelenk.sim.objects import RectOutline


def _roller(v: float, resistance: float, *, spins: bool, z: float = 0.05) -> Ball:
    """Return a ball that rolls (or glides) on the floor, without other losses."""
    return Ball(
        name="ball",
        radius=0.05,
        mass=0.2,
        position=(0, 0, z),
        velocity=(v, 0, 0),
        angular_velocity=(0, v / 0.05, 0) if spins else (0, 0, 0),
        spins=spins,
        restitution=0.5,
        rolling_resistance=resistance,
        rolling=0.0,
        condim=3 if spins else 1,
        priority=1,
    )


def _roll(resistance: float, *, spins: bool, seconds: float) -> World:
    world = world_of([Ground(), _roller(1.0, resistance, spins=spins)])
    world.run(seconds)
    return world


@pytest.mark.capability("AB-70")
@pytest.mark.parametrize("spins", [False, True])
def test_of_one_metre_per_second_resistance_leaves_its_share(spins: bool):
    """Resistance 0.3: 70 cm/s after 1 s, 83.666 cm/s after 0.5 s."""
    after = [_roll(0.3, spins=spins, seconds=t).twist("ball")[0] for t in (0.5, 1.0)]

    assert_allclose(after, [0.83666, 0.7], rtol=2e-3)


@pytest.mark.capability("AB-70")
def test_in_flight_nothing_is_lost():
    world = world_of([Ground(), _roller(1.0, 0.9, spins=False, z=3.0)])

    world.run(0.7)

    assert_allclose(world.twist("ball")[:3], [1.0, 0.0, -9.81 * 0.7], rtol=1e-12)


def test_resistance_in_flight_lets_a_fall_end_at_a_final_speed():
    """v' = -g - c v with c = -ln(1 - share): the final speed is g / c."""
    share = 0.98
    ball = replace(_roller(1.0, 0.0, spins=False, z=30.0), flight_resistance=share)
    world = world_of([Ground(), ball])

    world.run(2.5)

    v, c = world.twist("ball")[:3], -np.log(1.0 - share)
    kept = np.exp(-c * 2.5)
    assert_allclose(v[[0, 2]], [kept, -9.81 / c * (1.0 - kept)], rtol=3e-3)


@pytest.mark.capability("AB-70")
@pytest.mark.parametrize("resistance", [0.5, 1.0])
def test_a_bounce_is_not_damped(resistance: float):
    world = world_of([Ground(), _roller(0.3, resistance, spins=False, z=0.55)])

    world.run(1.0)

    speeds = [blow.speed for blow in world.impacts()][:4]
    assert_allclose(speeds, np.sqrt(2.0 * 9.81 * 0.5) * 0.5 ** np.arange(4), rtol=1e-6)


def test_resistance_acts_relative_to_the_belt():
    """A ball at the speed of the belt under it keeps that."""
    belt = Conveyor(name="belt", plan=RectOutline(size=(6, 1)), h1=0.2, h2=0.2, speed=0.8, priority=2)  # fmt: skip
    ball = _roller(0.8, 0.6, spins=False, z=0.25)
    world = world_of([belt, ball])

    world.run(1.0)

    assert_allclose(world.twist("ball")[0], 0.8, rtol=1e-3)
