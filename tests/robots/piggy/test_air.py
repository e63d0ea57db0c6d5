"""Tests of balls in the air of the simulated place.

Oracles: printed flight, the view from a moving frame, the circle of a spinning ball,
statistics of an Ornstein-Uhlenbeck process, laws of a bounce.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.robots.piggy.air import AirCfg, fly_ticks, make_wind
from gelenk.robots.piggy.config import BALL_RADIUS

DOWN = np.array([0.0, 0.0, -9.81])
STILL = np.zeros((1, 3))
FLOOR = (0.75, 0.5, 0.3)
LASTING = 1e12  # [s], a spin that stays


def flown(
    state: list[float],
    seconds: float,
    *,
    drag: float = 0.0612,
    lift: float = 0.0,
    wind: np.ndarray = STILL,
    gravity: np.ndarray = DOWN,
    h: float = 0.0005,
) -> np.ndarray:
    x = np.array(state, dtype=float)
    count = round(seconds / h)
    path = np.zeros((count + 1, 6))
    fly_ticks(x, wind, 0, count, gravity, (drag, lift, LASTING), FLOOR, h, path)
    assert_allclose(path[-1], x[:6], atol=0.0)
    return x


@pytest.mark.capability("BB-45")
def test_a_thrown_ball_is_where_an_independent_integration_says() -> None:
    x = flown([-0.3, 5.0, 1.8, 0.0, -6.5, 4.0, 0, 0, 0], 0.5)
    assert_allclose(x[:3], [-0.3, 2.0555, 2.4588], atol=6e-5)
    assert_allclose(x[3:6], [0.0, -5.3781, -1.1829], atol=6e-5)


@pytest.mark.capability("BB-45")
def test_wind_looks_like_still_air_to_who_drifts_with_it() -> None:
    wind = np.array([1.5, -0.7, 0.2])
    start = np.array([0.0, 5.0, 3.0, 0.5, -7.0, 4.0, 3.0, -2.0, 1.0])
    drifting = start.copy()
    drifting[3:6] -= wind
    blown = flown(list(start), 0.6, wind=wind[None], lift=0.0079)
    seen = flown(list(drifting), 0.6, lift=0.0079)
    assert_allclose(blown[:3], seen[:3] + 0.6 * wind, atol=1e-9)
    assert_allclose(blown[3:6], seen[3:6] + wind, atol=1e-9)


def test_a_spinning_ball_without_drag_flies_a_circle() -> None:
    speed, spin, lift = 6.0, 20.0, 0.0079
    turn = 1.2
    start = [0, 0, 2, speed, 0, 0, 0, 0, spin]
    x = flown(start, turn / (lift * spin), drag=0.0, lift=lift, gravity=np.zeros(3))
    radius = speed / (lift * spin)
    assert np.linalg.norm(x[3:6]) == pytest.approx(speed, rel=1e-6)
    assert_allclose(
        x[:2], radius * np.array([math.sin(turn), 1.0 - math.cos(turn)]), rtol=5e-5
    )


def test_gusts_have_their_strength_and_fade_in_their_time() -> None:
    cfg = AirCfg(gust_sigma=0.4, gust_time=0.05)
    mean = np.array([1.0, 0.0, 0.0])
    wind = make_wind(cfg, mean, 400_000, 0.001, np.random.default_rng(0)) - mean
    assert_allclose(wind.std(axis=0), [0.4, 0.4, 0.2], rtol=0.04)
    later = (wind[50:] * wind[:-50]).mean(axis=0) / wind.var(axis=0)
    assert_allclose(later, math.exp(-1.0), atol=0.05)
    calm = make_wind(AirCfg(), mean, 100, 0.001, np.random.default_rng(0))
    assert_allclose(calm, mean[None])


def test_a_bounce_gives_back_its_share_and_keeps_the_spin_about_the_ground() -> None:
    start = [0, 0, BALL_RADIUS + 1e-9, 3.0, -1.0, -4.0, 5.0, 20.0, -7.0]
    x = flown(start, 0.0005, drag=0.0, gravity=np.zeros(3))
    assert x[5] == pytest.approx(0.75 * 4.0)
    # About the contact point nothing turns the ball: m r x v + I w stays.
    arm = np.array([0.0, 0.0, BALL_RADIUS])
    inertia = 2.0 / 3.0 * BALL_RADIUS**2
    before = np.cross(arm, [3.0, -1.0, -4.0]) + inertia * np.array([5.0, 20.0, -7.0])
    after = np.cross(arm, x[3:6]) + inertia * x[6:9]
    assert_allclose(after, before, atol=1e-12)


def test_a_ball_comes_to_rest_on_the_floor() -> None:
    x = flown([0.5, 2.0, 1.0, 1.0, 0.5, 0.0, 0, 0, 0], 12.0)
    assert np.abs(x[3:6]).max() < 0.02
    assert x[2] == pytest.approx(BALL_RADIUS, abs=2e-3)


def test_a_ball_does_not_enter_the_housing() -> None:
    x = np.array([-0.3, -0.2, 1.2, 0.0, -0.3, -3.0, 0.0, 0.0, 0.0])
    path = np.zeros((4001, 6))
    path[0] = x[:6]
    touched = fly_ticks(x, STILL, 0, 4000, DOWN, (0.06, 0.0, 1.0), FLOOR, 5e-4, path)
    box = np.clip(path[:, :3], [-0.61, -0.46, 0.0], [0.0, 0.0, 0.84])
    gap = np.linalg.norm(path[:, :3] - box, axis=1)
    assert touched & 2
    assert gap.min() > 0.95 * BALL_RADIUS
