"""Filters of point clouds: normals, outliers, smoothing.

The covariance of the k nearest points has three eigenvectors; the one of the smallest
eigenvalue is normal to the surface (the course speaks of the smallest eigenvector,
E-57). Its sign is free: it is turned towards the sensor. Points far from their
neighbours are outliers; moving least squares smooth the rest by local polynomials.
"""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.pointcloud.kd_tree import KdTree
from gelenk.typing import ArrayLike, BoolArray, FloatArray


def estimate_normals(
    points: ArrayLike,
    *,
    count: int = 12,
    sensor: ArrayLike = (0.0, 0.0, 0.0),
    tree: KdTree | None = None,
) -> FloatArray:
    """Return unit normals, towards the sensor, shape (n, 3).

    Args:
        points: Points [m], shape (n, 3).
        count: Neighbours that make a surface, the point itself included, >= 3.
        sensor: Position from which the cloud was seen [m], shape (3,) or (n, 3).
        tree: k-d tree of the points, if there is one.

    Example:
        >>> import numpy as np
        >>> from gelenk.pointcloud import estimate_normals
        >>> x, y = np.meshgrid(np.arange(5.0), np.arange(5.0))
        >>> plane = np.column_stack([x.ravel(), y.ravel(), (0.5 * x + 0.2 * y).ravel()])
        >>> print(estimate_normals(plane, sensor=[0.0, 0.0, 9.0])[12].round(6))
        [-0.440225 -0.17609   0.880451]
    """
    return estimate_surface(points, count=count, sensor=sensor, tree=tree)[0]


