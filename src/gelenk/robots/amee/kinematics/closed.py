"""Joint angles of a leg from the place of its foot, in closed form.

The leg's frame has x forward, y up, z left; its origin is the fix point at the hip.
Angles: 0 yaw (positive to the left), 1 hip pitch, 2 knee (0 straight, never negative),
3 ankle (0 folded onto the shank, clockwise seen from the right).

The printed code folds the yaw by a quarter turn and negates it, which misses every
target behind the hip; folded by half a turn it is exact in all quadrants.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.errors import ShapeError
from gelenk.kernels.compile import kernel
from gelenk.robots.amee.config import LegGeometry
from gelenk.typing import ArrayLike, BoolArray, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InverseResult:
    """Angles, and where they reach.

    Attributes:
        angles: [rad], shape (..., 4). Out of reach: the leg points at the target.
        is_reachable: Whether the target lies within reach, shape (...).
    """

    angles: FloatArray
    is_reachable: BoolArray


@kernel
def two_bone(x: float, y: float, d1: float, d2: float) -> tuple[float, float, bool]:
    """Return pitch of the first bone, bend of the second [rad], and reachability.

    The bend is in [0, pi]; the pitch is 0 where every pitch would do.
    """
    c = (x * x + y * y - d1 * d1 - d2 * d2) / (2.0 * d1 * d2)
    reachable = -1.0 <= c <= 1.0
    c = min(1.0, max(-1.0, c))
    adjacent = d1 + d2 * c
    opposite = d2 * math.sqrt((1.0 - c) * (1.0 + c))
    pitch = math.atan2(y * adjacent - x * opposite, x * adjacent + y * opposite)
    return pitch, math.acos(c), reachable


@kernel
def solve_leg(
    x: float,
    y: float,
    z: float,
    pitch: float,
    d1: float,
    d2: float,
    hip_drop: float,
    sole_drop: float,
    toe_ahead: float,
    literal: bool,
) -> tuple[float, float, float, float, bool]:
    """Return the four angles [rad] and reachability for one sole centre [m].

    `pitch` is how far the toes point above the torso's plane [rad]; `literal` changes
    the sign of the hip's drop above the hip, as printed.
    """
    radius = math.sqrt(x * x + z * z)
    if x < 0.0:
        radius = -radius
    if x != 0.0:
        yaw = math.atan(z / x)  # lies in the front half by itself
    elif z == 0.0:
        yaw = 0.0
    else:
        yaw = math.copysign(math.pi / 2, z)
    c, s = math.cos(pitch), math.sin(pitch)
    drop = -hip_drop if literal and y >= 0.0 else hip_drop
    theta1, theta2, reachable = two_bone(
        radius - (toe_ahead * c + sole_drop * s),
        y + drop - (toe_ahead * s - sole_drop * c),
        d1,
        d2,
    )
    theta3 = math.pi + theta1 + theta2 - pitch
    if theta3 >= 2.0 * math.pi:
        theta3 -= 2.0 * math.pi
    return yaw, theta1, theta2, theta3, reachable


@kernel
def _solve_many(
    points: FloatArray,
    pitches: FloatArray,
    lengths: FloatArray,
    literal: bool,
    angles: FloatArray,
    reachable: BoolArray,
) -> None:
    """Write the angles of every point, shapes (n, 3), (n,), (5,), (n, 4), (n,)."""
    d1, d2, hip, sole, toe = lengths
    for i in range(len(points)):
        p = points[i]
        solution = solve_leg(
            p[0], p[1], p[2], pitches[i], d1, d2, hip, sole, toe, literal
        )
        angles[i, 0], angles[i, 1], angles[i, 2], angles[i, 3] = solution[:4]
        reachable[i] = solution[4]


def lengths_of(geometry: LegGeometry) -> tuple[float, float, float, float, float]:
    """Return thigh, shank, hip drop, sole drop and toe offset [m]."""
    g = geometry
    return g.thigh, g.shank, g.hip_drop, g.sole_drop, g.toe_ahead


def inverse(
    points: ArrayLike, geometry: LegGeometry, pitch: ArrayLike = 0.0
) -> InverseResult:
    """Return the angles that put the sole's centre at `points`.

    Args:
        points: In the leg's frame [m], shape (..., 3).
        geometry: Lengths of the leg.
        pitch: How far the toes point above the torso's plane [rad], shape (...).
    """
    wanted = np.ascontiguousarray(points, dtype=np.float64)
    if wanted.ndim < 1 or wanted.shape[-1] != 3:
        raise ShapeError("points", expected="(..., 3)", actual=wanted.shape)
    shape = wanted.shape[:-1]
    flat = wanted.reshape(-1, 3)
    pitches = np.ascontiguousarray(
        np.broadcast_to(np.asarray(pitch, dtype=np.float64), shape)
    ).reshape(-1)
    angles = np.empty((len(flat), 4))
    reachable = np.empty(len(flat), dtype=np.bool_)
    literal = geometry.offset_mode == "thesis"
    lengths = np.array(lengths_of(geometry))
    _solve_many(flat, pitches, lengths, literal, angles, reachable)
    return InverseResult(
        angles=angles.reshape(*shape, 4), is_reachable=reachable.reshape(shape)
    )


def simplify_angle(angle: float) -> float:
    """Return the angle [rad] within [-pi, pi], by C's remainder."""
    angle = math.fmod(angle, 2.0 * math.pi)
    if angle < -math.pi:
        return angle + 2.0 * math.pi
    if angle > math.pi:
        return angle - 2.0 * math.pi
    return angle
