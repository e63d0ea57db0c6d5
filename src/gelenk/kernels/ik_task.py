"""Error of an inverse-kinematics task along one chain, and its starting points."""

from __future__ import annotations

import math

import numpy as np

from gelenk.kernels.chain import chain_pose, chain_pose_jacobian
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import (
    cross,
    dot,
    norm,
    put,
    rot,
    scaled,
    sub,
    turn,
    turn_back,
    turned_about_z,
    vec,
)
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


TWO_PI = 2.0 * math.pi


@kernel
def end_features(chain: FloatArray, T12: FloatArray, features: FloatArray) -> None:
    """Write what the first and the last joint, both revolute, cannot change of a pose.

    Seen from the first joint, the last joint's axis has a radius, a height, and a
    direction relative to that radius: turning the first joint moves only its azimuth,
    turning the last nothing at all. Seeds compared this way need not cover two of the
    dimensions.

    Args:
        chain: Chain whose first and last joints are revolute.
        T12: Pose of the frame as [R row-major, p].
        features: Output: radius, height, axis along z, radially, tangentially; azimuth.
    """
    last = chain.shape[0] - 1
    R_tool, p_tool = rot(chain, last, 0), vec(chain, last, 9)
    R = (T12[0], T12[1], T12[2], T12[3], T12[4], T12[5], T12[6], T12[7], T12[8])
    z = turn(R, (R_tool[6], R_tool[7], R_tool[8]))
    p = sub((T12[9], T12[10], T12[11]), turn(R, turn_back(R_tool, p_tool)))
    R_first = rot(chain, 0, 0)
    z = turn_back(R_first, z)
    p = turn_back(R_first, sub(p, vec(chain, 0, 9)))
    radius = math.sqrt(p[0] * p[0] + p[1] * p[1])
    scale = 1.0 / max(radius, 1e-12)
    features[0], features[1], features[2] = radius, p[2], z[2]
    features[3] = scale * (p[0] * z[0] + p[1] * z[1])
    features[4] = scale * (p[0] * z[1] - p[1] * z[0])
    features[5] = math.atan2(p[1], p[0])


@kernel
def costs_by_features(
    options: FloatArray, wanted: FloatArray, features: FloatArray, costs: FloatArray
) -> None:
    """Write the squared distance of each seed from the target in `end_features`."""
    w = options[SCALE] * options[SCALE]
    radius, height, z0, z1, z2 = wanted[0], wanted[1], wanted[2], wanted[3], wanted[4]
    for s in range(costs.shape[0]):
        a, b = features[0, s] - radius, features[1, s] - height
        c, d, e = features[2, s] - z0, features[3, s] - z1, features[4, s] - z2
        costs[s] = w * (a * a + b * b) + 0.5 * (c * c + d * d + e * e)


@kernel
def costs_by_pose(
    options: FloatArray, target: FloatArray, seed_poses: FloatArray, costs: FloatArray
) -> None:
    """Write how far each seed's pose is from the part of the target that counts."""
    task = int(options[TASK])
    w = options[SCALE] * options[SCALE]
    if task in (AXIS, ROTATION):
        w = 0.0
    for s in range(costs.shape[0]):
        x = seed_poses[9, s] - target[9]
        y = seed_poses[10, s] - target[10]
        z = seed_poses[11, s] - target[11]
        costs[s] = w * (x * x + y * y + z * z)
    if task == POSITION:
        return
    only_z = task in (AXIS, POSITION_AXIS)
    for c in range(9):
        if only_z and c % 3 != 2:
            continue
        for s in range(costs.shape[0]):
            costs[s] -= 0.5 * seed_poses[c, s] * target[c]


@kernel
def cheapest(costs: FloatArray) -> int:
    """Return the index of the smallest cost and strike it out; -1 if none is left."""
    a = b = c = d = np.inf
    fours = costs.shape[0] // 4 * 4
    for s in range(0, fours, 4):  # four minima at a time: none waits for another
        a, b = min(a, costs[s]), min(b, costs[s + 1])
        c, d = min(c, costs[s + 2]), min(d, costs[s + 3])
    lowest = min(min(a, b), min(c, d))
    for s in range(fours, costs.shape[0]):
        lowest = min(lowest, costs[s])
    if not lowest < np.inf:
        return -1
    best = 0
    while costs[best] != lowest:
        best += 1
    costs[best] = np.inf
    return best


@kernel
def turned_within(value: float, low: float, high: float) -> float:
    """Return an angle moved by whole turns into the limits, or the nearest limit."""
    value -= TWO_PI * math.floor((value - 0.5 * (low + high)) / TWO_PI + 0.5)
    if not (value < np.inf):
        return 0.0
    return min(max(value, low), high)


@kernel
def align_ends(
    chain: FloatArray,
    target: FloatArray,
    limits: FloatArray,
    azimuth: float,
    seed_poses: FloatArray,
    seed: int,
    q: FloatArray,
) -> None:
    """Turn the first joint to an azimuth, then the last to the target's rotation.

    The pose of the seed is known, so the first turn needs no forward kinematics:
    R -> R_first Rz R_first^T R.
    """
    last = chain.shape[0] - 1
    k = int(chain[0, 13])
    old = q[k]
    q[k] = turned_within(old + azimuth, _finite(limits[0, k]), _finite(limits[1, k]))
    R_first, R_tool = rot(chain, 0, 0), rot(chain, last, 0)
    back = turned_about_z(R_first, old - q[k])
    # Axes x and y of the last joint, seen from the turned first joint.
    R_d = (
        target[0], target[1], target[2], target[3], target[4], target[5], target[6],
        target[7], target[8],
    )  # fmt: skip
    R_s = (
        seed_poses[0, seed], seed_poses[1, seed], seed_poses[2, seed],
        seed_poses[3, seed], seed_poses[4, seed], seed_poses[5, seed],
        seed_poses[6, seed], seed_poses[7, seed], seed_poses[8, seed],
    )  # fmt: skip
    x_tool, y_tool = (
        (R_tool[0], R_tool[1], R_tool[2]),
        (R_tool[3], R_tool[4], R_tool[5]),
    )
    x = turn_back(back, turn(R_s, x_tool))
    y = turn_back(back, turn(R_s, y_tool))
    x_d, y_d = (
        turn_back(R_first, turn(R_d, x_tool)),
        turn_back(R_first, turn(R_d, y_tool)),
    )
    k = int(chain[last - 1, 13])
    angle = math.atan2(dot(y, x_d) - dot(x, y_d), dot(x, x_d) + dot(y, y_d))
    q[k] = turned_within(q[k] + angle, _finite(limits[0, k]), _finite(limits[1, k]))


@kernel
def _finite(limit: float) -> float:
    """Return a limit, half a turn if there is none."""
    return min(max(limit, -TWO_PI), TWO_PI)


@kernel
def seed_table(
    chain: FloatArray, seeds: FloatArray, seed_poses: FloatArray, features: FloatArray
) -> None:
    """Write the pose of each seed as a column [R row-major, p], and its features."""
    pose, feature = np.empty(12), np.empty(6)
    for s in range(seeds.shape[0]):
        R, p = chain_pose(chain, seeds[s])
        for c in range(9):
            pose[c] = R[c]
        for c in range(3):
            pose[9 + c] = p[c]
        seed_poses[:, s] = pose
        if features.shape[1] > 0:
            end_features(chain, pose, feature)
            features[:, s] = feature
