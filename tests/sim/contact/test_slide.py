"""Bodies that slide: they do not lift, stop where Coulomb says, and begin to roll."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from contact_probe import STEPS, as_triple, world_of
from gelenk.sim import Ball, Box, Cuboid, Ground

G = 9.81


def _slider(kind: str, v: float, mu: float) -> Ball | Cuboid:
    if kind == "ball":
        return Ball(name="body", radius=0.05, mass=0.2, position=(0, 0, 0.05), velocity=(v, 0, 0), friction=mu, rolling=0.0, condim=3)  # fmt: skip
    size = (0.3, 0.3, 0.05) if mu > 0.7 else (0.1, 0.1, 0.1)  # a cube would tip over
    return Cuboid(name="body", size=size, mass=0.5, position=(0, 0, 0.5 * size[2]), velocity=(v, 0, 0), friction=mu)  # fmt: skip


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("v", [3.0, 10.0])
@pytest.mark.parametrize("kind", ["ball", "box"])
def test_a_sliding_body_does_not_lift(kind: str, v: float, step: float):
    for mu in (0.3, 0.6, 1.0):
        body = _slider(kind, v, mu)
        world = world_of([Ground(friction=mu, rolling=0.0), body], step)
        start = body.position[2]

        highest = 0.0
        for _ in range(round(0.4 / step)):
            world.step()
            highest = max(highest, world.pose("body")[2, 3] - start)

        assert highest <= 1e-4


@pytest.mark.parametrize("step", [0.0005, 0.001, 0.002])
def test_a_box_stops_after_the_distance_of_coulomb(step: float):
    for v, mu in ((3.0, 0.3), (3.0, 0.6), (10.0, 0.6)):
        world = world_of([Ground(friction=mu), _slider("box", v, mu)], step)

        world.run(v / (mu * G) + 0.2)

        way = v * v / (2.0 * mu * G)
        assert_allclose(world.pose("body")[0, 3], way, rtol=5e-3, atol=v * step)
        assert np.abs(world.twist("body")).max() < 1e-3


@pytest.mark.capability("AB-X22")
@pytest.mark.parametrize("v", [3.0, 10.0])
def test_a_sliding_ball_ends_rolling_with_five_sevenths_of_its_speed(v: float):
    mu = 0.5
    world = world_of([Ground(friction=mu, rolling=0.0), _slider("ball", v, mu)])

    world.run(2.0 * v / (7.0 * mu * G) + 0.1)

    twist = world.twist("body")
    assert_allclose(twist[0], 5.0 / 7.0 * v, rtol=5e-3)
    assert_allclose(0.05 * twist[4], twist[0], rtol=1e-3)


def test_a_ball_with_backspin_comes_back():
    """Surface speed larger than 5/2 of the speed: it returns, by angular momentum."""
    v, w, mu = 1.0, -80.0, 0.4
    body = Ball(name="body", radius=0.05, mass=0.2, position=(0, 0, 0.05), velocity=(v, 0, 0), angular_velocity=(0, w, 0), friction=mu, rolling=0.0, condim=3)  # fmt: skip
    world = world_of([Ground(friction=mu, rolling=0.0), body])

    world.run(1.0)

    # m v r + 2/5 m r^2 w about the floor is kept; rolling has 7/5 m v r
    assert_allclose(world.twist("body")[0], (v + 0.4 * 0.05 * w) / 1.4, rtol=1e-2)


def _slips(mu: float, angle: float, step: float) -> bool:
    """Say whether a box on a tilted board slides after a second."""
    half = 0.5 * angle
    quat = (np.cos(half), 0.0, np.sin(half), 0.0)
    normal = np.array([np.sin(angle), 0.0, np.cos(angle)])
    board = Box(name="board", size=(4.0, 1.0, 0.1), position=as_triple(-0.05 * normal), quat=quat, friction=mu)  # fmt: skip
    start = 0.01 * normal
    box = Cuboid(name="box", size=(0.1, 0.1, 0.02), mass=0.5, position=as_triple(start), quat=quat, friction=mu)  # fmt: skip
    world = world_of([board, box], step)
    world.run(1.0)
    return bool(np.linalg.norm(world.twist("box")[:3]) > 5e-3)


@pytest.mark.slow
@pytest.mark.parametrize("step", [0.001, 0.004])
@pytest.mark.parametrize("mu", [0.2, 0.5, 0.9])
def test_a_box_begins_to_slide_at_the_angle_of_coulomb(mu: float, step: float):
    low, high = 0.8 * np.arctan(mu), 1.2 * np.arctan(mu)
    assert not _slips(mu, low, step)
    assert _slips(mu, high, step)

    while high - low > 1e-3 * np.arctan(mu):
        middle = 0.5 * (low + high)
        if _slips(mu, middle, step):
            high = middle
        else:
            low = middle

    assert_allclose(0.5 * (low + high), np.arctan(mu), rtol=5e-3)
