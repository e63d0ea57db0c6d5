"""Six joints of which three neighbours move in parallel planes (as in a UR5).

The three make a planar displacement G: it keeps the direction h of their axes and all
heights along it. With the other three called a, b, c the chain reads G Ea Eb Ec = D.
For parallel joints 2, 3, 4 joint 1 is moved behind the others: E1 G E5 E6 = D is
G E5 E6 E1' = D with E1' about the axis that joint 1 has seen from the target. Joint b
keeps its own axis hb and a point pb on it, so Ea Eb = G^-1 D Ec^-1 gives two equations,

    h . Ra hb = h . D Rc^T hb        (direction)
    h . Ea pb = h . D Ec^-1 pb       (height)

in joints a and c (`two_joint_elimination`). Then b follows, G is known, and the planar
arm remains.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.kernels.chain import IDENTITY
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import (
    add,
    cross,
    dot,
    scaled,
    sub,
    turn,
    turn_back,
    vec,
)
from gelenk.kinematics.inverse.closed.arm_and_wrist import (
    PLACE_COLS,
    last_angle,
    place_with_two,
)
from gelenk.kinematics.inverse.closed.branches import (
    NUM_TALLY,
    ORIGIN,
    ZERO,
    begin,
    offer,
    restart,
    verdict,
)
from gelenk.kinematics.inverse.closed.joint_terms import (
    CHAIN,
    CYCLIC,
    END_FAR,
    FIRST,
    FLIPPED,
    HEADER,
    INDEX,
    KIND,
    LEAD,
    NOT_A_POSE,
    REF_H,
    REF_KAPPA,
    REFERENCE,
    ROW,
    TRIPLE_ROW,
    E,
    P,
    Z,
    across,
    core_displacement,
    rotated,
    solve_cone,
    solve_cosine,
    target_pose,
    turn_from_to,
    wished_state,
)
from gelenk.kinematics.inverse.closed.two_joint_elimination import (
    PAIR_COLS,
    solve_pairs,
)
from gelenk.typing import FloatArray, Mat3, Vec2, Vec3, Vec6

DIRECTION, HEIGHT = 0, 1  # the two equations


@kernel
def height_end(h: Vec3, z: Vec3, p: Vec3, y: Vec3, v: Vec3, sign: float) -> Vec6:
    """Return the end of a revolute joint: rows h . R v and h . E y."""
    hz, zv = dot(h, z), dot(z, v)
    d = sub(y, p)
    zd = dot(z, d)
    n = cross(h, z)  # h . (z x v) = (h x z) . v
    return (
        dot(h, v) - hz * zv, sign * dot(n, v), hz * zv,
        dot(h, d) - hz * zd, sign * dot(n, d), dot(h, p) + hz * zd,
    )  # fmt: skip


@kernel
def outer_pairs(
    K: FloatArray,
    row: int,
    h: Vec3,
    zc: Vec3,
    pc: Vec3,
    D: Mat3,
    d: Vec3,
    q0: FloatArray,
    pairs: FloatArray,
) -> int:
    """Write the states of joints a and c; return the number of pairs."""
    header, ref = K.shape[0] - HEADER, K.shape[0] - REFERENCE
    za, pa = vec(K, row, Z), vec(K, row, P)
    hb, pb = vec(K, row + 1, Z), vec(K, row + 1, P)
    hh = turn_back(D, h)
    A = height_end(h, za, pa, pb, hb, 1.0)
    B = height_end(hh, zc, pc, pb, hb, -1.0)
    B = (-B[0], -B[1], -B[2], -B[3], -B[4], -(B[5] + dot(h, d)))
    first, eq = int(K[header, FIRST]), int(K[header, ROW])
    if first != END_FAR or eq != HEIGHT:
        return solve_pairs(K, first, eq, row, A, row + 2, B, q0, pairs)
    # Axes a and b meet in pb: heights give c, and the direction is a cone about a.
    count = 0
    n, c, s, c_other, s_other = solve_cosine(B[3], B[4], -(A[5] + B[5]))
    free = 0.0
    if n < 0:
        n, (c, s), free = 1, wished_state(K, row + 2, q0), 2.0
    for i in range(n):
        if i == 1:
            c, s = c_other, s_other
        N = turn(D, rotated(zc, c, -s, hb))
        m, x, y, u, v = solve_cone(
            h, za, hb, N, K[ref, REF_KAPPA], K[ref, REF_KAPPA + 1]
        )
        for j in range(max(m, 0)):
            pairs[count, 0], pairs[count, 1] = (x, y) if j == 0 else (u, v)
            pairs[count, 2], pairs[count, 3], pairs[count, 4] = c, s, free
            count += 1
    return count


@kernel
def reachable_turn(
    K: FloatArray, row: int, z: Vec3, p: Vec3, y: Vec3, state: Vec2, centre: Vec3
) -> Vec2:
    """Return the state nearest to `state` that brings y, moved back, within reach.

    Used where joint b turns about a further parallel axis and is free: the distance of
    the moved point from `centre` must suit the two parallel links.
    """
    z1, p1, p2 = vec(K, row, Z), vec(K, row, P), vec(K, row + 1, P)
    p3 = vec(K, row + 2, P)
    a, b = across(z1, sub(p2, p1)), across(z1, sub(p3, p2))
    la, lb = math.sqrt(dot(a, a)), math.sqrt(dot(b, b))
    # Squared distance = A cos + B sin + C
    v, m = across(z, sub(y, p)), across(z, sub(p, centre))
    A, B = 2.0 * dot(m, v), -2.0 * dot(m, cross(z, v))
    C = dot(m, m) + dot(v, v)
    now = A * state[0] + B * state[1] + C
    bound = now
    if now > (la + lb) * (la + lb):
        bound = (la + lb) * (la + lb)
    elif now < (la - lb) * (la - lb):
        bound = (la - lb) * (la - lb)
    else:
        return state
    n, c, s, c_other, s_other = solve_cosine(A, B, bound - C)
    if n != 2:
        return state
    if c * state[0] + s * state[1] >= c_other * state[0] + s_other * state[1]:
        return (c, s)
    return (c_other, s_other)


@kernel
def middle_state(
    K: FloatArray,
    row: int,
    h: Vec3,
    zc: Vec3,
    pc: Vec3,
    D: Mat3,
    d: Vec3,
    q0: FloatArray,
    pairs: FloatArray,
    i: int,
) -> tuple[Vec2, int]:
    """Return the state of joint b, and its bit if it was free."""
    za, pa = vec(K, row + 3, Z), vec(K, row + 3, P)
    hb, pb = vec(K, row + 4, Z), vec(K, row + 4, P)
    wanted = rotated(za, pairs[i, 0], -pairs[i, 1], h)
    given = rotated(zc, pairs[i, 2], pairs[i, 3], turn_back(D, h))
    known, c, s = turn_from_to(hb, given, wanted)
    if known:
        return (c, s), 0
    state = wished_state(K, row + 4, q0)
    header = K.shape[0] - HEADER
    revolute = K[row, KIND] + K[row + 1, KIND] + K[row + 2, KIND]
    if revolute == 3.0 and K[header, FLIPPED] == 0.0 and K[row + 4, INDEX] >= 0.0:
        # G p3 = D Ec^-1 Eb^-1 y, y = Ea^-1 p3; its distance from p1 is the distance of
        # Eb^-1 y from p1 seen through D and Ec.
        p3 = vec(K, row + 2, P)
        y = add(pa, rotated(za, pairs[i, 0], -pairs[i, 1], sub(p3, pa)))
        o = turn_back(D, sub(vec(K, row, P), d))
        o = add(pc, rotated(zc, pairs[i, 2], pairs[i, 3], sub(o, pc)))
        state = reachable_turn(K, row, hb, pb, y, state, o)
    return state, 16


@kernel
def planar_image(
    K: FloatArray,
    row: int,
    zc: Vec3,
    pc: Vec3,
    D: Mat3,
    d: Vec3,
    pairs: FloatArray,
    i: int,
    sb: Vec2,
    y: Vec3,
    weight: float,
    is_flipped: bool,
) -> Vec3:
    """Return G y or, flipped, G^-1 y, for a point (weight 1) or a direction (0)."""
    za, pa = vec(K, row + 3, Z), vec(K, row + 3, P)
    hb, pb = vec(K, row + 4, Z), vec(K, row + 4, P)
    pa, pb = scaled(weight, pa), scaled(weight, pb)
    pc, d = scaled(weight, pc), scaled(weight, d)
    if is_flipped:
        y = turn_back(D, sub(y, d))
        y = add(pc, rotated(zc, pairs[i, 2], pairs[i, 3], sub(y, pc)))
        y = add(pb, rotated(hb, sb[0], sb[1], sub(y, pb)))
        return add(pa, rotated(za, pairs[i, 0], pairs[i, 1], sub(y, pa)))
    y = add(pa, rotated(za, pairs[i, 0], -pairs[i, 1], sub(y, pa)))
    y = add(pb, rotated(hb, sb[0], -sb[1], sub(y, pb)))
    y = add(pc, rotated(zc, pairs[i, 2], -pairs[i, 3], sub(y, pc)))
    return add(turn(D, y), d)


@kernel
def put_value(K: FloatArray, row: int, q: FloatArray, x: float) -> None:
    """Store a joint value, unless the row is no joint of the robot."""
    index = int(K[row, INDEX])
    if index >= 0:
        q[index] = x


@kernel
def solve_parallel(
    K: FloatArray,
    T: FloatArray,
    q0: FloatArray,
    mode: int,
    out: FloatArray,
    report: FloatArray,
) -> tuple[int, int, int]:
    """Write all branches of an arm with parallel joints; see `solve_partition`."""
    is_pose, R, p = target_pose(T)
    if not is_pose:
        return NOT_A_POSE, -2, 0
    header = K.shape[0] - HEADER
    row = int(K[header, CHAIN]) + 1 + int(K[header, LEAD])
    h = vec(K, K.shape[0] - REFERENCE, REF_H)
    D, d = core_displacement(K, R, p, q0)
    zc, pc = vec(K, row + 5, Z), vec(K, row + 5, P)
    if K[header, CYCLIC] != 0.0:
        zc, pc = turn_back(D, zc), turn_back(D, sub(pc, d))
    is_flipped = K[header, FLIPPED] != 0.0
    eq = int(K[header, TRIPLE_ROW])
    pairs, place = np.empty((4, PAIR_COLS)), np.empty((2, PLACE_COLS))
    q, tally = np.empty(q0.shape[0]), np.empty(NUM_TALLY)
    begin(tally, report)
    W, e = vec(K, row + 2, P), vec(K, row + 2, E)
    for i in range(outer_pairs(K, row + 3, h, zc, pc, D, d, q0, pairs)):
        free = int(pairs[i, 4])
        sb, bit = middle_state(K, row, h, zc, pc, D, d, q0, pairs, i)
        bits = bit | ((free & 1) << 3) | ((free & 2) << 4)
        X = planar_image(K, row, zc, pc, D, d, pairs, i, sb, W, 1.0, is_flipped)
        t = planar_image(K, row, zc, pc, D, d, pairs, i, sb, e, 0.0, is_flipped)
        for j in range(place_with_two(K, row, eq, q0, W, X, place)):
            v = t
            if K[row, KIND] != 0.0:
                v = rotated(vec(K, row, Z), place[j, 3], -place[j, 4], v)
            if K[row + 1, KIND] != 0.0:
                v = rotated(vec(K, row + 1, Z), place[j, 5], -place[j, 6], v)
            restart(q, q0)
            put_value(K, row, q, place[j, 0])
            put_value(K, row + 1, q, place[j, 1])
            put_value(K, row + 2, q, last_angle(K, row + 2, v))
            put_value(K, row + 3, q, math.atan2(pairs[i, 1], pairs[i, 0]))
            put_value(K, row + 4, q, math.atan2(sb[1], sb[0]))
            put_value(K, row + 5, q, math.atan2(pairs[i, 3], pairs[i, 2]))
            found = bits | int(place[j, 9])
            offer(
                K,
                R,
                p,
                q,
                q0,
                mode,
                found,
                int(ZERO),
                IDENTITY,
                ORIGIN,
                out,
                report,
                tally,
            )
    return verdict(tally)
