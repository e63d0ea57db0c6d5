"""The filter of a thrown ball: against the generic one, statistics, a plant of its own."""

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gelenk.dynamics.flight import FlightCfg, simulate_flight
from gelenk.dynamics.flight_crossing import CrossingPlane, find_crossing
from gelenk.errors import ConfigError, ShapeError
from gelenk.estimation.ball import BallFilter, BallFilterCfg
from gelenk.estimation.kalman import Belief, chi2_band
from gelenk.estimation.unscented import unscented_predict, unscented_update
from gelenk.vision.sphere import sphere_circle
from testkit.ball_predictions import (
    BALL,
    BALL_IN_WIND,
    CAMERAS,
    INDOORS,
    OUTDOORS,
    WORKSPACE,
    predictions,
)
from testkit.thrown_balls import RADIUS, camera_poses, circle_of, crossing, throw

MEAN = np.array([-0.1, 4.0, 2.2, 0.1, -6.5, 1.5])
SPREAD = np.diag([0.02] * 3 + [0.5] * 3) ** 2
GAUSSIAN = BallFilterCfg()
WINDY = BallFilterCfg(
    wind_sigma=(1.5, 1.5, 0.4), wind_density=0.3, acceleration_density=1e-3
)
BIASED = replace(WINDY, bias_sigma=0.3)


def _flown(x, dt, has_wind):
    """States of the filter, carried by the flight of `simulate_flight`, one by one."""
    out = x.copy()
    for row in out:
        wind = tuple(row[10:13]) if has_wind else (0.0, 0.0, 0.0)
        cfg = FlightCfg(drag=math.exp(row[6]), lift=1.0, wind=wind)
        row[:6] = simulate_flight(np.concatenate([row[:6], row[7:10]]), [dt], cfg)[
            0, :6
        ]
    return out


@pytest.mark.capability("BB-66")
@pytest.mark.parametrize("cfg", [GAUSSIAN, WINDY, BIASED])
def test_a_step_is_that_of_the_generic_unscented_filter(cfg):
    filter, dt = BallFilter(cfg, CAMERAS), 0.02
    start = filter.start(MEAN, SPREAD)
    circle = sphere_circle(CAMERAS, MEAN[:3] + 0.02, RADIUS)[1]
    noise = np.zeros((filter.size, filter.size))
    for i in range(3):
        noise[i, i], noise[3 + i, 3 + i] = (
            cfg.acceleration_density * dt**3 / 3,
            cfg.acceleration_density * dt,
        )
        noise[i, 3 + i] = noise[3 + i, i] = cfg.acceleration_density * dt**2 / 2
        if filter.has_wind:
            noise[10 + i, 10 + i] = cfg.wind_density * dt

    def sight(x):
        circles = sphere_circle(CAMERAS, x[:, :3], RADIUS)[:, 1]
        if filter.bias >= 0:
            circles[:, :2] += x[:, filter.bias + 2 : filter.bias + 4]
        return circles

    moved = filter.predict(start, dt)
    seen, nis = filter.update(moved, 1, circle)

    expected = unscented_predict(start, lambda x: _flown(x, dt, filter.has_wind), noise)
    assert_allclose(moved.mean, expected.mean, atol=1e-10)
    assert_allclose(moved.covariance, expected.covariance, atol=1e-10)
    by_hand = unscented_update(
        expected, circle, sight, np.diag(np.square(cfg.circle_sigma))
    )
    assert nis == pytest.approx(by_hand.nis, rel=1e-6)
    assert_allclose(seen.mean, by_hand.belief.mean, atol=1e-8)
    assert_allclose(seen.covariance, by_hand.belief.covariance, atol=1e-8)
    z, S = filter.expect(moved, 1)
    assert_allclose(circle - z, by_hand.residual, atol=1e-6)
    assert_allclose(S, by_hand.residual_covariance, rtol=1e-6, atol=1e-8)


