"""The three ways from a position to joint values: closed, downhill simplex, Jacobian.

Each starts at the present joint values and stays near them. Where that way ends before
the target, the iterative two begin again elsewhere and say so (`starts`). Roth 2021,
ArmBot §5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from gelenk.core.checks import as_finite
from gelenk.core.errors import ConfigError, LoopError
from gelenk.core.kinematics.inverse.closed.solve import solve_closed
from gelenk.core.kinematics.inverse.jacobian import (
    ALPHA,
    ALPHA_ROTATION,
    damped_inverse_step,
)
from gelenk.core.kinematics.inverse.lm import low_discrepancy, seed_range
from gelenk.core.kinematics.inverse.simplex import SERVO_STEP, SLIDE_STEP, minimise
from gelenk.core.model.link import JointType
from gelenk.core.model.tree import RobotModel
from gelenk.core.spatial import so3
from gelenk.core.spatial.se3 import is_pose
from gelenk.core.typing import ArrayLike, BoolArray, FloatArray
from gelenk.robots.armbot.config import IK_MAX_ITERATIONS, IK_TOLERANCE
from gelenk.robots.armbot.interface.kinematics import (
    DirectKinematics,
    InverseKinematics,
    InverseResult,
)
from gelenk.robots.armbot.model import ManipulatorModel

Errors: TypeAlias = tuple[float, float]
Linearised: TypeAlias = tuple[FloatArray, FloatArray]

ROTATION_TOLERANCE = 1e-4  # [rad]
FINE = 1e-9  # [m] and [rad]: the steps go on to here, so that lines become smooth
NUM_SEEDS = 6  # other starts after the present values and home
PATIENCE = 25  # steps without getting nearer before a start is given up
MAX_HALVINGS = 20  # of a step after which a closed chain would open
SIMPLEX_TOLERANCE = 1e-6  # [m]: cost at which the simplex stops
FULL_STEP = 0.02  # [m]: nearer to the target the first simplex is smaller
LEAST_SHARE = 0.01  # of its size, though
RADIAN_LENGTH = 0.1  # [m]: what a radian is worth to the simplex
OPEN_COST = 1e6  # of joint values at which a chain does not close


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """A wanted position, or pose, of the mount in the body frame.

    Attributes:
        p: [m], shape (3,).
        R: Shape (3, 3); None if only the position counts.
    """

    p: FloatArray
    R: FloatArray | None

    def error(self, T: FloatArray) -> FloatArray:
        """Return what is missing, body axes, shape (3,) or [d; rotation vector]."""
        d = self.p - T[:3, 3]
        if self.R is None:
            return d
        return np.concatenate([d, so3.log(self.R @ T[:3, :3].T)])


class IterativeInverse(InverseKinematics):
    """What the simplex and the Jacobian method share: starts, checks, results."""

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
        distance, angle = _sizes(error)
        return InverseResult(
            q=q,
            ok=distance <= IK_TOLERANCE and angle <= ROTATION_TOLERANCE,
            error=distance,
            iterations=iterations,
            method=self.method,
            rotation_error=angle,
            starts=starts,
        )


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
                SIMPLEX_TOLERANCE,
                max_iterations=per * IK_MAX_ITERATIONS,
            )
            iterations += count
            before, now = now, cost(values)
            if now <= SIMPLEX_TOLERANCE or now > 0.5 * before:
                return values, missing(values), iterations


class JacobianInverse(IterativeInverse):
    """Short steps along the Jacobian, damped where it is singular."""

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


class ClosedInverse(InverseKinematics):
    """Formulas: the arm's own, or those that its structure has."""

    method = "closed"

    def __init__(
        self,
        manipulator: ManipulatorModel,
        arm: RobotModel,
        direct: DirectKinematics,
        otherwise: IterativeInverse,
    ) -> None:
        self._manipulator, self._arm, self._direct = manipulator, arm, direct
        self._limits, self._otherwise = arm.limits, otherwise
        self._turns = arm.joint_type[arm.joint_ids] == JointType.REVOLUTE
        self._has_own = has_own_formula(manipulator)

    def solve(self, position: ArrayLike, q_start: ArrayLike) -> InverseResult:
        target = Target(as_finite("position", position, (3,)), None)
        start = checked_start(q_start, self._limits)
        if self._has_own:
            q = self._manipulator.closed_inverse(target.p.copy(), start.copy())
            if q is not None:
                q = self._checked(q, len(start))
        else:
            q = self._by_structure(target, start)
        return self._result(target, q, start)

    def solve_pose(self, T_body_mount: ArrayLike, q_start: ArrayLike) -> InverseResult:
        T = checked_pose(T_body_mount)
        start = checked_start(q_start, self._limits)
        found = solve_closed(self._arm, T, q0=start)
        target = Target(T[:3, 3], T[:3, :3])
        return self._result(target, found.q if found.converged else None, start)

    def _by_structure(self, target: Target, start: FloatArray) -> FloatArray | None:
        """Return joint values for a position; a wrist of its own keeps looking so."""
        if self._manipulator.has_own_wrist:
            T = np.array(self._direct.pose(start))
            T[:3, 3] = target.p
            found = solve_closed(self._arm, T, q0=start)
            if found.converged:
                return found.q
        T = np.eye(4)
        T[:3, 3] = target.p
        found = solve_closed(self._arm, T, q0=start, task="position")
        return found.q if found.converged else None

    def _checked(self, q: ArrayLike, count: int) -> FloatArray:
        name = type(self._manipulator).__name__
        values = np.asarray(q, dtype=np.float64)
        if values.shape != (count,) or not np.isfinite(values).all():
            raise ConfigError(
                f"{name}.closed_inverse must return {count} finite joint values or "
                f"None, got {q!r}"
            )
        return values

    def _result(
        self, target: Target, q: FloatArray | None, start: FloatArray
    ) -> InverseResult:
        if q is not None:
            q = nearest_turns(q, start, self._limits, self._turns)
            clipped = np.clip(q, *self._limits)
            try:
                error = target.error(np.asarray(self._direct.pose(clipped)))
            except LoopError:
                error = None
            distance, angle = _sizes(error)
            if distance <= IK_TOLERANCE and angle <= ROTATION_TOLERANCE:
                return InverseResult(
                    q=clipped,
                    ok=True,
                    error=distance,
                    method=self.method,
                    rotation_error=angle,
                )
        best = self._otherwise.nearest(target, start)
        return InverseResult(
            q=best.q,
            ok=False,
            error=best.error,
            method=self.method,
            rotation_error=best.rotation_error,
        )


