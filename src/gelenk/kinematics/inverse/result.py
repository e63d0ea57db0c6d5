"""Result and options of the inverse-kinematics methods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, TypedDict

import numpy as np

from gelenk.typing import ArrayLike, BoolArray, FloatArray

IkTask = Literal["pose", "position", "axis", "position_axis", "rotation"]
ClosedTask = Literal["pose", "position", "rotation"]
LimitRule = Literal["respect", "ignore"]

ON_LIMIT = 1e-9  # [rad] or [m]; a joint this close to a limit lies on it


class IkStatus(StrEnum):
    """Kind of outcome of an inverse-kinematics solve.

    Example:
        >>> from gelenk import IkStatus
        >>> IkStatus.UNREACHABLE.value
        'unreachable'
    """

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


class IkOptions(TypedDict, total=False):
    """Options of the inverse-kinematics methods; `solve_lm` and so on explain them.

    All methods take `frame`, `q0` and `task`; the others belong to "lm", then "closed",
    then "simplex" and "jacobian".
    """

    frame: str | None
    q0: ArrayLike | None
    task: IkTask
    weights: Sequence[float] | None
    prefer: ArrayLike | None
    position_tol: float
    rotation_tol: float
    max_iterations: int | None
    max_starts: int
    limits: LimitRule
    swivel: float | None
    tolerance: float
    length: float
    alpha: float
    alpha_rotation: float


# Not frozen: that costs half a microsecond, a tenth of a solve.
@dataclass(slots=True, eq=False)
class IkResult:
    """Outcome of one inverse-kinematics solve; build one with `ik_result`.

    A solve takes microseconds, so what can be derived is derived when asked for.

    Attributes:
        q: Best joint values [rad] or [m], shape (nq,).
        status: Kind of outcome; `converged` is the short form.
        report: Position error [m], rotation error [rad], iterations, starts.
        limits: Lower and upper joint limits, shape (2, number of joints).
        branches: All branches found by a closed form, shape (k, nq).
        note: Remark on this case, in words; may be empty.

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> result = arm.inverse(arm.forward([0.7, 0.9]))
        >>> result.converged, result.message
        (True, 'the target is met within tolerances and limits')
    """

    q: FloatArray
    status: IkStatus
    report: FloatArray = field(repr=False)
    limits: FloatArray = field(repr=False)
    branches: FloatArray | None = field(default=None, repr=False)
    note: str = field(default="", repr=False)

    @property
    def converged(self) -> bool:
        return self.status is IkStatus.CONVERGED

    @property
    def position_error(self) -> float:
        """Position error of the task [m]; 0 if the task has no position."""
        return float(self.report[0])

    @property
    def rotation_error(self) -> float:
        """Rotation error of the task [rad]; 0 if the task has no rotation."""
        return float(self.report[1])

    @property
    def residual(self) -> float:
        """Position [m] and rotation error [rad] of the task as one norm."""
        return float(np.hypot(self.report[0], self.report[1]))

    @property
    def iterations(self) -> int:
        """Iterations over all starts; 0 for a closed form."""
        return int(self.report[2])

    @property
    def starts(self) -> int:
        """Number of starts that were needed."""
        return int(self.report[3])

    @property
    def solutions(self) -> FloatArray:
        """All branches (closed form) or the one solution, shape (k, nq)."""
        return self.q.reshape(1, -1) if self.branches is None else self.branches

    @property
    def active_limits(self) -> BoolArray:
        """Joints whose value lies on a limit, shape (nq,)."""
        q = self.q[self.q.size - self.limits.shape[1] :]
        on_limit = (q <= self.limits[0] + ON_LIMIT) | (q >= self.limits[1] - ON_LIMIT)
        return np.concatenate([np.zeros(self.q.size - q.size, dtype=bool), on_limit])

    @property
    def message(self) -> str:
        """What happened, in words."""
        return self.note or DEFAULT_MESSAGES[self.status]


def ik_result(
    q: FloatArray,
    status: IkStatus,
    *,
    limits: FloatArray,
    position_error: float = 0.0,
    rotation_error: float = 0.0,
    iterations: int = 0,
    starts: int = 1,
    solutions: FloatArray | None = None,
    note: str = "",
) -> IkResult:
    """Return a result from its parts; see `IkResult`."""
    report = np.array([position_error, rotation_error, iterations, starts])
    return IkResult(q, status, report, limits, solutions, note)
