from __future__ import annotations

import pytest

from gelenk.robots.armbot.assets import shipped_cells
from gelenk.robots.armbot.cell import Cell
from gelenk.robots.armbot.cells.line import LineCfg, judge, line
from gelenk.robots.armbot.environment.read import read_environment
from gelenk.robots.armbot.options import parse_options
from gelenk.robots.armbot.setup import make_setup


@pytest.mark.slow
@pytest.mark.capability("AB-07", "AB-55", "AB-56", "AB-175")
def test_ten_robots_of_eight_kinds_pass_three_cuboids_into_the_bin():
    outcome = line(LineCfg(), 3, None)
    assert outcome.ok, outcome.reason
    assert outcome.figures["delivered"] == 3
    assert outcome.figures["handovers"] == 30


def test_a_line_without_its_dispatcher_is_judged_as_failed():
    environment = read_environment(shipped_cells()["line"])
    kinds = {robot.manipulator.text for robot in environment.robots}
    assert len(environment.robots) == 10
    assert len(kinds) == 8
    setup = make_setup(environment, parse_options(["-tp", "51:line.Dispatcher"]))
    with Cell(setup) as cell:
        cell.run.run(3.0)
        cell.finish()
        verdict = judge(cell)
    assert verdict.figures == {"delivered": 0.0, "handovers": 0.0}
    assert "red" in verdict.problems[0]
