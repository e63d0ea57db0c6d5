"""`armbot/student`: an exercise, direct and inverse kinematics of one's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.robots.armbot.environment.description import Obstacle, RectPlan
from gelenk.robots.armbot.trial import CellCfg, Verdict, run_trial, warm_up
from gelenk.runtime.config import setting
from gelenk.runtime.scenario import Figure, Outcome, scenario

if TYPE_CHECKING:
    from gelenk.robots.armbot.cell import Cell

SKILLS_OFF = ("-skills", "-mandirkin,-maninvkin")
FINISHED = ("-c", "robotcontroller.PickAndPlace")
WAY = tuple(f"CORNER_{letter}" for letter in "ABCDA")
BESIDE = "BESIDE"
GOAL = "goal_"  # names of the steps around the hole for the ball
GOAL_TOL = 5e-3  # [m] from the middle of the hole


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentCfg(CellCfg):
    """How `armbot/student` is tried.

    Attributes:
        controller: Solution to be judged, `path/file.py:Class`; empty: the template,
            which has no formulas yet and fails.
    """

    seconds: float = setting(60.0, unit="s", minimum=0.1)
    controller: str = setting("")


@scenario(
    "armbot/student",
    config=StudentCfg,
    figures={
        "time": Figure(unit="s", help="until the controller is done"),
        "corners": Figure(worst="smallest", help="corners passed in their order, of 5"),
        "beside": Figure(help="times the ball left the edges of the square"),
        "distance": Figure(unit="m", help="of the ball from its goal"),
    },
    warm_up=lambda: warm_up("student", StudentCfg, judge, arguments=FINISHED),
)
def student(config: StudentCfg, seed: int, recorder: Any = None) -> Outcome:
    """A student's own kinematics carries a ball along a square."""
    arguments = SKILLS_OFF
    if config.controller:
        arguments = (*arguments, "-c", config.controller)
    return run_trial("student", config, seed, recorder, judge, arguments=arguments)


def judge(cell: Cell) -> Verdict:
    """Read the way of the ball from the triggers, and where it came to rest."""
    corners, beside = 0, 0
    for record in cell.triggers.history:
        if corners == len(WAY):
            break
        if record.text == WAY[corners]:
            corners += 1
        elif record.text == BESIDE and corners > 0:
            beside += 1
    (ball,) = cell.scene.balls
    goal = np.mean(
        [
            step.plan.center
            for step in cell.setup.environment.obstacles
            if isinstance(step, Obstacle)
            and isinstance(step.plan, RectPlan)
            and step.name.startswith(GOAL)
        ],
        axis=0,
    )
    distance = float(np.linalg.norm(cell.world.pose(ball)[:2, 3] - goal))
    problems: list[str] = []
    if corners < len(WAY):
        problems.append(f"the ball did not come to {WAY[corners]}, the next corner")
    if beside:
        problems.append(f"the ball left the edges of the square {beside} times")
    if distance > GOAL_TOL:
        problems.append(f"the ball is {distance:.3f} m from its goal")
    figures = {
        "corners": float(corners),
        "beside": float(beside),
        "distance": distance,
    }
    return Verdict(figures=figures, problems=tuple(problems))
