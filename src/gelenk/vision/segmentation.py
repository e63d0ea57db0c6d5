"""Segmentation of images by thresholds and by regions.

    f < t1: 0,   t1 <= f < t2: 1,   f >= t2: 2

A pixel on a threshold belongs to the upper class; with the strict signs of the course
it would belong to none (E-27). Thresholds depend on light: those of hue less than those
of brightness. Regions are connected pixels that look alike; they are disjoint and cover
the image.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray
from gelenk.vision.filters import box_sums
from gelenk.vision.image_types import as_binary, as_levels


def threshold_classes(image: ArrayLike, thresholds: ArrayLike) -> IntArray:
    """Return the class of each pixel: how many thresholds it reaches, shape (...).

    Args:
        image: Levels, shape (...).
        thresholds: Rising, shape (k,).

    Example:
        >>> print(threshold_classes([[10, 50, 99], [100, 149, 255]], [50, 100]))
        [[0 1 1]
         [2 2 2]]
    """
    levels = as_finite("thresholds", thresholds, ()).reshape(-1)
    if np.any(np.diff(levels) <= 0.0):
        raise ConfigError(f"`thresholds` must rise, got {levels.tolist()}")
    return np.digitize(as_finite("image", image, ()), levels).astype(np.int64)


def otsu_threshold(image: ArrayLike, *, bins: int = 256) -> float:
    """Return the threshold whose two classes differ most, w0 w1 (m1 - m0)^2 (Otsu).

    Args:
        image: Levels, shape (...).
        bins: Cells of the histogram between the least and the greatest level.

    Example:
        >>> from gelenk.vision import otsu_threshold
        >>> levels = np.array([10.0, 12.0, 11.0, 200.0, 210.0])
        >>> bool(12.0 < otsu_threshold(levels) < 200.0)
        True
    """
    counts, edges = _histogram(image, bins)
    middle = 0.5 * (edges[1:] + edges[:-1])
    below = np.cumsum(counts)[:-1]
    above = counts.sum() - below
    mass = np.cumsum(counts * middle)
    with np.errstate(invalid="ignore", divide="ignore"):
        gap = (mass[-1] - mass[:-1]) / above - mass[:-1] / below
        score = np.where((below > 0) & (above > 0), below * above * gap**2, -1.0)
    best = np.flatnonzero(score >= score.max() * (1.0 - 1e-12))
    return float(edges[1:-1][best].mean())  # an empty gap: its middle


def valley_threshold(
    image: ArrayLike, *, bins: int = 64, classes: int = 2
) -> FloatArray:
    """Return the levels of the valleys between the hills of the histogram.

    The histogram is smoothed until it has only as many hills as there are classes:
    robust against the teeth of a histogram of few pixels.

    Args:
        image: Levels, shape (...).
        bins: Cells of the histogram.
        classes: Hills expected.

    Returns:
        Rising thresholds, shape (classes - 1,).

    Raises:
        ConfigError: If the histogram has fewer hills than that.

    Example:
        >>> dark, bright = np.full(50, 20.0), np.full(30, 200.0)
        >>> 20.0 < valley_threshold(np.concatenate([dark, bright]))[0] < 200.0
        np.True_
    """
    if classes < 2:
        raise ConfigError(f"`classes` must be at least 2, got {classes}")
    counts, edges = _histogram(image, bins)
    middle = 0.5 * (edges[1:] + edges[:-1])
    curve = np.concatenate([[0.0], counts, [0.0]])
    hills = _hills(curve)
    while len(hills) > classes:
        curve[1:-1] = 0.25 * curve[:-2] + 0.5 * curve[1:-1] + 0.25 * curve[2:]
        hills = _hills(curve)
    if len(hills) < classes:
        raise ConfigError(f"the histogram has {len(hills)} hills, not {classes}")
    valleys: list[float] = []
    for a, b in pairwise(hills.tolist()):
        between = curve[a : b + 1]
        floor = np.flatnonzero(between <= between.min() + 1e-9 * curve.max())
        place: float = a + floor.mean() - 1.0
        valleys.append(float(np.interp(place, np.arange(bins), middle)))
    return np.array(valleys)


def adaptive_threshold(
    image: ArrayLike, *, size: int, offset: float = 0.0
) -> BoolArray:
    """Return where a pixel exceeds the mean of its surroundings by `offset`.

    Args:
        image: Gray levels, shape (rows, columns).
        size: Side of the surroundings [px], odd; larger than the objects.
        offset: Difference to the mean from which on a pixel is bright [gray levels].
    """
    f = as_levels("image", image)
    if size < 1 or size % 2 == 0:
        raise ConfigError(f"`size` must be odd, got {size}")
    padded = np.pad(f, size // 2, mode="edge")
    total = box_sums(padded, (size, size))
    return np.asarray(f > total / size**2 + offset)


def _histogram(image: ArrayLike, bins: int) -> tuple[FloatArray, FloatArray]:
    f = as_finite("image", image, ())
    if bins < 2 or not (f.size and f.max() > f.min()):
        raise ConfigError("a histogram needs two bins and an image with two levels")
    counts, edges = np.histogram(f, bins=bins)
    return counts.astype(float), np.asarray(edges, dtype=np.float64)


def _hills(curve: FloatArray) -> IntArray:
    """Return the places of the tops; a plateau counts once, at its middle."""
    change = np.flatnonzero(np.abs(np.diff(curve)) > 1e-12 * curve.max())
    slope = np.sign(np.diff(curve)[change])
    tops = np.flatnonzero((slope[:-1] > 0) & (slope[1:] < 0))
    return (change[tops] + 1 + change[tops + 1]) // 2


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
        criterion: Reference of the comparison: "neighbor", the pixel it is reached
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
        image: Image whose pixels other than 0 belong to objects, shape (rows, columns).
        connectivity: 4 or 8 neighbours.

    Returns:
        Labels 1, 2, ... in reading order, 0: background, shape (rows, columns).

    Example:
        >>> from gelenk.vision import label_components
        >>> labels, count = label_components([[1, 0, 1], [1, 0, 1]])
        >>> labels.tolist(), count
        ([[1, 0, 2], [1, 0, 2]], 2)
    """
    mask = as_binary(image)
    first: list[IntArray] = []
    second: list[IntArray] = []
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
        borders = np.stack([a[a != b], b[a != b]], axis=-1)
        pairs: list[list[int]] = np.unique(borders, axis=0).tolist()
        for i, j in pairs:
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


def mask_outline(mask: BoolArray) -> BoolArray:
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
