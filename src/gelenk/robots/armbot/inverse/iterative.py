"""Iterative inverse kinematics: simplex and Jacobian (Roth 2021, ArmBot §5.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import LoopError
from gelenk.kinematics.inverse.iterative import (
    ALPHA,
    ALPHA_ROTATION,
    SERVO_STEP,
    SLIDE_STEP,
    damped_inverse_step,
    minimise,
)
from gelenk.kinematics.inverse.lm import low_discrepancy, seed_range
from gelenk.models.link import JointType
from gelenk.models.tree import RobotModel
from gelenk.robots.armbot.config import IK_MAX_ITERATIONS, IK_TOLERANCE
from gelenk.robots.armbot.interface.kinematics import (
    DirectKinematics,
    InverseKinematics,
    InverseResult,
)
from gelenk.robots.armbot.inverse.target import (
    FINE,
    ROTATION_TOLERANCE,
    Target,
    checked_pose,
    checked_start,
    error_sizes,
)
from gelenk.typing import ArrayLike, FloatArray

NUM_SEEDS = 6  # other starts after the present values and home


class IterativeInverse(InverseKinematics):
    """Starts, checks and results; a method adds its way down."""

    method = ""

    def __init__(self, arm: RobotModel, direct: DirectKinematics) -> None:
        self._direct = direct
        self._limits = arm.limits
        self._home = arm.home_configuration
        lower, upper = seed_range(arm)
        seeds = lower + (upper - lower) * low_discrepancy(NUM_SEEDS, arm.nq)
        self._seeds = np.clip(seeds, *self._limits)
        turns = arm.joint_type[arm.joint_ids] == JointType.REVOLUTE
        self._steps = np.where(turns, SERVO_STEP, SLIDE_STEP)

    def solve(self, position: ArrayLike, q_start: ArrayLike) -> InverseResult:
        return self._solve(Target(as_finite("position", position, (3,)), None), q_start)

    def solve_pose(self, T_body_mount: ArrayLike, q_start: ArrayLike) -> InverseResult:
        T = checked_pose(T_body_mount)
        return self._solve(Target(T[:3, 3], T[:3, :3]), q_start)

    def nearest(self, target: Target, q_start: FloatArray) -> InverseResult:
        """Return the best of one start only."""
        q, error, iterations = self._descend(target, q_start)
        return self._result(q, error, iterations, 1)

    def _descend(
        self, target: Target, q: FloatArray
    ) -> tuple[FloatArray, FloatArray | None, int]:
        """Return joint values, what is missing there (None: not closed), steps."""
        raise NotImplementedError

    def _solve(self, target: Target, q_start: ArrayLike) -> InverseResult:
        start = checked_start(q_start, self._limits)
        best = self.nearest(target, start)
        # Fewer than six joints meet a pose by chance only: other starts are in vain.
        if best.ok or (target.R is not None and len(start) < 6):
            return best
        iterations = best.iterations
        for number, seed in enumerate((self._home, *self._seeds), 2):
            q, error, count = self._descend(target, seed)
            iterations += count
            found = self._result(q, error, iterations, number)
            if found.ok:
                return found
            if found.error < best.error:
                best = found
        return best

    def _result(
        self, q: FloatArray, error: FloatArray | None, iterations: int, starts: int
    ) -> InverseResult:
        distance, angle = error_sizes(error)
        return InverseResult(
            q=q,
            ok=distance <= IK_TOLERANCE and angle <= ROTATION_TOLERANCE,
            error=distance,
            iterations=iterations,
            method=self.method,
            rotation_error=angle,
            starts=starts,
        )


TOLERANCE = 1e-6  # [m]: cost at which it stops
FULL_STEP = 0.02  # [m]: nearer to the target the first simplex is smaller
LEAST_SHARE = 0.01  # of its size, though
RADIAN_LENGTH = 0.1  # [m]: what a radian is worth
OPEN_COST = 1e6  # of joint values at which a chain does not close


class SimplexInverse(IterativeInverse):
    """Downhill simplex: tries joint values out and needs no derivatives."""

    method = "down"

    def _descend(
        self, target: Target, q: FloatArray
    ) -> tuple[FloatArray, FloatArray | None, int]:
        def missing(values: FloatArray) -> FloatArray | None:
            try:
                return target.error(np.asarray(self._direct.pose(values)))
            except LoopError:
                return None

        def cost(values: FloatArray) -> float:
            error = missing(values)
            if error is None:
                return OPEN_COST + float(np.abs(values - q).sum())
            return _cost_of(error)

        per = 1 if target.R is None else len(q)
        values, now, iterations = q, cost(q), 0
        # A collapsed simplex is unfolded again as long as that helps.
        while True:
            steps = self._steps * np.clip(now / FULL_STEP, LEAST_SHARE, 1.0)
            values, count = minimise(
                cost,
                values,
                steps,
                self._limits,
                TOLERANCE,
                max_iterations=per * IK_MAX_ITERATIONS,
            )
            iterations += count
            before, now = now, cost(values)
            if now <= TOLERANCE or now > 0.5 * before:
                return values, missing(values), iterations


def _cost_of(error: FloatArray) -> float:
    """Return an error as one number; the root of squares leaves no narrow valleys."""
    distance, angle = error_sizes(error)
    return float(np.hypot(distance, RADIAN_LENGTH * angle))


Linearised: TypeAlias = tuple[FloatArray, FloatArray]

PATIENCE = 25  # steps without getting nearer before a start is given up
MAX_HALVINGS = 20  # of a step after which a closed chain would open


class JacobianInverse(IterativeInverse):
    """Short steps, damped where the Jacobian is singular.

    They go on until rounding ends them, so that the joints of a line move smoothly.
    """

    method = "jac"

    def __init__(
        self,
        arm: RobotModel,
        direct: DirectKinematics,
        linearise: Callable[[FloatArray, bool], Linearised] | None = None,
    ) -> None:
        """Prepare.

        Args:
            arm: Gives limits and home.
            direct: Direct kinematics.
            linearise: Pose and Jacobian for joint values and whether rotation counts,
                if there is a faster way to both.
        """
        super().__init__(arm, direct)
        self._linearise = linearise

    def _descend(
        self, target: Target, q: FloatArray
    ) -> tuple[FloatArray, FloatArray | None, int]:
        state = self._state(target, q)
        if state is None:
            return q, None, 0
        best, best_q, waited, iterations = np.inf, q, 0, 0
        best_error = state[0]
        while True:
            error, J = state
            size = float(np.linalg.norm(error))
            if size < 0.999 * best:
                best, best_q, best_error, waited = size, q, error, 0
            else:
                waited += 1
            is_done = size <= FINE or iterations == IK_MAX_ITERATIONS
            if is_done or waited > (1 if best <= IK_TOLERANCE else PATIENCE):
                return best_q, best_error, iterations
            step = step_within(J, _limited(error), q, self._limits)
            following = self._step_closed(target, q, step)
            if following is None:
                return best_q, best_error, iterations
            q, state = following
            iterations += 1

    def _step_closed(
        self, target: Target, q: FloatArray, step: FloatArray
    ) -> tuple[FloatArray, Linearised] | None:
        """Take a step, shortened until the chains close; None if they never do."""
        for _ in range(MAX_HALVINGS):
            trial = np.clip(q + step, *self._limits)
            state = self._state(target, trial)
            if state is not None:
                return trial, state
            step = 0.5 * step
        return None

    def _state(self, target: Target, q: FloatArray) -> Linearised | None:
        """Return what is missing and how it changes; None where chains are open."""
        try:
            if self._linearise is not None:
                T, J = self._linearise(q, target.R is not None)
            else:
                T = np.asarray(self._direct.pose(q), dtype=np.float64)
                if target.R is None:
                    return target.error(T), self._direct.position_jacobian(q)
                J = self._direct.jacobian(q)
        except LoopError:
            return None
        return target.error(T), J if target.R is not None else J[:3]


def _limited(error: FloatArray) -> FloatArray:
    """Return the error, shortened to the longest step."""
    factor = ALPHA / max(float(np.linalg.norm(error[:3])), ALPHA)
    if len(error) == 6:
        angle = float(np.linalg.norm(error[3:]))
        factor = min(factor, ALPHA_ROTATION / max(angle, ALPHA_ROTATION))
    return factor * error


def step_within(
    J: FloatArray, error: FloatArray, q: FloatArray, limits: FloatArray
) -> FloatArray:
    """Return the step towards a target; joints at a limit do not leave it.

    The others take over their share.

    Args:
        J: Task Jacobian, shape (m, n).
        error: What is missing, shape (m,).
        q: Joint values, shape (n,).
        limits: Shape (2, n).
    """
    step = damped_inverse_step(J, error)
    for _ in range(len(q) - 1):
        stuck = ((q >= limits[1]) & (step > 0.0)) | ((q <= limits[0]) & (step < 0.0))
        if not stuck.any():
            break
        free = (step != 0.0) & ~stuck
        step = np.zeros_like(q)
        if not free.any():
            break
        step[free] = damped_inverse_step(J[:, free], error)
    return step
