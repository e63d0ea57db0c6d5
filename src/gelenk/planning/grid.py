"""Grids of square cells as graphs: shortest paths, and coastal planning.

In the middle of a hall range sensors see nothing; the shortest path through it may lose
the robot. Coastal planning follows the walls like ships without a compass: the price
of a cell is c1 occupancy + c2 information lost there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.ndimage import gaussian_filter

from gelenk.errors import ConfigError
from gelenk.planning.graph import Graph, SearchResult, a_star
from gelenk.planning.occupancy import OccupancyGrid
from gelenk.planning.world import PolygonWorld, cast_rays
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray

Neighbours = Literal[4, 8]
_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))


def grid_graph(
    is_free: ArrayLike,
    *,
    neighbours: Neighbours = 8,
    price: ArrayLike | None = None,
    cuts_corners: bool = False,
) -> Graph:
    """Return the graph of a grid; cell (i, j) of an (h, w) grid is place i w + j.

    Args:
        is_free: Whether a cell may be entered, shape (h, w).
        neighbours: 4: edges of length 1; 8: besides, diagonals of length sqrt 2.
        price: Factor on the length of a step, mean of its two cells, shape (h, w).
        cuts_corners: Whether a diagonal may pass between or beside occupied cells.

    Example:
        >>> grid_graph([[True, True], [True, False]], neighbours=4).head.tolist()
        [1, 2, 0, 0]
    """
    free = _as_grid(is_free)
    height, width = free.shape
    cost = np.asarray(1.0 if price is None else price, dtype=float)
    if price is not None and cost.shape != free.shape:
        raise ConfigError(f"`price` must have shape {free.shape}, got {cost.shape}")
    steps = np.array(_STEPS[:neighbours])
    is_edge = np.zeros((height, width, neighbours), dtype=np.bool_)
    for k, (di, dj) in enumerate(steps):
        here = np.s_[
            max(0, -di) : height - max(0, di), max(0, -dj) : width - max(0, dj)
        ]
        there = np.s_[max(0, di) : height + min(0, di), max(0, dj) : width + min(0, dj)]
        usable = free[here] & free[there]
        if di and dj and not cuts_corners:
            usable &= free[there[0], here[1]] & free[here[0], there[1]]
        is_edge[*here, k] = usable
    # Edges of one cell lie together, so no edge needs to be sorted.
    place, step = np.divmod(np.flatnonzero(is_edge), neighbours)
    head = place + (steps @ np.array([width, 1]))[step]
    weight = np.hypot(steps[:, 0], steps[:, 1])[step]
    if price is not None:
        weight *= 0.5 * (cost.ravel()[place] + cost.ravel()[head])
    counts = np.count_nonzero(is_edge.reshape(free.size, neighbours), axis=1)
    first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Graph(first=first, head=head, weight=weight)


def grid_heuristic(
    shape: tuple[int, int], goal: tuple[int, int], *, neighbours: Neighbours = 8
) -> FloatArray:
    """Return the length of the shortest path to the goal in an empty grid.

    For 4 neighbours |di| + |dj|, for 8 (sqrt 2 - 1) min + max (octile). It never
    overestimates where no step costs less than its length.

    Returns:
        Shape (h w,), in the order of `grid_graph`.
    """
    di = np.abs(np.arange(shape[0]) - goal[0])[:, None]
    dj = np.abs(np.arange(shape[1]) - goal[1])
    if neighbours == 4:
        return (di + dj).astype(float).ravel()
    return ((np.sqrt(2.0) - 1.0) * np.minimum(di, dj) + np.maximum(di, dj)).ravel()


def grid_path(
    is_free: ArrayLike,
    start: tuple[int, int],
    goal: tuple[int, int],
    *,
    neighbours: Neighbours = 8,
    price: ArrayLike | None = None,
    cuts_corners: bool = False,
) -> tuple[IntArray, SearchResult]:
    """Find the cheapest path of cells with A*.

    Args:
        is_free: Whether each cell is free, shape (h, w).
        start: Row and column.
        goal: Row and column.
        neighbours: 4 or 8.
        price: Price of each cell; see `grid_graph`.
        cuts_corners: Whether diagonal steps may pass corners; see `grid_graph`.

    Returns:
        The cells, shape (k, 2), empty if there is no path; and the search, whose `cost`
        is in edges of cells.

    Example:
        >>> from gelenk.planning import grid_path
        >>> cells, search = grid_path(np.ones((5, 3), dtype=bool), (0, 0), (4, 2))
        >>> round(search.cost, 6)
        4.828427
    """
    free = _as_grid(is_free)
    for name, (i, j) in (("start", start), ("goal", goal)):
        if not (0 <= i < free.shape[0] and 0 <= j < free.shape[1]):
            raise ConfigError(f"`{name}` {(i, j)} is outside the grid {free.shape}")
    width = free.shape[1]
    graph = grid_graph(
        free, neighbours=neighbours, price=price, cuts_corners=cuts_corners
    )
    cheapest = 1.0 if price is None else float(np.min(price))
    guess = cheapest * grid_heuristic(free.shape, goal, neighbours=neighbours)
    search = a_star(
        graph, start[0] * width + start[1], goal[0] * width + goal[1], guess
    )
    return np.stack(np.divmod(search.nodes, width), axis=-1), search


def _as_grid(is_free: ArrayLike) -> BoolArray:
    free = np.asarray(is_free, dtype=np.bool_)
    if free.ndim != 2 or free.size == 0:
        raise ConfigError(f"`is_free` must have shape (h, w), got {free.shape}")
    return free


GRAZING = 0.2  # cosine between beam and normal, below which nothing comes back


@dataclass(frozen=True, slots=True, kw_only=True)
class CoastalSensor:
    """A ring of range beams.

    Attributes:
        beams: Number of beams, equally spread.
        max_range: Longest reading [m].
        sigma: Standard deviation of a reading [m].
    """

    beams: int = 24
    max_range: float = 3.0
    sigma: float = 0.05


def position_information(
    world: PolygonWorld, points: ArrayLike, sensor: CoastalSensor
) -> FloatArray:
    """Return the Fisher information that one scan has on the position [1/m^2].

    I = sum over beams that meet a wall of g g^T / sigma^2, where g is the slope of the
    range over the position, by central differences. Beams that return nothing say
    nothing: in the open the information is 0.

    Args:
        world: Obstacles and walls.
        points: Positions [m], shape (..., 2).
        sensor: Range sensor and its beams.

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
    grid: OccupancyGrid, points: ArrayLike, sensor: CoastalSensor
) -> FloatArray:
    """Return `position_information` of a map that a robot made itself [1/m^2].

    Beams march through the cells to the first occupied one. There a wall with normal n
    (the slope of the smoothed map) makes the range of a beam along d change by
    g = n / (n d) per metre. Grazing beams, |n d| < 0.2, hardly ever return: left out.

    Args:
        grid: The map; what nobody has seen stops no beam.
        points: Positions [m], shape (..., 2).
        sensor: Range sensor and its beams.

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
        is_free: Whether each cell is free, shape (h, w).
        lost: Information lost in each cell, see `lost_information`, shape (h, w).
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
    sensor: CoastalSensor,
    *,
    drift: float,
    initial: float = 0.01,
) -> FloatArray:
    """Return the expected position error along a path [m]: sqrt(trace P), shape (k,).

    An information filter over the position: each metre adds drift^2 to P, each scan
    adds its information.

    Args:
        world: Obstacles and walls.
        points: Points at which scans are taken [m], shape (k, 2).
        sensor: Range sensor and its beams.
        drift: Odometry error after one metre [m].
        initial: Standard deviation of the position at the start [m].
    """
    information = position_information(world, points, sensor)
    P: FloatArray = initial**2 * np.eye(2)
    spread = np.empty(len(points))
    for k in range(len(points)):
        length = float(np.linalg.norm(points[k] - points[k - 1])) if k else 0.0
        P = P + drift**2 * length * np.eye(2)
        P = np.asarray(np.linalg.inv(np.linalg.inv(P) + information[k]), np.float64)
        spread[k] = np.sqrt(np.trace(P))
    return spread
