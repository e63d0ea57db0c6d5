"""Tests of the workspace. Oracles: the forward kinematics, the rank of Jacobians."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from experiments.piggy.arrangements import compare_arrangements
from gelenk.robots.piggy.kinematics import forward, jacobian, normal
from gelenk.robots.piggy.workspace import (
    condition,
    guard,
    height,
    is_reachable,
    is_valid,
    singular_tilt,
)


@pytest.mark.capability("BB-04")
def test_every_pose_lies_on_the_torus_and_a_step_along_the_normal_off_it() -> None:
    q = np.random.default_rng(1).uniform(-1.5, 1.5, (5000, 2))
    assert_allclose(height(forward(q)), 0.0, atol=1e-12)
    assert_allclose(height(forward(q) + 0.05 * normal(q)), 0.05, atol=1e-12)
    assert_allclose(height(forward(q) - 0.05 * normal(q)), -0.05, atol=1e-12)


@pytest.mark.capability("BB-04")
def test_points_are_reachable_on_the_surface_within_the_angles_only() -> None:
    limit = np.deg2rad(80.0)
    assert is_reachable(forward((0.5, -0.5)))
    assert not is_reachable(forward((0.5, -0.5)) + 1e-3 * normal((0.5, -0.5)))
    assert not is_reachable(forward((0.0, limit + 0.01)))
    assert not is_reachable((0.0, 0.0, 0.2))


@pytest.mark.capability("BB-04")
def test_the_singularities_lie_beyond_the_front_and_back_edges() -> None:
    t = singular_tilt()
    assert np.deg2rad(90.0) < t < np.deg2rad(95.0)
    for sign in (1.0, -1.0):
        assert np.linalg.matrix_rank(jacobian((0.4, sign * t)), tol=1e-9) == 1
    grid = np.deg2rad(np.linspace(-80.0, 80.0, 33))
    worst = max((float(condition((r, t))), abs(t)) for r in grid for t in grid)
    assert worst[1] == pytest.approx(np.deg2rad(80.0))  # nowhere but at the edges
    assert worst[0] < 5.0


@pytest.mark.capability("BB-04")
def test_pan_tilt_is_singular_in_the_middle_where_roll_tilt_is_best() -> None:
    both = compare_arrangements(count=19)
    middle = 9
    assert both.condition_pan_tilt[:, middle].min() > 1e6
    assert both.condition_roll_tilt[middle, middle] < 1.1
    place = both.pan_tilt[:, middle]
    assert_allclose(place, np.tile(place[0], (19, 1)), atol=1e-12)


@pytest.mark.capability("BB-36")
@pytest.mark.parametrize("target", [(0.0, 1.9), (1.55, 0.2), (-1.6, -1.2), (0.3, -2.0)])
def test_a_target_outside_ends_at_the_last_valid_pose(target) -> None:
    q = guard((0.1, 0.2), target)

    assert is_valid(q)
    # The border is no further than the threshold on the way that was halved.
    way = forward(target) - forward(q)
    step = forward(q) + 0.006 * way / np.linalg.norm(way)
    on = np.array([q, q + (np.array(target) - q) * 0.02])
    assert not is_valid(on[1]) or np.linalg.norm(step - forward(q)) < 0.0061
    assert np.abs(q).max() > np.deg2rad(79.0)


@pytest.mark.capability("BB-36")
def test_a_valid_target_is_left_alone() -> None:
    assert_allclose(guard((0.0, 0.0), (0.7, -0.4)), (0.7, -0.4), atol=0.0)


def test_the_sphere_keeps_clear_of_the_housing() -> None:
    assert is_valid((0.0, 0.0))
    assert not is_valid((0.0, np.deg2rad(85.0)))
