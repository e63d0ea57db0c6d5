"""Ordering of chessboard corners after Kastner 2014 (4.17 - 4.29) and Wang 2005.

Kept as it is printed, with the errata: total least squares instead of a slope, lines
and vanishing points in homogeneous coordinates, rows sorted by their distance to the
vanishing point of the columns. `lattice` is the method to use: this one needs a board
that is roughly upright and hardly any false corners.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.typing import BoolArray, FloatArray, IntArray

_INFINITY = 1e-6  # weight of a unit homogeneous vector: beyond 1e6 px it is a direction


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pencils:
    """Two families of lines and where they meet.

    Attributes:
        v1, v2: Vanishing points of columns and rows, homogeneous of length 1, (3,).
        columns: Corners on each line through v1, shape (lines, n).
        rows: Corners on each line through v2, shape (lines, n).
    """

    v1: FloatArray
    v2: FloatArray
    columns: BoolArray
    rows: BoolArray


def weighted_centroid(xy: FloatArray, response: FloatArray) -> FloatArray:
    """Return the middle of corners weighted with their responses (4.17), shape (2,)."""
    return (response[:, None] * xy).sum(axis=0) / response.sum()


def four_nearest(xy: FloatArray, centre: FloatArray) -> IntArray:
    """Return the four corners nearest to a point, in cyclic order, shape (4,)."""
    distance = ((xy - centre) ** 2).sum(axis=1)
    nearest = np.argsort(distance, kind="stable")[:4]
    away = xy[nearest] - xy[nearest].mean(axis=0)
    return nearest[np.argsort(np.arctan2(away[:, 1], away[:, 0]), kind="stable")]


def point_line_distance(p: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the distance of points (..., 2) from the line through a and b (4.18)."""
    along, toward = b - a, p - a
    cross = along[0] * toward[..., 1] - along[1] * toward[..., 0]
    return np.abs(cross) / math.hypot(along[0], along[1])


