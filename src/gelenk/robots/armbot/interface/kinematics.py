"""Kinematics as a controller uses it, and as a student writes it.

`DirectKinematics` goes from joint values to the pose of the gripper mount,
`InverseKinematics` back. Everything is in the robot's body frame: x forward, z up;
metres and radians. Who writes an own one derives from these classes: `pose` or `solve`
is enough, the rest follows from it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.errors import LoopError
from gelenk.robots.armbot.config import JACOBIAN_STEP
from gelenk.spatial import so3
from gelenk.typing import ArrayLike, FloatArray


class NotClosedError(LoopError):
    """The closed chains of an arm do not meet at the joint values."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InverseResult:
    """Joint values for a target, or the best that were found.

    Attributes:
        q: Joint values within the limits [rad] or [m], shape (n,).
        ok: Whether they reach the target.
        error: Distance of the mount from the target [m].
        iterations: Steps it took; 0 for a formula.
        method: Name of the method.
        rotation_error: Of a wanted pose [rad].
        starts: 1 if the way began at the joint values given, more if it had to begin
            elsewhere: the arm then changes its posture.

    Example:
        >>> from gelenk.robots.armbot import InverseResult
        >>> InverseResult(q=[0.3], ok=True, error=0.0, method="formula").ok
        True
    """

    q: FloatArray
    ok: bool
    error: float
    iterations: int = 0
    method: str = ""
    rotation_error: float = 0.0
    starts: int = 1


class DirectKinematics:
    """From joint values to the gripper mount; derive and write `pose`.

    Example:
        >>> import numpy as np
        >>> from gelenk.robots.armbot import DirectKinematics
        >>> class Slider(DirectKinematics):
        ...     '''A carriage on the x axis.'''
        ...     def pose(self, q):
        ...         T = np.eye(4)
        ...         T[0, 3] = q[0]
        ...         return T
        >>> Slider().position_jacobian([0.3]).round(9).tolist()
        [[1.0], [0.0], [0.0]]
    """

    def pose(self, q: ArrayLike) -> FloatArray:
        """Return the pose of the gripper mount, `T_body_mount`, shape (4, 4).

        Args:
            q: Joint values of the arm [rad] or [m], shape (n,).

        Raises:
            NotClosedError: If the closed chains of the arm do not meet there.
        """
        raise NotImplementedError(f"{type(self).__name__} has no pose()")

    def position(self, q: ArrayLike) -> FloatArray:
        """Return the position of the gripper mount [m], shape (3,)."""
        return np.asarray(self.pose(q), dtype=np.float64)[:3, 3]

    def position_jacobian(
        self, q: ArrayLike, step: ArrayLike = JACOBIAN_STEP
    ) -> FloatArray:
        """Return how the position changes with each joint, by central differences.

        Args:
            q: Joint values [rad] or [m], shape (n,).
            step: Half the distance of two evaluations [rad] or [m], one or shape (n,).

        Returns:
            Columns dp/dq_i, shape (3, n).
        """
        q = np.asarray(q, dtype=np.float64)
        steps = np.broadcast_to(np.asarray(step, dtype=np.float64), q.shape)
        J = np.empty((3, len(q)))
        for i, h in enumerate(steps):
            ahead, behind = q.copy(), q.copy()
            ahead[i] += h
            behind[i] -= h
            J[:, i] = (self.position(ahead) - self.position(behind)) / (2.0 * h)
        return J

    def jacobian(self, q: ArrayLike) -> FloatArray:
        """Return the Jacobian of the mount: J @ qd is its twist [v; omega].

        Args:
            q: Joint values [rad] or [m], shape (n,).

        Returns:
            In axes of the body, reference point in the mount, shape (6, n).
        """
        q = np.asarray(q, dtype=np.float64)
        J = np.empty((6, len(q)))
        J[:3] = self.position_jacobian(q)
        h = JACOBIAN_STEP
        for i in range(len(q)):
            ahead, behind = q.copy(), q.copy()
            ahead[i] += h
            behind[i] -= h
            R_ahead, R_behind = self.pose(ahead)[:3, :3], self.pose(behind)[:3, :3]
            J[3:, i] = so3.log(R_ahead @ R_behind.T) / (2.0 * h)
        return J


class InverseKinematics:
    """From a position of the gripper mount to joint values; derive, write `solve`.

    Example:
        >>> import numpy as np
        >>> from gelenk.robots.armbot import InverseKinematics, InverseResult
        >>> class Slider(InverseKinematics):
        ...     '''A carriage on the x axis, 0.5 m long.'''
        ...     def solve(self, position, q_start):
        ...         q = np.clip(position[:1], 0.0, 0.5)
        ...         error = float(np.linalg.norm(position - q * [1.0, 0.0, 0.0]))
        ...         return InverseResult(q=q, ok=error < 1e-6, error=error)
        >>> Slider().solve(np.array([0.3, 0.0, 0.0]), np.zeros(1)).ok
        True
    """

    def solve(self, position: ArrayLike, q_start: ArrayLike) -> InverseResult:
        """Return joint values for a position of the mount, near the present ones.

        Args:
            position: In the body frame [m], shape (3,).
            q_start: Joint values now [rad] or [m], shape (n,).
        """
        raise NotImplementedError(f"{type(self).__name__} has no solve()")

    def solve_pose(self, T_body_mount: ArrayLike, q_start: ArrayLike) -> InverseResult:
        """Return joint values for a pose of the mount; for arms that turn it.

        Args:
            T_body_mount: Wanted pose in the body frame, shape (4, 4).
            q_start: Joint values now [rad] or [m], shape (n,).
        """
        raise NotImplementedError(f"{type(self).__name__} has no solve_pose()")
