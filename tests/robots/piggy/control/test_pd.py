"""Tests of the PD law and its helpers. Oracles: closed forms, printed numbers."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError
from gelenk.robots.piggy.control.pd import (
    PdGains,
    PdState,
    RestCfg,
    RestState,
    pd_step,
    rest_step,
    softened,
)

GAINS = PdGains(kp=(20.0, 23.0), kd=(2.0, 2.3))


@pytest.mark.capability("BB-26")
def test_the_pole_of_the_filter_is_as_printed() -> None:
    assert GAINS.pole == pytest.approx(0.284610, abs=1e-6)
    assert replace(GAINS, filter_frequency=math.inf).pole == 0.0


@pytest.mark.capability("BB-26")
def test_the_filter_lets_slow_ramps_through_and_damps_fast_changes() -> None:
    def gain(frequency: float) -> float:
        t = 0.01 * np.arange(400)
        state, out = PdState(), []
        for angle in np.sin(2.0 * np.pi * frequency * t):
            _, state = pd_step(GAINS, state, np.zeros(2), np.full(2, -angle))
            out.append(state.derivative[0])
        raw = np.diff(np.sin(2.0 * np.pi * frequency * t)) / 0.01
        return float(np.ptp(out[100:]) / np.ptp(raw[100:]))

    def exact(frequency: float) -> float:
        z = np.exp(1j * 2.0 * np.pi * frequency * 0.01)
        return float(abs((1.0 - 0.284610) / (1.0 - 0.284610 / z)))

    for frequency in (0.5, 20.3, 40.7):
        assert gain(frequency) == pytest.approx(exact(frequency), rel=0.02)
    assert exact(0.5) > 0.99 > 0.8 > exact(24.0)


@pytest.mark.capability("BB-25")
def test_a_resting_error_gives_the_proportional_torque_alone() -> None:
    torque, state = np.zeros(2), PdState()
    for _ in range(30):
        torque, state = pd_step(GAINS, state, np.array([0.1, -0.2]), np.zeros(2))

    assert_allclose(torque, [2.0, -4.6])


def test_damped_by_the_bat_a_motor_in_the_play_is_free() -> None:
    gains = replace(GAINS, derivative="bat")
    state, torque = PdState(), np.zeros(2)
    for k in range(3):  # the motor rushes, the bat does not
        q, bat = np.full(2, 0.05 * k), np.array([0.0, 1.5])
        torque, state = pd_step(gains, state, np.full(2, 0.3), q, bat_speed=bat)

    assert_allclose(torque, [20.0 * 0.2, 23.0 * 0.2 - 2.3 * 1.5])


def test_a_new_setpoint_kicks_unless_the_derivative_is_of_the_measurement() -> None:
    kicks = []
    for kind in ("error", "measurement"):
        gains = replace(GAINS, derivative=kind)
        _, state = pd_step(gains, PdState(), np.zeros(2), np.zeros(2))
        torque, _ = pd_step(gains, state, np.full(2, 0.1), np.zeros(2))
        kicks.append(torque[0])
    assert kicks[0] == pytest.approx(2.0 + 2.0 * (1.0 - GAINS.pole) * 10.0)
    assert kicks[1] == pytest.approx(2.0)


def test_soft_errors_have_slope_one_at_zero_and_grow_as_roots() -> None:
    e = np.array([-1e-6, 1e-6])
    assert_allclose(softened(e, 0.8), e, rtol=1e-5)
    far = softened(np.array([100.0, 400.0]), 0.8)
    assert far[1] / far[0] == pytest.approx(2.0, rel=0.05)
    assert_allclose(softened(np.array([3.0, -3.0]), math.inf), [3.0, -3.0])
    assert_allclose(softened(np.array([3.0]), 0.8), -softened(np.array([-3.0]), 0.8))


def test_a_joint_rests_only_after_its_error_was_small_for_long_enough() -> None:
    cfg, state, shares = RestCfg(near=0.1, after=0.045, share=0.5), RestState(), []
    for error in (0.3, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.2, 0.05):
        share, state = rest_step(cfg, state, np.array([error, 0.3]), 0.01)
        shares.append(share.tolist())
    assert [roll for roll, _ in shares] == [1, 1, 1, 1, 1, 0.5, 0.5, 1, 1]
    assert {tilt for _, tilt in shares} == {1.0}


def test_gains_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ConfigError, match="not be negative"):
        PdGains(kp=(-1.0, 1.0), kd=(1.0, 1.0))
    with pytest.raises(ConfigError, match="soft_error"):
        replace(GAINS, soft_error=0.0)
    with pytest.raises(ConfigError, match="share"):
        RestCfg(share=0.0)
