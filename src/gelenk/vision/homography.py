"""Homographies between a plane and its image in a pinhole camera."""

from __future__ import annotations

import math

import numpy as np

from gelenk.checks import as_array, as_kernel_array
from gelenk.errors import ConfigError, ShapeError
from gelenk.kernels.compile import kernel
from gelenk.kernels.linear import solve_spd
from gelenk.typing import ArrayLike, BoolArray, FloatArray, Vec3

_ROBUST_ROUNDS = 5
_LEAST_SCALE = 0.05  # [px]: nearer points all count fully
_PASSES = 2  # the second one weights equations so that they say pixels


def fit_homography(board: ArrayLike, image: ArrayLike) -> FloatArray:
    """Return H, shape (3, 3), with image ~ H (board, 1) in the sense of least squares.

    Args:
        board: Points of a plane, shape (n, 2), n >= 4, not on a line.
        image: Pixels of the points [px], shape (n, 2).

    Raises:
        ShapeError: If there are fewer than four points, or not as many of both.
        ConfigError: If the points determine nothing.

    Example:
        >>> from gelenk.vision import apply_homography, fit_homography
        >>> square = [[0, 0], [1, 0], [0, 1], [1, 1]]
        >>> H = fit_homography(square, [[5, 5], [7, 5], [5, 7], [7, 7]])
        >>> print(apply_homography(H, [0.5, 0.5]).round(9))
        [6. 6.]
    """
    uv = as_kernel_array(as_array("board", board, (2,)))
    xy = as_kernel_array(as_array("image", image, (2,)))
    if uv.ndim != 2 or len(uv) < 4:
        raise ShapeError("board", expected="(n, 2) with n >= 4", actual=uv.shape)
    if xy.shape != uv.shape:
        raise ShapeError("image", expected=f"{uv.shape}", actual=xy.shape)
    H = np.empty((3, 3))
    if not homography_kernel(uv, xy, len(uv), H):
        raise ConfigError("`board` and `image` determine no homography: on one line?")
    return H


def apply_homography(H: ArrayLike, points: ArrayLike) -> FloatArray:
    """Return where H puts points, shape (..., 2).

    Args:
        H: Homography, shape (3, 3).
        points: Points of the plane, shape (..., 2).

    Example:
        >>> from gelenk.vision import apply_homography
        >>> apply_homography(np.diag([2.0, 2.0, 1.0]), [[1.0, 3.0]]).tolist()
        [[2.0, 6.0]]
    """
    p = as_array("points", points, (2,))
    H = as_array("H", H, (3, 3))
    mapped = p @ H[:, :2].T + H[:, 2]
    return mapped[..., :2] / mapped[..., 2:]


@kernel
def map_point(H: FloatArray, u: float, v: float) -> Vec3:
    """Return x, y and the denominator of one point."""
    w = H[2, 0] * u + H[2, 1] * v + H[2, 2]
    return (
        (H[0, 0] * u + H[0, 1] * v + H[0, 2]) / w,
        (H[1, 0] * u + H[1, 1] * v + H[1, 2]) / w,
        w,
    )


@kernel
def _scaling(points: FloatArray, count: int) -> Vec3:
    """Return centre and scale that make the points small numbers around zero."""
    x = y = 0.0
    for k in range(count):
        x += points[k, 0]
        y += points[k, 1]
    x, y = x / count, y / count
    spread = 0.0
    for k in range(count):
        spread += (points[k, 0] - x) ** 2 + (points[k, 1] - y) ** 2
    return x, y, math.sqrt(spread / (2.0 * count))


@kernel
def weighted_homography_kernel(
    uv: FloatArray, xy: FloatArray, weights: FloatArray, count: int, H: FloatArray
) -> bool:
    """Write H, positive where the points are, for the first `count` points.

    Returns:
        False if they determine none.
    """
    u0, v0, s = _scaling(uv, count)
    x0, y0, t = _scaling(xy, count)
    if not (s > 0.0 and t > 0.0):
        return False
    N, h, row = np.empty((8, 8)), np.zeros(8), np.zeros(8)
    for number in range(_PASSES):
        N[:] = 0.0
        right = np.zeros(8)
        for k in range(count):
            u, v = (uv[k, 0] - u0) / s, (uv[k, 1] - v0) / s
            weight = weights[k]
            if number:
                w = h[6] * u + h[7] * v + 1.0
                if not w > 1e-3:
                    return False
                weight /= w * w
            for axis in range(2):
                z = (xy[k, axis] - (x0 if axis == 0 else y0)) / t
                row[:] = 0.0
                row[3 * axis], row[3 * axis + 1], row[3 * axis + 2] = u, v, 1.0
                row[6], row[7] = -z * u, -z * v
                for i in range(8):
                    right[i] += weight * row[i] * z
                    for j in range(i + 1):
                        N[i, j] += weight * row[i] * row[j]
        trace = 0.0
        for i in range(8):
            trace += N[i, i]
        for i in range(8):
            N[i, i] += 1e-14 * trace
        if not solve_spd(N, right):
            return False
        h[:] = right
    # Undo the scaling: H = T_image^-1 H_scaled T_board.
    a = np.empty((3, 3))
    a[0, 0], a[0, 1], a[0, 2] = h[0], h[1], h[2]
    a[1, 0], a[1, 1], a[1, 2] = h[3], h[4], h[5]
    a[2, 0], a[2, 1], a[2, 2] = h[6], h[7], 1.0
    for j in range(3):
        a[0, j] = t * a[0, j] + x0 * a[2, j]
        a[1, j] = t * a[1, j] + y0 * a[2, j]
    for i in range(3):
        H[i, 0], H[i, 1] = a[i, 0] / s, a[i, 1] / s
        H[i, 2] = a[i, 2] - (a[i, 0] * u0 + a[i, 1] * v0) / s
    return True


@kernel
def homography_kernel(
    uv: FloatArray, xy: FloatArray, count: int, H: FloatArray
) -> bool:
    """Write H for the first `count` points of equal weight; False if there is none."""
    return weighted_homography_kernel(uv, xy, np.ones(count), count, H)


@kernel
def robust_homography_kernel(
    uv: FloatArray,
    xy: FloatArray,
    counts: BoolArray,
    H: FloatArray,
    distance: FloatArray,
) -> bool:
    """Write H that points far from the others hardly pull at, and all distances.

    Points that do not count are measured only. Starts at the H that comes in. Returns
    False if there is none.
    """
    size = uv.shape[0]
    weights = np.empty(size)
    for _ in range(_ROBUST_ROUNDS):
        for k in range(size):
            x, y, _w = map_point(H, uv[k, 0], uv[k, 1])
            distance[k] = math.hypot(xy[k, 0] - x, xy[k, 1] - y)
        scale = max(2.0 * np.median(distance[counts]), _LEAST_SCALE)
        for k in range(size):
            weights[k] = counts[k] / (1.0 + (distance[k] / scale) ** 2) ** 2
        if not weighted_homography_kernel(uv, xy, weights, size, H):
            return False
    for k in range(size):
        x, y, _w = map_point(H, uv[k, 0], uv[k, 1])
        distance[k] = math.hypot(xy[k, 0] - x, xy[k, 1] - y)
    return True
