"""Where to sample for roadmaps: everywhere, near obstacles, between them.

Each function returns `count` free configurations, shape (count, n), of a space.
Uniform samples seldom fall into narrow passages; the others look for them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.spatial import KDTree

from gelenk.errors import ConfigError
from gelenk.planning.terms import Space
from gelenk.typing import FloatArray

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
