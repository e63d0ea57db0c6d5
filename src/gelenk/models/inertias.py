"""Inertia tensors that no body can have, and the nearest ones that a body can.

A body's tensor is `tr(S) E - S` with the second moments of its mass `S`, which are not
negative. So no principal moment is negative, and none exceeds the sum of the others.
"""

from __future__ import annotations

import numpy as np

from gelenk.typing import ArrayLike, BoolArray, FloatArray

TOL = 1e-9  # [kg m^2] and relative: rounding of printed tensors
_THINNEST = 1e-6  # smallest second moment of a mended tensor, relative to the largest


def is_physical(inertia: ArrayLike, tol: float = TOL) -> BoolArray:
    """Return whether a body can have each tensor, shape (...).

    Args:
        inertia: Inertia tensors about the centre of mass [kg m^2], shape (..., 3, 3).
        tol: Tolerance, absolute [kg m^2] and relative to the largest moment.
    """
    moments = np.linalg.eigvalsh(np.asarray(inertia, dtype=np.float64))
    slack = tol * (1.0 + np.abs(moments).max(axis=-1))
    excess = moments[..., 2] - moments[..., 0] - moments[..., 1]
    return (moments[..., 0] >= -slack) & (excess <= slack)


def physical_inertia(inertia: ArrayLike) -> FloatArray:
    """Return the tensor of a body nearest to each tensor, shape (..., 3, 3).

    Negative second moments are raised to next to nothing; the axes stay.

    Args:
        inertia: Inertia tensors about the centre of mass [kg m^2], shape (..., 3, 3).
    """
    tensor = np.asarray(inertia, dtype=np.float64)
    trace = np.trace(tensor, axis1=-2, axis2=-1)[..., None, None]
    second, axes = np.linalg.eigh(0.5 * trace * np.eye(3) - tensor)
    least = _THINNEST * np.abs(second).max(axis=-1, keepdims=True)
    second = np.maximum(second, least)
    moments = second.sum(axis=-1, keepdims=True) - second
    mended = (axes * moments[..., None, :]) @ axes.swapaxes(-1, -2)
    return 0.5 * (mended + mended.swapaxes(-1, -2))
