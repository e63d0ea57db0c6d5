"""The one result type of all inverse-kinematics methods."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gelenk.core.typing import BoolArray, FloatArray


class IkStatus(StrEnum):
    """How an inverse-kinematics solve ended."""

    CONVERGED = "converged"
    """`q` meets the target within the tolerances and the joint limits."""
    OUT_OF_LIMITS = "out_of_limits"
    """The target can be met, but only outside the joint limits; `q` does so."""
    UNREACHABLE = "unreachable"
    """No joint values meet the target (closed form: proved; numeric: none was found)."""
    MAX_ITERATIONS = "max_iterations"
    """The method gave up; `q` is the best it found."""
    NO_CLOSED_FORM = "no_closed_form"
    """The robot belongs to no family that has a closed solution here."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class IkResult:
    """Outcome of one inverse-kinematics solve.

    Attributes:
        q: Best joint values [rad] or [m], shape (nq,).
        status: How the solve ended; `converged` is the short question.
        residual: Distance from the target: position error [m] and rotation error [rad]
            of the task as one norm.
        position_error: [m].
        rotation_error: [rad].
        iterations: Iterations (closed form: 0) over all starts.
        restarts: Further starts that were needed.
        active_limits: Joints whose value lies on a limit, shape (nq,).
        solutions: All branches found (closed form), shape (k, nq); else the one.
        message: What happened, in words.
    """

    q: FloatArray
    status: IkStatus
    residual: float
    position_error: float
    rotation_error: float
    iterations: int
    restarts: int
    active_limits: BoolArray
    solutions: FloatArray
    message: str

    @property
    def converged(self) -> bool:
        return self.status is IkStatus.CONVERGED
