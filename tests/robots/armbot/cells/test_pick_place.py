"""Tests of the cell `pick_place`: what is delivered, and what the judge sees."""

import pytest

from gelenk.robots.armbot.assets import shipped_cells
from gelenk.robots.armbot.cell import Cell
from gelenk.robots.armbot.cells.pick_place import PickPlaceCfg, judge, pick_place
from gelenk.robots.armbot.controllers import PickAndPlace
from gelenk.robots.armbot.environment.read import read_environment
from gelenk.robots.armbot.options import parse_options
from gelenk.robots.armbot.setup import make_setup
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


@pytest.mark.capability("AB-52")
def test_the_controller_gets_its_text_with_computed_values() -> None:
    environment = read_environment(shipped_cells()["pick_place"])
    with Cell(make_setup(environment, parse_options([]))) as cell:
        controller = cell.robots[0].controller
        assert isinstance(controller, PickAndPlace)
        places = [job.place for job in controller.jobs]
        heights = [job.pick[2] for job in controller.jobs]
    # BIN_X and BIN_Y are 0 and 34, the balls' radius 3, the stand 5 cm high.
    assert places == [
        pytest.approx((-0.04, 0.34, 0.09)),
        pytest.approx((0.04, 0.34, 0.09)),
        pytest.approx((0.0, 0.30, 0.09)),
    ]
    assert heights == pytest.approx([0.03, 0.03, 0.0724])
