"""Which circles of two images may be the same ball: they fit a place, and its size."""

from __future__ import annotations

import math

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.typing import FloatArray, IntArray
from gelenk.vision.sphere import see_sphere, start_of_search, triangulate

ROUGH = 0.3  # how wrong the distance may be that one circle's size tells, relative


def pair_circles(
    camera: FloatArray,
    left: FloatArray,
    right: FloatArray,
    sigma: FloatArray,
    radius: float,
    gate: float,
) -> tuple[np.ndarray, FloatArray]:
    """Return pairs of circles and the place of each.

    Args:
        camera: Both cameras as kernels read them, (2, 21).
        left: Circles (u, v, r, ...) of the left image [px], (n, k).
        right: Likewise, (m, k).
        sigma: Of (u, v, r) [px], (3,).
        radius: Of the ball [m].
        gate: Largest chi-square, 3 degrees of freedom.

    Returns:
        Rows of `left` and of `right`, (p, 2), and places in world axes [m], (p, 3).
    """
    most = len(left) * len(right)
    pairs, places = np.empty((most, 2), np.int64), np.empty((most, 3))
    if not most:
        return pairs, places
    count = _pair(camera, left, right, sigma, float(radius), float(gate), pairs, places)
    return pairs[:count], places[:count]


@kernel
def _pair(
    camera: FloatArray,
    left: FloatArray,
    right: FloatArray,
    sigma: FloatArray,
    radius: float,
    gate: float,
    pairs: IntArray,
    places: FloatArray,
) -> int:
    circles, covariance = np.empty((2, 3)), np.empty((3, 3))
    count = 0
    for i in range(left.shape[0]):
        for k in range(3):
            circles[0, k] = left[i, k]
        p = start_of_search(camera, 0, left[i, 0], left[i, 1], left[i, 2], radius)
        u, v, r = see_sphere(camera, 1, p, radius)
        if math.isnan(u):
            continue
        # Along its ray the place is known only roughly: so far may the image move.
        reach = 10.0 + ROUGH * math.hypot(u - left[i, 0], v - left[i, 1])
        for j in range(right.shape[0]):
            away = math.hypot(right[j, 0] - u, right[j, 1] - v)
            if away > reach or abs(right[j, 2] - r) > ROUGH * r + 1.0:
                continue
            for k in range(3):
                circles[1, k] = right[j, k]
            chi2 = triangulate(
                camera, circles, sigma, radius, places[count], covariance
            )
            if chi2 <= gate:
                pairs[count, 0], pairs[count, 1] = i, j
                count += 1
    return count
