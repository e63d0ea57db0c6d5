"""Compiled search for joint paths in a scene: two trees, and shortcuts.

Coordinates of a search are those of the joints that move; distances are weighted by how
far each of them moves the robot. Every edge is proved free, see `_pieces`, so that
nothing is left to be mended afterwards.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.kernels.unowned import unowned
from gelenk.planning._pieces import (
    SearchSpace,
    is_line_free,
    is_point_free,
    space_view,
)
from gelenk.typing import FloatArray, IntArray

PATIENCE = 0.2  # share of the shortcuts that may fail in a row


@kernel
def measure(a: FloatArray, b: FloatArray, reach: FloatArray) -> float:
    """Return the weighted distance of two points [m]."""
    total = 0.0
    for i in range(a.shape[0]):
        e = (b[i] - a[i]) * reach[i]
        total += e * e
    return math.sqrt(total)


@kernel
def _nearest(
    nodes: FloatArray, count: int, point: FloatArray, reach: FloatArray
) -> int:
    best, found = 1e300, 0
    for k in range(count):
        d = 0.0
        for i in range(point.shape[0]):
            e = (nodes[k, i] - point[i]) * reach[i]
            d += e * e
            if d > best:
                break
        if d < best:
            best, found = d, k
    return found


@kernel
def _go(a: FloatArray, b: FloatArray, share: float, out: FloatArray) -> None:
    for i in range(a.shape[0]):
        out[i] = a[i] + share * (b[i] - a[i])


@kernel
def connect(
    space: SearchSpace,
    nodes: FloatArray,
    parents: IntArray,
    longest: float,
    most_tests: int,
    rng: np.random.Generator,
    line: FloatArray,
) -> int:
    """Grow two trees towards each other; return the number of points of the path, or 0.

    Args:
        space: Tables of the search; its counts of nodes say how many are filled in.
        nodes: Nodes of both trees, (2, most, k); their roots are filled in.
        parents: Parents of the nodes, (2, most); -1 for roots.
        longest: Longest edge [m].
        most_tests: Number of looks after which it gives up.
        rng: Generator of the samples.
        line: Points of the path found, (most, k).
    """
    space = space_view(space)
    nodes, parents = unowned(nodes), unowned(parents)
    counts, reach, lower, upper = space.counts, space.reach, space.lower, space.upper
    k, most = lower.shape[0], nodes.shape[1]
    target, fresh = np.empty(k), np.empty(k)
    a = 0 if counts[1] <= counts[2] else 1
    while counts[0] < most_tests:
        b = 1 - a
        if counts[1 + a] >= most or counts[1 + b] >= most:
            return 0
        for i in range(k):
            target[i] = lower[i] + rng.random() * (upper[i] - lower[i])
        near = _nearest(nodes[a], counts[1 + a], target, reach)
        d = measure(nodes[a, near], target, reach)
        _go(nodes[a, near], target, min(1.0, longest / max(d, 1e-12)), fresh)
        if not _is_reached(space, nodes[a, near], fresh):
            continue
        grown = counts[1 + a]
        nodes[a, grown], parents[a, grown] = fresh, near
        counts[1 + a] += 1
        near = _nearest(nodes[b], counts[1 + b], fresh, reach)
        while counts[1 + b] < most and counts[0] < most_tests:
            d = measure(nodes[b, near], fresh, reach)
            share = min(1.0, longest / max(d, 1e-12))
            _go(nodes[b, near], fresh, share, target)
            if not _is_reached(space, nodes[b, near], target):
                break
            if share >= 1.0:
                return _trace(nodes, parents, a, grown, near, line)
            at = counts[1 + b]
            nodes[b, at], parents[b, at] = target, near
            near = at
            counts[1 + b] += 1
        # the smaller tree grows next
        a = 0 if counts[1] <= counts[2] else 1
    return 0


@kernel
def _is_reached(space: SearchSpace, a: FloatArray, b: FloatArray) -> bool:
    return is_point_free(space, b) and is_line_free(space, a, b)


@kernel
def _trace(
    nodes: FloatArray,
    parents: IntArray,
    a: int,
    end_a: int,
    end_b: int,
    line: FloatArray,
) -> int:
    """Write the path through two nodes that met, from tree 0 to tree 1."""
    ends = (end_a, end_b) if a == 0 else (end_b, end_a)
    count = 0
    node = ends[0]
    while node >= 0:
        line[count] = nodes[0, node]
        count += 1
        node = parents[0, node]
    for i in range(count // 2):
        for c in range(line.shape[1]):
            keep = line[i, c]
            line[i, c] = line[count - 1 - i, c]
            line[count - 1 - i, c] = keep
    node = ends[1]
    while node >= 0:
        line[count] = nodes[1, node]
        count += 1
        node = parents[1, node]
    return count


@kernel
def shorten(
    space: SearchSpace,
    line: FloatArray,
    count: int,
    rounds: int,
    rng: np.random.Generator,
) -> int:
    """Cut corners of a path by free straight lines; return its number of points.

    Args:
        space: Tables of the search.
        line: Points of the path, (most, k), changed in place; two rows are spare.
        count: Number of points.
        rounds: Number of lines tried at most.
        rng: Generator of the places tried.
    """
    space, line = space_view(space), unowned(line)
    k, reach = line.shape[1], space.reach
    p, q = np.empty(k), np.empty(k)
    along = np.empty(line.shape[0])
    vain = 0
    for _ in range(rounds):
        if count < 3 or vain > rounds * PATIENCE:
            break
        vain += 1
        along[0] = 0.0
        for i in range(1, count):
            along[i] = along[i - 1] + measure(line[i - 1], line[i], reach)
        total = along[count - 1]
        s, t = total * rng.random(), total * rng.random()
        if s > t:
            s, t = t, s
        i = _piece(along, count, s)
        j = _piece(along, count, t)
        if i == j:
            continue
        _at(line, along, i, s, p)
        _at(line, along, j, t, q)
        saved = (t - s) - measure(p, q, reach)
        if saved <= 1e-3 * (t - s):
            continue
        if not is_line_free(space, p, q):
            continue
        # points i + 1 .. j go, p and q come
        moved = j - i - 2
        if count - moved > line.shape[0]:
            continue
        if moved > 0:
            for r in range(j + 1, count):
                line[r - moved] = line[r]
        elif moved < 0:
            for r in range(count - 1, j, -1):
                line[r - moved] = line[r]
        line[i + 1] = p
        line[i + 2] = q
        count -= moved
        vain = 0
    return count


@kernel
def _piece(along: FloatArray, count: int, s: float) -> int:
    i = 0
    while i < count - 2 and along[i + 1] <= s:
        i += 1
    return i


@kernel
def _at(line: FloatArray, along: FloatArray, i: int, s: float, out: FloatArray) -> None:
    width = along[i + 1] - along[i]
    share = (s - along[i]) / width if width > 0.0 else 0.0
    for c in range(out.shape[0]):
        out[c] = line[i, c] + share * (line[i + 1, c] - line[i, c])