def line_through(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the line (nx, ny, c) with n of length 1 through homogeneous points."""
    line = np.cross(a, b)
    return line / math.hypot(line[0], line[1])


def fit_line(points: FloatArray) -> FloatArray:
    """Return the line (nx, ny, c) of least squared distances (4.19 - 4.23), shape (3,).

    Example:
        >>> upright = fit_line(np.array([[2.0, 0.0], [2.0, 1.0], [2.0, 5.0]]))
        >>> print(np.abs(upright).round(9))
        [1. 0. 2.]
    """
    middle = points.mean(axis=0)
    x, y = (points - middle).T
    # Direction of largest spread: no slope, so vertical lines are nothing special.
    angle = 0.5 * math.atan2(2.0 * (x * y).sum(), (x * x).sum() - (y * y).sum())
    normal = np.array([-math.sin(angle), math.cos(angle)])
    return np.array([normal[0], normal[1], -normal @ middle])


def line_distances(line: FloatArray, xy: FloatArray) -> FloatArray:
    """Return the distance of points (n, 2) from a line, shape (n,)."""
    return np.abs(xy @ line[:2] + line[2])


def vanishing_point(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return where two lines meet, homogeneous of length 1; maybe at infinity."""
    point = np.cross(a, b)
    length = np.linalg.norm(point)
    if length == 0.0:  # one line twice
        return np.array([-a[1], a[0], 0.0])
    point = point / length
    return -point if point[2] < 0.0 else point


def is_at_infinity(v: FloatArray) -> bool:
    """Return whether a vanishing point is only a direction."""
    return bool(abs(v[2]) < _INFINITY)


def line_family(
    xy: FloatArray, base: FloatArray, v: FloatArray, line_distance: float
) -> BoolArray:
    """Return which corners lie on the lines from v to those near a base line (4.24).

    Args:
        xy: Corners [px], shape (n, 2).
        base: Line that crosses the family, shape (3,).
        v: Vanishing point of the family, shape (3,).
        line_distance: Largest distance of a corner from its line [px].

    Returns:
        Shape (lines, n).
    """
    near = np.nonzero(line_distances(base, xy) <= line_distance)[0]
    lines = [line_through(np.array([*xy[k], 1.0]), v) for k in near]
    return np.array(
        [line_distances(line, xy) <= line_distance for line in lines], dtype=bool
    ).reshape(len(lines), len(xy))


def pencils(
    xy: FloatArray, response: FloatArray, line_distance: float
) -> Pencils | None:
    """Return the two families of lines around the middle tile, or None.

    Args:
        xy: Corners [px], shape (n, 2), n >= 4.
        response: Responses of the corners, shape (n,).
        line_distance: Largest distance of a corner from its line [px].
    """
    corners = xy[four_nearest(xy, weighted_centroid(xy, response))]
    lines: list[FloatArray] = []
    for k in range(4):
        a, b = corners[k], corners[(k + 1) % 4]
        members = point_line_distance(xy, a, b) <= line_distance
        lines.append(fit_line(xy[members]))
    one, other = (lines[0], lines[2]), (lines[1], lines[3])
    # A row's normal points up or down.
    steepness = [sum(abs(line[1]) for line in pair) for pair in (one, other)]
    across, down = (one, other) if steepness[0] > steepness[1] else (other, one)
    v1, v2 = vanishing_point(*down), vanishing_point(*across)
    columns = line_family(xy, _farther(across, v1), v1, line_distance)
    rows = line_family(xy, _farther(down, v2), v2, line_distance)
    if not (len(columns) and len(rows)):
        return None
    return Pencils(v1=v1, v2=v2, columns=columns, rows=rows)


def _farther(pair: tuple[FloatArray, FloatArray], v: FloatArray) -> FloatArray:
    """Return the line farther from v; any of them if v is at infinity."""
    return max(pair, key=lambda line: abs(line @ v))


def capped_mean(family: BoolArray, cap: int) -> float:
    """Return the mean number of corners per line, at most `cap` (4.25, 4.26)."""
    return min(float(family.sum(axis=1).mean()), float(cap))


def members(family: BoolArray, other: BoolArray, mean: float) -> BoolArray:
    """Return the union of lines that share `mean` corners with `other` (4.27, 4.28).

    Args:
        family: Corners on each line, shape (lines, n).
        other: The other family, shape (lines, n).
        mean: Corners that a line must have in lines of the other family.
    """
    common = (family & other.any(axis=0)).sum(axis=1)
    return np.logical_or.reduce(family[common >= mean], axis=0)


def board_corners(
    xy: FloatArray, response: FloatArray, *, rows: int, cols: int, line_distance: float
) -> BoolArray | None:
    """Return which corners belong to the board: S = S1 and S2 (4.29), shape (n,).

    None if there are fewer corners than the board has, or no lines.
    """
    if len(xy) < rows * cols:
        return None
    found = pencils(xy, response, line_distance)
    if found is None:
        return None
    s1 = members(found.columns, found.rows, capped_mean(found.columns, rows))
    s2 = members(found.rows, found.columns, capped_mean(found.rows, cols))
    return s1 & s2


def order_printed(
    xy: FloatArray, response: FloatArray, *, rows: int, cols: int, line_distance: float
) -> IntArray | None:
    """Return the numbers of the board's corners, row by row from the top left.

    Args:
        xy: Corners [px], shape (n, 2).
        response: Responses of the corners, shape (n,).
        rows: Corners one below the other.
        cols: Corners side by side.
        line_distance: Largest distance of a corner from its line [px].

    Returns:
        Shape (rows cols,); None if the corners do not make exactly one board.
    """
    is_board = board_corners(
        xy, response, rows=rows, cols=cols, line_distance=line_distance
    )
    if is_board is None or int(is_board.sum()) != rows * cols:
        return None
    kept = np.nonzero(is_board)[0]
    points = xy[kept]
    found = pencils(points, response[kept], line_distance)
    if found is None:
        return None
    lines = np.unique(found.rows, axis=0)
    if lines.shape[0] != rows or (lines.sum(axis=1) != cols).any():
        return None
    if (lines.sum(axis=0) != 1).any():
        return None
    down = _along(points, found.v1, axis=1)
    right = _along(points, found.v2, axis=0)
    order = sorted(
        (np.nonzero(line)[0] for line in lines), key=lambda m: down[m].mean()
    )
    return np.concatenate([kept[m[np.argsort(right[m])]] for m in order])


def _along(points: FloatArray, v: FloatArray, axis: int) -> FloatArray:
    """Return a number that grows with the image axis, along lines through v, (n,)."""
    if is_at_infinity(v):
        direction = v[:2] if v[axis] >= 0.0 else -v[:2]
        return points @ direction
    place = v[:2] / v[2]
    distance = np.linalg.norm(points - place, axis=1)
    return distance if place[axis] < points[:, axis].mean() else -distance
