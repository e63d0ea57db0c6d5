"""`armbot/handover`: two robots hand a bar over in mid-air and stand it upright."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.robots.armbot.trial import CellCfg, Verdict, run_trial, warm_up
from gelenk.runtime.config import setting
from gelenk.runtime.scenario import Figure, Outcome, scenario

if TYPE_CHECKING:
    from gelenk.robots.armbot.cell import Cell

GOAL = (0.46, -0.32, 0.13)  # [m], of the middle of the standing bar
NEAR = 0.025  # [m] from the goal
UPRIGHT = np.deg2rad(3.0)  # [rad] from the vertical
WORDS = ("OFFER", "TAKEN", "CLEAR", "DONE")


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoverCfg(CellCfg):
    """As for every cell; a handover takes about a quarter of a minute."""

    seconds: float = setting(60.0, unit="s", minimum=0.1)


@scenario(
    "armbot/handover",
    config=HandoverCfg,
    figures={
        "time": Figure(unit="s", help="until both controllers are done"),
        "distance": Figure(unit="m", help="of the bar from where it shall stand"),
        "tilt": Figure(unit="rad", help="of the bar from the vertical"),
    },
    warm_up=lambda: warm_up("handover", HandoverCfg, judge),
)
def handover(config: HandoverCfg, seed: int, recorder: Any) -> Outcome:
    """Two arms hand a bar over in mid-air; the second one stands it upright.

    At the end the bar must stand within 2.5 cm of its goal, and the four triggers must
    have been exchanged in their order, each once.
    """
    return run_trial("handover", config, seed, recorder, judge)


def judge(cell: Cell) -> Verdict:
    """Measure where the bar stands, and whether the robots talked as agreed."""
    T_world_bar = cell.world.pose("bar")
    distance = float(np.linalg.norm(T_world_bar[:3, 3] - GOAL))
    tilt = float(np.arccos(min(abs(T_world_bar[2, 0]), 1.0)))
    said = tuple(item.text for item in cell.triggers.history if item.text in WORDS)
    problems: list[str] = []
    if distance > NEAR:
        problems.append(f"the bar is {100 * distance:.1f} cm off")
    if tilt > UPRIGHT:
        problems.append(f"the bar leans by {np.rad2deg(tilt):.0f} degrees")
    if said != WORDS:
        problems.append(f"the robots said {' '.join(said) or 'nothing'}")
    return Verdict(
        figures={"distance": distance, "tilt": tilt}, problems=tuple(problems)
    )
