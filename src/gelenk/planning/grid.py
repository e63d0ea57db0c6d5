"""Grids of square cells as graphs, and the shortest path through them."""

from __future__ import annotations

from typing import Literal

import numpy as np

from gelenk.errors import ConfigError
from gelenk.planning.graph import (
    Graph,
    SearchResult,
    a_star,
)
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
        is_free: Shape (h, w).
        start: Row and column.
        goal: Row and column.
        neighbours: 4 or 8.
        price: See `grid_graph`.
        cuts_corners: See `grid_graph`.

    Returns:
        The cells, shape (k, 2), empty if there is no path; and the search, whose `cost`
        is in edges of cells.

    Example:
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
