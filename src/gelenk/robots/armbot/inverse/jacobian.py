"""Inverse kinematics along the Jacobian (Roth 2021, ArmBot §5.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from gelenk.errors import LoopError
from gelenk.kinematics.inverse.iterative import (
    ALPHA,
    ALPHA_ROTATION,
    damped_inverse_step,
)
from gelenk.models.tree import RobotModel
from gelenk.robots.armbot.config import IK_MAX_ITERATIONS, IK_TOLERANCE
from gelenk.robots.armbot.interface.kinematics import DirectKinematics
from gelenk.robots.armbot.inverse.iterative import IterativeInverse
from gelenk.robots.armbot.inverse.target import FINE, Target
from gelenk.typing import FloatArray

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
