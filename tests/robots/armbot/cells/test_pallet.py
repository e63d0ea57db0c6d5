from __future__ import annotations

import pytest

from gelenk.robots.armbot.assets import shipped_cells
from gelenk.robots.armbot.cell import Cell
from gelenk.robots.armbot.cells.pallet import PalletCfg, judge, pallet
from gelenk.robots.armbot.environment.read import read_environment
from gelenk.robots.armbot.options import parse_options
from gelenk.robots.armbot.setup import make_setup


@pytest.mark.slow
def test_eight_bricks_lie_in_crossed_bond():
    outcome = pallet(PalletCfg(), 1, None)
    assert outcome.ok, outcome.reason
    assert outcome.figures["distance"] < 0.005


def test_a_pallet_that_is_not_laid_is_judged_as_failed():
    environment = read_environment(shipped_cells()["pallet"])
    with Cell(make_setup(environment, parse_options([]))) as cell:
        cell.run.run(6.0)
        cell.finish()
        verdict = judge(cell)
    assert verdict.figures["laid"] == 1
    assert verdict.problems == ("1 of 8 bricks laid",)
