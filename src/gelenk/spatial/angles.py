"""Plane angles: one representative for every class of angles modulo a full turn."""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_array
from gelenk.typing import ArrayLike, FloatArray

TWO_PI = 2.0 * np.pi  # [rad]


def wrap_angle(angle: ArrayLike) -> FloatArray:
    """Return the angle [rad] in [-pi, pi) that differs from `angle` by whole turns.

    Every step is exact in floating point (`fmod` is, and so is a difference of
    numbers within a factor of two), so angles inside the range come back unchanged,
    down to the smallest.

    Args:
        angle: Angles [rad], any shape.

    Example:
        >>> print(wrap_angle([0.5, np.pi, -3.5 * np.pi]) / np.pi)
        [ 0.15915494 -1.          0.5       ]
    """
    rest = np.fmod(as_array("angle", angle, ()), TWO_PI)
    rest = np.where(rest >= np.pi, rest - TWO_PI, rest)
    return np.where(rest < -np.pi, rest + TWO_PI, rest)


def angle_difference(angle: ArrayLike, reference: ArrayLike) -> FloatArray:
    """Return the short way from `reference` to `angle` [rad], in [-pi, pi).

    Example:
        >>> bool(np.isclose(angle_difference(3.0, -3.0), 6.0 - 2.0 * np.pi))
        True
    """
    reference = as_array("reference", reference, ())
    return wrap_angle(as_array("angle", angle, ()) - reference)
