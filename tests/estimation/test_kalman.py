"""Linear and extended filters against published numbers, least squares, statistics."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chi2, multivariate_normal

from gelenk.errors import ConfigError, ShapeError
from gelenk.estimation.kalman import (
    Belief,
    chi2_band,
    chi2_gate,
    chi2_quantile,
    extended_predict,
    extended_update,
    kalman_predict,
    kalman_update,
    merge_beliefs,
    nees,
    reweigh_beliefs,
)

DT, V, OMEGA = 1.0, 0.5, 0.2
LANDMARK = np.array([4.0, 5.0])
R = np.diag([0.01, 0.0025])
Z = np.array([3.7, 0.05])


def _drive(x):
    return x + DT * np.array([V * math.cos(x[2]), V * math.sin(x[2]), OMEGA])


def _drive_slope(x):
    return np.array(
        [[1, 0, -DT * V * math.sin(x[2])], [0, 1, DT * V * math.cos(x[2])], [0, 0, 1]]
    )


def _sight(x):
    d = LANDMARK - x[:2]
    return np.array([math.hypot(*d), math.atan2(d[1], d[0]) - x[2]])


def _sight_slope(x):
    d = LANDMARK - x[:2]
    r2 = d @ d
    r = math.sqrt(r2)
    return np.array([[-d[0] / r, -d[1] / r, 0], [d[1] / r2, -d[0] / r2, -1]])


def _wrapped(a, b):
    d = a - b
    d[1] = (d[1] + math.pi) % (2 * math.pi) - math.pi
    return d


def _driven():
    before = Belief(
        mean=[1.0, 2.0, math.pi / 6], covariance=np.diag([0.01, 0.01, 0.005])
    )
    return extended_predict(before, _drive, _drive_slope, np.diag([1e-3, 1e-3, 5e-4]))


@pytest.mark.capability("GR-247")
def test_the_published_prediction_of_a_unicycle():
    after = _driven()

    assert_allclose(after.mean, (1.433013, 2.25, 0.723599), atol=5e-7)
    P = [
        [0.011312, -0.000541, -0.00125],
        [-0.000541, 0.011938, 0.002165],
        [-0.00125, 0.002165, 0.0055],
    ]
    assert_allclose(after.covariance, P, atol=6e-7)


@pytest.mark.capability("GR-248")
def test_the_published_corrections():
    line = kalman_predict(
        Belief(mean=[0.0], covariance=[[1.0]]), [[1.0]], [[0.5]], [1.0]
    )
    on_line = kalman_update(line, [1.5], [[1.0]], [[1.0]]).belief
    seen = extended_update(_driven(), Z, _sight, _sight_slope, R, difference=_wrapped)

    assert_allclose((on_line.mean[0], on_line.covariance[0, 0]), (1.3, 0.6), atol=1e-12)
    assert_allclose(Z - seen.residual, (3.761904, 0.096206), atol=5e-7)
    assert_allclose(seen.belief.mean, (1.437873, 2.292336, 0.752227), atol=5e-7)
    assert_allclose(
        np.diag(seen.belief.covariance), (0.007317, 0.006956, 0.001781), atol=5e-7
    )


@pytest.mark.capability("GR-249")
def test_the_published_distance_and_the_rejection_of_an_outlier():
    good = extended_update(_driven(), Z, _sight, _sight_slope, R, gate=chi2_gate(2))
    far = extended_update(
        _driven(), np.add(Z, (1.0, 0.0)), _sight, _sight_slope, R, gate=chi2_gate(2)
    )

    assert good.nis == pytest.approx(0.371505, abs=5e-7)
    assert good.accepted
    assert not far.accepted
    assert far.nis > 9.21
    assert_array_equal(far.belief.mean, _driven().mean)


@pytest.mark.capability("GR-248")
def test_an_angle_across_the_seam_is_wrapped():
    belief = _driven()
    turned = np.array([Z[0], Z[1] + 2 * math.pi])

    a = extended_update(belief, Z, _sight, _sight_slope, R, difference=_wrapped)
    b = extended_update(belief, turned, _sight, _sight_slope, R, difference=_wrapped)

    assert_allclose(a.belief.mean, b.belief.mean, atol=1e-12)


@pytest.mark.capability("GR-248")
def test_filtering_equals_least_squares_over_all_data():
    """Two sensors at different rates; the oracle solves one dense system."""
    rng = np.random.default_rng(0)
    A, Q = np.array([[1.0, 0.1], [0.0, 1.0]]), np.diag([1e-3, 2e-3])
    H1, R1, H2, R2 = (
        np.array([[1.0, 0.0]]),
        np.array([[0.04]]),
        np.array([[0.3, 1.0]]),
        np.array([[0.01]]),
    )
    x0, P0 = np.array([0.5, -1.0]), np.array([[2.0, 0.3], [0.3, 1.0]])
    belief, steps = Belief(mean=x0, covariance=P0), 12
    size = 2 * (steps + 1)
    rows, values, weights = [np.eye(2, size)], [x0], [np.linalg.inv(P0)]

    for k in range(steps):
        belief = kalman_predict(belief, A, Q)
        move = np.zeros((2, size))
        move[:, 2 * k : 2 * k + 2], move[:, 2 * k + 2 : 2 * k + 4] = -A, np.eye(2)
        rows, values, weights = (
            [*rows, move],
            [*values, np.zeros(2)],
            [*weights, np.linalg.inv(Q)],
        )
        for H, noise, every in ((H1, R1, 1), (H2, R2, 3)):
            if k % every == 0:
                z = rng.normal(size=1)
                belief = kalman_update(belief, z, H, noise).belief
                look = np.zeros((1, size))
                look[:, 2 * k + 2 : 2 * k + 4] = H
                rows, values, weights = (
                    [*rows, look],
                    [*values, z],
                    [*weights, np.linalg.inv(noise)],
                )

    N = sum(a.T @ w @ a for a, w in zip(rows, weights, strict=True))
    n = sum(a.T @ w @ v for a, w, v in zip(rows, weights, values, strict=True))
    assert_allclose(belief.mean, np.linalg.solve(N, n)[-2:], atol=1e-12)
    assert_allclose(belief.covariance, np.linalg.inv(N)[-2:, -2:], atol=1e-12)


def test_the_likelihood_is_the_density_of_the_measurement():
    belief = Belief(mean=[1.0, 2.0], covariance=[[0.5, 0.1], [0.1, 0.3]])
    H, noise, z = np.array([[1.0, -1.0]]), np.array([[0.2]]), np.array([0.4])

    found = kalman_update(belief, z, H, noise)

    law = multivariate_normal(H @ belief.mean, H @ belief.covariance @ H.T + noise)
    assert found.log_likelihood == pytest.approx(law.logpdf(z), abs=1e-12)


@pytest.mark.capability("GR-248")
def test_errors_and_residuals_are_as_large_as_the_filter_says():
    """100 runs; Q four times too small must fall out of the same band."""
    A, Q, H, noise = (
        np.array([[1.0, 0.1], [0.0, 1.0]]),
        np.diag([1e-4, 1e-2]),
        np.array([[1.0, 0.0]]),
        np.array([[0.04]]),
    )
    means = {}
    for factor in (1.0, 0.25):
        error, fit = [], []
        for seed in range(100):
            rng = np.random.default_rng(seed)
            x = rng.multivariate_normal(np.zeros(2), np.eye(2))
            belief = Belief(mean=np.zeros(2), covariance=np.eye(2))
            for _ in range(40):
                x = A @ x + rng.multivariate_normal(np.zeros(2), Q)
                done = kalman_update(
                    kalman_predict(belief, A, factor * Q),
                    H @ x + rng.normal(0, 0.2, 1),
                    H,
                    noise,
                )
                belief = done.belief
            error.append(nees(x - belief.mean, belief.covariance))
            fit.append(done.nis)
        means[factor] = np.mean(error), np.mean(fit)

    low, high = chi2_band(2, 100)
    assert low < means[1.0][0] < high
    assert not low < means[0.25][0] < high
    low, high = chi2_band(1, 100)
    assert low < means[1.0][1] < high


def test_bands_are_those_of_scipy():
    assert chi2_quantile(7, 0.9) == pytest.approx(chi2(7).ppf(0.9), rel=1e-12)
    assert_allclose(chi2_band(3, 20, 0.9), chi2(60).ppf([0.05, 0.95]) / 20, rtol=1e-12)


def test_covariances_stay_positive_after_very_sharp_measurements():
    belief = Belief(mean=np.zeros(3), covariance=np.diag([1e4, 1e-4, 1.0]))
    for _ in range(50):
        belief = kalman_update(
            belief, [0.0, 0.0], [[1, 1e2, 0], [1, 0, 1e-2]], 1e-10 * np.eye(2)
        ).belief

    assert_array_equal(belief.covariance, belief.covariance.T)
    assert np.linalg.eigvalsh(belief.covariance).min() > 0.0


@pytest.mark.capability("GR-250")
def test_the_published_weights_and_the_published_merger():
    assert_allclose(
        reweigh_beliefs([0.5, 0.3, 0.2], [0.1, 0.4, 0.05]),
        (0.277778, 0.666667, 0.055556),
        atol=5e-7,
    )
    both = merge_beliefs(
        [0.6, 0.4],
        [
            Belief(mean=[0.0], covariance=[[0.1]]),
            Belief(mean=[1.0], covariance=[[0.2]]),
        ],
    )
    assert_allclose((both.mean[0], both.covariance[0, 0]), (0.4, 0.38), atol=1e-12)


@pytest.mark.capability("GR-250")
def test_in_a_corridor_with_equal_doors_the_right_pose_wins_at_the_odd_one():
    """Doors at 1, 3 and 6: only from the first one another lies 2 m ahead."""
    doors = np.array([1.0, 3.0, 6.0])
    beliefs = [Belief(mean=[d], covariance=[[0.01]]) for d in doors]
    weights, history = np.full(3, 1 / 3), []
    for step in (2.0, 3.0):
        beliefs = [kalman_predict(b, [[1.0]], [[0.02]], [step]) for b in beliefs]
        nearest = [doors[np.argmin(abs(doors - b.mean[0]))] for b in beliefs]
        fits = [
            kalman_update(b, [0.0], [[1.0]], [[0.01]])
            for b in (
                Belief(mean=b.mean - d, covariance=b.covariance)
                for b, d in zip(beliefs, nearest, strict=True)
            )
        ]
        weights = reweigh_beliefs(weights, np.exp([fit.log_likelihood for fit in fits]))
        history.append(weights)

    assert history[0][0] > 0.99
    assert history[1][0] > 0.999


def test_mistakes_are_named():
    with pytest.raises(ShapeError, match="covariance"):
        Belief(mean=[1.0, 2.0], covariance=[[1.0]])
    belief = Belief(mean=[1.0], covariance=[[1.0]])
    with pytest.raises(ShapeError, match="H"):
        kalman_update(belief, [1.0], [[1.0, 2.0]], [[1.0]])
    with pytest.raises(ConfigError, match="without noise"):
        kalman_update(belief, [1.0], [[0.0]], [[0.0]])
    with pytest.raises(ConfigError, match="probability"):
        chi2_gate(2, 1.0)
    with pytest.raises(ConfigError, match="weights"):
        reweigh_beliefs([0.5, 0.5], [0.0, 0.0])
    with pytest.raises(ConfigError, match="weights"):
        merge_beliefs([0.0], [belief])
