"""Arms split at a point: some joints place it, the rest turn about it.

The last m joints (0 to 3) meet in the wrist point W, so only the first r joints (0 to
3) move it, and W of the target is known (Pieper, The kinematics of manipulators under
computer control, 1968). The same split solves arms with fewer than six joints; their
target may demand more than they can do, which the final check finds. Reversed, it
solves arms whose first joints meet in a point. For six joints of which the third to
fifth meet, the sixth is moved to the front: E1 ... E6 = D is E6' E1 ... E5 = D with
E6' about the axis that joint 6 has at the target.

Arms with at most three revolute joints are split by kind instead: slides do not turn
anything, so the revolute joints alone must make the wanted rotation, wherever they sit
in the chain, and with their angles known the target's position is linear in the slides.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.kernels.chain import IDENTITY
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import add, cross, dot, norm, scaled, sub, turn, vec
from gelenk.kinematics.inverse.closed.arm_and_wrist import (
    MAX_PLACES,
    PLACE_COLS,
    TURN_COLS,
    place_with_one,
    place_with_three,
    place_with_two,
    turn_helped,
    turn_wrist,
)
from gelenk.kinematics.inverse.closed.branches import (
    NUM_TALLY,
    ORIGIN,
    ZERO,
    begin,
    chain_part,
    offer,
    restart,
    verdict,
)
from gelenk.kinematics.inverse.closed.joint_terms import (
    CHAIN,
    CYCLIC,
    FIRST,
    HEADER,
    INDEX,
    KIND,
    LEAD,
    NOT_A_POSE,
    POSE,
    POSITION,
    REF_KAPPA,
    REF_W,
    REFERENCE,
    REGIONAL,
    ROW,
    SLIDES,
    START,
    TASK,
    TURNS_BEFORE,
    WRIST,
    E,
    P,
    Z,
    before_core,
    carried_point,
    core_displacement,
    rotated,
    target_pose,
)
from gelenk.typing import FloatArray, Mat3, Vec3


@kernel
def no_place(out: FloatArray) -> int:
    """Write the place of an arm without regional joints; return 1."""
    for k in range(PLACE_COLS):
        out[0, k] = 0.0
    out[0, 3] = out[0, 5] = out[0, 7] = 1.0
    return 1


@kernel
def turned_back(
    K: FloatArray,
    row: int,
    z1: Vec3,
    num: int,
    place: FloatArray,
    i: int,
    skip: int,
    v: Vec3,
    w: Vec3,
) -> tuple[Vec3, Vec3]:
    """Return two directions seen from behind the regional joints but one."""
    if num > 0 and skip != 0 and K[row, KIND] != 0.0:
        c, s = place[i, 3], -place[i, 4]
        v, w = rotated(z1, c, s, v), rotated(z1, c, s, w)
    if num > 1 and skip != 1 and K[row + 1, KIND] != 0.0:
        c, s, z = place[i, 5], -place[i, 6], vec(K, row + 1, Z)
        v, w = rotated(z, c, s, v), rotated(z, c, s, w)
    if num > 2 and skip != 2 and K[row + 2, KIND] != 0.0:
        c, s, z = place[i, 7], -place[i, 8], vec(K, row + 2, Z)
        v, w = rotated(z, c, s, v), rotated(z, c, s, w)
    return v, w


@kernel
def helper_joint(bits: int, num_wrist: int) -> int:
    """Return the one regional joint that is free to complete a wrist, or -1."""
    if num_wrist < 3:
        if bits == 1:
            return 0
        if bits == 2:
            return 1
        if bits == 4:
            return 2
    return -1


@kernel
def helper_axis(
    K: FloatArray, row: int, z1: Vec3, num: int, place: FloatArray, i: int, helper: int
) -> Vec3:
    """Return the axis of a regional joint seen from behind those after it."""
    z = z1 if helper == 0 else vec(K, row + helper, Z)
    if helper < 1 and num > 1 and K[row + 1, KIND] != 0.0:
        z = rotated(vec(K, row + 1, Z), place[i, 5], -place[i, 6], z)
    if helper < 2 and num > 2 and K[row + 2, KIND] != 0.0:
        z = rotated(vec(K, row + 2, Z), place[i, 7], -place[i, 8], z)
    return z


@kernel
def perpendicular(k: Vec3) -> Vec3:
    """Return a unit vector perpendicular to the unit vector k."""
    v = (1.0, 0.0, 0.0)
    if abs(k[0]) > 0.6:
        v = (0.0, 1.0, 0.0)
    v = cross(k, v)
    return scaled(1.0 / norm(v), v)


@kernel
def helped_solutions(
    K: FloatArray,
    row: int,
    z1: Vec3,
    place: FloatArray,
    i: int,
    helper: int,
    D: Mat3,
    q0: FloatArray,
    out: FloatArray,
) -> int:
    """Write the angles of a wrist and of the free joint that completes it."""
    header = K.shape[0] - HEADER
    num, num_wrist = int(K[header, REGIONAL]), int(K[header, WRIST])
    k = helper_axis(K, row, z1, num, place, i, helper)
    if num_wrist == 0:
        e = perpendicular(k)
        t = turn(D, e)
        t, _ = turned_back(K, row, z1, num, place, i, helper, t, t)
        out[0, 0] = math.atan2(dot(cross(k, e), t), dot(e, t))
        out[0, 3] = 0.0
        return 1
    last = row + num + num_wrist - 1
    n, t = turn(D, vec(K, last, Z)), turn(D, vec(K, last, E))
    n, t = turned_back(K, row, z1, num, place, i, helper, n, t)
    return turn_helped(K, k, row + helper, row + num, num_wrist, n, t, q0, out)


@kernel
def wrist_solutions(
    K: FloatArray,
    row: int,
    z1: Vec3,
    place: FloatArray,
    i: int,
    D: Mat3,
    q0: FloatArray,
    out: FloatArray,
) -> tuple[int, int]:
    """Write the angles of the wrist for place i; return their number and the helper.

    A regional joint that does not move the wrist point (free in the place) completes a
    wrist of less than three joints; its angle comes first.
    """
    header, ref = K.shape[0] - HEADER, K.shape[0] - REFERENCE
    num, num_wrist = int(K[header, REGIONAL]), int(K[header, WRIST])
    helper = -1
    if place[i, 9] != 0.0 and K[header, TASK] == POSE:
        helper = helper_joint(int(place[i, 9]), num_wrist)
        if helper >= 0:
            count = helped_solutions(K, row, z1, place, i, helper, D, q0, out)
            return count, helper
    n = t = ORIGIN
    if num_wrist > 0:
        last = row + num + num_wrist - 1
        n, t = turn(D, vec(K, last, Z)), turn(D, vec(K, last, E))
        n, t = turned_back(K, row, z1, num, place, i, helper, n, t)
    minus, plus = K[ref, REF_KAPPA], K[ref, REF_KAPPA + 1]
    return turn_wrist(K, row + num, num_wrist, minus, plus, n, t, q0, out), helper


@kernel
def put_candidate(
    K: FloatArray,
    row: int,
    place: FloatArray,
    i: int,
    angle: FloatArray,
    j: int,
    helper: int,
    q: FloatArray,
) -> int:
    """Write the values of place i and wrist solution j into q; return free bits."""
    header = K.shape[0] - HEADER
    num, num_wrist = int(K[header, REGIONAL]), int(K[header, WRIST])
    for k in range(num):
        q[int(K[row + k, INDEX])] = place[i, k]
    start = 1 if helper >= 0 else 0
    for k in range(num_wrist):
        q[int(K[row + num + k, INDEX])] = angle[j, start + k]
    bits = int(place[i, 9])
    if helper >= 0:
        q[int(K[row + helper, INDEX])] = angle[j, 0]
        return (1 << helper) if angle[j, 3] != 0.0 else 0
    if angle[j, 3] != 0.0:
        bits |= 1 << num
    return bits


@kernel
def solve_partition(
    K: FloatArray,
    T: FloatArray,
    q0: FloatArray,
    mode: int,
    out: FloatArray,
    report: FloatArray,
) -> tuple[int, int, int]:
    """Write all branches of a partitioned arm into `out`.

    Args:
        K: Constants, see `joint_terms`.
        T: Target, shape (4, 4).
        q0: Reference and values of held joints, shape (nq,).
        mode: Bits WITH_Q0 and RESPECT_LIMITS.
        out: Receives the branches; the last row the one least outside the limits.
        report: Receives position and rotation error of the best branch.

    Returns:
        Number of branches (NOT_A_POSE: the target is none), row of the best (-1: none
        within limits, -2: none at all), bits of core joints that were free.
    """
    is_pose, R, p = target_pose(T)
    if not is_pose:
        return NOT_A_POSE, -2, 0
    header = K.shape[0] - HEADER
    task = int(K[header, TASK])
    row = int(K[header, CHAIN]) + 1 + int(K[header, LEAD])
    place, angle = np.empty((MAX_PLACES, PLACE_COLS)), np.empty((2, TURN_COLS))
    q, tally = np.empty(q0.shape[0]), np.empty(NUM_TALLY)
    begin(tally, report)
    z1, p1 = vec(K, row, Z), vec(K, row, P)
    D = R
    if task == POSITION:
        W = carried_point(K, q0)
        _, X = before_core(K, q0, R, p)
    else:
        W = vec(K, K.shape[0] - REFERENCE, REF_W)
        D, d = core_displacement(K, R, p, q0)
        X = add(turn(D, W), d)
        if K[header, CYCLIC] != 0.0:
            z1, p1 = turn(D, z1), add(turn(D, p1), d)
    num, eq = int(K[header, REGIONAL]), int(K[header, ROW])
    if num == 3:
        first = int(K[header, FIRST])
        count = place_with_three(K, row, z1, p1, first, eq, q0, W, X, place)
    elif num == 2:
        count = place_with_two(K, row, eq, q0, W, X, place)
    elif num == 1:
        count = place_with_one(K, row, z1, p1, q0, W, X, place)
    else:
        count = no_place(place)
    start = int(K[header, START])
    A, b = IDENTITY, ORIGIN
    for i in range(count):
        num_turns, helper = wrist_solutions(K, row, z1, place, i, D, q0, angle)
        for j in range(num_turns):
            restart(q, q0)
            bits = put_candidate(K, row, place, i, angle, j, helper, q)
            if j == 0 or helper >= 0:
                A, b = chain_part(K, int(ZERO), start, IDENTITY, ORIGIN, q)
            offer(K, R, p, q, q0, mode, bits, start, A, b, out, report, tally)
    return verdict(tally)


@kernel
def turned_direction(
    K: FloatArray, row: int, num: int, angle: FloatArray, i: int, v: Vec3
) -> Vec3:
    """Return a direction after the first `num` revolute joints have turned it."""
    for k in range(num - 1, -1, -1):
        x = angle[i, k]
        v = rotated(vec(K, row + k, Z), math.cos(x), math.sin(x), v)
    return v


@kernel
def turned_point(
    K: FloatArray, row: int, num: int, angle: FloatArray, i: int, y: Vec3
) -> Vec3:
    """Return a point after all revolute joints have moved it, the slides at 0."""
    for k in range(num - 1, -1, -1):
        x, o = angle[i, k], vec(K, row + k, P)
        y = add(o, rotated(vec(K, row + k, Z), math.cos(x), math.sin(x), sub(y, o)))
    return y


@kernel
def slides(a: Vec3, b: Vec3, c: Vec3, num: int, v: Vec3) -> Vec3:
    """Return x with x0 a + x1 b + x2 c = v; least squares for less than three."""
    if num == 1:
        return dot(a, v) / dot(a, a), 0.0, 0.0
    if num == 2:
        c = cross(a, b)
    n = cross(b, c)
    det = dot(a, n)
    if det == 0.0:
        return 0.0, 0.0, 0.0
    return dot(n, v) / det, dot(cross(c, a), v) / det, dot(cross(a, b), v) / det


@kernel
def solve_turn_then_slide(
    K: FloatArray,
    T: FloatArray,
    q0: FloatArray,
    mode: int,
    out: FloatArray,
    report: FloatArray,
) -> tuple[int, int, int]:
    """Write all branches of an arm with few revolute joints; see `solve_partition`.

    The rows of the core are the revolute joints in order, then the prismatic ones.
    """
    is_pose, R, p = target_pose(T)
    if not is_pose:
        return NOT_A_POSE, -2, 0
    header, ref = K.shape[0] - HEADER, K.shape[0] - REFERENCE
    row = int(K[header, CHAIN]) + 1 + int(K[header, LEAD])
    num = int(K[header, WRIST])
    D, d = core_displacement(K, R, p, q0)
    q, tally = np.empty(q0.shape[0]), np.empty(NUM_TALLY)
    angle = np.empty((MAX_PLACES, TURN_COLS))
    begin(tally, report)
    n, t = turn(D, vec(K, row + num - 1, Z)), turn(D, vec(K, row + num - 1, E))
    W = vec(K, ref, REF_W)
    X = add(turn(D, W), d)
    minus, plus = K[ref, REF_KAPPA], K[ref, REF_KAPPA + 1]
    first = row + num
    num_slides = int(K[header, SLIDES])
    for i in range(turn_wrist(K, row, num, minus, plus, n, t, q0, angle)):
        a = b = c = ORIGIN
        for k in range(num_slides):
            before = int(K[first + k, TURNS_BEFORE])
            v = turned_direction(K, row, before, angle, i, vec(K, first + k, Z))
            if k == 0:
                a = v
            elif k == 1:
                b = v
            else:
                c = v
        x = slides(a, b, c, num_slides, sub(X, turned_point(K, row, num, angle, i, W)))
        restart(q, q0)
        for k in range(num):
            q[int(K[row + k, INDEX])] = angle[i, k]
        for k in range(num_slides):
            q[int(K[first + k, INDEX])] = x[k]
        bits = int(angle[i, 3])
        offer(
            K, R, p, q, q0, mode, bits, int(ZERO), IDENTITY, ORIGIN, out, report, tally
        )
    return verdict(tally)
