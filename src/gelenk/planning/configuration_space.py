"""Configuration space: obstacles grown by the robot's shape, and arms as rasters.

A robot A that keeps its orientation collides at position q if q lies in the Minkowski
sum of the obstacle O and the mirrored robot: O + (-A) = {o - a}. Hulls and grown
obstacles are on the safe side and may hide feasible paths.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gelenk.errors import ConfigError
from gelenk.geometry.polygon import (
    as_polygon,
    convex_pieces,
    is_convex,
    signed_area,
)
from gelenk.planning.world import nearest_on_segments
from gelenk.typing import ArrayLike, BoolArray, FloatArray


def minkowski_sum(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Return the sum {p + q} of two convex polygons: their edges merged by direction.

    Args:
        a: Corners [m], shape (n, 2), convex.
        b: Corners [m], shape (m, 2), convex.

    Returns:
        Corners, anticlockwise, at most n + m of them.

    Raises:
        ConfigError: If one is not convex; cut it with `convex_pieces` first.

    Example:
        >>> from gelenk.planning import minkowski_sum
        >>> square = [[0, 0], [1, 0], [1, 1], [0, 1]]
        >>> minkowski_sum(square, square).tolist()
        [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]
    """
    rings = [_from_lowest(name, ring) for name, ring in (("a", a), ("b", b))]
    edges = np.concatenate([np.roll(ring, -1, axis=0) - ring for ring in rings])
    edges = edges[np.hypot(edges[:, 0], edges[:, 1]) > 0.0]
    angle = np.arctan2(edges[:, 1], edges[:, 0]) % (2.0 * np.pi)
    edges = edges[np.argsort(angle, kind="stable")]
    corners = rings[0][0] + rings[1][0] + np.cumsum(edges, axis=0)
    corners = np.roll(corners, 1, axis=0)
    before = corners - np.roll(corners, 1, axis=0)
    after = np.roll(corners, -1, axis=0) - corners
    bend = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    size = np.hypot(*before.T) * np.hypot(*after.T)
    return corners[bend > 1e-12 * size]


def grow_obstacle(obstacle: ArrayLike, robot: ArrayLike) -> list[FloatArray]:
    """Return where the reference point of a robot must not be: O + (-A).

    Args:
        obstacle: Simple polygon, shape (n, 2) [m].
        robot: Convex polygon about its reference point at the origin, shape (m, 2) [m].

    Returns:
        Convex polygons whose union it is.
    """
    mirrored = -as_polygon("robot", robot)
    return [minkowski_sum(piece, mirrored) for piece in convex_pieces(obstacle)]


def grow_by_disc(
    obstacle: ArrayLike, radius: float, *, sides: int = 32
) -> list[FloatArray]:
    """Return an obstacle grown by a disc, its arcs replaced by tangent lines.

    The result encloses the true set and sticks out by at most
    radius (1 / cos(pi / sides) - 1).

    Args:
        obstacle: Simple polygon, shape (n, 2) [m].
        radius: Radius of the robot [m].
        sides: Number of sides of the polygon around the disc.
    """
    if not radius > 0.0:
        raise ConfigError(f"`radius` must be positive, got {radius}")
    angle = 2.0 * np.pi * (np.arange(sides) + 0.5) / sides
    around = radius / np.cos(np.pi / sides)
    disc = around * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    return grow_obstacle(obstacle, disc)


def planar_arm_clearance(
    lengths: ArrayLike, q: ArrayLike, discs: ArrayLike
) -> FloatArray:
    """Return the least distance between the links of a planar arm and discs [m].

    Args:
        lengths: Lengths of the links [m], shape (n,); the base is at the origin.
        q: Joint angles [rad], shape (..., n).
        discs: Rows x, y, radius [m], shape (m, 3).

    Returns:
        Shape (...); negative: a link touches a disc.
    """
    angle = np.cumsum(np.asarray(q, dtype=float), axis=-1)
    along = np.asarray(lengths, dtype=float) * np.stack([np.cos(angle), np.sin(angle)])
    ends = np.moveaxis(np.cumsum(along, axis=-1), 0, -1)
    starts = np.concatenate(
        [np.zeros_like(ends[..., :1, :]), ends[..., :-1, :]], axis=-2
    )
    disc = np.asarray(discs, dtype=float)
    centers = disc[:, None, :2]
    feet = nearest_on_segments(centers, starts[..., None, :, :], ends[..., None, :, :])
    gaps = np.linalg.norm(centers - feet, axis=-1) - disc[:, 2:]
    return gaps.min(axis=(-2, -1))


def configuration_raster(
    are_free: Callable[[FloatArray], BoolArray],
    lower: ArrayLike,
    upper: ArrayLike,
    counts: tuple[int, ...],
) -> BoolArray:
    """Return which cells of configuration space have a free center.

    Args:
        are_free: Tells for configurations, shape (..., n), whether they collide with
            nothing, shape (...).
        lower: Smallest joint values, shape (n,).
        upper: Largest, shape (n,).
        counts: Cells along each joint.

    Returns:
        Shape `counts`.
    """
    low, high = np.asarray(lower, dtype=float), np.asarray(upper, dtype=float)
    axes = [
        low[k] + (high[k] - low[k]) * (np.arange(n) + 0.5) / n
        for k, n in enumerate(counts)
    ]
    return are_free(np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1))


def is_motion_free(
    clearance: Callable[[FloatArray], float],
    start: ArrayLike,
    end: ArrayLike,
    *,
    reach: float,
    tolerance: float = 1e-4,
) -> bool:
    """Return whether a straight motion in joint space is free, without gaps.

    No point of the robot moves more than `reach` |dq|, so a configuration with
    clearance d is free within |dq| < d / reach. The motion is halved until such
    intervals cover it; unlike sampling at a fixed step, nothing slips through.

    Args:
        clearance: Distance between robot and obstacles [m] of one configuration.
        start: Joint values, shape (n,).
        end: Joint values, shape (n,).
        reach: Largest |J| over all points of the robot and configurations [m/rad].
        tolerance: Clearances below count as contact [m].
    """
    waiting = [(np.asarray(start, dtype=float), np.asarray(end, dtype=float))]
    while waiting:
        a, b = waiting.pop()
        middle = 0.5 * (a + b)
        free = clearance(middle)
        if free < tolerance:
            return False
        if free < reach * 0.5 * float(np.linalg.norm(b - a)):
            waiting += [(a, middle), (middle, b)]
    return True


def _from_lowest(name: str, corners: ArrayLike) -> FloatArray:
    """Return an anticlockwise convex polygon that starts with its lowest corner."""
    ring = as_polygon(name, corners)
    if not is_convex(ring):
        raise ConfigError(f"`{name}` is not convex; cut it with `convex_pieces` first")
    if signed_area(ring) < 0.0:
        ring = ring[::-1]
    k = int(np.lexsort((ring[:, 0], ring[:, 1]))[0])
    return np.roll(ring, -k, axis=0)
