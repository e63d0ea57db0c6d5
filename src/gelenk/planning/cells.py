"""Cell decompositions of free space: exact (trapezoids, convex cells) and 2^n-trees.

Exact: a vertical line sweeps the room and stops at every corner; a wall is drawn from
the corner up and down to the next obstacle. A path leads from cell to cell through the
middle of the walls; cells are convex, so it never leaves them. (The least number of
convex cells is NP-hard with holes; joined trapezoids are exact, not optimal.)

Approximate: a cube that is neither free nor occupied throughout is cut into 2^n of half
the side, in the order [[1, 2], [3, 4]] of rows and columns, down to the smallest size;
what is still mixed there counts as occupied. Trees are immutable: a change of the map
makes a new tree that shares all untouched branches with the old one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.planning.concepts import PlanResult, PlanStatus
from gelenk.planning.roadmaps import Roadmap, roadmap_path
from gelenk.planning.world import TOUCH, PolygonWorld
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CellMap:
    """Convex cells that share no inner point, and the walls between them.

    Attributes:
        cells: Corners, anticlockwise, each of shape (k, 2) [m].
        neighbours: Cells left and right of each wall, shape (m, 2).
        walls: End points of the walls between cells [m], shape (m, 2, 2).
    """

    cells: tuple[FloatArray, ...]
    neighbours: IntArray
    walls: FloatArray

    def locate(self, point: ArrayLike) -> list[int]:
        """Return the cells that hold a point [m], shape (2,); several on a wall."""
        p = as_finite("point", point, (2,))
        return [k for k, cell in enumerate(self.cells) if _holds(cell, p)]


def trapezoid_cells(world: PolygonWorld) -> CellMap:
    """Cut the free space into trapezoids and triangles with vertical walls.

    Example:
        >>> world = PolygonWorld([[[4, 4], [6, 4], [6, 6], [4, 6]]], [0, 0], [10, 10])
        >>> cells = trapezoid_cells(world)
        >>> len(cells.cells), len(cells.neighbours)
        (4, 4)
    """
    stops = _stops(world)
    finished: list[FloatArray] = []
    growing: dict[tuple[int, int], float] = {}
    for left, right in pairwise(stops.tolist()):
        gaps = _free_gaps(world, 0.5 * (left + right))
        for pair, begin in list(growing.items()):
            if pair not in gaps:
                finished.append(_trapezoid(world, pair, begin, left))
                del growing[pair]
        growing.update({pair: left for pair in gaps if pair not in growing})
    finished += [_trapezoid(world, p, x, stops[-1]) for p, x in growing.items()]
    cells = tuple(finished)
    neighbours, walls = _vertical_walls(cells)
    return CellMap(cells=cells, neighbours=neighbours, walls=walls)


def convex_cells(world: PolygonWorld) -> CellMap:
    """Cut the free space into few convex cells: trapezoids, joined where possible.

    Two cells are joined if their wall is a whole side of both and the union is convex.

    Example:
        >>> hexagon = [[2, 5], [3, 3], [6, 3], [7, 5], [6, 7], [3, 7]]
        >>> world = PolygonWorld([hexagon], [0, 0], [10, 10])
        >>> len(trapezoid_cells(world).cells), len(convex_cells(world).cells)
        (8, 8)
    """
    exact = trapezoid_cells(world)
    cells = dict(enumerate(exact.cells))
    walls = [
        (int(i), int(j), wall)
        for (i, j), wall in zip(exact.neighbours, exact.walls, strict=True)
    ]
    k = 0
    while k < len(walls):
        i, j, wall = walls[k]
        union = _joined(cells[i], cells[j], wall) if i != j else None
        if union is None:
            k += 1
            continue
        cells[i] = union
        del cells[j], walls[k]
        walls = [(i if a == j else a, i if b == j else b, w) for a, b, w in walls]
        k = 0
    names = {old: new for new, old in enumerate(cells)}
    pairs = [(names[i], names[j]) for i, j, _ in walls]
    return CellMap(
        cells=tuple(cells.values()),
        neighbours=np.array(pairs, dtype=np.int64).reshape(-1, 2),
        walls=np.array([w for _, _, w in walls]).reshape(-1, 2, 2),
    )


def cell_path(cells: CellMap, start: ArrayLike, goal: ArrayLike) -> PlanResult:
    """Return the shortest path through the middles of the walls.

    Args:
        cells: Convex cells.
        start: Start point in some cell [m], shape (2,).
        goal: Goal point in some cell [m], shape (2,).
    """
    ends = [as_finite("start", start, (2,)), as_finite("goal", goal, (2,))]
    homes = [cells.locate(end) for end in ends]
    for name, end, home in zip(("start", "goal"), ends, homes, strict=True):
        if not home:
            raise ConfigError(f"`{name}` {end.tolist()} is in no cell")
    points = np.concatenate([ends, cells.walls.mean(axis=1)])
    members: list[set[int]] = [set() for _ in cells.cells]
    for k, home in enumerate(homes):
        for cell in home:
            members[cell].add(k)
    touching: list[tuple[int, int]] = cells.neighbours.tolist()
    for k, (i, j) in enumerate(touching):
        members[i].add(2 + k)
        members[j].add(2 + k)
    edges = {(a, b) for nodes in members for a in nodes for b in nodes if a < b}
    pairs = np.array(sorted(edges), dtype=np.int64).reshape(-1, 2)
    return roadmap_path(Roadmap(points=points, edges=pairs), 0, 1)


def _stops(world: PolygonWorld) -> FloatArray:
    """Return where the sweep stops: corners and crossings of edges, by x."""
    a, b = world.starts, world.ends
    side = b - a
    i, j = np.triu_indices(len(a), 1)
    cross = side[i, 0] * side[j, 1] - side[i, 1] * side[j, 0]
    safe = np.where(np.abs(cross) > 1e-15, cross, np.nan)
    offset = a[j] - a[i]
    t = (offset[:, 0] * side[j, 1] - offset[:, 1] * side[j, 0]) / safe
    u = (offset[:, 0] * side[i, 1] - offset[:, 1] * side[i, 0]) / safe
    meets = (t >= 0.0) & (t <= 1.0) & (u >= 0.0) & (u <= 1.0)
    x = np.concatenate([a[:, 0], (a[i] + t[:, None] * side[i])[meets, 0]])
    x = np.unique(x[(x >= world.lower[0]) & (x <= world.upper[0])])
    return x[np.concatenate([[True], np.diff(x) > TOUCH])]


def _heights(world: PolygonWorld, edges: IntArray, x: float) -> FloatArray:
    a, b = world.starts[edges], world.ends[edges]
    share = (x - a[:, 0]) / (b[:, 0] - a[:, 0])
    return a[:, 1] + share * (b[:, 1] - a[:, 1])


def _free_gaps(world: PolygonWorld, x: float) -> list[tuple[int, int]]:
    """Return the free intervals on a vertical line, as edges below and above."""
    ends_x = np.stack([world.starts[:, 0], world.ends[:, 0]])
    hit = np.flatnonzero((ends_x.min(axis=0) < x) & (x < ends_x.max(axis=0)))
    heights = _heights(world, hit, x)
    gaps: list[tuple[int, int]] = []
    below, ground, depth = -1, 0.0, 1  # below the room counts as inside something
    inside: set[int] = set()
    for k in np.argsort(heights, kind="stable"):
        edge, owner = int(hit[k]), int(world.owner[hit[k]])
        if owner < 0:
            change = -1 if owner == -1 else 1  # the floor opens the room
        else:
            change = -1 if owner in inside else 1
            inside ^= {owner}
        if depth == 0 and heights[k] - ground > TOUCH:
            gaps.append((below, edge))
        depth += change
        if depth == 0:
            below, ground = edge, float(heights[k])
    return gaps


def _trapezoid(
    world: PolygonWorld, pair: tuple[int, int], left: float, right: float
) -> FloatArray:
    edges = np.array(pair)
    (y00, y01), (y10, y11) = _heights(world, edges, left), _heights(world, edges, right)
    corners = [[left, y00], [right, y10], [right, y11], [left, y01]]
    if abs(y11 - y10) <= TOUCH:
        del corners[2]
    if abs(y01 - y00) <= TOUCH:
        del corners[-1]
    return np.array(corners)


def _vertical_walls(cells: tuple[FloatArray, ...]) -> tuple[IntArray, FloatArray]:
    """Return neighbours and shared walls of trapezoids."""
    sides: list[tuple[float, float, float, float, float, float]] = []
    for cell in cells:
        x0, x1 = cell[:, 0].min(), cell[:, 0].max()
        y_left, y_right = cell[cell[:, 0] == x0, 1], cell[cell[:, 0] == x1, 1]
        sides.append((x0, y_left.min(), y_left.max(), x1, y_right.min(), y_right.max()))
    pairs: list[tuple[int, int]] = []
    walls: list[list[list[float]]] = []
    for i, (_, _, _, x, low_i, high_i) in enumerate(sides):
        for j, (x_j, low_j, high_j, _, _, _) in enumerate(sides):
            low, high = max(low_i, low_j), min(high_i, high_j)
            if x == x_j and high - low > TOUCH:
                pairs.append((i, j))
                walls.append([[x, low], [x, high]])
    return (
        np.array(pairs, dtype=np.int64).reshape(-1, 2),
        np.array(walls).reshape(-1, 2, 2),
    )


def _joined(a: FloatArray, b: FloatArray, wall: FloatArray) -> FloatArray | None:
    """Return the union of two cells if their wall is a side of both; None if bent."""
    low, high = wall
    i, j = _side(a, low, high), _side(b, high, low)
    if i is None or j is None:
        return None
    outer_a = np.roll(a, -(i + 1), axis=0)  # from high round to low
    outer_b = np.roll(b, -(j + 1), axis=0)  # from low round to high
    ring = np.concatenate([outer_a[:-1], outer_b[:-1]])
    ring = ring[_bends(ring) != 0.0]
    return ring if (_bends(ring) > 0.0).all() else None


def _side(cell: FloatArray, start: FloatArray, end: FloatArray) -> int | None:
    following = np.roll(cell, -1, axis=0)
    fits = np.abs(cell - start).max(axis=1) <= TOUCH
    fits &= np.abs(following - end).max(axis=1) <= TOUCH
    found = np.flatnonzero(fits)
    return int(found[0]) if len(found) else None


def _bends(ring: FloatArray) -> FloatArray:
    """Return the sine of the turn at each corner; 0 if it is as good as none."""
    before, after = ring - np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0) - ring
    sine = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    sine = sine / (np.hypot(*before.T) * np.hypot(*after.T))
    return np.where(np.abs(sine) > 1e-12, sine, 0.0)


def _holds(cell: FloatArray, p: FloatArray) -> bool:
    side = np.roll(cell, -1, axis=0) - cell
    offset = p - cell
    gap = (side[:, 0] * offset[:, 1] - side[:, 1] * offset[:, 0]) / np.hypot(*side.T)
    is_right: BoolArray = gap < -TOUCH
    return not bool(is_right.any())


class CellState(StrEnum):
    """Content of a cube of a cell tree."""

    FREE = "free"
    OCCUPIED = "occupied"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True, kw_only=True)
class CellTree:
    """A cube of cells.

    Attributes:
        corner: First cell along each axis.
        size: Side [cells], a power of two.
        state: Content of the cube: free, occupied or mixed.
        children: 2^n cubes of half the side, the last axis fastest; empty: a leaf.
    """

    corner: tuple[int, ...]
    size: int
    state: CellState
    children: tuple[CellTree, ...] = ()

    @property
    def num_inner(self) -> int:
        """Number of cubes that were cut."""
        return bool(self.children) + sum(child.num_inner for child in self.children)

    def leaves(self) -> Iterator[CellTree]:
        """Yield the cubes that are not cut, in order."""
        if not self.children:
            yield self
        for child in self.children:
            yield from child.leaves()

    def leaf(self, cell: tuple[int, ...]) -> CellTree:
        """Return the leaf that holds a cell."""
        node = self
        while node.children:
            half = node.size // 2
            index = 0
            for at, first in zip(cell, node.corner, strict=True):
                index = 2 * index + (at - first >= half)
            node = node.children[index]
        return node


def cell_tree(is_occupied: ArrayLike, *, smallest: int = 1) -> CellTree:
    """Return the tree of an occupancy array.

    Args:
        is_occupied: Whether each cell of the array is occupied, shape (2^k,) * n.
        smallest: Smallest side [cells], a power of two.

    Example:
        >>> grid = np.zeros((4, 4), dtype=bool)
        >>> grid[0, 0] = True
        >>> tree = cell_tree(grid)
        >>> [leaf.size for leaf in tree.leaves()]
        [1, 1, 1, 1, 2, 2, 2]
    """
    occupied = np.asarray(is_occupied, dtype=np.bool_)
    side = occupied.shape[0] if occupied.ndim else 0
    if set(occupied.shape) != {side} or side < 1 or side & (side - 1):
        raise ConfigError(
            "`is_occupied` must have equal sides that are a power of two, got "
            f"{occupied.shape}"
        )
    if smallest < 1 or smallest & (smallest - 1):
        raise ConfigError(f"`smallest` must be a power of two, got {smallest}")
    return _cut(occupied, (0,) * occupied.ndim, side, smallest)


def update_cell_tree(
    tree: CellTree,
    is_occupied: ArrayLike,
    lower: tuple[int, ...],
    upper: tuple[int, ...],
    *,
    smallest: int = 1,
) -> CellTree:
    """Return the tree after a change of the map in cells lower <= cell < upper.

    Branches outside the region are the same objects as before.

    Args:
        tree: The tree before.
        is_occupied: The whole map after the change.
        lower: First cell of the region.
        upper: First cell behind it.
        smallest: Side of the smallest cube, in cells of the array.
    """
    occupied = np.asarray(is_occupied, dtype=np.bool_)
    return _change(tree, occupied, lower, upper, smallest)


def tree_path(
    tree: CellTree, start: tuple[int, ...], goal: tuple[int, ...]
) -> PlanResult:
    """Return a path through free leaves, by their centers and shared faces.

    Args:
        tree: Free and occupied cubes.
        start: A free cell.
        goal: A free cell.

    Returns:
        Points in units of cells; cell i reaches from i to i + 1.
    """
    free = [leaf for leaf in tree.leaves() if leaf.state == CellState.FREE]
    ids = {leaf.corner: k for k, leaf in enumerate(free)}
    ends: list[int] = []
    for name, cell in (("start", start), ("goal", goal)):
        leaf = tree.leaf(cell)
        if leaf.state != CellState.FREE:
            raise ConfigError(f"`{name}` {cell} is not in a free cell")
        ends.append(ids[leaf.corner])
    if not free:
        return PlanResult(status=PlanStatus.UNREACHABLE, path=None, effort=0)
    low = np.array([leaf.corner for leaf in free], dtype=float)
    high = low + np.array([[leaf.size] for leaf in free])
    points: list[FloatArray] = [np.asarray(p) for p in 0.5 * (low + high)]
    edges: list[tuple[int, int]] = []
    for i in range(len(free)):
        bottom, top = np.maximum(low, low[i]), np.minimum(high, high[i])
        shared = (top - bottom >= 0.0).all(axis=1)
        # A face: touching along one axis, overlapping along the others.
        shared &= (top - bottom > 0.0).sum(axis=1) == low.shape[1] - 1
        for j in np.flatnonzero(shared):
            if j > i:
                edges += [(i, len(points)), (int(j), len(points))]
                points.append(0.5 * (bottom[j] + top[j]))
    for k, cell in enumerate((start, goal)):
        edges.append((ends[k], len(points)))
        points.append(np.array(cell, dtype=float) + 0.5)
    count = len(points)
    pairs = np.array(edges, dtype=np.int64).reshape(-1, 2)
    roadmap = Roadmap(points=np.array(points), edges=pairs)
    return roadmap_path(roadmap, count - 2, count - 1)


def _cut(
    occupied: BoolArray, corner: tuple[int, ...], size: int, smallest: int
) -> CellTree:
    block = occupied[tuple(slice(c, c + size) for c in corner)]
    if not block.any():
        return CellTree(corner=corner, size=size, state=CellState.FREE)
    if block.all() or size <= smallest:
        return CellTree(corner=corner, size=size, state=CellState.OCCUPIED)
    children = tuple(
        _cut(occupied, tuple(at), size // 2, smallest) for at in _corners(corner, size)
    )
    return CellTree(corner=corner, size=size, state=CellState.MIXED, children=children)


def _change(
    tree: CellTree,
    occupied: BoolArray,
    lower: tuple[int, ...],
    upper: tuple[int, ...],
    smallest: int,
) -> CellTree:
    spans = zip(tree.corner, lower, upper, strict=True)
    if any(c >= high or c + tree.size <= low for c, low, high in spans):
        return tree
    block = occupied[tuple(slice(c, c + tree.size) for c in tree.corner)]
    if not tree.children or not block.any() or block.all():
        return _cut(occupied, tree.corner, tree.size, smallest)
    children = tuple(
        _change(child, occupied, lower, upper, smallest) for child in tree.children
    )
    return CellTree(
        corner=tree.corner, size=tree.size, state=CellState.MIXED, children=children
    )


def _corners(corner: tuple[int, ...], size: int) -> list[tuple[int, ...]]:
    """Return the corners of the 2^n parts, the last axis fastest."""
    half = size // 2
    parts: list[tuple[int, ...]] = [()]
    for c in corner:
        parts = [(*part, c + shift) for part in parts for shift in (0, half)]
    return parts
