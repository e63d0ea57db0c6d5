"""Tests of the design figures. Oracles: printed values, laws, monotony."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from experiments.piggy.unit_design import (
    BILL,
    COST_LIMIT,
    acceleration_torque,
    holding_torque,
    impact_torque,
    impact_torque_law,
    play_accuracy,
    total_cost,
)
from gelenk.robots.piggy.config import BALL_MASS, RADIUS_SUM
from gelenk.robots.piggy.contact import mirror


@pytest.mark.capability("BB-07")
def test_holding_and_accelerating_take_the_stated_torques() -> None:
    assert holding_torque() == pytest.approx(2.761, abs=1e-3)
    assert acceleration_torque() == pytest.approx(7.49, abs=0.01)
    assert acceleration_torque(31.42, printed=True) == pytest.approx(7.953, abs=1e-3)


@pytest.mark.capability("BB-08")
def test_ten_millimetres_on_a_radius_sum_of_0_2_m_are_5_73_degrees() -> None:
    assert np.rad2deg(play_accuracy(0.01, 0.2)) == pytest.approx(5.7296, abs=1e-4)
    assert np.rad2deg(play_accuracy(0.01, RADIUS_SUM)) == pytest.approx(6.18, abs=5e-3)


@pytest.mark.capability("BB-08", "BB-100")
def test_the_play_accuracy_is_that_of_a_mirror_that_is_moved() -> None:
    """A ball along x meets the sphere at beta; moving the sphere turns it by 2 d/r."""
    r, d = 0.2, 1e-5
    for beta in (0.1, 0.4, 0.7):
        ways = []
        for angle in (beta, beta + d / r):
            n = (-np.cos(angle), 0.0, np.sin(angle))
            out = mirror((1.0, 0.0, 0.0), n, (0.0, 0.0, 0.0))
            ways.append(np.arctan2(out[2], -out[0]))
        assert ways[0] == pytest.approx(2.0 * beta)
        assert ways[1] - ways[0] == pytest.approx(float(play_accuracy(d, r)), rel=1e-6)


@pytest.mark.capability("BB-09")
def test_the_simulated_impact_follows_its_law_on_the_whole_grid() -> None:
    mass, stiffness = np.meshgrid(np.linspace(0.001, 0.3, 12), np.linspace(10, 100, 7))
    given = {"bat_mass": 0.2, "length": 1.0}

    torque = impact_torque(10.0, stiffness, mass, **given)

    assert_allclose(
        torque, impact_torque_law(10.0, stiffness, mass, **given), rtol=5e-3
    )
    assert (np.diff(torque, axis=0) > 0.0).all()
    assert (np.diff(torque, axis=1) > 0.0).all()


@pytest.mark.capability("BB-09")
def test_twice_the_masses_make_the_root_of_two_not_two() -> None:
    one = impact_torque(10.0, 50.0, 0.05, bat_mass=0.2)
    two = impact_torque(10.0, 50.0, 0.10, bat_mass=0.4)
    stiff = impact_torque(10.0, 100.0, 0.10, bat_mass=0.4)
    assert two / one == pytest.approx(np.sqrt(2.0), rel=2e-3)
    assert stiff / one == pytest.approx(2.0, rel=2e-3)


@pytest.mark.capability("BB-09")
def test_the_built_bat_feels_the_stated_range_of_torques() -> None:
    lowest = impact_torque(8.0, 10.0, BALL_MASS)
    highest = impact_torque(12.0, 100.0, BALL_MASS)
    assert lowest == pytest.approx(3.8, rel=0.015)
    assert highest == pytest.approx(18.1, rel=0.015)


@pytest.mark.capability("BB-10")
def test_the_bill_sums_to_the_stated_price_below_the_limit() -> None:
    assert total_cost() == 4000.0 < COST_LIMIT
    assert [item.cost for item in BILL] == [1000.0, 1500.0, 1000.0, 500.0]
