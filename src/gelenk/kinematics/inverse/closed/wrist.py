"""Up to three revolute joints whose axes meet, turned to a wanted rotation.

What is wanted of the wrist comes as two vectors: where the last joint's axis h and a
perpendicular e must point, n = R_w h and t = R_w e. The last angle is always taken from
t with all others applied, so that the product is right even where the others are
ill-conditioned. The first axis is an argument of its own: where a joint further down
does not move the wrist point, it turns the wrist instead.
"""

from __future__ import annotations

import math

from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import cross, dot, norm, vec
from gelenk.kinematics.inverse.closed.layout import E, F, Z
from gelenk.kinematics.inverse.closed.state import wished_state
from gelenk.kinematics.inverse.closed.subproblems import (
    rotated,
    solve_cone,
    turn_from_to,
)
from gelenk.typing import FloatArray, Vec3

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
