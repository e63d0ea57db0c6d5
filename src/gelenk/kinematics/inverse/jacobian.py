"""Inverse kinematics by following the Jacobian in short steps (Roth 2021, §5.3).

The paper scales every step to the length alpha, which never ends once the target is
nearer than alpha; here alpha limits the step. Extended from positions to poses, and
damped near singular configurations.
"""

from __future__ import annotations

import numpy as np

from gelenk.errors import ConfigError
from gelenk.kinematics.forward import frame_pose
from gelenk.kinematics.inverse.lm import Task
from gelenk.kinematics.inverse.result import IkResult, IkStatus, ik_result
from gelenk.kinematics.inverse.task import pose_task, start_values
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray

ALPHA = 0.01  # [m], longest step of the position
ALPHA_ROTATION = 0.1  # [rad], longest step of the rotation
TOLERANCE = 1e-4  # [m] and [rad]
MAX_ITERATIONS = 500
ILL_CONDITIONED = 1e8  # condition of J J^T above which the step is damped
DAMPING = 0.1  # relative to the largest singular value of J
DIFFERENCE_STEP = 1e-4  # [rad] or [m]


def solve_jacobian(
    model: RobotModel,
    T: ArrayLike,
    *,
    frame: str | None = None,
    q0: ArrayLike | None = None,
    task: Task = "pose",
    alpha: float = ALPHA,
    alpha_rotation: float = ALPHA_ROTATION,
    tolerance: float = TOLERANCE,
    max_iterations: int = MAX_ITERATIONS,
) -> IkResult:
    """Return joint values reached from `q0` by steps along the Jacobian.

    Args:
        model: Robot with a fixed base, loops allowed.
        T: Wanted pose of the frame in the base, shape (4, 4).
        frame: Name of a link; by default the tool.
        q0: Start; by default the home configuration, shape (nq,).
        task: As in `solve_lm`.
        alpha: Longest step of the position [m].
        alpha_rotation: Longest step of the rotation [rad].
        tolerance: Position [m] and rotation error [rad] that count as reached.
        max_iterations: Steps before giving up.

    Returns:
        The result; `status` is CONVERGED or MAX_ITERATIONS.

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> goal = arm.forward([0.7, 0.9])
        >>> found = solve_jacobian(arm, goal, q0=[0.5, 1.2], task="position")
        >>> bool(np.allclose(arm.forward(found.q)[:2, 3], goal[:2, 3], atol=1e-3))
        True
    """
    if not (alpha > 0.0 and alpha_rotation > 0.0 and tolerance > 0.0):
        raise ConfigError("`alpha`, `alpha_rotation` and `tolerance` must be > 0")
    goal = pose_task(model, T, frame, task)
    q = start_values(model, q0)
    lower, upper = model.limits
    state = goal.linearised_at(q)
    if state is None:
        raise ConfigError("`q0` is no configuration at which the loops close")
    iterations = 0
    while iterations < max_iterations:
        error, J = state
        if _is_reached(error, goal.has_position, tolerance):
            break
        iterations += 1
        step = damped_inverse_step(
            J, _limited(error, goal.has_position, alpha, alpha_rotation)
        )
        # Where a loop would open, take a shorter step.
        for _ in range(20):
            following = np.clip(q + step, lower, upper)
            state = goal.linearised_at(following)
            if state is not None:
                q = following
                break
            step = 0.5 * step
        else:
            state = (error, J)
            break
    error = state[0]
    reached = _is_reached(error, goal.has_position, tolerance)
    err_p = float(np.linalg.norm(error[:3])) if goal.has_position else 0.0
    err_r = float(np.linalg.norm(error[3:] if goal.has_position else error))
    return ik_result(
        q,
        IkStatus.CONVERGED if reached else IkStatus.MAX_ITERATIONS,
        limits=model.limits,
        position_error=err_p,
        rotation_error=err_r if goal.has_rotation else 0.0,
        iterations=iterations,
        note=""
        if reached
        else 'the steps led to no solution; start elsewhere (`q0`) or use method="lm"',
    )


def position_jacobian_by_differences(
    model: RobotModel,
    q: ArrayLike,
    *,
    frame: str | None = None,
    h: float = DIFFERENCE_STEP,
) -> FloatArray:
    """Return dp/dq of a frame by central differences, as the ArmBot does, (3, nq).

    Args:
        model: Robot with a fixed base.
        q: Joint values [rad] or [m], shape (nq,).
        frame: Name of a link; by default the tool.
        h: Half distance of the two evaluations [rad] or [m].
    """
    values = model.check_q("q", q)
    steps = h * np.eye(model.nq)
    ahead = frame_pose(model, values + steps, frame=frame)[:, :3, 3]
    behind = frame_pose(model, values - steps, frame=frame)[:, :3, 3]
    return ((ahead - behind) / (2.0 * h)).T


def damped_inverse_step(J: FloatArray, error: FloatArray) -> FloatArray:
    """Return J^+ error, damped where J J^T is ill-conditioned."""
    U, sigma, Vt = np.linalg.svd(J, full_matrices=False)
    largest = sigma[0]
    if largest == 0.0:
        return np.zeros(J.shape[1])
    square = sigma**2
    rank = min(J.shape)
    if largest**2 > ILL_CONDITIONED * sigma[rank - 1] ** 2:
        gain = sigma / (square + (DAMPING * largest) ** 2)
    else:
        gain = 1.0 / sigma
    return Vt.T @ (gain * (U.T @ error))


def _is_reached(error: FloatArray, has_position: bool, tolerance: float) -> bool:
    parts = (error[:3], error[3:]) if has_position else (error,)
    return all(np.linalg.norm(part) <= tolerance for part in parts)


def _limited(
    error: FloatArray, has_position: bool, alpha: float, alpha_rotation: float
) -> FloatArray:
    """Return the error with both parts shortened by one factor to the step lengths."""
    factor = 1.0
    parts = ((error[:3], alpha), (error[3:], alpha_rotation))
    if not has_position:
        parts = ((error, alpha_rotation),)
    for part, longest in parts:
        size = float(np.linalg.norm(part))
        if size > longest:
            factor = min(factor, longest / size)
    return factor * error
