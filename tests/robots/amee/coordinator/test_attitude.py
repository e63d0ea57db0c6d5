"""The vertical and the heading from an inertial unit with noise and wrong zeros."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gelenk.robots.amee.coordinator.attitude import Attitude

G = 9.81


def sample(
    rng: np.random.Generator, pitch: float, rate: tuple[float, float, float]
) -> np.ndarray:
    force = G * np.array([math.sin(pitch), 0.0, math.cos(pitch)])
    noise = np.concatenate([rng.normal(0, 0.03, 3), rng.normal(0, 0.003, 3)])
    zero = np.array([0.0, 0.0, 0.0, 0.004, -0.003, 0.005])
    return np.concatenate([force, rate]) + zero + noise


def test_a_nose_that_rises_is_felt_at_once_and_stays_felt() -> None:
    rng, attitude = np.random.default_rng(1), Attitude()
    now, pitch = 0.0, 0.0
    for k in range(600):
        now += 0.01
        rate = -0.2 if 200 <= k < 300 else 0.0  # about the axis to the left
        pitch -= 0.01 * rate
        attitude.update(now, sample(rng, pitch, (0.0, rate, 0.0)), is_resting=k < 200)
        if k == 300:
            assert attitude.pitch == pytest.approx(0.2, abs=0.02)
    assert attitude.pitch == pytest.approx(0.2, abs=0.01)
    assert attitude.tilt == pytest.approx(0.2, abs=0.01)


def test_the_heading_does_not_drift_when_the_robot_has_rested_before() -> None:
    rng, attitude = np.random.default_rng(2), Attitude()
    for k in range(6000):
        turning = 0.1 if 1000 <= k < 1500 else 0.0
        imu = sample(rng, 0.0, (0.0, 0.0, turning))
        attitude.update(0.01 * (k + 1), imu, is_resting=k < 400)
    # 0.5 rad were turned; the zero alone would add 0.3 rad in a minute
    assert attitude.heading == pytest.approx(0.5, abs=0.03)


def test_nothing_is_believed_before_the_first_sample() -> None:
    attitude = Attitude()
    attitude.update(0.0, np.full(6, np.nan), is_resting=True)
    assert attitude.up == (0.0, 0.0, 1.0)
