"""Where brightness comes from: light that falls in, times the share thrown back.

    f*(x, y) = i(x, y) r(x, y),   0 < r < 1,   a = 1 - r

with the illuminance i, the reflectance r and the absorbed share a. The course gives its
table of lights in candela; what falls on a surface is measured in lux (E-23). Only
quotients matter for the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray
from gelenk.vision.frequency import filter_frequencies, gaussian_response

ILLUMINANCE: Mapping[str, float] = MappingProxyType(
    {"sun": 10_000.0, "clouds": 1_000.0, "workplace": 100.0}
)
"""Light that falls on a surface, as the course's table has it."""

REFLECTANCE: Mapping[str, float] = MappingProxyType(
    {
        "black velvet": 0.01,
        "stainless steel": 0.65,
        "white wall": 0.80,
        "mirror": 0.90,
        "snow": 0.93,
    }
)
"""Share of the light that a surface throws back."""


def brightness(illuminance: ArrayLike, reflectance: ArrayLike) -> FloatArray:
    """Return f* = i r, in the unit of `illuminance`, shape (...).

    Args:
        illuminance: Light that falls in, >= 0, shape (...).
        reflectance: Share thrown back, between 0 and 1, shape (...).

    Raises:
        ConfigError: If a reflectance is not between 0 and 1.

    Example:
        >>> float(brightness(ILLUMINANCE["clouds"], REFLECTANCE["stainless steel"]))
        650.0
    """
    light = as_finite("illuminance", illuminance, ())
    share = as_finite("reflectance", reflectance, ())
    if share.size and not (share.min() > 0.0 and share.max() < 1.0):
        raise ConfigError(
            "`reflectance` must be between 0 and 1, both excluded, got "
            f"{share.min()} to {share.max()}"
        )
    return light * share


def absorptance(reflectance: ArrayLike) -> FloatArray:
    """Return the share of the light that a surface keeps, a = 1 - r, shape (...)."""
    return 1.0 - as_finite("reflectance", reflectance, ())


def split_brightness(
    image: ArrayLike, *, sigma: float
) -> tuple[FloatArray, FloatArray]:
    """Split brightness into slow light and quick reflectance: f = i r.

    Light changes slowly over an image, surfaces change at once: of log f = log i +
    log r the part below the frequencies of a Gaussian is taken for light. What the
    mean reflectance is, no image says: here it is one in the logarithmic mean.

    Args:
        image: Brightness, > 0, shape (rows, columns).
        sigma: Width of the Gaussian that counts as slow [px].

    Returns:
        Light and relative reflectance, shape (rows, columns) each; their product is
        the image.
    """
    f = as_finite("image", image, ())
    if f.ndim != 2 or not f.min() > 0.0:
        raise ConfigError("`image` must be a matrix of positive brightness")
    # Mirrored at its borders an image has no steps there when it is repeated.
    rows, columns = f.shape
    tiled = np.pad(np.log(f), ((0, rows), (0, columns)), mode="symmetric")
    response = gaussian_response(tiled.shape, sigma=sigma)
    slow = filter_frequencies(tiled, response)[:rows, :columns]
    light = np.exp(slow)
    return light, f / light
