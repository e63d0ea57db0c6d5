"""Images as matrices: f has M rows and N columns, mono one matrix, colour three.

What a chip delivers differs: one cell says bright or dark, a line of cells one row, a
matrix of cells a gray image, three matrices a colour image. x runs down the rows and y
to the right along the columns, as in the course; camera pixels (u, v) of
`gelenk.vision.camera` are (y, x).
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
    """What an array is as an image."""

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
        name: As people call it.
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
        bits: Of the converter, 1 to 16; up to 8 the levels are uint8, else uint16.

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
