"""Operators on the neighbourhood of each pixel: weighted sums, median, anything else.

    g(x, y) = h(f around (x, y)),   for masks   g = sum_k w_k f_k

The mask lies on the image as it is written (correlation, no flip); x runs down, y to
the right. Beyond the border the nearest pixel counts unless another rule is chosen.
Weights sum to one only where a mask shall smooth; those of difference masks sum to
zero (E-24).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, BoolArray, FloatArray
from gelenk.vision.image_types import as_levels

Border = Literal["nearest", "mirror", "wrap", "zero"]

_PAD = {"nearest": "edge", "mirror": "symmetric", "wrap": "wrap", "zero": "constant"}

OUTLIER_MASK = np.array([[-1.0, -1.0, -1.0], [-1.0, 8.0, -1.0], [-1.0, -1.0, -1.0]])
OUTLIER_MASK.setflags(write=False)


def neighborhoods(
    image: ArrayLike, shape: tuple[int, int], *, border: Border = "nearest"
) -> FloatArray:
    """Return a view of the neighbourhood of each pixel.

    Args:
        image: Gray levels, shape (rows, columns).
        shape: Of the neighbourhood, (m, n); the pixel itself is at (m // 2, n // 2).
        border: What counts beyond the border.

    Returns:
        Shape (rows, columns, m, n), read-only.
    """
    f = as_levels("image", image)
    m, n = shape
    if m < 1 or n < 1:
        raise ConfigError(f"a neighbourhood needs at least one pixel, got {shape}")
    if border not in _PAD:
        raise ConfigError(f"`border` must be one of {', '.join(_PAD)}, got {border!r}")
    widths = ((m // 2, m - 1 - m // 2), (n // 2, n - 1 - n // 2))
    padded = np.pad(f, widths, mode=_PAD[border])  # type: ignore[call-overload]
    return np.lib.stride_tricks.sliding_window_view(padded, (m, n))


def apply_operator(
    image: ArrayLike,
    operator: Callable[[FloatArray], FloatArray],
    shape: tuple[int, int] = (3, 3),
    *,
    border: Border = "nearest",
) -> FloatArray:
    """Return g = h(f): any function of the neighbourhood of each pixel.

    Args:
        image: Gray levels, shape (rows, columns).
        operator: Maps neighbourhoods (rows, columns, m, n) to values (rows, columns).
        shape: Of the neighbourhood.
        border: What counts beyond the border.

    Example:
        The pixel below minus the pixel itself: x runs down.

        >>> below = lambda f: f[..., 2, 1] - f[..., 1, 1]
        >>> print(apply_operator([[1.0, 2.0], [4.0, 8.0]], below))
        [[3. 6.]
         [0. 0.]]
    """
    g = np.asarray(operator(neighborhoods(image, shape, border=border)), dtype=float)
    expected = np.shape(image)
    if g.shape != expected:
        raise ShapeError("operator(...)", expected=f"{expected}", actual=g.shape)
    return g


def apply_mask(
    image: ArrayLike, mask: ArrayLike, *, border: Border = "nearest"
) -> FloatArray:
    """Return the weighted sum of neighbours, g = sum_k w_k f_k, (rows, columns).

    Args:
        image: Gray levels, shape (rows, columns).
        mask: Weights, shape (m, n); for an even number the pixel counts as the one
            after the middle.
        border: What counts beyond the border.

    Example:
        >>> dot = np.zeros((5, 5))
        >>> dot[2, 2] = 9.0
        >>> print(apply_mask(dot, OUTLIER_MASK)[1:4, 1:4])
        [[-9. -9. -9.]
         [-9. 72. -9.]
         [-9. -9. -9.]]
    """
    weights = as_finite("mask", mask, ())
    if weights.ndim != 2:
        raise ShapeError("mask", expected="(m, n)", actual=weights.shape)
    shape = (weights.shape[0], weights.shape[1])
    around = neighborhoods(image, shape, border=border)
    g = np.zeros(around.shape[:2])
    for (k, j), weight in np.ndenumerate(weights):  # a pass per weight, no copies
        if weight:
            g += weight * around[:, :, k, j]
    return g


def mean_mask(size: int = 3) -> FloatArray:
    """Return equal weights that sum to one, shape (size, size)."""
    return np.full((size, size), 1.0 / size**2)


def binomial_mask(size: int = 3) -> FloatArray:
    """Return binomial weights that sum to one: a Gaussian in whole numbers.

    Example:
        >>> print(16 * binomial_mask(3))
        [[1. 2. 1.]
         [2. 4. 2.]
         [1. 2. 1.]]
    """
    row = np.ones(1)
    for _ in range(size - 1):
        row = np.convolve(row, [0.5, 0.5])
    return np.outer(row, row)


def smooth_weighted(
    image: ArrayLike, mask: ArrayLike | None = None, *, border: Border = "nearest"
) -> FloatArray:
    """Return an image smoothed by weights that sum to one; by default their mean.

    Raises:
        ConfigError: If the weights do not sum to one: they would change brightness.
    """
    weights = mean_mask() if mask is None else as_finite("mask", mask, ())
    if abs(weights.sum() - 1.0) > 1e-9:
        raise ConfigError(
            f"the weights of a smoothing mask must sum to 1, got {weights.sum()}"
        )
    return apply_mask(image, weights, border=border)


def lone_outliers(image: ArrayLike, threshold: float) -> BoolArray:
    """Return the pixels that differ from all around them, shape (rows, columns).

    With the outlier mask |8 f - sum of the eight| > threshold; next to an outlier the
    mask answers, too, with an eighth: only the greatest of each 3 x 3 counts.

    Args:
        image: Gray levels, shape (rows, columns).
        threshold: Of |g|, eight times the difference that counts [gray levels].
    """
    size = np.abs(apply_mask(image, OUTLIER_MASK))
    top = neighborhoods(size, (3, 3)).max(axis=(-2, -1))
    return np.asarray((size > threshold) & (size >= top))


def median_filter(
    image: ArrayLike, size: int = 3, *, border: Border = "nearest"
) -> FloatArray:
    """Return the median of each neighbourhood of size x size, (rows, columns).

    It removes lone outliers and keeps straight edges where a mean would blur them.

    Example:
        >>> print(median_filter([[0.0, 0.0, 9.0], [0.0, 5.0, 9.0], [0.0, 0.0, 9.0]])[1])
        [0. 0. 9.]
    """
    if size < 1 or size % 2 == 0:
        raise ConfigError(f"`size` must be odd, got {size}")
    return np.median(neighborhoods(image, (size, size), border=border), axis=(-2, -1))


def box_sums(values: ArrayLike, shape: tuple[int, int]) -> FloatArray:
    """Return the sums over all windows of m x n, four additions each, however large.

    Returns:
        Shape (rows - m + 1, columns - n + 1), by the place of the first element.

    Example:
        >>> print(box_sums([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], (2, 2)))
        [[12. 16.]]
    """
    f = as_levels("values", values)
    m, n = shape
    sums = np.zeros((f.shape[0] + 1, f.shape[1] + 1))
    sums[1:, 1:] = f.cumsum(axis=0).cumsum(axis=1)
    return sums[m:, n:] - sums[:-m, n:] - sums[m:, :-n] + sums[:-m, :-n]
