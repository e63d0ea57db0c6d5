"""Leg poses as a person would pick them: far apart, every joint loaded both ways."""

from __future__ import annotations

import numpy as np

from gelenk.dynamics.rnea import inverse_dynamics
from gelenk.models.tree import RobotModel
from gelenk.robots.nao.joints import LEG, LEG_JOINTS, limits, model_from_body
from gelenk.robots.nao.poses.candidates import Candidates
from gelenk.typing import FloatArray

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
