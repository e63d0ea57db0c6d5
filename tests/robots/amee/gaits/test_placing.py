"""Lifts that tip: what the torso's lean tells."""

from __future__ import annotations

import math

import pytest

from gelenk.robots.amee.config import HIPS, LegCfg
from gelenk.robots.amee.coordinator.desk import Desk
from gelenk.robots.amee.gaits.placing import tips
from gelenk.robots.amee.gaits.posture import on_line
from gelenk.robots.amee.gaits.step import LOCATE_LEAN, lean_towards, locate
from gelenk.robots.amee.wire import Command, Message, Report


def test_a_torso_that_goes_down_at_a_corner_leans_towards_that_leg_alone() -> None:
    level, nose_down = (0.0, 0.0, 1.0), (-math.sin(0.05), 0.0, math.cos(0.05))
    leans = [lean_towards(leg, level, nose_down) for leg in range(4)]
    ahead = 0.05 * 0.70 / math.hypot(0.70, 0.40)
    assert leans == pytest.approx([ahead, ahead, -ahead, -ahead], rel=1e-3)


def test_a_torso_that_settles_is_let_one_that_goes_on_leaning_tips() -> None:
    settled = [math.radians(3.0)] * 6
    falling = [math.radians(0.5 * k) for k in range(6)]  # 25 deg/s
    assert not tips(settled)
    assert tips(falling)
    assert not tips(falling, 0.05)  # the weight is well inside
    assert tips([math.radians(2.0 * k) for k in range(4)], 0.05)  # 6 deg: no matter
    assert not tips(falling[:3])  # 1 deg: too early to tell
    assert tips([math.radians(5.1)] * 6)


def test_noise_beside_a_stroke_is_left_out() -> None:
    yaw = math.radians(10.0)
    foot = on_line((0.003, -0.55, 0.004), yaw)
    assert math.atan2(foot[2], foot[0]) == pytest.approx(yaw)
    assert foot[1] == -0.55
    # nearest point: what is left is perpendicular to the stroke
    rest = (0.003 - foot[0], 0.004 - foot[2])
    assert rest[0] * math.cos(yaw) + rest[1] * math.sin(yaw) == pytest.approx(0.0)


def test_what_a_foot_says_of_its_search_as_it_is_stopped_ends_no_walk() -> None:
    desk, leg = Desk(LegCfg(), [(0.0, -0.54, 0.0)] * 4), 1
    x, y, _ = HIPS[leg]
    way = math.sin(1.1 * LOCATE_LEAN) / math.hypot(x, y)
    feeling = locate(desk, leg)
    next(feeling)
    desk.attitude.up = (way * x, way * y, 1.0)  # it lifts its corner of the torso
    next(feeling)
    assert desk.outbox[-1][1].command == Command.STOP
    desk.receive(leg, Message(Report.ERROR, (3.0,)))  # no foothold, said meanwhile
    with pytest.raises(StopIteration) as done:
        next(feeling)
    assert done.value.value is True
    desk.listen(())  # nobody hears of a trouble
