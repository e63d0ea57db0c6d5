"""Directions as nodes: an icosahedron refined twice, and the way from vector to node.

Angles of longitude and latitude crowd at the poles; the 10 * 4^n + 2 nodes of a refined
icosahedron (after Heikes and Randall) are almost equally far apart: 162 for n = 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from gelenk.core.checks import as_array
from gelenk.core.kernels.compile import kernel
from gelenk.core.typing import ArrayLike, FloatArray, IntArray

REFINEMENTS = 2
GRID_SIZE = 50  # cells of the auxiliary grid along each axis
WORDS = 3  # of 64 bits: the set of 162 nodes and one more id
MAX_NEIGHBOURS = 6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Nodes:
    """Nodes on the unit sphere.

    Attributes:
        direction: Unit vectors, (n, 3).
        neighbours: Ids of the neighbours of each node, filled up with -1, (n, 6).
        extent: Angle to the farthest neighbour [rad], (n,).
        grid: Nearest node of each cell of the cube [-1, 1]^3, -1 away from the sphere,
            (50, 50, 50).
    """

    direction: FloatArray
    neighbours: IntArray
    extent: FloatArray
    grid: IntArray

    @property
    def count(self) -> int:
        """Number of nodes; also the special id of motions without a direction."""
        return len(self.direction)


@cache
def make_nodes(refinements: int = REFINEMENTS) -> Nodes:
    """Return the icosahedron's nodes after some refinements, with their grid."""
    direction, links = _icosahedron()
    for _ in range(refinements):
        direction, links = _refined(direction, links)
    neighbours = np.full((len(direction), MAX_NEIGHBOURS), -1, dtype=np.int64)
    for node, others in links.items():
        neighbours[node, : len(others)] = sorted(others)
    chord = np.array(
        [max(np.linalg.norm(direction[k] - direction[list(links[k])], axis=1))
         for k in range(len(direction))]
    )  # fmt: skip
    nodes = Nodes(
        direction=direction,
        neighbours=neighbours,
        extent=2.0 * np.arcsin(chord / 2.0),
        grid=_make_grid(direction),
    )
    for array in (nodes.direction, nodes.neighbours, nodes.extent, nodes.grid):
        array.setflags(write=False)
    return nodes


def nearest_node(nodes: Nodes, vector: ArrayLike) -> IntArray:
    """Return the node of the grid cell in which a direction falls, shape (...).

    The nearest node for about 94 % of directions, else the second nearest.

    Args:
        nodes: The nodes.
        vector: Any length but 0, shape (..., 3).
    """
    v = as_array("vector", vector, (3,))
    v = v / np.linalg.norm(v, axis=-1, keepdims=True)
    i = np.clip((v + 1.0) / _STEP + 0.5, 0, GRID_SIZE - 1).astype(np.int64)
    return nodes.grid[i[..., 0], i[..., 1], i[..., 2]]


def nodes_within(nodes: Nodes, vector: ArrayLike, tolerance: float) -> IntArray:
    """Return the nodes whose extent plus `tolerance` reaches a direction, sorted.

    Walks over neighbours from the grid's node while (4.55) holds.

    Args:
        nodes: The nodes.
        vector: Any length but 0, shape (3,).
        tolerance: Angle [rad].
    """
    v = as_array("vector", vector, (3,))
    v = v / np.linalg.norm(v)
    found, waiting = set[int](), [int(nearest_node(nodes, v))]
    seen = set(waiting)
    while waiting:
        k = waiting.pop()
        chord = float(np.linalg.norm(v - nodes.direction[k]))
        if 2.0 * np.arcsin(min(chord / 2.0, 1.0)) > nodes.extent[k] + tolerance:
            continue
        found.add(k)
        new = {int(i) for i in nodes.neighbours[k] if i >= 0} - seen
        seen |= new
        waiting.extend(new)
    return np.array(sorted(found), dtype=np.int64)


_STEP = 2.0 / (GRID_SIZE - 1)  # (4.50): cells are centred in the grid's points


def _icosahedron() -> tuple[FloatArray, dict[int, set[int]]]:
    golden = (1.0 + np.sqrt(5.0)) / 2.0
    corners = []
    for axis in range(3):
        for a in (1.0, -1.0):
            for b in (golden, -golden):
                corners.append(np.roll((0.0, a, b), axis))
    points = np.array(corners)
    gaps = np.linalg.norm(points[:, None] - points, axis=2)
    links = {
        k: set(np.flatnonzero(np.isclose(gaps[k], 2.0)).tolist()) for k in range(12)
    }
    return points / np.linalg.norm(points, axis=1, keepdims=True), links


def _refined(
    direction: FloatArray, links: dict[int, set[int]]
) -> tuple[FloatArray, dict[int, set[int]]]:
    """Return the nodes with one more in the middle of every pair of neighbours."""
    pairs = [(a, b) for a, b in combinations(sorted(links), 2) if b in links[a]]
    middle = np.array([direction[a] + direction[b] for a, b in pairs])
    middle /= np.linalg.norm(middle, axis=1, keepdims=True)
    first = len(direction)
    new_links: dict[int, set[int]] = {k: set() for k in range(first + len(pairs))}
    for k, pair in enumerate(pairs):
        gaps = np.linalg.norm(middle - middle[k], axis=1)
        gaps[k] = np.inf
        four = (first + np.argsort(gaps, kind="stable")[:4]).tolist()
        for other in (*pair, *four):
            new_links[first + k].add(other)
            new_links[other].add(first + k)
    return np.concatenate([direction, middle]), new_links


def _make_grid(direction: FloatArray) -> IntArray:
    axis = -1.0 + _STEP * np.arange(GRID_SIZE)
    centres = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1)
    # A point of the sphere is at most half a diagonal from the centre of its cell.
    away = np.abs(np.linalg.norm(centres, axis=-1) - 1.0)
    near = away <= np.sqrt(3.0) / 2.0 * _STEP + 1e-12
    grid = np.full(near.shape, -1, dtype=np.int64)
    grid[near] = (centres[near] @ direction.T).argmax(axis=1)
    return grid


@kernel
def orthogonal_set(v, direction, sines, special, out):
    """Set the bits of all nodes on the plane across v; `special` alone if v is zero.

    A node counts if the plane comes as near as its extent, sin(extent) in `sines`.
    """
    out[:] = 0
    size = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) ** 0.5
    if size < 1e-9:
        out[special // 64] |= np.uint64(1) << np.uint64(special % 64)
        return
    for k in range(len(direction)):
        along = direction[k, 0] * v[0] + direction[k, 1] * v[1] + direction[k, 2] * v[2]
        if abs(along) <= sines[k] * size:
            out[k // 64] |= np.uint64(1) << np.uint64(k % 64)


def node_set(nodes: Nodes, ids: ArrayLike) -> np.ndarray:
    """Return ids as a set of bits, (3,) uint64, with the special id in it."""
    words = np.zeros(WORDS, dtype=np.uint64)
    for k in (*np.asarray(ids, dtype=np.int64).tolist(), nodes.count):
        words[k // 64] |= np.uint64(1) << np.uint64(k % 64)
    return words
