"""Would legs touch each other? The main controller solves all four and looks.

Thigh, shank and foot are capsules around their axes; what is measured is the least gap
between parts of different legs.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from gelenk.robots.amee import config
from gelenk.robots.amee.config import LegGeometry
from gelenk.robots.amee.coordinator.balance import Point, torso_point
from gelenk.robots.amee.kinematics.closed import lengths_of, solve_leg
from gelenk.typing import FloatArray

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
