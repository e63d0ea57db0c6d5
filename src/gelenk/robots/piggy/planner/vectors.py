"""Vectors between arrays and the tuples of kernels."""

from __future__ import annotations

from gelenk.checks import as_finite
from gelenk.errors import ShapeError
from gelenk.typing import ArrayLike


def as_tuple(value: ArrayLike, name: str = "vector") -> tuple[float, float, float]:
    """Return one vector as a kernel takes it.

    Raises:
        ShapeError: If it does not have shape (3,).
        ConfigError: If it is not finite.
    """
    v = as_finite(name, value, (3,))
    if v.ndim != 1:
        raise ShapeError(name, expected="(3,)", actual=v.shape)
    return float(v[0]), float(v[1]), float(v[2])
