"""Directions as nodes: an icosahedron refined twice, and the way from vector to node.

Angles of longitude and latitude crowd at the poles; the 10 * 4^n + 2 nodes of a refined
icosahedron (after Heikes and Randall) are almost equally far apart: 162 for n = 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gelenk.checks import as_array
from gelenk.kernels.compile import kernel
from gelenk.typing import ArrayLike, FloatArray, IntArray, Vec3

REFINEMENTS = 2
GRID_SIZE = 50  # cells of the auxiliary grid along each axis
_STEP = 2.0 / (GRID_SIZE - 1)  # (4.50): cells are centred in the grid's points
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
    words = np.zeros(WORDS, dtype=np.uint64)
    walk((v[0], v[1], v[2]), tolerance, node_arrays(nodes), words)
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")
    return np.flatnonzero(bits[: nodes.count]).astype(np.int64)


class NodeArrays(NamedTuple):
    """What the kernels need of `Nodes`."""

    direction: FloatArray
    neighbours: IntArray
    extent: FloatArray
    grid: IntArray


def node_arrays(nodes: Nodes) -> NodeArrays:
    """Return the nodes as the kernels take them."""
    return NodeArrays(nodes.direction, nodes.neighbours, nodes.extent, nodes.grid)


def _icosahedron() -> tuple[FloatArray, dict[int, set[int]]]:
    golden = (1.0 + np.sqrt(5.0)) / 2.0
    signs = product(range(3), (1.0, -1.0), (golden, -golden))
    points = np.array([np.roll((0.0, a, b), axis) for axis, a, b in signs])
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
def orthogonal_set(
    v: Vec3,
    direction: FloatArray,
    sines: FloatArray,
    special: int,
    out: NDArray[np.uint64],
) -> None:
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


@kernel
def walk(v: Vec3, tolerance: float, nodes: NodeArrays, out: NDArray[np.uint64]) -> None:
    """Set the bits of all nodes that reach the unit vector v, and the special one."""
    out[:] = 0
    count = len(nodes.direction)
    out[count // 64] |= np.uint64(1) << np.uint64(count % 64)
    cell = (_cell(v[0]), _cell(v[1]), _cell(v[2]))
    waiting = np.empty(count, dtype=np.int64)
    is_seen = np.zeros(count, dtype=np.bool_)
    waiting[0], size = nodes.grid[cell], 1
    is_seen[waiting[0]] = True
    while size > 0:
        size -= 1
        k = waiting[size]
        d = nodes.direction[k]
        chord = math.sqrt((d[0] - v[0]) ** 2 + (d[1] - v[1]) ** 2 + (d[2] - v[2]) ** 2)
        if 2.0 * math.asin(min(chord / 2.0, 1.0)) > nodes.extent[k] + tolerance:
            continue
        out[k // 64] |= np.uint64(1) << np.uint64(k % 64)
        for i in nodes.neighbours[k]:
            if i >= 0 and not is_seen[i]:
                is_seen[i] = True
                waiting[size] = i
                size += 1


@kernel
def _cell(x: float) -> int:
    return min(max(math.floor((x + 1.0) / _STEP + 0.5), 0), GRID_SIZE - 1)
