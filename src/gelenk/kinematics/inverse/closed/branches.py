"""Branches of a solution: candidates checked by forward kinematics and polished."""

from __future__ import annotations

import math

import numpy as np

from gelenk.kernels.chain import IDENTITY, chain_pose_jacobian
from gelenk.kernels.compile import kernel
from gelenk.kernels.linear import solve_spd
from gelenk.kernels.tuples import (
    add,
    chained,
    cross,
    dot,
    norm,
    rot,
    scaled,
    sub,
    turn,
    turned_about_z,
    vec,
    z_axis,
)
from gelenk.kinematics.chain import (
    CHAIN_INDEX,
    CHAIN_KIND,
    CHAIN_P,
    CHAIN_R,
)
from gelenk.kinematics.inverse.closed.joint_terms import (
    CHAIN,
    CORE,
    HEADER,
    INDEX,
    KIND,
    LEAD,
    LOWER,
    POSITION,
    RESPECT_LIMITS,
    ROTATION,
    TASK,
    TRAIL,
    UPPER,
    WITH_Q0,
)
from gelenk.typing import FloatArray, Mat3, Vec2, Vec3

ACCEPT = 1e-10  # [m] and [rad]: what a branch may miss its target by
ROUNDING = 1e-14  # [m] and [rad]: below, polishing has nothing to gain
HOPELESS = 1e-2  # [m] and [rad]: above, a candidate is no branch
POLISH_STEPS = 8
DAMPING = 1e-15  # of the normal equations, relative to their trace; at first
HARDER = 1e3  # grows by this where a step did not help, as at singular poses
SAME = 1e-6  # [rad] or [m]: branches closer than this are one double root
EDGE = 1e-6  # [rad] or [m]: a value this far outside a limit is tried on the limit
TWO_PI = 2.0 * math.pi
ORIGIN = (0.0, 0.0, 0.0)
ZERO = 0.0  # int(ZERO) is an integer like others; 0 would compile functions once more
FAR_OUT = 1e-3  # [rad] or [m]: polishing does not bring such a value within limits
SMALL = 1e-4  # squared chord of a rotation below which chord and angle agree to 1e-5

# Entries of the tally
COUNT, BEST, DISTANCE, FREE_BITS, EXCESS = 0, 1, 2, 3, 4
NUM_TALLY = 5


@kernel
def chain_part(
    K: FloatArray, start: int, stop: int, R: Mat3, p: Vec3, q: FloatArray
) -> tuple[Mat3, Vec3]:
    """Return a pose carried on by the joints `start` to `stop` of the chain."""
    for i in range(start, stop):
        value = q[int(K[i, CHAIN_INDEX])]
        p = add(p, turn(R, vec(K, i, CHAIN_P)))
        if K[i, CHAIN_KIND] != 0.0:
            R = chained(R, turned_about_z(rot(K, i, CHAIN_R), value))
        else:
            R = chained(R, rot(K, i, CHAIN_R))
            p = add(p, scaled(value, z_axis(R)))
    return R, p


@kernel
def misfit(
    K: FloatArray, start: int, A: Mat3, b: Vec3, q: FloatArray, R: Mat3, p: Vec3
) -> Vec2:
    """Return the position [m] and rotation error [rad] of the task at q.

    (A, b) is the pose that the joints of the chain before `start` have at q.
    """
    header = K.shape[0] - HEADER
    task, last = int(K[header, TASK]), int(K[header, CHAIN])
    A, b = chain_part(K, start, last, A, b, q)
    b = add(b, turn(A, vec(K, last, CHAIN_P)))
    A = chained(A, rot(K, last, CHAIN_R))
    position = rotation = 0.0
    if task != ROTATION:
        position = norm(sub(b, p))
    if task != POSITION:
        x, y, z = (
            (A[0] - R[0], A[3] - R[3], A[6] - R[6]),
            (A[1] - R[1], A[4] - R[4], A[7] - R[7]),
            (A[2] - R[2], A[5] - R[5], A[8] - R[8]),
        )
        total = dot(x, x) + dot(y, y) + dot(z, z)
        # |A - R| = 2 sqrt(2) sin(angle / 2)
        rotation = math.sqrt(0.5 * total)
        if total > SMALL:
            rotation = 2.0 * math.asin(min(1.0, 0.5 * rotation))
    return position, rotation


