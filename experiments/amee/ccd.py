"""Cyclic coordinate descent for the same leg: the method the closed form replaces."""

from __future__ import annotations

import math

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.typing import FloatArray


@kernel
def _descend(
    x: float,
    y: float,
    d1: float,
    d2: float,
    start: tuple[float, float],
    sweeps: int,
    tolerance: float,
) -> tuple[float, float, int]:
    """Return pitch and bend [rad] and the sweeps used; turns each joint in its turn."""
    theta1, theta2 = start
    used = 0
    for _ in range(sweeps):
        used += 1
        knee_x, knee_y = d1 * math.cos(theta1), d1 * math.sin(theta1)
        tip_x = knee_x + d2 * math.cos(theta1 + theta2)
        tip_y = knee_y + d2 * math.sin(theta1 + theta2)
        turn = _turn(tip_x - knee_x, tip_y - knee_y, x - knee_x, y - knee_y)
        theta2 = _wrapped(theta2 + turn)
        tip_x = knee_x + d2 * math.cos(theta1 + theta2)
        tip_y = knee_y + d2 * math.sin(theta1 + theta2)
        turn = _turn(tip_x, tip_y, x, y)
        theta1 = _wrapped(theta1 + turn)
        c, s = math.cos(turn), math.sin(turn)
        off_x = c * tip_x - s * tip_y - x
        off_y = s * tip_x + c * tip_y - y
        if off_x * off_x + off_y * off_y <= tolerance * tolerance:
            break
    return theta1, theta2, used


@kernel
def _turn(ax: float, ay: float, bx: float, by: float) -> float:
    """Return the angle from vector a to vector b [rad]."""
    scale = math.sqrt(ax * ax + ay * ay) * math.sqrt(bx * bx + by * by)
    if scale <= 1e-12:
        return 0.0
    cosine = min(1.0, max(-1.0, (ax * bx + ay * by) / scale))
    return math.copysign(math.acos(cosine), ax * by - ay * bx)


@kernel
def _wrapped(angle: float) -> float:
    """Return the sum of two wrapped angles within [-pi, pi]."""
    if angle < -math.pi:
        return angle + 2.0 * math.pi
    if angle > math.pi:
        return angle - 2.0 * math.pi
    return angle


@kernel
def _descend_many(
    points: FloatArray,
    d1: float,
    d2: float,
    sweeps: int,
    tolerance: float,
    out: FloatArray,
) -> int:
    """Write pitch and bend for each point, each started where the last one ended."""
    theta = (0.0, 0.1)
    total = 0
    for i in range(len(points)):
        first, second, used = _descend(
            points[i, 0], points[i, 1], d1, d2, theta, sweeps, tolerance
        )
        theta = (first, second)
        out[i, 0], out[i, 1] = first, second
        total += used
    return total


def descend(
    points: FloatArray,
    d1: float,
    d2: float,
    *,
    sweeps: int = 5,
    tolerance: float = 1e-5,
) -> tuple[FloatArray, int]:
    """Return pitch and bend of two bones for each point, and all sweeps together.

    Args:
        points: In the plane of the leg [m], shape (n, 2).
        d1: Length of the first bone [m].
        d2: Length of the second bone [m].
        sweeps: Most sweeps per point; the thesis allowed 5.
        tolerance: Distance that ends the search early [m].
    """
    flat = np.ascontiguousarray(points, dtype=np.float64)
    out = np.empty((len(flat), 2))
    total = _descend_many(flat, float(d1), float(d2), sweeps, tolerance, out)
    return out, int(total)
