"""Point clouds smoothed by local polynomials (moving least squares).

Around each point its neighbours, weighted by exp(-r^2 / h^2), have a mean and axes
(e1, e2, n). In these axes a polynomial w(a, b) = sum c_ij a^i b^j, i + j <= m, is
fitted to their heights, and the point is moved to the height w at its own (a, b): onto
the polynomial surface (the course says polygon, E-57). Surfaces of degree m stay as
they are.
"""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.pointcloud.kd_tree import KdTree
from gelenk.typing import ArrayLike, FloatArray


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
        points: [m], shape (n, 3).
        width: h, how far neighbours count [m].
        order: m, degree of the polynomial.
        count: Neighbours that are looked at, more than (m + 1)(m + 2) / 2.
        queries: Other points near the surface to be moved onto it, shape (m, 3):
            resampling; by default the points themselves.

    Example:
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
