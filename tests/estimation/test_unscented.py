"""Unscented filters: exact where linear, second order elsewhere, always positive."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gelenk.errors import ConfigError
from gelenk.estimation.kalman import Belief, kalman_predict, kalman_update
from gelenk.estimation.unscented import (
    sigma_points,
    unscented_predict,
    unscented_update,
)


def _belief(n, seed=0):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(n, n))
    return Belief(mean=rng.normal(size=n), covariance=root @ root.T + 0.1 * np.eye(n))


@pytest.mark.parametrize("n", [1, 3, 10])
def test_points_have_the_moments_of_the_belief(n):
    belief = _belief(n)

    points, weights = sigma_points(belief)

    spread = points - belief.mean
    assert weights.sum() == pytest.approx(1.0, abs=1e-14)
    assert_allclose(weights @ points, belief.mean, atol=1e-12)
    assert_allclose(
        spread.T @ (weights[:, None] * spread), belief.covariance, atol=1e-12
    )


@pytest.mark.parametrize("kappa", [0.5, 1.0, 2.0])
def test_for_linear_motion_and_sight_it_is_the_kalman_filter(kappa):
    rng = np.random.default_rng(1)
    belief, A, Q = _belief(4), rng.normal(size=(4, 4)), np.diag([0.1, 0.2, 0.3, 0.4])
    H, R, z = (
        rng.normal(size=(2, 4)),
        np.array([[0.5, 0.1], [0.1, 0.4]]),
        rng.normal(size=2),
    )

    exact = kalman_update(kalman_predict(belief, A, Q), z, H, R)
    moved = unscented_predict(belief, lambda x: x @ A.T, Q, kappa=kappa)
    found = unscented_update(moved, z, lambda x: x @ H.T, R, kappa=kappa)

    assert_allclose(found.belief.mean, exact.belief.mean, atol=1e-11)
    assert_allclose(found.belief.covariance, exact.belief.covariance, atol=1e-11)
    assert_allclose(found.residual_covariance, exact.residual_covariance, atol=1e-11)
    assert found.nis == pytest.approx(exact.nis, abs=1e-11)
    assert found.log_likelihood == pytest.approx(exact.log_likelihood, abs=1e-11)


def test_the_mean_of_a_square_is_right_to_second_order():
    belief = Belief(mean=[2.0], covariance=[[0.3]])

    after = unscented_predict(belief, lambda x: x * x, [[0.0]], kappa=2.0)

    # x^2 of a normal variable: mean m^2 + s^2, variance 4 m^2 s^2 + 2 s^4
    assert after.mean[0] == pytest.approx(4.3, abs=1e-12)
    assert after.covariance[0, 0] == pytest.approx(4 * 4 * 0.3 + 2 * 0.09, abs=1e-12)


def test_polar_sights_are_carried_closer_to_the_truth_than_by_a_tangent():
    belief = Belief(
        mean=[1.0, math.pi / 2], covariance=np.diag([0.02**2, math.radians(15) ** 2])
    )
    rng = np.random.default_rng(0)
    draws = rng.multivariate_normal(belief.mean, belief.covariance, 200_000)

    def place(x):
        return np.column_stack([x[:, 0] * np.cos(x[:, 1]), x[:, 0] * np.sin(x[:, 1])])

    after = unscented_predict(belief, place, np.zeros((2, 2)))

    truth = place(draws).mean(axis=0)
    assert np.linalg.norm(after.mean - truth) < 0.1 * np.linalg.norm([0.0, 1.0] - truth)


def test_covariances_stay_positive_after_very_sharp_measurements():
    belief = Belief(mean=np.zeros(3), covariance=np.diag([1e4, 1e-4, 1.0]))
    H = np.array([[1.0, 1e2, 0.0], [1.0, 0.0, 1e-2]])
    for _ in range(50):
        belief = unscented_update(
            belief, [0.0, 0.0], lambda x: x @ H.T, 1e-10 * np.eye(2)
        ).belief

    assert_array_equal(belief.covariance, belief.covariance.T)
    assert np.linalg.eigvalsh(belief.covariance).min() > 0.0


def test_what_the_gate_rejects_changes_nothing():
    belief = _belief(3)

    far = unscented_update(belief, [1e3], lambda x: x[:, :1], [[1.0]], gate=9.0)

    assert not far.accepted
    assert far.nis > 9.0
    assert far.belief is belief


def test_mistakes_are_named():
    belief = _belief(2)
    with pytest.raises(ConfigError, match="kappa"):
        sigma_points(belief, 0.0)
    with pytest.raises(ConfigError, match="positive definite"):
        sigma_points(Belief(mean=[0.0], covariance=[[-1.0]]))
    with pytest.raises(ConfigError, match="without noise"):
        unscented_update(belief, [0.0], lambda x: 0.0 * x[:, :1], [[0.0]])
