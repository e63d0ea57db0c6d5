"""How the torso is carried: height, level, and how far the feet may be from it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from gelenk.robots.amee.config import LegCfg
from gelenk.robots.amee.coordinator.balance import Point, torso_point
from gelenk.robots.amee.kinematics.closed import lengths_of, solve_leg

FOLLOW_SLOPE = 0.8
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


def ground_slope(feet: Mapping[int, Point]) -> tuple[float, float, float]:
    """Return the plane that fits best below feet: height [m], slopes ahead and left.

    Args:
        feet: Sole centres in their legs' frames [m], by leg; three or more.
    """
    places = np.array([torso_point(leg, foot) for leg, foot in feet.items()])
    A = np.column_stack([np.ones(len(places)), places[:, 0], places[:, 1]])
    height, ahead, left = np.linalg.lstsq(A, places[:, 2], rcond=None)[0].tolist()
    return height, ahead, left


def roughness(feet: Mapping[int, Point]) -> float:
    """Return how far one of some feet is off the plane that fits best below them [m].

    Args:
        feet: Sole centres in their legs' frames [m], by leg; three or more.
    """
    height, ahead, left = ground_slope(feet)
    places = [torso_point(leg, foot) for leg, foot in feet.items()]
    return max(abs(z - height - ahead * x - left * y) for x, y, z in places)


def levelling(
    feet: Mapping[int, Point],
    height: float,
    limit: float,
    *,
    pitch: float = 0.0,
    roll: float = 0.0,
    follow: float = FOLLOW_SLOPE,
) -> dict[int, float]:
    """Return how far each foot must go up or down so that the torso lies right [m].

    The torso shall be level from side to side, follow most of a slope ahead, and be
    `height` over the plane that fits best below the feet. What single feet are off
    from that plane stays.

    Args:
        feet: Sole centres in their legs' frames [m], by leg.
        height: Hip over that plane [m].
        limit: Largest change of one foot [m]; all shrink alike.
        pitch: Of the torso, nose up [rad].
        roll: Of the torso, left side up [rad].
        follow: Share of the ground's slope ahead that the torso takes over.
    """
    places = {leg: torso_point(leg, foot) for leg, foot in feet.items()}
    if len(places) < 3:
        lower = -height - sum(place[2] for place in places.values()) / len(places)
        raise_nose, raise_left = 0.0, 0.0
    else:
        now, ahead, _ = ground_slope(feet)
        lower = -height - now
        raise_nose = follow * (math.atan(ahead) + pitch) - pitch
        raise_left = -roll
    change = {
        leg: lower - raise_nose * place[0] - raise_left * place[1]
        for leg, place in places.items()
    }
    largest = max(abs(dy) for dy in change.values())
    if largest > limit:
        change = {leg: dy * limit / largest for leg, dy in change.items()}
    return change


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


def on_line(foot: Point, yaw: float) -> Point:
    """Return the point of a stroke's line nearest to where a foot was measured [m].

    Beside that line there is nothing but noise, and below the hip a millimetre of it
    would turn the whole leg.
    """
    radius = radius_of(foot, yaw)
    return radius * math.cos(yaw), foot[1], radius * math.sin(yaw)


def largest_share(
    begins: Sequence[Point],
    ends: Sequence[Point],
    cfg: LegCfg,
    farthest: float = math.inf,
    parts: int = 10,
) -> float:
    """Return which share of some common way all feet can go, 0..1.

    Args:
        begins: Where they are, legs' frames [m].
        ends: Where they shall go [m].
        cfg: Settings of the legs.
        farthest: From its hip's axis that a foot may get [m].
        parts: In how many parts the way is tried.
    """
    for k in range(parts, 0, -1):
        share = k / parts
        points = [between(b, e, share) for b, e in zip(begins, ends, strict=True)]
        if all(
            is_reachable(end, cfg)
            and math.hypot(end[0], end[2])
            <= max(farthest, math.hypot(begin[0], begin[2]))
            for begin, end in zip(begins, points, strict=True)
        ):
            return share
    return 0.0


def first_within_reach(begin: Point, end: Point, cfg: LegCfg, parts: int = 20) -> Point:
    """Return the first point of a way that a leg reaches [m].

    A foot that is pushed beyond its leg's reach, or tilted, may stand where no level
    sole can be brought.

    Args:
        begin: Where it is, leg's frame [m].
        end: Where it shall go [m].
        cfg: Settings of the leg.
        parts: In how many parts the way is tried.
    """
    for k in range(parts):
        point = between(begin, end, k / parts)
        if is_reachable(point, cfg):
            return point
    return begin
