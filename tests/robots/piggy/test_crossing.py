"""Tests of where flights come into reach. Oracle: the specification's worked flight."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.dynamics.flight import simulate_flight
from gelenk.robots.piggy.config import RADIUS_SUM
from gelenk.robots.piggy.crossing import beside, find_crossing
from gelenk.robots.piggy.kinematics import forward
from gelenk.robots.piggy.planner.path import BallPath


def flight(p: list[float], v: list[float], *, until: float = 1.3) -> BallPath:
    time = np.arange(0.0, until, 0.02)
    x = simulate_flight([*p, *v], time)
    return BallPath(time=time, position=x[:, :3], velocity=x[:, 3:6])


THROW = flight([-0.3, 5.0, 1.8], [0.0, -6.5, 4.0])


@pytest.mark.capability("BB-78")
def test_the_worked_flight_crosses_where_and_when_it_should() -> None:
    found = find_crossing(THROW, after=0.0)
    assert found is not None
    assert found.is_inside
    assert_allclose(found.time, 0.834, atol=1e-3)
    assert_allclose(found.position, [-0.300, 0.359, 1.560], atol=2e-3)
    assert_allclose(np.degrees(found.q), [0.43, -44.41], atol=0.05)
    assert_allclose(found.touch, 0.805, atol=1.5e-3)


def test_a_bat_at_the_crossing_is_touched_at_the_predicted_time() -> None:
    found = find_crossing(THROW, after=0.0)
    assert found is not None
    ball, _ = THROW.at(found.touch)
    gap = np.linalg.norm(ball - forward(found.q)) - RADIUS_SUM
    assert abs(gap) < 2e-3


def test_what_lies_in_the_past_is_no_crossing() -> None:
    assert find_crossing(THROW, after=0.9) is None


def test_a_ball_that_leaves_the_workspace_is_not_met() -> None:
    """From inside upwards and out: only entries count."""
    out = flight([-0.305, -0.23, 1.3], [0.0, 3.0, 6.0], until=0.4)
    assert find_crossing(out, after=0.0, graze=0.0) is None


def test_a_ball_just_outside_is_met_where_it_comes_nearest() -> None:
    """Flies level over the top: the nearest pose is upright."""
    time = np.linspace(0.0, 1.0, 41)
    position = np.stack(
        [np.full(41, -0.305), 2.0 - 5.0 * time, np.full(41, 1.798 + 0.08)], axis=1
    )
    velocity = np.tile([0.0, -5.0, 0.0], (41, 1))
    path = BallPath(time=time, position=position, velocity=velocity)
    found = find_crossing(path, after=0.0)
    assert found is not None
    assert not found.is_inside
    assert_allclose(found.q, [0.0, 0.0], atol=3e-4)
    assert_allclose(found.time, 2.23 / 5.0, atol=1e-4)
    assert find_crossing(path, after=0.0, graze=0.05) is None


@pytest.mark.capability("BB-82")
def test_the_bat_beside_the_path_is_off_by_the_offset_to_the_robots_right() -> None:
    found = find_crossing(THROW, after=0.0)
    assert found is not None
    bat = forward(beside(found, 0.1))
    assert_allclose(bat[0] - found.position[0], 0.1, atol=0.01)
    assert np.linalg.norm(bat - found.position) < 0.11
