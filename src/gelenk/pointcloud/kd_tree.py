"""k-d tree: nearest neighbours by halving space again and again.

Each node halves its points across its widest side; a query descends into the nearer
half first and looks into another box only if it may hold something nearer. On average
that takes O(log n) steps in few dimensions; the course promises it (E-57), but in the
worst case, or in many dimensions, all points are looked at. Insertion and removal would
unbalance the tree: build another.
"""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_finite, as_kernel_array
from gelenk.errors import ConfigError, ShapeError
from gelenk.pointcloud.kd_kernels import build_kernel, query_kernel
from gelenk.typing import ArrayLike, FloatArray, IntArray

LEAF = 8  # points of a leaf, at most twice as many


class KdTree:
    """Points of a line, a plane or space, ordered for quick search.

    Attributes:
        points: As given, shape (n, d), d = 1, 2 or 3.
        order: Their numbers in the order of the tree, shape (n,).
        sorted_points: In the order of the tree, missing coordinates 0, shape (n, 3).
        boxes: Lower and upper corner of each node, shape (nodes, 6).
        depth: Levels below the root.

    Example:
        >>> tree = KdTree([[0.0, 0.0], [3.0, 4.0], [1.0, 0.0]])
        >>> distance, number = tree.nearest([3.0, 3.0], count=2)
        >>> print(distance.round(6), number)
        [1.       3.605551] [1 2]
    """

    __slots__ = ("boxes", "depth", "order", "points", "sorted_points")

    def __init__(self, points: ArrayLike) -> None:
        array = as_finite("points", points, ())
        if array.ndim != 2 or not array.size or array.shape[1] > 3:
            expected = "(n, d) with n >= 1 and d = 1, 2 or 3"
            raise ShapeError("points", expected=expected, actual=array.shape)
        self.points: FloatArray = array
        n = len(array)
        self.depth = max(0, int(np.log2(n / LEAF))) if n > LEAF else 0
        self.order: IntArray = np.arange(n, dtype=np.int64)
        self.boxes: FloatArray = np.empty((2 ** (self.depth + 1) - 1, 6))
        padded = _in_space(array)
        build_kernel(padded, self.order, self.depth, self.boxes)
        self.sorted_points: FloatArray = padded[self.order]

    def __len__(self) -> int:
        return len(self.points)

    def nearest(
        self, queries: ArrayLike, count: int = 1, *, limit: float = np.inf
    ) -> tuple[FloatArray, IntArray]:
        """Return distances and numbers of the nearest points, nearest first.

        Args:
            queries: Shape (..., d).
            count: Neighbours wanted.
            limit: Distance from which on nothing counts.

        Returns:
            Shape (..., count) each; infinity and the number of points: there is none.
        """
        distance, number, _ = self._ask(queries, count, limit)
        return distance, number

    def leaves_visited(self, queries: ArrayLike, count: int = 1) -> float:
        """Return how many leaves a query looks into on average: the effort."""
        _, number, visited = self._ask(queries, count, np.inf)
        return visited / max(1, number[..., 0].size)

    def _ask(
        self, queries: ArrayLike, count: int, limit: float
    ) -> tuple[FloatArray, IntArray, int]:
        if count < 1:
            raise ConfigError(f"`count` must be at least 1, got {count}")
        places = as_finite("queries", queries, (self.points.shape[1],))
        flat = _in_space(places.reshape(-1, places.shape[-1]))
        squares = np.empty((len(flat), count))
        number = np.empty((len(flat), count), dtype=np.int64)
        visited = query_kernel(
            self.sorted_points,
            self.boxes,
            self.depth,
            flat,
            float(limit) ** 2,
            squares,
            number,
        )
        number = np.append(self.order, len(self.order))[number]
        shape = (*places.shape[:-1], count)
        return np.sqrt(squares).reshape(shape), number.reshape(shape), visited


def _in_space(points: FloatArray) -> FloatArray:
    """Return points with three coordinates as kernels take them, shape (n, 3)."""
    missing = 3 - points.shape[1]
    return as_kernel_array(
        np.pad(points, ((0, 0), (0, missing))) if missing else points
    )