def test_a_tail_is_the_mixture_of_good_and_bad_numbers():
    """With sharp prior knowledge a linear sight: eight outcomes, merged by hand."""
    cfg = BallFilterCfg(circle_sigma=(0.1, 0.1, 0.1), tail_share=0.2, tail_factor=5.0)
    filter = BallFilter(cfg, CAMERAS)
    belief = filter.start(MEAN, 1e-8 * np.eye(6))
    z, S = filter.expect(belief, 0)
    circle = z + np.array([0.25, -0.02, 0.05])

    seen, _ = filter.update(belief, 0, circle)

    known = S - 0.01 * np.eye(3)
    plain = BallFilter(replace(cfg, tail_share=0.0), CAMERAS)
    weights, means = [], []
    for bad in np.ndindex(2, 2, 2):
        noise = 0.01 * np.diag(np.where(np.array(bad), 25.0, 1.0))
        r, T = circle - z, known + noise
        weights.append(
            0.2 ** sum(bad)
            * 0.8 ** (3 - sum(bad))
            * math.exp(-0.5 * r @ np.linalg.solve(T, r))
            / math.sqrt(np.linalg.det(T))
        )
        plain.R = noise
        x, P = np.array(belief.mean), np.array(belief.covariance)
        plain.update_arrays(x, P, 0, circle)
        means.append(x)
    mixed = np.average(means, axis=0, weights=weights)
    step = mixed - belief.mean
    assert_allclose(seen.mean[:3] - belief.mean[:3], step[:3], rtol=2e-2, atol=1e-12)


@pytest.mark.parametrize("cfg", [GAUSSIAN, BALL, BIASED])
def test_covariances_stay_symmetric_and_positive_over_a_long_flight(cfg):
    filter = BallFilter(cfg, CAMERAS)
    belief, rng = filter.start(MEAN, SPREAD), np.random.default_rng(0)
    for k in range(40):
        belief = filter.predict(belief, 0.01)
        truth = simulate_flight(MEAN, [0.01 * (k + 1)])[0, :3]
        for camera in (0, 1):
            circle = sphere_circle(CAMERAS, truth, RADIUS)[camera] + 0.05 * rng.normal(
                size=3
            )
            belief, _ = filter.update(belief, camera, circle)
        np.linalg.cholesky(belief.covariance)
        assert_array_equal(belief.covariance, belief.covariance.T)
    assert np.linalg.norm(belief.mean[:3] - truth) < 0.01


@pytest.mark.capability("BB-66")
@pytest.mark.slow
def test_errors_of_a_hundred_throws_are_as_large_as_the_filter_says():
    """Circles with the errors of the detector, throws as the prior says."""
    ball = replace(BALL, drag_sigma=0.1, lift_sigma=0.079)
    found = predictions(125, INDOORS, ball, seed=1, inflation=1.0)

    low, high = chi2_band(6, len(found.miss), level=0.99)
    for frame in (8, 12, 16):
        value = found.nees[found.nees[:, 0] == frame, 1]
        assert len(value) >= 100
        assert low < value.mean() < high
    assert 0.90 <= found.share_consistent() <= 0.98
    # 93 % of 450 throws are inside their 95 % ellipsoid; three sigma less of these
    assert np.mean(found.fit < 7.815) >= 0.85


@pytest.mark.capability("BB-70")
@pytest.mark.slow
def test_crossings_are_predicted_to_centimetres_and_better_the_later():
    early, late = (predictions(60, seed=2, ahead=ahead) for ahead in (0.5, 0.3))

    assert late.share_within(0.02, 0.005) >= 0.93  # 95 % of many, fewer of 60 allowed
    assert np.quantile(early.miss, 0.9) > 2.0 * np.quantile(late.miss, 0.9)


@pytest.mark.slow
def test_without_spin_among_the_unknowns_predictions_fail():
    blind = predictions(40, INDOORS, replace(BALL, lift_sigma=1e-6), seed=2)

    assert blind.share_within(0.02, 0.005) < 0.6
    assert blind.share_consistent() < 0.6


@pytest.mark.slow
def test_in_wind_a_filter_that_estimates_it_predicts_better():
    aware = predictions(50, OUTDOORS, BALL_IN_WIND, seed=4)
    ignorant = predictions(50, OUTDOORS, BALL, seed=4)

    assert aware.share_within(0.03, 0.008) >= 0.85
    assert aware.share_within(0.03, 0.008) > ignorant.share_within(0.03, 0.008) + 0.1
    assert 0.88 <= aware.share_consistent() <= 0.98


