"""Where the weight lies over the feet, from what the legs have said.

Legs report where their feet stand, in their own frames; the inertial unit tells where
down is. Feet are areas: the polygon is spanned by the toes of all feet that stand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gelenk.core.geometry.support import support_margin
from gelenk.core.model.catalog.amee import TORSO_PARTS
from gelenk.core.typing import FloatArray
from gelenk.robots.amee import config
from gelenk.robots.amee.config import LegGeometry
from gelenk.robots.amee.kinematics.closed import lengths_of, solve_leg

Point = tuple[float, float, float]
Up = tuple[float, float, float]
LEVEL: Up = (0.0, 0.0, 1.0)

# Of the pad only this share is counted: a toe may hang over an edge.
PAD_SHARE = 0.9
_TORSO_MASS = sum(mass for mass, _, _ in TORSO_PARTS)
_TORSO_MOMENT = tuple(
    sum(mass * centre[axis] for mass, centre, _ in TORSO_PARTS) for axis in range(3)
)
_SHOULDER, _THIGH, _SHANK, _FOOT = config.LINK_MASSES
_SOLE_TO_FOOT = 0.04  # [m], A: how high a foot's own centre of mass is over its sole
_WHOLE = _TORSO_MASS + config.NUM_LEGS * sum(config.LINK_MASSES)


def torso_point(leg: int, foot: Point) -> Point:
    """Return a point of a leg's frame in the torso's axes [m].

    Args:
        leg: Index 0..3.
        foot: x forward, y up, z left of the hip [m].
    """
    hip = config.HIPS[leg]
    return hip[0] + foot[0], hip[1] + foot[2], hip[2] + foot[1]


def centre_of_mass(feet: Sequence[Point], geometry: LegGeometry) -> Point:
    """Return the centre of mass in the torso's axes [m].

    Args:
        feet: Sole centres of the four legs in their frames [m].
        geometry: Lengths of the legs.
    """
    x, y, z = _TORSO_MOMENT
    lengths = lengths_of(geometry)
    for leg, foot in enumerate(feet):
        yaw, hip, knee, _, _ = solve_leg(*foot, 0.0, *lengths, False)
        knee_r, knee_y = geometry.thigh * math.cos(hip), geometry.thigh * math.sin(hip)
        shank_r = geometry.shank * math.cos(hip + knee)
        shank_y = geometry.shank * math.sin(hip + knee)
        reach = math.cos(yaw) * foot[0] + math.sin(yaw) * foot[2]
        radius = (
            _THIGH * knee_r / 2.0 + _SHANK * (knee_r + shank_r / 2.0) + _FOOT * reach
        )
        height = (
            _THIGH * knee_y / 2.0
            + _SHANK * (knee_y + shank_y / 2.0)
            + _FOOT * (foot[1] + _SOLE_TO_FOOT)
        )
        mass = _SHOULDER + _THIGH + _SHANK + _FOOT
        x += mass * config.HIPS[leg][0] + radius * math.cos(yaw)
        y += mass * config.HIPS[leg][1] + radius * math.sin(yaw)
        z += height
    return x / _WHOLE, y / _WHOLE, z / _WHOLE


def pad_corners(
    leg: int, foot: Point, yaw: float, share: float = PAD_SHARE
) -> list[Point]:
    """Return the toes of a standing foot in the torso's axes [m].

    Args:
        leg: Index 0..3.
        foot: Sole centre in the leg's frame [m].
        yaw: Of the leg, positive to the left [rad].
        share: Of the pad that is counted.
    """
    x, y, z = torso_point(leg, foot)
    c, s = math.cos(yaw), math.sin(yaw)
    along, across = (share * half for half in config.FOOT_HALF_SIZE)
    return [
        (x + i * along * c - k * across * s, y + i * along * s + k * across * c, z)
        for i in (-1.0, 1.0)
        for k in (-1.0, 1.0)
    ]


def seen_from_above(points: Sequence[Point], up: Up) -> FloatArray:
    """Return points on a level map [m], (n, 2).

    Args:
        points: In the torso's axes [m].
        up: Unit vector to the sky, torso's axes.
    """
    given = np.array(points, dtype=np.float64).reshape(-1, 3)
    norm = math.hypot(up[0], up[2])
    ahead = (up[2] / norm, 0.0, -up[0] / norm)
    left = (
        up[1] * ahead[2] - up[2] * ahead[1],
        up[2] * ahead[0] - up[0] * ahead[2],
        up[0] * ahead[1] - up[1] * ahead[0],
    )
    return given @ np.array([ahead, left]).T


def estimated_margin(
    feet: Sequence[Point],
    yaws: Sequence[float],
    standing: Sequence[int],
    up: Up,
    geometry: LegGeometry,
    share: float = PAD_SHARE,
) -> float:
    """Return how far inside the polygon of the standing feet the weight lies [m].

    Args:
        feet: Sole centres of the four legs in their frames [m].
        yaws: Of the four legs [rad].
        standing: Indices of those that stand.
        up: Unit vector to the sky, torso's axes.
        geometry: Lengths of the legs.
        share: Of each pad that is counted; on stones a foot may stand on one toe.
    """
    corners: list[Point] = []
    for leg in standing:
        corners += pad_corners(leg, feet[leg], yaws[leg], share)
    centre = centre_of_mass(feet, geometry)
    seen = seen_from_above([*corners, centre], up)
    return support_margin(seen[:-1], seen[-1])
