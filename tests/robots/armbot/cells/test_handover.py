from __future__ import annotations

import pytest

from gelenk.robots.armbot.assets import shipped_cells
from gelenk.robots.armbot.cell import Cell
from gelenk.robots.armbot.cells.handover import HandoverCfg, handover, judge
from gelenk.robots.armbot.environment.read import read_environment
from gelenk.robots.armbot.options import parse_options
from gelenk.robots.armbot.setup import make_setup


@pytest.mark.slow
@pytest.mark.capability("AB-139", "AB-188", "AB-189")
@pytest.mark.parametrize("seed", [0, 1])
def test_a_bar_wanders_from_hand_to_hand_and_is_stood_upright(seed: int):
    outcome = handover(HandoverCfg(), seed, None)
    assert outcome.ok, outcome.reason
    assert outcome.figures["distance"] < 0.01


def test_a_taker_that_does_not_come_is_judged_as_failed():
    environment = read_environment(shipped_cells()["handover"])
    options = parse_options(["-c1", "handover.Giver", "-cfg1", "46;32;10;10;4;0;0;32"])
    with Cell(make_setup(environment, options)) as cell:
        cell.run.run(8.0)
        cell.finish()
        verdict = judge(cell)
    assert len(verdict.problems) == 3
