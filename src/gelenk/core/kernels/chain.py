"""Forward kinematics and Jacobian along one chain (layout: `kinematics.chain`)."""

from __future__ import annotations

from gelenk.core.kernels.compile import kernel
from gelenk.core.kernels.tuples import (
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

IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@kernel
def quat_rotation(w, x, y, z):
    """Return the rotation of a quaternion of any length but 0."""
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return (
        1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),
        s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x),
        s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y),
    )  # fmt: skip


@kernel
def base_pose(is_floating, q):
    """Return rotation and position of the base: the identity, or from q[:7]."""
    if is_floating:
        return quat_rotation(q[3], q[4], q[5], q[6]), (q[0], q[1], q[2])
    return IDENTITY, (0.0, 0.0, 0.0)


@kernel
def put_pose(T, R, p):
    """Write a pose into a 4x4 matrix."""
    for i in range(3):
        T[3, i] = 0.0
    T[0, 0], T[0, 1], T[0, 2], T[0, 3] = R[0], R[1], R[2], p[0]
    T[1, 0], T[1, 1], T[1, 2], T[1, 3] = R[3], R[4], R[5], p[1]
    T[2, 0], T[2, 1], T[2, 2], T[2, 3] = R[6], R[7], R[8], p[2]
    T[3, 3] = 1.0


@kernel
def chain_pose(chain, q):
    """Return rotation and position of the chain's frame in the base."""
    last = chain.shape[0] - 1
    is_floating = chain[last, 12] != 0.0
    first = 7 if is_floating else 0
    R, p = base_pose(is_floating, q)
    for i in range(last):
        p = add(p, turn(R, vec(chain, i, 9)))
        R = chained(R, rot(chain, i, 0))
        value = chain[i, 14] * q[first + int(chain[i, 13])] + chain[i, 15]
        if chain[i, 12] != 0.0:
            R = turned_about_z(R, value)
        else:
            p = add(p, scaled(value, z_axis(R)))
    return chained(R, rot(chain, last, 0)), add(p, turn(R, vec(chain, last, 9)))


@kernel
def chain_pose_jacobian(chain, q, J):
    """Return rotation and position of the frame; write its Jacobian [v; omega] into J.

    Each joint first contributes the twist of the body point that passes through the
    base origin; at the end the reference point moves to the frame.
    """
    last = chain.shape[0] - 1
    is_floating = chain[last, 12] != 0.0
    first, column = (7, 6) if is_floating else (0, 0)
    R, p = base_pose(is_floating, q)
    J[:] = 0.0
    if is_floating:
        for k in range(3):
            J[k, k] = 1.0
            J[3 + k, 3 + k] = 1.0
        # omega x (frame - base), minus the shift that all columns get below
        J[1, 3], J[2, 3] = p[2], -p[1]
        J[0, 4], J[2, 4] = -p[2], p[0]
        J[0, 5], J[1, 5] = p[1], -p[0]
    for i in range(last):
        p = add(p, turn(R, vec(chain, i, 9)))
        R = chained(R, rot(chain, i, 0))
        z = z_axis(R)
        k = int(chain[i, 13])
        scale = chain[i, 14]
        value = scale * q[first + k] + chain[i, 15]
        k += column
        if chain[i, 12] != 0.0:
            moment = cross(p, z)
            for c in range(3):
                J[c, k] += scale * moment[c]
                J[3 + c, k] += scale * z[c]
            R = turned_about_z(R, value)
        else:
            for c in range(3):
                J[c, k] += scale * z[c]
            p = add(p, scaled(value, z))
    p = add(p, turn(R, vec(chain, last, 9)))
    for k in range(J.shape[1]):
        wx, wy, wz = J[3, k], J[4, k], J[5, k]
        J[0, k] += wy * p[2] - wz * p[1]
        J[1, k] += wz * p[0] - wx * p[2]
        J[2, k] += wx * p[1] - wy * p[0]
    return chained(R, rot(chain, last, 0)), p


@kernel
def pose_one(chain, q, T):
    """Write the frame's pose for one configuration."""
    R, p = chain_pose(chain, q)
    put_pose(T, R, p)


@kernel
def pose_many(chain, q, T):
    """Write the frame's pose for each row of q."""
    for b in range(q.shape[0]):
        R, p = chain_pose(chain, q[b])
        put_pose(T[b], R, p)


@kernel
def pose_jacobian_one(chain, q, T, J):
    """Write the frame's pose and Jacobian for one configuration."""
    R, p = chain_pose_jacobian(chain, q, J)
    put_pose(T, R, p)


@kernel
def pose_jacobian_many(chain, q, T, J):
    """Write the frame's pose and Jacobian for each row of q."""
    for b in range(q.shape[0]):
        R, p = chain_pose_jacobian(chain, q[b], J[b])
        put_pose(T[b], R, p)
