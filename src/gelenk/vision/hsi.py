"""Colour as hue, saturation and intensity (HSI).

    cos H = (2R - G - B) / (2 sqrt((R - G)^2 + (R - B)(G - B))),  2 pi - H if B > G
    S = 1 - 3 min(R, G, B) / (R + G + B)
    I = (R + G + B) / 3

Gray has no hue and black no saturation: both are given as 0. The course calls this HSV
(E-25); there V is the greatest of the three, here I is their mean, and the cosine alone
does not tell H from 2 pi - H.
"""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

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
    cosine = (2.0 * r - g - b) / np.where(is_gray, 1.0, 2.0 * root)
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
    """Return the angle between hues the shorter way round [rad], shape (...)."""
    gap = np.asarray(a, dtype=float) - np.asarray(b, dtype=float)
    # Whole turns are rounded off: a remainder takes nearly twice as long.
    return np.abs(gap - 2.0 * np.pi * np.rint(gap / (2.0 * np.pi)))
