"""`armbot/tower`: four cuboids on top of each other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.robots.armbot.environment.description import CuboidEntry
from gelenk.robots.armbot.trial import CellCfg, Verdict, run_trial, warm_up
from gelenk.runtime.config import setting
from gelenk.runtime.scenario import Figure, Outcome, scenario

if TYPE_CHECKING:
    from gelenk.robots.armbot.cell import Cell

HEIGHT_TOL = 1e-3  # [m] by which a cuboid may be lower than it should
TILT_TOL = np.radians(0.5)  # [rad] by which its upright axis may lean
MAX_STEP = 0.02  # [m] between the middles of two neighbours


@dataclass(frozen=True, slots=True, kw_only=True)
class TowerCfg(CellCfg):
    """How `armbot/tower` is tried."""

    settling: float = setting(2.0, unit="s", minimum=0.0)


@scenario(
    "armbot/tower",
    config=TowerCfg,
    figures={
        "time": Figure(unit="s", help="until the controller is done"),
        "height": Figure(unit="m", worst="smallest", help="top of the tower"),
        "standing": Figure(worst="smallest", help="cuboids that stand in the tower"),
        "lean": Figure(unit="m", help="largest step between two neighbours, sideways"),
        "tilt": Figure(unit="rad", help="most tilted cuboid"),
    },
    warm_up=lambda: warm_up("tower", TowerCfg, judge),
)
def tower(config: TowerCfg, seed: int, recorder: Any = None) -> Outcome:
    """A six-axis arm stacks four cuboids."""
    return run_trial("tower", config, seed, recorder, judge)


def judge(cell: Cell) -> Verdict:
    """Measure the tower, from the lowest cuboid to the highest."""
    heights = {
        entry.name: entry.size[2]
        for entry in cell.setup.environment.movables
        if isinstance(entry, CuboidEntry)
    }
    poses = {name: cell.world.pose(name) for name in heights}
    order = sorted(poses, key=lambda name: poses[name][2, 3])
    steps = [
        float(np.linalg.norm(poses[upper][:2, 3] - poses[lower][:2, 3]))
        for lower, upper in pairwise(order)
    ]
    problems: list[str] = []
    top, standing = 0.0, 0
    for name, step in zip(order, [0.0, *steps], strict=True):
        T, height = poses[name], heights[name]
        if step > MAX_STEP or abs(T[2, 3] - 0.5 * height - top) > HEIGHT_TOL:
            place = np.round(T[:3, 3], 3).tolist()
            problems.append(f"{name} is no part of the tower, it is at {place} m")
            continue
        top, standing = top + height, standing + 1
    tilt = max(float(np.arccos(np.clip(T[2, 2], -1.0, 1.0))) for T in poses.values())
    if tilt > TILT_TOL:
        problems.append(f"a cuboid is tilted by {np.degrees(tilt):.2f} degrees")
    figures = {
        "height": top,
        "standing": float(standing),
        "lean": max(steps, default=0.0),
        "tilt": tilt,
    }
    return Verdict(figures=figures, problems=tuple(problems))
