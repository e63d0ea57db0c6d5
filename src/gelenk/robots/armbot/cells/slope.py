"""`armbot/slope`: a closed-chain arm pushes balls down a slope into a basin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gelenk.robots.armbot.trial import CellCfg, Verdict, run_trial, warm_up
from gelenk.runtime.config import setting
from gelenk.runtime.scenario import Figure, Outcome, scenario

if TYPE_CHECKING:
    from gelenk.robots.armbot.cell import Cell

BASIN_X, BASIN_Y = (1.35, 1.65), 0.26  # [m]


@dataclass(frozen=True, slots=True, kw_only=True)
class SlopeCfg(CellCfg):
    """As for every cell."""

    seconds: float = setting(60.0, unit="s", minimum=0.1)


@scenario(
    "armbot/slope",
    config=SlopeCfg,
    figures={
        "time": Figure(unit="s", help="until the controller is done"),
        "in_basin": Figure(worst="smallest", help="balls in the basin at the end"),
        "signals": Figure(worst="smallest", help="of the light barrier"),
    },
    warm_up=lambda: warm_up("slope", SlopeCfg, judge),
)
def slope(config: SlopeCfg, seed: int, recorder: Any) -> Outcome:
    """A tripod arm, a closed chain, pushes three balls down a slope into a basin.

    All of them must lie in the basin at the end, and the light barrier must have seen
    each of them once.
    """
    return run_trial("slope", config, seed, recorder, judge)


def judge(cell: Cell) -> Verdict:
    """Count the balls in the basin and the signals of the light barrier."""
    places = cell.world.positions(cell.scene.balls)
    is_inside = (
        (places[:, 0] > BASIN_X[0])
        & (places[:, 0] < BASIN_X[1])
        & (abs(places[:, 1]) < BASIN_Y)
        & (places[:, 2] < 0.06)
    )
    signals = sum(item.text == "BALL_DOWN" for item in cell.triggers.history)
    problems: list[str] = []
    if not is_inside.all():
        problems.append(f"{(~is_inside).sum()} balls are not in the basin")
    if signals != len(places):
        problems.append(f"the barrier saw {signals} of {len(places)} balls")
    return Verdict(
        figures={"in_basin": float(is_inside.sum()), "signals": float(signals)},
        problems=tuple(problems),
    )
