"""Compiled search for joint paths in a scene: two trees, shortcuts, proof of freedom.

Coordinates of a search are those of the joints that move. `reach` bounds how far any
point of the robot moves per unit of each, so that a number of metres bounds every
motion: edges are tested at steps of that length while searching, and at last proved
free by margins: where all pairs are farther apart than m, nothing collides before some
point has moved by m.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.collision._batch import are_free
from gelenk.collision._tables import SceneTables, SceneWork
from gelenk.kernels.compile import kernel
from gelenk.typing import BoolArray, FloatArray, IntArray

LEAST_MARGIN = 5e-4  # [m]: below, the proof goes on in steps of this length
MOST_MARGIN = 0.25  # [m]
FOUND, GAVE_UP, BLOCKED = 0, 1, 2


@kernel
def is_free_at(
    tables: SceneTables,
    work: SceneWork,
    margins: FloatArray,
    extra: float,
    row: FloatArray,
    active: IntArray,
    point: FloatArray,
    out: BoolArray,
) -> bool:
    """Return whether a configuration keeps all margins plus `extra`.

    Args:
        tables: Tables of the scene; their margins are overwritten.
        work: Room to work in.
        margins: Margins of the scene [m], (p,).
        extra: Distance added to them [m].
        row: All coordinates of the scene, (1, n); the active ones are overwritten.
        active: Indices of the joints that move, (k,).
        point: Their values, (k,).
        out: Scratch, (1,).
    """
    for i in range(active.shape[0]):
        row[0, active[i]] = point[i]
    for p in range(margins.shape[0]):
        tables.margins[p] = margins[p] + extra
    are_free(tables, work, row, out)
    return out[0]


@kernel
def motion_bound(a: FloatArray, b: FloatArray, reach: FloatArray) -> float:
    """Return a bound of the motion of any point from a to b [m]."""
    total = 0.0
    for i in range(a.shape[0]):
        total += abs(b[i] - a[i]) * reach[i]
    return total


@kernel
def is_edge_free(
    tables: SceneTables,
    work: SceneWork,
    margins: FloatArray,
    row: FloatArray,
    active: IntArray,
    reach: FloatArray,
    a: FloatArray,
    b: FloatArray,
    step: float,
    point: FloatArray,
    out: BoolArray,
    counts: IntArray,
) -> bool:
    """Return whether samples on a line, `step` [m] apart, are free; the middle first.

    The ends are not tested.
    """
    pieces = 1
    length = motion_bound(a, b, reach)
    while pieces * step < length:
        pieces *= 2
    stride = pieces
    while stride > 1:
        half = stride // 2
        for k in range(half, pieces, stride):
            s = k / pieces
            for i in range(point.shape[0]):
                point[i] = a[i] + s * (b[i] - a[i])
            counts[0] += 1
            if not is_free_at(tables, work, margins, 0.0, row, active, point, out):
                return False
        stride = half
    return True


@kernel
def prove_edge(
    tables: SceneTables,
    work: SceneWork,
    margins: FloatArray,
    row: FloatArray,
    active: IntArray,
    reach: FloatArray,
    a: FloatArray,
    b: FloatArray,
    point: FloatArray,
    out: BoolArray,
    counts: IntArray,
) -> float:
    """Return 1 if a line is free from end to end, else where it is not, 0 to 1."""
    length = motion_bound(a, b, reach)
    s, margin = 0.0, 0.05
    while True:
        for i in range(point.shape[0]):
            point[i] = a[i] + s * (b[i] - a[i])
        counts[0] += 1
        while not is_free_at(tables, work, margins, margin, row, active, point, out):
            if margin <= 0.0:
                return s
            margin = 0.25 * margin if margin > 4.0 * LEAST_MARGIN else 0.0
            counts[0] += 1
        if s >= 1.0:
            return 1.0
        advance = max(margin, LEAST_MARGIN)
        s = min(s + advance / max(length, 1e-12), 1.0)
        margin = min(max(2.0 * margin, 2.0 * LEAST_MARGIN), MOST_MARGIN)


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
        if d < best:
            best, found = d, k
    return found


@kernel
def connect(
    tables: SceneTables,
    work: SceneWork,
    margins: FloatArray,
    row: FloatArray,
    active: IntArray,
    reach: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    nodes: FloatArray,
    parents: IntArray,
    counts: IntArray,
    step: float,
    longest: float,
    most_tests: int,
    seed: int,
    line: FloatArray,
) -> int:
    """Grow two trees towards each other; return the number of points of the path, or 0.

    Args:
        tables, work, margins, row, active, reach: Scene, see `is_free_at`.
        lower: Smallest values of the joints that move, (k,).
        upper: Largest values, (k,).
        nodes: Nodes of both trees, (2, most, k); their roots are filled in.
        parents: Parents of the nodes, (2, most); -1 for roots.
        counts: Tests so far, and nodes of each tree, (3,).
        step: Distance of tests on edges [m].
        longest: Longest edge [m].
        most_tests: Number of tests after which it gives up.
        seed: Seed of the samples.
        line: Points of the path found, (most, k).
    """
    np.random.seed(seed)
    k = active.shape[0]
    point, target, fresh = np.empty(k), np.empty(k), np.empty(k)
    out = np.empty(1, dtype=np.bool_)
    most = nodes.shape[1]
    a = 0
    while counts[0] < most_tests:
        b = 1 - a
        if counts[1 + a] >= most or counts[1 + b] >= most:
            return 0
        for i in range(k):
            target[i] = lower[i] + np.random.random() * (upper[i] - lower[i])
        near = _nearest(nodes[a], counts[1 + a], target, reach)
        d = motion_bound(nodes[a, near], target, reach)
        share = min(1.0, longest / max(d, 1e-12))
        for i in range(k):
            fresh[i] = nodes[a, near, i] + share * (target[i] - nodes[a, near, i])
        counts[0] += 1
        if is_free_at(
            tables, work, margins, 0.0, row, active, fresh, out
        ) and is_edge_free(
            tables, work, margins, row, active, reach,
            nodes[a, near], fresh, step, point, out, counts,
        ):  # fmt: skip
            grown = counts[1 + a]
            nodes[a, grown] = fresh
            parents[a, grown] = near
            counts[1 + a] += 1
            near = _nearest(nodes[b], counts[1 + b], fresh, reach)
            while counts[1 + b] < most and counts[0] < most_tests:
                d = motion_bound(nodes[b, near], fresh, reach)
                share = min(1.0, longest / max(d, 1e-12))
                for i in range(k):
                    target[i] = nodes[b, near, i] + share * (
                        fresh[i] - nodes[b, near, i]
                    )
                counts[0] += 1
                if not is_free_at(
                    tables, work, margins, 0.0, row, active, target, out
                ) or not is_edge_free(
                    tables, work, margins, row, active, reach,
                    nodes[b, near], target, step, point, out, counts,
                ):  # fmt: skip
                    break
                if share >= 1.0:
                    return _trace(nodes, parents, a, grown, near, line)
                nodes[b, counts[1 + b]] = target
                parents[b, counts[1 + b]] = near
                near = counts[1 + b]
                counts[1 + b] += 1
        # the smaller tree grows next
        a = 0 if counts[1] <= counts[2] else 1
    return 0


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
    tables: SceneTables,
    work: SceneWork,
    margins: FloatArray,
    row: FloatArray,
    active: IntArray,
    reach: FloatArray,
    line: FloatArray,
    count: int,
    step: float,
    rounds: int,
    counts: IntArray,
    seed: int,
) -> int:
    """Cut corners of a path by free straight lines; return its number of points.

    Args:
        tables, work, margins, row, active, reach: Scene, see `is_free_at`.
        line: Points of the path, (most, k), changed in place; two rows are spare.
        count: Number of points.
        step: Distance of tests on lines [m].
        rounds: Number of lines tried.
        counts: Tests so far, (3,).
        seed: Seed of the places tried.
    """
    np.random.seed(seed)
    k = line.shape[1]
    point, p, q = np.empty(k), np.empty(k), np.empty(k)
    out = np.empty(1, dtype=np.bool_)
    along = np.empty(line.shape[0])
    for _ in range(rounds):
        if count < 3:
            break
        along[0] = 0.0
        for i in range(1, count):
            along[i] = along[i - 1] + _length(line[i - 1], line[i], reach)
        total = along[count - 1]
        s, t = total * np.random.random(), total * np.random.random()
        if s > t:
            s, t = t, s
        i = _piece(along, count, s)
        j = _piece(along, count, t)
        if i == j:
            continue
        _at(line, along, i, s, p)
        _at(line, along, j, t, q)
        saved = (t - s) - _length(p, q, reach)
        if saved <= 1e-3 * (t - s):
            continue
        if not is_edge_free(
            tables, work, margins, row, active, reach, p, q, step, point, out, counts
        ):
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
    return count


@kernel
def _length(a: FloatArray, b: FloatArray, reach: FloatArray) -> float:
    total = 0.0
    for i in range(a.shape[0]):
        e = (b[i] - a[i]) * reach[i]
        total += e * e
    return math.sqrt(total)


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


@kernel
def prove_path(
    tables: SceneTables,
    work: SceneWork,
    margins: FloatArray,
    row: FloatArray,
    active: IntArray,
    reach: FloatArray,
    line: FloatArray,
    count: int,
    counts: IntArray,
) -> int:
    """Return the first piece of a path that is not free, or -1."""
    point = np.empty(line.shape[1])
    out = np.empty(1, dtype=np.bool_)
    for i in range(count - 1):
        share = prove_edge(
            tables, work, margins, row, active, reach,
            line[i], line[i + 1], point, out, counts,
        )  # fmt: skip
        if share < 1.0:
            return i
    return -1
