"""Balls that hit something fixed, against the textbook impact of a solid sphere."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from contact_probe import STEPS, ball_of, deepest_during, velocity_error, world_of
from gelenk.errors import NameNotFoundError
from gelenk.sim import Ball, Box, Conveyor, Ground, Sphere, World
from gelenk.sim.compiled_world import WorldItem
from gelenk.sim.objects import PolygonOutline, Prism, RectOutline
from impact_law import SphereState, first_touch, nearest_on_box, strike

RADIUS, MASS = 0.05, 0.2
CENTRE, SIZE = np.array([0.0, 0.0, -0.1]), np.array([0.6, 0.6, 0.2])
INFINITE = np.array([1e3, 1e3, 0.2])
WALL = SphereState(np.zeros(3), np.zeros(3), np.zeros(3), 1.0, np.inf)
PLAN = PolygonOutline(points=((-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3)))

OBSTACLES = {
    "plane": lambda mu: Ground(friction=mu),
    "box face": lambda mu: Box(name="box", size=(0.6, 0.6, 0.2), position=(0, 0, -0.1), friction=mu),
    "box edge": lambda mu: Box(name="box", size=(0.6, 0.6, 0.2), position=(0, 0, -0.1), friction=mu),
    "prism edge": lambda mu: Prism(name="prism", plan=PLAN, bottom=-0.2, top=0.0, friction=mu),
}  # fmt: skip


def _throw(rng: np.random.Generator, where: str, step: float) -> SphereState:
    """Return a spinning ball some ticks before it hits the obstacle's top or edge."""
    v = 0.5 * 30.0 ** rng.uniform()  # 0.5 to 15 m/s
    is_edge = where.endswith("edge")
    tilt = np.radians(rng.uniform(0.0, 40.0 if is_edge else 80.0))
    turn = rng.uniform(0.0, 2.0 * np.pi)
    way = np.array(
        [np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), -np.cos(tilt)]
    )
    target = np.array([0.0, rng.uniform(-0.1, 0.1), RADIUS])
    if is_edge:
        side = np.radians(rng.uniform(10.0, 80.0))
        target[0] = 0.3 + RADIUS * np.sin(side)
        target[2] = RADIUS * np.cos(side)
    before = rng.uniform(2.0, 6.0) * step + 0.01 / v
    return SphereState(
        p=target - way * v * before,
        v=way * v,
        w=rng.choice([0.0, 30.0]) * rng.normal(size=3),
        radius=RADIUS,
        mass=MASS,
    )


def _expected(
    ball: SphereState, size: np.ndarray, step: float, e: float, mu: float
) -> tuple[int, SphereState, float] | None:
    """Return ticks to run, state after them, and speed at the impact."""

    def gap(t: float) -> np.ndarray:
        p = ball.fly(t).p
        return p - nearest_on_box(p, CENTRE, size)

    if np.linalg.norm(gap(0.0)) < RADIUS + 1e-5:
        return None
    t = first_touch(lambda t: float(np.linalg.norm(gap(t))) - RADIUS, 0.15)
    if t is None:
        return None
    at_impact = ball.fly(t)
    n = gap(t) / np.linalg.norm(gap(t))
    speed = float(np.linalg.norm(at_impact.v))
    if -at_impact.v @ n < 0.1 * speed:
        return None  # glancing hits have a test of their own
    after = strike(WALL, at_impact, n, e, mu)[1]
    ticks = int(np.ceil(t / step)) + 2
    end = after.fly(ticks * step - t)
    is_free = np.linalg.norm(end.p - nearest_on_box(end.p, CENTRE, size)) > RADIUS
    return (ticks, end, speed) if is_free else None


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("where", OBSTACLES)
def test_a_ball_leaves_a_fixed_body_as_the_textbook_says(where: str, step: float):
    rng = np.random.default_rng(round(1e6 * step))
    size = INFINITE if where == "plane" else SIZE
    tried = 0
    while tried < 24:
        ball = _throw(rng, where, step)
        e, mu = rng.uniform(0.3, 0.95), rng.choice([0.05, 0.2, 0.5, 1.0])
        expected = _expected(ball, size, step, e, mu)
        if expected is None:
            continue
        tried += 1
        ticks, end, speed = expected
        world = world_of(
            [OBSTACLES[where](mu), ball_of(ball, "ball", e=e, mu=mu)], step
        )

        depth = deepest_during(world, ticks)

        assert velocity_error(world, "ball", end) <= 1e-3 * speed
        assert depth <= 1e-6


@pytest.mark.parametrize("step", [0.001, 0.004])
def test_glancing_hits_are_neither_missed_nor_doubled(step: float):
    """A ball passes a fixed sphere with the centre line nearly tangential."""
    rng = np.random.default_rng(3)
    for share in (0.9, 0.99, 0.999):  # of the distance at which it would just touch
        v, r, R = rng.uniform(1.0, 15.0), 0.05, 0.3
        offset = share * (r + R)
        ball = SphereState(
            p=np.array([-0.4, offset, 0.0]),
            v=np.array([v, 0.0, 0.0]),
            w=np.zeros(3),
            radius=r,
            mass=MASS,
        )
        n = np.array([-np.sqrt(1.0 - share**2), share, 0.0])
        after = strike(WALL, ball, n, 0.8, 0.3)[1]
        world = world_of(
            [Sphere(name="ball_ahead", radius=R, friction=0.3), ball_of(ball, "ball", e=0.8, mu=0.3)],
            step,
            gravity=(0.0, 0.0, 0.0),
        )  # fmt: skip

        world.run(0.5)

        assert len(world.impacts()) == 1
        assert velocity_error(world, "ball", after) <= 1e-3 * v


