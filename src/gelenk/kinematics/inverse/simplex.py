"""Inverse kinematics by the downhill simplex of Nelder and Mead (Roth 2021, §5.1).

Needs nothing but forward kinematics, starts at the present joint values and so keeps
the change small. Slow and local; `lm` is the method for work, this one is for study and
for mechanisms whose derivatives are in doubt.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gelenk.errors import ConfigError
from gelenk.kinematics.inverse.lm import Task
from gelenk.kinematics.inverse.result import IkResult, IkStatus, ik_result
from gelenk.kinematics.inverse.task import PoseTask, pose_task, start_values
from gelenk.models.link import JointType
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray

REFLECTION, EXPANSION, CONTRACTION, SHRINK = 1.0, 2.0, 0.5, 0.5
SERVO_STEP = 0.1  # [rad], first simplex
SLIDE_STEP = 0.01  # [m], first simplex
TOLERANCE = 1e-4  # [m], and [rad] weighted with `length`
MAX_ITERATIONS = 500
OPEN_LOOP_COST = 1e6  # cost of joint values at which a loop does not close


def solve_simplex(
    model: RobotModel,
    T: ArrayLike,
    *,
    frame: str | None = None,
    q0: ArrayLike | None = None,
    task: Task = "pose",
    length: float = 0.1,
    tolerance: float = TOLERANCE,
    max_iterations: int | None = None,
) -> IkResult:
    """Return joint values near `q0` that bring a frame to a pose.

    Minimises |position error| + length * |rotation error| over the joint values;
    limits are respected by clipping.

    Args:
        model: Robot with a fixed base, loops allowed.
        T: Wanted pose of the frame in the base, shape (4, 4).
        frame: Name of a link; by default the tool.
        q0: Start; by default the home configuration, shape (nq,).
        task: As in `solve_lm`.
        length: What a radian is worth [m].
        tolerance: Value of the cost that counts as reached [m].
        max_iterations: Simplex moves before giving up; by default 500, for tasks
            with rotation 500 for each joint.

    Returns:
        The result; `status` is CONVERGED or MAX_ITERATIONS.
    """
    if not (tolerance > 0.0 and length > 0.0):
        raise ConfigError("`tolerance` and `length` must be > 0")
    goal = pose_task(model, T, frame, task)
    start = start_values(model, q0)
    if max_iterations is None:
        per = model.nq if goal.has_rotation else 1
        max_iterations = MAX_ITERATIONS * per
    q, iterations = _minimise(goal, start, length, tolerance, max_iterations)
    error = goal.error_at(q)
    err_p, err_r = (np.inf, np.inf) if error is None else map(np.linalg.norm, error)
    reached = err_p + length * err_r <= tolerance
    return ik_result(
        q,
        IkStatus.CONVERGED if reached else IkStatus.MAX_ITERATIONS,
        limits=model.limits,
        position_error=float(err_p),
        rotation_error=float(err_r),
        iterations=iterations,
        note=""
        if reached
        else "the simplex found no better values; start elsewhere "
        '(`q0`), allow more `max_iterations`, or use method="lm"',
    )


def _minimise(
    goal: PoseTask,
    start: FloatArray,
    length: float,
    tolerance: float,
    max_iterations: int,
) -> tuple[FloatArray, int]:
    """Return the best joint values and the number of simplex moves."""
    model = goal.model

    def cost(q: FloatArray) -> float:
        error = goal.error_at(q)
        if error is None:
            return OPEN_LOOP_COST + float(np.abs(q - start).sum())
        return float(np.linalg.norm(error[0]) + length * np.linalg.norm(error[1]))

    turns = model.joint_type[model.joint_ids] == JointType.REVOLUTE
    steps = np.where(turns, SERVO_STEP, SLIDE_STEP)
    return minimise(
        cost, start, steps, model.limits, tolerance, max_iterations=max_iterations
    )


def minimise(
    cost: Callable[[FloatArray], float],
    start: FloatArray,
    steps: FloatArray,
    limits: FloatArray,
    tolerance: float,
    *,
    max_iterations: int,
) -> tuple[FloatArray, int]:
    """Walk a simplex downhill until the cost is small enough.

    Args:
        cost: What is to become small, at values of shape (n,).
        start: First corner, shape (n,).
        steps: How far the other corners are away from it, shape (n,).
        limits: Lower and upper ends of the values, shape (2, n).
        tolerance: Cost that counts as reached.
        max_iterations: Simplex moves before giving up.

    Returns:
        The best values, shape (n,), and the number of simplex moves.
    """
    lower, upper = limits
    steps = np.where(start + steps > upper, -steps, steps)
    points = np.vstack([start, start + np.diag(steps)])
    costs = np.array([cost(q) for q in points])
    for iteration in range(max_iterations):
        order = np.argsort(costs, kind="stable")
        points, costs = points[order], costs[order]
        if costs[0] <= tolerance:
            return points[0], iteration
        if np.ptp(points, axis=0).max() < 1e-12:
            # Collapsed before it arrived: unfold it around the best point.
            points = np.vstack([points[0], points[0] + np.diag(steps)])
            points = np.clip(points, lower, upper)
            costs = np.array([cost(q) for q in points])
            if costs.min() >= costs[0]:
                return points[0], iteration
            continue
        centre = points[:-1].mean(axis=0)

        def trial(factor: float) -> tuple[FloatArray, float]:
            q = np.clip(centre + factor * (centre - points[-1]), lower, upper)  # noqa: B023
            return q, cost(q)

        moved, value = trial(REFLECTION)
        if value < costs[0]:
            further, better = trial(EXPANSION)
            if better < value:
                moved, value = further, better
        elif value >= costs[-2]:
            inner, near = trial(CONTRACTION if value < costs[-1] else -CONTRACTION)
            if near < min(value, costs[-1]):
                moved, value = inner, near
            elif value >= costs[-1]:
                points[1:] = points[0] + SHRINK * (points[1:] - points[0])
                costs[1:] = [cost(q) for q in points[1:]]
                continue
        points[-1], costs[-1] = moved, value
    best = int(np.argmin(costs))
    return points[best], max_iterations
