"""Checks of data that enters: finite float64 arrays of one shape."""

from __future__ import annotations

import numpy as np

from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, FloatArray


def as_array(name: str, value: ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    """Return `value` as float64 with trailing axes `shape`; leading axes are free.

    Raises:
        ShapeError: If the trailing axes differ.
        ConfigError: If the value is not made of numbers.
    """
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ConfigError(
            f"`{name}` must be made of numbers, got {value!r:.60}"
        ) from error
    if array.ndim < len(shape) or array.shape[array.ndim - len(shape) :] != shape:
        expected = "(" + ", ".join(["...", *map(str, shape)]) + ")"
        raise ShapeError(name, expected=expected, actual=array.shape)
    return array


def as_kernel_array(value: ArrayLike) -> FloatArray:
    """Return `value` as contiguous, writable float64, copied only where it is not.

    A kernel is compiled anew for every memory layout it meets, read-only arrays
    included: seconds that nobody expects in the middle of a run.
    """
    array = np.asarray(value, dtype=np.float64)
    return array if array.flags.carray else np.array(array, order="C")


def as_finite(name: str, value: ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    """Return `value` as `as_array` does, after checking that every entry is finite.

    Raises:
        ShapeError: If the trailing axes differ.
        ConfigError: If an entry is NaN or infinite.
    """
    array = as_array(name, value, shape)
    if not np.isfinite(array).all():
        raise ConfigError(f"`{name}` must be finite, got {array.ravel()[:8].tolist()}")
    return array
