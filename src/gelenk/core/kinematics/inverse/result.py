"""The one result type of all inverse-kinematics methods."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from gelenk.core.typing import BoolArray, FloatArray

ON_LIMIT = 1e-9  # [rad] or [m]; a joint this close to a limit lies on it


class IkStatus(StrEnum):
    """How an inverse-kinematics solve ended."""

    CONVERGED = "converged"
    """`q` meets the target within the tolerances and the joint limits."""
    OUT_OF_LIMITS = "out_of_limits"
    """The target can be met, but only outside the joint limits; `q` does so."""
    UNREACHABLE = "unreachable"
    """No joint values meet the target."""
    MAX_ITERATIONS = "max_iterations"
    """The method gave up; `q` is the best it found."""
    NO_CLOSED_FORM = "no_closed_form"
    """The robot belongs to no family that has a closed solution here."""


DEFAULT_MESSAGES = {
    IkStatus.CONVERGED: "the target is met within tolerances and limits",
    IkStatus.OUT_OF_LIMITS: "the target can be met outside the joint limits only",
    IkStatus.UNREACHABLE: "the target is out of reach",
    IkStatus.MAX_ITERATIONS: "no solution found within the allowed starts; `q` is the "
    "best of them. Allow more (`max_starts`), relax the task, or check the target",
    IkStatus.NO_CLOSED_FORM: "no closed solution is known for this robot; use "
    'method="lm"',
}


@dataclass(frozen=True, slots=True, eq=False)
class IkResult:
    """Outcome of one inverse-kinematics solve.

    Attributes:
        q: Best joint values [rad] or [m], shape (nq,).
        status: How the solve ended; `converged` is the short question.
        position_error: Of the task [m]; 0 if the task has no position.
        rotation_error: Of the task [rad]; 0 if the task has no rotation.
        iterations: Over all starts (closed form: 0).
        starts: Number of starts (closed form: 1).
        limits: Lower and upper joint limits, shape (2, nq).
        solutions: All branches found (closed form) or the one, shape (k, nq).
        note: What is special about this case; `message` falls back to the status.
    """

    q: FloatArray
    status: IkStatus
    position_error: float
    rotation_error: float
    iterations: int
    starts: int
    limits: FloatArray = field(repr=False)
    solutions: FloatArray = field(repr=False)
    note: str = ""

    @property
    def converged(self) -> bool:
        return self.status is IkStatus.CONVERGED

    @property
    def residual(self) -> float:
        """Position [m] and rotation error [rad] of the task as one norm."""
        return float(np.hypot(self.position_error, self.rotation_error))

    @property
    def active_limits(self) -> BoolArray:
        """Joints whose value lies on a limit, shape (nq,)."""
        q = self.q[self.q.size - self.limits.shape[1] :]
        on_limit = (q <= self.limits[0] + ON_LIMIT) | (q >= self.limits[1] - ON_LIMIT)
        return np.concatenate([np.zeros(self.q.size - q.size, dtype=bool), on_limit])

    @property
    def message(self) -> str:
        return self.note or DEFAULT_MESSAGES[self.status]
