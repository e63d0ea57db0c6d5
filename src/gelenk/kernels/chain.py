"""Kinematics along one chain: poses, Jacobian and its derivatives.

Layout of the arrays: `kinematics.chain`.
"""

from __future__ import annotations

import numpy as np

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
from gelenk.typing import FloatArray, Mat3, Vec3

COLS = 17  # columns of a chain
BALL, BALL_PART = 2.0, 3.0  # kinds of its rows
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@kernel
def quat_rotation(w: float, x: float, y: float, z: float) -> Mat3:
    """Return the rotation of a quaternion of any length but 0."""
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return (
        1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),
        s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x),
        s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y),
    )  # fmt: skip


@kernel
def ball_turned(R: Mat3, q: FloatArray, k: int) -> Mat3:
    """Return R turned by the quaternion q[k:k + 4], its columns the axes y, z, x."""
    a = chained(R, quat_rotation(q[k], q[k + 1], q[k + 2], q[k + 3]))
    return (a[1], a[2], a[0], a[4], a[5], a[3], a[7], a[8], a[6])


@kernel
def base_pose(is_floating: bool, q: FloatArray) -> tuple[Mat3, Vec3]:
    """Return rotation and position of the base: the identity, or from q[:7]."""
    if is_floating:
        return quat_rotation(q[3], q[4], q[5], q[6]), (q[0], q[1], q[2])
    return IDENTITY, (0.0, 0.0, 0.0)


@kernel
def put_pose(T: FloatArray, R: Mat3, p: Vec3) -> None:
    """Write a pose into a 4x4 matrix."""
    for i in range(3):
        T[3, i] = 0.0
    T[0, 0], T[0, 1], T[0, 2], T[0, 3] = R[0], R[1], R[2], p[0]
    T[1, 0], T[1, 1], T[1, 2], T[1, 3] = R[3], R[4], R[5], p[1]
    T[2, 0], T[2, 1], T[2, 2], T[2, 3] = R[6], R[7], R[8], p[2]
    T[3, 3] = 1.0


@kernel
def _ball_placement(chain: FloatArray, i: int, q: FloatArray, k: int) -> Mat3:
    """Return the rotation of a part of a ball: by the quaternion q[k:], or none."""
    R = rot(chain, i, 0)
    return ball_turned(R, q, k) if chain[i, 12] == BALL else R


@kernel
def chain_pose(chain: FloatArray, q: FloatArray) -> tuple[Mat3, Vec3]:
    """Return rotation and position of the chain's frame in the base."""
    last = chain.shape[0] - 1
    is_floating = chain[last, 12] != 0.0
    first = 7 if is_floating else 0
    R, p = base_pose(is_floating, q)
    for i in range(last):
        k = first + int(chain[i, 13])
        value = chain[i, 14] * q[k] + chain[i, 15]
        p = add(p, turn(R, vec(chain, i, 9)))
        if chain[i, 12] >= BALL:
            R = chained(R, _ball_placement(chain, i, q, k))
        elif chain[i, 12] != 0.0:
            # Turn the constant placement first: it does not wait for R.
            R = chained(R, turned_about_z(rot(chain, i, 0), value))
        else:
            R = chained(R, rot(chain, i, 0))
            p = add(p, scaled(value, z_axis(R)))
    return chained(R, rot(chain, last, 0)), add(p, turn(R, vec(chain, last, 9)))


@kernel
def chain_pose_jacobian(
    chain: FloatArray, q: FloatArray, S: FloatArray
) -> tuple[Mat3, Vec3]:
    """Return rotation and position of the frame; write its joint twists into S.

    Row k of S is column k of the Jacobian: [v; omega] for unit speed of coordinate k.
    Each joint first contributes the twist of the body point that passes through the
    base origin; at the end the reference point moves to the frame.
    """
    last = chain.shape[0] - 1
    is_floating = chain[last, 12] != 0.0
    first, column = (7, 6) if is_floating else (0, 0)
    R, p = base_pose(is_floating, q)
    for k in range(S.shape[0]):
        for c in range(6):
            S[k, c] = 0.0
    if is_floating:
        for k in range(6):
            S[k, k] = 1.0
        # omega about the base origin, seen at the world origin: p x e_k
        S[3, 1], S[3, 2] = p[2], -p[1]
        S[4, 0], S[4, 2] = -p[2], p[0]
        S[5, 0], S[5, 1] = p[1], -p[0]
    for i in range(last):
        k = first + int(chain[i, 13])
        scale = chain[i, 14]
        value = scale * q[k] + chain[i, 15]
        p = add(p, turn(R, vec(chain, i, 9)))
        if chain[i, 12] >= BALL:
            R = chained(R, _ball_placement(chain, i, q, k))
        elif chain[i, 12] != 0.0:
            R = chained(R, turned_about_z(rot(chain, i, 0), value))
        k = column + int(chain[i, 16])
        if chain[i, 12] != 0.0:
            z = z_axis(R)
            moment = cross(p, z)
            for c in range(3):
                S[k, c] += scale * moment[c]
                S[k, 3 + c] += scale * z[c]
        else:
            R = chained(R, rot(chain, i, 0))
            z = z_axis(R)
            for c in range(3):
                S[k, c] += scale * z[c]
            p = add(p, scaled(value, z))
    p = add(p, turn(R, vec(chain, last, 9)))
    for k in range(S.shape[0]):
        shift = cross((S[k, 3], S[k, 4], S[k, 5]), p)
        for c in range(3):
            S[k, c] += shift[c]
    return chained(R, rot(chain, last, 0)), p


