"""Whole-body poses for a leg pose: arms beside, the other leg out of the way."""

from __future__ import annotations

import numpy as np

from gelenk.kinematics.forward import link_poses
from gelenk.models.tree import RobotModel
from gelenk.robots.nao import config
from gelenk.robots.nao.joints import (
    ARM,
    HEAD,
    LEG,
    NUM_BODY,
    SIDES,
    Side,
    clip_head,
    model_from_body,
    parked_hip_pitch,
)
from gelenk.robots.nao.poses.boxes import Boxes, overlap
from gelenk.robots.nao.poses.view import TARGETS, gaze
from gelenk.typing import ArrayLike, BoolArray, FloatArray

# Pairs of bodies that a joint holds together, without the side's letter.
_NEIGHBOURS = (
    {"torso", "thigh"},
    {"torso", "head"},
    {"torso", "bicep"},
    {"thigh", "tibia"},
    {"tibia", "ankle"},
    {"ankle", "sandal"},
    {"bicep", "forearm"},
)


def other(side: Side) -> Side:
    """Return the opposite side."""
    return "right" if side == "left" else "left"


def body_pose(leg: ArrayLike, side: Side) -> FloatArray:
    """Return body vectors with one leg posed, head straight, shape (..., 22) [rad].

    The other leg is parked; its HipYawPitch goes along, as one motor turns both.

    Args:
        leg: Six angles of the leg [rad], B-Human's signs, shape (..., 6).
        side: Which leg.
    """
    angles = np.asarray(leg, dtype=np.float64)
    q = np.zeros((*angles.shape[:-1], NUM_BODY))
    for arm in ARM.values():
        q[..., arm] = np.deg2rad(config.LYING_ARMS)
    parked = LEG[other(side)]
    q[..., parked] = np.deg2rad(config.PARKED_LEG)
    q[..., parked.start] = angles[..., 0]
    q[..., parked.start + 2] = parked_hip_pitch(angles[..., 0])
    q[..., LEG[side]] = angles
    return q


def looking_poses(
    model: RobotModel, q22: ArrayLike, side: Side
) -> tuple[FloatArray, BoolArray]:
    """Return the poses with the head turned to each of the three targets.

    Args:
        model: The robot as the one who plans it knows it.
        q22: Body vectors [rad], shape (n, 22).
        side: Whose board to look at.

    Returns:
        Body vectors, shape (n, 3, 22), and whether the head reaches all three without
        being clipped, shape (n,).
    """
    q = np.atleast_2d(np.asarray(q22, dtype=np.float64))
    T = link_poses(model, model_from_body(model, q))[
        :, model.link_id(f"{side[0]}_sole")
    ]
    points = TARGETS @ np.swapaxes(T[:, :3, :3], -1, -2) + T[:, None, :3, 3]
    head = gaze(points)
    yaw, pitch = clip_head(head[..., 0], head[..., 1])
    out = np.repeat(q[:, None], len(TARGETS), axis=1)
    out[..., HEAD] = np.stack([yaw, pitch], axis=-1)
    reached = np.isclose(out[..., HEAD], head, rtol=0.0, atol=1e-9)
    return out, np.all(reached, axis=(1, 2))


def is_free(
    model: RobotModel, boxes: Boxes, q22: ArrayLike, margin: float = 0.005
) -> BoolArray:
    """Return whether no two bodies touch, and neither legs nor head touch the floor.

    Args:
        model: The lying robot.
        boxes: Its bodies.
        q22: Body vectors [rad], shape (n, 22).
        margin: Distance that must be kept [m].

    Returns:
        Shape (n,).
    """
    T_links = link_poses(model, model_from_body(model, np.atleast_2d(q22)))
    T = boxes.poses(T_links)
    first, second = _pairs(boxes)
    radius = np.linalg.norm(boxes.half, axis=-1)
    centre = T[..., :3, 3]
    between = np.linalg.norm(centre[:, first] - centre[:, second], axis=-1)
    pose, pair = np.nonzero(between < radius[first] + radius[second] + margin)
    one, two = np.array(first)[pair], np.array(second)[pair]
    near = overlap(T[pose, one], boxes.half[one], T[pose, two], boxes.half[two], margin)
    touching = np.zeros(len(T), dtype=bool)
    touching[pose[near]] = True
    return ~touching & ~_on_floor(boxes, T, margin)


def _on_floor(boxes: Boxes, T: FloatArray, margin: float) -> BoolArray:
    rows = [
        i
        for i, link in enumerate(boxes.links)
        if link == "head" or link[2:] in ("thigh", "tibia", "ankle", "sandal")
    ]
    reach = np.sum(np.abs(T[:, rows, 0, :3]) * boxes.half[rows], axis=-1)
    ball = [boxes.links[i] == "head" for i in rows]
    reach[:, ball] = boxes.half[rows][ball].max(axis=1)  # round: the same every way
    lowest = T[:, rows, 0, 3] - reach
    return (lowest < config.FLOOR + margin).any(axis=-1)


def _pairs(boxes: Boxes) -> tuple[list[int], list[int]]:
    """Return the rows of all pairs that could touch."""
    first, second = [], []
    for i, one in enumerate(boxes.links):
        for j, two in enumerate(boxes.links[:i]):
            plain = {_plain(one), _plain(two)}
            is_one_side = one[:2] == two[:2] or "torso" in plain
            if one == two or (plain in _NEIGHBOURS and is_one_side):
                continue
            if any("bumper" in name for name in plain):
                continue  # small, on the foot's tip, inside of the sandal's outline
            if plain <= {"torso", "head", "bicep", "forearm"}:
                continue  # arms and head stay where they are free
            first.append(i)
            second.append(j)
    return first, second


def _plain(link: str) -> str:
    return link[2:] if link[:2] in tuple(f"{side[0]}_" for side in SIDES) else link
