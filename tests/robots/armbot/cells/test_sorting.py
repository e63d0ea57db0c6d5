from __future__ import annotations

import pytest

from gelenk.robots.armbot.assets import shipped_cells
from gelenk.robots.armbot.cell import Cell
from gelenk.robots.armbot.cells.sorting import SortingCfg, judge, sorting
from gelenk.robots.armbot.environment.read import read_environment
from gelenk.robots.armbot.options import parse_options
from gelenk.robots.armbot.setup import make_setup


@pytest.mark.slow
@pytest.mark.capability("AB-78", "AB-80", "AB-171")
def test_every_cuboid_ends_in_the_bin_of_its_colour():
    outcome = sorting(SortingCfg(), 0, None)
    assert outcome.ok, outcome.reason
    assert (outcome.figures["sorted"], outcome.figures["misplaced"]) == (6, 0)


def test_a_sorter_that_takes_all_for_red_is_judged_as_failed():
    environment = read_environment(shipped_cells()["sorting"])
    config = next(robot.config for robot in environment.robots if robot.config)
    bins = config.text.split(";")[:4] + [
        f"{c}=-36,-44" for c in ("RED", "GREEN", "BLUE")
    ]
    with Cell(make_setup(environment, parse_options(["-cfg", ";".join(bins)]))) as cell:
        cell.run.run(8.0)
        cell.finish()
        verdict = judge(cell)
    assert verdict.figures["misplaced"] >= 1
    assert "green_1" in verdict.problems[0]
