"""Tests of the base's stand. Oracles: statics, and the law of the struck rod."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from experiments.piggy.drive_bench import STEP, DriveBench
from experiments.piggy.drive_moves import ball_momentum
from experiments.piggy.structure import base_stability, hit_moments
from gelenk.robots.piggy import robot as unit
from gelenk.robots.piggy.config import GRAVITY
from gelenk.robots.piggy.stand import (
    BASE_MASS,
    moving_parts,
    tipping_share,
    weight_moment,
)

HEIGHT = unit.ROLL_ORIGIN[2] + unit.AXIS_OFFSET  # of the tilt axis


def test_a_leaning_bat_at_rest_weighs_on_the_base_with_its_lever() -> None:
    bench = DriveBench(q=np.deg2rad([0.0, 30.0]))
    mass, away, _ = unit.bat_inertia(cover=True)
    expected = GRAVITY * mass * away * math.sin(math.radians(30.0))  # it leans back
    assert_allclose(
        weight_moment(bench.world, moving_parts()), [expected, 0.0, 0.0], atol=1e-9
    )


def test_a_struck_rod_kicks_at_its_axis_as_its_centre_of_percussion_says() -> None:
    """In the play the joint gives no moment: the axis feels F (m c b / I - 1)."""
    mass, away, inertia = unit.bat_inertia(cover=True)
    about = inertia[0, 0] + mass * away**2
    found = hit_moments(8.0, seconds=0.006)
    ticks, lasting = 15, 0.0147
    peak = ball_momentum(8.0) * math.pi / (2.0 * lasting)
    force = peak * np.sin(math.pi * (np.arange(6) + 0.5) / ticks)
    law = HEIGHT * force * (mass * away * unit.BAT_LENGTH / about - 1.0)
    assert_allclose(found[:6, 0], -law, rtol=3e-3)
    assert STEP == 1e-3


def test_it_tips_when_the_moment_lifts_its_weight_over_an_edge() -> None:
    held = 20.0 * GRAVITY * unit.HOUSING[1] / 2.0
    assert tipping_share([[0.5 * held, 0.0, 9e9]], base_mass=20.0) == pytest.approx(0.5)
    assert tipping_share([[0.0, -held, 0.0]], base_mass=20.0) < 1.0  # it is wider


@pytest.mark.slow
@pytest.mark.capability("BB-105")
def test_the_base_stands_in_a_reversal_and_in_a_hard_hit() -> None:
    figures = base_stability()
    for figure in figures:
        assert figure.holds
        assert figure.value > 5.0  # it is not nothing
    # An empty housing of 8 kg would fall over.
    assert max(figure.value for figure in figures) * BASE_MASS / 8.0 > 100.0
