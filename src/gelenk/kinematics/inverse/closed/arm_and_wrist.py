"""Parts of an arm: up to three joints that place a point, up to three that turn.

**Arm.** E1 E2 E3 W = X, in any mix of kinds. The point u = E3 W runs along a circle or
a line, and so does v = E1^-1 X; joint 2 must carry u to v. A turn about axis 2 keeps
the height along the axis and the distance from a point on it, a slide keeps the two
coordinates across: two equations in joints 1 and 3 (`two_joint_elimination`), after
which joint 2 follows.

**Wrist.** Axes that meet, turned to a wanted rotation, which comes as two vectors:
where the last joint's axis h and a perpendicular e must point, n = R_w h and t = R_w e.
The last angle is always taken from t with all others applied, so that the product is
right even where the others are ill-conditioned. The first axis is an argument of its
own: where a joint further down does not move the wrist point, it turns the wrist
instead.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import add, cross, dot, norm, scaled, sub, vec
from gelenk.kinematics.inverse.closed.joint_terms import (
    KIND,
    E,
    F,
    P,
    Z,
    inverse_state,
    joint_value,
    moved,
    rotated,
    solve_cone,
    solve_end,
    turn_from_to,
    wished_state,
)
from gelenk.kinematics.inverse.closed.two_joint_elimination import (
    FAR_FREE,
    NEAR_FREE,
    PAIR_COLS,
    solve_pairs,
)
from gelenk.typing import FloatArray, Vec2, Vec3, Vec6

# Columns of a place: three joint values, three (cos, sin), bits of free joints
PLACE_COLS = 10
MAX_PLACES = 4


@kernel
def end_at_hinge(
    kind: float, z: Vec3, p: Vec3, y: Vec3, sign: float, z2: Vec3, p2: Vec3
) -> Vec6:
    """Return the end of a joint that moves the point y, seen from a revolute joint 2.

    Row 0: height along z2 over p2; row 1: half the squared distance from p2.
    `sign` -1.0 moves y backwards.
    """
    if kind == 0.0:
        m = sub(y, p2)
        return (
            sign * dot(z2, z), 0.0, dot(z2, m), sign * dot(m, z), 0.5, 0.5 * dot(m, m)
        )  # fmt: skip
    d = sub(y, p)
    height = dot(z, d)
    d = sub(d, scaled(height, z))
    g = cross(z, d)
    m = sub(add(p, scaled(height, z)), p2)
    return (
        dot(z2, d), sign * dot(z2, g), dot(z2, m),
        dot(m, d), sign * dot(m, g), 0.5 * (dot(m, m) + dot(d, d)),
    )  # fmt: skip


@kernel
def end_at_slide(
    kind: float, z: Vec3, p: Vec3, y: Vec3, sign: float, e2: Vec3, f2: Vec3
) -> Vec6:
    """Return the end of a joint that moves the point y, seen from a prismatic joint 2.

    The rows are the coordinates along e2 and f2, which are across joint 2.
    """
    if kind == 0.0:
        return (
            sign * dot(e2, z), 0.0, dot(e2, y), sign * dot(f2, z), 0.0, dot(f2, y)
        )  # fmt: skip
    d = sub(y, p)
    height = dot(z, d)
    d = sub(d, scaled(height, z))
    g = cross(z, d)
    m = add(p, scaled(height, z))
    return (
        dot(e2, d), sign * dot(e2, g), dot(e2, m),
        dot(f2, d), sign * dot(f2, g), dot(f2, m),
    )  # fmt: skip


@kernel
def put_place(
    out: FloatArray,
    i: int,
    x1: float,
    s1: Vec2,
    x2: float,
    s2: Vec2,
    x3: float,
    s3: Vec2,
    bits: int,
) -> None:
    """Store one solution of a regional arm."""
    out[i, 0], out[i, 1], out[i, 2] = x1, x2, x3
    out[i, 3], out[i, 4] = s1[0], s1[1]
    out[i, 5], out[i, 6] = s2[0], s2[1]
    out[i, 7], out[i, 8] = s3[0], s3[1]
    out[i, 9] = float(bits)


@kernel
def place_with_three(
    K: FloatArray,
    row: int,
    z1: Vec3,
    p1: Vec3,
    first: int,
    eq: int,
    q0: FloatArray,
    W: Vec3,
    X: Vec3,
    out: FloatArray,
) -> int:
    """Write joints 1 to 3 with E1 E2 E3 W = X into rows of `out`; return their number.

    Joint 1 has row `row` in K, but the axis z1 through p1; the other two follow.
    `first` and `eq` say how the equations are solved, see `solve_pairs`.
    """
    pairs = np.empty((MAX_PLACES, PAIR_COLS))
    k1, k2, k3 = K[row, KIND], K[row + 1, KIND], K[row + 2, KIND]
    z2, p2 = vec(K, row + 1, Z), vec(K, row + 1, P)
    z3, p3 = vec(K, row + 2, Z), vec(K, row + 2, P)
    if k2 != 0.0:
        A = end_at_hinge(k1, z1, p1, X, -1.0, z2, p2)
        B = end_at_hinge(k3, z3, p3, W, 1.0, z2, p2)
    else:
        e2, f2 = vec(K, row + 1, E), vec(K, row + 1, F)
        A = end_at_slide(k1, z1, p1, X, -1.0, e2, f2)
        B = end_at_slide(k3, z3, p3, W, 1.0, e2, f2)
    B = (-B[0], -B[1], -B[2], -B[3], -B[4], -B[5])
    count = solve_pairs(K, first, eq, row, A, row + 2, B, q0, pairs)
    for i in range(count):
        s1, s3 = (pairs[i, 0], pairs[i, 1]), (pairs[i, 2], pairs[i, 3])
        free = int(pairs[i, 4])
        bits = (1 if free & NEAR_FREE else 0) | (4 if free & FAR_FREE else 0)
        v = moved(k1, z1, p1, inverse_state(k1, s1), X)
        u = moved(k3, z3, p3, s3, W)
        if k2 != 0.0:
            known, c, s = turn_from_to(z2, sub(u, p2), sub(v, p2))
            s2 = (c, s)
            if not known:
                s2 = wished_state(K, row + 1, q0)
                bits |= 2
        else:
            x = dot(z2, sub(v, u))
            s2 = (x, x * x)
        put_place(
            out, i, joint_value(k1, s1), s1, joint_value(k2, s2), s2,
            joint_value(k3, s3), s3, bits,
        )  # fmt: skip
    return count


@kernel
def place_with_two(
    K: FloatArray, row: int, eq: int, q0: FloatArray, W: Vec3, X: Vec3, out: FloatArray
) -> int:
    """Write joints 1 and 2 with E1 E2 W = X into rows of `out`; return their number.

    Joint 2 solves what joint 1 cannot change: a turn keeps height (`eq` 0) and distance
    from its point (`eq` 1), a slide keeps the coordinate along its e.
    """
    k1, z1, p1 = K[row, KIND], vec(K, row, Z), vec(K, row, P)
    k2, z2, p2 = K[row + 1, KIND], vec(K, row + 1, Z), vec(K, row + 1, P)
    if k1 != 0.0:
        B = end_at_hinge(k2, z2, p2, W, 1.0, z1, p1)
        m = sub(X, p1)
        a, b, k = B[0], B[1], dot(z1, m) - B[2]
        if eq == 1:
            a, b, k = B[3], B[4], 0.5 * dot(m, m) - B[5]
    else:
        e1 = vec(K, row, E)
        B = end_at_slide(k2, z2, p2, W, 1.0, e1, vec(K, row, F))
        a, b, k = B[0], B[1], dot(e1, X) - B[2]
    count, x0, x1, y0, y1 = solve_end(k2, a, b, k)
    free = 0
    if count < 0:
        count, free = 1, 2
        x0, x1 = wished_state(K, row + 1, q0)
    for i in range(count):
        s2 = (x0, x1) if i == 0 else (y0, y1)
        u = moved(k2, z2, p2, s2, W)
        s1, bit = carry(K, row, k1, z1, p1, q0, u, X)
        bits = free | bit
        put_place(
            out, i, joint_value(k1, s1), s1, joint_value(k2, s2), s2,
            0.0, (1.0, 0.0), bits,
        )  # fmt: skip
    return count


@kernel
def carry(
    K: FloatArray,
    row: int,
    kind: float,
    z: Vec3,
    p: Vec3,
    q0: FloatArray,
    u: Vec3,
    v: Vec3,
) -> tuple[Vec2, int]:
    """Return the state of a joint that carries u to v, and 1 if it was free, else 0."""
    if kind == 0.0:
        x = dot(z, sub(v, u))
        return (x, x * x), 0
    known, c, s = turn_from_to(z, sub(u, p), sub(v, p))
    if known:
        return (c, s), 0
    return wished_state(K, row, q0), 1


@kernel
def place_with_one(
    K: FloatArray,
    row: int,
    z1: Vec3,
    p1: Vec3,
    q0: FloatArray,
    W: Vec3,
    X: Vec3,
    out: FloatArray,
) -> int:
    """Write joint 1 with E1 W = X into a row of `out`; return 1."""
    k1, one = K[row, KIND], (1.0, 0.0)
    for i in range(1):
        s1, bits = carry(K, row, k1, z1, p1, q0, W, X)
        put_place(out, i, joint_value(k1, s1), s1, 0.0, one, 0.0, one, bits)
    return 1


TURN_COLS = 4  # three angles, bits of free joints


@kernel
def last_angle(K: FloatArray, row: int, t: Vec3) -> float:
    """Return the angle of the joint in `row` that points its e along t."""
    return math.atan2(dot(vec(K, row, F), t), dot(vec(K, row, E), t))


@kernel
def turn_two(
    K: FloatArray,
    h1: Vec3,
    first: int,
    row: int,
    n: Vec3,
    t: Vec3,
    q0: FloatArray,
    out: FloatArray,
) -> int:
    """Write the angles about h1 and of the joint in `row`; return how many solutions.

    Where the angle about h1 is free, it is that of the joint in row `first` at q0.
    """
    known, c, s = turn_from_to(h1, vec(K, row, Z), n)
    out[0, 3] = 0.0
    if not known:
        (c, s), out[0, 3] = wished_state(K, first, q0), 1.0
    out[0, 0] = math.atan2(s, c)
    out[0, 1] = last_angle(K, row, rotated(h1, c, -s, t))
    return 1


@kernel
def turn_three(
    K: FloatArray,
    h1: Vec3,
    first: int,
    row: int,
    kappa_minus: float,
    kappa_plus: float,
    n: Vec3,
    t: Vec3,
    q0: FloatArray,
    out: FloatArray,
) -> int:
    """Write the angles about h1 and of the two joints from `row` on; return how many.

    Where first and last axis fall together, the angle about h1 is that of the joint in
    row `first` at q0. The kappas are those of `solve_cone`.
    """
    h2, h3 = vec(K, row, Z), vec(K, row + 1, Z)
    count, c, s, c_other, s_other = solve_cone(h1, h2, h3, n, kappa_minus, kappa_plus)
    for i in range(count):
        if i == 1:
            c, s = c_other, s_other
        known, c1, s1 = turn_from_to(h1, rotated(h2, c, s, h3), n)
        out[i, 3] = 0.0
        if not known:
            (c1, s1), out[i, 3] = wished_state(K, first, q0), 1.0
        out[i, 0] = math.atan2(s1, c1)
        out[i, 1] = math.atan2(s, c)
        out[i, 2] = last_angle(K, row + 1, rotated(h2, c, -s, rotated(h1, c1, -s1, t)))
    return max(count, 0)


@kernel
def angle_between(a: Vec3, b: Vec3) -> float:
    """Return the angle of two unit vectors, precise everywhere."""
    return math.atan2(norm(cross(a, b)), dot(a, b))


@kernel
def turn_helped(
    K: FloatArray,
    k: Vec3,
    first: int,
    row: int,
    num: int,
    n: Vec3,
    t: Vec3,
    q0: FloatArray,
    out: FloatArray,
) -> int:
    """Write the angles about k and of the `num` joints (1, 2) from `row` on."""
    if num == 1:
        return turn_two(K, k, first, row, n, t, q0, out)
    alpha = angle_between(k, vec(K, row, Z))
    beta = angle_between(vec(K, row, Z), vec(K, row + 1, Z))
    minus, plus = math.sin(0.5 * (alpha - beta)), math.cos(0.5 * (alpha + beta))
    return turn_three(
        K, k, first, row, -2.0 * minus * minus, -2.0 * plus * plus, n, t, q0, out
    )


@kernel
def turn_wrist(
    K: FloatArray,
    row: int,
    num: int,
    kappa_minus: float,
    kappa_plus: float,
    n: Vec3,
    t: Vec3,
    q0: FloatArray,
    out: FloatArray,
) -> int:
    """Write the angles of the `num` joints (0 to 3) from `row` on; return how many."""
    out[0, 3] = 0.0
    if num == 0:
        return 1
    if num == 1:
        out[0, 0] = last_angle(K, row, t)
        return 1
    h1 = vec(K, row, Z)
    if num == 2:
        return turn_two(K, h1, row, row + 1, n, t, q0, out)
    return turn_three(K, h1, row, row + 1, kappa_minus, kappa_plus, n, t, q0, out)
