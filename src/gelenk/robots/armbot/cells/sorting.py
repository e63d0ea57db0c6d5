"""`armbot/sorting`: cuboids from a belt, each into the bin of its colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gelenk.robots.armbot.trial import CellCfg, Verdict, run_trial, warm_up
from gelenk.runtime.config import setting
from gelenk.runtime.scenario import Figure, Outcome, scenario

if TYPE_CHECKING:
    from gelenk.robots.armbot.cell import Cell

BINS = {"red": (-0.36, -0.44), "green": (0.0, -0.76), "blue": (0.36, -0.44)}  # [m]
HALF = 0.115  # [m], of a bin's inner side
LOW = 0.06  # [m]; the middle of a cuboid that lies on the floor is below this


@dataclass(frozen=True, slots=True, kw_only=True)
class SortingCfg(CellCfg):
    """As for every cell."""

    seconds: float = setting(90.0, unit="s", minimum=0.1)


@scenario(
    "armbot/sorting",
    config=SortingCfg,
    figures={
        "time": Figure(unit="s", help="until the controller is done"),
        "sorted": Figure(worst="smallest", help="cuboids in the bin of their colour"),
        "misplaced": Figure(help="cuboids in a bin of another colour"),
    },
    warm_up=lambda: warm_up("sorting", SortingCfg, judge),
)
def sorting(config: SortingCfg, seed: int, recorder: Any) -> Outcome:
    """A SCARA arm sorts six cuboids from a belt into three bins by their colour.

    Light barriers tell the colours. At the end every cuboid must lie in its bin.
    """
    return run_trial("sorting", config, seed, recorder, judge)


def judge(cell: Cell) -> Verdict:
    """Count the cuboids in the bins of their own and of other colours."""
    right, wrong, lost = 0, 0, list[str]()
    places = cell.world.positions(cell.scene.cuboids)
    for name, (x, y, z) in zip(cell.scene.cuboids, places, strict=True):
        found = [
            colour
            for colour, (bin_x, bin_y) in BINS.items()
            if abs(x - bin_x) < HALF and abs(y - bin_y) < HALF and z < LOW
        ]
        if found and name.startswith(found[0]):
            right += 1
        else:
            wrong += bool(found)
            lost.append(name)
    problems = (f"not in its bin: {', '.join(lost)}",) if lost else ()
    return Verdict(
        figures={"sorted": float(right), "misplaced": float(wrong)}, problems=problems
    )
