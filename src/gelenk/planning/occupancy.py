"""Occupancy grids learned from range data, their rooms, doors and frontiers.

Each cell keeps the log-odds of being occupied, l <- l + log(p / (1 - p)) - l0, where p
is what one reading says of it: cells a beam passes through are rather free, the one
where it ends rather occupied. Readings count as independent; values are clamped, so
that the map can still change.

Rooms are the pieces of free space that stay together far from walls, grown back along
the ridges of the clearance (a watershed) until they meet; meetings wider than a door
join two pieces to one room. (After Thrun 1998, who cuts a Voronoi diagram at its
waists.) The frontier: known free cells beside cells that nobody has seen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.ndimage import (
    binary_dilation,
    binary_propagation,
    distance_transform_edt,
    label,
    maximum_filter,
)

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.planning.graph import Graph, graph_from_edges
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray


def log_odds(probability: ArrayLike) -> FloatArray:
    """Return log(p / (1 - p)), shape (...)."""
    p = np.asarray(probability, dtype=float)
    return np.log(p) - np.log1p(-p)


def probability(odds: ArrayLike) -> FloatArray:
    """Return p = 1 / (1 + exp(-l)) of log-odds, shape (...).

    Example:
        >>> round(float(probability(log_odds([0.7, 0.7, 0.3, 0.9]).sum())), 6)
        0.954545
    """
    return 1.0 / (1.0 + np.exp(-np.asarray(odds, dtype=float)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OccupancyGrid:
    """A map of square cells; cell (i, j) begins at origin + cell (i, j).

    Attributes:
        origin: Corner of cell (0, 0) in the world [m], shape (2,).
        cell: Side of a cell [m].
        odds: Log-odds, shape (nx, ny).
        prior: l0, log-odds of a cell nobody has seen.
        clamp: Largest |odds|.
    """

    origin: FloatArray
    cell: float
    odds: FloatArray
    prior: float = 0.0
    clamp: float = 8.0

    @property
    def probability(self) -> FloatArray:
        """Probability of being occupied, shape (nx, ny)."""
        return probability(self.odds)

    def cells(self, points: ArrayLike) -> IntArray:
        """Return the cells of points [m], shape (..., 2); may lie outside the grid."""
        p = np.asarray(points, dtype=float)
        return np.floor((p - self.origin) / self.cell).astype(np.int64)

    def centers(self) -> FloatArray:
        """Return the centers of all cells in the world [m], shape (nx, ny, 2)."""
        return self.origin + self.cell * (
            np.moveaxis(np.indices(self.odds.shape), 0, -1) + 0.5
        )

    def are_free(self, *, below: float = 0.5) -> BoolArray:
        """Return the cells that are rather free, shape (nx, ny)."""
        return np.asarray(self.probability < below)


def empty_grid(lower: ArrayLike, upper: ArrayLike, cell: float) -> OccupancyGrid:
    """Return a grid that knows nothing, over the box from lower to upper [m].

    Args:
        lower: Corner with the smallest coordinates [m], shape (2,).
        upper: Corner with the largest coordinates [m], shape (2,).
        cell: Side of a cell [m].

    Example:
        >>> from gelenk.planning import empty_grid
        >>> grid = empty_grid([0.0, 0.0], [2.0, 1.0], 0.5)
        >>> grid.odds.shape, float(grid.probability[0, 0])
        ((4, 2), 0.5)
    """
    low, high = as_finite("lower", lower, (2,)), as_finite("upper", upper, (2,))
    if not (cell > 0.0 and (low < high).all()):
        raise ConfigError("`cell` must be positive and `lower` below `upper`")
    counts = np.ceil((high - low) / cell - 1e-9).astype(int)
    return OccupancyGrid(origin=low, cell=cell, odds=np.zeros(tuple(counts)))


def crossed_cells(start: ArrayLike, end: ArrayLike) -> IntArray:
    """Return the unit cells that a segment passes through, in order, shape (k, 2).

    The segment is cut at every grid line it crosses; the middle of each piece lies
    inside one cell.

    Args:
        start: Start of the beam in units of cells, shape (2,).
        end: End of the beam in units of cells, shape (2,).

    Example:
        >>> crossed_cells([0.5, 0.5], [2.5, 1.2]).tolist()
        [[0, 0], [1, 0], [1, 1], [2, 1]]
    """
    a, b = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    cuts = [np.array([0.0, 1.0])]
    for k in range(2):
        low, high = sorted((a[k], b[k]))
        lines = np.arange(float(np.ceil(low)), float(np.floor(high)) + 1.0)
        if high > low:
            cuts.append((lines - a[k]) / (b[k] - a[k]))
    shares = np.unique(np.clip(np.concatenate(cuts), 0.0, 1.0))
    middles = 0.5 * (shares[1:] + shares[:-1]) if len(shares) > 1 else shares
    cells = np.floor(a + middles[:, None] * (b - a)).astype(np.int64)
    is_new = np.concatenate([[True], (np.diff(cells, axis=0) != 0).any(axis=1)])
    return cells[is_new]


def add_scan(
    grid: OccupancyGrid,
    pose: ArrayLike,
    bearings: ArrayLike,
    ranges: ArrayLike,
    *,
    max_range: float,
    p_hit: float = 0.8,
    p_pass: float = 0.35,
) -> OccupancyGrid:
    """Return the map after one scan from a known pose.

    Args:
        grid: The map before.
        pose: x, y [m] and heading [rad] of the sensor in the world, shape (3,).
        bearings: Angles of the beams from the heading [rad], shape (k,).
        ranges: Readings [m], shape (k,); from `max_range` on: nothing was met.
        max_range: Longest reading [m].
        p_hit: Probability that the cell where a beam ends is occupied, > 0.5.
        p_pass: Probability that a cell a beam passed is occupied, < 0.5.

    Example:
        >>> from gelenk.planning import add_scan, empty_grid
        >>> blank = empty_grid([0.0, 0.0], [5.0, 1.0], 1.0)
        >>> seen = add_scan(blank, [0.5, 0.5, 0.0], [0.0], [3.0], max_range=9.0)
        >>> seen.probability[:, 0].round(2)  # free, ..., the wall, unknown
        array([0.35, 0.35, 0.35, 0.8 , 0.5 ])
    """
    if not 0.0 < p_pass < 0.5 < p_hit < 1.0:
        raise ConfigError("`p_pass` must be below 0.5 and `p_hit` above")
    x, y, heading = as_finite("pose", pose, (3,))
    beams = np.asarray(bearings, dtype=float) + heading
    reach = np.minimum(np.asarray(ranges, dtype=float), max_range)
    start = (np.array([x, y]) - grid.origin) / grid.cell
    along = np.stack([np.cos(beams), np.sin(beams)], axis=-1) * reach[:, None]
    # A hair further: a wall on a grid line belongs to the cell behind it.
    ends = start + along / grid.cell * (1.0 + 1e-9)
    owner, cells = _crossed_by_all(start, ends)
    inside = ((cells >= 0) & (cells < np.array(grid.odds.shape))).all(axis=1)
    owner, cells = owner[inside], cells[inside]
    is_end = (cells == np.floor(ends[owner])).all(axis=1) & (reach < max_range)[owner]
    says = np.where(is_end, log_odds(p_hit), log_odds(p_pass)) - grid.prior
    odds = grid.odds.copy()
    touched = cells[:, 0], cells[:, 1]
    np.add.at(odds, touched, says)
    odds[touched] = np.clip(odds[touched], -grid.clamp, grid.clamp)
    return replace(grid, odds=odds)


def _crossed_by_all(start: FloatArray, ends: FloatArray) -> tuple[IntArray, IntArray]:
    """Return `crossed_cells` of segments from one start, and whose each is.

    Args:
        start: Start of all beams in units of cells, shape (2,).
        ends: Ends of the beams in units of cells, shape (k, 2).

    Returns:
        Numbers of segments, shape (n,), and their cells, shape (n, 2).
    """
    along = ends - start
    cuts = [np.zeros((len(ends), 1)), np.ones((len(ends), 1))]
    for k in range(2):
        # Grid lines in the order in which a segment meets them.
        ahead = along[:, k] > 0.0
        edge = float(np.floor(start[k])), float(np.ceil(start[k]))
        first = np.where(ahead, edge[1], edge[0]) - start[k]
        most = int(np.ceil(np.abs(along[:, k]).max(initial=0.0)))
        side: IntArray = np.where(ahead, 1, -1)
        lines = first[:, None] + side[:, None] * np.arange(most + 1, dtype=np.float64)
        steep = np.where(along[:, k] == 0.0, np.inf, along[:, k])
        # Those beyond its end fall on it and cut nothing.
        cuts.append(np.clip(lines / steep[:, None], 0.0, 1.0))
    shares = np.sort(np.concatenate(cuts, axis=1), axis=1)
    middles = 0.5 * (shares[:, 1:] + shares[:, :-1])
    is_piece = shares[:, 1:] > shares[:, :-1]
    is_piece[:, 0] |= ~is_piece.any(axis=1)  # of no length: the cell it stands in
    owner, piece = np.nonzero(is_piece)
    cells = np.floor(start + middles[owner, piece, None] * along[owner])
    is_new = np.ones(len(owner), dtype=np.bool_)
    is_new[1:] = (np.diff(cells, axis=0) != 0.0).any(axis=1) | (np.diff(owner) != 0)
    return owner[is_new], cells[is_new].astype(np.int64)


_CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Door:
    """Passage between two rooms.

    Attributes:
        rooms: Numbers of the two rooms, the smaller one first.
        cell: The cell of its middle, where walls are farthest.
        width: Free width [cells].
    """

    rooms: tuple[int, int]
    cell: tuple[int, int]
    width: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RoomMap:
    """A topological map.

    Attributes:
        labels: Room of each free cell, from 0; -1: not free, shape (h, w).
        count: Number of rooms.
        doors: Doors between the rooms.
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


def find_rooms(
    is_free: ArrayLike,
    *,
    core: float,
    widest_door: float,
    least: int = 20,
    furniture: int = 0,
) -> RoomMap:
    """Return rooms and doors of a grid.

    Args:
        is_free: Whether each cell is free, shape (h, w).
        core: Clearance from which a cell belongs to the core of a room, more than half
            a door [cells].
        widest_door: Rooms that meet over more than this become one [cells].
        least: Cores with fewer cells are no rooms.
        furniture: Obstacles of up to this many cells stand in rooms and make none.

    Example:
        Two rooms of 9 cells each way, and a door of 3 cells in the wall between them.

        >>> from gelenk.planning import find_rooms
        >>> free = np.zeros((21, 11), dtype=bool)
        >>> free[1:10, 1:10] = free[11:20, 1:10] = True
        >>> free[10, 4:7] = True
        >>> rooms = find_rooms(free, core=3.0, widest_door=4.0, least=4)
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
        is_free: Whether each cell is free, shape (h, w).
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


def _numbered(labels: IntArray, doors: list[Door]) -> RoomMap:
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
    return RoomMap(
        labels=np.where(labels > 0, table[np.maximum(labels, 0)], -1),
        count=len(used),
        doors=renamed,
    )
