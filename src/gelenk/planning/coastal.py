"""Coastal planning: paths along walls, where a robot knows better where it is.

In the middle of a hall range sensors see nothing; the shortest path through it may lose
the robot. The price of a cell is c1 occupancy + c2 information lost there, so paths
follow the coast like ships without a compass.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter

from gelenk.planning.grid import grid_path
from gelenk.planning.occupancy import OccupancyGrid
from gelenk.planning.world import PolygonWorld, cast_rays
from gelenk.typing import ArrayLike, FloatArray, IntArray

GRAZING = 0.2  # cosine between beam and normal, below which nothing comes back


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeSensor:
    """A ring of range beams.

    Attributes:
        beams: How many, equally spread.
        max_range: Longest reading [m].
        sigma: Standard deviation of a reading [m].
    """

    beams: int = 24
    max_range: float = 3.0
    sigma: float = 0.05


def position_information(
    world: PolygonWorld, points: ArrayLike, sensor: RangeSensor
) -> FloatArray:
    """Return the Fisher information that one scan has on the position [1/m^2].

    I = sum over beams that meet a wall of g g^T / sigma^2, where g is the slope of the
    range over the position, by central differences. Beams that return nothing say
    nothing: in the open the information is 0.

    Args:
        world: Obstacles and walls.
        points: Positions [m], shape (..., 2).
        sensor: Its beams.

    Returns:
        Shape (..., 2, 2).
    """
    p = np.asarray(points, dtype=float)
    angles = 2.0 * np.pi * np.arange(sensor.beams) / sensor.beams
    headings = np.broadcast_to(angles, (*p.shape[:-1], sensor.beams))
    step = 1e-5
    here = cast_rays(world, p, headings, sensor.max_range)
    slopes = np.stack(
        [
            (
                cast_rays(world, p + e, headings, sensor.max_range)
                - cast_rays(world, p - e, headings, sensor.max_range)
            )
            / (2.0 * step)
            for e in step * np.eye(2)
        ],
        axis=-1,
    )
    is_seen = (here < sensor.max_range - 1e-3) & (np.abs(slopes) < 1e3).all(axis=-1)
    g = np.where(is_seen[..., None], slopes, 0.0) / sensor.sigma
    return np.einsum("...ki,...kj->...ij", g, g)


def map_information(
    grid: OccupancyGrid, points: ArrayLike, sensor: RangeSensor
) -> FloatArray:
    """Return `position_information` of a map that a robot made itself [1/m^2].

    Beams march through the cells to the first occupied one. There a wall with normal n
    (the slope of the smoothed map) makes the range of a beam along d change by
    g = n / (n d) per metre. Grazing beams, |n d| < 0.2, hardly ever return: left out.

    Args:
        grid: The map; what nobody has seen stops no beam.
        points: Positions [m], shape (..., 2).
        sensor: Its beams.

    Returns:
        Shape (..., 2, 2).
    """
    p = np.asarray(points, dtype=float).reshape(-1, 2)
    angles = 2.0 * np.pi * np.arange(sensor.beams) / sensor.beams
    along = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    walls = np.pad(grid.probability > 0.5, 1)
    soft = np.asarray(gaussian_filter(walls.astype(float), 1.0))
    slope = np.stack([np.gradient(soft, axis=0), np.gradient(soft, axis=1)], axis=-1)
    at = np.repeat((p - grid.origin) / grid.cell + 1.0, sensor.beams, axis=0)
    ray, way = np.arange(len(at)), np.tile(along, (len(p), 1))
    step, limit = 0.7, np.array(walls.shape) - 1
    g = np.zeros((len(at), 2))
    for _ in range(int(sensor.max_range / (step * grid.cell))):
        at = at + step * way
        i, j = np.clip(at.astype(np.int64), 0, limit).T
        met = walls[i, j]
        n = slope[i[met], j[met]]
        n = n / np.maximum(np.linalg.norm(n, axis=1), 1e-9)[:, None]
        across = (n * way[met]).sum(axis=1)
        is_square = np.abs(across) > GRAZING
        g[ray[met][is_square]] = n[is_square] / across[is_square, None]
        at, way, ray = at[~met], way[~met], ray[~met]
    g = g.reshape(*np.shape(points)[:-1], sensor.beams, 2) / sensor.sigma
    return np.einsum("...ki,...kj->...ij", g, g)


def lost_information(information: FloatArray, *, step_sigma: float) -> FloatArray:
    """Return the share of a step's uncertainty that a scan does not take back.

    The odometry adds Q = step_sigma^2 E; the scan leaves (Q^-1 + I)^-1. The area of the
    error ellipse shrinks by det(E + Q I)^-1/2: 1 where nothing is seen, towards 0 near
    corners; its logarithm is the change of entropy.

    Args:
        information: I, shape (..., 2, 2) [1/m^2].
        step_sigma: Odometry error of a step [m].
    """
    share = np.eye(2) + step_sigma**2 * information
    return 1.0 / np.linalg.det(share) ** 0.5


def coastal_path(
    is_free: ArrayLike,
    lost: ArrayLike,
    start: tuple[int, int],
    goal: tuple[int, int],
    *,
    weight: float,
) -> IntArray:
    """Return the cells of the cheapest path, price = 1 + weight * lost information.

    Args:
        is_free: Shape (h, w).
        lost: Of each cell, see `lost_information`, shape (h, w).
        start: Row and column.
        goal: Row and column.
        weight: c2 / c1; 0: the shortest path.

    Returns:
        Shape (k, 2).

    Example:
        >>> lost = np.array([[0.0, 0.0, 0.0], [0.0, 9.0, 0.0], [9.0, 9.0, 9.0]])
        >>> free = np.ones((3, 3), dtype=bool)
        >>> coastal_path(free, lost, (1, 0), (1, 2), weight=1.0).tolist()  # by the wall
        [[1, 0], [0, 1], [1, 2]]
    """
    price = 1.0 + weight * np.asarray(lost, dtype=float)
    cells, _ = grid_path(is_free, start, goal, price=price)
    return cells


def position_spread(
    world: PolygonWorld,
    points: FloatArray,
    sensor: RangeSensor,
    *,
    drift: float,
    initial: float = 0.01,
) -> FloatArray:
    """Return the expected position error along a path [m]: sqrt(trace P), shape (k,).

    An information filter over the position: each metre adds drift^2 to P, each scan
    adds its information.

    Args:
        world: Obstacles and walls.
        points: Where scans are taken [m], shape (k, 2).
        sensor: Its beams.
        drift: Odometry error after one metre [m].
        initial: Standard deviation at the start [m].
    """
    information = position_information(world, points, sensor)
    P = initial**2 * np.eye(2)
    spread = np.empty(len(points))
    for k in range(len(points)):
        length = float(np.linalg.norm(points[k] - points[k - 1])) if k else 0.0
        P = P + drift**2 * length * np.eye(2)
        P = np.linalg.inv(np.linalg.inv(P) + information[k])
        spread[k] = np.sqrt(np.trace(P))
    return spread
