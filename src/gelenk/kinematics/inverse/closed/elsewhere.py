"""Other members of a family of solutions, for targets where the one of q0 does not do.

Where an angle is free (singular pose), one of seven joints is held, or the elbow may
swivel, the choice of q0 can leave all branches outside the limits while another choice
does not. Others are tried, the nearest first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gelenk.kinematics.inverse.closed.plan import Plan
from gelenk.kinematics.inverse.closed.swivel import swivel_angle
from gelenk.typing import FloatArray

TRIALS = 48  # of a whole turn, or of a slide's stroke


@dataclass(frozen=True, slots=True, eq=False)
class Elsewhere:
    """What a kernel found away from q0: see `wrist_partition.solve_partition`."""

    count: int
    best: int
    free: int
    out: FloatArray
    report: FloatArray


def solve_elsewhere(
    plan: Plan,
    T: FloatArray,
    start: FloatArray,
    mode: int,
    free: int,
    swivel: float | None,
) -> Elsewhere | None:
    """Return the branches of the nearest other choice that has some, or None.

    Args:
        plan: How the arm is solved.
        T: Target, shape (4, 4).
        start: Configuration whose choice did not do, shape (nq,).
        mode: As the kernel takes it.
        free: Bits of the joints that were free.
        swivel: Swivel angle demanded by the caller [rad].
    """
    assert plan.kernel is not None
    out, report = np.empty(plan.shape), np.empty(4)
    for other, psi in _choices(plan, start, free, swivel):
        report[0] = psi
        count, best, bits = plan.kernel(plan.constants, T, other, mode, out, report)
        if best >= 0:
            return Elsewhere(count, best, bits, out, report)
    return None


def _choices(
    plan: Plan, start: FloatArray, free: int, swivel: float | None
) -> Iterator[tuple[FloatArray, float]]:
    """Yield configurations to take free and held values from, and swivel angles."""
    if free:
        ids = [i for bit, i in enumerate(plan.core_ids) if free >> bit & 1 and i >= 0]
        for step in _steps(2.0 * math.pi):
            other = start.copy()
            other[ids] += step
            yield other, math.nan if swivel is None else swivel
    if plan.has_swivel and swivel is None:
        psi = swivel_angle(plan.constants, start)
        for step in _steps(2.0 * math.pi):
            yield start, psi + step
    if plan.can_move_held:
        i = plan.held_ids[0]
        lower, upper = plan.limits[:, i]
        # Twice the range: the start may lie at one end of it.
        span = 2.0 * (upper - lower) if math.isfinite(upper - lower) else 2.0 * math.pi
        for step in _steps(span):
            if lower <= start[i] + step <= upper:
                other = start.copy()
                other[i] += step
                yield other, math.nan


def _steps(span: float) -> Iterator[float]:
    """Yield steps of both signs and growing size up to half of `span`."""
    for k in range(1, TRIALS // 2 + 1):
        yield k * span / TRIALS
        yield -k * span / TRIALS
