"""Many bodies, thin walls, boxes: nothing escapes, nothing gains energy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from contact_probe import NO_GRAVITY, as_triple, deepest_overlap, world_of
from gelenk.sim import Ball, Box, Cuboid, Ground, World

INSIDE, THICK = 1.0, 0.02  # [m] of the closed box


def _closed_box() -> list[Box]:
    walls = []
    for axis in range(3):
        for side in (-1, 1):
            size, position = np.full(3, INSIDE + 2.0 * THICK), np.zeros(3)
            size[axis], position[axis] = THICK, 0.5 * side * (INSIDE + THICK)
            walls.append(
                Box(
                    name=f"wall_{axis}_{side}",
                    size=as_triple(size),
                    position=as_triple(position),
                    friction=0.3,
                )
            )
    return walls


def _balls(rng: np.random.Generator, count: int, speed: float, e: float) -> list[Ball]:
    balls = []
    for i in range(count):
        way = rng.normal(size=3)
        place = np.array([i % 4, i // 4 % 4, i // 16]) * 0.22 - 0.33
        balls.append(
            Ball(
                name=f"ball_{i}",
                radius=(0.03, 0.05, 0.08)[i % 3],
                mass=(0.02, 0.1, 0.4)[i % 3],
                position=as_triple(place),
                velocity=as_triple(speed * way / np.linalg.norm(way)),
                restitution=e,
                friction=0.3,
            )
        )
    return balls


def _watch(world: World, ticks: int, every: int) -> tuple[float, float]:
    """Return the largest rise of energy over its minimum so far, and the depth."""
    least, rise, depth = world.energy(), 0.0, 0.0
    for _ in range(ticks // every):
        world.step(every)
        now = world.energy()
        rise, least = max(rise, now - least), min(least, now)
        depth = max(depth, deepest_overlap(world))
    return rise, depth


@pytest.mark.slow
@pytest.mark.parametrize("step", [0.001, 0.004])
def test_forty_balls_stay_in_their_box_and_never_gain_energy(step: float):
    rng = np.random.default_rng(2)
    balls = _balls(rng, 40, 8.0, 0.9)
    world = world_of([*_closed_box(), *balls], step)
    start = sum(0.5 * ball.mass * 8.0**2 for ball in balls)

    rise, depth = _watch(world, round(3.0 / step), 1)

    places = np.array([world.pose(ball.name)[:3, 3] for ball in balls])
    assert np.abs(places).max() < 0.5 * INSIDE
    assert rise <= 2e-5 * start
    assert depth <= 5e-4
    assert len(world.impacts()) > 1000


@pytest.mark.parametrize("step", [0.001, 0.004])
def test_a_very_fast_ball_does_not_pass_a_thin_wall(step: float):
    """At 50 m/s and 4 ms it moves ten walls far in one tick."""
    for seed in range(5):
        (ball,) = _balls(np.random.default_rng(seed), 1, 50.0, 1.0)
        world = world_of([*_closed_box(), ball], step, gravity=NO_GRAVITY)
        start = 0.5 * ball.mass * 50.0**2

        world.run(1.0)

        assert len(world.impacts()) > 20
        assert np.abs(world.pose("ball_0")[:3, 3]).max() < 0.5 * INSIDE
        assert world.energy() <= start * (1.0 + 1e-12)


@pytest.mark.parametrize("step", [0.001, 0.004])
@pytest.mark.parametrize("e", [0.3, 0.5, 0.9])
def test_a_box_that_drops_flat_rebounds_without_turning(e: float, step: float):
    box = Cuboid(name="box", size=(0.2, 0.3, 0.1), mass=1.0, position=(0, 0, 0.55), restitution=e)  # fmt: skip
    world = world_of([Ground(), box], step)
    v = np.sqrt(2.0 * 9.81 * 0.5)
    up = e * v / 9.81

    world.run(v / 9.81 + up)

    t = world.time - v / 9.81
    assert_allclose(
        world.pose("box")[2, 3], 0.05 + e * v * t - 4.905 * t * t, atol=1e-6
    )
    assert_allclose(world.pose("box")[:3, :3], np.eye(3), atol=1e-9)
    assert_allclose(world.twist("box")[3:], np.zeros(3), atol=1e-9)


@pytest.mark.parametrize("step", [0.001, 0.004])
def test_a_corner_hit_without_friction_obeys_the_law_of_rigid_bodies(step: float):
    """Normal impulse (1 + e) u / (1/m + (r x n) I^-1 (r x n)) at the lowest corner."""
    rng = np.random.default_rng(8)
    size, mass = np.array([0.1, 0.16, 0.22]), 0.7
    inertia = mass / 12.0 * (np.sum(size**2) - size**2)
    for _ in range(10):
        R = _rotation(rng)
        corners = [
            R @ (0.5 * size * np.array([i, j, k]))
            for i in (-1, 1)
            for j in (-1, 1)
            for k in (-1, 1)
        ]
        corner = min(corners, key=lambda c: c[2])
        e, v = rng.uniform(0.3, 0.95), rng.uniform(0.5, 10.0)
        t = 0.01
        box = Cuboid(
            name="box",
            size=as_triple(size),
            mass=mass,
            position=as_triple(np.array([0.0, 0.0, -corner[2] + v * t])),
            quat=_quat(R),
            velocity=(0, 0, -v),
            restitution=e,
            condim=1,
            priority=1,
        )
        world = world_of([Ground(), box], step, gravity=NO_GRAVITY)

        world.run(t + step)

        blows = world.impacts()
        n = np.array([0.0, 0.0, 1.0])
        arm = np.cross(corner, n)
        turned = R @ np.diag(1.0 / inertia) @ R.T @ arm
        p = (1.0 + e) * v / (1.0 / mass + arm @ turned)
        assert_allclose(blows[0].impulse, p * n, rtol=1e-4, atol=1e-9)
        assert_allclose(blows[0].time, t, atol=1e-6)


def _rotation(rng: np.random.Generator) -> np.ndarray:
    Q, upper = np.linalg.qr(rng.normal(size=(3, 3)))
    Q = Q * np.sign(np.diag(upper))
    return Q if np.linalg.det(Q) > 0.0 else -Q


def _quat(R: np.ndarray) -> tuple[float, float, float, float]:
    from scipy.spatial.transform import Rotation

    w, x, y, z = Rotation.from_matrix(R).as_quat(canonical=True, scalar_first=True)
    return float(w), float(x), float(y), float(z)


@pytest.mark.slow
@pytest.mark.parametrize("step", [0.001, 0.004])
def test_tumbling_boxes_that_bounce_gain_no_energy_and_come_to_rest(step: float):
    rng = np.random.default_rng(6)
    boxes = [
        Cuboid(
            name=f"box_{i}",
            size=as_triple(rng.uniform(0.08, 0.2, 3)),
            mass=0.5,
            position=(i, 0, 0.6),
            quat=_quat(_rotation(rng)),
            velocity=as_triple(0.5 * rng.normal(size=3)),
            angular_velocity=as_triple(6.0 * rng.normal(size=3)),
            restitution=rng.uniform(0.3, 0.8),
        )
        for i in range(6)
    ]
    world = world_of([Ground(), *boxes], step)
    start = sum(box.mass * 9.81 * 0.6 for box in boxes)

    rise, depth = _watch(world, round(4.0 / step), 1)
    world.run(4.0)

    assert rise <= 1e-4 * start
    assert depth <= 5e-4
    for box in boxes:
        assert np.abs(world.twist(box.name)).max() < 1e-3
