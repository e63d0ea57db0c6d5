"""Differential inverse kinematics: joint velocities for tasks within limits.

Each step is a quadratic program: least weighted squares of the errors that are left,
subject to inequalities. Levels of tasks with strict priority are solved one after
another, each without touching what the ones before have reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from gelenk.control.motion_limits import MotionLimit
from gelenk.control.motion_tasks import MotionTask, RobotPosture
from gelenk.errors import ConfigError
from gelenk.kinematics.configuration import integrate
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray

FREE = 1e30  # no bound, in the words of the solver
EQUAL = 5  # a row that holds as an equation, in the words of the solver
REGULAR = 1e-12  # added to the diagonal, so that free joints rest

TaskList: TypeAlias = Sequence[MotionTask] | Sequence[Sequence[MotionTask]]


class MotionStatus(StrEnum):
    """Outcome of a step.

    Example:
        >>> from gelenk.control import MotionStatus
        >>> MotionStatus("solved").name
        'SOLVED'
    """

    SOLVED = "solved"
    INFEASIBLE = "infeasible"  # no step keeps all limits


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MotionStep:
    """Joint velocities of a step.

    Attributes:
        status: Outcome.
        qd: Joint velocities [rad/s] or [m/s], shape (nv,); zeros if infeasible.
        q: Joint values after the step [rad] or [m], shape (nq,).
    """

    status: MotionStatus
    qd: FloatArray
    q: FloatArray


def solve_motion(
    model: RobotModel,
    q: ArrayLike,
    tasks: TaskList,
    *,
    dt: float,
    limits: Sequence[MotionLimit] = (),
) -> MotionStep:
    """Return the step that reduces the errors of tasks best, within limits.

    Args:
        model: Robot without loops.
        q: Joint values now [rad] or [m], shape (nq,).
        tasks: Tasks, or lists of tasks, the most important list first.
        dt: Length of the step [s].
        limits: Limits that the step keeps.

    Raises:
        ConfigError: If there is no task, or the step has no length.

    Example:
        >>> import gelenk
        >>> from gelenk.control import (ConfigurationLimit, FrameTask, PostureTask,
        ...                             VelocityLimit, solve_motion)
        >>> arm = gelenk.load("panda")
        >>> q = arm.home_configuration
        >>> target = arm.forward(q)
        >>> target[2, 3] += 0.1
        >>> tasks = [FrameTask(target=target), PostureTask(target=q, weight=1e-3)]
        >>> for _ in range(50):
        ...     step = solve_motion(arm, q, tasks, dt=0.02,
        ...                         limits=[ConfigurationLimit(), VelocityLimit()])
        ...     q = step.q
        >>> float(abs(arm.forward(q) - target).max()) < 1e-4
        True
    """
    if not (np.isfinite(dt) and dt > 0.0):
        raise ConfigError(f"`dt` must be a time > 0 s, got {dt}")
    levels = _levels(tasks)
    at = RobotPosture(model, model.check_q("q", q))
    lower, upper, rows = _gather(at, limits, dt)
    fixed: list[tuple[FloatArray, FloatArray]] = []
    dq = np.zeros(model.nv)
    for number, level in enumerate(levels):
        H, c, J = _objective(at, level, keep=number + 1 < len(levels))
        found = _solve(H, c, lower, upper, rows, fixed)
        if found is None:
            if number:
                break  # only rounding can forbid what the level before has found
            return MotionStep(
                status=MotionStatus.INFEASIBLE, qd=np.zeros(model.nv), q=at.q
            )
        dq = found
        if J is not None:
            fixed.append((J, J @ dq))
    plain = model.compiled.num_quaternions == 0
    after = at.q + dq if plain else integrate(model, at.q, dq, 1.0)
    return MotionStep(status=MotionStatus.SOLVED, qd=dq / dt, q=after)


def _levels(tasks: TaskList) -> list[Sequence[MotionTask]]:
    if not tasks:
        raise ConfigError("`tasks` is empty; give at least one task")
    if isinstance(tasks[0], Sequence):
        levels = cast("Sequence[Sequence[MotionTask]]", tasks)
        return [level for level in levels if level]
    return [cast("Sequence[MotionTask]", tasks)]


def _gather(
    at: RobotPosture, limits: Sequence[MotionLimit], dt: float
) -> tuple[FloatArray, FloatArray, list[tuple[FloatArray, FloatArray, FloatArray]]]:
    """Return bounds of the step itself and the rows of all other inequalities."""
    nv = at.model.nv
    lower, upper = np.full(nv, -FREE), np.full(nv, FREE)
    rows: list[tuple[FloatArray, FloatArray, FloatArray]] = []
    for limit in limits:
        G, low, high = limit.bounds(at, dt)
        if G is None:
            np.maximum(lower, low, out=lower)
            np.minimum(upper, high, out=upper)
        elif len(G):
            rows.append((G, low, high))
    # limits that contradict each other by rounding meet in the middle
    is_crossed = lower > upper
    if is_crossed.any():
        middle = 0.5 * (lower + upper)[is_crossed]
        lower[is_crossed] = upper[is_crossed] = middle
    return lower, upper, rows


def _objective(
    at: RobotPosture, tasks: Sequence[MotionTask], *, keep: bool
) -> tuple[FloatArray, FloatArray, FloatArray | None]:
    """Return H and c of the objective, and the rows of the tasks if wanted."""
    nv = at.model.nv
    H, c = np.zeros((nv, nv)), np.zeros(nv)
    diagonal = REGULAR
    kept: list[FloatArray] = []
    for task in tasks:
        error, J = task.evaluate(at)
        H += J.T @ J
        c += (task.gain * error) @ J
        if task.damping:
            diagonal += task.damping * task.gain**2 * float(error @ error)
        if keep:
            kept.append(J)
    H.flat[:: nv + 1] += diagonal
    return H, c, np.concatenate(kept) if kept else None


def _solve(
    H: FloatArray,
    c: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    rows: list[tuple[FloatArray, FloatArray, FloatArray]],
    fixed: list[tuple[FloatArray, FloatArray]],
) -> FloatArray | None:
    """Return the minimum of x H x / 2 + c x within the bounds, or None."""
    if rows or fixed:
        A = np.concatenate([row[0] for row in rows] + [row[0] for row in fixed])
        low = np.concatenate(
            [lower, *(row[1] for row in rows), *(row[1] for row in fixed)]
        )
        high = np.concatenate(
            [upper, *(row[2] for row in rows), *(row[1] for row in fixed)]
        )
        np.clip(low, -FREE, FREE, out=low)
        np.clip(high, -FREE, FREE, out=high)
    else:
        A, low, high = np.zeros((0, len(c))), lower, upper
    sense = np.zeros(len(low), dtype=np.int32)
    if fixed:
        sense[-sum(len(row[1]) for row in fixed) :] = EQUAL
    return solve_quadratic(H, c, A, low, high, sense)


def solve_quadratic(
    H: FloatArray,
    c: FloatArray,
    A: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    sense: NDArray[np.int32],
) -> FloatArray | None:
    """Return the x with the least x H x / 2 + c x, or None if there is none.

    Args:
        H: Positive definite matrix, shape (n, n).
        c: Linear part, shape (n,).
        A: Rows of inequalities, shape (m, n).
        lower: Bounds of x and then of A x from below, shape (n + m,).
        upper: The same from above, shape (n + m,).
        sense: 5 for rows that are equations, else 0, 32-bit integers, shape (n + m,).
    """
    import daqp  # loaded where it is used: `import gelenk` stays cheap

    found = cast("Any", daqp).solve(
        H, c, np.ascontiguousarray(A), upper, lower, sense, primal_tol=1e-9
    )
    return np.array(found[0]) if found[2] > 0 else None
