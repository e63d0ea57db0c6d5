"""Order of leg poses by short moves, and poses spread as a person would pick them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gelenk.dynamics.rnea import inverse_dynamics
from gelenk.errors import ConfigError
from gelenk.models.tree import RobotModel
from gelenk.robots.nao.joints import LEG, LEG_JOINTS, limits, model_from_body
from gelenk.robots.nao.poses.candidates import Candidates, PoseJudge
from gelenk.robots.nao.robot import JOINTS
from gelenk.typing import FloatArray

# Joints go at half of their top speed, to spare the motors, and every move needs this
# time to start and to end [s].
SPEED_SHARE = 0.5
PAUSE = 0.3
_TOP_SPEED: FloatArray = np.deg2rad(
    [JOINTS[name[1:]].speed for name in LEG_JOINTS["left"]]
)
_BLOCKED = 1e3  # [s], cost of a way on which something is touched


def move_time(start: FloatArray, end: FloatArray) -> FloatArray:
    """Return the duration of moves between leg poses [s], shape (...,)."""
    longest = np.max(np.abs(end - start) / (SPEED_SHARE * _TOP_SPEED), axis=-1)
    return longest + PAUSE


def order_poses(legs: FloatArray, start: FloatArray, judge: PoseJudge) -> list[int]:
    """Return the order in which poses are visited from a start pose and back to it.

    Insertion at the cheapest place, then stretches are turned round while that
    shortens the tour. Ways on which something is touched are avoided.

    Args:
        legs: Leg poses [rad], shape (n, 6).
        start: Leg pose before and after [rad], shape (6,).
        judge: Knows what is free.

    Returns:
        Rows of `legs`.

    Raises:
        ConfigError: If no tour is free of touching.
    """
    cost = _costs(np.vstack([start[None], legs]), judge)
    tour = [0]
    for _ in range(len(legs)):
        left = [i for i in range(1, len(legs) + 1) if i not in tour]
        _, pose, place = min(
            (_detour(cost, tour, i, at), i, at)
            for i in left
            for at in range(1, len(tour) + 1)
        )
        tour.insert(place, pose)
    tour = _two_opt(cost, tour)
    if _length(cost, tour) >= _BLOCKED:
        raise ConfigError(
            f"no order of these {len(legs)} leg poses is free of touching on the way; "
            "choose others"
        )
    return [i - 1 for i in tour[1:]]


def _costs(poses: FloatArray, judge: PoseJudge) -> FloatArray:
    cost = move_time(poses[:, None], poses[None])
    for i in range(len(poses)):
        for j in range(i):
            if not judge.is_way_free(poses[i], poses[j]):
                cost[i, j] = cost[j, i] = _BLOCKED
    return cost


def _detour(cost: FloatArray, tour: Sequence[int], pose: int, place: int) -> float:
    before, after = tour[place - 1], tour[place % len(tour)]
    return float(cost[before, pose] + cost[pose, after] - cost[before, after])


def _length(cost: FloatArray, tour: Sequence[int]) -> float:
    return math.fsum(
        cost[a, b] for a, b in zip(tour, [*tour[1:], tour[0]], strict=True)
    )


def _two_opt(cost: FloatArray, tour: list[int]) -> list[int]:
    best = _length(cost, tour)
    is_better = True
    while is_better:
        is_better = False
        for i in range(1, len(tour) - 1):
            for j in range(i + 1, len(tour)):
                turned = tour[:i] + tour[i : j + 1][::-1] + tour[j + 1 :]
                length = _length(cost, turned)
                if length < best - 1e-9:
                    tour, best, is_better = turned, length, True
    return tour


LOADED = 0.05  # [N m], torque of gravity from which a joint counts as loaded
EACH_WAY = 3  # poses that load a joint in either direction, where there are such


def gravity_torques(model: RobotModel, candidates: Candidates) -> FloatArray:
    """Return what gravity exerts on the joints of the left leg [N m], shape (n, 6).

    Args:
        model: The lying robot with its sandals.
        candidates: Poses.
    """
    q = model_from_body(model, candidates.bodies[:, 0])
    rest = np.zeros((len(q), model.nv))
    torque = inverse_dynamics(model, q, rest, rest)
    columns = [model.joint_id(joint) for joint in LEG_JOINTS["left"]]
    return -torque[:, columns]


def spread_poses(model: RobotModel, candidates: Candidates, count: int) -> list[int]:
    """Return poses far from each other that load every joint in both directions.

    First, for each joint and direction, the poses that load it so and lie farthest
    from those taken already; then whatever lies farthest.

    Args:
        model: The lying robot with its sandals.
        candidates: Poses to pick from.
        count: How many.
    """
    low, high = limits()[:, LEG["left"]]
    place = (candidates.legs - low) / (high - low)
    torque = gravity_torques(model, candidates)
    chosen: list[int] = []
    groups = [
        np.flatnonzero(sign * torque[:, joint] > LOADED)
        for joint in range(torque.shape[1])
        for sign in (1.0, -1.0)
    ]
    for group in sorted(groups, key=len):  # rare ones first
        have = len(set(group) & set(chosen))
        for _ in range(min(EACH_WAY, len(group)) - have):
            if len(chosen) < count:
                chosen.append(_farthest(place, chosen, group))
    while len(chosen) < count:
        chosen.append(_farthest(place, chosen, np.arange(len(place))))
    return chosen


def _farthest(place: FloatArray, chosen: list[int], among: np.ndarray) -> int:
    """Return the pose of some that is farthest from all that are chosen."""
    centre = place.mean(axis=0, keepdims=True)
    taken = place[chosen] if chosen else centre
    distance = np.linalg.norm(place[among, None] - taken[None], axis=-1).min(axis=1)
    distance[np.isin(among, chosen)] = -1.0
    return int(among[int(np.argmax(distance))])
