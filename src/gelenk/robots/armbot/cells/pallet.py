"""`armbot/pallet`: bricks from a belt onto a pallet, in crossed bond."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.robots.armbot.trial import CellCfg, Verdict, run_trial, warm_up
from gelenk.runtime.config import setting
from gelenk.runtime.scenario import Figure, Outcome, scenario

if TYPE_CHECKING:
    from gelenk.robots.armbot.cell import Cell

CENTRE = (0.48, 0.14)  # [m], of the pallet
LOWER_Z, UPPER_Z = 0.05, 0.09  # [m], of the bricks' middles
LOWER = [(x, y) for x in (-0.045, 0.045) for y in (-0.025, 0.025)]  # [m] from CENTRE
UPPER = [(x, 0.0) for x in (-0.075, -0.025, 0.025, 0.075)]
NEAR = 0.012  # [m]
LEVEL = np.deg2rad(2.0)  # [rad]


@dataclass(frozen=True, slots=True, kw_only=True)
class PalletCfg(CellCfg):
    """As for every cell."""

    seconds: float = setting(120.0, unit="s", minimum=0.1)


@scenario(
    "armbot/pallet",
    config=PalletCfg,
    figures={
        "time": Figure(unit="s", help="until the controller is done"),
        "laid": Figure(worst="smallest", help="bricks in their places, level"),
        "distance": Figure(unit="m", help="of the worst brick from its place"),
    },
    warm_up=lambda: warm_up("pallet", PalletCfg, judge),
)
def pallet(config: PalletCfg, seed: int, recorder: Any) -> Outcome:
    """A gantry lays eight bricks from a belt onto a pallet, in crossed bond.

    Each must lie level and within 12 mm of its place: four lengthwise, and four
    crosswise on top of them.
    """
    return run_trial("pallet", config, seed, recorder, judge)


def judge(cell: Cell) -> Verdict:
    """Measure how far each brick is from its place, and whether it lies level."""
    places = [(x, y, LOWER_Z) for x, y in LOWER] + [(x, y, UPPER_Z) for x, y in UPPER]
    distances: list[float] = []
    laid = 0
    for name, place in zip(cell.scene.cuboids, places, strict=True):
        T_world_brick = cell.world.pose(name)
        goal = np.add(place, (*CENTRE, 0.0))
        distances.append(float(np.linalg.norm(T_world_brick[:3, 3] - goal)))
        is_level = np.arccos(np.clip(T_world_brick[2, 2], -1.0, 1.0)) < LEVEL
        laid += int(is_level and distances[-1] < NEAR)
    problems = () if laid == len(places) else (f"{laid} of {len(places)} bricks laid",)
    return Verdict(
        figures={"laid": float(laid), "distance": max(distances)}, problems=problems
    )
