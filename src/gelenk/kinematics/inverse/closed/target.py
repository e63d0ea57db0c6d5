"""What the solved joints have to achieve: the target without tool and held joints."""

from __future__ import annotations

import math

from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import (
    add,
    chained,
    cross,
    dot,
    rot,
    scaled,
    sub,
    turn,
    turn_back,
    vec,
)
from gelenk.kinematics.inverse.closed.layout import (
    CHAIN,
    CORE,
    HEADER,
    KIND,
    LEAD,
    PLACE,
    REF_W,
    REFERENCE,
    REVERSED,
    TRAIL,
    P,
    Z,
)
from gelenk.kinematics.inverse.closed.state import (
    inverse_state,
    moved,
    wished_state,
)
from gelenk.kinematics.inverse.closed.subproblems import rotated
from gelenk.typing import FloatArray, Mat3, Vec2, Vec3

SKEWED = 1e-5  # how far a target's rotation may be from orthonormal, rounded print


@kernel
def target_pose(T: FloatArray) -> tuple[bool, Mat3, Vec3]:
    """Return whether T is a pose, its rotation made orthonormal, and its position.

    One step R (3 E - R^T R) / 2 squares the distance from orthonormality.
    """
    R = (
        T[0, 0], T[0, 1], T[0, 2], T[1, 0], T[1, 1], T[1, 2], T[2, 0], T[2, 1], T[2, 2]
    )  # fmt: skip
    p = (T[0, 3], T[1, 3], T[2, 3])
    x, y, z = (R[0], R[3], R[6]), (R[1], R[4], R[7]), (R[2], R[5], R[8])
    xx, yy, zz = 0.5 * dot(x, x) - 0.5, 0.5 * dot(y, y) - 0.5, 0.5 * dot(z, z) - 0.5
    xy, xz, yz = 0.5 * dot(x, y), 0.5 * dot(x, z), 0.5 * dot(y, z)
    skew = abs(xx) + abs(yy) + abs(zz) + abs(xy) + abs(xz) + abs(yz)
    is_pose = (
        skew < SKEWED
        and dot(cross(x, y), z) > 0.0
        and math.isfinite(p[0] + p[1] + p[2])
    )
    step = (1.0 - xx, -xy, -xz, -xy, 1.0 - yy, -yz, -xz, -yz, 1.0 - zz)
    return is_pose, chained(R, step), p


@kernel
def pose_moved(
    kind: float, z: Vec3, o: Vec3, state: Vec2, R: Mat3, p: Vec3
) -> tuple[Mat3, Vec3]:
    """Return a pose after a joint with axis z through o has moved it."""
    if kind == 0.0:
        return R, add(p, scaled(state[0], z))
    c, s = state
    x = rotated(z, c, s, (R[0], R[3], R[6]))
    y = rotated(z, c, s, (R[1], R[4], R[7]))
    w = rotated(z, c, s, (R[2], R[5], R[8]))
    p = add(o, rotated(z, c, s, sub(p, o)))
    return (x[0], y[0], w[0], x[1], y[1], w[1], x[2], y[2], w[2]), p


@kernel
def inverted(R: Mat3, p: Vec3) -> tuple[Mat3, Vec3]:
    """Return the inverse pose."""
    q = turn_back(R, p)
    return (
        (R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]),
        (-q[0], -q[1], -q[2]),
    )


@kernel
def before_core(K: FloatArray, q0: FloatArray, R: Mat3, p: Vec3) -> tuple[Mat3, Vec3]:
    """Return a pose seen from behind the leading joints, which are held at q0."""
    header = K.shape[0] - HEADER
    row = int(K[header, CHAIN]) + 1
    for i in range(row, row + int(K[header, LEAD])):
        state = inverse_state(K[i, KIND], wished_state(K, i, q0))
        R, p = pose_moved(K[i, KIND], vec(K, i, Z), vec(K, i, P), state, R, p)
    return R, p


@kernel
def core_displacement(
    K: FloatArray, R: Mat3, p: Vec3, q0: FloatArray
) -> tuple[Mat3, Vec3]:
    """Return the displacement that the core has to make for the frame to meet (R, p).

    The tool at q = 0 and the joints held before and behind the core are taken off; for
    a reversed core it is the inverse displacement.
    """
    header = K.shape[0] - HEADER
    place = K.shape[0] - PLACE
    p = add(p, turn(R, vec(K, place, 9)))
    R = chained(R, rot(K, place, 0))
    is_reversed = K[header, REVERSED] != 0.0
    trail = int(K[header, TRAIL])
    lead = int(K[header, LEAD])
    if lead > 0:
        R, p = before_core(K, q0, R, p)
    if trail > 0:
        # From the right: T E^-1 = (E T^-1)^-1
        R, p = inverted(R, p)
        row = int(K[header, CHAIN]) + 1 + lead + int(K[header, CORE])
        for i in range(row + trail - 1, row - 1, -1):
            state = wished_state(K, i, q0)
            R, p = pose_moved(K[i, KIND], vec(K, i, Z), vec(K, i, P), state, R, p)
        is_reversed = not is_reversed
    if is_reversed:
        R, p = inverted(R, p)
    return R, p


@kernel
def carried_point(K: FloatArray, q0: FloatArray) -> Vec3:
    """Return the wrist point at q = 0, moved by the joints held behind the core."""
    header = K.shape[0] - HEADER
    row = int(K[header, CHAIN]) + 1 + int(K[header, LEAD]) + int(K[header, CORE])
    W = vec(K, K.shape[0] - REFERENCE, REF_W)
    for i in range(row + int(K[header, TRAIL]) - 1, row - 1, -1):
        W = moved(K[i, KIND], vec(K, i, Z), vec(K, i, P), wished_state(K, i, q0), W)
    return W
