"""Images as matrices: kinds, levels, luma, and hue, saturation and intensity.

An image f has M rows and N columns, one matrix if gray, three in colour. x runs down
the rows and y to the right along the columns, as in the course; camera pixels (u, v) of
`gelenk.vision.camera` are (y, x).

    cos H = (2R - G - B) / (2 sqrt((R - G)^2 + (R - B)(G - B))),  2 pi - H if B > G
    S = 1 - 3 min(R, G, B) / (R + G + B)
    I = (R + G + B) / 3

Gray has no hue and black no saturation: both are given as 0. The course calls this HSV
(E-25); there V is the greatest of the three, here I is their mean, and the cosine alone
does not tell H from 2 pi - H.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, BoolArray, FloatArray


class ImageKind(StrEnum):
    """Kind of image that an array is."""

    BINARY = "binary"
    """Two values, bool, (rows, columns)."""
    GRAY = "gray"
    """Levels, (rows, columns)."""
    COLOR = "color"
    """Red, green and blue, (rows, columns, 3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageFormat:
    """A format of television or film.

    Attributes:
        name: Common name of the format.
        columns: N, pixels of a row.
        rows: M, rows of an image.
        is_interlaced: Whether a field has every other row only.
        rate: Fields (interlaced) or images per second [1/s].
    """

    name: str
    columns: int
    rows: int
    is_interlaced: bool
    rate: float

    @property
    def shape(self) -> tuple[int, int]:
        """Shape of its gray images: (rows, columns)."""
        return self.rows, self.columns

    @property
    def pixel_rate(self) -> float:
        """Pixels that arrive per second [1/s].

        Example:
            >>> FORMATS[0].pixel_rate
            11059200.0
        """
        share = 0.5 if self.is_interlaced else 1.0
        return share * self.rows * self.columns * self.rate


FORMATS = (
    ImageFormat(name="PAL", columns=768, rows=576, is_interlaced=True, rate=50.0),
    ImageFormat(name="NTSC", columns=640, rows=480, is_interlaced=True, rate=60.0),
    ImageFormat(name="HD", columns=1280, rows=720, is_interlaced=False, rate=50.0),
    ImageFormat(name="Full HD", columns=1920, rows=1080, is_interlaced=True, rate=50.0),
)


def image_kind(image: Any) -> ImageKind:
    """Return what an array is as an image.

    Raises:
        ShapeError: If it is none.

    Example:
        >>> image_kind(np.zeros((480, 640, 3)))
        <ImageKind.COLOR: 'color'>
    """
    pixels = np.asarray(image)
    if pixels.ndim == 3 and pixels.shape[2] == 3:
        return ImageKind.COLOR
    if pixels.ndim != 2:
        expected = "(rows, columns) or (rows, columns, 3)"
        raise ShapeError("image", expected=expected, actual=pixels.shape)
    return ImageKind.BINARY if pixels.dtype == np.bool_ else ImageKind.GRAY


def number_of_colors(bits: int, channels: int = 3) -> int:
    """Return how many colours a pixel can have, (2^bits)^channels.

    Example:
        >>> number_of_colors(8)
        16777216
    """
    return (1 << bits) ** channels


def quantized(brightness: ArrayLike, *, full: float, bits: int = 8) -> NDArray[Any]:
    """Return the levels an A/D converter makes of brightness.

    Args:
        brightness: Light on each cell, shape (...).
        full: Brightness of the highest level; more saturates.
        bits: Bits of the converter, 1 to 16; up to 8 the levels are uint8, else uint16.

    Example:
        >>> print(quantized([0.0, 0.5, 2.0], full=1.0))
        [  0 128 255]
    """
    if not (1 <= bits <= 16 and full > 0.0):
        raise ConfigError(f"`bits` must be 1 to 16 and `full` > 0: {bits}, {full}")
    top = (1 << bits) - 1
    share = np.clip(as_finite("brightness", brightness, ()) / full, 0.0, 1.0)
    return np.floor(share * top + 0.5).astype(np.uint8 if bits <= 8 else np.uint16)


def photo_cell(brightness: ArrayLike, *, threshold: float) -> bool:
    """Return whether a single cell that sees all of an image reports light."""
    return bool(as_finite("brightness", brightness, ()).mean() >= threshold)


def line_camera(brightness: ArrayLike, row: int) -> FloatArray:
    """Return what a line of cells sees at one moment: one row, shape (columns,)."""
    return as_finite("brightness", brightness, ())[row].copy()


def interlaced_fields(image: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return even and odd rows of an image, as television sends them in turn."""
    pixels = np.asarray(image)
    return pixels[0::2], pixels[1::2]


def as_binary(image: Any) -> BoolArray:
    """Return a matrix as bool: what is not 0 belongs to objects, (rows, columns).

    Raises:
        ShapeError: If it is not a matrix.
    """
    pixels = np.asarray(image)
    if pixels.ndim != 2:
        raise ShapeError("image", expected="(rows, columns)", actual=pixels.shape)
    return np.asarray(pixels != 0)


def as_levels(name: str, image: ArrayLike) -> FloatArray:
    """Return a gray image as finite float64, shape (rows, columns).

    Raises:
        ShapeError: If it is not a matrix, or has no pixels.
    """
    levels = as_finite(name, image, ())
    if levels.ndim != 2 or not levels.size:
        raise ShapeError(name, expected="(rows, columns)", actual=levels.shape)
    return levels


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

    Args:
        image: Red, green and blue, uint8, shape (rows, columns, 3).

    Example:
        >>> from gelenk.vision import luma_from_rgb
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


_THIRD = 2.0 * np.pi / 3.0
_GRAY = (
    1e-12  # spread of the channels, relative to their mean, below which hue is noise
)


def hsi_from_rgb(rgb: ArrayLike) -> FloatArray:
    """Return hue [rad, 0 to 2 pi], saturation [0 to 1] and intensity, shape (..., 3).

    Args:
        rgb: Red, green, blue, >= 0, shape (..., 3); the intensity has their unit.

    Raises:
        ConfigError: If a channel is negative.

    Example:
        >>> from gelenk.vision import hsi_from_rgb
        >>> h, s, i = hsi_from_rgb([100, 150, 200])
        >>> round(float(np.degrees(h)), 6), round(float(s), 6), float(i)
        (210.0, 0.333333, 150.0)
    """
    color = as_finite("rgb", rgb, (3,))
    if color.size and color.min() < 0.0:
        raise ConfigError(f"`rgb` must not be negative, got {color.min()}")
    r, g, b = np.moveaxis(color, -1, 0)
    total = r + g + b
    root = np.sqrt(np.maximum((r - g) ** 2 + (r - b) * (g - b), 0.0))
    is_gray = root <= _GRAY * total
    cosine: FloatArray = (2.0 * r - g - b) / np.where(is_gray, 1.0, 2.0 * root)
    angle = np.arccos(np.clip(cosine, -1.0, 1.0))
    hue = np.where(is_gray, 0.0, np.where(b > g, 2.0 * np.pi - angle, angle))
    least = color.min(axis=-1)
    saturation = np.where(
        is_gray, 0.0, 1.0 - 3.0 * least / np.where(total > 0.0, total, 1.0)
    )
    return np.stack([hue, saturation, total / 3.0], axis=-1)


def rgb_from_hsi(hsi: ArrayLike) -> FloatArray:
    """Return red, green, blue, shape (..., 3): the inverse of `hsi_from_rgb`.

    With k = floor(H / 120 deg), h = H - 120 deg k: x = I (1 - S),
    y = I (1 + S cos h / cos(60 deg - h)), z = 3 I - x - y, and (R, G, B) = (y, z, x),
    (x, y, z), (z, x, y) for k = 0, 1, 2.

    Args:
        hsi: Hue [rad, any], saturation and intensity, shape (..., 3).

    Example:
        >>> print(rgb_from_hsi([np.radians(210.0), 1 / 3, 150.0]).round(9))
        [100. 150. 200.]
    """
    color = as_finite("hsi", hsi, (3,))
    hue, s, i = np.moveaxis(color, -1, 0)
    hue = np.mod(hue, 2.0 * np.pi)
    k = np.minimum(np.floor(hue / _THIRD), 2.0).astype(np.int64)
    h = hue - _THIRD * k
    x = i * (1.0 - s)
    y = i * (1.0 + s * np.cos(h) / np.cos(_THIRD / 2.0 - h))
    parts = np.stack([x, y, 3.0 * i - x - y], axis=-1)
    order = np.array([[1, 2, 0], [0, 1, 2], [2, 0, 1]])[k]
    return np.take_along_axis(parts, order, axis=-1)


def hue_distance(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Return the smaller angle between hues [rad], shape (...)."""
    gap = np.asarray(a, dtype=float) - np.asarray(b, dtype=float)
    # Whole turns are rounded off: a remainder takes nearly twice as long.
    return np.abs(gap - 2.0 * np.pi * np.rint(gap / (2.0 * np.pi)))