def has_own_formula(manipulator: ManipulatorModel) -> bool:
    """Whether the arm's developer wrote `closed_inverse`."""
    written = getattr(type(manipulator), "closed_inverse", None)
    return written is not ManipulatorModel.closed_inverse


def nearest_turns(
    q: FloatArray, start: FloatArray, limits: FloatArray, turns: BoolArray
) -> FloatArray:
    """Return angles with the whole turns that bring them next to `start`.

    Args:
        q: Joint values, shape (n,).
        start: Where to be near, shape (n,).
        limits: Shape (2, n).
        turns: Which joints turn, shape (n,).
    """
    lower, upper = limits
    turn = 2.0 * np.pi
    near = q + np.where(turns, turn * np.round((start - q) / turn), 0.0)
    near = np.where(turns & (near > upper + FINE), near - turn, near)
    return np.where(turns & (near < lower - FINE), near + turn, near)


def checked_start(q_start: ArrayLike, limits: FloatArray) -> FloatArray:
    """Return finite joint values within the limits, as a fresh array."""
    return np.clip(as_finite("q_start", q_start, (limits.shape[1],)), *limits)


def checked_pose(T: ArrayLike) -> FloatArray:
    """Return a pose, shape (4, 4).

    Raises:
        ConfigError: If it is none.
    """
    pose = as_finite("T_body_mount", T, (4, 4))
    if not is_pose(pose):
        raise ConfigError("`T_body_mount` must be a pose with an orthonormal rotation")
    return pose


def _sizes(error: FloatArray | None) -> Errors:
    if error is None:
        return np.inf, np.inf
    angle = float(np.linalg.norm(error[3:])) if len(error) == 6 else 0.0
    return float(np.linalg.norm(error[:3])), angle


def _cost_of(error: FloatArray) -> float:
    """Return an error as one number; the root of squares leaves no narrow valleys."""
    distance, angle = _sizes(error)
    return float(np.hypot(distance, RADIAN_LENGTH * angle))


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
