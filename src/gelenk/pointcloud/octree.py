"""Octree: a cube of space cut into eight, again and again, where points are.

Every node has eight children or none. Points are easily added and removed, empty space
costs nothing, rays are followed quickly; the finest cubes have one size, and neighbours
of a point may hang on a far branch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray


@dataclass(slots=True)
class OctreeNode:
    """Cube of an octree.

    Attributes:
        center: Centre of the cube [m].
        half: Half of the cube's edge [m].
        count: Number of points in the cube.
        total: Sum of the points' positions [m].
        children: Eight smaller cubes, or none.
    """

    center: tuple[float, float, float]
    half: float
    count: int = 0
    total: tuple[float, float, float] = (0.0, 0.0, 0.0)
    children: list[OctreeNode] = field(default_factory=list["OctreeNode"])

    @property
    def mean(self) -> FloatArray:
        """Mean of the points in it [m], shape (3,)."""
        return np.array(self.total) / max(self.count, 1)


class Octree:
    """Points in a cube, counted and summed in cubes of all sizes.

    Args:
        center: Centre of the whole cube [m], shape (3,).
        size: Edge of the whole cube [m].
        depth: Number of times the cube may be halved; the finest cubes have edge size /
            2^depth.

    Example:
        >>> from gelenk.pointcloud import Octree
        >>> tree = Octree([0.0, 0.0, 0.0], 8.0, depth=3)
        >>> tree.insert([1.5, 0.5, 0.5])
        >>> tree.ray_cast([-4.0, 0.5, 0.5], [1.0, 0.0, 0.0])
        5.0
    """

    def __init__(self, center: ArrayLike, size: float, *, depth: int) -> None:
        x, y, z = as_finite("center", center, (3,)).tolist()
        if not (size > 0.0 and depth >= 0):
            raise ConfigError(f"`size` must be > 0 and `depth` >= 0: {size}, {depth}")
        self.root = OctreeNode((x, y, z), size / 2.0)
        self.depth = depth

    def __len__(self) -> int:
        return self.root.count

    @property
    def resolution(self) -> float:
        """Edge of the finest cubes [m]."""
        return 2.0 * self.root.half / 2**self.depth

    def insert(self, point: ArrayLike) -> None:
        """Add a point [m], shape (3,).

        Raises:
            ConfigError: If it lies outside of the cube.
        """
        p = self._inside(point)
        node = self.root
        _add(node, p, 1)
        for _ in range(self.depth):
            if not node.children:
                node.children = _eight(node)
            node = node.children[_octant(node, p)]
            _add(node, p, 1)

    def insert_all(self, points: ArrayLike) -> None:
        """Add points [m], shape (n, 3)."""
        for point in as_finite("points", points, (3,)):
            self.insert(point)

    def remove(self, point: ArrayLike) -> bool:
        """Take a point away again; return whether its finest cube had one.

        A node whose children are all empty loses them.
        """
        p = self._inside(point)
        path = [self.root]
        for _ in range(self.depth):
            if not path[-1].children:
                return False
            path.append(path[-1].children[_octant(path[-1], p)])
        if path[-1].count == 0:
            return False
        for node in path:
            _add(node, p, -1)
            if node.count == 0:
                node.children = []
                node.total = (0.0, 0.0, 0.0)
        return True

    def nodes(self) -> Iterator[OctreeNode]:
        """Yield all nodes, parents first."""
        stack = [self.root]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def leaves(self) -> Iterator[OctreeNode]:
        """Yield the finest cubes that hold points."""
        for node in self.nodes():
            if not node.children and node.count:
                yield node

    def means(self, level: int) -> FloatArray:
        """Return the mean point of each cube of a level, shape (k, 3): fewer points."""
        stack = [(self.root, 0)]
        found: list[FloatArray] = []
        while stack:
            node, depth = stack.pop()
            if node.count and (depth == level or not node.children):
                found.append(node.mean)
            elif node.count:
                stack.extend((child, depth + 1) for child in node.children)
        return np.array(found).reshape(-1, 3)

    def ray_cast(self, origin: ArrayLike, direction: ArrayLike) -> float | None:
        """Return how far a ray goes until it enters a cube with points [m], or None.

        Args:
            origin: Origin of the ray [m], shape (3,); it may lie outside.
            direction: Direction of the ray, any length but 0, shape (3,).
        """
        start = as_finite("origin", origin, (3,))
        ray = as_finite("direction", direction, (3,))
        length = float(np.linalg.norm(ray))
        if not length > 0.0:
            raise ConfigError("`direction` must not be zero")
        ray = ray / length
        stack: list[tuple[float, OctreeNode]] = []
        entry = _entry(self.root, start, ray)
        if self.root.count and entry is not None:
            stack.append((entry, self.root))
        while stack:
            entry, node = stack.pop()
            if not node.children:
                return entry
            hits = [
                (at, child)
                for child in node.children
                if child.count and (at := _entry(child, start, ray)) is not None
            ]
            stack.extend(sorted(hits, key=lambda hit: -hit[0]))
        return None

    def _inside(self, point: ArrayLike) -> tuple[float, float, float]:
        x, y, z = as_finite("point", point, (3,)).tolist()
        off = max(abs(a - b) for a, b in zip((x, y, z), self.root.center, strict=True))
        if off > self.root.half:
            raise ConfigError(
                f"({x:g}, {y:g}, {z:g}) lies outside of the cube "
                f"about {self.root.center} "
                f"with edges of {2.0 * self.root.half:g} m"
            )
        return x, y, z


def _add(node: OctreeNode, p: tuple[float, float, float], sign: int) -> None:
    node.count += sign
    x, y, z = node.total
    node.total = (x + sign * p[0], y + sign * p[1], z + sign * p[2])


def _octant(node: OctreeNode, p: tuple[float, float, float]) -> int:
    x, y, z = node.center
    return (p[0] >= x) + 2 * (p[1] >= y) + 4 * (p[2] >= z)


def _eight(node: OctreeNode) -> list[OctreeNode]:
    h = node.half / 2.0
    x, y, z = node.center
    return [
        OctreeNode(
            (
                x + (h if k & 1 else -h),
                y + (h if k & 2 else -h),
                z + (h if k & 4 else -h),
            ),
            h,
        )
        for k in range(8)
    ]


def _entry(node: OctreeNode, start: FloatArray, ray: FloatArray) -> float | None:
    """Return how far a ray goes until it enters a cube, 0 from within; None: misses."""
    first, last = 0.0, np.inf
    for p, d, c in zip(start.tolist(), ray.tolist(), node.center, strict=True):
        if d == 0.0:
            if abs(p - c) > node.half:
                return None
            continue
        a, b = (c - node.half - p) / d, (c + node.half - p) / d
        first, last = max(first, min(a, b)), min(last, max(a, b))
    return first if first <= last else None
