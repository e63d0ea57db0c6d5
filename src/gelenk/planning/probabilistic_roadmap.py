"""Probabilistic roadmap (PRM): sample, drop, connect, drop; then search with A*."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.spatial import KDTree

from gelenk.errors import ConfigError
from gelenk.planning.sampling import Sampler, uniform_samples
from gelenk.planning.terms import PlanResult, PlanStatus, Space, planning_problem
from gelenk.planning.visibility import Roadmap, roadmap_path
from gelenk.typing import ArrayLike, FloatArray, IntArray


def probabilistic_roadmap(
    space: Space,
    *,
    count: int,
    rng: np.random.Generator,
    neighbours: int = 8,
    sampler: Sampler = uniform_samples,
    include: ArrayLike = (),
) -> Roadmap:
    """Build a roadmap in four steps.

    1. draw random configurations; 2. drop those in collision; 3. connect each with its
    k nearest; 4. drop connections that leave the free space. Lines may cross.

    Args:
        space: Configuration space.
        count: Free configurations to draw.
        rng: Source of samples.
        neighbours: k.
        sampler: Where to draw (steps 1 and 2), see `sampling`.
        include: Configurations to put first, such as start and goal, shape (m, n).

    Example:
        >>> from gelenk.planning.scene import point_scene
        >>> scene = point_scene([0, 0], [1, 1])
        >>> rng = np.random.default_rng(0)
        >>> probabilistic_roadmap(scene, count=20, rng=rng).points.shape
        (20, 2)
    """
    if count < 1 or neighbours < 1:
        raise ConfigError("`count` and `neighbours` must be positive")
    n = len(space.lower)
    fixed = np.array(include, dtype=float).reshape(-1, n)
    points = np.concatenate([fixed, sampler(space, count, rng)])
    edges = nearest_pairs(points, neighbours)
    free = space.are_free_between(points[edges[:, 0]], points[edges[:, 1]])
    return Roadmap(points=points, edges=edges[free])


def prm_path(
    space: Space,
    start: ArrayLike,
    goal: ArrayLike,
    *,
    count: int,
    rng: np.random.Generator,
    neighbours: int = 8,
    sampler: Sampler = uniform_samples,
) -> PlanResult:
    """Search a path in a fresh roadmap; `GAVE_UP` if its pieces do not join.

    Args:
        space: Configuration space.
        start: Free configuration, shape (n,).
        goal: Free configuration, shape (n,).
        count: Free configurations to draw.
        rng: Source of samples.
        neighbours: Connections tried from each.
        sampler: Where to draw, see `sampling`.
    """
    problem = planning_problem(space, start, goal)
    build = partial(probabilistic_roadmap, space, count=count, rng=rng)
    roadmap = build(
        neighbours=neighbours,
        sampler=sampler,
        include=np.stack([problem.start, problem.goal]),
    )
    result = roadmap_path(roadmap, 0, 1)
    if result.found:
        return result
    return PlanResult(status=PlanStatus.GAVE_UP, path=None, effort=result.effort)


def nearest_pairs(points: FloatArray, neighbours: int) -> IntArray:
    """Return pairs i < j where one is among the k nearest of the other, each once.

    Args:
        points: Shape (m, n).
        neighbours: k.

    Returns:
        Shape (p, 2).
    """
    k = min(neighbours + 1, len(points))
    _, near = KDTree(points).query(points, k=k)
    near = np.asarray(near).reshape(len(points), k)
    pairs = np.stack(np.broadcast_arrays(np.arange(len(points))[:, None], near), -1)
    pairs = np.sort(pairs.reshape(-1, 2), axis=1)
    return np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)
