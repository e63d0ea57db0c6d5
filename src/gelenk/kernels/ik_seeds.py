"""Where inverse kinematics starts: known configurations, the most promising first."""

from __future__ import annotations

import math

import numpy as np

from gelenk.kernels.chain import chain_pose
from gelenk.kernels.compile import kernel
from gelenk.kernels.ik_task import (
    AXIS,
    POSITION,
    POSITION_AXIS,
    ROTATION,
    SCALE,
    TASK,
)
from gelenk.kernels.tuples import (
    dot,
    rot,
    sub,
    turn,
    turn_back,
    turned_about_z,
    vec,
)
from gelenk.typing import FloatArray

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
