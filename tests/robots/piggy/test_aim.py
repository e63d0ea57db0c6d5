"""Tests of aiming. Oracles: parabolas, momentum and energy, the contact simulation."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.dynamics.flight import FlightCfg
from gelenk.errors import ConfigError
from gelenk.robots.piggy.aim import (
    AIR,
    bat_speed_needed,
    best_aim,
    wanted_velocity,
)
from gelenk.robots.piggy.config import BALL_MASS
from gelenk.robots.piggy.contact import hit

VACUUM = FlightCfg(drag=0.0, lift=0.0)
BALL = np.array([-0.3, 0.2, 1.65])
PERSON = np.array([0.6, 2.7, 1.3])


def test_without_air_the_wanted_velocity_is_that_of_the_parabola() -> None:
    """v = (p_T - p)/T - g T/2."""
    v = wanted_velocity(BALL, PERSON, 0.8, air=VACUUM)
    assert_allclose(v, (PERSON - BALL) / 0.8 + [0.0, 0.0, 0.5 * 9.81 * 0.8], atol=1e-12)


def test_a_ball_with_the_wanted_velocity_arrives_in_air_and_on_time() -> None:
    """Integrated here by small Euler steps."""
    starts = BALL + np.array([[0.0, 0.0, 0.0], [0.1, -0.2, 0.1]])
    for p, v in zip(starts, wanted_velocity(starts, PERSON, 0.9), strict=True):
        for _ in range(9000):
            a = np.array([0.0, 0.0, -9.81]) - AIR.drag * np.linalg.norm(v) * v
            p, v = p + 1e-4 * v, v + 1e-4 * a
        assert_allclose(p, PERSON, atol=2e-3)


def test_a_flight_needs_time() -> None:
    with pytest.raises(ConfigError, match="flight_time"):
        wanted_velocity(BALL, PERSON, 0.0)


def test_the_speed_that_an_impact_needs_is_the_one_the_contact_simulation_shows() -> (
    None
):
    """Central hits, where friction does nothing; the bat moves with the normal."""
    v_in = np.array([0.3, -6.0, -2.0])
    n = -v_in / np.linalg.norm(v_in)
    for speed in (0.0, 1.0, 2.0):
        v_out = hit(v_in, n, speed * n).v_out
        assert_allclose(bat_speed_needed(v_in, v_out), speed, atol=0.02)


def test_of_all_flights_the_one_with_the_slowest_bat_is_chosen() -> None:
    v_in = np.array([0.2, -6.2, -1.5])
    aim = best_aim(BALL, v_in, PERSON)
    assert abs(aim.bat_speed) < 1.0
    for t in np.linspace(0.45, 1.05, 30):
        other = bat_speed_needed(v_in, wanted_velocity(BALL, PERSON, t))
        assert abs(aim.bat_speed) <= abs(other) + 0.2
    # The change of momentum lies on the line of the impulse: energy stays.
    n = (aim.v_out - v_in) / np.linalg.norm(aim.v_out - v_in)
    bat = aim.bat_speed * n
    after = bat - BALL_MASS / 0.230 * (aim.v_out - v_in)
    before_j = BALL_MASS * v_in @ v_in + 0.230 * bat @ bat
    after_j = BALL_MASS * aim.v_out @ aim.v_out + 0.230 * after @ after
    assert_allclose(after_j, before_j, rtol=1e-9)
