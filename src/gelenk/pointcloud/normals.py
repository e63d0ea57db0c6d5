"""Surface normals: the direction in which a neighbourhood has the least extent.

The covariance of the k nearest points has three eigenvectors; the one of the smallest
eigenvalue is normal to the surface (the course speaks of the smallest eigenvector,
E-57). Its sign is free: it is turned towards the sensor.
"""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.pointcloud.kd_tree import KdTree
from gelenk.typing import ArrayLike, FloatArray


def estimate_normals(
    points: ArrayLike,
    *,
    count: int = 12,
    sensor: ArrayLike = (0.0, 0.0, 0.0),
    tree: KdTree | None = None,
) -> FloatArray:
    """Return unit normals, towards the sensor, shape (n, 3).

    Args:
        points: [m], shape (n, 3).
        count: Neighbours that make a surface, the point itself included, >= 3.
        sensor: Where the cloud was seen from [m], shape (3,) or (n, 3).
        tree: Of the points, if there is one.

    Example:
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
        points: [m], shape (k, 3), k >= 3.
    """
    p = as_finite("points", points, (3,)).reshape(-1, 3)
    if len(p) < 3:
        raise ConfigError(f"a plane needs three points, got {len(p)}")
    middle = p.mean(axis=0)
    normal = np.linalg.svd(p - middle, full_matrices=False)[2][-1]
    return normal, float(-normal @ middle)
