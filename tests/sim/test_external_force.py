"""Tests of forces from outside: Newton's and Euler's laws."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import gelenk
from gelenk.errors import ConfigError, NameNotFoundError, ShapeError
from gelenk.sim import (
    Ball,
    Box,
    Cuboid,
    IdealMotor,
    Robot,
    TorqueMotor,
    World,
    WorldConfig,
)

WEIGHTLESS = WorldConfig(gravity=(0.0, 0.0, 0.0))
SIZE, MASS = (0.6, 0.1, 0.2), 2.0  # [m], [kg]
INERTIA = MASS / 12.0 * np.array([0.1**2 + 0.2**2, 0.6**2 + 0.2**2, 0.6**2 + 0.1**2])


def ball_world() -> World:
    world = World(WEIGHTLESS)
    world.add(Ball(name="ball", radius=0.1, mass=0.5, position=(0, 0, 1)))
    return world


def bar_world(config: WorldConfig = WEIGHTLESS) -> World:
    world = World(config)
    world.add(Cuboid(name="bar", size=SIZE, mass=MASS, position=(1.0, 2.0, 3.0)))
    return world


def test_a_pushed_ball_obeys_newton_until_the_push_ends() -> None:
    world = ball_world()
    world.apply_wrench("ball", [1.0, 0.0, -2.0, 0.0, 0.01, 0.0])
    world.run(0.1)
    inertia = 0.4 * 0.5 * 0.1**2
    expected = np.array([2.0, 0.0, -4.0, 0.0, 0.01 / inertia, 0.0]) * 0.1
    assert_allclose(world.twist("ball"), expected, rtol=1e-6, atol=1e-9)
    world.apply_wrench("ball", np.zeros(6))
    world.run(0.1)
    assert_allclose(world.twist("ball"), expected, rtol=1e-6, atol=1e-9)


def test_a_push_lasts_as_long_as_it_is_said_to() -> None:
    world = ball_world()
    world.apply_wrench("ball", [1.0, 0.0, 0.0, 0.0, 0.0, 0.0], duration=0.05)
    world.run(0.2)
    assert_allclose(world.twist("ball")[0], 2.0 * 0.05, rtol=1e-9)
    world.apply_wrench("ball", [1.0, 0.0, 0.0, 0.0, 0.0, 0.0], duration=0.05)
    world.run(0.02)
    world.apply_wrench("ball", [-1.0, 0.0, 0.0, 0.0, 0.0, 0.0], duration=0.01)
    world.run(0.1)  # the second one has ended the first
    assert_allclose(world.twist("ball")[0], 2.0 * (0.05 + 0.02 - 0.01), rtol=1e-9)


@pytest.mark.parametrize("frame", ["world", "body"])
def test_a_wrench_at_a_point_of_a_body_moves_with_it(frame: str) -> None:
    force, torque, at = np.array([3.0, 8.0, 2.0]), [0.1, 0.0, -0.2], [0.3, 0.0, 0.1]
    world = bar_world(WorldConfig(step=5e-5, gravity=(0.0, 0.0, 0.0)))
    point = at if frame == "body" else np.add(at, [1.0, 2.0, 3.0])
    world.apply_wrench("bar", [*force, *torque], point=point, frame=frame)

    def motion(_: float, x: np.ndarray) -> np.ndarray:
        R, omega = x[9:].reshape(3, 3), x[6:9]  # in axes of the world
        f, tau = (R @ force, R @ torque) if frame == "body" else (force, torque)
        momentum_rate = tau + np.cross(R @ at, f)
        inertia = R @ np.diag(INERTIA) @ R.T
        alpha = np.linalg.solve(
            inertia, momentum_rate - np.cross(omega, inertia @ omega)
        )
        turning = np.cross(omega, R.T).T  # column by column
        return np.concatenate([x[3:6], f / MASS, alpha, turning.ravel()])

    start = np.concatenate([[1.0, 2.0, 3.0], np.zeros(6), np.eye(3).ravel()])
    end = solve_ivp(motion, (0.0, 0.4), start, rtol=1e-10, atol=1e-12).y[:, -1]
    world.run(0.4)
    R_end = end[9:].reshape(3, 3)
    assert np.trace(R_end) < 1.0 + 2.0 * np.cos(1.0)  # turned by more than a radian
    assert_allclose(world.pose("bar")[:3, 3], end[:3], atol=1e-3)
    assert_allclose(world.pose("bar")[:3, :3], R_end, atol=2e-3)


def test_a_pushed_link_moves_the_arm_as_the_jacobian_says() -> None:
    arm, h = gelenk.load("ur5e"), 1e-5
    q = arm.home_configuration + 0.3
    world = World(WorldConfig(step=h, gravity=(0.0, 0.0, 0.0)))
    world.add(Robot(name="arm", model=arm, motors=TorqueMotor(), q=q))
    wrench = np.array([30.0, -20.0, 10.0, 1.0, 2.0, -3.0])
    world.apply_wrench("arm/link_6", wrench)
    world.step()
    bias = arm.inverse_dynamics(q, 0 * q, 0 * q)  # the world has no gravity
    qdd = arm.forward_dynamics(q, 0 * q, bias + arm.jacobian(q).T @ wrench)
    assert_allclose(world.velocity("arm") / h, qdd, rtol=1e-6)


def test_a_snapshot_in_the_middle_of_a_push_goes_on_bit_by_bit() -> None:
    world = bar_world()
    quiet = world.state_hash()
    wrench = [1.0, 2.0, 3.0, 0.0, 0.1, 0.0]
    world.apply_wrench("bar", wrench, point=[0.2, 0.0, 0.0], frame="body", duration=0.1)
    assert world.state_hash() != quiet
    world.run(0.05)
    state = world.snapshot()
    world.run(0.1)
    once = world.state_hash()
    world.restore(state)
    world.run(0.1)
    assert world.state_hash() == once
    other = bar_world()
    other.restore(state)
    other.run(0.1)
    assert other.state_hash() == once


def test_mistakes_are_named() -> None:
    world = ball_world()
    world.add(Box(name="wall", size=(1, 1, 1), position=(5, 0, 0)))
    with pytest.raises(ShapeError, match="wrench"):
        world.apply_wrench("ball", [1.0, 2.0, 3.0])
    with pytest.raises(NameNotFoundError):
        world.apply_wrench("bull", np.zeros(6))
    with pytest.raises(ConfigError, match="'wall' does not move"):
        world.apply_wrench("wall", np.ones(6))
    with pytest.raises(ConfigError, match="duration"):
        world.apply_wrench("ball", np.ones(6), duration=0.0)
    with pytest.raises(ConfigError, match="frame"):
        world.apply_wrench("ball", np.ones(6), frame="tool")  # type: ignore[arg-type]


def test_what_an_ideal_motor_moves_cannot_be_pushed() -> None:
    world = World()
    world.add(Robot(name="arm", model=gelenk.load("ur5e"), motors=IdealMotor()))
    q = world.configuration("arm")
    world.apply_wrench("arm/link_6", [1e3, 0.0, 0.0, 0.0, 0.0, 0.0])
    world.run(0.05)
    assert (world.configuration("arm") == q).all()
