"""Tests of the judge: where straight paths meet the torus, and what counts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from experiments.piggy.track_watch import approach_of
from gelenk.errors import ConfigError
from gelenk.robots.piggy import robot as unit
from gelenk.robots.piggy.air import AirCfg, FloorCfg
from gelenk.robots.piggy.balls import BallFlight
from gelenk.robots.piggy.cameras import EXACT
from gelenk.robots.piggy.judge import (
    crossing_of,
    first_crossing,
    judge,
)
from gelenk.robots.piggy.kinematics import forward
from gelenk.robots.piggy.throwers import Throw
from gelenk.robots.piggy.world import KEPT_BALLS, SceneCfg, make_world

ORIGIN = np.array(unit.ROLL_ORIGIN)
H = 0.001


def straight(x: float, z: float, *, speed: float = 6.0) -> np.ndarray:
    """Return a level path towards the robot that starts 3 m ahead of the roll axis."""
    t = np.arange(1000) * H
    path = np.zeros((len(t), 6))
    path[:, 0], path[:, 2] = ORIGIN[0] + x, ORIGIN[2] + z
    path[:, 1] = ORIGIN[1] + 3.0 - speed * t
    path[:, 4] = -speed
    return path


def test_a_level_ball_enters_where_the_torus_is() -> None:
    found = first_crossing(straight(0.2, 0.6), H, 5.0)
    assert found is not None
    radial = math.hypot(0.2, 0.6) - unit.AXIS_OFFSET
    y = math.sqrt(unit.BAT_LENGTH**2 - radial**2)
    assert_allclose(found.position - ORIGIN, [0.2, y, 0.6], atol=1e-5)
    assert found.time == pytest.approx(5.0 + (3.0 - y) / 6.0, abs=1e-5)
    assert_allclose(forward(found.pose), found.position, atol=1e-5)
    assert_allclose(found.velocity, [0.0, -6.0, 0.0], atol=1e-12)


@pytest.mark.parametrize(("x", "z"), [(0.0, 0.95), (0.95, 0.2), (0.0, -0.3)])
def test_balls_above_beside_and_below_miss_the_workspace(x: float, z: float) -> None:
    assert first_crossing(straight(x, z), H, 0.0) is None


def test_a_ball_passes_a_point_where_its_parabola_is_nearest() -> None:
    throw = Throw(position=(-0.3, 5.0, 1.8), velocity=(0.2, -6.5, 4.0), drag=0.0)
    ball = BallFlight(
        0, throw, 1000, h=5e-4, gravity=np.array([0, 0, -9.81]), air=AirCfg(lift=0.0),
        floor=FloorCfg(), rng=np.random.default_rng(0),
    )  # fmt: skip
    point = np.array([-0.1, 0.1, 1.75])
    # Without air |p(t) - point|^2 has its least where a cubic is zero.
    p, v, g = np.array(throw.position) - point, np.array(throw.velocity), -9.81
    cubic = [0.5 * g * g, 1.5 * g * v[2], v @ v + g * p[2], p @ v]
    roots = np.roots(cubic)
    t = roots[np.abs(roots.imag) < 1e-9].real
    t = t[np.argmin(np.abs(t - 0.75))]
    away = np.linalg.norm(p + v * t + [0.0, 0.0, 0.5 * g * t * t])
    found = approach_of(ball, point, 0.5 + t + 0.05)
    assert found == pytest.approx((away, 0.5 + t), abs=2e-5)
    assert approach_of(ball, point, -9.0)[0] > 1.0  # not around that time


def test_the_crossing_is_that_of_the_flight_without_a_bat() -> None:
    throw = Throw(position=(-0.305, 5.0, 1.8), velocity=(0.0, -6.5, 4.0), drag=0.0612)
    ball = BallFlight(
        0, throw, 1000, h=5e-4, gravity=np.array([0, 0, -9.81]), air=AirCfg(lift=0.0),
        floor=FloorCfg(), rng=np.random.default_rng(0),
    )  # fmt: skip
    ball.state[:] = np.nan  # what became of the real ball does not matter
    found = crossing_of(ball)
    assert found is not None
    assert found.time == pytest.approx(0.5 + 0.834, abs=1e-3)
    assert_allclose(found.position, [-0.305, 0.359, 1.560], atol=2e-3)
    assert math.degrees(found.pose[1]) == pytest.approx(-44.41, abs=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("side", [-1, 1])
def test_a_bat_beside_the_ball_sends_it_to_the_other_side(side: int) -> None:
    world = make_world(SceneCfg(rig=EXACT, q=(0.0, 0.0)))
    x, y, z = forward(np.zeros(2))
    throw = Throw(
        position=(x + 0.1 * side, y + 0.5, z), velocity=(0.0, -6.0, 0.5), windup=0.0
    )
    number = world.throw(throw)
    world.step_to(0.2)
    verdict = judge(world, number)
    assert verdict.hit
    assert verdict.side == side
    world.close()


@pytest.mark.slow
def test_balls_of_long_ago_cannot_be_judged() -> None:
    world = make_world(SceneCfg(rig=EXACT))
    throw = Throw(position=(0.0, 5.0, 1.8), velocity=(0.0, -6.5, 4.0))
    for _ in range(KEPT_BALLS + 1):
        world.throw(throw)
    assert judge(world, 1).crossing is not None
    with pytest.raises(ConfigError, match="forgotten"):
        judge(world, 0)
    world.close()
