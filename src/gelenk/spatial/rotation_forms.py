"""Rotations as axis and angle, and a table that converts between all representations.

Every form is two functions, to and from the rotation matrix; any pair is connected
through it. Code that knows its forms calls those functions directly; the table is for
files, command lines and pages, where the form is a word. Every rotation has one axis
and one angle in (0, pi), but for two kinds: the identity has every axis and is given z;
a half turn has two opposite axes and is given the one whose first component that is not
zero is positive. Damken 2023, appendix A.6 and appendix B.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from gelenk.checks import as_array
from gelenk.errors import NameNotFoundError
from gelenk.spatial import quaternion, so3
from gelenk.spatial.euler import matrix_from_euler, rpy_from_matrix
from gelenk.spatial.quaternion import matrix_from_quaternion, quaternion_from_matrix
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
        >>> import numpy as np
        >>> from gelenk.spatial import axis_angle_from_matrix
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


@dataclass(frozen=True, slots=True, kw_only=True)
class RotationForm:
    """A way to write a rotation down.

    Attributes:
        shape: Shape of one rotation in this form.
        num_constraints: Number of equations its numbers obey beyond the three freedoms.
        singular_at: Rotations at which the form is not unique or has no rate.
        to_matrix: Conversion to matrices, shape (..., 3, 3).
        from_matrix: Conversion from matrices, shape (..., 3, 3).
    """

    shape: tuple[int, ...]
    num_constraints: int
    singular_at: str
    to_matrix: Callable[[FloatArray], FloatArray]
    from_matrix: Callable[[FloatArray], FloatArray]


def convert_rotation(value: ArrayLike, source: str, target: str) -> FloatArray:
    """Return a rotation in another form.

    Args:
        value: Rotations in form `source`, shape (..., *ROTATION_FORMS[source].shape).
        source: Name of a form in `ROTATION_FORMS`.
        target: Name of a form in `ROTATION_FORMS`.

    Returns:
        The rotations in form `target`.

    Raises:
        NameNotFoundError: If a form has no such name.
        ShapeError: If `value` does not have the shape of its form.

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import convert_rotation
        >>> print(convert_rotation([0.0, 0.0, np.pi / 2.0], "rpy", "quaternion"))
        [0.70710678 0.         0.         0.70710678]
    """
    for name in (source, target):
        if name not in ROTATION_FORMS:
            raise NameNotFoundError("rotation form", name, ROTATION_FORMS)
    form = ROTATION_FORMS[source]
    R = form.to_matrix(as_array("value", value, form.shape))
    return ROTATION_FORMS[target].from_matrix(R)


def _axis_angle_vector_from_matrix(R: FloatArray) -> FloatArray:
    axis, angle = axis_angle_from_matrix(R)
    return np.concatenate([axis, angle[..., None]], axis=-1)


ROTATION_FORMS: Mapping[str, RotationForm] = MappingProxyType(
    {
        "matrix": RotationForm(
            shape=(3, 3),
            num_constraints=6,
            singular_at="nowhere",
            to_matrix=lambda R: R,
            from_matrix=lambda R: R,
        ),
        "quaternion": RotationForm(  # (w, x, y, z)
            shape=(4,),
            num_constraints=1,
            singular_at="nowhere, but q and -q are one rotation",
            to_matrix=matrix_from_quaternion,
            from_matrix=quaternion_from_matrix,
        ),
        "rotvec": RotationForm(  # axis times angle [rad]
            shape=(3,),
            num_constraints=0,
            singular_at="half turns, where two opposite vectors are one rotation",
            to_matrix=so3.exp,
            from_matrix=so3.log,
        ),
        "axis_angle": RotationForm(  # unit axis, angle [rad]
            shape=(4,),
            num_constraints=1,
            singular_at="the identity, where the axis is free, and half turns",
            to_matrix=lambda aa: so3.rotation_about(aa[..., :3], aa[..., 3]),
            from_matrix=_axis_angle_vector_from_matrix,
        ),
        "rpy": RotationForm(  # fixed axes x, y, z [rad]
            shape=(3,),
            num_constraints=0,
            singular_at="ry = +-pi/2, where only rz - rx or rz + rx is determined",
            to_matrix=lambda rpy: matrix_from_euler(rpy, "xyz", axes="extrinsic"),
            from_matrix=lambda R: rpy_from_matrix(R).angles,
        ),
    }
)
"""The forms by name."""
