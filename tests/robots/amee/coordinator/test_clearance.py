"""Legs that would touch: distances against brute force, footholds refused."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.robots.amee.config import LegCfg, LegGeometry
from gelenk.robots.amee.coordinator.balance import (
    least_gap,
    leg_segments,
    segment_distance,
)
from gelenk.robots.amee.coordinator.desk import Desk, TroubleError
from gelenk.robots.amee.gaits.step import lift
from gelenk.robots.amee.gaits.strokes import plan_strokes

STANDING = [(0.0, -0.6, 0.0)] * 4


def test_the_distance_of_segments_is_that_of_their_closest_points() -> None:
    rng = np.random.default_rng(3)
    s = np.linspace(0.0, 1.0, 201)
    for k in range(40):
        p = rng.uniform(-1.0, 1.0, (4, 3))
        if k % 4 == 0:
            p[3] = p[2] + (p[1] - p[0])  # parallel
        a, b = (p[0], p[1], 0.0), (p[2], p[3], 0.0)
        on_a = p[0] + s[:, None] * (p[1] - p[0])
        on_b = p[2] + s[:, None] * (p[3] - p[2])
        tried = np.linalg.norm(on_a[:, None] - on_b[None, :], axis=2).min()
        found = segment_distance(a, b)
        assert found <= tried + 1e-12
        assert found == pytest.approx(tried, abs=0.011)


def test_a_leg_is_as_long_as_its_parts_and_ends_over_its_sole() -> None:
    thigh, shank, foot = leg_segments(1, (0.05, -0.55, 0.02), LegGeometry())
    assert np.linalg.norm(thigh[1] - thigh[0]) == pytest.approx(0.280)
    assert np.linalg.norm(shank[1] - shank[0]) == pytest.approx(0.2725)
    middle = 0.5 * (foot[0] + foot[1])
    # hip of leg 2 at (0.35, 0.2); the foot's axis lies its radius over the sole
    assert middle == pytest.approx((0.35 + 0.05, 0.2 + 0.02, -0.55 + 0.06), abs=3e-3)


@pytest.mark.capability("QW-121")
def test_a_foothold_beside_another_foot_is_refused_by_the_main_controller() -> None:
    geometry = LegGeometry()
    assert least_gap(STANDING, geometry)[0] > 0.1
    crossed = [(0.0, -0.6, 0.17), (0.0, -0.6, -0.17), *STANDING[2:]]
    gap, pair = least_gap(crossed, geometry)
    assert gap < 0.0
    assert pair == (0, 1)
    desk = Desk(LegCfg(), STANDING)
    desk.legs[1].foot = crossed[1]
    stroke = plan_strokes(0.1, 0.0)[0]
    with pytest.raises(TroubleError):
        next(lift(desk, 0, stroke, crossed[0]))
    assert desk.outbox == []
    assert "would touch leg 2" in desk.journal.entries[-1].text
    next(lift(desk, 0, stroke, STANDING[0]))
    assert len(desk.outbox) == 1
