"""Voronoi roadmap: the lines of greatest clearance, and how to get onto them.

A point of the diagram is equally far from the two (or more) nearest sites. A site is an
edge of an obstacle or a wall of the room; two edges that meet in a corner that sticks
out into the free space count as one, since nothing passes between them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import Voronoi

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.planning.terms import PlanResult
from gelenk.planning.visibility import Roadmap, roadmap_path
from gelenk.planning.world import PolygonWorld
from gelenk.typing import ArrayLike, BoolArray, FloatArray

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
    share = np.concatenate([np.arange(n) / n for n in counts])[:, None]
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


def retract(world: PolygonWorld, point: ArrayLike) -> FloatArray:
    """Return the point of the diagram reached by moving away from the nearest site.

    The gradient of the clearance points away from the nearest point of the nearest
    site, which stays the nearest until a second site is equally far. (The course says
    "orthogonally to the diagram"; that is not the way of steepest clearance.)

    Args:
        world: Obstacles and walls.
        point: In the free space [m], shape (2,).

    Returns:
        Shape (2,) [m].

    Example:
        >>> corridor = PolygonWorld([], [0, 0], [10, 2])
        >>> retract(corridor, [5.0, 0.3]).round(9).tolist()
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
        start: In the free space [m], shape (2,).
        goal: In the free space [m], shape (2,).
        spacing: See `voronoi_roadmap`.
    """
    network = voronoi_roadmap(world, spacing).roadmap
    ends = [as_finite("start", start, (2,)), as_finite("goal", goal, (2,))]
    points, edges = network.points, network.edges
    count = len(points)
    extra: list[tuple[int, int]] = []
    new: list[FloatArray] = []
    for k, end in enumerate(ends):
        onto = retract(world, end)
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
