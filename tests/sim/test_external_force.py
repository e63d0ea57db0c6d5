"""Tests of forces from outside: Newton's and Euler's laws."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import NameNotFoundError, ShapeError
from gelenk.sim import Ball, World, WorldConfig
from gelenk.sim.observe import apply_external_force


def test_a_pushed_ball_obeys_newton_until_the_push_ends() -> None:
    world = World(WorldConfig(gravity=(0.0, 0.0, 0.0)))
    world.add(Ball(name="ball", radius=0.1, mass=0.5, position=(0, 0, 1)))
    apply_external_force(world, "ball", [1.0, 0.0, -2.0, 0.0, 0.01, 0.0])
    world.run(0.1)
    inertia = 0.4 * 0.5 * 0.1**2
    expected = np.array([2.0, 0.0, -4.0, 0.0, 0.01 / inertia, 0.0]) * 0.1
    assert_allclose(world.twist("ball"), expected, rtol=1e-6, atol=1e-9)
    apply_external_force(world, "ball", np.zeros(6))
    world.run(0.1)
    assert_allclose(world.twist("ball"), expected, rtol=1e-6, atol=1e-9)


def test_mistakes_are_named() -> None:
    world = World()
    world.add(Ball(name="ball", radius=0.1, mass=0.5, position=(0, 0, 1)))
    with pytest.raises(ShapeError, match="wrench"):
        apply_external_force(world, "ball", [1.0, 2.0, 3.0])
    with pytest.raises(NameNotFoundError):
        apply_external_force(world, "bull", np.zeros(6))
