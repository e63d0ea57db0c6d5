"""The constant part of a detector's error: measured against known corners, removed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_array
from gelenk.errors import ShapeError
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CornerBias:
    """How corners are off.

    Attributes:
        mean: Detected less true position [px], shape (2,): half a pixel in both where
            detector and projection count from other points of a pixel.
        sigma: Standard deviation about it [px], shape (2,).
        count: Corners it was measured with.
    """

    mean: FloatArray
    sigma: FloatArray
    count: int

    def removed_from(self, xy: ArrayLike) -> FloatArray:
        """Return detected corners (..., 2) without the constant part [px]."""
        return as_array("xy", xy, (2,)) - self.mean


def measure_bias(detected: ArrayLike, true: ArrayLike) -> CornerBias:
    """Return the constant part of the error of detected corners.

    Args:
        detected: Corners [px], shape (..., 2).
        true: Where they are [px], same shape.

    Example:
        >>> bias = measure_bias([[1.4, 2.5], [3.6, 4.5]], [[1.0, 2.0], [3.0, 4.0]])
        >>> print(bias.mean, bias.sigma.round(9))
        [0.5 0.5] [0.1 0. ]
    """
    seen, known = as_array("detected", detected, (2,)), as_array("true", true, (2,))
    if seen.shape != known.shape or seen.size < 4:
        raise ShapeError(
            "true",
            expected=f"{seen.shape} with two corners at least",
            actual=known.shape,
        )
    errors = (seen - known).reshape(-1, 2)
    return CornerBias(
        mean=errors.mean(axis=0), sigma=np.std(errors, axis=0), count=len(errors)
    )
