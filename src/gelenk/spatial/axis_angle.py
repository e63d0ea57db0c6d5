"""Rotations as an axis and an angle; the matrix of a pair is `so3.rotation_about`.

Every rotation but two kinds has one axis and one angle in (0, pi). The identity has
every axis: it is given z. A half turn has two opposite axes: it is given the one whose
first component that is not zero is positive. Damken 2023, appendix B.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gelenk.checks import as_array
from gelenk.spatial import quaternion
from gelenk.spatial.vectors import E_Z, normalize
from gelenk.typing import ArrayLike, FloatArray


class AxisAngle(NamedTuple):
    """A rotation by `angle` about `axis`.

    Attributes:
        axis: Unit axes, shape (..., 3).
        angle: Angles [rad] in [0, pi], shape (...).
    """

    axis: FloatArray
    angle: FloatArray


def axis_angle_from_rotvec(rotvec: ArrayLike) -> AxisAngle:
    """Return axis and angle of a rotation vector; its length is the angle, even > pi.

    Args:
        rotvec: Axis times angle [rad], shape (..., 3).
    """
    return AxisAngle(*_direction_and_length(as_array("rotvec", rotvec, (3,))))


def axis_angle_from_matrix(R: ArrayLike) -> AxisAngle:
    """Return axis and angle of a rotation matrix.

    Args:
        R: Rotation matrices, shape (..., 3, 3).

    Example:
        >>> axis, angle = axis_angle_from_matrix(np.diag([-1.0, -1.0, 1.0]))
        >>> print(axis, angle)
        [0. 0. 1.] 3.141592653589793
    """
    return axis_angle_from_quaternion(quaternion.quaternion_from_matrix(R))


def axis_angle_from_quaternion(quat: ArrayLike) -> AxisAngle:
    """Return axis and angle of a quaternion, not zero, shape (..., 4)."""
    quat = quaternion.canonical(quaternion.normalize(quat))
    axis, length = _direction_and_length(quat[..., 1:])
    return AxisAngle(axis, 2.0 * np.arctan2(length, quat[..., 0]))


def rotvec_from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> FloatArray:
    """Return the rotation vector [rad], shape (..., 3).

    Args:
        axis: Axes of any length but zero, shape (..., 3).
        angle: Angles [rad], shape (...).
    """
    return normalize(axis) * as_array("angle", angle, ())[..., None]


def quaternion_from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> FloatArray:
    """Return the unit quaternion (cos(t/2), u sin(t/2)), w >= 0, shape (..., 4).

    Args:
        axis: Axes u of any length but zero, shape (..., 3).
        angle: Angles t [rad], shape (...).

    Example:
        >>> print(quaternion_from_axis_angle([0.0, 0.0, 2.0], np.pi / 2.0))
        [0.70710678 0.         0.         0.70710678]
    """
    return quaternion.exp(rotvec_from_axis_angle(axis, angle))


def _direction_and_length(v: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return unit vectors along `v`, z for zero, and the lengths of `v`."""
    is_zero = ~v.any(axis=-1, keepdims=True)
    direction = normalize(np.where(is_zero, E_Z, v))
    # The projection on the direction is the length, without squaring tiny components.
    return direction, np.vecdot(direction, v)