def test_displaced_images_are_noticed():
    filter = BallFilter(replace(GAUSSIAN, bias_sigma=0.6), CAMERAS)
    plain = BallFilter(GAUSSIAN, CAMERAS)
    shift, rng = (
        np.array([[0.8, -0.5, 0.0], [-0.7, 0.4, 0.0]]),
        np.random.default_rng(0),
    )
    start = simulate_flight(MEAN, [-0.3])[0]
    known, blind = (f.start(start, SPREAD) for f in (filter, plain))
    for k in range(1, 26):
        truth = simulate_flight(start, [0.02 * k])[0]
        known, blind = filter.predict(known, 0.02), plain.predict(blind, 0.02)
        for camera in (0, 1):
            circle = (
                sphere_circle(CAMERAS, truth[:3], RADIUS)[camera]
                + shift[camera]
                + 0.05 * rng.normal(size=3)
            )
            known, _ = filter.update(known, camera, circle)
            blind, _ = plain.update(blind, camera, circle)

    def fit(belief):
        error = belief.mean[:6] - truth
        return error @ np.linalg.solve(belief.covariance[:6, :6], error)

    assert fit(known) < 20.0 < fit(blind)


@pytest.mark.capability("BB-68")
def test_a_published_path_has_places_and_uncertainties_in_fixed_steps():
    filter = BallFilter(BALL, CAMERAS)
    belief = filter.start(MEAN, SPREAD)
    path = filter.path(belief, np.arange(1, 26) * 0.02)

    rng = np.random.default_rng(0)
    draws = rng.multivariate_normal(belief.mean, belief.covariance, 4000)
    ends = _flown(draws, 0.5, has_wind=False)
    assert path.position.shape == path.velocity_sigma.shape == (25, 3)
    assert_allclose(path.position[-1], ends[:, :3].mean(axis=0), atol=0.02)
    assert_allclose(path.position_sigma[-1], ends[:, :3].std(axis=0), rtol=0.06)
    assert_allclose(path.velocity_sigma[-1], ends[:, 3:6].std(axis=0), rtol=0.06)


def test_an_interception_has_the_moments_of_many_flights():
    filter = BallFilter(BALL, CAMERAS)
    belief = filter.start(MEAN, 0.04 * SPREAD)
    found = filter.meet(belief, WORKSPACE)
    assert found is not None

    rng = np.random.default_rng(0)
    met = []
    for x in rng.multivariate_normal(belief.mean, belief.covariance, 3000):
        meeting = find_crossing(
            np.concatenate([x[:6], x[7:10]]),
            WORKSPACE,
            FlightCfg(drag=math.exp(x[6]), lift=1.0),
        )
        met.append([meeting.time, *meeting.state])
    met = np.array(met)[np.isfinite(np.array(met)[:, 0])]
    assert found.share == pytest.approx(1.0)
    assert_allclose(found.mean, met.mean(axis=0), atol=0.02)
    assert_allclose(
        np.sqrt(np.diag(found.covariance))[:4], met.std(axis=0)[:4], rtol=0.12
    )


def test_gusts_on_the_way_are_part_of_an_interception():
    cfg = BallFilterCfg(
        wind_sigma=(1e-4, 1e-4, 1e-4), wind_density=2.0, drag_sigma=1e-4,
        lift_sigma=1e-5, acceleration_density=1e-3,
    )  # fmt: skip
    filter = BallFilter(cfg, CAMERAS)
    mean = np.array([0.1, 2.5, 2.2, 0.4, -6.5, -0.5])
    found = filter.meet(filter.start(mean, 1e-10 * np.eye(6)), WORKSPACE)
    assert found is not None

    # Many flights through gusts of their own, in short steps of Euler's method.
    rng = np.random.default_rng(0)
    n, h = 4000, 2e-3
    p, v = np.tile(mean[:3], (n, 1)), np.tile(mean[3:], (n, 1))
    wind, met = np.zeros((n, 3)), np.full((n, 4), np.nan)
    center, t = np.array(WORKSPACE.center), 0.0
    while np.isnan(met).any() and t < 1.0:
        u = v - wind
        a = -cfg.drag * np.linalg.norm(u, axis=1, keepdims=True) * u - [0, 0, 9.81]
        kick = np.sqrt(cfg.acceleration_density * h) * rng.normal(size=(n, 3))
        q, v = p + h * (v + 0.5 * h * a), v + h * a + kick
        x, y, z = (np.stack([p, q]) - center).transpose(2, 0, 1)
        off = np.hypot(np.hypot(x, z) - WORKSPACE.offset, y) - WORKSPACE.radius
        share = off[0] / (off[0] - off[1])
        now = np.isnan(met[:, 0]) & (off[1] <= 0.0)
        met[now, 0] = t + h * share[now]
        met[now, 1:] = (p + share[:, None] * (q - p))[now]
        wind = wind + np.sqrt(cfg.wind_density * h) * rng.normal(size=(n, 3))
        p, t = q, t + h
    assert_allclose(np.sqrt(np.diag(found.covariance))[:4], met.std(axis=0), rtol=0.15)
    still = BallFilter(
        replace(cfg, wind_density=0.0, acceleration_density=0.0), CAMERAS
    )
    calm = still.meet(still.start(mean, 1e-10 * np.eye(6)), WORKSPACE)
    assert calm is not None
    assert (np.diag(calm.covariance)[:4] < 0.05 * np.diag(found.covariance)[:4]).all()


