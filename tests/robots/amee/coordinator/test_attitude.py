"""The vertical and the heading from an inertial unit with noise and wrong zeros."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gelenk.robots.amee.coordinator.attitude import (
    STEADY,
    Attitude,
    AttitudeCfg,
)

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


def errors_of(cfg: AttitudeCfg, seconds: float = 120.0) -> np.ndarray:
    """Return how far the vertical is off in a torso that legs jerk and rock [rad]."""
    rng, attitude = np.random.default_rng(3), Attitude(cfg)
    off, pitch = [], 0.0
    for k in range(round(seconds * 100)):
        now, phase = 0.01 * k, 0.01 * (k % 300 - 100)  # rests for 1 s, moves for 2 s
        moves = phase >= 0.0
        rate = -0.1 * math.cos(math.pi * phase) * moves
        pitch -= 0.01 * rate
        imu = sample(rng, pitch, (0.0, rate, 0.0))
        # 1 m/s^2 for a tenth of a second: a torso that starts or stops at 0.1 m/s
        imu[0] += rng.choice((-1.0, 1.0)) if moves and k % 30 < 10 else 0.0
        attitude.update(now, imu, is_resting=not moves)
        off.append(attitude.pitch - pitch)
    return np.array(off[500:])


def test_the_steady_vertical_bears_jerks_that_the_quick_one_takes_for_lean() -> None:
    quick, steady = errors_of(AttitudeCfg()), errors_of(STEADY)
    assert np.std(steady) < 0.35 * np.std(quick)
    assert np.abs(steady).max() < 0.5 * np.abs(quick).max()
    assert abs(steady.mean()) < math.radians(0.2)
