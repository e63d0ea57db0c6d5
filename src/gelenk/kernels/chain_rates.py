"""Derivatives of a chain's Jacobian, by time and by coordinates.

Along a chain a joint axis is carried by the joints before it, and the frame's origin by
all joints. So with [l_j; w_j] the column of joint j and k another joint,

    k at or before j:  d l_j / d q_k = w_k x l_j,  d w_j / d q_k = w_k x w_j
    k behind j:        d l_j / d q_k = w_j x l_k,  d w_j / d q_k = 0

A floating base has its twist in fixed axes: its own columns are not turned by it.
"""

from __future__ import annotations

import numpy as np

from gelenk.kernels.chain import base_pose
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import (
    add,
    chained,
    cross,
    put,
    rot,
    scaled,
    sub,
    turn,
    turned_about_z,
    vec,
    z_axis,
)
from gelenk.typing import FloatArray, Vec3

AXIS, POINT, OMEGA, SPEED = 0, 3, 6, 9  # columns of the work space, a row per body


@kernel
def _unit(k: int) -> Vec3:
    """Return the k-th unit vector."""
    return (
        1.0 if k == 0 else 0.0,
        1.0 if k == 1 else 0.0,
        1.0 if k == 2 else 0.0,
    )


@kernel
def _add_column(J: FloatArray, k: int, lin: Vec3, ang: Vec3) -> None:
    """Add [lin; ang] to column k."""
    for c in range(3):
        J[c, k] += lin[c]
        J[3 + c, k] += ang[c]


@kernel
def _outward(
    chain: FloatArray, q: FloatArray, qd: FloatArray, w: FloatArray
) -> tuple[Vec3, Vec3, Vec3, Vec3]:
    """Fill the work space; return position and velocity of base and frame origin.

    Row i gets axis and a point of joint i, and how the body before it moves there.
    """
    last = chain.shape[0] - 1
    is_floating = chain[last, 12] != 0.0
    first, column = (7, 6) if is_floating else (0, 0)
    R, p = base_pose(is_floating, q)
    v = omega = (0.0, 0.0, 0.0)
    if is_floating:
        v, omega = (qd[0], qd[1], qd[2]), (qd[3], qd[4], qd[5])
    p_base, v_base = p, v
    for i in range(last):
        arm = turn(R, vec(chain, i, 9))
        p, v = add(p, arm), add(v, cross(omega, arm))
        R = chained(R, rot(chain, i, 0))
        z = z_axis(R)
        put(w, i, AXIS, z)
        put(w, i, POINT, p)
        put(w, i, OMEGA, omega)
        put(w, i, SPEED, v)
        k, scale = int(chain[i, 13]), chain[i, 14]
        value, speed = scale * q[first + k] + chain[i, 15], scale * qd[column + k]
        if chain[i, 12] != 0.0:
            omega = add(omega, scaled(speed, z))
            R = turned_about_z(R, value)
        else:
            arm = scaled(value, z)
            p = add(p, arm)
            v = add(v, add(cross(omega, arm), scaled(speed, z)))
    arm = turn(R, vec(chain, last, 9))
    return p_base, v_base, add(p, arm), add(v, cross(omega, arm))


@kernel
def _jacobian_rate(
    chain: FloatArray, q: FloatArray, qd: FloatArray, w: FloatArray, J_dot: FloatArray
) -> None:
    """Write the time derivative of the frame's Jacobian for one state."""
    last = chain.shape[0] - 1
    column = 6 if chain[last, 12] != 0.0 else 0
    zero = (0.0, 0.0, 0.0)
    _, v_base, p, v = _outward(chain, q, qd, w)
    J_dot[:] = 0.0
    if column > 0:
        for c in range(3):
            _add_column(J_dot, 3 + c, cross(_unit(c), sub(v, v_base)), zero)
    for i in range(last):
        k, scale = column + int(chain[i, 13]), chain[i, 14]
        z = vec(w, i, AXIS)
        z_dot = cross(vec(w, i, OMEGA), z)
        if chain[i, 12] != 0.0:
            arm, arm_dot = sub(p, vec(w, i, POINT)), sub(v, vec(w, i, SPEED))
            lin = add(cross(z_dot, arm), cross(z, arm_dot))
            _add_column(J_dot, k, scaled(scale, lin), scaled(scale, z_dot))
        else:
            _add_column(J_dot, k, scaled(scale, z_dot), zero)


@kernel
def _jacobian_partials(chain, q, qd, w, H):
    """Write the derivative of the frame's Jacobian by each coordinate into H."""
    last = chain.shape[0] - 1
    column = 6 if chain[last, 12] != 0.0 else 0
    zero = (0.0, 0.0, 0.0)
    p_base, _, p, _ = _outward(chain, q, qd, w)
    H[:] = 0.0
    # The POINT and AXIS columns become those of the Jacobian, [l; w] of each body.
    for i in range(last):
        z, scale = vec(w, i, AXIS), chain[i, 14]
        is_hinge = chain[i, 12] != 0.0
        lin = cross(z, sub(p, vec(w, i, POINT))) if is_hinge else z
        put(w, i, POINT, scaled(scale, lin))
        put(w, i, AXIS, scaled(scale, z) if is_hinge else zero)
    for j in range(last):
        a, l_j, w_j = column + int(chain[j, 13]), vec(w, j, POINT), vec(w, j, AXIS)
        for k in range(last):
            b = column + int(chain[k, 13])
            if k <= j:
                w_k = vec(w, k, AXIS)
                _add_column(H[:, :, b], a, cross(w_k, l_j), cross(w_k, w_j))
            else:
                _add_column(H[:, :, b], a, cross(w_j, vec(w, k, POINT)), zero)
        if column > 0:
            for c in range(3):
                e = _unit(c)
                _add_column(H[:, :, 3 + c], a, cross(e, l_j), cross(e, w_j))
                _add_column(H[:, :, a], 3 + c, cross(e, l_j), zero)
    if column > 0:
        for c in range(3):
            for d in range(3):
                lin = cross(_unit(c), cross(_unit(d), sub(p, p_base)))
                _add_column(H[:, :, 3 + d], 3 + c, lin, zero)


@kernel
def jacobian_rate_many(
    chain: FloatArray, q: FloatArray, qd: FloatArray, J_dot: FloatArray
) -> None:
    """Write the time derivative of the Jacobian for each row of (q, qd)."""
    w = np.empty((chain.shape[0], 12))
    for b in range(q.shape[0]):
        _jacobian_rate(chain, q[b], qd[b], w, J_dot[b])


@kernel
def jacobian_partials_many(chain, q, qd, H):
    """Write the derivatives of the Jacobian by the coordinates for each row of q."""
    w = np.empty((chain.shape[0], 12))
    for b in range(q.shape[0]):
        _jacobian_partials(chain, q[b], qd[b], w, H[b])
