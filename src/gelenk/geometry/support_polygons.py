"""Support polygons: the hull of the contact points and the margin of a point in it.

A body at rest does not tip while the vertical through its centre of mass meets the
convex hull of its contact points. The margin is the distance to the nearest edge,
negative outside.
"""

from __future__ import annotations

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.typing import ArrayLike, FloatArray, IntArray

SAME = 1e-9  # [m], points nearer than this are one


def support_polygon(points: ArrayLike) -> FloatArray:
    """Return the convex hull of points on the ground, anticlockwise, (k, 2) [m].

    Points that lie on an edge are left out.

    Args:
        points: Contact points seen from above [m], shape (n, 2).

    Example:
        >>> from gelenk.geometry import support_polygon
        >>> print(support_polygon([[0, 0], [1, 0], [0.2, 0.2], [0, 1]]))
        [[0. 0.]
         [1. 0.]
         [0. 1.]]
    """
    given = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 2)
    corners = np.empty(2 * len(given) + 2, dtype=np.int64)
    return given[corners[: _wrap(given, corners)]]


def support_margin(points: ArrayLike, point: ArrayLike) -> float:
    """Return how far a point lies inside the hull of others [m], negative outside.

    Args:
        points: Contact points seen from above, in any order [m], (n, 2). The hull of
            fewer than three is a line or a point, in which nothing lies; without any
            the margin is minus infinity.
        point: Point to be tested, such as the centre of mass [m], shape (2,).

    Example:
        >>> from gelenk.geometry import support_margin
        >>> feet = [[0.0, 0.0], [0.4, 0.0], [0.4, 0.2], [0.0, 0.2]]
        >>> round(support_margin(feet, [0.2, 0.05]), 6)
        0.05
    """
    given = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 2)
    x, y = np.asarray(point, dtype=np.float64).tolist()
    return float(_margin(given, x, y))


@kernel
def _wrap(points: FloatArray, corners: IntArray) -> int:
    """Write the indices of the hull's corners, anticlockwise; return their number.

    Andrew's monotone chain: below from left to right, above from right to left.
    """
    order = _sorted(points)
    count = order.shape[0]
    found = 0
    for sweep in range(2):
        start = found
        for step in range(count):
            i = order[step] if sweep == 0 else order[count - 1 - step]
            while found >= start + 2 and not _turns_left(
                points, int(corners[found - 2]), int(corners[found - 1]), int(i)
            ):
                found -= 1
            corners[found] = i
            found += 1
        if count > 1:
            found -= 1  # the last point begins the other sweep
    return found if count > 1 else count


@kernel
def _sorted(points: FloatArray) -> IntArray:
    """Return indices by x, then y, without points that others lie on."""
    order = np.empty(points.shape[0], dtype=np.int64)
    count = 0
    for i in range(points.shape[0]):
        is_new = True
        for k in range(count):
            j = order[k]
            if (
                abs(points[i, 0] - points[j, 0]) < SAME
                and abs(points[i, 1] - points[j, 1]) < SAME
            ):
                is_new = False
        if not is_new:
            continue
        place = count
        while place > 0 and (
            points[order[place - 1], 0] > points[i, 0]
            or (
                points[order[place - 1], 0] == points[i, 0]
                and points[order[place - 1], 1] > points[i, 1]
            )
        ):
            order[place] = order[place - 1]
            place -= 1
        order[place] = i
        count += 1
    return order[:count]


@kernel
def _turns_left(points: FloatArray, a: int, b: int, c: int) -> bool:
    one = (points[b, 0] - points[a, 0]) * (points[c, 1] - points[a, 1])
    return one > (points[b, 1] - points[a, 1]) * (points[c, 0] - points[a, 0])


@kernel
def _margin(points: FloatArray, x: float, y: float) -> float:
    """Return the signed distance from (x, y) to the edge of the hull."""
    corners = np.empty(2 * points.shape[0] + 2, dtype=np.int64)
    count = _wrap(points, corners)
    inside, nearest = np.inf, np.inf
    for k in range(count):
        a, b = points[corners[k]], points[corners[(k + 1) % count]]
        ex, ey = b[0] - a[0], b[1] - a[1]
        px, py = x - a[0], y - a[1]
        length = np.sqrt(ex * ex + ey * ey)
        along = 0.0
        if length > 0.0:
            inside = min(inside, (ex * py - ey * px) / length)
            along = min(max((ex * px + ey * py) / (length * length), 0.0), 1.0)
        nearest = min(nearest, np.hypot(px - along * ex, py - along * ey))
    return inside if count >= 3 and inside >= 0.0 else -nearest
