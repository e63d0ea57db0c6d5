"""Outliers removed from point clouds: points far from their neighbours."""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.pointcloud.kd_tree import KdTree
from gelenk.typing import ArrayLike, BoolArray, FloatArray


def mean_neighbor_distances(points: ArrayLike, count: int) -> FloatArray:
    """Return the mean distance of each point to its nearest others [m], shape (n,).

    Args:
        points: Shape (n, d), d = 2 or 3.
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
        points: Shape (n, d), d = 2 or 3.
        count: k, neighbours.
        alpha: How many standard deviations are still usual.

    Example:
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
