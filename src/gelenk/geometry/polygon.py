"""Simple polygons in the plane: area, tests, and the cut into convex pieces.

A polygon is an array of corners, shape (n, 2), n >= 3; the last corner is joined to the
first. It is simple if its edges meet only in shared corners. Functions that return
polygons return them anticlockwise.
"""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, BoolArray, FloatArray

# Corners whose triangle is flatter than this share of its longest edge squared lie on
# a straight line: far above rounding, far below what anybody draws.
FLATNESS = 1e-12


def signed_area(corners: ArrayLike) -> float:
    """Return the area inside a polygon, negative if its corners run clockwise.

    Args:
        corners: Corners of the polygon [m], shape (n, 2).

    Example:
        >>> from gelenk.geometry import signed_area
        >>> signed_area([[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]])
        2.0
    """
    points = as_polygon("corners", corners)
    x, y = (points - points[0]).T  # near the origin: less cancellation
    return 0.5 * float(x @ np.roll(y, -1) - np.roll(x, -1) @ y)


def as_polygon(name: str, corners: ArrayLike) -> FloatArray:
    """Return corners as finite float64 of shape (n, 2).

    Raises:
        ShapeError: If the last axis is not 2.
        ConfigError: If there are fewer than three corners, or a number is not finite.
    """
    points = as_finite(name, corners, (2,)).reshape(-1, 2)
    if len(points) < 3:
        raise ConfigError(f"`{name}` needs at least 3 corners, got {len(points)}")
    return points


def find_crossing(corners: ArrayLike) -> tuple[int, int] | None:
    """Return two edges that meet where they should not, or None if there are none.

    Edge i runs from corner i to the next. Edges without a shared corner must not touch;
    neighbours must not lie on each other. A repeated corner counts as a crossing.

    Args:
        corners: Corners of the polygon, shape (n, 2).

    Example:
        >>> from gelenk.geometry import find_crossing
        >>> find_crossing([[0, 0], [1, 1], [1, 0], [0, 1]])  # a bow tie
        (0, 2)
    """
    points = as_polygon("corners", corners)
    n = len(points)
    ends = np.roll(points, -1, axis=0)
    for i in range(n):
        if np.array_equal(points[i], ends[i]):
            return i, (i + 1) % n
    for i in range(n):
        for j in range(i + 1, n):
            a, b, c, d = points[i], ends[i], points[j], ends[j]
            if j == i + 1:
                is_bad = _folds_back(a, b, d)
            elif i == 0 and j == n - 1:
                is_bad = _folds_back(c, d, b)
            else:
                is_bad = _segments_meet(a, b, c, d)
            if is_bad:
                return i, j
    return None


def contains(corners: ArrayLike, points: ArrayLike) -> BoolArray:
    """Return whether points lie inside a simple polygon, shape (...), bool.

    Counts the edges that a ray towards +x crosses. Points on the boundary belong to
    either side.

    Args:
        corners: Corners of the polygon, shape (n, 2).
        points: Points to be tested, shape (..., 2).

    Example:
        >>> from gelenk.geometry import contains
        >>> square = [[0, 0], [1, 0], [1, 1], [0, 1]]
        >>> print(contains(square, [[0.5, 0.5], [1.5, 0.5]]))
        [ True False]
    """
    a = as_polygon("corners", corners)
    b = np.roll(a, -1, axis=0)
    x, y = np.moveaxis(as_finite("points", points, (2,))[..., None, :], -1, 0)
    is_between = (a[:, 1] > y) != (b[:, 1] > y)
    rise = np.where(b[:, 1] == a[:, 1], 1.0, b[:, 1] - a[:, 1])
    x_edge = a[:, 0] + (y - a[:, 1]) / rise * (b[:, 0] - a[:, 0])
    return np.sum(is_between & (x < x_edge), axis=-1) % 2 == 1


def is_convex(corners: ArrayLike) -> bool:
    """Return whether a simple polygon has no corner that points inwards.

    Args:
        corners: Corners of the polygon, shape (n, 2).

    Example:
        >>> from gelenk.geometry import is_convex
        >>> is_convex([[0, 0], [2, 0], [2, 2], [1, 0.5]])
        False
    """
    points = _anticlockwise(as_polygon("corners", corners))
    return all(
        _turn(points[i - 2], points[i - 1], points[i]) >= 0.0
        for i in range(len(points))
    )


def convex_pieces(corners: ArrayLike) -> list[FloatArray]:
    """Cut a simple polygon into few convex ones.

    Ears are clipped, the best-shaped first, and the triangles joined again wherever
    the union stays convex (Hertel and Mehlhorn 1983: at most four times the smallest
    possible number of pieces).

    Args:
        corners: Corners of the polygon, shape (n, 2).

    Returns:
        Convex polygons, anticlockwise, each of shape (k, 2), that share edges only.

    Raises:
        ConfigError: If edges cross or touch, or the polygon has no area.

    Example:
        >>> from gelenk.geometry import convex_pieces
        >>> bracket = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]
        >>> [len(piece) for piece in convex_pieces(bracket)]
        [4, 4]
    """
    points = as_polygon("corners", corners)
    crossing = find_crossing(points)
    if crossing is not None:
        i, j = (int(k) for k in crossing)
        raise ConfigError(
            f"`corners` must be a polygon without crossing edges, but edge {i} (from "
            f"{points[i].tolist()}) and edge {j} (from {points[j].tolist()}) meet"
        )
    points = _anticlockwise(_without_straight_corners(points))
    if len(points) < 3:
        raise ConfigError("`corners` lie on a straight line: the polygon has no area")
    pieces = _merged(points, _clip_ears(points))
    return [points[piece] for piece in pieces]


