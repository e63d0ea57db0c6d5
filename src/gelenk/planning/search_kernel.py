"""Compiled: best-first search in a graph, for Dijkstra, A* and their anytime kin."""

from __future__ import annotations

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.typing import BoolArray, FloatArray, IntArray

# Sums in another order differ by rounding: no reason to expand a place again.
ROUNDING = 1.0 - 1e-12


@kernel
def _is_before(key: FloatArray, g: FloatArray, a: int, b: int) -> bool:
    """Return whether place a leaves the queue before b.

    Of equal keys the one farther from the start goes first: it is nearer to the goal.
    """
    return key[a] < key[b] or (key[a] == key[b] and g[a] > g[b])


@kernel
def _rise(
    heap: IntArray, place: IntArray, key: FloatArray, g: FloatArray, k: int
) -> None:
    """Move entry k of the heap up until its parent goes first."""
    node = heap[k]
    while k > 0:
        above = (k - 1) // 2
        if not _is_before(key, g, node, heap[above]):
            break
        heap[k] = heap[above]
        place[heap[k]] = k
        k = above
    heap[k] = node
    place[node] = k


@kernel
def _sink(
    heap: IntArray, place: IntArray, key: FloatArray, g: FloatArray, size: int
) -> None:
    """Move the first entry of the heap down until it goes before its children."""
    node = heap[0]
    k = 0
    while True:
        child = 2 * k + 1
        if child >= size:
            break
        if child + 1 < size and _is_before(key, g, heap[child + 1], heap[child]):
            child += 1
        if not _is_before(key, g, heap[child], node):
            break
        heap[k] = heap[child]
        place[heap[k]] = k
        k = child
    heap[k] = node
    place[node] = k


@kernel
def best_first(
    first: IntArray,
    head: IntArray,
    weight: FloatArray,
    heuristic: FloatArray,
    target: int,
    inflation: float,
    reopen: bool,
    g: FloatArray,
    parent: IntArray,
    is_open: BoolArray,
) -> int:
    """Expand places by g + inflation h until nothing cheaper than the target is left.

    Args:
        first: Edges first[v] to first[v + 1] - 1 leave v, shape (n + 1,).
        head: Place an edge enters, shape (m,).
        weight: Cost of an edge, shape (m,).
        heuristic: h, shape (n,).
        target: Place to reach; -1: all.
        inflation: >= 1.
        reopen: Whether places are expanded again when they got cheaper. If not, they
            are only marked open for the next call.
        g: Costs so far, shape (n,); changed.
        parent: Predecessors, shape (n,); changed.
        is_open: Places to expand, shape (n,); on return those left over.

    Returns:
        The number of expansions.
    """
    n = first.shape[0] - 1
    key = np.empty(n)
    heap, place = np.empty(n, dtype=np.int64), np.full(n, -1, dtype=np.int64)
    is_closed = np.zeros(n, dtype=np.bool_)
    size = 0
    for v in range(n):
        if is_open[v]:
            key[v] = g[v] + inflation * heuristic[v]
            heap[size] = v
            place[v] = size
            _rise(heap, place, key, g, size)
            size += 1
    expansions = 0
    while size > 0:
        u = heap[0]
        if target >= 0 and key[u] >= g[target] + inflation * heuristic[target]:
            break
        size -= 1
        place[u] = -1
        if size > 0:
            heap[0] = heap[size]
            _sink(heap, place, key, g, size)
        is_open[u] = False
        is_closed[u] = True
        expansions += 1
        for k in range(first[u], first[u + 1]):
            v = head[k]
            cost = g[u] + weight[k]
            if not cost < g[v] or (is_closed[v] and cost > g[v] * ROUNDING):
                continue
            g[v] = cost
            parent[v] = u
            is_open[v] = True
            if is_closed[v] and not reopen:
                continue
            key[v] = cost + inflation * heuristic[v]
            if place[v] < 0:
                heap[size] = v
                place[v] = size
                size += 1
            _rise(heap, place, key, g, place[v])
    return expansions