@kernel
def newton_step(
    K: FloatArray,
    chain: FloatArray,
    q: FloatArray,
    R: Mat3,
    p: Vec3,
    damping: float,
    S: FloatArray,
    N: FloatArray,
    step: FloatArray,
) -> bool:
    """Write the least-squares step of the core joints to the target into `step`."""
    A, b = chain_pose_jacobian(chain, q, S)
    # Half the sum of a_k x r_k over the columns is the rotation vector, if small.
    turned = (
        *cross((A[0], A[3], A[6]), (R[0], R[3], R[6])),
        *cross((A[1], A[4], A[7]), (R[1], R[4], R[7])),
        *cross((A[2], A[5], A[8]), (R[2], R[5], R[8])),
    )
    error = (
        p[0] - b[0],
        p[1] - b[1],
        p[2] - b[2],
        0.5 * (turned[0] + turned[3] + turned[6]),
        0.5 * (turned[1] + turned[4] + turned[7]),
        0.5 * (turned[2] + turned[5] + turned[8]),
    )
    header = K.shape[0] - HEADER
    task = int(K[header, TASK])
    low = 3 if task == ROTATION else 0
    high = 3 if task == POSITION else 6
    row = int(K[header, CHAIN]) + 1 + int(K[header, LEAD])
    n = int(K[header, CORE])
    trace = 0.0
    for i in range(n):
        step[i] = 0.0
        a = int(K[row + i, INDEX])
        for j in range(i + 1):
            b_ = int(K[row + j, INDEX])
            total = 0.0
            if a >= 0 and b_ >= 0:
                for k in range(low, high):
                    total += S[a, k] * S[b_, k]
            N[i, j] = total
        trace += N[i, i]
        if a >= 0:
            for k in range(low, high):
                step[i] += S[a, k] * error[k]
    for i in range(n):
        N[i, i] += damping * trace
    return solve_spd(N, step)


@kernel
def polished(
    K: FloatArray, q: FloatArray, R: Mat3, p: Vec3, position: float, rotation: float
) -> Vec2:
    """Improve q by Newton steps while the error falls; return the errors."""
    header = K.shape[0] - HEADER
    row = int(K[header, CHAIN]) + 1 + int(K[header, LEAD])
    n = int(K[header, CORE])
    chain = K[: int(K[header, CHAIN]) + 1]
    S, N, step = np.empty((q.shape[0], 6)), np.empty((n, n)), np.empty(n)
    damping = DAMPING
    for _ in range(POLISH_STEPS):
        newton_step(K, chain, q, R, p, damping, S, N, step)
        for i in range(n):
            if K[row + i, INDEX] >= 0.0:
                q[int(K[row + i, INDEX])] += step[i]
        new_position, new_rotation = misfit(K, int(ZERO), IDENTITY, ORIGIN, q, R, p)
        if new_position + new_rotation < position + rotation:
            position, rotation = new_position, new_rotation
            if position <= ROUNDING and rotation <= ROUNDING:
                break
        else:
            for i in range(n):
                if K[row + i, INDEX] >= 0.0:
                    q[int(K[row + i, INDEX])] -= step[i]
            damping *= HARDER
    return position, rotation


@kernel
def wrapped(angle: float) -> float:
    """Return an angle less its whole turns, in [-pi, pi)."""
    if -math.pi <= angle < math.pi:
        return angle
    return angle - TWO_PI * math.floor(angle / TWO_PI + 0.5)


@kernel
def turned_into(value: float, lower: float, upper: float) -> float:
    """Return an angle by whole turns brought within limits, or as near as possible."""
    other = value
    if value < lower - EDGE:
        other += TWO_PI * math.ceil((lower - EDGE - value) / TWO_PI)
        return other if other - upper < lower - value else value
    if value > upper + EDGE:
        other -= TWO_PI * math.ceil((value - upper - EDGE) / TWO_PI)
        return other if lower - other < value - upper else value
    return value


@kernel
def into_limits(
    K: FloatArray, q: FloatArray, q0: FloatArray, mode: int
) -> tuple[float, int, float]:
    """Wrap the solved angles and bring values on the edge onto their limit.

    Returns how far q is outside the limits, how many values were moved onto one, and
    the squared distance of the solved joints from q0, whole turns ignored. Held joints
    count, too: if they are outside, so is the branch.
    """
    header = K.shape[0] - HEADER
    row = int(K[header, CHAIN]) + 1
    first = row + int(K[header, LEAD])
    behind = first + int(K[header, CORE])
    respect = (mode & RESPECT_LIMITS) != 0
    excess, cuts, distance = 0.0, 0, 0.0
    for i in range(row, behind + int(K[header, TRAIL])):
        index = int(K[i, INDEX])
        if index < 0:
            continue
        value, away = q[index], q[index] - q0[index]
        lower = K[i, LOWER] if respect else -math.inf
        upper = K[i, UPPER] if respect else math.inf
        if K[i, KIND] != 0.0 and first <= i < behind:
            away = wrapped(away)
            value = q0[index] + away if (mode & WITH_Q0) != 0 else wrapped(value)
            value = turned_into(value, lower, upper)
        over = max(lower - value, value - upper)
        if over > EDGE:
            excess += over
        elif over > 0.0:
            value = lower if value < lower else upper
            cuts += 1
        distance += away * away
        q[index] = value
    return excess, cuts, distance


