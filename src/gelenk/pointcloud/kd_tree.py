"""k-d tree: nearest neighbours by halving space again and again, compiled.

Each node halves its points across its widest side; a query descends into the nearer
half first and looks into another box only if it may hold something nearer. On average
that takes O(log n) steps in few dimensions; the course promises it (E-57), but in the
worst case, or in many dimensions, all points are looked at. Insertion and removal would
unbalance the tree: build another.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.checks import as_finite, as_kernel_array
from gelenk.errors import ConfigError, ShapeError
from gelenk.kernels.compile import kernel
from gelenk.typing import ArrayLike, FloatArray, IntArray


@kernel
def _select(
    points: FloatArray, order: IntArray, low: int, high: int, middle: int, axis: int
) -> None:
    """Sort `order` from low to high just so far that `middle` has its right one."""
    while low < high:
        pivot = points[order[(low + high) >> 1], axis]
        i, j = low, high
        while i <= j:
            while points[order[i], axis] < pivot:
                i += 1
            while points[order[j], axis] > pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            return


@kernel
def build_kernel(
    points: FloatArray, order: IntArray, depth: int, boxes: FloatArray
) -> None:
    """Order points into a tree of `depth` levels and fill the boxes of its nodes.

    Args:
        points: Points, shape (n, 3).
        order: Numbers 0 to n - 1, changed in place, shape (n,).
        depth: Levels below the root.
        boxes: Lower and upper corner of each node, shape (2^(depth + 1) - 1, 6).
    """
    n = len(points)
    node = 0
    for level in range(depth + 1):
        for number in range(1 << level):
            low, high = (number * n) >> level, ((number + 1) * n) >> level
            best, width = 0, -1.0
            for axis in range(3):
                least, most = np.inf, -np.inf
                for k in range(low, high):
                    value = points[order[k], axis]
                    least, most = min(least, value), max(most, value)
                boxes[node, axis], boxes[node, 3 + axis] = least, most
                if most - least > width:
                    best, width = axis, most - least
            if level < depth:
                middle = ((2 * number + 1) * n) >> (level + 1)
                _select(points, order, low, high - 1, middle, best)
            node += 1


@kernel
def _box_distance(boxes: FloatArray, node: int, x: float, y: float, z: float) -> float:
    """Return the squared distance of a point to a node's box."""
    a = max(0.0, boxes[node, 0] - x, x - boxes[node, 3])
    b = max(0.0, boxes[node, 1] - y, y - boxes[node, 4])
    c = max(0.0, boxes[node, 2] - z, z - boxes[node, 5])
    return a * a + b * b + c * c


@kernel
def _search(
    points: FloatArray,
    boxes: FloatArray,
    depth: int,
    p: FloatArray,
    squares: FloatArray,
    places: IntArray,
    stack: IntArray,
    bound: FloatArray,
) -> int:
    """Fill the nearest points of p, nearest first, by branch and bound.

    Args:
        points: Points in the order of the tree, shape (n, 3).
        boxes: Boxes of the nodes.
        depth: Levels below the root.
        p: Queried point, shape (3,).
        squares: Squared distances to beat, overwritten by those found, shape (count,).
        places: Positions of the points in the tree, overwritten, shape (count,).
        stack: Work space, shape (depth + 2,).
        bound: Work space, shape (depth + 2,).

    Returns:
        Number of leaves that were looked into.
    """
    n = len(points)
    leaves = (1 << depth) - 1
    last = len(squares) - 1
    worst = squares[last]
    visited = 0
    x, y, z = p[0], p[1], p[2]
    stack[0] = 0
    bound[0] = _box_distance(boxes, 0, x, y, z)
    size = 1
    while size > 0:
        size -= 1
        node, here = stack[size], bound[size]
        while node < leaves and here < worst:
            left = 2 * node + 1
            a = _box_distance(boxes, left, x, y, z)
            b = _box_distance(boxes, left + 1, x, y, z)
            node, here, far, other = left, a, left + 1, b
            if b < a:
                node, here, far, other = left + 1, b, left, a
            if other < worst:
                stack[size] = far
                bound[size] = other
                size += 1
        if here >= worst:
            continue
        number = node - leaves
        visited += 1
        for k in range((number * n) >> depth, ((number + 1) * n) >> depth):
            a, b, c = points[k, 0] - x, points[k, 1] - y, points[k, 2] - z
            square = a * a + b * b + c * c
            if square < worst:
                at = last
                while at > 0 and squares[at - 1] > square:
                    squares[at] = squares[at - 1]
                    places[at] = places[at - 1]
                    at -= 1
                squares[at] = square
                places[at] = k
                worst = squares[last]
    return visited


@kernel
def query_kernel(
    sorted_points: FloatArray,
    boxes: FloatArray,
    depth: int,
    queries: FloatArray,
    limit: float,
    squares: FloatArray,
    places: IntArray,
) -> int:
    """Find the nearest points of all queries; return how many leaves were looked into.

    Args:
        sorted_points: Points in the order of the tree, shape (n, 3).
        boxes: Boxes of the nodes.
        depth: Levels below the root.
        queries: Queries, shape (m, 3).
        limit: Squared distance beyond which nothing counts.
        squares: Squared distances to write, infinite for none, shape (m, count).
        places: Positions in the tree to write, n for none, shape (m, count).
    """
    n, count = len(sorted_points), squares.shape[1]
    stack, bound = np.empty(depth + 2, np.int64), np.empty(depth + 2)
    visited = 0
    for k in range(len(queries)):
        squares[k] = limit
        places[k] = n
        visited += _search(
            sorted_points, boxes, depth, queries[k], squares[k], places[k], stack, bound
        )
        for j in range(count):
            if places[k, j] == n:
                squares[k, j] = np.inf
    return visited


