"""The two iterative methods of the ArmBot, with its published vectors (in cm, degrees)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import gelenk
from gelenk.errors import ConfigError
from gelenk.kinematics.inverse.iterative import (
    damped_inverse_step,
    position_jacobian_by_differences,
)
from testkit.random_models import random_configuration
from textbook_tree import tool_pose

START = np.deg2rad([10.0, 40.0, -60.0])
SOLUTION = np.deg2rad([23.198591, 24.699137, -89.045026])


def target_at(x: float, y: float, z: float) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


@pytest.mark.capability("AB-162")
def test_simplex_reaches_the_published_solution_in_82_moves() -> None:
    model = gelenk.load("simple_arm")
    result = model.inverse(
        target_at(0.35, 0.15, 0.10),
        method="simplex",
        task="position",
        q0=START,
        tolerance=1e-6,
    )
    assert result.converged
    assert result.iterations == 82
    assert_allclose(result.q, SOLUTION, atol=1e-4)


@pytest.mark.capability("AB-166")
def test_jacobian_steps_reach_the_published_solution_in_26_steps() -> None:
    model = gelenk.load("simple_arm")
    result = model.inverse(
        target_at(0.35, 0.15, 0.10),
        method="jacobian",
        task="position",
        q0=START,
        tolerance=1e-6,
    )
    assert result.converged
    assert result.iterations == 26
    assert_allclose(result.q, SOLUTION, atol=1e-7)


@pytest.mark.capability("AB-165")
def test_difference_jacobian_equals_the_published_one() -> None:
    model = gelenk.load("simple_arm")
    expected = [
        [-8.070064, -10.570064, 8.420602],
        [45.767610, -1.863788, 1.484779],
        [0.0, 46.473649, 23.492315],
    ]
    assert_allclose(
        100.0 * position_jacobian_by_differences(model, START), expected, atol=2e-6
    )


def test_a_step_longer_than_the_rest_of_the_way_is_not_scaled_up() -> None:
    """The printed loop, which scales every step to alpha, alternates for ever here."""
    model = gelenk.load("simple_arm")
    target = tool_pose(model, START + 1e-4)
    result = model.inverse(
        target, method="jacobian", task="position", q0=START, tolerance=1e-9
    )
    assert result.converged
    assert result.iterations <= 4


@pytest.mark.capability("AB-167")
def test_redundant_step_is_the_shortest_that_does_it() -> None:
    rng = np.random.default_rng(0)
    J, e = rng.normal(size=(3, 5)), rng.normal(size=3)
    step = damped_inverse_step(J, e)
    assert_allclose(J @ step, e, atol=1e-12)
    assert_allclose(step, J.T @ np.linalg.solve(J @ J.T, e), atol=1e-12)


def test_step_stays_bounded_at_a_singular_configuration() -> None:
    J = np.array([[0.0, 0.0], [1.8, 0.8]])  # planar two-link arm, stretched
    assert_allclose(
        damped_inverse_step(J, np.array([0.1, 0.0])), [0.0, 0.0], atol=1e-12
    )
    assert np.abs(damped_inverse_step(J, np.array([0.0, 0.1]))).max() < 0.1


@pytest.mark.capability("AB-X09", "AB-X14")
@pytest.mark.parametrize(("method", "least"), [("simplex", 5), ("jacobian", 9)])
def test_full_poses_are_reached_from_nearby(method: str, least: int) -> None:
    model = gelenk.load("puma560")
    rng = np.random.default_rng(4)
    reached = 0
    for q in random_configuration(rng, model, 10):
        near = np.clip(q + 0.05 * rng.normal(size=6), *model.limits)
        target = tool_pose(model, q)
        result = model.inverse(target, method=method, q0=near)
        T = tool_pose(model, result.q)
        if result.converged:
            reached += 1
            assert np.linalg.norm(T[:3, 3] - target[:3, 3]) <= 1.1e-4
    assert reached >= least  # of 10; the simplex is known to stall in six dimensions


@pytest.mark.parametrize("method", ["simplex", "jacobian"])
def test_unreachable_target_ends_with_a_status_and_the_best_values(method: str) -> None:
    model = gelenk.load("simple_arm")
    result = model.inverse(
        target_at(2.0, 0.0, 0.2), method=method, task="position", q0=START
    )
    assert not result.converged
    # The stretched arm reaches 0.55 m, so at least 1.45 m are missing.
    assert 1.45 - 1e-9 <= result.position_error <= 1.6
    assert (result.q >= model.limits[0]).all()
    assert (result.q <= model.limits[1]).all()


@pytest.mark.parametrize("method", ["simplex", "jacobian", "lm"])
@pytest.mark.parametrize("name", ["delta", "fivebar"])
def test_mechanisms_with_loops_are_solved_too(name: str, method: str) -> None:
    model = gelenk.load(name)
    rng = np.random.default_rng(1)
    for _ in range(3):
        q = model.home_configuration + rng.uniform(-0.1, 0.1, model.nq)
        target = model.forward(q)
        result = model.inverse(target, method=method, task="position")
        assert result.converged
        assert_allclose(model.forward(result.q)[:3, 3], target[:3, 3], atol=1.1e-4)


def test_a_stewart_platform_is_brought_to_a_full_pose() -> None:
    model = gelenk.load("stewart")
    q = model.home_configuration + 0.05 * np.sin(np.arange(6.0))
    result = model.inverse(model.forward(q))
    assert result.converged
    assert_allclose(result.q, q, atol=1e-5)


def test_bad_options_are_refused() -> None:
    model = gelenk.load("simple_arm")
    T = target_at(0.35, 0.15, 0.1)
    with pytest.raises(ConfigError, match="`alpha`"):
        model.inverse(T, method="jacobian", alpha=0.0)
    with pytest.raises(ConfigError, match="`tolerance`"):
        model.inverse(T, method="simplex", tolerance=-1.0)
    with pytest.raises(ConfigError, match="`q0` must be finite"):
        model.inverse(T, method="simplex", q0=[np.nan, 0, 0])


@pytest.mark.capability("GR-26")
def test_unlimited_steps_are_newtons_method_and_converge_quadratically() -> None:
    """Planar two-link arm to (1.2, 0.6) from (0, 90 degrees), published residuals."""
    model = gelenk.load("planar2r")
    published = [2.828427e-1, 3.222661e-2, 4.489746e-4, 1.133e-7, 6e-15]
    for steps, residual in enumerate(published):
        result = model.inverse(
            target_at(1.2, 0.6, 0.0),
            method="jacobian",
            task="position",
            q0=[0.0, np.pi / 2.0],
            alpha=10.0,
            tolerance=1e-16,
            max_iterations=steps,
        )
        assert result.position_error == pytest.approx(residual, rel=1e-3, abs=1e-14)
    assert_allclose(result.q, [-0.171499, 1.470629], atol=1e-6)
