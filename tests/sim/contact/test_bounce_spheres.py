"""Balls that hit balls: textbook impacts, momentum, and the cradle."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from contact_probe import (
    NO_GRAVITY,
    STEPS,
    ball_of,
    deepest_during,
    velocity_error,
    world_of,
)
from gelenk.sim import Ball, Ground
from impact_law import SphereState, strike


def _pair(
    rng: np.random.Generator, step: float, masses: tuple[float, float]
) -> tuple[SphereState, SphereState, float, np.ndarray, float]:
    """Return two balls on their way, when and along which normal they meet, speed."""
    radii = [0.04 * m ** (1.0 / 3.0) for m in masses]
    v = 0.5 * 30.0 ** rng.uniform()
    way = rng.normal(size=3)
    way /= np.linalg.norm(way)
    aside = np.cross(way, rng.normal(size=3))
    aside /= np.linalg.norm(aside)
    off = np.radians(rng.uniform(0.0, 70.0))
    n = np.cos(off) * way + np.sin(off) * aside
    t = rng.uniform(2.0, 6.0) * step + 0.01 / v
    common = rng.normal(size=3)
    velocities = (common + 0.7 * v * way, common - 0.3 * v * way)
    touch = (np.zeros(3), n * (radii[0] + radii[1]))
    one, other = (
        SphereState(
            p=touch[i] - velocities[i] * t,
            v=velocities[i],
            w=20.0 * rng.normal(size=3),
            radius=radii[i],
            mass=masses[i],
        )
        for i in range(2)
    )
    return one, other, t, n, v


@pytest.mark.capability("AB-X18")
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("masses", [(0.2, 0.2), (0.2, 2.0), (2.0, 0.2)])
def test_two_balls_part_as_the_textbook_says(masses: tuple[float, float], step: float):
    rng = np.random.default_rng(round(1e6 * step))
    for _ in range(16):
        one, other, t, n, v = _pair(rng, step, masses)
        e, mu = rng.uniform(0.3, 0.95), rng.choice([0.05, 0.2, 0.5, 1.0])
        a, b = one.fly(t), other.fly(t)
        after = strike(a, b, n, e, mu)
        ticks = int(np.ceil(t / step)) + 2
        world = world_of(
            [ball_of(one, "one", e=e, mu=mu), ball_of(other, "other", e=e, mu=mu)], step
        )

        depth = deepest_during(world, ticks)

        for name, state in (("one", after[0]), ("other", after[1])):
            end = state.fly(ticks * step - t)
            assert velocity_error(world, name, end) <= 1e-3 * v
        assert depth <= 1e-6


def test_the_impulse_of_an_event_is_the_change_of_momentum_and_both_sum_to_zero():
    rng = np.random.default_rng(11)
    for _ in range(20):
        one, other, t, n, _ = _pair(rng, 0.002, (0.3, 1.1))
        world = world_of(
            [
                ball_of(one, "one", e=0.8, mu=0.4),
                ball_of(other, "other", e=0.8, mu=0.4),
            ],
            0.002,
            gravity=NO_GRAVITY,
        )

        world.run(t + 0.01)

        (impact,) = world.impacts()
        assert impact.bodies == ("one", "other")
        gained = [
            ball.mass * (world.twist(name)[:3] - ball.v)
            for name, ball in (("one", one), ("other", other))
        ]
        assert_allclose(gained[1], impact.impulse, atol=1e-12)
        assert_allclose(gained[0], -impact.impulse, atol=1e-12)
        assert_allclose(impact.time, t, atol=2e-6)
        # angular momentum about the point of contact
        about = one.fly(t, np.zeros(3)).p + one.radius * n
        before = sum(_angular(ball.fly(t, np.zeros(3)), about) for ball in (one, other))
        after = sum(
            _angular(_seen(world, name, ball, world.time - t), about)
            for name, ball in (("one", one), ("other", other))
        )
        assert_allclose(after, before, atol=1e-6)


def _seen(world, name: str, ball: SphereState, since: float) -> SphereState:
    """Return a ball as the world has it, flown back to the impact."""
    twist = world.twist(name)
    p = world.pose(name)[:3, 3] - since * twist[:3]
    return SphereState(p, twist[:3], twist[3:], ball.radius, ball.mass)


def _angular(ball: SphereState, about: np.ndarray) -> np.ndarray:
    spin = 0.4 * ball.mass * ball.radius**2 * ball.w
    return ball.mass * np.cross(ball.p - about, ball.v) + spin


@pytest.mark.parametrize("step", [0.001, 0.004])
def test_a_cradle_of_touching_balls_passes_the_blow_from_ball_to_ball(step: float):
    """Five in a row: pair by pair the next one gets (1 + e) / 2 of the speed."""
    e, v = 0.98, 2.0
    row = [
        Ball(
            name=f"b{i}",
            radius=0.02,
            mass=0.1,
            position=(0.04 * i, 0, 0),
            restitution=e,
        )
        for i in range(5)
    ]
    hammer = Ball(name="hammer", radius=0.02, mass=0.1, position=(-0.3, 0, 0), velocity=(v, 0, 0), restitution=e)  # fmt: skip
    world = world_of([hammer, *row], step, gravity=NO_GRAVITY)

    world.run(0.14)  # the blow falls at 0.13 s

    speeds = [world.twist(name)[0] for name in ("hammer", *(b.name for b in row))]
    gain = 0.5 * (1.0 + e)
    expected = [v * gain**k * (1.0 - gain) for k in range(5)] + [v * gain**5]
    assert_allclose(speeds[-1], expected[-1], rtol=1e-6)
    assert_allclose(speeds, expected, atol=1e-3 * v)
    assert_allclose(sum(speeds), v, rtol=1e-9)


def test_a_ball_on_top_of_a_heavy_one_is_thrown_up():
    """Drop both: the lower rebounds with e v and meets the upper, which still falls."""
    e, gap = 0.9, 1e-4
    lower = Ball(
        name="lower", radius=0.05, mass=2.0, position=(0, 0, 1.05), restitution=e
    )
    upper = Ball(name="upper", radius=0.02, mass=0.02, position=(0, 0, 1.12 + gap), restitution=e)  # fmt: skip
    world = world_of([Ground(), lower, upper])

    world.run(0.47)

    v = np.sqrt(2.0 * 9.81)
    u = (e + 1.0) * v  # at which they meet, to first order in the gap
    up = -v + (1.0 + e) * u * 2.0 / 2.02
    t = 0.47 - v / 9.81
    assert_allclose(world.twist("upper")[2], up - 9.81 * t, rtol=1e-3)
