"""The filter of a flying ball against least squares, statistics and physics."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.sim import Ball, World, WorldConfig
from gelenk.ui.flight import (
    UNKNOWN_SPEED,
    Estimate,
    advance,
    aim,
    begin,
    correct,
    predict,
    time_to_land,
)

DT, SIGMA = 0.01, 0.02
G = np.array([0.0, 0.0, -9.81])


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(11)


def fly(rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return true places and measured ones, shape (count, 3) each."""
    v0 = np.array([1.5, -0.7, 4.0]) + rng.normal(size=3)
    t = DT * np.arange(count)[:, None]
    true = np.array([0.2, 0.1, 1.0]) + v0 * t + 0.5 * G * t**2
    return true, true + SIGMA * rng.normal(size=true.shape)


def follow(measured: np.ndarray) -> Estimate:
    estimate = begin(measured[0], SIGMA)
    for place in measured[1:]:
        estimate = correct(advance(estimate, DT), place, SIGMA)
    return estimate


def test_the_filter_is_the_least_squares_fit_of_all_measurements(rng) -> None:
    _, measured = fly(rng, 30)
    estimate = follow(measured)

    # The same parabola by normal equations, per axis: p, v at the last moment.
    t = DT * (np.arange(30) - 29)
    A = np.stack([np.ones(30), t], axis=1) / SIGMA
    weak = np.array([[0.0, 1.0 / UNKNOWN_SPEED]])  # v0 is near 0, hardly
    for axis in range(3):
        fall = 0.5 * G[axis] * t**2
        start = weak @ np.array([1.0, 0.0]) - G[axis] * t[0] / UNKNOWN_SPEED
        b = np.concatenate([(measured[:, axis] - fall) / SIGMA, start])
        M = np.concatenate([A, weak])
        found = np.linalg.lstsq(M, b, rcond=None)[0]
        spread = np.linalg.inv(M.T @ M)
        own = [axis, axis + 3]
        np.testing.assert_allclose(estimate.mean[own], found, atol=1e-9)
        np.testing.assert_allclose(
            estimate.covariance[np.ix_(own, own)], spread, rtol=1e-6, atol=1e-12
        )


@pytest.mark.slow
def test_the_spread_that_is_predicted_is_the_one_that_comes(rng) -> None:
    """Mahalanobis distances of predicted places are chi-squared with 3 degrees."""
    distances = []
    for _ in range(400):
        true, measured = fly(rng, 70)
        later = advance(follow(measured[:15]), 55 * DT)
        error = true[-1] - later.mean[:3]
        distances.append(error @ np.linalg.solve(later.covariance[:3, :3], error))
    # mean 3, standard deviation sqrt(6 / 400) = 0.12
    assert np.mean(distances) == pytest.approx(3.0, abs=0.5)
    assert np.mean(np.array(distances) < 7.815) == pytest.approx(0.95, abs=0.04)


def test_a_prediction_ends_where_the_ball_comes_down() -> None:
    mean = np.array([0.0, 0.0, 1.0, 2.0, -1.0, 3.0])
    estimate = Estimate(mean, np.diag([1e-4] * 3 + [1e-2] * 3), 9)

    flight = predict(estimate, 0.05, count=11)

    assert len(flight.points) == len(flight.sigmas) == 11
    assert flight.points[-1, 2] == pytest.approx(0.05, abs=1e-12)
    assert flight.times[-1] == pytest.approx(time_to_land(estimate, 0.05))
    assert np.all(np.diff(flight.sigmas) > 0.0)
    end = flight.times[-1]
    assert flight.sigmas[-1] == pytest.approx(np.sqrt(1e-4 + 1e-2 * end**2))


def test_a_ball_on_its_way_down_below_the_ground_has_landed() -> None:
    mean = np.array([0.0, 0.0, -1.0, 0.0, 0.0, -0.5])
    assert time_to_land(Estimate(mean, np.eye(6), 1), 0.0) == 0.0


@pytest.mark.parametrize("target", [(1.0, 0.5, 0.06), (-2.0, 1.0, 0.8)])
def test_an_aimed_ball_of_the_simulator_comes_to_its_target(target) -> None:
    start, peak = np.array([0.3, -0.2, 1.1]), 2.2
    velocity = aim(start, target, peak)
    with World(WorldConfig(step=0.001)) as world:
        world.add(
            Ball(
                name="ball",
                radius=0.05,
                mass=0.1,
                position=tuple(start),
                velocity=tuple(velocity),
            )
        )
        places = []
        while not places or places[-1][2] > target[2] or len(places) < 200:
            world.step()
            places.append(world.positions(["ball"])[0].copy())
    assert max(place[2] for place in places) == pytest.approx(peak, abs=0.01)
    assert np.linalg.norm(places[-1] - target) < 0.02
