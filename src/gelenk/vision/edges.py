"""Edges by differences of neighbouring pixels, and contours linked from them.

x runs down the rows, y to the right along the columns: p_x answers to horizontal
edges, p_y to vertical ones. Two edge pixels near each other belong to one contour if

    | |grad f| - |grad f~| | <= T   and   |angle - angle~| < A  (modulo 2 pi)

The course writes the first condition for the gradients themselves and the angle as an
arctangent; meant are magnitudes, and atan2 (E-28).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray
from gelenk.vision.filters import Border, apply_mask, neighborhoods
from gelenk.vision.segmentation import shifted_pair

Axis = Literal["x", "y"]


def _mask(rows: list[list[float]]) -> FloatArray:
    mask = np.array(rows)
    mask.setflags(write=False)
    return mask


PREWITT_X = _mask([[-1.0, -1.0, -1.0], [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
SOBEL_X = _mask([[-1.0, -2.0, -1.0], [0.0, 0.0, 0.0], [1.0, 2.0, 1.0]])
ROBERTS_X = _mask([[-1.0, 0.0], [0.0, 1.0]])
ROBERTS_Y = _mask([[0.0, -1.0], [1.0, 0.0]])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Gradient:
    """Change of brightness at each pixel [gray levels times the mask's weight].

    Attributes:
        x: Derivative down the rows, shape (rows, columns).
        y: Derivative to the right along the columns, shape (rows, columns).
    """

    x: FloatArray
    y: FloatArray

    @property
    def magnitude(self) -> FloatArray:
        """M = sqrt(p_x^2 + p_y^2), shape (rows, columns)."""
        return np.hypot(self.x, self.y)

    @property
    def angle(self) -> FloatArray:
        """Towards the bright side, atan2(p_y, p_x) [rad], 0: down the rows."""
        return np.arctan2(self.y, self.x)


def forward_difference(image: ArrayLike, axis: Axis) -> FloatArray:
    """Return f(x + 1) - f(x), shape (rows, columns); 0 in the last row or column.

    Example:
        >>> print(forward_difference([[0.0, 1.0, 4.0]], "y"))
        [[1. 3. 0.]]
    """
    return apply_mask(image, _along([0.0, -1.0, 1.0], axis))


def central_difference(image: ArrayLike, axis: Axis) -> FloatArray:
    """Return (f(x + 1) - f(x - 1)) / 2, shape (rows, columns).

    It belongs to the pixel itself, a forward difference to half a pixel further on.

    Example:
        >>> print(central_difference([[0.0, 1.0, 4.0, 9.0]], "y")[:, 1:3])
        [[2. 4.]]
    """
    return apply_mask(image, _along([-0.5, 0.0, 0.5], axis))


def prewitt(image: ArrayLike, *, border: Border = "nearest") -> Gradient:
    """Return p_x = [-1 -1 -1; 0 0 0; 1 1 1] and p_y, its transpose: 6 times the slope.

    Example:
        >>> step = np.tile([0.0, 0.0, 100.0, 100.0], (4, 1))
        >>> print(prewitt(step).y[1], prewitt(step).x[1])
        [  0. 300. 300.   0.] [0. 0. 0. 0.]
    """
    return Gradient(
        x=apply_mask(image, PREWITT_X, border=border),
        y=apply_mask(image, PREWITT_X.T, border=border),
    )


def sobel(image: ArrayLike, *, border: Border = "nearest") -> Gradient:
    """Return the slopes by Sobel's masks 1, 2, 1: 8 times the slope of the image.

    Args:
        image: Gray levels, shape (rows, columns).
        border: Rule for pixels beyond the border.

    Example:
        >>> from gelenk.vision import sobel
        >>> step = np.tile([0.0, 0.0, 100.0, 100.0], (4, 1))
        >>> print(sobel(step).y[1])
        [  0. 400. 400.   0.]
    """
    return Gradient(
        x=apply_mask(image, SOBEL_X, border=border),
        y=apply_mask(image, SOBEL_X.T, border=border),
    )


def roberts(image: ArrayLike) -> FloatArray:
    """Return R = |f(x+1, y+1) - f(x, y)| + |f(x+1, y) - f(x, y+1)|, (rows, columns).

    The value at a pixel belongs to the corner below and to the right of it; the last
    row and column are repeated.

    Example:
        >>> print(roberts([[0.0, 0.0], [0.0, 100.0]])[0, 0])
        100.0
    """
    # 2 x 2 masks begin one up and to the left of the pixel: shift them by padding.
    wide = np.zeros((3, 3))
    wide[1:, 1:] = ROBERTS_X
    other = np.zeros((3, 3))
    other[1:, 1:] = ROBERTS_Y
    return np.abs(apply_mask(image, wide)) + np.abs(apply_mask(image, other))


def second_difference(image: ArrayLike, axis: Axis) -> FloatArray:
    """Return f(x + 1) - 2 f(x) + f(x - 1), shape (rows, columns)."""
    return apply_mask(image, _along([1.0, -2.0, 1.0], axis))


def edge_side(image: ArrayLike, axis: Axis, *, threshold: float = 0.0) -> IntArray:
    """Return -1 on the dark side of an edge, +1 on the bright side, 0 elsewhere.

    The second difference is positive at the foot of a ramp, on its dark side, and
    negative at its top; the course has it the other way round (E-26).

    Args:
        image: Gray levels, shape (rows, columns).
        axis: Across the edge.
        threshold: Size of the second difference that counts [gray levels].

    Example:
        >>> print(edge_side([[0.0, 0, 0, 25, 50, 75, 100, 100]], "y"))
        [[ 0  0 -1  0  0  0  1  0]]
    """
    if threshold < 0.0:
        raise ConfigError(f"`threshold` must not be negative, got {threshold}")
    bend = second_difference(image, axis)
    return (-np.sign(bend) * (np.abs(bend) > threshold)).astype(np.int64)


def _along(weights: list[float], axis: Axis) -> FloatArray:
    if axis not in ("x", "y"):
        raise ConfigError(f"`axis` must be 'x' (down) or 'y' (right), got {axis!r}")
    row = np.array([weights])
    return row.T if axis == "x" else row


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contours:
    """Linked edge pixels.

    Attributes:
        labels: Number of the contour, 0 the longest, -1: none; shape (rows, columns).
        count: Number of contours.
    """

    labels: IntArray
    count: int

    def pixels(self, number: int) -> IntArray:
        """Return the pixels (x, y) of one contour, shape (k, 2)."""
        return np.argwhere(self.labels == number)


def edge_candidates(gradient: Gradient, threshold: float) -> BoolArray:
    """Return pixels with steep brightness: the first step, shape (rows, columns)."""
    return np.asarray(gradient.magnitude >= threshold)


def crests(gradient: Gradient, threshold: float) -> BoolArray:
    """Return candidates that no neighbour along the gradient exceeds: thin lines."""
    M = gradient.magnitude
    around = neighborhoods(M, (3, 3))
    turn = np.round(np.arctan2(gradient.y, gradient.x) / (np.pi / 4.0)).astype(int) % 4
    # direction of the gradient, to the nearest 45 degrees: down, down-right, ...
    dx, dy = np.array([1, 1, 0, -1])[turn], np.array([0, 1, 1, 1])[turn]
    i, j = np.indices(M.shape)
    ahead, behind = around[i, j, 1 + dx, 1 + dy], around[i, j, 1 - dx, 1 - dy]
    return np.asarray((threshold <= M) & (ahead <= M) & (behind < M))


def link_edges(
    gradient: Gradient,
    candidates: ArrayLike,
    *,
    max_difference: float,
    max_angle: float,
    reach: int = 1,
) -> Contours:
    """Return contours: edge pixels joined to like ones near them.

    Args:
        gradient: Gradient of the image, (rows, columns).
        candidates: Edge pixels, bool, (rows, columns).
        max_difference: T, of the magnitudes, in their unit.
        max_angle: A, between the directions [rad].
        reach: Largest distance of a neighbour [px], 1: the eight around; more bridges
            gaps.

    Example:
        >>> from gelenk.vision.edges import sobel
        >>> disc = 100.0 * (np.hypot(*np.mgrid[-9:10, -9:10]) < 6.0)
        >>> edges = sobel(disc)
        >>> link_edges(edges, edges.magnitude > 150.0,
        ...            max_difference=200.0, max_angle=1.0).count
        1
    """
    if reach < 1:
        raise ConfigError(f"`reach` must be at least 1 px, got {reach}")
    is_edge = np.asarray(candidates, dtype=bool)
    M, angle = gradient.magnitude, gradient.angle
    number = np.full(is_edge.shape, -1, dtype=np.int64)
    number[is_edge] = np.arange(np.count_nonzero(is_edge))
    pairs = [np.zeros((2, 0), dtype=np.int64)]
    for dx in range(reach + 1):
        for dy in range(-reach, reach + 1):
            if dx > 0 or dy > 0:
                a, b = shifted_pair(is_edge.shape, dx, dy)
                is_like = (
                    is_edge[a]
                    & is_edge[b]
                    & (np.abs(M[a] - M[b]) <= max_difference)
                    & (_turn(angle[a], angle[b]) < max_angle)
                )
                pairs.append(np.stack([number[a][is_like], number[b][is_like]]))
    total = int(is_edge.sum())
    first, second = np.concatenate(pairs, axis=1)
    links = coo_matrix((np.ones(len(first)), (first, second)), shape=(total, total))
    count, owner = connected_components(links, directed=False)
    sizes = np.bincount(owner, minlength=count)
    rank = np.empty(count, dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(count)
    labels = np.full(is_edge.shape, -1, dtype=np.int64)
    labels[is_edge] = rank[owner]
    return Contours(labels=labels, count=int(count))


def _turn(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the angle between directions, 0 to pi [rad]."""
    turn = np.mod(np.abs(a - b), 2.0 * np.pi)
    return np.minimum(turn, 2.0 * np.pi - turn)
