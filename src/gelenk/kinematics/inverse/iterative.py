"""Iterative inverse kinematics: steps along the Jacobian, and the downhill simplex.

Both start at the present joint values and so keep the change small; both are local and
slow. `lm` is the method for work, these are for study and for mechanisms whose
derivatives are in doubt (Roth 2021, §5.1 and §5.3).

The paper scales every step along the Jacobian to the length alpha, which never ends
once the target is nearer than alpha; here alpha limits the step. Extended from
positions to poses, and damped near singular configurations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np

from gelenk.errors import ConfigError, LoopError, ShapeError
from gelenk.kernels.ik_task import axis_error, rotation_error
from gelenk.kinematics.forward import frame_pose
from gelenk.kinematics.inverse.lm import TASKS
from gelenk.kinematics.inverse.result import IkResult, IkStatus, IkTask, ik_result
from gelenk.kinematics.jacobian import pose_and_jacobian
from gelenk.models.link import JointType
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray, Mat3

ORTHONORMAL_TOL = 1e-6  # largest entry of R R^T - E that a target may have


@dataclass(frozen=True, slots=True, eq=False)
class PoseTask:
    """A wanted pose of one frame, and which part of it counts."""

    model: RobotModel
    target: FloatArray
    frame: str | None
    kind: str

    @property
    def has_position(self) -> bool:
        return self.kind in ("pose", "position", "position_axis")

    @property
    def has_rotation(self) -> bool:
        return self.kind != "position"

    def error(self, T: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return position error [m] and rotation error [rad] of a pose, base axes."""
        zero = np.zeros(3)
        d = self.target[:3, 3] - T[:3, 3] if self.has_position else zero
        if not self.has_rotation:
            return d, zero
        measure = axis_error if "axis" in self.kind else rotation_error
        R, wanted = T[:3, :3].ravel(), self.target[:3, :3].ravel()
        return d, np.array(measure(cast("Mat3", tuple(R.tolist())), wanted.copy()))

    def error_at(self, q: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        """Return the errors at q; None where the loops do not close."""
        try:
            return self.error(frame_pose(self.model, q, frame=self.frame))
        except LoopError:
            return None

    def linearised_at(self, q: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        """Return the error [d; v] and the task Jacobian; None where loops stay open."""
        try:
            T, J = pose_and_jacobian(self.model, q, frame=self.frame)
        except LoopError:
            return None
        d, v = self.error(T)
        if "axis" in self.kind:
            z = T[:3, 2]
            J[3:] -= np.outer(z, z @ J[3:])
        rows = slice(0 if self.has_position else 3, 6 if self.has_rotation else 3)
        return np.concatenate([d, v])[rows], J[rows]


def pose_task(
    model: RobotModel, T: ArrayLike, frame: str | None, kind: str
) -> PoseTask:
    """Return a checked task.

    Raises:
        ShapeError: If `T` is no 4x4 matrix.
        ConfigError: If `T` is no pose, the task is unknown, or the base floats.
        NameNotFoundError: If there is no such frame.
    """
    target = np.asarray(T, dtype=np.float64)
    if target.shape != (4, 4):
        raise ShapeError("T", expected="(4, 4)", actual=target.shape)
    R = target[:3, :3]
    if (
        not (np.abs(R @ R.T - np.eye(3)) < ORTHONORMAL_TOL).all()
        or not (np.abs(target) < 1e12).all()
    ):
        raise ConfigError("`T` must be a pose: finite, with an orthonormal rotation")
    if kind not in TASKS:
        raise ConfigError(f"`task` must be one of {', '.join(TASKS)}, got {kind!r}")
    if model.has_floating_base:
        raise ConfigError('this method needs a fixed base; use method="lm"')
    model.link_id(frame)
    return PoseTask(model, target, frame, kind)


def start_values(model: RobotModel, q0: ArrayLike | None) -> FloatArray:
    """Return `q0` or the home configuration within the limits, as a fresh array.

    Raises:
        ShapeError: If `q0` does not fit the robot.
        ConfigError: If `q0` is not finite.
    """
    q = np.array(model.home_configuration if q0 is None else q0, dtype=np.float64)
    if q.shape != (model.nq,):
        raise ShapeError("q0", expected=f"({model.nq},)", actual=q.shape)
    if not np.isfinite(q).all():
        raise ConfigError("`q0` must be finite")
    return np.clip(q, *model.limits)


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
    task: IkTask = "pose",
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
        q0: Start values, shape (nq,); by default the home configuration.
        task: Part of the pose that counts; see `solve_lm`.
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
        return np.zeros(int(J.shape[1]))
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


REFLECTION, EXPANSION, CONTRACTION, SHRINK = 1.0, 2.0, 0.5, 0.5
SERVO_STEP = 0.1  # [rad], first simplex
SLIDE_STEP = 0.01  # [m], first simplex
OPEN_LOOP_COST = 1e6  # cost of joint values at which a loop does not close


def solve_simplex(
    model: RobotModel,
    T: ArrayLike,
    *,
    frame: str | None = None,
    q0: ArrayLike | None = None,
    task: IkTask = "pose",
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
        q0: Start values, shape (nq,); by default the home configuration.
        task: Part of the pose that counts; see `solve_lm`.
        length: Length that one radian of rotation error counts as [m].
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
        cost: Function to be made small, of values of shape (n,).
        start: First corner, shape (n,).
        steps: Offsets of the other corners from it, one per axis, shape (n,).
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
