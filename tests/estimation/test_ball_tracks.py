"""Thrown balls among false circles: numbers that last, quick starts, bounded work."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal

from gelenk.errors import ConfigError
from gelenk.estimation.ball import BallFilter, BallFilterCfg
from gelenk.estimation.ball_tracks import BallModel
from gelenk.estimation.multi_hypothesis import (
    DetectionScan,
    MultiHypothesisTracker,
    TrackerCfg,
    TrackerState,
)
from gelenk.vision.sphere import sphere_circle
from testkit.ball_predictions import BALL, CAMERAS, IMAGE, prior_of, pursue
from testkit.thrown_balls import RADIUS, throw

MEAN = np.array([-0.1, 4.0, 2.2, 0.1, -6.5, 1.5])


@pytest.fixture(scope="module")
def prior():
    return prior_of(throw(60, np.random.default_rng(0)))


def _model(prior, cfg=BALL):
    return BallModel(BallFilter(cfg, CAMERAS), prior, (IMAGE, IMAGE))


@pytest.mark.slow
@pytest.mark.capability("BB-65", "BB-67")
@pytest.mark.parametrize(("balls", "seed"), [(2, 0), (2, 1), (3, 2)])
def test_several_balls_are_found_quickly_and_keep_their_numbers(balls, seed):
    done = pursue(balls, 5.0, seed=seed)

    assert np.nanmedian(done.starts) <= 3.0
    assert not np.isnan(done.starts).any()
    assert done.swapped == 0
    assert done.lost == 0
    assert done.false <= 0.02


@pytest.mark.slow
@pytest.mark.capability("BB-69")
@pytest.mark.parametrize("clutter", [0.0, 10.0, 40.0])
def test_false_circles_hide_no_ball_and_make_none(clutter):
    done = [pursue(1, clutter, seed=seed) for seed in range(3)]

    assert all(pursuit.starts[0] <= 4.0 for pursuit in done)
    assert sum(pursuit.lost for pursuit in done) == 0
    assert np.mean([pursuit.false for pursuit in done]) <= 0.02


def test_a_ball_that_is_often_missed_is_still_followed():
    done = pursue(1, 5.0, seed=3, detect=0.6)

    assert done.swapped == 0
    assert done.lost <= 2


@pytest.mark.capability("BB-69")
def test_a_storm_of_circles_costs_bounded_work_and_no_ball():
    done = pursue(1, 5.0, seed=4, storm=400.0)
    calm = np.median(done.work)

    assert done.lost == 0
    assert done.swapped == 0
    assert done.work.max() < 40.0 * calm  # eighty times the circles


@pytest.mark.capability("BB-67")
def test_circles_that_stand_still_or_fly_away_make_no_track(prior):
    tracker, state = (
        MultiHypothesisTracker(_model(prior), TrackerCfg(clutter_density=5.0 / 2e7)),
        TrackerState(),
    )
    rng = np.random.default_rng(0)
    for k in range(30):
        away = MEAN[:3] + 0.02 * k * np.array([0.0, 6.0, 1.0]) - [0.0, 1.5, 0.0]
        places = [np.array([0.3, 4.5, 2.4]), away]
        for camera in (0, 1):
            circles = np.array(
                [sphere_circle(CAMERAS, p, RADIUS)[camera] for p in places]
            )
            rows = circles + 0.06 * rng.normal(size=circles.shape)
            state = tracker.step(
                state, DetectionScan(time=0.02 * k, detections=rows, sensor=camera)
            )
        if k >= 5:
            assert not tracker.tracks(state)


def test_likelihoods_are_densities(prior):
    model = _model(prior, BallFilterCfg())
    state = model.filter.start_arrays(MEAN, 1e-3 * np.eye(6))
    z, S = model.filter.expect_arrays(*state, 1)
    rows = z + np.array([[0.0, 0.0, 0.0], [0.5, -0.3, 0.2], [80.0, 80.0, 80.0]])

    found = model.likelihoods(state, DetectionScan(time=0.0, detections=rows, sensor=1))

    assert_allclose(found[:2], multivariate_normal(z, S).logpdf(rows[:2]), rtol=1e-9)
    assert found[2] == -math.inf


def test_the_density_of_a_first_circle_is_that_of_many_drawn_balls(prior):
    """Monte Carlo: balls drawn from the prior, their circles, a normal kernel."""
    model = _model(prior, BallFilterCfg(circle_sigma=(3.0, 3.0, 0.5)))
    rng = np.random.default_rng(0)
    place = prior.mean[6, :3]
    circle = sphere_circle(CAMERAS, place, RADIUS)[0]
    share = rng.choice(len(prior.weight), 60_000, p=prior.weight)
    roots = np.linalg.cholesky(prior.covariance[:, :3, :3])
    balls = prior.mean[share, :3] + np.einsum(
        "nij,nj->ni", roots[share], rng.normal(size=(len(share), 3))
    )
    balls = balls[balls[:, 1] > 0.5]
    d = (sphere_circle(CAMERAS, balls, RADIUS)[:, 0] - circle) / [3.0, 3.0, 0.5]
    density = (
        np.exp(-0.5 * np.nansum(d**2, axis=1)).sum()
        / 60_000
        / (4.5 * (2 * math.pi) ** 1.5)
    )

    found = model.births(DetectionScan(time=0.0, detections=circle[None]))[0]

    assert found == pytest.approx(math.log(density), abs=0.25)


def test_a_ball_outside_of_the_image_is_not_expected(prior):
    model = _model(prior)
    scan = DetectionScan(time=0.0, detections=np.empty((0, 3)))

    inside = model.filter.start_arrays(MEAN, 1e-4 * np.eye(6))
    outside = model.filter.start_arrays(
        np.add(MEAN, [3.0, 0, 0, 0, 0, 0]), 1e-4 * np.eye(6)
    )
    behind = model.filter.start_arrays(MEAN - [0, 8.0, 0, 0, 0, 0], 1e-4 * np.eye(6))

    assert model.detection_probability(inside, scan) == pytest.approx(0.95, abs=1e-6)
    assert model.detection_probability(outside, scan) < 1e-6
    assert model.detection_probability(behind, scan) == 0.0


def test_balls_on_the_floor_or_unseen_for_long_are_gone(prior):
    model = _model(prior)
    low = model.filter.start_arrays(MEAN - [0, 0, 2.3, 0, 0, 0], np.eye(6))
    high = model.filter.start_arrays(MEAN, np.eye(6))

    assert model.is_lost(low, 0.0)
    assert model.is_lost(high, 0.5)
    assert not model.is_lost(high, 0.1)


def test_mistakes_are_named(prior):
    filter = BallFilter(BALL, CAMERAS)
    with pytest.raises(ConfigError, match="cameras"):
        BallModel(filter, prior, (IMAGE,))
    with pytest.raises(ConfigError, match="detection_probability"):
        BallModel(filter, prior, (IMAGE, IMAGE), detection_probability=1.0)
