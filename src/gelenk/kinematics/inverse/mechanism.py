"""Inverse kinematics of robots with loops: Levenberg-Marquardt on the motor values."""

from __future__ import annotations

import numpy as np

from gelenk.errors import ConfigError
from gelenk.kinematics.inverse.iterative import PoseTask, pose_task, start_values
from gelenk.kinematics.inverse.lm import (
    POSITION_TOL,
    ROTATION_TOL,
    low_discrepancy,
    seed_range,
)
from gelenk.kinematics.inverse.result import IkResult, IkStatus, IkTask, ik_result
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray

MAX_ITERATIONS = 100  # of one start
MAX_STARTS = 20
GROW, SHRINK = 4.0, 0.3  # of the damping after a failed and a good step


def solve_mechanism(
    model: RobotModel,
    T: ArrayLike,
    *,
    frame: str | None = None,
    q0: ArrayLike | None = None,
    task: IkTask = "pose",
    position_tol: float = POSITION_TOL,
    rotation_tol: float = ROTATION_TOL,
    max_iterations: int = MAX_ITERATIONS,
    max_starts: int = MAX_STARTS,
) -> IkResult:
    """Return motor values that bring a frame of a mechanism with loops to a pose.

    Args:
        model: Robot with loops and a fixed base.
        T: Wanted pose of the frame in the base, shape (4, 4).
        frame: Name of a link; by default the tool.
        q0: First start; by default the home configuration, shape (nq,).
        task: Part of the pose that counts; see `solve_lm`.
        position_tol: Largest position error that counts as reached [m].
        rotation_tol: Largest rotation error that counts as reached [rad].
        max_iterations: Largest number of iterations of one start.
        max_starts: Largest number of starts.

    Returns:
        The result; `status` is CONVERGED or MAX_ITERATIONS.
    """
    if not (position_tol > 0.0 and rotation_tol > 0.0):
        raise ConfigError("`position_tol` and `rotation_tol` must be > 0")
    goal = pose_task(model, T, frame, task)
    lower, upper = seed_range(model)
    spread = lower + (upper - lower) * low_discrepancy(max_starts, model.nq)
    starts = [start_values(model, q0), *np.clip(spread, *model.limits)][:max_starts]
    best, best_size, iterations = starts[0], np.inf, 0
    for number, start in enumerate(starts, 1):
        q, size, count = _descend(
            goal, start, position_tol, rotation_tol, max_iterations
        )
        iterations += count
        if size < best_size:
            best, best_size = q, size
        if _is_met(goal, q, position_tol, rotation_tol):
            return _result(goal, q, IkStatus.CONVERGED, iterations, number)
    return _result(goal, best, IkStatus.MAX_ITERATIONS, iterations, len(starts))


def _descend(
    goal: PoseTask,
    q: FloatArray,
    position_tol: float,
    rotation_tol: float,
    max_iterations: int,
) -> tuple[FloatArray, float, int]:
    """Return joint values, size of the error there, iterations."""
    lower, upper = goal.model.limits
    state = goal.linearised_at(q)
    if state is None:
        return q, np.inf, 0
    error, J = state
    size, damping = float(np.linalg.norm(error)), 1e-3
    for iteration in range(max_iterations):
        if size <= min(position_tol, rotation_tol) * 0.1:
            return q, size, iteration
        pull = J.T @ error
        free = ~(((pull > 0) & (q >= upper)) | ((pull < 0) & (q <= lower)))
        J_free = J[:, free]
        N = J_free.T @ J_free + damping * np.eye(J_free.shape[1])
        step = np.zeros_like(q)
        step[free] = np.linalg.solve(N, pull[free])
        step *= min(1.0, 0.5 / max(np.abs(step).max(), 1e-300))
        trial = np.clip(q + step, lower, upper)
        state = goal.linearised_at(trial)
        new_size = np.inf if state is None else float(np.linalg.norm(state[0]))
        if state is not None and new_size < size:
            (error, J), q, size = state, trial, new_size
            damping = max(SHRINK * damping, 1e-12)
        else:
            damping *= GROW
            if damping > 1e8:
                return q, size, iteration
    return q, size, max_iterations


def _is_met(
    goal: PoseTask, q: FloatArray, position_tol: float, rotation_tol: float
) -> bool:
    error = goal.error_at(q)
    if error is None:
        return False
    d, v = error
    return bool(np.linalg.norm(d) <= position_tol and np.linalg.norm(v) <= rotation_tol)


def _result(
    goal: PoseTask, q: FloatArray, status: IkStatus, iterations: int, starts: int
) -> IkResult:
    error = goal.error_at(q)
    d, v = (np.inf, np.inf) if error is None else map(np.linalg.norm, error)
    return ik_result(
        q,
        status,
        limits=goal.model.limits,
        position_error=float(d),
        rotation_error=float(v),
        iterations=iterations,
        starts=starts,
    )
