"""`armbot/pick_place`: balls into a bin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.robots.armbot.environment.description import Obstacle, RectPlan
from gelenk.robots.armbot.trial import CellCfg, Verdict, run_trial, warm_up
from gelenk.runtime.config import setting
from gelenk.runtime.scenario import Figure, Outcome, scenario
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from gelenk.robots.armbot.cell import Cell

WALLS = "bin_"  # names of the walls begin so


@dataclass(frozen=True, slots=True, kw_only=True)
class PickPlaceCfg(CellCfg):
    """How `armbot/pick_place` is tried."""

    seconds: float = setting(60.0, unit="s", minimum=0.1)


@scenario(
    "armbot/pick_place",
    config=PickPlaceCfg,
    figures={
        "time": Figure(unit="s", help="until the controller is done"),
        "delivered": Figure(worst="smallest", help="balls in the bin"),
        "distance": Figure(unit="m", help="farthest ball from the bin's middle"),
    },
    warm_up=lambda: warm_up("pick_place", PickPlaceCfg, judge),
)
def pick_place(config: PickPlaceCfg, seed: int, recorder: Any = None) -> Outcome:
    """The Simple Arm drops three balls into a bin."""
    return run_trial("pick_place", config, seed, recorder, judge)


def judge(cell: Cell) -> Verdict:
    """Count the balls that lie between the walls of the bin."""
    low, high, top = bin_of(cell)
    places = cell.world.positions(cell.scene.balls)
    middle = 0.5 * (low + high)
    is_in = ((places[:, :2] > low) & (places[:, :2] < high)).all(axis=1)
    is_in &= places[:, 2] < top
    distances = np.linalg.norm(places[:, :2] - middle, axis=1)
    problems = tuple(
        f"{name} is {distance:.3f} m from the middle of the bin"
        for name, distance, ok in zip(cell.scene.balls, distances, is_in, strict=True)
        if not ok
    )
    figures = {"delivered": float(is_in.sum()), "distance": float(distances.max())}
    return Verdict(figures=figures, problems=problems)


def bin_of(cell: Cell) -> tuple[FloatArray, FloatArray, float]:
    """Return the corners of the bin with its walls, (2,) each, and its height [m]."""
    walls = [
        (np.array(wall.plan.center), np.array(wall.plan.size), wall.top[0])
        for wall in cell.setup.environment.obstacles
        if isinstance(wall, Obstacle)
        and isinstance(wall.plan, RectPlan)
        and wall.name.startswith(WALLS)
    ]
    low = np.min([center - 0.5 * size for center, size, _ in walls], axis=0)
    high = np.max([center + 0.5 * size for center, size, _ in walls], axis=0)
    return low, high, max(top for _, _, top in walls)
