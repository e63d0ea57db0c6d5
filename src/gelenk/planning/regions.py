"""A topological map from a map of cells: rooms, and the doors between them.

Where the free space is wide there are rooms; where it has a waist, doors. Rooms are the
pieces that stay together far from walls, grown back along the ridges of the clearance
(a watershed) until they meet; meetings wider than a door are no doors, and the two
pieces become one room. (After Thrun 1998, who cuts a Voronoi diagram at its waists.)

Beside it the frontier: known free cells beside cells that nobody has seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import (
    binary_dilation,
    binary_propagation,
    distance_transform_edt,
    label,
    maximum_filter,
)

from gelenk.errors import ConfigError
from gelenk.planning.graph import Graph, graph_from_edges
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray

_CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Door:
    """Where two rooms meet.

    Attributes:
        rooms: Their numbers, the smaller one first.
        cell: The cell of its middle, where walls are farthest.
        width: Free width [cells].
    """

    rooms: tuple[int, int]
    cell: tuple[int, int]
    width: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Regions:
    """A topological map.

    Attributes:
        labels: Room of each free cell, from 0; -1: not free, shape (h, w).
        count: Number of rooms.
        doors: Between them.
    """

    labels: IntArray
    count: int
    doors: tuple[Door, ...]

    def way_graph(self) -> Graph:
        """Return doors as places; two of one room are joined by their distance.

        Place k is door k; weights are straight distances [cells].
        """
        edges: list[tuple[int, int, float]] = []
        for i, a in enumerate(self.doors):
            for j, b in enumerate(self.doors[:i]):
                if set(a.rooms) & set(b.rooms):
                    apart = float(np.hypot(*np.subtract(a.cell, b.cell)))
                    edges.append((i, j, apart))
        return graph_from_edges(edges, num_nodes=len(self.doors))


def grid_regions(
    is_free: ArrayLike,
    *,
    core: float,
    widest_door: float,
    least: int = 20,
    furniture: int = 0,
) -> Regions:
    """Return rooms and doors of a grid.

    Args:
        is_free: Shape (h, w).
        core: Clearance from which a cell belongs to the core of a room, more than half
            a door [cells].
        widest_door: Rooms that meet over more than this become one [cells].
        least: Cores with fewer cells are no rooms.
        furniture: Obstacles of up to this many cells stand in rooms and make none.

    Example:
        Two rooms of 9 cells each way, and a door of 3 cells in the wall between them.

        >>> free = np.zeros((21, 11), dtype=bool)
        >>> free[1:10, 1:10] = free[11:20, 1:10] = True
        >>> free[10, 4:7] = True
        >>> rooms = grid_regions(free, core=3.0, widest_door=4.0, least=4)
        >>> rooms.count, rooms.doors[0].rooms, rooms.doors[0].cell
        (2, (0, 1), (10, 5))
    """
    free = np.asarray(is_free, dtype=np.bool_)
    if free.ndim != 2 or not free.any():
        raise ConfigError("`is_free` must have shape (h, w) and some free cells")
    things = np.zeros(free.shape, dtype=np.int64)
    label(~free, structure=np.ones((3, 3)), output=things)
    is_small = np.bincount(things.ravel()) <= furniture
    is_small[0] = False
    open_ = free | is_small[things]
    clearance = np.asarray(distance_transform_edt(np.pad(open_, 1)))[1:-1, 1:-1]
    cores = np.zeros(free.shape, dtype=np.int32)
    label(clearance >= core, structure=_CROSS, output=cores)
    sizes = np.bincount(cores.ravel())
    cores[sizes[cores] < least] = 0
    if not cores.any():
        raise ConfigError(f"nowhere are {least} cells with a clearance of {core} cells")
    reached = np.asarray(
        binary_propagation(cores > 0, structure=_CROSS, mask=open_), dtype=np.bool_
    )
    labels = _flooded(cores.astype(np.int64), clearance, reached)
    while True:
        doors = _meetings(labels, clearance)
        wide = [door for door in doors if door.width > widest_door]
        if not wide:
            break
        keep, gone = max(wide, key=lambda door: door.width).rooms
        labels[labels == gone] = keep
    labels[~free] = 0
    return _numbered(labels, doors)


def frontier_cells(
    is_free: ArrayLike, is_known: ArrayLike, *, least: int = 4
) -> tuple[IntArray, int]:
    """Return free cells beside unknown ones, by connected piece: the frontier.

    Args:
        is_free: Shape (h, w).
        is_known: Whether anybody has seen the cell, shape (h, w).
        least: Smaller pieces are left out.

    Returns:
        Piece of each cell, from 1; 0: none, shape (h, w); and the number of pieces.

    Example:
        >>> free = np.ones((1, 4), dtype=bool)
        >>> known = np.array([[True, True, False, False]])
        >>> frontier_cells(free, known, least=1)
        (array([[0, 1, 0, 0]]), 1)
    """
    free, known = np.asarray(is_free, np.bool_), np.asarray(is_known, np.bool_)
    beside = np.asarray(binary_dilation(~known, structure=_CROSS), dtype=np.bool_)
    edge = free & known & beside
    pieces = np.zeros(free.shape, dtype=np.int64)
    label(edge, structure=np.ones((3, 3)), output=pieces)
    sizes = np.bincount(pieces.ravel())
    is_kept = sizes >= least
    is_kept[0] = False
    renamed = np.where(is_kept, np.cumsum(is_kept), 0)
    return renamed[pieces], int(is_kept.sum())


def _flooded(cores: IntArray, clearance: FloatArray, free: BoolArray) -> IntArray:
    """Return cores grown into all free cells, wide places first: a watershed."""
    labels = cores
    for level in np.arange(np.ceil(2.0 * clearance.max()), -1.0, -1.0) / 2.0:
        open_ = free & (clearance >= level)
        while True:
            new = open_ & (labels == 0)
            found = np.where(new, maximum_filter(labels, footprint=_CROSS), labels)
            if (found == labels).all():
                break
            labels = found
    return labels


def _meetings(labels: IntArray, clearance: FloatArray) -> list[Door]:
    """Return where rooms touch: one door for each connected piece of a border."""
    pairs: dict[tuple[int, int], BoolArray] = {}
    for here, there in (
        (np.s_[1:, :], np.s_[:-1, :]),
        (np.s_[:, 1:], np.s_[:, :-1]),
    ):
        a, b = labels[here], labels[there]
        touch = (a != b) & (a > 0) & (b > 0)
        low, high = np.minimum(a, b), np.maximum(a, b)
        for i, j in np.unique(np.stack([low[touch], high[touch]], 1), axis=0):
            border = pairs.setdefault(
                (int(i), int(j)), np.zeros(labels.shape, dtype=np.bool_)
            )
            both = touch & (low == i) & (high == j)
            # Of two cells that touch the narrower one is the waist.
            is_here = clearance[here] <= clearance[there]
            border[here] |= both & is_here
            border[there] |= both & ~is_here
    doors: list[Door] = []
    for rooms, border in sorted(pairs.items()):
        pieces = np.zeros(labels.shape, dtype=np.int64)
        label(border, structure=np.ones((3, 3)), output=pieces)
        for k in range(1, int(pieces.max()) + 1):
            inside = np.where(pieces == k, clearance, -1.0)
            i, j = np.unravel_index(int(inside.argmax()), inside.shape)
            width = 2.0 * float(inside.max()) - 1.0
            doors.append(Door(rooms=rooms, cell=(int(i), int(j)), width=width))
    return doors


def _numbered(labels: IntArray, doors: list[Door]) -> Regions:
    """Return rooms numbered from 0 without gaps."""
    used = np.unique(labels[labels > 0])
    names = {int(old): new for new, old in enumerate(used)}
    table = np.full(int(labels.max()) + 1, -1)
    table[used] = np.arange(len(used))
    renamed = tuple(
        Door(
            rooms=(names[door.rooms[0]], names[door.rooms[1]]),
            cell=door.cell,
            width=door.width,
        )
        for door in doors
    )
    return Regions(
        labels=np.where(labels > 0, table[np.maximum(labels, 0)], -1),
        count=len(used),
        doors=renamed,
    )
