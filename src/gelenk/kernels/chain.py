"""Forward kinematics and Jacobian along one chain (layout: `kinematics.chain`)."""

from __future__ import annotations

from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import (
    add,
    chained,
    cross,
    rot,
    scaled,
    turn,
    turned_about_z,
    vec,
    z_axis,
)
from gelenk.typing import FloatArray, Mat3, Vec3

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
def chain_pose(chain: FloatArray, q: FloatArray) -> tuple[Mat3, Vec3]:
    """Return rotation and position of the chain's frame in the base."""
    last = chain.shape[0] - 1
    is_floating = chain[last, 12] != 0.0
    first = 7 if is_floating else 0
    R, p = base_pose(is_floating, q)
    for i in range(last):
        value = chain[i, 14] * q[first + int(chain[i, 13])] + chain[i, 15]
        p = add(p, turn(R, vec(chain, i, 9)))
        if chain[i, 12] != 0.0:
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
        k = int(chain[i, 13])
        scale = chain[i, 14]
        value = scale * q[first + k] + chain[i, 15]
        k += column
        p = add(p, turn(R, vec(chain, i, 9)))
        if chain[i, 12] != 0.0:
            R = chained(R, turned_about_z(rot(chain, i, 0), value))
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
