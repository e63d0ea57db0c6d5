"""Balls that hit moving arms: driven ones, free ones, and ones with limited torque."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from contact_probe import (
    NO_GRAVITY,
    STEPS,
    as_triple,
    ball_of,
    bat,
    deepest_during,
    velocity_error,
    world_of,
)
from gelenk.sim import Ball, IdealMotor, Robot, TorqueServo, World
from gelenk.sim.objects import Surface
from impact_law import SphereState, first_touch, strike

LENGTH, HEAD, RADIUS, MASS = 0.6, 0.08, 0.05, 0.2


def _head(q: float) -> np.ndarray:
    return LENGTH * np.array([np.cos(q), 0.0, -np.sin(q)])


def _head_velocity(q: float, omega: float) -> np.ndarray:
    return omega * LENGTH * np.array([-np.sin(q), 0.0, -np.cos(q)])


def _toss(
    rng: np.random.Generator, step: float, omega: float
) -> tuple[SphereState, float]:
    """Return a ball that will meet the swinging head, and the angle of the arm now."""
    v = 0.5 * 30.0 ** rng.uniform()
    t = rng.uniform(2.0, 6.0) * step + 0.01 / v
    q = rng.uniform(-np.pi, np.pi)
    n = rng.normal(size=3)
    n /= np.linalg.norm(n)
    g = np.array([0.0, 0.0, -9.81])
    velocity = _head_velocity(q, omega) - v * n + np.cross(n, rng.normal(size=3))
    p = _head(q) + (HEAD + RADIUS) * n - velocity * t + 0.5 * g * t * t
    w = 20.0 * rng.normal(size=3)
    return SphereState(p, velocity - g * t, w, RADIUS, MASS), q - omega * t


def _expected(
    ball: SphereState, q: float, omega: float, step: float, e: float, mu: float
) -> tuple[int, SphereState, float] | None:
    def gap(t: float) -> float:
        away = np.linalg.norm(ball.fly(t).p - _head(q + omega * t))
        return float(away) - HEAD - RADIUS

    if gap(0.0) < 1e-5:
        return None
    t = first_touch(gap, 0.06)
    if t is None:
        return None
    a, angle = ball.fly(t), q + omega * t
    n = (a.p - _head(angle)) / (HEAD + RADIUS)
    head = SphereState(
        p=_head(angle),
        v=_head_velocity(angle, omega),
        w=np.array([0.0, omega, 0.0]),
        radius=HEAD,
        mass=np.inf,
    )
    approach = a.v - head.v
    speed = float(np.linalg.norm(approach))
    ticks = int(np.ceil(t / step)) + 2
    after = strike(head, a, n, e, mu)[1]

    def gap_after(s: float) -> float:
        away = np.linalg.norm(after.fly(s - t).p - _head(q + omega * s))
        return float(away) - HEAD - RADIUS

    is_clean = -approach @ n > 0.3 * speed and all(
        gap_after(s) > 0.0 for s in np.linspace(t + 1e-4, ticks * step, 30)
    )
    return (ticks, after.fly(ticks * step - t), speed) if is_clean else None


@pytest.mark.parametrize("step", STEPS)
def test_a_ball_leaves_an_infinitely_strong_bat_as_the_textbook_says(step: float):
    rng = np.random.default_rng(round(1e6 * step))
    tried = 0
    while tried < 30:
        omega = rng.uniform(-10.0, 10.0)
        ball, q = _toss(rng, step, omega)
        e, mu = rng.uniform(0.3, 0.95), rng.choice([0.05, 0.2, 1.0])
        expected = _expected(ball, q, omega, step, e, mu)
        if expected is None:
            continue
        tried += 1
        ticks, end, speed = expected
        robot = Robot(
            name="bat",
            model=bat(LENGTH, HEAD),
            q=np.array([q]),
            qd=np.array([omega]),
            motors=IdealMotor(max_speed=abs(omega)),
            surface=Surface(friction=mu, torsion=0.0, rolling=0.0, condim=3),
        )
        world = world_of([robot, ball_of(ball, "ball", e=e, mu=mu)], step)
        world.command("bat", [q + 100.0 * omega])

        depth = deepest_during(world, ticks)

        assert velocity_error(world, "ball", end) <= 1e-3 * speed
        assert depth <= 1e-5


@pytest.mark.parametrize("step", [0.001, 0.004])
def test_a_free_arm_yields_by_its_inertia_about_the_hinge(step: float):
    """p = (1 + e) u / (1/m + a^2/J), a: arm of the blow about the hinge."""
    rng = np.random.default_rng(4)
    for _ in range(12):
        mass, inertia = rng.uniform(0.1, 2.0), 0.002
        hinge = mass * LENGTH**2 + inertia
        omega, e = rng.uniform(-5.0, 5.0), rng.uniform(0.3, 0.95)
        q = rng.uniform(-np.pi, np.pi)
        n = rng.normal(size=3)
        n /= np.linalg.norm(n)
        v, t = rng.uniform(0.5, 15.0), 0.0123
        meeting = q + omega * t
        arm = np.cross(_head(meeting), n)[1]
        # straight at the head where it will be
        velocity = _head_velocity(meeting, omega) - v * n
        start = _head(meeting) + (HEAD + RADIUS) * n - velocity * t
        ball = Ball(name="ball", radius=RADIUS, mass=MASS, position=as_triple(start), velocity=as_triple(velocity), restitution=e, condim=1, priority=1)  # fmt: skip
        robot = Robot(name="bat", model=bat(LENGTH, HEAD, mass, inertia), q=np.array([q]), qd=np.array([omega]))  # fmt: skip
        world = world_of([robot, ball], step, gravity=NO_GRAVITY)

        world.run(0.016)

        p = (1.0 + e) * v / (1.0 / MASS + arm**2 / hinge)
        assert_allclose(world.twist("ball")[:3], velocity + p / MASS * n, atol=1e-3 * v)
        assert_allclose(
            world.joint_velocities("bat")[0],
            omega - p * arm / hinge,
            atol=1e-3 * v * abs(arm) / hinge * MASS + 1e-4,
        )


def _swing_at(step: float, seed: int) -> World:
    """Return a world where a servo swings a bat at a ball."""
    rng = np.random.default_rng(seed)
    servo = TorqueServo(
        stall_torque=rng.uniform(10.0, 40.0), no_load_speed=30.0, nominal_voltage=12.0
    )
    q = rng.uniform(-0.5, 0.5)
    v = rng.uniform(0.5, 10.0)
    target = _head(q + 0.8) + np.array([0.0, rng.uniform(-0.04, 0.04), -HEAD])
    way = rng.normal(size=3) * 0.3 + np.array([0.0, 0.0, 1.0])
    way /= np.linalg.norm(way)
    ball = Ball(name="ball", radius=RADIUS, mass=MASS, position=as_triple(target - 0.08 * v * way), velocity=as_triple(v * way), restitution=0.8, friction=0.3)  # fmt: skip
    robot = Robot(name="bat", model=bat(LENGTH, HEAD), q=np.array([q]), motors=servo)
    world = world_of([robot, ball], step)
    world.command("bat", [1.0])
    return world


@pytest.mark.slow
def test_hits_of_a_torque_limited_bat_converge_to_those_of_tiny_steps():
    """The blow is exact; the engine moves the swinging arm with an error of order h."""
    compared = 0
    for seed in range(12):
        exact = _swing_at(2e-5, seed)
        exact.step(round(0.16 / 2e-5))
        blows = exact.impacts()
        if len(blows) != 1 or blows[0].time > 0.15:
            continue
        compared += 1
        truth = exact.twist("ball")[:3]
        off = []
        for step in STEPS:
            world = _swing_at(step, seed)
            depth = deepest_during(world, round(0.16 / step))
            off.append(float(np.linalg.norm(world.twist("ball")[:3] - truth)))
            assert depth <= 5e-4
        share = np.array(off) / np.linalg.norm(truth)
        assert share[0] <= 0.01
        assert np.all(share <= 0.025 * np.array(STEPS) / 0.001)
        assert_allclose(off[-1] / off[0], STEPS[-1] / STEPS[0], rtol=0.15)
    assert compared >= 5


@pytest.mark.parametrize("step", STEPS)
def test_a_servo_at_full_speed_yields_to_the_blow_as_a_free_arm_does(step: float):
    """At its no-load speed a servo gives no torque: the arm's inertia alone counts."""
    rng = np.random.default_rng(round(1e6 * step))
    hinge = 0.5 * LENGTH**2 + 0.002
    for _ in range(8):
        omega, e = rng.uniform(2.0, 12.0), rng.uniform(0.3, 0.95)
        servo = TorqueServo(stall_torque=2.0, no_load_speed=omega, nominal_voltage=12.0)
        q, v, t = rng.uniform(-np.pi, np.pi), rng.uniform(0.5, 15.0), 0.0123
        meeting = q + omega * t
        n = np.array([-np.sin(meeting), 0.0, -np.cos(meeting)])  # the head's way
        velocity = _head_velocity(meeting, omega) - v * n
        start = _head(meeting) + (HEAD + RADIUS) * n - velocity * t
        ball = Ball(name="ball", radius=RADIUS, mass=MASS, position=as_triple(start), velocity=as_triple(velocity), restitution=e, condim=1, priority=1)  # fmt: skip
        robot = Robot(name="bat", model=bat(LENGTH, HEAD), q=np.array([q]), qd=np.array([omega]), motors=servo)  # fmt: skip
        world = world_of([robot, ball], step, gravity=NO_GRAVITY)
        world.command("bat", [1.0])

        depth = deepest_during(world, round(0.016 / step))

        p = (1.0 + e) * v / (1.0 / MASS + LENGTH**2 / hinge)
        found = world.twist("ball")[:3]
        assert_allclose(found, velocity + p / MASS * n, atol=1e-3 * v)
        assert depth <= 1e-5


@pytest.mark.parametrize("step", [0.001, 0.004])
def test_a_bat_that_starts_in_a_jerk_does_not_sink_into_the_ball(step: float):
    """1000 m/s^2 from rest, a ball 1 mm away: nothing foresees this blow."""
    servo = TorqueServo(stall_torque=110.0, no_load_speed=1e3, nominal_voltage=12.0)
    below = _head(0.0) - np.array([0.0, 0.0, HEAD + RADIUS + 0.001])
    ball = Ball(name="ball", radius=RADIUS, mass=MASS, position=as_triple(below), restitution=0.8)  # fmt: skip
    robot = Robot(name="bat", model=bat(LENGTH, HEAD), motors=servo)
    world = world_of([robot, ball], step, gravity=NO_GRAVITY)
    world.command("bat", [1.0])

    depth = deepest_during(world, round(0.02 / step))

    assert len(world.impacts()) >= 1
    assert depth <= 5e-4
