"""Tests of the cell `tower`: the stack itself, and what the judge makes of others."""

import pytest

from gelenk.robots.armbot.cell import Cell
from gelenk.robots.armbot.cells.tower import TowerCfg, judge, tower
from gelenk.robots.armbot.environment.read import parse_environment
from gelenk.robots.armbot.options import parse_options
from gelenk.robots.armbot.setup import make_setup
from gelenk.robots.armbot.trial import Verdict

SETTLING = 0.5  # [s]


def verdict_on(cuboids: str) -> Verdict:
    setup = make_setup(parse_environment(cuboids), parse_options([]))
    with Cell(setup) as cell:
        cell.run.run(SETTLING)
        cell.finish()
        return judge(cell)


@pytest.mark.slow
@pytest.mark.capability("AB-X05")
def test_four_cuboids_that_stood_a_little_off_and_turned_become_a_tower() -> None:
    outcome = tower(TowerCfg(), 0)
    assert outcome.ok, outcome.reason
    assert outcome.figures["height"] == pytest.approx(0.24)
    assert outcome.figures["standing"] == 4.0
    # Each was up to 1.4 cm and 5 degrees away from where it was expected.
    assert outcome.figures["lean"] < 0.004
    assert outcome.figures["tilt"] < 1e-3


def test_cuboids_that_nobody_fetched_are_no_tower() -> None:
    outcome = tower(TowerCfg(seconds=0.1, settling=0.1), 0)
    assert not outcome.ok
    assert outcome.figures["standing"] == 1.0
    assert outcome.figures["height"] == pytest.approx(0.06)
    assert outcome.reason.startswith("not done after 0.1 s")


def test_a_stack_of_three_is_measured() -> None:
    verdict = verdict_on(
        "CUBOID 0 0 3 6 6 6 FF0000 CUBOID 0.3 0.4 8 6 6 4 00FF00 CUBOID 0 0 11 6 6 2 0000FF"
    )
    assert verdict.problems == ()
    assert verdict.figures["height"] == pytest.approx(0.12)
    assert verdict.figures["lean"] == pytest.approx(0.005, abs=1e-4)


def test_a_cuboid_that_fell_down_is_no_part_of_it() -> None:
    verdict = verdict_on("CUBOID 0 0 3 6 6 6 FF0000 CUBOID 4 0 9 6 6 6 00FF00")
    assert any("no part of the tower" in problem for problem in verdict.problems)
    assert verdict.figures["standing"] == 1.0
