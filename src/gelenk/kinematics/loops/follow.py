"""Following one assembly of a mechanism along its constraint manifold.

The motors move in small steps; after each, the passive joints are predicted along the
tangent and corrected by Newton steps onto phi(q) = 0. A step is halved if its
correction is not small against it, or if the orientation of the equations turned over:
that is how an assembly branch is kept, and how the end of the range is noticed.

Lengths with few digits leave redundant equations that nothing fulfils exactly. Such
loops count as closed where the errors are the smallest possible, and no larger than
OPEN.
"""

from __future__ import annotations

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.kernels.linear import solve_spd
from gelenk.kinematics.loops.constraint import closure_equations
from gelenk.typing import FloatArray, IntArray

CLOSED, CANNOT_CLOSE = 0, 1

GAP_TOL = 1e-14  # [m] or [rad]; what rounding allows for parts of about a metre
GOOD_ENOUGH = 1e-10  # [m] or [rad]; accepted when rounding allows no better
OPEN = 1e-5  # [m] or [rad]; larger errors are no matter of digits
STATIONARY = 1e-3  # share of the errors that a step can still remove
MAX_STEP = 0.1  # [rad] or [m] that a motor moves in one step
MIN_STEP = 1e-7  # of the way; smaller steps mean that the branch ends here
MAX_CORRECTION = 0.05  # [rad] or [m]; a larger one may have changed the branch
FAR = 10.0  # [rad] or [m]; a rough assembly is not corrected by more
SMALL_STEP = 1e-5  # [rad] or [m]; no jump is hidden in a motor step this small
MAX_NEWTON = 12
REGULARISATION = 1e-13  # of the normal matrix; passive joints may be undetermined


@kernel
def passive_step(
    A: FloatArray,
    residual: FloatArray,
    passive: IntArray,
    N: FloatArray,
    step: FloatArray,
) -> bool:
    """Write the least-norm passive step with A_p step = -residual."""
    count = passive.shape[0]
    trace = 0.0
    for i in range(count):
        for j in range(i + 1):
            s = 0.0
            for r in range(A.shape[0]):
                s += A[r, passive[i]] * A[r, passive[j]]
            N[i, j] = s
        trace += N[i, i]
        s = 0.0
        for r in range(A.shape[0]):
            s -= A[r, passive[i]] * residual[r]
        step[i] = s
    for i in range(count):
        N[i, i] += REGULARISATION * trace + 1e-300
    return solve_spd(N, step)


@kernel
def correct(
    pairs: IntArray,
    rows: FloatArray,
    lengths: FloatArray,
    passive: IntArray,
    q: FloatArray,
    Sa: FloatArray,
    Sb: FloatArray,
    phi: FloatArray,
    A: FloatArray,
    N: FloatArray,
    step: FloatArray,
    limit: float,
) -> tuple[float, float, bool]:
    """Move the passive joints onto the manifold; return gap, distance moved, success.

    It gives up where they would have to move by more than `limit`.
    """
    moved = 0.0
    gap = np.inf
    is_least = False
    for _ in range(MAX_NEWTON):
        closure_equations(pairs, rows, lengths, q, Sa, Sb, phi, A)
        last, gap = gap, 0.0
        for r in range(phi.shape[0]):
            gap = max(gap, abs(phi[r]))
        if gap <= GAP_TOL or (gap <= GOOD_ENOUGH and gap > 0.5 * last):
            break
        if not gap < np.inf or not passive_step(A, phi, passive, N, step):
            return np.inf, np.inf, False
        if GOOD_ENOUGH < gap <= OPEN:
            is_least = removable(A, passive, step) <= STATIONARY * gap
            if is_least:
                break
        largest = 0.0
        for i in range(passive.shape[0]):
            q[passive[i]] += step[i]
            largest = max(largest, abs(step[i]))
        moved += largest
        if moved > limit:
            break
    return gap, moved, gap <= GOOD_ENOUGH or is_least


@kernel
def removable(A: FloatArray, passive: IntArray, step: FloatArray) -> float:
    """Return by how much a step of the passive joints changes the equations."""
    largest = 0.0
    for r in range(A.shape[0]):
        s = 0.0
        for i in range(passive.shape[0]):
            s += A[r, passive[i]] * step[i]
        largest = max(largest, abs(s))
    return largest


@kernel
def tangent(
    A: FloatArray,
    active: IntArray,
    way: FloatArray,
    passive: IntArray,
    N: FloatArray,
    push: FloatArray,
    out: FloatArray,
) -> bool:
    """Write how passive joints move per share of the way; return False if undefined."""
    for r in range(A.shape[0]):
        s = 0.0
        for i in range(active.shape[0]):
            s += A[r, active[i]] * way[i]
        push[r] = s
    return passive_step(A, push, passive, N, out)


