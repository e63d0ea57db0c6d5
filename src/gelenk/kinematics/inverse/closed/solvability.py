"""How many solutions an inverse problem has, judged by degrees of freedom."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from gelenk.kinematics.chain import CHAIN_INDEX, frame_chain
from gelenk.kinematics.inverse.closed.plan import TASKS, closed_plan
from gelenk.kinematics.inverse.closed.solve import ClosedTask, solve_closed
from gelenk.kinematics.inverse.result import IkStatus
from gelenk.kinematics.jacobian import frame_jacobian
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike

RANK_TOL = 1e-6  # ratio of singular values that counts as 0
SAMPLES = 8  # configurations; one regular one is enough

_ROWS = {"pose": slice(0, 6), "position": slice(0, 3), "rotation": slice(3, 6)}


class Solvability(StrEnum):
    """What the solutions of an inverse problem look like (Damken 2023 §3.2)."""

    UNREACHABLE = "unreachable"
    """The target has no solution."""
    FINITE = "finite"
    """As many joints as values: finitely many, singular poses aside."""
    FAMILY = "family"
    """More joints than values: infinitely many solutions."""
    TASK_REDUCED = "task_reduced"
    """Fewer joints than values: only special targets are reached."""


def solvability(
    model: RobotModel,
    T_base_target: ArrayLike | None = None,
    *,
    frame: str | None = None,
    task: ClosedTask = "pose",
) -> Solvability:
    """Return what the solutions for a task, or for one target, look like.

    The task's Jacobian decides: its largest rank is the number of values the arm can
    choose, the number of joints beyond that is the number left free.

    Args:
        model: Robot with a fixed base and without loops.
        T_base_target: Target, shape (4, 4). Given and out of reach, the answer is
            UNREACHABLE; that takes an arm with a closed solution.
        frame: Name of a link; by default the tool.
        task: "pose", "position" or "rotation".

    Raises:
        ConfigError: If there is no such task or the target is no pose.
        NameNotFoundError: If there is no such frame.

    Example:
        >>> import gelenk
        >>> solvability(gelenk.load("panda"))
        <Solvability.FAMILY: 'family'>
    """
    closed_plan(model, frame, task)  # checks task and frame
    if T_base_target is not None:
        result = solve_closed(model, T_base_target, frame=frame, task=task)
        if result.status is IkStatus.UNREACHABLE:
            return Solvability.UNREACHABLE
    ids = frame_chain(model, frame)[:-1, CHAIN_INDEX].astype(np.int64)
    rows = _ROWS[task]
    wanted = 6 if TASKS[task] == TASKS["pose"] else 3
    rng = np.random.default_rng(0)
    q = rng.uniform(-1.0, 1.0, size=(SAMPLES, model.nq))
    J = frame_jacobian(model, q, frame=frame)[:, rows][..., ids]
    rank = 0
    if len(ids):
        values = np.linalg.svd(J, compute_uv=False)
        rank = int((values > RANK_TOL * values.max()).sum(axis=1).max())
    if rank < wanted:
        return Solvability.TASK_REDUCED
    return Solvability.FAMILY if len(ids) > rank else Solvability.FINITE
