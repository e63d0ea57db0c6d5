"""Brightness of color images: the one channel that corner detection looks at."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gelenk.errors import ConfigError, ShapeError

GrayImage = NDArray[np.uint8]

_RED, _GREEN, _BLUE = 19595, 38470, 7471  # 0.299, 0.587, 0.114 (ITU-R BT.601) in 2^-16


def as_gray(name: str, image: Any) -> GrayImage:
    """Return `image` as contiguous, writable gray levels (rows, columns).

    Raises:
        ShapeError: If it is not a matrix.
        ConfigError: If it does not hold 8 bit gray levels.
    """
    pixels = np.asarray(image)
    if pixels.ndim != 2:
        raise ShapeError(
            name,
            expected="(rows, columns); `luma_from_ycbcr` and `luma_from_rgb` make it",
            actual=pixels.shape,
        )
    if pixels.dtype != np.uint8:
        raise ConfigError(f"`{name}` must be uint8 (0..255), got {pixels.dtype}")
    # A kernel is compiled anew for another memory layout, read-only ones included.
    return pixels if pixels.flags.carray else np.array(pixels, order="C")


def luma_from_ycbcr(image: Any) -> GrayImage:
    """Return the Y channel of a YCbCr image, (rows, columns) from (rows, columns, 3).

    Example:
        >>> print(luma_from_ycbcr(np.full((1, 2, 3), (90, 128, 128), dtype=np.uint8)))
        [[90 90]]
    """
    return np.ascontiguousarray(_as_color(image)[..., 0])


def luma_from_rgb(image: Any) -> GrayImage:
    """Return the brightness of an RGB image, (rows, columns) from (rows, columns, 3).

    Example:
        >>> print(luma_from_rgb(np.full((1, 1, 3), (255, 0, 0), dtype=np.uint8)))
        [[76]]
    """
    rgb = _as_color(image).astype(np.uint32)
    mixed = _RED * rgb[..., 0] + _GREEN * rgb[..., 1] + _BLUE * rgb[..., 2]
    return ((mixed + (1 << 15)) >> 16).astype(np.uint8)


def _as_color(image: Any) -> NDArray[np.uint8]:
    pixels = np.asarray(image)
    if pixels.ndim != 3 or pixels.shape[2] != 3:
        raise ShapeError("image", expected="(rows, columns, 3)", actual=pixels.shape)
    if pixels.dtype != np.uint8:
        raise ConfigError(f"`image` must be uint8 (0..255), got {pixels.dtype}")
    return pixels
