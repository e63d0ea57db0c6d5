"""Damped Gauss-Newton on normal equations, and L D L^T with diagonal pivoting.

The loop behind all least squares here never sees residuals. Whoever calls it gives
cost, information H = J^T W J and gradient g = J^T W r at a point; priors, bounds and
frozen parameters are its own business. Unknowns that the caller has eliminated (reading
errors, one set per pose) travel along as `hidden`: an evaluation tells how they follow
a step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

import numpy as np

from gelenk.checks import as_kernel_array
from gelenk.errors import ShapeError
from gelenk.kernels.compile import kernel
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray

NOTHING = 1e-14  # of its diagonal entry: a pivot that is only rounding


@kernel
def ldl_solve_inplace(A: FloatArray, x: FloatArray, order: IntArray) -> int:
    """Solve A x = b for a symmetric positive semi-definite A; both are overwritten.

    The next pivot is the diagonal entry that has kept most of its size, so that units
    do not matter. Directions without a pivot get 0, so that a parameter without effect
    stays where it is.

    Returns:
        The number of pivots used: the rank.
    """
    n = x.shape[0]
    size = np.empty(n)
    for i in range(n):
        order[i] = i
        size[i] = A[i, i] if A[i, i] > 0.0 else 1.0
    rank = n
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if A[i, i] * size[best] > A[best, best] * size[i]:
                best = i
        if best != k:
            for j in range(n):
                A[k, j], A[best, j] = A[best, j], A[k, j]
            for i in range(n):
                A[i, k], A[i, best] = A[i, best], A[i, k]
            x[k], x[best] = x[best], x[k]
            size[k], size[best] = size[best], size[k]
            order[k], order[best] = order[best], order[k]
        pivot = A[k, k]
        if not pivot > NOTHING * size[k]:
            rank = k
            break
        inverse = 1.0 / pivot
        for i in range(k + 1, n):
            factor = A[i, k] * inverse
            for j in range(k + 1, n):
                A[i, j] -= factor * A[k, j]
            x[i] -= factor * x[k]
    for k in range(rank, n):
        x[k] = 0.0
    for k in range(rank - 1, -1, -1):
        s = x[k]
        for j in range(k + 1, rank):
            s -= A[k, j] * x[j]
        x[k] = s / A[k, k]
    for k in range(n):
        A[0, order[k]] = x[k]
    for k in range(n):
        x[k] = A[0, k]
    return rank


def solve_ldl(A: ArrayLike, b: ArrayLike) -> FloatArray:
    """Return x with A x = b for a symmetric positive semi-definite A.

    Unlike an inversion this neither squares the condition of A nor fails if A is
    singular: directions that A says nothing about get 0.

    Args:
        A: Symmetric matrix, shape (n, n).
        b: Right side, shape (n,).

    Example:
        >>> print(solve_ldl([[4.0, 2.0], [2.0, 3.0]], [2.0, 5.0]))
        [-0.5  2. ]
    """
    matrix = np.array(as_kernel_array(A))
    x = np.array(as_kernel_array(b))
    if matrix.shape != (x.size, x.size):
        raise ShapeError("A", expected=f"({x.size}, {x.size})", actual=matrix.shape)
    ldl_solve_inplace(matrix, x, np.empty(x.size, dtype=np.int64))
    return x


FIRST_DAMPING = 1e-4  # of the diagonal of H
LEAST_DAMPING = 1e-12
DAMPING_LIMIT = 1e14


class SolverStatus(StrEnum):
    """Outcome of a least-squares solver."""

    CONVERGED = "converged"
    """A further step would change nothing that matters."""
    MAX_ITERATIONS = "max_iterations"
    """The allowed number of steps is spent; the result is the best so far."""
    STUCK = "stuck"
    """No step along the linearisation lowers the cost, however short."""
    NOT_FINITE = "not_finite"
    """The residuals at the start are not finite: there is nowhere to go from."""


class Evaluation(Protocol):
    """Cost, H and g at a point (without priors), and how hidden unknowns follow."""

    cost: float
    H: FloatArray
    g: FloatArray

    def follow(self, step: FloatArray) -> Any:
        """Return the hidden unknowns after a step of the parameters."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Bounds:
    """Prior, bounds, and the parameters that may move.

    Attributes:
        mean, precision: Mean of the prior and its precision 1 / sigma^2 (0: none),
            shape (P,).
        lower, upper: Bounds, shape (P,).
        is_free: Whether each parameter may move, shape (P,).
    """

    mean: FloatArray
    precision: FloatArray
    lower: FloatArray
    upper: FloatArray
    is_free: BoolArray

    def cost(self, x: FloatArray) -> float:
        """Return the cost of the priors."""
        return float(self.precision @ (x - self.mean) ** 2)


@dataclass(frozen=True, slots=True)
class BoundedStep:
    """One tried step: damping, cost reached, whether it was taken."""

    damping: float
    cost: float
    is_accepted: bool


