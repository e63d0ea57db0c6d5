"""Approximate cells: quadtree, octree and 2^n-tree of an occupancy array.

A cube that is neither free nor occupied throughout is cut into 2^n of half the side,
in the order [[1, 2], [3, 4]] of rows and columns, down to the smallest size; what is
still mixed there counts as occupied, so the union of the free cells lies in the free
space. Trees are immutable: a local change of the map makes a new tree that shares all
untouched branches with the old one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from gelenk.errors import ConfigError
from gelenk.planning.terms import PlanResult, PlanStatus
from gelenk.planning.visibility import Roadmap, roadmap_path
from gelenk.typing import ArrayLike, BoolArray, FloatArray


class CellState(StrEnum):
    """What a cube holds."""

    FREE = "free"
    OCCUPIED = "occupied"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True, kw_only=True)
class CellTree:
    """A cube of cells.

    Attributes:
        corner: First cell along each axis.
        size: Side [cells], a power of two.
        state: What it holds.
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
        is_occupied: Shape (2^k,) * n.
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


def changed_tree(
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
        smallest: As for `cell_tree`.
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
    ends = []
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
