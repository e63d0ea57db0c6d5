from __future__ import annotations

import pytest

from gelenk.robots.armbot.assets import shipped_cells
from gelenk.robots.armbot.cell import Cell
from gelenk.robots.armbot.cells.slope import SlopeCfg, judge, slope
from gelenk.robots.armbot.environment.read import read_environment
from gelenk.robots.armbot.options import parse_options
from gelenk.robots.armbot.setup import make_setup


@pytest.mark.slow
@pytest.mark.capability("AB-06", "AB-09", "AB-12", "AB-134")
@pytest.mark.parametrize("seed", [0, 1])
def test_a_closed_chain_pushes_all_balls_into_the_basin(seed: int):
    outcome = slope(SlopeCfg(), seed, None)
    assert outcome.ok, outcome.reason
    assert outcome.figures["signals"] == 3


def test_a_pusher_that_misses_the_balls_is_judged_as_failed():
    environment = read_environment(shipped_cells()["slope"])
    options = parse_options(["-cfg", "31;35;3;-10"])  # far above the balls
    with Cell(make_setup(environment, options)) as cell:
        cell.run.run(5.0)
        cell.finish()
        verdict = judge(cell)
    assert verdict.figures == {"in_basin": 0.0, "signals": 0.0}
    assert len(verdict.problems) == 2
