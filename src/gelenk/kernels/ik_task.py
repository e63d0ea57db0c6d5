"""The error of an inverse-kinematics task along one chain."""

from __future__ import annotations

import math

from gelenk.kernels.chain import chain_pose_jacobian
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import cross, dot, norm, put, scaled, sub, vec
from gelenk.typing import FloatArray, Mat3, Vec3

# Entries of the options array.
POSITION_TOL, ROTATION_TOL, MAX_ITERATIONS, MAX_STARTS = 0, 1, 2, 3
TASK, HAS_START, WEIGHT, SCALE, WEIGHTED = 4, 5, 6, 12, 13  # SCALE: 2 / reach [1/m]
NUM_OPTIONS = 14

# Coefficients of arcsin(s) / s in powers of s^2.
A1, A2, A3, A4 = 1.0 / 6.0, 3.0 / 40.0, 15.0 / 336.0, 105.0 / 3456.0
SMALL_SINE = 0.01  # square of a sine, 6 degrees

# Tasks
POSE, POSITION, AXIS, POSITION_AXIS, ROTATION = 0, 1, 2, 3, 4


@kernel
def rotation_error(R: Mat3, target: FloatArray) -> Vec3:
    """Return log(R_d R^T) as a rotation vector in base axes; R_d is in target[:9]."""
    # E = R_d R^T; only its skew part and trace are needed away from half a turn.
    e00 = target[0] * R[0] + target[1] * R[1] + target[2] * R[2]
    e11 = target[3] * R[3] + target[4] * R[4] + target[5] * R[5]
    e22 = target[6] * R[6] + target[7] * R[7] + target[8] * R[8]
    e10 = target[3] * R[0] + target[4] * R[1] + target[5] * R[2]
    e20 = target[6] * R[0] + target[7] * R[1] + target[8] * R[2]
    e21 = target[6] * R[3] + target[7] * R[4] + target[8] * R[5]
    e01 = target[0] * R[3] + target[1] * R[4] + target[2] * R[5]
    e02 = target[0] * R[6] + target[1] * R[7] + target[2] * R[8]
    e12 = target[3] * R[6] + target[4] * R[7] + target[5] * R[8]
    v = (0.5 * (e21 - e12), 0.5 * (e02 - e20), 0.5 * (e10 - e01))
    cosine = 0.5 * (e00 + e11 + e22 - 1.0)
    square = dot(v, v)
    if square < SMALL_SINE and cosine > 0.0:
        # angle / sine as the series of the arc sine; the next term is below 1e-11
        return scaled(
            1.0 + square * (A1 + square * (A2 + square * (A3 + square * A4))), v
        )
    sine = math.sqrt(square)
    if sine < 1e-7:
        # Half a turn: the axis is the largest column of E + 1.
        if e00 >= e11 and e00 >= e22:
            axis = (e00 + 1.0, e10, e20)
        elif e11 >= e22:
            axis = (e01, e11 + 1.0, e21)
        else:
            axis = (e02, e12, e22 + 1.0)
        return scaled(math.pi / norm(axis), axis)
    return scaled(math.atan2(sine, cosine) / sine, v)


@kernel
def axis_error(R: Mat3, target: FloatArray) -> Vec3:
    """Return the rotation vector that turns the frame's z onto the target's z."""
    z, wanted = (R[2], R[5], R[8]), (target[2], target[5], target[8])
    v = cross(z, wanted)
    sine, cosine = norm(v), dot(z, wanted)
    if sine < 1e-12:
        if cosine > 0.0:
            return v
        # Opposite: any perpendicular axis will do.
        v = cross(z, (1.0, 0.0, 0.0) if abs(z[0]) < 0.8 else (0.0, 1.0, 0.0))
        return scaled(math.pi / norm(v), v)
    return scaled(math.atan2(sine, cosine) / sine, v)


@kernel
def task_error(
    chain: FloatArray,
    target: FloatArray,
    options: FloatArray,
    q: FloatArray,
    S: FloatArray,
) -> tuple[Vec3, Vec3, float, float]:
    """Write the joint twists of the weighted task; return its error and its size.

    Returns:
        Weighted linear and angular error, and the squares of both [m^2] and [rad^2],
        unweighted.
    """
    R, p = chain_pose_jacobian(chain, q, S)
    task = int(options[TASK])
    d = (target[9] - p[0], target[10] - p[1], target[11] - p[2])
    if task == POSE:
        v = rotation_error(R, target)
        if options[WEIGHTED] == 0.0:
            return d, v, dot(d, d), dot(v, v)
    else:
        d, v = _partial_task(task, target, R, d, S)
    used_d = used_v = (0.0, 0.0, 0.0)
    w_d, w_v = (
        (options[6], options[7], options[8]),
        (options[9], options[10], options[11]),
    )
    # A component of weight 0 is no part of the task, whatever its error.
    used_d = (
        d[0] if w_d[0] > 0.0 else 0.0,
        d[1] if w_d[1] > 0.0 else 0.0,
        d[2] if w_d[2] > 0.0 else 0.0,
    )
    used_v = (
        v[0] if w_v[0] > 0.0 else 0.0,
        v[1] if w_v[1] > 0.0 else 0.0,
        v[2] if w_v[2] > 0.0 else 0.0,
    )
    for k in range(S.shape[0]):
        for c in range(6):
            S[k, c] *= options[WEIGHT + c]
    d = (w_d[0] * d[0], w_d[1] * d[1], w_d[2] * d[2])
    v = (w_v[0] * v[0], w_v[1] * v[1], w_v[2] * v[2])
    return d, v, dot(used_d, used_d), dot(used_v, used_v)


@kernel
def _partial_task(
    task: int, target: FloatArray, R: Mat3, d: Vec3, S: FloatArray
) -> tuple[Vec3, Vec3]:
    """Return the error of a task other than the full pose; clear S where it is free."""
    zero = (0.0, 0.0, 0.0)
    v = zero
    if task == ROTATION:
        v = rotation_error(R, target)
    elif task != POSITION:
        v = axis_error(R, target)
    if task in (AXIS, ROTATION):
        d = zero
    z = (R[2], R[5], R[8])
    for k in range(S.shape[0]):
        if task in (AXIS, ROTATION):
            put(S, k, 0, zero)
        if task == POSITION:
            put(S, k, 3, zero)
        elif task != ROTATION:
            # Turning about the axis itself is free.
            omega = vec(S, k, 3)
            put(S, k, 3, sub(omega, scaled(dot(omega, z), z)))
    return d, v
