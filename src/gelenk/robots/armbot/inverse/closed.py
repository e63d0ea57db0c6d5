"""Inverse kinematics by formulas (Roth 2021, ArmBot §5.2)."""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, LoopError
from gelenk.kinematics.inverse.closed.solve import solve_closed
from gelenk.models.link import JointType
from gelenk.models.tree import RobotModel
from gelenk.robots.armbot.config import IK_TOLERANCE
from gelenk.robots.armbot.interface.kinematics import (
    DirectKinematics,
    InverseKinematics,
    InverseResult,
)
from gelenk.robots.armbot.inverse.iterative import IterativeInverse
from gelenk.robots.armbot.inverse.target import (
    FINE,
    ROTATION_TOLERANCE,
    Target,
    checked_pose,
    checked_start,
    error_sizes,
)
from gelenk.robots.armbot.model import ManipulatorModel
from gelenk.typing import ArrayLike, BoolArray, FloatArray


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
            distance, angle = error_sizes(error)
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
