"""Array types used in signatures."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike as ArrayLike
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]
ByteArray: TypeAlias = NDArray[np.uint8]

# What kernels pass in registers: tuples of floats, matrices row by row.
Vec2: TypeAlias = tuple[float, float]
Vec3: TypeAlias = tuple[float, float, float]
Vec6: TypeAlias = tuple[float, float, float, float, float, float]
Mat3: TypeAlias = tuple[float, float, float, float, float, float, float, float, float]
