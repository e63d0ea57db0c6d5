"""Arms with at most three revolute joints: turns give the rotation, slides the rest.

Slides do not turn anything, so the revolute joints alone must make the wanted rotation,
wherever they sit in the chain. With their angles known the target's position is linear
in the slides.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.kernels.chain import IDENTITY
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import add, cross, dot, sub, turn, vec
from gelenk.kinematics.inverse.closed.branches import (
    NUM_TALLY,
    ORIGIN,
    ZERO,
    begin,
    offer,
    restart,
    verdict,
)
from gelenk.kinematics.inverse.closed.layout import (
    CHAIN,
    HEADER,
    INDEX,
    LEAD,
    NOT_A_POSE,
    REF_KAPPA,
    REF_W,
    REFERENCE,
    SLIDES,
    TURNS_BEFORE,
    WRIST,
    E,
    P,
    Z,
)
from gelenk.kinematics.inverse.closed.regional import MAX_PLACES
from gelenk.kinematics.inverse.closed.subproblems import rotated
from gelenk.kinematics.inverse.closed.target import core_displacement, target_pose
from gelenk.kinematics.inverse.closed.wrist import TURN_COLS, turn_wrist


@kernel
def turned_direction(K, row, num, angle, i, v):
    """Return a direction after the first `num` revolute joints have turned it."""
    for k in range(num - 1, -1, -1):
        x = angle[i, k]
        v = rotated(vec(K, row + k, Z), math.cos(x), math.sin(x), v)
    return v


@kernel
def turned_point(K, row, num, angle, i, y):
    """Return a point after all revolute joints have moved it, the slides at 0."""
    for k in range(num - 1, -1, -1):
        x, o = angle[i, k], vec(K, row + k, P)
        y = add(o, rotated(vec(K, row + k, Z), math.cos(x), math.sin(x), sub(y, o)))
    return y


@kernel
def slides(a, b, c, num, v):
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
def solve_turn_then_slide(K, T, q0, mode, out, report):
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
