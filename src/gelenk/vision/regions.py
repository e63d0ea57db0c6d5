"""Regions: connected pixels that look alike. They are disjoint and cover the image."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray
from gelenk.vision.image_types import as_binary, as_levels

Criterion = Literal["neighbor", "seed", "mean"]

_FOUR = ((-1, 0), (0, -1), (0, 1), (1, 0))
_EIGHT = (*_FOUR, (-1, -1), (-1, 1), (1, -1), (1, 1))


def grow_regions(
    image: ArrayLike,
    tolerance: float,
    *,
    seeds: Sequence[tuple[int, int]] = (),
    criterion: Criterion = "neighbor",
    connectivity: int = 4,
) -> IntArray:
    """Return the region of each pixel, numbered from 0, shape (rows, columns).

    From a seed on, neighbours that are alike are added until none is left; then the
    next seed, and after those the next pixel without a region, begins another.

    Args:
        image: Gray levels, shape (rows, columns).
        tolerance: Difference of levels that is alike.
        seeds: Pixels (x, y) to begin with; more regions begin where they are needed.
        criterion: What a pixel is compared with: "neighbor", the pixel it is reached
            from; "seed", the first pixel; "mean", the mean of the region so far. Only
            the first gives the same regions from all seeds.
        connectivity: 4 or 8 neighbours.

    Example:
        >>> print(grow_regions([[1, 1, 9], [1, 9, 9]], 2.0))
        [[0 0 1]
         [0 1 1]]
    """
    f = as_levels("image", image)
    if criterion not in ("neighbor", "seed", "mean"):
        raise ConfigError(f"`criterion` must be neighbor, seed or mean: {criterion!r}")
    steps = _steps(connectivity)
    rows, columns = f.shape
    levels = f.tolist()  # single elements are read many times: lists are quicker
    labels = [[-1] * columns for _ in range(rows)]
    starts = [*seeds, *((x, y) for x in range(rows) for y in range(columns))]
    count = 0
    for start in starts:
        x, y = start
        if labels[x][y] >= 0:
            continue
        labels[x][y] = count
        total, size, front = levels[x][y], 1, deque([(x, y)])
        while front:
            px, py = front.popleft()
            for dx, dy in steps:
                nx, ny = px + dx, py + dy
                if not (0 <= nx < rows and 0 <= ny < columns) or labels[nx][ny] >= 0:
                    continue
                reference = levels[px][py] if criterion == "neighbor" else total / size
                if abs(levels[nx][ny] - reference) <= tolerance:
                    labels[nx][ny] = count
                    front.append((nx, ny))
                    if criterion == "mean":
                        total, size = total + levels[nx][ny], size + 1
        count += 1
    return np.array(labels, dtype=np.int64)


def label_components(image: Any, *, connectivity: int = 8) -> tuple[IntArray, int]:
    """Return the connected objects of a binary image, and how many there are.

    Args:
        image: What is not 0 belongs to objects, shape (rows, columns).
        connectivity: 4 or 8 neighbours.

    Returns:
        Labels 1, 2, ... in reading order, 0: background, shape (rows, columns).
    """
    mask = as_binary(image)
    first, second = [], []
    index = np.arange(mask.size).reshape(mask.shape)
    for dx, dy in _steps(connectivity):
        if (dx, dy) > (0, 0):
            here, there = shifted_pair(mask.shape, dx, dy)
            both = mask[here] & mask[there]
            first.append(index[here][both])
            second.append(index[there][both])
    a, b = np.concatenate(first), np.concatenate(second)
    links = coo_matrix((np.ones(len(a)), (a, b)), shape=(mask.size, mask.size))
    owner = connected_components(links, directed=False)[1].reshape(mask.shape)
    labels = np.zeros(mask.shape, dtype=np.int64)
    _, begin, name = np.unique(owner[mask], return_index=True, return_inverse=True)
    rank = np.empty(len(begin), dtype=np.int64)
    rank[np.argsort(begin)] = np.arange(1, len(begin) + 1)
    labels[mask] = rank[name]
    return labels, len(begin)


def split_and_merge(image: ArrayLike, tolerance: float) -> IntArray:
    """Return regions by splitting and merging, numbered from 0, (rows, columns).

    Blocks whose levels differ by more than `tolerance` are cut into four until none
    is left; then neighbouring regions are joined, the most alike first, as long as
    all levels of the union stay within it.

    Args:
        image: Gray levels, shape (rows, columns).
        tolerance: Range of levels that a region may have.

    Example:
        >>> print(split_and_merge([[1, 1, 9], [1, 9, 9], [1, 1, 1]], 2.0))
        [[0 0 1]
         [0 1 1]
         [0 0 0]]
    """
    f = as_levels("image", image)
    labels = np.full(f.shape, -1, dtype=np.int64)
    spans: list[list[float]] = []
    stack = [(0, f.shape[0], 0, f.shape[1])]
    while stack:
        top, bottom, left, right = stack.pop()
        block = f[top:bottom, left:right]
        if not block.size:
            continue
        low, high = float(block.min()), float(block.max())
        if high - low <= tolerance:
            labels[top:bottom, left:right] = len(spans)
            spans.append([low, high])
            continue
        x, y = (top + bottom + 1) // 2, (left + right + 1) // 2
        stack += [(top, x, left, y), (top, x, y, right)]
        stack += [(x, bottom, left, y), (x, bottom, y, right)]
    parent = _merge(labels, spans, tolerance)
    merged = parent[labels]
    _, begin, name = np.unique(merged, return_index=True, return_inverse=True)
    rank = np.empty(len(begin), dtype=np.int64)
    rank[np.argsort(begin)] = np.arange(len(begin))
    return rank[name].reshape(f.shape)


def shifted_pair(
    shape: tuple[int, ...], dx: int, dy: int
) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """Return slices of the pixels with a neighbour at (dx >= 0, dy), and of those."""
    rows, columns = shape
    here = slice(0, rows - dx), slice(max(0, -dy), columns - max(0, dy))
    there = slice(dx, rows), slice(max(0, dy), columns - max(0, -dy))
    return here, there


def region_means(image: ArrayLike, labels: ArrayLike) -> FloatArray:
    """Return the mean level of each region 0, 1, ..., shape (count,)."""
    names = np.asarray(labels, dtype=np.int64).ravel()
    sums = np.bincount(names, weights=as_levels("image", image).ravel())
    return sums / np.bincount(names)


def _merge(labels: IntArray, spans: list[list[float]], tolerance: float) -> IntArray:
    """Return, for each block, the block that stands for its region."""
    parent = list(range(len(spans)))

    def root(k: int) -> int:
        while parent[k] != k:
            parent[k] = parent[parent[k]]
            k = parent[k]
        return k

    near: list[set[int]] = [set() for _ in spans]
    for a, b in ((labels[1:], labels[:-1]), (labels[:, 1:], labels[:, :-1])):
        for i, j in np.unique(
            np.stack([a[a != b], b[a != b]], axis=-1), axis=0
        ).tolist():
            near[i].add(j)
            near[j].add(i)

    def width(i: int, j: int) -> float:
        return max(spans[i][1], spans[j][1]) - min(spans[i][0], spans[j][0])

    heap = [(width(i, j), i, j) for i in range(len(spans)) for j in near[i] if i < j]
    heapq.heapify(heap)
    while heap:
        span, i, j = heapq.heappop(heap)
        if span > tolerance:
            break
        a, b = root(i), root(j)
        if a == b:
            continue
        if (i, j) != (a, b) or span != width(a, b):  # stale: they grew meanwhile
            heapq.heappush(heap, (width(a, b), a, b))
            continue
        parent[b] = a
        spans[a] = [min(spans[a][0], spans[b][0]), max(spans[a][1], spans[b][1])]
        near[a] = {root(k) for k in near[a] | near[b]} - {a}
        for k in near[a]:
            heapq.heappush(heap, (width(a, k), a, k))
    return np.array([root(k) for k in range(len(spans))], dtype=np.int64)


def _steps(connectivity: int) -> tuple[tuple[int, int], ...]:
    if connectivity not in (4, 8):
        raise ConfigError(f"`connectivity` must be 4 or 8, got {connectivity}")
    return _FOUR if connectivity == 4 else _EIGHT


def outline(mask: BoolArray) -> BoolArray:
    """Return the pixels of an object that touch what is outside of all of it.

    Holes are not outside: only background that reaches the border of the image by
    steps to the four sides counts, and the image is surrounded by it.
    """
    padded = np.pad(mask, 1)
    ground, _ = label_components(~padded, connectivity=4)
    is_outside = ground == ground[0, 0]
    touches = np.zeros(padded.shape, dtype=bool)
    for dx, dy in _FOUR:
        touches |= np.roll(is_outside, (dx, dy), axis=(0, 1))
    return (padded & touches)[1:-1, 1:-1]
