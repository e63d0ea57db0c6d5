"""`armbot/line`: ten robots pass cuboids on; all must end in the bin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gelenk.robots.armbot.trial import CellCfg, Verdict, run_trial, warm_up
from gelenk.runtime.config import setting
from gelenk.runtime.scenario import Figure, Outcome, scenario

if TYPE_CHECKING:
    from gelenk.robots.armbot.cell import Cell

BIN_X, BIN_SIZE = 6.0, 0.28  # [m], between its walls


@dataclass(frozen=True, slots=True, kw_only=True)
class LineCfg(CellCfg):
    """As for every cell; the line needs about half a minute."""

    seconds: float = setting(90.0, unit="s", minimum=0.1)


@scenario(
    "armbot/line",
    config=LineCfg,
    figures={
        "time": Figure(unit="s", help="until the last controller is done"),
        "delivered": Figure(worst="smallest", help="cuboids in the bin"),
        "handovers": Figure(worst="smallest", help="times that a robot has put down"),
    },
    warm_up=lambda: warm_up("line", LineCfg, judge),
)
def line(config: LineCfg, seed: int, recorder: Any) -> Outcome:
    """Ten arms of eight kinds hand cuboids along a line into a bin.

    A trigger processor sends each of them when its place is occupied and the next one
    is free. All three cuboids must lie in the bin at the end, after thirty handovers.
    """
    return run_trial("line", config, seed, recorder, judge)


def judge(cell: Cell) -> Verdict:
    """Count the cuboids in the bin, and the handovers."""
    places = cell.world.positions(cell.scene.cuboids)
    is_inside = (
        (abs(places[:, 0] - BIN_X) < 0.5 * BIN_SIZE)
        & (abs(places[:, 1]) < 0.5 * BIN_SIZE)
        & (places[:, 2] < 0.1)
    )
    handovers = sum(item.text.startswith("PUT_") for item in cell.triggers.history)
    problems: list[str] = []
    if not is_inside.all():
        missing = [
            name
            for name, ok in zip(cell.scene.cuboids, is_inside, strict=True)
            if not ok
        ]
        problems.append(f"not in the bin: {', '.join(missing)}")
    return Verdict(
        figures={"delivered": float(is_inside.sum()), "handovers": float(handovers)},
        problems=tuple(problems),
    )