@kernel
def pose_one(chain: FloatArray, q: FloatArray, T: FloatArray) -> None:
    """Write the frame's pose for one configuration."""
    R, p = chain_pose(chain, q)
    put_pose(T, R, p)


@kernel
def pose_many(chain: FloatArray, q: FloatArray, T: FloatArray) -> None:
    """Write the frame's pose for each row of q."""
    for b in range(q.shape[0]):
        R, p = chain_pose(chain, q[b])
        put_pose(T[b], R, p)


@kernel
def pose_jacobian_one(
    chain: FloatArray, q: FloatArray, T: FloatArray, J: FloatArray
) -> None:
    """Write the frame's pose and Jacobian for one configuration."""
    R, p = chain_pose_jacobian(chain, q, J.T)
    put_pose(T, R, p)


@kernel
def pose_jacobian_many(
    chain: FloatArray, q: FloatArray, T: FloatArray, J: FloatArray
) -> None:
    """Write the frame's pose and Jacobian for each row of q."""
    for b in range(q.shape[0]):
        R, p = chain_pose_jacobian(chain, q[b], J[b].T)
        put_pose(T[b], R, p)


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
        kind, k, scale = chain[i, 12], first + int(chain[i, 13]), chain[i, 14]
        if kind == BALL:
            R = ball_turned(R, q, k)
        z = z_axis(R)
        put(w, i, AXIS, z)
        put(w, i, POINT, p)
        put(w, i, OMEGA, omega)
        put(w, i, SPEED, v)
        value, speed = (
            scale * q[k] + chain[i, 15],
            scale * qd[column + int(chain[i, 16])],
        )
        if kind != 0.0:
            omega = add(omega, scaled(speed, z))
            if kind < BALL:
                R = turned_about_z(R, value)
        else:
            arm = scaled(value, z)
            p = add(p, arm)
            v = add(v, add(cross(omega, arm), scaled(speed, z)))
        if kind == BALL_PART:  # the axes of a ball are fixed to the link behind it
            row = i
            while chain[row, 12] == BALL_PART:
                row -= 1
            for j in range(row, i + 1):
                put(w, j, OMEGA, omega)
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
        k, scale = column + int(chain[i, 16]), chain[i, 14]
        z = vec(w, i, AXIS)
        z_dot = cross(vec(w, i, OMEGA), z)
        if chain[i, 12] != 0.0:
            arm, arm_dot = sub(p, vec(w, i, POINT)), sub(v, vec(w, i, SPEED))
            lin = add(cross(z_dot, arm), cross(z, arm_dot))
            _add_column(J_dot, k, scaled(scale, lin), scaled(scale, z_dot))
        else:
            _add_column(J_dot, k, scaled(scale, z_dot), zero)


@kernel
def _jacobian_partials(
    chain: FloatArray, q: FloatArray, qd: FloatArray, w: FloatArray, H: FloatArray
) -> None:
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
        a, l_j, w_j = column + int(chain[j, 16]), vec(w, j, POINT), vec(w, j, AXIS)
        for k in range(last):
            b = column + int(chain[k, 16])
            is_same = chain[k, 12] >= BALL and chain[k, 13] == chain[j, 13]
            if k <= j or is_same:
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
def jacobian_partials_many(
    chain: FloatArray, q: FloatArray, qd: FloatArray, H: FloatArray
) -> None:
    """Write the derivatives of the Jacobian by the coordinates for each row of q."""
    w = np.empty((chain.shape[0], 12))
    for b in range(q.shape[0]):
        _jacobian_partials(chain, q[b], qd[b], w, H[b])
