"""The order of leg poses: short ways between them, and nothing touched on the way."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gelenk.errors import ConfigError
from gelenk.robots.nao.joints import LEG_JOINTS
from gelenk.robots.nao.poses.candidates import PoseJudge
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
