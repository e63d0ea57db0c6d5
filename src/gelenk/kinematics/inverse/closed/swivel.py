"""Seven joints with spherical shoulder and wrist: eight branches per swivel angle.

The elbow joint sets the distance from shoulder S to wrist W. What remains free is the
turn of the elbow about the line S W: the swivel angle psi, measured from the direction
of axis 1 (where the line is parallel to it: from a fixed perpendicular).
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.kernels.chain import IDENTITY
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import (
    add,
    chained,
    cross,
    dot,
    norm,
    scaled,
    sin_cos,
    sub,
    turn,
    turn_back,
    vec,
)
from gelenk.kinematics.inverse.closed.arm_and_wrist import (
    TURN_COLS,
    end_at_hinge,
    turn_three,
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
    FREE,
    HEADER,
    INDEX,
    LEAD,
    NOT_A_POSE,
    REF_ELBOW,
    REF_KAPPA,
    REF_SHOULDER_KAPPA,
    REF_W,
    REFERENCE,
    START,
    E,
    P,
    Z,
    across,
    core_displacement,
    rotated,
    solve_cosine,
    target_pose,
    wished_state,
)
from gelenk.typing import FloatArray, Mat3, Vec3


@kernel
def reference_direction(K: FloatArray, row: int, n: Vec3) -> Vec3:
    """Return the direction of zero swivel: axis 1 made perpendicular to n."""
    u = across(n, vec(K, row, Z))
    if dot(u, u) <= FREE:
        u = across(n, vec(K, row, E))
    return scaled(1.0 / norm(u), u)


@kernel
def elbow_direction(n: Vec3, b: Vec3, z: Vec3) -> Vec3:
    """Return where the elbow b lies across the line n; if on it, by the axis z."""
    v = across(n, b)
    if dot(v, v) <= FREE:
        v = cross(z, n)
    return scaled(1.0 / norm(v), v)


@kernel
def swivel_at(K: FloatArray, q: FloatArray) -> float:
    """Return the swivel angle of the configuration q [rad]."""
    ref = K.shape[0] - REFERENCE
    row = int(K[K.shape[0] - HEADER, CHAIN]) + 1
    S, W, elbow = vec(K, row, P), vec(K, ref, REF_W), vec(K, ref, REF_ELBOW)
    c, s = wished_state(K, row + 3, q)
    o = vec(K, row + 3, P)
    w = sub(add(o, rotated(vec(K, row + 3, Z), c, s, sub(W, o))), S)
    b, z = sub(elbow, S), vec(K, row + 3, Z)
    for i in range(row + 2, row - 1, -1):
        c, s = wished_state(K, i, q)
        axis = vec(K, i, Z)
        w, b, z = rotated(axis, c, s, w), rotated(axis, c, s, b), rotated(axis, c, s, z)
    length = norm(w)
    if length <= FREE:
        return 0.0
    n = scaled(1.0 / length, w)
    u, e = reference_direction(K, row, n), elbow_direction(n, b, z)
    return math.atan2(dot(cross(n, u), e), dot(u, e))


@kernel
def shoulder_rotation(n_from: Vec3, e_from: Vec3, n_to: Vec3, e_to: Vec3) -> Mat3:
    """Return the rotation that carries a pair (n, e) at right angles to another."""
    f, g = cross(n_from, e_from), cross(n_to, e_to)
    A = (
        n_to[0], e_to[0], g[0], n_to[1], e_to[1], g[1], n_to[2], e_to[2], g[2]
    )  # fmt: skip
    return chained(A, (*n_from, *e_from, *f))


@kernel
def held_rotation(K: FloatArray, row: int, q0: FloatArray) -> Mat3:
    """Return the rotation of the three shoulder joints at q0."""
    x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    for i in range(row + 2, row - 1, -1):
        c, s = wished_state(K, i, q0)
        axis = vec(K, i, Z)
        x, y, z = rotated(axis, c, s, x), rotated(axis, c, s, y), rotated(axis, c, s, z)
    return (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])


@kernel
def offer_swivel(
    K: FloatArray,
    row: int,
    R: Mat3,
    p: Vec3,
    D: Mat3,
    v: Vec3,
    psi: float,
    q0: FloatArray,
    mode: int,
    out: FloatArray,
    report: FloatArray,
    tally: FloatArray,
) -> None:
    """Offer the branches whose elbow lies at the swivel angle psi."""
    ref = K.shape[0] - REFERENCE
    S, W, elbow = vec(K, row, P), vec(K, ref, REF_W), vec(K, ref, REF_ELBOW)
    z4, p4 = vec(K, row + 3, Z), vec(K, row + 3, P)
    length = norm(v)
    is_folded = length <= FREE  # wrist in the shoulder: all turns of it are the same
    n = e = (0.0, 0.0, 0.0)
    if not is_folded:
        n = scaled(1.0 / length, v)
        u = reference_direction(K, row, n)
        s, c = sin_cos(psi)
        e = add(scaled(c, u), scaled(s, cross(n, u)))
    end = end_at_hinge(1.0, z4, p4, W, 1.0, z4, S)
    count, c, s, c_other, s_other = solve_cosine(
        end[3], end[4], 0.5 * dot(v, v) - end[5]
    )
    start = int(K[K.shape[0] - HEADER, START])
    M, m = IDENTITY, ORIGIN
    shoulder, wrist = np.empty((2, TURN_COLS)), np.empty((2, TURN_COLS))
    q = np.empty(q0.shape[0])
    for i in range(count):
        if i == 1:
            c, s = c_other, s_other
        w = sub(add(p4, rotated(z4, c, s, sub(W, p4))), S)
        if is_folded:
            A = held_rotation(K, row, q0)
        else:
            n_from = scaled(1.0 / norm(w), w)
            e_from = elbow_direction(n_from, sub(elbow, S), z4)
            A = shoulder_rotation(n_from, e_from, n, e)
        num = turn_three(
            K, vec(K, row, Z), row, row + 1,
            K[ref, REF_SHOULDER_KAPPA], K[ref, REF_SHOULDER_KAPPA + 1],
            turn(A, vec(K, row + 2, Z)), turn(A, vec(K, row + 2, E)), q0, shoulder,
        )  # fmt: skip
        h, t = turn(D, vec(K, row + 6, Z)), turn(D, vec(K, row + 6, E))
        h = rotated(z4, c, -s, turn_back(A, h))
        t = rotated(z4, c, -s, turn_back(A, t))
        num_wrist = turn_three(
            K, vec(K, row + 4, Z), row + 4, row + 5,
            K[ref, REF_KAPPA], K[ref, REF_KAPPA + 1], h, t, q0, wrist,
        )  # fmt: skip
        for j in range(num):
            for k in range(num_wrist):
                restart(q, q0)
                q[int(K[row + 3, INDEX])] = math.atan2(s, c)
                for i_ in range(3):
                    q[int(K[row + i_, INDEX])] = shoulder[j, i_]
                    q[int(K[row + 4 + i_, INDEX])] = wrist[k, i_]
                bits = 7 if is_folded else int(shoulder[j, 3])
                bits |= int(wrist[k, 3]) << 4
                if k == 0:
                    M, m = chain_part(K, int(ZERO), start, IDENTITY, ORIGIN, q)
                offer(K, R, p, q, q0, mode, bits, start, M, m, out, report, tally)


@kernel
def solve_swivel(
    K: FloatArray,
    T: FloatArray,
    q0: FloatArray,
    mode: int,
    out: FloatArray,
    report: FloatArray,
) -> tuple[int, int, int]:
    """Write the branches at one swivel angle into `out`; see `solve_partition`.

    `report[0]` holds the swivel angle on entry; NaN takes the one of q0.
    """
    psi = report[0] if math.isfinite(report[0]) else swivel_at(K, q0)
    is_pose, R, p = target_pose(T)
    if not is_pose:
        return NOT_A_POSE, -2, 0
    header = K.shape[0] - HEADER
    row = int(K[header, CHAIN]) + 1 + int(K[header, LEAD])
    D, d = core_displacement(K, R, p, q0)
    tally = np.empty(NUM_TALLY)
    begin(tally, report)
    W = vec(K, K.shape[0] - REFERENCE, REF_W)
    v = sub(add(turn(D, W), d), vec(K, row, P))
    offer_swivel(K, row, R, p, D, v, psi, q0, mode, out, report, tally)
    return verdict(tally)
