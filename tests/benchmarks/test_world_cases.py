"""The judge of the restitution grid: exact flights have no error, others theirs."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.areas._world_cases import (
    MASS,
    PAIRINGS,
    RADIUS,
    Case,
    Flight,
    Pairing,
    make_case,
)


def _flight(case: Case, e: float) -> Flight:
    """Return the exact path of the ball with restitution e, by hand."""
    t0 = 9.4 * case.step
    g = np.array([0.0, 0.0, case.gravity])
    at = case.p + case.v * t0 + 0.5 * g * t0 * t0
    before = case.v + g * t0
    after = before + (1.0 + e) * case.closing * case.share * case.normal
    times = case.step * np.arange(1, case.ticks + 1)[:, None]
    s = times - t0
    is_before = s < 0.0
    v = np.where(is_before, before + g * s, after + g * s)
    p = np.where(is_before, before * s, after * s) + at + 0.5 * g * s * s
    return Flight(p, v, at - (p - p) - 2.0 * RADIUS * case.normal)


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("speed", [0.5, 15.0])
def test_an_exact_flight_has_no_error_and_a_wrong_one_its_own(
    pairing: Pairing, speed: float
):
    case = make_case(pairing, 0.6, 0.001, speed, phase=0.4)

    assert type(case.error(_flight(case, 0.6))) is float  # JSON knows no other
    assert case.error(_flight(case, 0.6)) < 1e-9
    assert case.error(_flight(case, 0.63)) == pytest.approx(5.0, rel=1e-9)


def test_a_ball_that_does_not_come_off_has_lost_everything():
    case = make_case("plane", 0.5, 0.001, 5.0, phase=0.4)
    stuck = Flight(np.full((70, 3), RADIUS), np.zeros((70, 3)), np.zeros((70, 3)))

    assert case.measured_e(stuck) == 0.0
    assert case.error(stuck) == 100.0


def test_the_share_of_two_equal_balls_is_one_half_and_of_a_wall_all():
    assert make_case("sphere", 0.5, 0.001, 5.0, phase=0.0).share == 0.5
    assert make_case("edge", 0.5, 0.001, 5.0, phase=0.0).share == 1.0
    free_arm = make_case("torque_bat", 0.5, 0.001, 5.0, phase=0.0).share
    # 1/m over 1/m + (L cos 30)^2 / (M L^2 + I)
    felt = (0.6 * np.cos(np.radians(30.0))) ** 2 / (0.5 * 0.36 + 0.002)
    assert free_arm == pytest.approx((1 / MASS) / (1 / MASS + felt))


def test_depth_is_what_the_ball_reaches_into_its_partner():
    case = make_case("plane", 0.5, 0.001, 5.0, phase=0.0)
    p = np.array([[0.0, 0.0, RADIUS], [0.0, 0.0, RADIUS - 2e-3], [0.0, 0.0, 1.0]])

    assert case.depth(Flight(p, p, p)) == pytest.approx(2e-3)
