"""Standing safely: the polygon of what bears, and how far inside the weight lies.

A body at rest does not tip while the vertical through its centre of mass meets the
convex hull of its contact points. The margin is the distance to the nearest edge,
negative outside.
"""

from __future__ import annotations

import numpy as np

from gelenk.core.typing import ArrayLike, FloatArray


def support_polygon(points: ArrayLike) -> FloatArray:
    """Return the convex hull of points on the ground, anticlockwise, (k, 2) [m].

    Andrew's monotone chain. Corners that lie on an edge are left out.

    Args:
        points: Contact points seen from above [m], (n, 2).
    """
    found = sorted(set(map(tuple, np.asarray(points, np.float64).tolist())))
    if len(found) < 3:
        return np.array(found, np.float64).reshape(-1, 2)
    lower, upper = _chain(found), _chain(found[::-1])
    return np.array(lower[:-1] + upper[:-1])


def support_margin(polygon: ArrayLike, point: ArrayLike) -> float:
    """Return how far inside a convex polygon a point lies [m], negative outside.

    Args:
        polygon: Corners anticlockwise, (k, 2) [m]; of fewer than three, minus the
            distance to them; of none, minus infinity.
        point: (2,) [m].
    """
    corners = np.asarray(polygon, np.float64)
    p = np.asarray(point, np.float64)
    if len(corners) == 0:
        return -np.inf
    edges = np.roll(corners, -1, axis=0) - corners
    length = np.sqrt((edges**2).sum(axis=1))
    offset = p - corners
    if len(corners) >= 3:
        inside = (edges[:, 0] * offset[:, 1] - edges[:, 1] * offset[:, 0]) / length
        if inside.min() >= 0.0:
            return float(inside.min())
    squared = np.maximum(length, 1e-300) ** 2
    along = np.clip((offset * edges).sum(axis=1) / squared, 0.0, 1.0)
    gap = offset - along[:, None] * edges
    return -float(np.sqrt((gap**2).sum(axis=1)).min())


def _chain(points: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """Return the half of a hull that turns left all the way."""
    chain: list[tuple[float, ...]] = []
    for p in points:
        while len(chain) >= 2 and _turn(chain[-2], chain[-1], p) <= 0.0:
            chain.pop()
        chain.append(p)
    return chain


def _turn(a: tuple[float, ...], b: tuple[float, ...], c: tuple[float, ...]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
