"""How the torso is carried: height, level, and how far the feet may be from it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from gelenk.robots.amee.config import LegCfg
from gelenk.robots.amee.coordinator.balance import Point, torso_point
from gelenk.robots.amee.kinematics.closed import lengths_of, solve_leg

REACH_SLACK = 0.004  # [m], kept from the end of a leg's reach


def is_reachable(point: Point, cfg: LegCfg) -> bool:
    """Return whether a leg can bring its level sole to a point of its frame [m]."""
    g = cfg.geometry
    lower = (point[0], point[1] - REACH_SLACK, point[2])
    *angles, reached = solve_leg(*lower, 0.0, *lengths_of(g), g.offset_mode == "thesis")
    return bool(reached) and all(
        low <= _near(angle, 0.5 * (low + high)) <= high
        for angle, (low, high) in zip(angles, cfg.limits, strict=True)
    )


def _near(angle: float, centre: float) -> float:
    """Return an angle by whole turns nearest to another [rad]."""
    return centre + math.remainder(angle - centre, 2.0 * math.pi)


def levelling(
    feet: Mapping[int, Point], height: float, limit: float, pitch: float = 0.0
) -> dict[int, float]:
    """Return how far each foot must go up or down so that the torso lies right [m].

    The torso shall be parallel to the plane that fits best below the feet, and that
    plane `height` below the hips. What single feet are off from the plane stays.

    Args:
        feet: Sole centres in their legs' frames [m], by leg.
        height: Hip over that plane [m].
        limit: Largest change of one foot [m]; all shrink alike.
        pitch: Nose up against that plane [rad].
    """
    legs = list(feet)
    places = np.array([torso_point(leg, feet[leg]) for leg in legs])
    if len(legs) < 3:
        lower = -height - float(np.mean(places[:, 2]))
        change = np.full(len(legs), lower)
    else:
        A = np.column_stack([np.ones(len(legs)), places[:, 0], places[:, 1]])
        plane = np.linalg.lstsq(A, places[:, 2], rcond=None)[0]
        wanted = -height - math.tan(pitch) * places[:, 0]
        change = wanted - A @ plane
    largest = float(np.abs(change).max())
    if largest > limit:
        change *= limit / largest
    return {leg: float(dy) for leg, dy in zip(legs, change, strict=True)}


def moved(foot: Point, yaw: float, along: float, up: float = 0.0) -> Point:
    """Return a foot after a way along its leg's direction and upwards [m]."""
    return (
        foot[0] + along * math.cos(yaw),
        foot[1] + up,
        foot[2] + along * math.sin(yaw),
    )


def between(begin: Point, end: Point, share: float) -> Point:
    """Return the point after a share of the way from one to another [m]."""
    return (
        begin[0] + share * (end[0] - begin[0]),
        begin[1] + share * (end[1] - begin[1]),
        begin[2] + share * (end[2] - begin[2]),
    )


def radius_of(foot: Point, yaw: float) -> float:
    """Return how far a foot is from its hip's axis along its direction [m]."""
    return foot[0] * math.cos(yaw) + foot[2] * math.sin(yaw)


def largest_share(
    begins: Sequence[Point], ends: Sequence[Point], cfg: LegCfg, parts: int = 10
) -> float:
    """Return which share of some common way all feet can go, 0..1.

    Args:
        begins: Where they are, legs' frames [m].
        ends: Where they shall go [m].
        cfg: Settings of the legs.
        parts: In how many parts the way is tried.
    """
    for k in range(parts, 0, -1):
        share = k / parts
        points = [between(b, e, share) for b, e in zip(begins, ends, strict=True)]
        if all(is_reachable(point, cfg) for point in points):
            return share
    return 0.0