@kernel
def orientation(
    A: FloatArray, pivots: IntArray, passive: IntArray, N: FloatArray
) -> float:
    """Return the sign of det A_p over the pivot equations; 0 if there are none.

    Along a branch the sign stays: two assemblies meet only where the determinant is 0.
    Close to such a point they cross like the arms of a hyperbola, so that the straight
    prediction from one lands smoothly on the other; the sign tells them apart.
    """
    n = pivots.shape[0]
    sign = 1.0 if n > 0 else 0.0
    for i in range(n):
        for j in range(n):
            N[i, j] = A[pivots[i], passive[j]]
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(N[i, k]) > abs(N[best, k]):
                best = i
        if N[best, k] == 0.0:
            return 0.0
        if best != k:
            sign = -sign
            for j in range(k, n):
                N[k, j], N[best, j] = N[best, j], N[k, j]
        if N[k, k] < 0.0:
            sign = -sign
        for i in range(k + 1, n):
            f = N[i, k] / N[k, k]
            for j in range(k + 1, n):
                N[i, j] -= f * N[k, j]
    return sign


@kernel
def count_equations(pairs: IntArray) -> int:
    """Return the number of closure equations."""
    m = 0
    for k in range(pairs.shape[0]):
        kind = pairs[k, 0]
        m += 3 if kind == 0 else 5 if kind == 1 else 6 if kind == 2 else 1
    return m


@kernel
def follow(
    pairs: IntArray,
    rows: FloatArray,
    lengths: FloatArray,
    active: IntArray,
    passive: IntArray,
    pivots: IntArray,
    q: FloatArray,
    target: FloatArray,
) -> tuple[int, float, int, float]:
    """Move the motors of an assembled q to `target`, passive joints following.

    Returns:
        CLOSED or CANNOT_CLOSE, the gap, the number of steps, and the share of the way
        that was possible. q holds the last assembled configuration.
    """
    n, m, count = q.shape[0], count_equations(pairs), passive.shape[0]
    Sa, Sb = np.empty((n, 6)), np.empty((n, 6))
    phi, A, push = np.empty(m), np.empty((m, n)), np.empty(m)
    N, step, trial = np.empty((count, count)), np.empty(count), np.empty(n)
    now = np.empty(count)
    start = q[active].copy()
    way = target - start
    longest = 0.0
    for i in range(active.shape[0]):
        longest = max(longest, abs(way[i]))
    whole = 1.0 if longest == 0.0 else min(1.0, MAX_STEP / longest)
    done, size, steps, gap = 0.0, whole, 0, 0.0
    closure_equations(pairs, rows, lengths, q, Sa, Sb, phi, A)
    tangent(A, active, way, passive, N, push, now)
    side = orientation(A, pivots, passive, N)
    while True:
        size = min(size, 1.0 - done)
        trial[:] = q
        predicted = size * longest
        for i in range(count):
            trial[passive[i]] += size * now[i]
            predicted = max(predicted, abs(size * now[i]))
        for i in range(active.shape[0]):
            trial[active[i]] = start[i] + (done + size) * way[i]
        moved, limit = np.inf, min(MAX_CORRECTION, 0.5 * predicted + 1e-9)
        is_closed = False
        if predicted < 5.0 * MAX_STEP:
            gap, moved, is_closed = correct(
                pairs, rows, lengths, passive, trial, Sa, Sb, phi, A, N, step, limit
            )
        steps += 1
        ok = is_closed and moved <= limit
        if ok and orientation(A, pivots, passive, N) != side:
            # At the smallest steps it is the pivot equations that lost their rank.
            ok = size * longest < SMALL_STEP
            side = orientation(A, pivots, passive, N) if ok else side
        if ok and tangent(A, active, way, passive, N, push, now):
            q[:] = trial
            done += size
            if done >= 1.0:
                return CLOSED, gap, steps, 1.0
            size = min(whole, 2.0 * size)
        else:
            size *= 0.5
            if size < MIN_STEP:
                return CANNOT_CLOSE, gap, steps, done


@kernel
def assemble_home(
    pairs: IntArray,
    rows: FloatArray,
    lengths: FloatArray,
    passive: IntArray,
    q: FloatArray,
) -> bool:
    """Correct a roughly assembled q in place; return whether it closes."""
    n, m = q.shape[0], count_equations(pairs)
    Sa, Sb = np.empty((n, 6)), np.empty((n, 6))
    count = int(passive.shape[0])
    is_closed = False
    for _ in range(4):
        _, _, is_closed = correct(
            pairs, rows, lengths, passive, q, Sa, Sb, np.empty(m), np.empty((m, n)),
            np.empty((count, count)), np.empty(count), FAR,
        )  # fmt: skip
        if is_closed:
            break
    return is_closed
