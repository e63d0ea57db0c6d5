"""Strokes of walks, curves and turns; releases that let all legs end together."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gelenk.robots.amee.config import HIPS
from gelenk.robots.amee.gaits.strokes import plan_strokes, releases


@given(
    length=st.floats(-0.2, 0.2),
    turn=st.floats(-0.3, 0.3),
)
@pytest.mark.capability("QW-128")
def test_strokes_are_the_ways_of_the_hips_and_stay_within_a_quarter_turn(
    length: float, turn: float
) -> None:
    for stroke, (x, y, _) in zip(plan_strokes(length, turn), HIPS, strict=True):
        assert abs(stroke.yaw) <= math.pi / 2 + 1e-12
        way = stroke.length * np.array([math.cos(stroke.yaw), math.sin(stroke.yaw)])
        assert way == pytest.approx([length - turn * y, turn * x], abs=1e-12)


def test_a_stroke_passes_below_the_axis_of_its_hip() -> None:
    for stroke in plan_strokes(0.1, 0.2):
        x, y, z = stroke.point(0.0, -0.6)
        assert (x, y, z) == pytest.approx((0.0, -0.6, 0.0))


@given(counts=st.lists(st.integers(0, 40), min_size=1, max_size=4))
@pytest.mark.capability("QW-98")
def test_each_leg_is_released_once_per_via_point_and_the_last_ones_together(
    counts: list[int],
) -> None:
    plan = releases(tuple(counts))
    assert len(plan) == max(counts)
    for leg, count in enumerate(counts):
        assert sum(leg in tick for tick in plan) == count
        # never more than one via point from its share of the way
        done = 0
        for k, tick in enumerate(plan, start=1):
            done += leg in tick
            assert abs(done - k * count / len(plan)) < 1.0
    if plan:
        assert set(plan[-1]) == {leg for leg, count in enumerate(counts) if count}
