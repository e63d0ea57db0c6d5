"""Planes found in point clouds by random samples (RANSAC).

Three points make a hypothesis, n = (p2 - p1) x (p3 - p1) / |...|, d = -n . p1; points
with |n . p + d| < tau agree. The best one is refitted to all that agree and taken away,
and so on. With a share w of the points on a plane,

    N = log(1 - P) / log(1 - w^3)

samples find three of them with probability P.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.pointcloud.filters import fit_plane
from gelenk.pointcloud.kd_tree import KdTree
from gelenk.typing import ArrayLike, FloatArray, IntArray

_BATCH = 64  # hypotheses that are judged at once


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plane:
    """A plane and the points on it.

    Attributes:
        normal: Unit normal n, shape (3,); with d <= 0 it points away from the origin.
        offset: Offset d of n . p + d = 0 [m].
        members: Numbers of its points, shape (k,).
    """

    normal: FloatArray
    offset: float
    members: IntArray

    def distances(self, points: ArrayLike) -> FloatArray:
        """Return signed distances n . p + d [m], shape (...), of points (..., 3)."""
        return as_finite("points", points, (3,)) @ self.normal + self.offset


def plane_through(a: ArrayLike, b: ArrayLike, c: ArrayLike) -> tuple[FloatArray, float]:
    """Return n and d of the plane through three points [m], shape (3,) each.

    Raises:
        ConfigError: If they lie on a line.

    Example:
        >>> n, d = plane_through([0, 0, 1], [1, 0, 1.5], [0, 1, 1.2])
        >>> print(n.round(6), round(d, 6))
        [-0.440225 -0.17609   0.880451] -0.880451
    """
    p, q, r = (as_finite("point", value, (3,)) for value in (a, b, c))
    normal = np.cross(q - p, r - p)
    size = float(np.linalg.norm(normal))
    if size <= 1e-9 * float(np.linalg.norm(q - p) * np.linalg.norm(r - p)):
        raise ConfigError("three points on a line lie on many planes")
    normal = normal / size
    return normal, float(-normal @ p)


def samples_needed(share: float, *, confidence: float = 0.99) -> int:
    """Return N = log(1 - P) / log(1 - w^3), rounded up.

    Args:
        share: Share w of the points that lie on the plane, 0 to 1.
        confidence: Wanted probability P of success.

    Example:
        >>> samples_needed(0.5), samples_needed(0.3)
        (35, 169)
    """
    if not (0.0 <= share <= 1.0 and 0.0 < confidence < 1.0):
        raise ConfigError(f"shares must be 0 to 1, got {share} and {confidence}")
    hit = share**3
    if hit >= 1.0:
        return 1
    return (
        math.ceil(math.log1p(-confidence) / math.log1p(-hit)) if hit > 1e-12 else 10**9
    )


def find_plane(
    points: ArrayLike,
    *,
    tolerance: float,
    rng: np.random.Generator,
    normals: ArrayLike | None = None,
    max_angle: float = math.radians(15.0),
    confidence: float = 0.99,
    max_samples: int = 2000,
) -> Plane | None:
    """Return the plane most points agree on; None if no three points make one.

    Args:
        points: Points [m], shape (n, 3).
        tolerance: Distance tau of points that still agree [m].
        rng: Draws the samples.
        normals: Normals of the points, shape (n, 3); their direction must then agree as
            well.
        max_angle: Largest angle between normals that agree [rad].
        confidence: Wanted probability P of success.
        max_samples: Hypotheses at most.
    """
    p = as_finite("points", points, (3,))
    if len(p) < 3:
        return None
    directions = None if normals is None else as_finite("normals", normals, (len(p), 3))
    best, most, tried = None, 0, 0
    while tried < min(
        max_samples, samples_needed(most / len(p), confidence=confidence)
    ):
        a, b, c = np.moveaxis(p[_triples(len(p), _BATCH, rng)], 1, 0)
        tried += _BATCH
        normal = np.cross(b - a, c - a)
        size = np.linalg.norm(normal, axis=1)
        spread = np.linalg.norm(b - a, axis=1) * np.linalg.norm(c - a, axis=1)
        is_plane = size > 1e-3 * spread
        if not is_plane.any():
            continue
        normal, a = normal[is_plane] / size[is_plane, None], a[is_plane]
        agree = np.abs(p @ normal.T - np.sum(normal * a, axis=1)) < tolerance
        if directions is not None:
            agree &= np.abs(directions @ normal.T) > math.cos(max_angle)
        counts = agree.sum(axis=0)
        k = int(counts.argmax())
        if counts[k] > most:
            best, most = agree[:, k], int(counts[k])
    if best is None or most < 3:
        return None
    return _refit(p, best, tolerance, directions, max_angle)


def find_planes(
    points: ArrayLike,
    *,
    tolerance: float,
    rng: np.random.Generator,
    min_points: int = 50,
    max_count: int = 20,
    normals: ArrayLike | None = None,
) -> list[Plane]:
    """Return planes one after the other, the one with most points first.

    Args:
        points: Points [m], shape (n, 3).
        tolerance: Distance of points that agree [m].
        rng: Draws the samples.
        min_points: Planes with fewer points do not count.
        max_count: Planes at most.
        normals: Normals of the points, shape (n, 3), if they must agree.

    Returns:
        Planes whose members are numbers of `points`; no point is on two.

    Example:
        >>> import numpy as np
        >>> from gelenk.pointcloud import find_planes
        >>> rng = np.random.default_rng(0)
        >>> floor = np.column_stack([rng.uniform(size=(200, 2)), np.zeros(200)])
        >>> planes = find_planes(floor, tolerance=0.01, rng=rng)
        >>> len(planes)
        1
    """
    p = as_finite("points", points, (3,))
    directions = None if normals is None else as_finite("normals", normals, (len(p), 3))
    left = np.arange(len(p))
    found: list[Plane] = []
    while len(found) < max_count and len(left) >= max(3, min_points):
        plane = find_plane(
            p[left],
            tolerance=tolerance,
            rng=rng,
            normals=None if directions is None else directions[left],
        )
        if plane is None or len(plane.members) < min_points:
            break
        members = left[plane.members]
        twin = next(
            (k for k, one in enumerate(found) if _is_same(one, plane, tolerance)), -1
        )
        if twin >= 0:
            members = np.concatenate([found[twin].members, members])
            normal, offset = _oriented(*fit_plane(p[members]))
            found[twin] = Plane(normal=normal, offset=offset, members=members)
        else:
            found.append(
                Plane(normal=plane.normal, offset=plane.offset, members=members)
            )
        left = np.delete(left, plane.members)
    return sorted(found, key=lambda one: -len(one.members))


def cut_clusters(
    points: ArrayLike, *, gap: float, min_points: int = 1
) -> list[IntArray]:
    """Return groups of points nearer than `gap` to the next one, largest first.

    Args:
        points: Points [m], shape (n, 3).
        gap: Distance that separates [m].
        min_points: Smaller groups do not count.
    """
    p = as_finite("points", points, (3,))
    if not len(p):
        return []
    first, second = _pairs_within(KdTree(p), p, gap)
    links = coo_matrix((np.ones(len(first)), (first, second)), shape=(len(p), len(p)))
    owner = connected_components(links, directed=False)[1]
    groups = [np.flatnonzero(owner == k) for k in range(owner.max() + 1)]
    groups = [group for group in groups if len(group) >= min_points]
    return sorted(groups, key=len, reverse=True)


def _pairs_within(tree: KdTree, p: FloatArray, gap: float) -> tuple[IntArray, IntArray]:
    """Return all pairs nearer than `gap`: more neighbours until the last is farther."""
    count = min(9, len(p))
    asked = np.arange(len(p))
    first: list[IntArray] = []
    second: list[IntArray] = []
    while len(asked):
        distance, near = tree.nearest(p[asked], count, limit=gap)
        is_pair = np.isfinite(distance)
        is_full = is_pair[:, -1] & (count < len(p))
        done = ~is_full
        rows = np.broadcast_to(asked[:, None], near.shape)
        first.append(rows[done][is_pair[done]])
        second.append(near[done][is_pair[done]])
        asked, count = asked[is_full], min(4 * count, len(p))
    return np.concatenate(first), np.concatenate(second)


def _triples(n: int, count: int, rng: np.random.Generator) -> IntArray:
    """Return three different numbers below n, `count` times, shape (count, 3)."""
    i = rng.integers(0, n, count)
    j = (i + rng.integers(1, n, count)) % n
    k = rng.integers(0, n - 2, count)
    low, high = np.minimum(i, j), np.maximum(i, j)
    k = k + (k >= low)
    k = k + (k >= high)
    return np.stack([i, j, k], axis=1)


def _refit(
    p: FloatArray,
    agree: np.ndarray,
    tolerance: float,
    directions: FloatArray | None,
    max_angle: float,
) -> Plane:
    """Return the plane of least squares through what agrees, judged twice again."""
    normal, offset = np.zeros(3), 0.0
    for _ in range(3):
        normal, offset = _oriented(*fit_plane(p[agree]))
        again = np.abs(p @ normal + offset) < tolerance
        if directions is not None:
            again &= np.abs(directions @ normal) > math.cos(max_angle)
        if again.sum() < 3:
            break
        agree = again
    return Plane(normal=normal, offset=offset, members=np.flatnonzero(agree))


def _oriented(normal: FloatArray, offset: float) -> tuple[FloatArray, float]:
    return (normal, offset) if offset <= 0.0 else (-normal, -offset)


def _is_same(a: Plane, b: Plane, tolerance: float) -> bool:
    side = float(np.sign(a.normal @ b.normal)) or 1.0
    is_parallel = abs(a.normal @ b.normal) > math.cos(math.radians(3.0))
    return bool(is_parallel and abs(a.offset - side * b.offset) < tolerance)
