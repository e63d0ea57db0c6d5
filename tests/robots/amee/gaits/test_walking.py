"""Which gait collisions ask for, and how the torso is levelled."""

from __future__ import annotations

import math

import pytest

from gelenk.robots.amee.config import HIPS, LegCfg
from gelenk.robots.amee.gaits.posture import (
    ground_slope,
    is_reachable,
    largest_share,
    levelling,
)
from gelenk.robots.amee.gaits.walking import choose_fast


@pytest.mark.capability("QW-107")
def test_three_collisions_in_ten_steps_are_borne_a_fourth_changes_the_gait() -> None:
    assert choose_fast(True, 12, [4, 6, 9])
    assert not choose_fast(True, 12, [4, 6, 9, 11])
    assert choose_fast(True, 30, [4, 6, 9, 11])  # long ago
    assert not choose_fast(False, 30, [11])
    assert choose_fast(False, 31, [11])


def test_feet_on_a_slope_tell_its_angle() -> None:
    slope = math.tan(math.radians(8.0))
    feet = {i: (0.0, -0.55 + slope * hip[0], 0.0) for i, hip in enumerate(HIPS)}
    height, ahead, left = ground_slope(feet)
    assert (height, ahead, left) == pytest.approx((-0.55, slope, 0.0), abs=1e-12)


def test_levelling_brings_torso_to_height_parallel_to_the_ground_and_upright() -> None:
    pitch, roll = math.radians(-4.0), math.radians(3.0)
    # level ground below a torso that leans
    feet = {
        i: (0.0, -0.58 - math.tan(pitch) * x - math.tan(roll) * y, 0.0)
        for i, (x, y, _) in enumerate(HIPS)
    }
    change = levelling(feet, 0.60, 1.0, pitch=pitch, roll=roll)
    for i, (x, _, z) in feet.items():
        assert (x, feet[i][1] + change[i], z) == pytest.approx(
            (0.0, -0.60, 0.0), abs=2e-4
        )
    small = levelling(feet, 0.60, 0.01, pitch=pitch, roll=roll)
    assert max(abs(dy) for dy in small.values()) == pytest.approx(0.01)


def test_the_shared_way_ends_where_the_first_leg_ends() -> None:
    cfg = LegCfg()
    assert is_reachable((0.0, -0.63, 0.0), cfg)
    assert not is_reachable((0.0, -0.70, 0.0), cfg)
    begins = [(0.0, -0.63, 0.0)] * 2
    ends = [(-0.05, -0.63, 0.0), (-0.40, -0.63, 0.0)]
    share = largest_share(begins, ends, cfg)
    assert 0.0 < share < 1.0
    assert is_reachable((-0.40 * share, -0.63, 0.0), cfg)
    assert not is_reachable((-0.40 * (share + 0.1), -0.63, 0.0), cfg)
