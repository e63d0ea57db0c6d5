"""Roadmaps of polygonal rooms: visibility graph, tangent graph, Voronoi diagram.

In the plane the shortest path bends only at corners of obstacles, so the visibility
graph contains it. A shortest path touches a corner without pointing into the obstacle,
so the lines that would enter it when prolonged can be left out: the tangent graph.

A point of the Voronoi diagram is equally far from the two (or more) nearest sites: the
safest path. A site is an edge of an obstacle or a wall of the room; two edges that meet
in a corner that sticks out into the free space count as one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import Voronoi

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.planning.concepts import Path, PlanResult, PlanStatus
from gelenk.planning.graph import a_star, graph_from_arrays
from gelenk.planning.world import PolygonWorld
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray

STRAIGHT = 1e-12  # sine of an angle below which lines count as parallel


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Roadmap:
    """Points and the straight free lines between them.

    Attributes:
        points: Nodes of the roadmap, shape (n, d) [m].
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
        >>> from gelenk.planning import PolygonWorld, shortest_path
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
    sides: list[float] = []
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


HALVINGS = 60  # of an interval of metres: down to rounding


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class VoronoiRoadmap:
    """The diagram as a roadmap.

    Attributes:
        roadmap: Points of the diagram and its pieces.
        clearance: Distance of its points to the nearest obstacle [m], shape (n,).
    """

    roadmap: Roadmap
    clearance: FloatArray


def voronoi_roadmap(world: PolygonWorld, spacing: float = 0.1) -> VoronoiRoadmap:
    """Return the Voronoi diagram of obstacles and walls, from points on their edges.

    Edges are replaced by points at most `spacing` apart; of the diagram of the points
    those ridges are kept that separate two sites and lie in the free space. Its points
    are off the true diagram by about spacing^2 / (8 clearance).

    Args:
        world: Obstacles and walls.
        spacing: Distance between points on the edges [m].
    """
    if not spacing > 0.0:
        raise ConfigError(f"`spacing` must be positive, got {spacing}")
    lengths = np.linalg.norm(world.ends - world.starts, axis=-1)
    counts = np.maximum(np.ceil(lengths / spacing).astype(int), 1)
    owner = np.repeat(np.arange(len(counts)), counts)
    sizes: list[int] = counts.tolist()
    share = np.concatenate([np.arange(n) / n for n in sizes])[:, None]
    samples = world.starts[owner] + share * (world.ends - world.starts)[owner]
    diagram = Voronoi(samples)
    one_site = _one_site(world)
    pairs = owner[diagram.ridge_points]
    ridges = np.array(diagram.ridge_vertices)
    kept = ~one_site[pairs[:, 0], pairs[:, 1]] & (ridges >= 0).all(axis=1)
    a, b = diagram.vertices[ridges[kept, 0]], diagram.vertices[ridges[kept, 1]]
    inside = world.are_free(a) & world.are_free(b)
    edges = ridges[kept][inside]
    free = world.are_free_between(a[inside], b[inside])
    used, renamed = np.unique(edges[free], return_inverse=True)
    points = diagram.vertices[used]
    pieces = np.sort(renamed.reshape(-1, 2), axis=1)
    return VoronoiRoadmap(
        roadmap=Roadmap(points=points, edges=pieces),
        clearance=world.clearance(points),
    )


def retract_to_voronoi(world: PolygonWorld, point: ArrayLike) -> FloatArray:
    """Return the point of the diagram reached by moving away from the nearest site.

    The gradient of the clearance points away from the nearest point of the nearest
    site, which stays the nearest until a second site is equally far. (The course says
    "orthogonally to the diagram"; that is not the way of steepest clearance.)

    Args:
        world: Obstacles and walls.
        point: Point in the free space [m], shape (2,).

    Returns:
        Shape (2,) [m].

    Example:
        >>> corridor = PolygonWorld([], [0, 0], [10, 2])
        >>> retract_to_voronoi(corridor, [5.0, 0.3]).round(9).tolist()
        [5.0, 1.0]
    """
    p = as_finite("point", point, (2,))
    if not world.are_free(p):
        raise ConfigError(f"`point` {p.tolist()} is not in the free space")
    gaps = world.distances(p)
    nearest = int(gaps.argmin())
    a, b = world.starts[nearest], world.ends[nearest]
    share = np.clip((p - a) @ (b - a) / ((b - a) @ (b - a)), 0.0, 1.0)
    foot = a + share * (b - a)
    normal = np.array([a[1] - b[1], b[0] - a[0]])  # into an obstacle, out of a wall
    if world.owner[nearest] >= 0:
        normal = -normal
    away = p - foot if gaps[nearest] > 0.0 else normal
    away = away / np.linalg.norm(away)
    others = ~_one_site(world)[nearest]

    def is_second_far(s: float) -> bool:
        moved = world.distances(foot + s * away)
        return bool(moved[others].min() > s)

    low, high = float(gaps[nearest]), float(np.linalg.norm(world.upper - world.lower))
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if is_second_far(middle) else (low, middle)
    return foot + low * away


def safest_path(
    world: PolygonWorld, start: ArrayLike, goal: ArrayLike, *, spacing: float = 0.1
) -> PlanResult:
    """Return a path that keeps to the Voronoi diagram: onto it, along it, off it.

    Args:
        world: Obstacles and walls.
        start: Start in the free space [m], shape (2,).
        goal: Goal in the free space [m], shape (2,).
        spacing: Distance between points on the edges [m].

    Example:
        >>> from gelenk.planning import PolygonWorld, safest_path
        >>> world = PolygonWorld([[[4, 4], [6, 4], [6, 6], [4, 6]]], [0, 0], [10, 10])
        >>> path = safest_path(world, [1, 5], [9, 5]).path
        >>> bool(path.length > 8.0)
        True
    """
    network = voronoi_roadmap(world, spacing).roadmap
    ends = [as_finite("start", start, (2,)), as_finite("goal", goal, (2,))]
    points, edges = network.points, network.edges
    count = len(points)
    extra: list[tuple[int, int]] = []
    new: list[FloatArray] = []
    for k, end in enumerate(ends):
        onto = retract_to_voronoi(world, end)
        end_id, onto_id = count + 2 * k, count + 2 * k + 1
        new += [end, onto]
        extra.append((end_id, onto_id))
        gaps = np.linalg.norm(points - onto, axis=-1)
        near = [int(i) for i in np.argsort(gaps)[:8]]
        visible = world.are_free_between(onto, points[near])
        extra += [(i, onto_id) for i, ok in zip(near, visible, strict=True) if ok]
    joined = Roadmap(
        points=np.concatenate([points, new]),
        edges=np.concatenate([edges, np.array(extra, dtype=np.int64)]),
    )
    return roadmap_path(joined, count, count + 2)


def _one_site(world: PolygonWorld) -> BoolArray:
    """Return which edges belong together: equal ones, and those at outer corners."""
    m = len(world.starts)
    same = np.eye(m, dtype=np.bool_)
    side = world.ends - world.starts
    for i in range(m):
        if world.owner[i] < 0:
            continue
        following = (world.owner == world.owner[i]) & (
            (world.starts == world.ends[i]).all(axis=1)
        )
        for j in np.flatnonzero(following):
            if side[i, 0] * side[j, 1] - side[i, 1] * side[j, 0] >= 0.0:
                same[i, j] = same[j, i] = True
    return same
