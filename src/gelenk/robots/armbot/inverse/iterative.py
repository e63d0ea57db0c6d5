"""What the simplex and the Jacobian method share."""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_finite
from gelenk.kinematics.inverse.iterative import SERVO_STEP, SLIDE_STEP
from gelenk.kinematics.inverse.lm import low_discrepancy, seed_range
from gelenk.models.link import JointType
from gelenk.models.tree import RobotModel
from gelenk.robots.armbot.config import IK_TOLERANCE
from gelenk.robots.armbot.interface.kinematics import (
    DirectKinematics,
    InverseKinematics,
    InverseResult,
)
from gelenk.robots.armbot.inverse.target import (
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