def _clip_ears(points: FloatArray) -> list[list[int]]:
    """Return triangles of corner indices that tile an anticlockwise polygon."""
    rest = list(range(len(points)))
    triangles: list[list[int]] = []
    while len(rest) > 3:
        ears = [(_ear_quality(points, rest, k), k) for k in range(len(rest))]
        quality, k = max(ears)
        if quality <= 0.0:  # cannot happen for a simple polygon (two ears theorem)
            raise ConfigError("`corners` are too close together to be cut")
        triangles.append([rest[k - 1], rest[k], rest[(k + 1) % len(rest)]])
        del rest[k]
    return [*triangles, rest]


def _ear_quality(points: FloatArray, rest: list[int], k: int) -> float:
    """Return how well shaped the triangle at corner k is; 0 if it is no ear."""
    a, b, c = rest[k - 1], rest[k], rest[(k + 1) % len(rest)]
    area = _turn(points[a], points[b], points[c])
    if area <= 0.0:
        return 0.0
    for i in rest:
        if i not in (a, b, c) and _is_in_triangle(
            points[i], points[a], points[b], points[c]
        ):
            return 0.0
    edges = points[[b, c, a]] - points[[a, b, c]]
    return area / float((edges * edges).sum())


def _merged(points: FloatArray, pieces: list[list[int]]) -> list[list[int]]:
    """Join neighbouring pieces while the union is convex."""
    pieces = [list(piece) for piece in pieces]
    owner = {edge: piece for piece in pieces for edge in _edges(piece)}
    for a, b in list(owner):
        one, other = owner.get((a, b)), owner.get((b, a))
        if one is None or other is None or one is other:
            continue
        i, j = one.index(b), other.index(a)
        union = one[i:] + one[:i]  # from b round to a, over the outer edges
        union += (other[j:] + other[:j])[1:-1]  # from a round to b, ends left out
        at_a, at_b = union.index(a), union.index(b)
        if all(
            _is_left_or_straight(
                *points[np.take(union, (k - 1, k, k + 1), mode="wrap")]
            )
            for k in (at_a, at_b)
        ):
            del owner[a, b], owner[b, a]
            pieces = [p for p in pieces if p is not one and p is not other]
            pieces.append(union)
            owner.update(dict.fromkeys(_edges(union), union))
    return pieces


def _edges(piece: list[int]) -> list[tuple[int, int]]:
    return list(zip(piece, piece[1:] + piece[:1], strict=True))


def _without_straight_corners(points: FloatArray) -> FloatArray:
    kept = [
        k
        for k in range(len(points))
        if _is_bent(points[k - 1], points[k], points[(k + 1) % len(points)])
    ]
    return points[kept]


def _is_bent(a: FloatArray, b: FloatArray, c: FloatArray) -> bool:
    longest = max(float((b - a) @ (b - a)), float((c - b) @ (c - b)))
    return abs(_turn(a, b, c)) > FLATNESS * longest


def _is_left_or_straight(a: FloatArray, b: FloatArray, c: FloatArray) -> bool:
    return _turn(a, b, c) > 0.0 or not _is_bent(a, b, c)


def _anticlockwise(points: FloatArray) -> FloatArray:
    if len(points) < 3 or signed_area(points) >= 0.0:
        return points
    return points[::-1]


def _turn(a: FloatArray, b: FloatArray, c: FloatArray) -> float:
    """Return twice the area of the triangle, positive for a turn to the left at b."""
    return float((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]))


def _is_in_triangle(p: FloatArray, a: FloatArray, b: FloatArray, c: FloatArray) -> bool:
    """Return whether p lies in an anticlockwise triangle, boundary included."""
    return _turn(a, b, p) >= 0.0 and _turn(b, c, p) >= 0.0 and _turn(c, a, p) >= 0.0


def _folds_back(a: FloatArray, b: FloatArray, c: FloatArray) -> bool:
    """Return whether the edges a-b and b-c lie on each other."""
    return not _is_bent(a, b, c) and float((b - a) @ (c - b)) < 0.0


def _segments_meet(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> bool:
    """Return whether the segments a-b and c-d have a point in common."""
    if (np.maximum(a, b) < np.minimum(c, d)).any():
        return False
    if (np.maximum(c, d) < np.minimum(a, b)).any():
        return False
    sides_ab = _turn(a, b, c), _turn(a, b, d)
    sides_cd = _turn(c, d, a), _turn(c, d, b)
    return min(sides_ab) <= 0.0 <= max(sides_ab) and (
        min(sides_cd) <= 0.0 <= max(sides_cd)
    )