@kernel
def _add_plane(
    p: FloatArray,
    q: FloatArray,
    n: FloatArray,
    row: FloatArray,
    A: FloatArray,
    b: FloatArray,
) -> float:
    """Add the row [n, p x n] of one pair; return its distance n . (q - p)."""
    off = 0.0
    for i in range(3):
        off += n[i] * (q[i] - p[i])
        row[i] = n[i]
    row[3] = p[1] * n[2] - p[2] * n[1]
    row[4] = p[2] * n[0] - p[0] * n[2]
    row[5] = p[0] * n[1] - p[1] * n[0]
    for i in range(6):
        b[i] += row[i] * off
        for j in range(6):
            A[i, j] += row[i] * row[j]
    return off


@kernel
def closest_sums_kernel(
    sorted_points: FloatArray,
    normals: FloatArray,
    order: IntArray,
    boxes: FloatArray,
    depth: int,
    source: FloatArray,
    T: FloatArray,
    limit: float,
    partner: IntArray,
    memory: FloatArray,
    sums: FloatArray,
    A: FloatArray,
    b: FloatArray,
) -> int:
    """Pair moved points with their closest ones and sum what the best motion needs.

    A point that was at p0 when its closest and second closest point were d1 and d2
    away, and is at p now, keeps its partner for sure as long as the partner is nearer
    than d2 - |p - p0|: no other point can be. Towards the end of an alignment nearly
    all points do, and the tree is hardly asked.

    Args:
        sorted_points: Target, in the order of the tree, shape (n, 3).
        normals: Normals of the target by its own numbers, shape (n, 3), or (0, 3) for
            points.
        order: Numbers of the target in the order of the tree, shape (n,).
        boxes: Boxes of the nodes.
        depth: Levels below the root.
        source: Points to move, shape (m, 3).
        T: Motion so far, shape (4, 4).
        limit: Distance beyond which pairs do not count.
        partner: Position of each point's partner in the tree, read and written, shape
            (m,); -1 for none known.
        memory: Values p0 and d2 of each point, read and written, shape (m, 4).
        sums: Sums to write: pairs, squared error, p, q and p q^T, shape (17,).
        A: Sum of J^T J to write, with normals, shape (6, 6).
        b: Sum of J^T r to write, with normals, shape (6,).

    Returns:
        Number of points that had to ask the tree.
    """
    stack, bound = np.empty(depth + 2, np.int64), np.empty(depth + 2)
    p, squares, places = np.empty(3), np.empty(2), np.empty(2, np.int64)
    row = np.empty(6)
    sums[:] = 0.0
    A[:] = 0.0
    b[:] = 0.0
    asked = 0
    for k in range(len(source)):
        for i in range(3):
            p[i] = T[i, 3]
            for j in range(3):
                p[i] += T[i, j] * source[k, j]
        square, is_sure = 0.0, False
        if partner[k] >= 0:
            moved = 0.0
            for i in range(3):
                square += (sorted_points[partner[k], i] - p[i]) ** 2
                moved += (memory[k, i] - p[i]) ** 2
            is_sure = math.sqrt(square) < memory[k, 3] - math.sqrt(moved)
        if not is_sure:
            asked += 1
            squares[:] = limit * limit
            places[:] = -1
            _search(sorted_points, boxes, depth, p, squares, places, stack, bound)
            partner[k] = places[0]
            square = squares[0]
            memory[k, :3] = p
            memory[k, 3] = math.sqrt(squares[1])
        if partner[k] < 0 or square >= limit * limit:
            continue
        q = sorted_points[partner[k]]
        sums[0] += 1.0
        for i in range(3):
            sums[2 + i] += p[i]
            sums[5 + i] += q[i]
            for j in range(3):
                sums[8 + 3 * i + j] += p[i] * q[j]
        if len(normals) > 0:
            off = _add_plane(p, q, normals[order[partner[k]]], row, A, b)
            square = off * off
        sums[1] += square
    return asked


LEAF = 8  # points of a leaf, at most twice as many


class KdTree:
    """Points of a line, a plane or space, ordered for quick search.

    Attributes:
        points: Points as given, shape (n, d), d = 1, 2 or 3.
        order: Numbers of the points in the order of the tree, shape (n,).
        sorted_points: Points in the order of the tree, missing coordinates 0, shape (n,
            3).
        boxes: Lower and upper corner of each node, shape (nodes, 6).
        depth: Levels below the root.

    Example:
        >>> from gelenk.pointcloud import KdTree
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
            queries: Queries, shape (..., d).
            count: Neighbours wanted.
            limit: Distance from which on nothing counts.

        Returns:
            Array of shape (..., count) each; infinity and the number of points: there
            is none.
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
