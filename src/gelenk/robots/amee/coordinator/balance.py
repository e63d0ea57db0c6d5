"""Where the weight lies over the feet, from what the legs have said.

Legs report where their feet stand, in their own frames; the inertial unit tells where
down is. Feet are areas: the polygon is spanned by the toes of all feet that stand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gelenk.geometry.support_polygons import support_margin
from gelenk.robots.amee import config
from gelenk.robots.amee.config import LegGeometry
from gelenk.robots.amee.kinematics.closed import lengths_of, solve_leg
from gelenk.robots.amee.robot import TORSO_PARTS
from gelenk.typing import FloatArray

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
_TOE_SIDES = ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0))  # ahead, left
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
    leg: int,
    foot: Point,
    yaw: float,
    share: float = PAD_SHARE,
    toes: int = config.TOES_ALL,
    trust: float = 0.0,
) -> list[Point]:
    """Return what bears of a standing foot, in the torso's axes [m].

    That are the corners of its pad, or the toes that are pressed.

    Args:
        leg: Index 0..3.
        foot: Sole centre in the leg's frame [m].
        yaw: Of the leg, positive to the left [rad].
        share: Of the pad that is counted, around the foot's centre, if toes do not
            count.
        toes: Bits of those that are pressed.
        trust: Share of the way from the foot's centre to these toes that counts; 0 if
            the pad does.
    """
    half_length, half_width = config.FOOT_HALF_SIZE
    pressed = _sides(toes) if trust > 0.0 else ()
    scale = trust if pressed else share
    return [
        _on_sole(leg, foot, yaw, scale * half_length * ahead, scale * half_width * left)
        for ahead, left in pressed or _TOE_SIDES
    ]


def bearing(leg: int, foot: Point, yaw: float, toes: int, trust: float) -> Point:
    """Return where a standing foot bears if it were a point, in the torso's axes [m].

    Args:
        leg: Index 0..3.
        foot: Sole centre in the leg's frame [m].
        yaw: Of the leg, positive to the left [rad].
        toes: Bits of the toes that are pressed.
        trust: Share of the way from the foot's centre to the middle of these toes.
    """
    along, across = bearing_point(toes)
    return _on_sole(leg, foot, yaw, trust * along, trust * across)


def _on_sole(leg: int, foot: Point, yaw: float, along: float, across: float) -> Point:
    """Return a point of a sole, ahead and left of its centre, in the torso's axes."""
    x, y, z = torso_point(leg, foot)
    c, s = math.cos(yaw), math.sin(yaw)
    return x + along * c - across * s, y + along * s + across * c, z


def _sides(toes: int) -> list[tuple[float, float]]:
    """Return on which sides of a foot its pressed toes are: ahead and left, +-1."""
    pairs = zip(config.TOE_BITS, _TOE_SIDES, strict=True)
    return [side for bit, side in pairs if toes & bit]


def bearing_point(toes: int) -> tuple[float, float]:
    """Return the middle of a foot's pressed toes, ahead and left of its centre [m].

    Args:
        toes: Their bits; with none of them the centre counts.
    """
    sides = _sides(toes)
    if not sides:
        return 0.0, 0.0
    along, across = config.FOOT_HALF_SIZE
    return (
        along * sum(side[0] for side in sides) / len(sides),
        across * sum(side[1] for side in sides) / len(sides),
    )


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
    toes: Sequence[int] = (config.TOES_ALL,) * config.NUM_LEGS,
    trust: float = 0.0,
) -> float:
    """Return how far inside the polygon of the standing feet the weight lies [m].

    Args:
        feet: Sole centres of the four legs in their frames [m].
        yaws: Of the four legs [rad].
        standing: Indices of those that stand.
        up: Unit vector to the sky, torso's axes.
        geometry: Lengths of the legs.
        share: Of each pad that is counted, if toes do not count.
        toes: Bits of the toes that are pressed, of the four legs.
        trust: Share of the way from a foot's centre to these toes; 0: pads count.
    """
    corners: list[Point] = []
    for leg in standing:
        corners += pad_corners(leg, feet[leg], yaws[leg], share, toes[leg], trust)
    centre = centre_of_mass(feet, geometry)
    seen = seen_from_above([*corners, centre], up)
    return support_margin(seen[:-1], seen[-1])