@kernel
def is_known(K: FloatArray, q: FloatArray, out: FloatArray, count: int) -> bool:
    """Return whether q equals one of the first rows of `out`, up to whole turns."""
    header = K.shape[0] - HEADER
    first = int(K[header, CHAIN]) + 1 + int(K[header, LEAD])
    n = int(K[header, CORE])
    for b in range(count):
        same = True
        for i in range(first, first + n):
            index = int(K[i, INDEX])
            if index < 0:
                continue
            d = q[index] - out[b, index]
            if K[i, KIND] != 0.0:
                d = wrapped(d)
            if not abs(d) <= SAME:
                same = False
                break
        if same:
            return True
    return False


@kernel
def restart(q: FloatArray, q0: FloatArray) -> None:
    """Set q to q0."""
    for k in range(q.shape[0]):
        q[k] = q0[k]


@kernel
def put_row(out: FloatArray, row: int, q: FloatArray) -> None:
    """Copy q into a row of `out`."""
    for k in range(q.shape[0]):
        out[row, k] = q[k]


@kernel
def begin(tally: FloatArray, report: FloatArray) -> None:
    """Reset tally and report before the first candidate."""
    report[0], report[1], report[2], report[3] = 0.0, 0.0, 0.0, 1.0
    tally[COUNT], tally[BEST], tally[FREE_BITS] = 0.0, -1.0, 0.0
    tally[DISTANCE], tally[EXCESS] = math.inf, math.inf


@kernel
def offer(
    K: FloatArray,
    R: Mat3,
    p: Vec3,
    q: FloatArray,
    q0: FloatArray,
    mode: int,
    bits: int,
    start: int,
    A: Mat3,
    b: Vec3,
    out: FloatArray,
    report: FloatArray,
    tally: FloatArray,
) -> None:
    """Take one candidate q for the target (R, p); keep it in `out` if it is new.

    `bits` are the core joints whose value was free, (A, b) the pose that the joints of
    the chain before `start` have at q. The last row of `out` holds the branch that is
    least outside the limits; `report` the errors of the best branch so far. q is
    overwritten.
    """
    count, last = int(tally[COUNT]), out.shape[0] - 1
    excess, cuts, distance = into_limits(K, q, q0, mode)
    if excess > FAR_OUT and (count > 0 or excess >= tally[EXCESS]):
        return
    position, rotation = misfit(K, start, A, b, q, R, p)
    if not (position <= ROUNDING and rotation <= ROUNDING):
        if not (position <= HOPELESS and rotation <= HOPELESS):
            return
        position, rotation = polished(K, q, R, p, position, rotation)
        if not (position <= ACCEPT and rotation <= ACCEPT):
            return
        excess, cuts, distance = into_limits(K, q, q0, mode)
    if cuts > 0:
        position, rotation = misfit(K, int(ZERO), IDENTITY, ORIGIN, q, R, p)
        if not (position <= ACCEPT and rotation <= ACCEPT):
            excess += EDGE
            position, rotation = polished(K, q, R, p, position, rotation)
    if excess > 0.0:
        if count == 0 and excess < tally[EXCESS]:
            tally[EXCESS], tally[FREE_BITS] = excess, float(bits)
            put_row(out, last, q)
            report[0], report[1] = position, rotation
        return
    if count >= last or is_known(K, q, out, count):
        return
    put_row(out, count, q)
    tally[COUNT] = count + 1.0
    known_bits = int(tally[FREE_BITS]) if count > 0 else 0
    tally[FREE_BITS] = float(known_bits | bits)
    if distance < tally[DISTANCE]:
        tally[DISTANCE], tally[BEST] = distance, float(count)
        report[0], report[1] = position, rotation


@kernel
def verdict(tally: FloatArray) -> tuple[int, int, int]:
    """Return the number of branches, the row of the best, and the free joints' bits.

    The row is -1 if there are branches outside the limits only, -2 if there are none.
    """
    best = int(tally[BEST])
    if best < 0 and not math.isfinite(tally[EXCESS]):
        best = -2
    return int(tally[COUNT]), best, int(tally[FREE_BITS])
