"""Poses in the plane: (x, y, heading), composed and inverted, with leading batch axes.

A pose (x, y, θ) maps points of the robot to the world: p_world = R(θ) p_robot + (x, y).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gelenk.checks import as_array
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, FloatArray


def planar_rotation(angle: ArrayLike) -> FloatArray:
    """Return R(θ) = [[cos θ, -sin θ], [sin θ, cos θ]], shape (..., 2, 2)."""
    a = np.asarray(angle, dtype=np.float64)
    c, s = np.cos(a), np.sin(a)
    return np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)


def compose(first: ArrayLike, second: ArrayLike) -> FloatArray:
    """Return the pose reached by `second`, which is given in the frame `first`.

    Args:
        first: First pose (x [m], y [m], θ [rad]), shape (..., 3).
        second: Second pose (x [m], y [m], θ [rad]), shape (..., 3).

    Returns:
        Shape (..., 3); headings in [-pi, pi).

    Example:
        >>> from gelenk.navigation import compose
        >>> print(compose([1.0, 2.0, np.pi / 2], [1.0, 0.0, 0.1]).round(6))
        [1.       3.       1.670796]
    """
    a, b = as_array("first", first, (3,)), as_array("second", second, (3,))
    c, s = np.cos(a[..., 2]), np.sin(a[..., 2])
    return np.stack(
        [
            a[..., 0] + c * b[..., 0] - s * b[..., 1],
            a[..., 1] + s * b[..., 0] + c * b[..., 1],
            wrap_angle(a[..., 2] + b[..., 2]),
        ],
        axis=-1,
    )


def relative_pose(first: ArrayLike, second: ArrayLike) -> FloatArray:
    """Return `second` in the frame `first`: compose(first, between) = second.

    Args:
        first: Reference pose (x [m], y [m], θ [rad]), shape (..., 3).
        second: Other pose (x [m], y [m], θ [rad]), shape (..., 3).

    Example:
        >>> from gelenk.navigation import relative_pose
        >>> print(relative_pose([1.0, 2.0, np.pi / 2], [1.0, 3.0, 0.0]).round(6))
        [ 1.        0.       -1.570796]
    """
    a, b = as_array("first", first, (3,)), as_array("second", second, (3,))
    c, s = np.cos(a[..., 2]), np.sin(a[..., 2])
    dx, dy = b[..., 0] - a[..., 0], b[..., 1] - a[..., 1]
    heading = wrap_angle(b[..., 2] - a[..., 2])
    return np.stack([c * dx + s * dy, c * dy - s * dx, heading], axis=-1)


def points_in_world(pose: ArrayLike, points: ArrayLike) -> FloatArray:
    """Return points of the robot in the world: R(θ) p + t, shape (..., k, 2).

    Args:
        pose: Pose (x [m], y [m], θ [rad]), shape (..., 3).
        points: Points in robot axes [m], shape (..., k, 2).
    """
    x = as_array("pose", pose, (3,))
    p = as_array("points", points, (2,))
    return p @ np.swapaxes(planar_rotation(x[..., 2]), -1, -2) + x[..., None, :2]


def align_points(
    sources: ArrayLike, targets: ArrayLike, weights: ArrayLike | None = None
) -> FloatArray:
    """Return the pose that carries `sources` onto `targets` best.

    min Σ w_i |R s_i + t - q_i|²: θ = atan2(Σ w s' × q', Σ w s' · q') about the centres.

    Args:
        sources: Points in robot axes [m], shape (..., k, 2), k >= 2.
        targets: The same points in the world [m], shape (..., k, 2).
        weights: Weights of the points, positive, shape (..., k); None: all equal.

    Example:
        >>> from gelenk.navigation import align_points
        >>> from gelenk.navigation.planar import points_in_world
        >>> corners = np.array([[1.0, 0.0], [0.0, 2.0], [-1.0, 1.0]])
        >>> pose = np.array([3.0, -1.0, 0.7])
        >>> print(align_points(corners, points_in_world(pose, corners)).round(9))
        [ 3.  -1.   0.7]
    """
    s = as_array("sources", sources, (2,))
    q = as_array("targets", targets, (2,))
    w = np.ones(s.shape[:-1]) if weights is None else np.asarray(weights, dtype=float)
    share = (w / w.sum(axis=-1, keepdims=True))[..., None]
    s_mid, q_mid = (share * s).sum(axis=-2), (share * q).sum(axis=-2)
    a, b = s - s_mid[..., None, :], q - q_mid[..., None, :]
    cross = (share[..., 0] * (a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])).sum(-1)
    dot = (share * a * b).sum(axis=(-1, -2))
    angle = wrap_angle(np.arctan2(cross, dot))
    t = q_mid - (planar_rotation(angle) @ s_mid[..., None])[..., 0]
    return np.concatenate([t, angle[..., None]], axis=-1)


def matrix_from_rows(rows: list[list[FloatArray]]) -> FloatArray:
    """Return matrices, shape (..., m, n), from their entries, each of shape (...)."""
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def transposed(M: NDArray[Any]) -> FloatArray:
    """Return matrices with their last two axes swapped."""
    return np.swapaxes(M, -1, -2)
