"""Tests of the estimate of the bat behind the play. Oracles: statics, the world."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from experiments.piggy.drive_bench import (
    WEIGHED,
    DriveBench,
    weigh_on_bench,
)
from experiments.piggy.drive_flank import believed_bat
from gelenk.errors import ConfigError
from gelenk.robots.piggy.control.flank import BatEstimator, BatModel
from gelenk.robots.piggy.control.weigh import weight_from_torques
from gelenk.robots.piggy.kinematics import gravity_torques

GAP = math.radians(3.0)
MODEL = BatModel(half_gap=(GAP, GAP))


def test_gravity_of_the_model_is_that_of_the_kinematics() -> None:
    for q in np.random.default_rng(0).uniform(-1.2, 1.2, (10, 2)):
        assert_allclose(MODEL.gravity(*q), gravity_torques(q, weight=MODEL.weight))


def test_coupling_of_the_axes_is_that_of_lagrange() -> None:
    h = 1e-6
    for tilt, roll_speed, tilt_speed in ((0.7, 3.0, -2.0), (-0.4, -1.0, 5.0)):
        low, high = (MODEL.inertias(tilt + d)[0] for d in (-h, h))
        slope = (high - low) / (2.0 * h)  # T = I(tilt) roll'^2 / 2 + ...
        found = MODEL.coupling(tilt, (roll_speed, tilt_speed))
        expected = (-slope * roll_speed * tilt_speed, 0.5 * slope * roll_speed**2)
        assert found == pytest.approx(expected, rel=1e-6)


def test_a_resting_bat_hangs_on_its_lower_flank() -> None:
    offset = MODEL.resting_offset(np.deg2rad([20.0, -30.0]))
    load = MODEL.gravity(*np.deg2rad([20.0, -30.0]))

    assert offset[0] == pytest.approx(GAP + MODEL.compliance * load[0])
    assert offset[1] == pytest.approx(-GAP + MODEL.compliance * load[1])


def test_near_upright_the_flank_is_kept() -> None:
    q, band = np.deg2rad([0.2, -0.2]), math.radians(0.5)

    kept = MODEL.resting_offset(q, (-1.0, 1.0), band=band)
    fresh = MODEL.resting_offset(q, (0.0, 0.0), band=band)

    assert_allclose(np.sign(kept), [-1.0, 1.0])
    assert_allclose(np.sign(fresh), [1.0, -1.0])


def test_a_motor_carried_over_the_top_lets_the_bat_fall_to_the_other_flank() -> None:
    estimator = BatEstimator(MODEL)
    beliefs = [
        estimator.step(0.01 * k, (0.0, math.radians(max(10.0 - 0.4 * k, -10.0))))
        for k in range(150)
    ]

    assert beliefs[0].flank[1] == 1.0
    assert beliefs[-1].flank[1] == -1.0
    load = MODEL.gravity(*beliefs[-1].q)[1]
    assert beliefs[-1].offset[1] == pytest.approx(
        -GAP + MODEL.compliance * load, abs=math.radians(0.05)
    )
    assert 0.0 in {belief.flank[1] for belief in beliefs}  # in between it flew


@pytest.mark.slow
@pytest.mark.capability("BB-18")
def test_the_bat_is_known_far_better_than_the_motors_know_it() -> None:
    believed, blind = believed_bat(moves=6)

    assert believed.value < 0.4 * blind.value
    assert blind.value > 40.0


@pytest.mark.slow
@pytest.mark.capability("BB-18")
def test_a_corrected_target_puts_the_bat_itself_there() -> None:
    misses = {}
    for play in ("ignore", "estimate"):
        bench = DriveBench(change=lambda cfg, p=play: replace(cfg, play=p))
        bench.start(0.2)
        pose = np.deg2rad([15.0, -25.0])
        bench.control.reach(pose)
        bench.run(1.5)
        misses[play] = np.rad2deg(np.abs(bench.bat - pose)).max()
    assert misses["ignore"] > 3.0
    assert misses["estimate"] < 1.0


def test_the_weight_is_found_from_torques_that_held_the_bat() -> None:
    poses = np.deg2rad([[30.0, 0.0], [-40.0, 10.0], [5.0, 45.0], [0.0, -30.0]])
    true = replace(MODEL, weight=3.1)
    held = [-np.array(true.gravity(*(q + true.resting_offset(q)))) for q in poses]

    assert weight_from_torques(MODEL, poses, held) == pytest.approx(3.1, rel=2e-3)
    with pytest.raises(ConfigError, match="leans"):
        weight_from_torques(MODEL, np.zeros((1, 2)), np.zeros((1, 2)))


@pytest.mark.slow
def test_the_robot_weighs_its_own_bat() -> None:
    assert weigh_on_bench() == pytest.approx(WEIGHED, abs=0.03)


def test_models_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ConfigError, match="not be negative"):
        BatModel(half_gap=(-0.1, 0.0))
    with pytest.raises(ConfigError, match="must be positive"):
        BatModel(half_gap=(0.0, 0.0), weight=0.0)