def _drop(things: list[WorldItem], e: float, step: float) -> World:
    ball = Ball(
        name="ball", radius=0.05, mass=0.2, position=(0, 0, 1.05), restitution=e
    )
    return world_of([*things, ball], step)


@pytest.mark.parametrize("step", [0.001, 0.004])
@pytest.mark.parametrize("e", [0.5, 0.9])
def test_every_bounce_of_a_dropped_ball_is_e_times_the_last(e: float, step: float):
    world = _drop([Ground()], e, step)

    world.run(3.0 if e < 0.8 else 6.0)

    speeds = [impact.speed for impact in world.impacts() if impact.speed > 0.05]
    exact = np.sqrt(2.0 * 9.81 * 1.0) * e ** np.arange(len(speeds))
    assert len(speeds) >= 6
    assert_allclose(speeds, exact, rtol=2e-6)


def test_an_event_says_when_where_and_how_hard():
    world = _drop([Ground()], 0.6, 0.001)

    world.run(0.6)

    (impact,) = world.impacts()
    fall, v = np.sqrt(2.0 * 1.0 / 9.81), np.sqrt(2.0 * 9.81 * 1.0)
    assert impact.bodies == ("ground", "ball")
    assert_allclose(impact.time, fall, atol=1e-7)
    assert_allclose(impact.speed, v, rtol=1e-7)
    assert_allclose(impact.impulse, [0.0, 0.0, 0.2 * 1.6 * v], atol=1e-7)
    assert_allclose(impact.position, np.zeros(3), atol=1e-6)
    assert world.impacts() == ()


def test_slower_than_the_threshold_nothing_bounces():
    ball = Ball(name="ball", radius=0.05, mass=0.2, position=(0, 0, 0.0501), velocity=(0, 0, -0.01), restitution=1.0)  # fmt: skip
    world = world_of([Ground(), ball], bounce_speed=0.1)

    heights = []
    for _ in range(100):
        world.step()
        heights.append(world.pose("ball")[2, 3])

    assert max(heights[20:]) < 0.0500001


def test_of_two_restitutions_the_smaller_counts_and_a_pair_may_overrule():
    def rebound(**config):
        floor = Box(
            name="floor", size=(1, 1, 0.2), position=(0, 0, -0.1), restitution=0.4
        )
        world = world_of([floor, Ball(name="ball", radius=0.05, mass=0.2, position=(0, 0, 0.15), restitution=0.9)], **config)  # fmt: skip
        world.run(0.2)
        return world.impacts()[0].restitution

    assert rebound() == 0.4
    assert rebound(restitution_pairs={("floor", "ball"): 0.7}) == 0.7


def test_a_pair_may_be_of_materials_and_names_come_first():
    def meeting(**more):
        balls = [
            Ball(name=name, radius=0.05, mass=0.2, position=(0.2 * i, 0, 1), velocity=(1 - 2 * i, 0, 0), restitution=0.3 + 0.1 * i, material="rubber")
            for i, name in enumerate(("a", "b"))
        ]  # fmt: skip
        world = world_of([Ground(), *balls], restitution_pairs={("rubber", "rubber"): 1.0} | more.get("pairs", {}))  # fmt: skip
        world.run(0.1)
        return world.impacts()[0].restitution

    assert meeting() == 1.0
    assert meeting(pairs={("a", "b"): 0.5}) == 0.5
    with pytest.raises(NameNotFoundError, match="no object of a restitution pair"):
        world_of([Ground()], restitution_pairs={("rubber", "rubber"): 1.0}).step()


def test_a_ball_bounces_off_a_running_belt_with_the_belts_pull():
    """Tangential impulse min(mu (1 + e) v, 2/7 slip), textbook of a solid sphere."""
    for mu, slow in ((0.05, True), (0.9, False)):
        belt = Conveyor(name="belt", plan=RectOutline(size=(2, 1)), h1=0.2, h2=0.2, speed=1.0, friction=mu, rolling=0.0, torsion=0.0)  # fmt: skip
        start = SphereState(np.array([0, 0, 0.45]), np.array([0, 0, -2.0]), np.zeros(3), 0.05, 0.2)  # fmt: skip
        world = world_of([belt, ball_of(start, "ball", e=0.7, mu=mu)])

        world.run(0.12)

        v = np.sqrt(4.0 + 2.0 * 9.81 * 0.2)
        pulled = mu * 1.7 * v if slow else 2.0 / 7.0
        assert_allclose(world.twist("ball")[0], pulled, rtol=1e-6)
