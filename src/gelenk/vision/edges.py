"""Edges: differences of neighbouring pixels, and which side of them is bright.

x runs down the rows, y to the right along the columns: p_x answers to horizontal
edges, p_y to vertical ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray, IntArray
from gelenk.vision.neighborhood import Border, apply_mask

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
    """How brightness changes at each pixel [gray levels times the mask's weight].

    Attributes:
        x: Down the rows, shape (rows, columns).
        y: To the right along the columns, shape (rows, columns).
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
    """Return the same with weights 1, 2, 1: 8 times the slope, less noise at angles.

    Example:
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
