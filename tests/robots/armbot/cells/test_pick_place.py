"""Tests of the cell `pick_place`: what is delivered, and what the judge sees."""

import pytest

from gelenk.robots.armbot.cells.pick_place import PickPlaceCfg, judge, pick_place
from gelenk.robots.armbot.trial import run_trial

JOB = "from=32,-14,3 to=-4,34,9 width="


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 7])
def test_three_balls_end_in_the_bin_wherever_they_stood(seed: int) -> None:
    outcome = pick_place(PickPlaceCfg(), seed)
    assert outcome.ok, outcome.reason
    assert outcome.figures["delivered"] == 3.0
    assert outcome.figures["distance"] < 0.08 * 2**0.5


def test_fingers_that_stay_open_deliver_nothing() -> None:
    outcome = run_trial(
        "pick_place", PickPlaceCfg(), 0, None, judge, arguments=["-cfg", JOB + "9"]
    )
    assert not outcome.ok
    assert outcome.figures["delivered"] == 0.0
    assert outcome.reason.count("from the middle of the bin") == 3


def test_one_ball_of_three_is_not_enough() -> None:
    outcome = run_trial(
        "pick_place", PickPlaceCfg(), 0, None, judge, arguments=["-cfg", JOB + "4.4"]
    )
    assert not outcome.ok
    assert outcome.figures["delivered"] == 1.0
    assert "ball_1" not in outcome.reason
    assert "ball_2" in outcome.reason