def test_a_circle_may_bring_its_own_uncertainty():
    circle = sphere_circle(CAMERAS, MEAN[:3], RADIUS)[0] + [0.3, -0.2, 0.1]
    sigma = (0.5, 0.9, 4.0)
    usual, other = (
        BallFilter(replace(BALL, circle_sigma=s), CAMERAS)
        for s in (BALL.circle_sigma, sigma)
    )
    x, P = usual.start_arrays(MEAN, SPREAD)
    y, Q = x.copy(), P.copy()
    told = usual.update_arrays(x, P, 0, circle, np.array(sigma))
    assert told == pytest.approx(other.update_arrays(y, Q, 0, circle))
    assert_allclose(x, y, rtol=1e-12)
    assert_allclose(P, Q, rtol=1e-12)


def test_a_ball_that_never_arrives_has_no_interception():
    filter = BallFilter(BALL, CAMERAS)
    belief = filter.start([0.0, 4.0, 2.0, 0.0, 8.0, 3.0], SPREAD)

    assert filter.meet(belief, WORKSPACE) is None
    assert (
        filter.meet(belief, CrossingPlane(normal=(0.0, 0.0, 1.0), offset=0.9))
        is not None
    )


def test_a_wild_circle_and_one_from_behind_change_nothing():
    filter = BallFilter(GAUSSIAN, CAMERAS)
    belief = filter.start(MEAN, SPREAD)
    behind = filter.start([0.0, -3.0, 1.0, 0.0, 0.0, 0.0], SPREAD)

    same, nis = filter.update(belief, 0, [10.0, 10.0, 9.0])
    also, nothing = filter.update(behind, 0, [390.0, 290.0, 9.0])

    assert same is belief
    assert nis > GAUSSIAN.gate
    assert also is behind
    assert math.isnan(nothing)
    assert np.isnan(filter.expect(behind, 0)[0]).all()


def test_the_plant_and_the_flight_agree_without_sharing_code():
    flights = throw(5, np.random.default_rng(0), INDOORS)
    for k in range(5):
        x = np.concatenate([flights.path[k, 0], flights.spin[k]])
        cfg = FlightCfg(drag=flights.drag[k], lift=0.0079)
        assert_allclose(
            simulate_flight(x, [0.8], cfg)[0, :6], flights.path[k, 800], atol=2e-5
        )
        truth, meeting = crossing(flights, k), find_crossing(x, WORKSPACE, cfg)
        assert (truth is None) == (not meeting.found)
        if truth is not None:
            assert meeting.time == pytest.approx(truth[0], abs=1e-5)
    for c, T in enumerate(camera_poses()):
        p = np.array([-0.2, 4.0, 2.3])
        assert_allclose(
            circle_of(T, p), sphere_circle(CAMERAS, p, RADIUS)[c], atol=1e-9
        )


def test_mistakes_are_named():
    with pytest.raises(ConfigError, match="tail_share"):
        BallFilterCfg(tail_share=1.0)
    with pytest.raises(ConfigError, match="lift_sigma"):
        BallFilterCfg(lift_sigma=0.0)
    with pytest.raises(ShapeError, match="cameras"):
        BallFilter(BALL, CAMERAS[0])
    filter = BallFilter(BALL, CAMERAS)
    with pytest.raises(ShapeError, match="mean"):
        filter.predict(Belief(mean=np.zeros(6), covariance=np.eye(6)), 0.1)
    with pytest.raises(ConfigError, match="positive definite"):
        filter.predict(Belief(mean=np.zeros(10), covariance=-np.eye(10)), 0.1)
