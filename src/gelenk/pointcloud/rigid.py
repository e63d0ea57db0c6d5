"""The rigid motion that brings points onto their partners, in closed form.

With the centroids p_, q_ and H = sum (p - p_)(q - q_)^T = U S V^T:

    R = V diag(1, 1, det(V U^T)) U^T,   t = q_ - R p_

The sign keeps R a rotation where a mirror would fit better.
"""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ShapeError
from gelenk.spatial import se3
from gelenk.typing import ArrayLike, FloatArray


def fit_rigid(
    p: ArrayLike, q: ArrayLike, weights: ArrayLike | None = None
) -> FloatArray:
    """Return T_q_p, shape (4, 4), that minimises sum w |q - R p - t|^2.

    Args:
        p: Points in one frame [m], shape (n, 3).
        q: The same points in the other frame [m], shape (n, 3).
        weights: What each pair counts, shape (n,); by default 1.

    Example:
        >>> p = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]])
        >>> q = p @ [[0, 1, 0], [-1, 0, 0], [0, 0, 1]] + [0.5, -0.2, 0.1]
        >>> print(fit_rigid(p, q).round(9) + 0.0)
        [[ 0.  -1.   0.   0.5]
         [ 1.   0.   0.  -0.2]
         [ 0.   0.   1.   0.1]
         [ 0.   0.   0.   1. ]]
    """
    a, b = as_finite("p", p, (3,)), as_finite("q", q, (3,))
    if a.ndim != 2 or a.shape != b.shape or not len(a):
        raise ShapeError("q", expected=f"{a.shape}, at least one row", actual=b.shape)
    w = np.ones(len(a)) if weights is None else as_finite("weights", weights, (len(a),))
    w = w / w.sum()
    return rigid_from_moments(w @ a, w @ b, (a * w[:, None]).T @ b)


def rigid_from_moments(
    mean_p: FloatArray, mean_q: FloatArray, pq: FloatArray
) -> FloatArray:
    """Return T_q_p, shape (4, 4), from mean p, mean q and the mean of p q^T."""
    U, _, Vt = np.linalg.svd(pq - np.outer(mean_p, mean_q))
    V = Vt.T
    sign = np.array([1.0, 1.0, np.sign(np.linalg.det(V @ U.T))])
    R = (V * sign) @ U.T
    return se3.pose_from_rotation_translation(R, mean_q - R @ mean_p)
