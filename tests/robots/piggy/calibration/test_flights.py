"""Gravity, drag and a turned camera from throws of an independent plant."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from gelenk.robots.piggy.calibration.flights import (
    Flight,
    _Problem,
    adjusted,
    calibrate_flight,
)
from gelenk.robots.piggy.calibration.prior import learn_prior
from gelenk.robots.piggy.calibration.verdicts import CalibrationError
from gelenk.spatial import se3, so3
from gelenk.vision.camera import Intrinsics
from gelenk.vision.sphere import camera_row
from testkit.thrown_balls import (
    FRAME,
    ThrowCfg,
    camera_poses,
    circle_noise,
    circle_of,
    throw,
)

LENS = Intrinsics.from_field_of_view(
    width=780, height=580, horizontal=math.radians(57.0)
)
ROWS = np.array([camera_row(LENS, T) for T in camera_poses()])
DOWN = np.array([0.0, 0.0, -9.81])
CFG = ThrowCfg(flight_time=(0.65, 1.05), spin_sigma=3.0, drag_sigma=0.05)


@cache
def _throws(count: int = 34, seed: int = 0):
    rng = np.random.default_rng(seed)
    throws = throw(count, rng, CFG)
    flights = []
    for k in range(count):
        times = np.arange(rng.uniform(0.0, FRAME), 0.8, FRAME)
        circles = np.array(
            [[circle_of(T, throws.at(k, t)[:3]) for T in camera_poses()] for t in times]
        )
        circles = circles + circle_noise(rng, circles.shape)
        flights.append(Flight(time=times + 2.0 * k, circles=circles))
    return throws, tuple(flights)


def _angle(a, b) -> float:
    cosine = a @ b / (np.linalg.norm(a) * np.linalg.norm(b))
    return math.degrees(math.acos(min(1.0, cosine)))


@pytest.mark.slow
@pytest.mark.capability("BB-72")
def test_throws_tell_gravity_drag_and_how_a_camera_is_turned():
    throws, flights = _throws()
    change = np.zeros(24)
    change[18:21] = np.radians([0.03, -0.02, 0.05])
    rows = adjusted(ROWS, -change)
    lean = so3.exp(np.radians([0.8, -0.9, 0.0])) @ DOWN
    known = np.diag([1e-9] * 18 + [math.radians(0.1) ** 2] * 3 + [1e-10] * 3)

    found = calibrate_flight(
        flights, rows, gravity=lean, drag=0.05, camera_covariance=known
    )

    assert _angle(found.gravity, DOWN) < 0.5
    assert np.linalg.norm(found.gravity) == pytest.approx(9.81)
    assert found.drag == pytest.approx(np.mean(throws.drag), rel=0.05)
    spun = CFG.lift * np.sqrt(np.mean(throws.spin**2))  # of these throws, not of all
    assert found.lift_spread == pytest.approx(spun, rel=0.15)
    error = found.values[21:24] - change[18:21]
    assert math.degrees(np.linalg.norm(error)) < 0.03
    z = error / np.sqrt(np.diag(found.covariance))[21:24]
    assert np.abs(z).max() < 4.0
    assert max(found.residual) < 0.1
    np.testing.assert_allclose(found.drags, throws.drag, rtol=0.15)


@pytest.mark.slow
@pytest.mark.capability("BB-73")
def test_the_learnt_prior_covers_other_throws_of_the_same_people():
    _, flights = _throws()
    found = calibrate_flight(flights, ROWS, gravity=DOWN, drag=0.06)
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = so3.exp([0.0, 0.0, 0.1]), [0.1, 0.2, 0.3]
    prior = learn_prior(found, T)

    others = throw(60, np.random.default_rng(9), CFG).path
    p = se3.transform_point(T, others[..., :3])
    v = others[..., 3:] @ T[:3, :3].T
    others = np.concatenate([p, v], axis=-1)
    best = np.full(60, math.inf)
    for mean, P in zip(prior.mean, prior.covariance, strict=True):
        error = others[:, 300] - mean
        chi2 = np.einsum("ni,ij,nj->n", error, np.linalg.inv(P), error)
        best = np.minimum(best, chi2)
    assert np.mean(best < 16.8) > 0.95  # 99 % of 6 numbers


def test_the_derivatives_are_the_derivatives():
    _, flights = _throws(3, 4)
    rng = np.random.default_rng(0)
    problem = _Problem(flights, ROWS, DOWN, 0.06, np.eye(24))
    x = 1e-3 * rng.normal(size=27)
    local = problem.start[0] + np.array([0.0] * 6 + [0.02, -0.03, 0.01, 0.05])
    r, J, L = problem.residuals(0, x, local)
    assert len(r) > 60
    for k in range(27):
        step = np.zeros(27)
        step[k] = 1e-5
        ends = [problem.residuals(0, x + s * step, local)[0] for s in (1.0, -1.0)]
        difference = (ends[0] - ends[1]) / 2e-5
        np.testing.assert_allclose(J[:, k], difference, rtol=1e-4, atol=0.02)
    for k in range(10):
        step = np.zeros(10)
        step[k] = 1e-5
        ends = [problem.residuals(0, x, local + s * step)[0] for s in (1.0, -1.0)]
        difference = (ends[0] - ends[1]) / 2e-5
        np.testing.assert_allclose(L[:, k], difference, rtol=1e-4, atol=0.02)


def test_a_camera_that_only_turns_shifts_in_the_other_one_by_nothing():
    change = np.zeros(24)
    change[18:21] = [0.1, -0.2, 0.3]
    p_left = np.array([0.2, -0.1, 2.0])
    before, after = (_in_right(rows, p_left) for rows in (ROWS, adjusted(ROWS, change)))
    origin = _in_right(ROWS, np.zeros(3))
    np.testing.assert_allclose(
        after - origin, so3.exp(change[18:21]) @ (before - origin), atol=1e-12
    )


def _in_right(rows, p_left):
    R, t = rows[0, :9].reshape(3, 3), rows[0, 9:12]
    p = R.T @ (p_left - t)
    return rows[1, :9].reshape(3, 3) @ p + rows[1, 9:12]


def test_too_few_throws_are_refused():
    _, flights = _throws(3, 4)
    with pytest.raises(CalibrationError) as caught:
        calibrate_flight(flights, ROWS, gravity=DOWN, drag=0.06)
    assert caught.value.verdict == "too few throws"
    assert "got 3 of 3" in str(caught.value)


@pytest.mark.slow
def test_flights_of_something_that_does_not_fly_find_no_agreement():
    _, flights = _throws()
    rng = np.random.default_rng(0)
    wild = [
        Flight(time=f.time, circles=f.circles + rng.normal(0.0, 12.0, f.circles.shape))
        for f in flights[:14]
    ]
    with pytest.raises(CalibrationError) as caught:
        calibrate_flight(wild, ROWS, gravity=DOWN, drag=0.06)
    assert caught.value.verdict == "no agreement"


@pytest.mark.slow
def test_a_prior_needs_thirty_throws():
    _, flights = _throws()
    found = calibrate_flight(flights[:14], ROWS, gravity=DOWN, drag=0.06)
    with pytest.raises(CalibrationError, match="30 throws, got 14"):
        learn_prior(found)
