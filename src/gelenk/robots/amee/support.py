"""Standing safely: the polygon of what bears, and how far inside the weight lies.

A body at rest does not tip while the vertical through its centre of mass meets the
convex hull of its contact points. The margin is the distance to the nearest edge,
negative outside.
"""

from __future__ import annotations

import numpy as np

from gelenk.core.kernels.compile import kernel
from gelenk.core.typing import ArrayLike, FloatArray


def support_polygon(points: ArrayLike) -> FloatArray:
    """Return the convex hull of points on the ground, anticlockwise, (k, 2) [m].

    Points that lie on an edge are left out.

    Args:
        points: Contact points seen from above [m], (n, 2).
    """
    given = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 2)
    corners = np.empty(len(given) + 1, dtype=np.int64)
    return given[corners[: _wrap(given, corners)]]


def support_margin(points: ArrayLike, point: ArrayLike) -> float:
    """Return how far a point lies inside the hull of others [m], negative outside.

    Args:
        points: Contact points seen from above, in any order [m], (n, 2). The hull of
            fewer than three is a line or a point, in which nothing lies; without any
            the margin is minus infinity.
        point: Whose place is asked for, (2,) [m].
    """
    given = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 2)
    x, y = np.asarray(point, dtype=np.float64).tolist()
    return float(_margin(given, x, y))


@kernel
def _wrap(points, corners):
    """Write the indices of the hull's corners, anticlockwise; return their number.

    Gift wrapping: from each corner to the point that has no other on its right.
    """
    count = points.shape[0]
    if count == 0:
        return 0
    first = 0
    for i in range(1, count):
        if points[i, 0] < points[first, 0] or (
            points[i, 0] == points[first, 0] and points[i, 1] < points[first, 1]
        ):
            first = i
    found, here = 0, first
    while found <= count:
        corners[found] = here
        found += 1
        best, reach = -1, 0.0
        for i in range(count):
            dx, dy = points[i, 0] - points[here, 0], points[i, 1] - points[here, 1]
            far = dx * dx + dy * dy
            if far == 0.0:
                continue
            if best >= 0:
                bx = points[best, 0] - points[here, 0]
                by = points[best, 1] - points[here, 1]
                turn = bx * dy - by * dx
                if turn > 0.0 or (turn == 0.0 and far <= reach):
                    continue
            best, reach = i, far
        if best < 0:  # all points are one
            break
        dx = points[best, 0] - points[first, 0]
        dy = points[best, 1] - points[first, 1]
        if dx == 0.0 and dy == 0.0:
            break
        here = best
    return min(found, count)


@kernel
def _margin(points, x, y):
    """Return the signed distance from (x, y) to the edge of the hull."""
    corners = np.empty(points.shape[0] + 1, dtype=np.int64)
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