@dataclass(slots=True, eq=False)
class Descent:
    """Result of the descent.

    Attributes:
        x, hidden: Parameters and eliminated unknowns.
        at: Evaluation at `x` (without priors).
        cost: Final cost, priors included.
        status, iterations, trace: Outcome of the solver; iterations counts accepted
            steps.
    """

    x: FloatArray
    hidden: Any
    at: Any
    cost: float
    status: SolverStatus
    iterations: int
    trace: list[BoundedStep]


def damped_gauss_newton(
    evaluate: Callable[[FloatArray, Any], Evaluation],
    x: FloatArray,
    hidden: Any,
    box: Bounds,
    *,
    max_iterations: int,
    tolerance: float,
) -> Descent:
    """Minimise cost(x) + prior within bounds.

    A step is judged by its gain: the fall of the cost over the fall that the quadratic
    model promised. Good steps divide the damping by ten or more, bad ones multiply it.
    The loop ends when the promised fall is below `tolerance` of the cost, or the step
    below the rounding of the parameters.
    """
    at = evaluate(x, hidden)
    cost = at.cost + box.cost(x)
    damping, growth = FIRST_DAMPING, 4.0
    trace: list[BoundedStep] = []
    out = Descent(x, hidden, at, cost, SolverStatus.MAX_ITERATIONS, 0, trace)
    if not np.isfinite(cost):
        out.status = SolverStatus.NOT_FINITE
        return out
    while out.iterations < max_iterations:
        H, g = _with_prior(out.at, out.x, box)
        free = _movable(out.x, g, box)
        step = _bounded_step(H, g, free, damping, out.x, box)
        promised = -float(2.0 * g @ step + step @ H @ step)
        if promised <= tolerance * out.cost or _is_rounding(step, out.x):
            out.status = SolverStatus.CONVERGED
            break
        x_new, hidden_new = out.x + step, out.at.follow(step)
        at = evaluate(x_new, hidden_new)
        cost = at.cost + box.cost(x_new)
        gain = (out.cost - cost) / promised if np.isfinite(cost) else -1.0
        trace.append(BoundedStep(damping, cost, gain > 0.0))
        if gain > 0.0:
            out.x, out.hidden, out.at, out.cost = x_new, hidden_new, at, cost
            out.iterations += 1
            # Nielsen's rule, and faster still where the model is all but right.
            damping *= max(0.1, 1.0 - (2.0 * gain - 1.0) ** 3)
            damping *= 0.1 if gain > 0.9 else 1.0
            damping, growth = max(damping, LEAST_DAMPING), 4.0
        else:
            damping, growth = damping * growth, growth * 2.0
            if damping > DAMPING_LIMIT:
                out.status = SolverStatus.STUCK
                break
    return out


def _with_prior(
    at: Evaluation, x: FloatArray, box: Bounds
) -> tuple[FloatArray, FloatArray]:
    H = at.H.copy()
    H.flat[:: len(H) + 1] += box.precision
    return H, at.g + box.precision * (x - box.mean)


def _movable(x: FloatArray, g: FloatArray, box: Bounds) -> BoolArray:
    """Return which parameters may move: free, and not pressed against a bound."""
    pressed = ((x <= box.lower) & (g > 0.0)) | ((x >= box.upper) & (g < 0.0))
    return box.is_free & ~pressed


def _bounded_step(
    H: FloatArray,
    g: FloatArray,
    free: BoolArray,
    damping: float,
    x: FloatArray,
    box: Bounds,
) -> FloatArray:
    """Return the damped step of the free parameters, cut at the bounds.

    Columns are scaled to unit curvature first, so that units do not matter. A
    parameter that would leave its range stops at the bound, and the others are solved
    for again around it.
    """
    step = np.zeros_like(x)
    free = free.copy()
    while free.any():
        held = np.flatnonzero(~free)
        ids = np.flatnonzero(free)
        part = H[np.ix_(ids, ids)] if held.size else H
        scale = np.sqrt(np.maximum(np.diag(part), 1e-300))
        scaled = part / np.outer(scale, scale)
        scaled.flat[:: len(ids) + 1] += damping
        pull = g[ids] + H[np.ix_(ids, held)] @ step[held] if held.size else g
        y = -pull / scale
        ldl_solve_inplace(scaled, y, np.empty(len(ids), dtype=np.int64))
        step[ids] = y / scale
        low, high = (x + step < box.lower) & free, (x + step > box.upper) & free
        if not (low.any() or high.any()):
            break
        step[low] = box.lower[low] - x[low]
        step[high] = box.upper[high] - x[high]
        free &= ~(low | high)
    return step


def _is_rounding(step: FloatArray, x: FloatArray) -> bool:
    return bool((np.abs(step) <= 4e-16 * np.abs(x)).all())