def estimate_surface(
    points: ArrayLike,
    *,
    count: int = 12,
    sensor: ArrayLike = (0.0, 0.0, 0.0),
    tree: KdTree | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Return normals as `estimate_normals`, and the surface variation, (n, 3) and (n,).

    The variation l0 / (l0 + l1 + l2) is 0 on planes and 1/3 where points fill space.
    """
    p = as_finite("points", points, (3,))
    if not 3 <= count <= len(p):
        raise ConfigError(f"`count` must be 3 to {len(p)}, got {count}")
    near = (tree or KdTree(p)).nearest(p, count)[1]
    around = p[near] - p[near].mean(axis=1, keepdims=True)
    values, vectors = np.linalg.eigh(np.einsum("nki,nkj->nij", around, around))
    normal = vectors[:, :, 0]
    view = as_finite("sensor", sensor, (3,)) - p
    is_away = np.sum(normal * view, axis=1) < 0.0
    total = values.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        variation = np.where(total > 0.0, np.maximum(values[:, 0], 0.0) / total, 0.0)
    return np.where(is_away[:, None], -normal, normal), variation


def fit_plane(points: ArrayLike) -> tuple[FloatArray, float]:
    """Return n and d of n . p + d = 0 with the least squared distance, |n| = 1.

    Args:
        points: Points [m], shape (k, 3), k >= 3.
    """
    p = as_finite("points", points, (3,)).reshape(-1, 3)
    if len(p) < 3:
        raise ConfigError(f"a plane needs three points, got {len(p)}")
    middle = p.mean(axis=0)
    normal = np.linalg.svd(p - middle, full_matrices=False)[2][-1]
    return normal, float(-normal @ middle)


def mean_neighbor_distances(points: ArrayLike, count: int) -> FloatArray:
    """Return the mean distance of each point to its nearest others [m], shape (n,).

    Args:
        points: Points, shape (n, d), d = 2 or 3.
        count: Neighbours, without the point itself, below n.
    """
    p = as_finite("points", points, ())
    if not 1 <= count < len(p):
        raise ConfigError(f"`count` must be 1 to {len(p) - 1}, got {count}")
    return KdTree(p).nearest(p, count + 1)[0][:, 1:].mean(axis=1)


def are_inliers(points: ArrayLike, *, count: int = 8, alpha: float = 1.0) -> BoolArray:
    """Return which points are no outliers: mean distance <= mu + alpha sigma, (n,).

    mu and sigma are mean and standard deviation (of the population) of the mean
    distances of all points.

    Args:
        points: Points, shape (n, d), d = 2 or 3.
        count: Number k of neighbours.
        alpha: Number of standard deviations that still count as usual.

    Example:
        >>> from gelenk.pointcloud import are_inliers
        >>> row = [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [2, 5]]
        >>> print(are_inliers(row, count=2))
        [ True  True  True  True  True False]
    """
    distance = mean_neighbor_distances(points, count)
    return np.asarray(distance <= distance.mean() + alpha * distance.std())


def have_neighbors(points: ArrayLike, *, radius: float, count: int) -> BoolArray:
    """Return which points have at least `count` others within a radius, shape (n,)."""
    p = as_finite("points", points, ())
    if not (radius > 0.0 and count >= 1):
        raise ConfigError(f"`radius` and `count` must be positive: {radius}, {count}")
    if len(p) <= count:
        return np.zeros(len(p), dtype=bool)
    farthest = KdTree(p).nearest(p, count + 1)[0][:, -1]
    return np.asarray(farthest <= radius)


def smooth_points(
    points: ArrayLike,
    *,
    width: float,
    order: int = 2,
    count: int = 30,
    queries: ArrayLike | None = None,
) -> FloatArray:
    """Return points moved onto the surface their neighbours suggest, shape (m, 3).

    Args:
        points: Points [m], shape (n, 3).
        width: Distance h up to which neighbours count [m].
        order: Degree m of the polynomial.
        count: Neighbours that are looked at, more than (m + 1)(m + 2) / 2.
        queries: Other points near the surface to be moved onto it, shape (m, 3):
            resampling; by default the points themselves.

    Example:
        >>> import numpy as np
        >>> from gelenk.pointcloud import smooth_points
        >>> x, y = np.meshgrid(np.linspace(-1, 1, 15), np.linspace(-1, 1, 15))
        >>> bowl = np.column_stack([x.ravel(), y.ravel(), (x**2 + y**2).ravel()])
        >>> moved = smooth_points(bowl, width=0.3, queries=[[0.0, 0.0, 0.05]])
        >>> bool(abs(moved[0, 2]) < 0.01)
        True
    """
    p = as_finite("points", points, (3,))
    at = p if queries is None else as_finite("queries", queries, (3,)).reshape(-1, 3)
    i, j = (k.ravel() for k in np.indices((order + 1, order + 1)))
    i, j = i[i + j <= order], j[i + j <= order]
    if not (width > 0.0 and order >= 0 and len(i) < count <= len(p)):
        raise ConfigError(
            f"`width` must be > 0 and `count` {len(i) + 1} to {len(p)}, got "
            f"{width} and {count}"
        )
    distance, near = KdTree(p).nearest(at, count)
    around = p[near]
    weight = np.exp(-((distance / width) ** 2))
    weight = weight / weight.sum(axis=1, keepdims=True)
    middle = np.einsum("nk,nki->ni", weight, around)
    off = around - middle[:, None]
    axes = np.linalg.eigh(np.einsum("nk,nki,nkj->nij", weight, off, off))[1]
    local = off @ axes  # heights along the first axis, that of the least extent
    own = np.einsum("ni,nij->nj", at - middle, axes)
    a, b, height = local[..., 2] / width, local[..., 1] / width, local[..., 0]
    root = np.sqrt(weight)
    terms = a[..., None] ** i * b[..., None] ** j
    c = np.linalg.pinv(terms * root[..., None]) @ (height * root)[..., None]
    u, v = own[:, 2:] / width, own[:, 1:2] / width
    own[:, 0] = np.sum(u**i * v**j * c[..., 0], axis=1)
    return middle + np.einsum("nij,nj->ni", axes, own)
