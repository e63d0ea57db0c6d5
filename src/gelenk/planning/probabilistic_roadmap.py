"""Probabilistic roadmap (PRM): sampling strategies, connection, search with A*.

Samplers return `count` free configurations, shape (count, n), of a space. Uniform
samples seldom fall into narrow passages; the others look for them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.spatial import KDTree

from gelenk.errors import ConfigError
from gelenk.planning.concepts import PlanResult, PlanStatus, Space, planning_problem
from gelenk.planning.roadmaps import Roadmap, roadmap_path
from gelenk.typing import ArrayLike, FloatArray, IntArray

RETRIES = 30
MAX_ROUNDS = 2000  # of `count` proposals each, before giving up
Sampler = Callable[[Space, int, np.random.Generator], FloatArray]


def uniform_samples(space: Space, count: int, rng: np.random.Generator) -> FloatArray:
    """Return free samples, equally dense everywhere.

    Example:
        >>> from gelenk.planning.complexity import box_scene
        >>> samples = uniform_samples(box_scene(2), 100, np.random.default_rng(0))
        >>> samples.shape
        (100, 2)
    """

    def propose() -> FloatArray:
        points = _uniform(space, count, rng)
        return points[space.are_free(points)]

    return _gathered(propose, count)


def gaussian_samples(
    space: Space, count: int, rng: np.random.Generator, *, sigma: float
) -> FloatArray:
    """Return free samples near boundaries: of a close pair only one is free.

    The second of each pair is normally distributed about the first with deviation
    `sigma` (Boor, Overmars and van der Stappen 1999).
    """

    def propose() -> FloatArray:
        a = _uniform(space, count, rng)
        b = a + rng.normal(0.0, sigma, a.shape)
        free_a, free_b = space.are_free(a), space.are_free(b)
        return np.concatenate([a[free_a & ~free_b], b[free_b & ~free_a]])

    return _gathered(propose, count)


def bridge_samples(
    space: Space, count: int, rng: np.random.Generator, *, sigma: float
) -> FloatArray:
    """Return free samples in passages: midpoints of pairs that both collide.

    The bridge test of Hsu, Jiang, Reif and Sun (2003): ends in obstacles, middle free.
    """

    def propose() -> FloatArray:
        a = _uniform(space, 4 * count, rng)
        a = a[~space.are_free(a)]
        b = a + rng.normal(0.0, sigma, a.shape)
        middle = 0.5 * (a + b)
        in_box = ((b >= space.lower) & (b <= space.upper)).all(axis=1)
        return middle[in_box & ~space.are_free(b) & space.are_free(middle)]

    return _gathered(propose, count)


def boundary_samples(
    space: Space, count: int, rng: np.random.Generator, *, steps: int = 12
) -> FloatArray:
    """Return free samples on boundaries, by bisection from colliding to free ones.

    The idea of obstacle-based roadmaps (OBPRM, Amato et al. 1998): start inside, go in
    a random direction, and stay where freedom begins.
    """

    def propose() -> FloatArray:
        a, b = _uniform(space, count, rng), _uniform(space, count, rng)
        pairs = ~space.are_free(a) & space.are_free(b)
        bad, good = a[pairs], b[pairs]
        for _ in range(steps):
            middle = 0.5 * (bad + good)
            free = space.are_free(middle)[:, None]
            bad, good = np.where(free, bad, middle), np.where(free, middle, good)
        return good

    return _gathered(propose, count)


def sparse_samples(
    space: Space, count: int, rng: np.random.Generator, *, radius: float
) -> FloatArray:
    """Return free samples, more of them where the first half found few neighbours.

    Half are uniform; the others fall within `radius` of one of those, drawn with a
    chance that falls with its number of neighbours: 1 / (1 + number).
    """
    n = len(space.lower)
    first = uniform_samples(space, (count + 1) // 2, rng)
    tree = KDTree(first)
    near = tree.query_ball_point(first, radius, return_length=True)
    chance = 1.0 / np.asarray(near, dtype=float)  # itself counts as the 1

    def propose() -> FloatArray:
        home = rng.choice(len(first), count, p=chance / chance.sum())
        found: list[FloatArray] = []
        for _ in range(RETRIES):  # from the same homes, else walls would repel samples
            points = first[home] + rng.uniform(-radius, radius, (len(home), n))
            free = ((points >= space.lower) & (points <= space.upper)).all(axis=1)
            free &= space.are_free(points)
            found.append(points[free])
            home = home[~free]
        return rng.permutation(np.concatenate(found))

    return np.concatenate([first, _gathered(propose, count - len(first))])


def _uniform(space: Space, count: int, rng: np.random.Generator) -> FloatArray:
    return rng.uniform(space.lower, space.upper, (count, len(space.lower)))


def _gathered(propose: Callable[[], FloatArray], count: int) -> FloatArray:
    parts: list[FloatArray] = []
    total = 0
    for _ in range(MAX_ROUNDS):
        if total >= count and parts:
            break
        parts.append(propose())
        total += len(parts[-1])
    if total < count:
        raise ConfigError(
            f"found only {total} of {count} samples; is there a free space with such "
            "places, and does `sigma` or `radius` fit its passages?"
        )
    return np.concatenate(parts)[:count]


def build_prm(
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
        sampler: Sampling strategy (steps 1 and 2), such as `bridge_samples`.
        include: Configurations to put first, such as start and goal, shape (m, n).

    Example:
        >>> from gelenk.planning.scene import point_scene
        >>> scene = point_scene([0, 0], [1, 1])
        >>> rng = np.random.default_rng(0)
        >>> build_prm(scene, count=20, rng=rng).points.shape
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


def plan_prm(
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
        sampler: Sampling strategy, such as `bridge_samples`.

    Example:
        >>> from gelenk.planning import plan_prm, point_scene
        >>> scene = point_scene([0, 0], [10, 10], boxes=[[4, 0, 5, 8]])
        >>> rng = np.random.default_rng(0)
        >>> plan_prm(scene, [1, 1], [9, 1], count=200, rng=rng).found
        True
    """
    problem = planning_problem(space, start, goal)
    build = partial(build_prm, space, count=count, rng=rng)
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
        points: Points to join, shape (m, n).
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
