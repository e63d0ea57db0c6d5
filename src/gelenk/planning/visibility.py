"""Roadmaps of straight lines between corners: visibility graph and tangent graph.

In the plane the shortest path bends only at corners of obstacles, so the visibility
graph contains it. A shortest path touches a corner without pointing into the obstacle,
so the lines that would enter it when prolonged can be left out: the tangent graph.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.planning.graph import a_star, graph_from_arrays
from gelenk.planning.terms import Path, PlanResult, PlanStatus
from gelenk.planning.world import PolygonWorld
from gelenk.typing import ArrayLike, FloatArray, IntArray

STRAIGHT = 1e-12  # sine of an angle below which lines count as parallel


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Roadmap:
    """Points and the straight free lines between them.

    Attributes:
        points: Shape (n, d) [m].
        edges: Pairs of points, first < second, shape (m, 2).
    """

    points: FloatArray
    edges: IntArray

    @property
    def lengths(self) -> FloatArray:
        """Lengths of the edges [m], shape (m,)."""
        a, b = self.points[self.edges[:, 0]], self.points[self.edges[:, 1]]
        return np.linalg.norm(b - a, axis=-1)


def visibility_graph(world: PolygonWorld, *others: ArrayLike) -> Roadmap:
    """Return all free straight lines between corners of obstacles and other points.

    Each of the n (n - 1) / 2 lines is tested against all edges: O(n^3), simple. A line
    may touch obstacles.

    Args:
        world: Obstacles.
        others: Further points, such as start and goal [m], shape (2,) each; they come
            first in the result.

    Example:
        >>> world = PolygonWorld([[[4, 4], [6, 4], [6, 6], [4, 6]]], [0, 0], [10, 10])
        >>> len(visibility_graph(world, [1, 5], [9, 5]).edges)
        8
    """
    extra = [as_finite("others", point, (2,)).reshape(1, 2) for point in others]
    for point in extra:
        if not world.are_free(point).all():
            raise ConfigError(f"point {point[0].tolist()} is not in the free space")
    points = np.concatenate([*extra, *world.obstacles, np.empty((0, 2))])
    i, j = np.triu_indices(len(points), 1)
    is_free = world.are_free_between(points[i], points[j])
    return Roadmap(points=points, edges=np.stack([i[is_free], j[is_free]], axis=-1))


def tangent_graph(world: PolygonWorld, *others: ArrayLike) -> Roadmap:
    """Return the lines of the visibility graph that are tangents at all their corners.

    At a corner v with neighbours a and b a line along t is a tangent if both lie on one
    side: (t x (a - v)) (t x (b - v)) >= 0. Between two convex obstacles that see each
    other four are left.

    Args:
        world: Obstacles.
        others: Further points [m], shape (2,) each; they come first.

    Example:
        >>> from gelenk.planning.world import PolygonWorld
        >>> world = PolygonWorld([[[4, 4], [6, 4], [6, 6], [4, 6]]], [0, 0], [10, 10])
        >>> len(tangent_graph(world, [1.0, 5.0], [9.0, 5.0]).edges)
        8
    """
    full = visibility_graph(world, *others)
    start = len(others)
    before, after = np.full((2, len(full.points)), -1)
    for corners in world.obstacles:
        ring = start + np.arange(len(corners))
        before[ring], after[ring] = np.roll(ring, 1), np.roll(ring, -1)
        start += len(corners)
    kept = [
        (i, j)
        for i, j in full.edges
        if _is_tangent(full.points, before, after, i, j)
        and _is_tangent(full.points, before, after, j, i)
    ]
    edges = np.array(kept, dtype=np.int64).reshape(-1, 2)
    return Roadmap(points=full.points, edges=edges)


def shortest_path(
    world: PolygonWorld,
    start: ArrayLike,
    goal: ArrayLike,
    *,
    tangents_only: bool = True,
) -> PlanResult:
    """Return the shortest path among polygons, exactly.

    Args:
        world: Obstacles.
        start: Point in the free space [m], shape (2,).
        goal: Point in the free space [m], shape (2,).
        tangents_only: Whether to search the smaller tangent graph.

    Example:
        >>> world = PolygonWorld([[[4, 4], [6, 4], [6, 6], [4, 6]]], [0, 0], [10, 10])
        >>> round(shortest_path(world, [1, 5], [9, 5]).path.length, 6)
        8.324555
    """
    build = tangent_graph if tangents_only else visibility_graph
    return roadmap_path(build(world, start, goal), 0, 1)


def roadmap_path(roadmap: Roadmap, start: int, goal: int) -> PlanResult:
    """Return the shortest path between two points of a roadmap, by A*.

    The straight distance is the guess, which no detour undercuts.
    """
    a, b = roadmap.edges[:, 0], roadmap.edges[:, 1]
    lengths = roadmap.lengths
    graph = graph_from_arrays(
        np.concatenate([a, b]),
        np.concatenate([b, a]),
        np.concatenate([lengths, lengths]),
        len(roadmap.points),
    )
    guess = np.linalg.norm(roadmap.points - roadmap.points[goal], axis=-1)
    search = a_star(graph, start, goal, guess)
    if not search.found:
        return PlanResult(
            status=PlanStatus.UNREACHABLE, path=None, effort=search.expansions
        )
    path = Path(points=roadmap.points[search.nodes])
    return PlanResult(status=PlanStatus.FOUND, path=path, effort=search.expansions)


def _is_tangent(
    points: FloatArray, before: IntArray, after: IntArray, at: int, other: int
) -> bool:
    """Return whether the line from `other` does not enter the obstacle behind `at`."""
    if before[at] < 0:
        return True
    t = points[at] - points[other]
    sides = []
    for k in (before[at], after[at]):
        side = points[k] - points[at]
        size = np.hypot(*t) * np.hypot(*side)
        sine = (t[0] * side[1] - t[1] * side[0]) / size
        sides.append(0.0 if abs(sine) < STRAIGHT else sine)
    return sides[0] * sides[1] >= 0.0 and _is_convex_corner(points, before, after, at)


def _is_convex_corner(
    points: FloatArray, before: IntArray, after: IntArray, at: int
) -> bool:
    a, b = points[at] - points[before[at]], points[after[at]] - points[at]
    return bool(a[0] * b[1] - a[1] * b[0] > 0.0)
