"""Balance over the feet, and clearance between legs, from what the legs have said.

Legs report where their feet stand, in their own frames; the inertial unit tells where
down is. Feet are areas: the polygon is spanned by the toes of all feet that stand.
"""

from __future__ import annotations

import itertools
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


BONE_RADIUS = 0.035  # [m], A: half of a drive's width, and its cables
FOOT_RADIUS = 0.060  # [m], half of the pad's width
LEAST_GAP = 0.010  # [m], A
Segment = tuple[FloatArray, FloatArray, float]


def leg_segments(leg: int, foot: Point, geometry: LegGeometry) -> list[Segment]:
    """Return thigh, shank and foot of a leg: ends and radius, torso's axes [m].

    Args:
        leg: Index 0..3.
        foot: Sole centre in the leg's frame [m].
        geometry: Lengths.
    """
    yaw, hip, knee, _, _ = solve_leg(*foot, 0.0, *lengths_of(geometry), False)
    c, s = math.cos(yaw), math.sin(yaw)

    def at(radius: float, height: float) -> FloatArray:
        return np.array(torso_point(leg, (radius * c, height, radius * s)))

    top = -geometry.hip_drop
    knee_r = geometry.thigh * math.cos(hip)
    knee_y = top + geometry.thigh * math.sin(hip)
    ankle_r = knee_r + geometry.shank * math.cos(hip + knee)
    ankle_y = knee_y + geometry.shank * math.sin(hip + knee)
    middle = ankle_r + geometry.toe_ahead
    half = max(config.FOOT_HALF_SIZE[0] - FOOT_RADIUS, 0.0)
    sole = ankle_y - geometry.sole_drop + FOOT_RADIUS
    return [
        (at(0.0, top), at(knee_r, knee_y), BONE_RADIUS),
        (at(knee_r, knee_y), at(ankle_r, ankle_y), BONE_RADIUS),
        (at(middle - half, sole), at(middle + half, sole), FOOT_RADIUS),
    ]


def segment_distance(a: Segment, b: Segment) -> float:
    """Return the distance between the axes of two segments [m]."""
    p, u = a[0], a[1] - a[0]
    q, v = b[0], b[1] - b[0]
    w = p - q
    uu, uv, vv = float(u @ u), float(u @ v), float(v @ v)
    wu, wv = float(w @ u), float(w @ v)
    det = uu * vv - uv * uv
    s = (uv * wv - vv * wu) / det if det > 1e-12 else 0.0
    s = min(max(s, 0.0), 1.0)
    t = (uv * s + wv) / vv if vv > 0.0 else 0.0
    if not 0.0 <= t <= 1.0:
        t = min(max(t, 0.0), 1.0)
        s = min(max((uv * t - wu) / uu, 0.0), 1.0) if uu > 0.0 else 0.0
    return float(np.linalg.norm(w + s * u - t * v))


def least_gap(
    feet: Sequence[Point], geometry: LegGeometry
) -> tuple[float, tuple[int, int]]:
    """Return the least gap between two legs [m], negative if they touch, and which.

    Args:
        feet: Sole centres of the four legs in their frames [m].
        geometry: Lengths.
    """
    legs = [leg_segments(i, foot, geometry) for i, foot in enumerate(feet)]
    best, who = math.inf, (0, 1)
    for i, k in itertools.combinations(range(len(legs)), 2):
        for a, b in itertools.product(legs[i], legs[k]):
            gap = segment_distance(a, b) - a[2] - b[2]
            if gap < best:
                best, who = gap, (i, k)
    return best, who
