"""Rotations as three angles about coordinate axes, in every one of the 24 conventions.

A convention is a sequence of axes, in the order in which the turns are performed, and
whether they are the fixed axes (extrinsic) or the turning ones (intrinsic). The
intrinsic 'zyx' with angles (a, b, c) is the matrix Rz(a) Ry(b) Rx(c), and the same as
the extrinsic 'xyz' with (c, b, a). Angles are for people and files; as a state they
have a singularity, where the outer two axes coincide. Damken 2023 §2.3.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from gelenk.checks import as_array
from gelenk.errors import ConfigError
from gelenk.spatial.angles import wrap_angle
from gelenk.spatial.so3 import rot_x, rot_y, rot_z
from gelenk.typing import ArrayLike, BoolArray, FloatArray

EulerSequence: TypeAlias = Literal[
    "xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"
]
EulerAxes: TypeAlias = Literal["intrinsic", "extrinsic"]

GIMBAL_TOL = 1e-12
"""Sine of the angle between the outer axes below which they count as one.

A thousand times the rounding of a product of matrices, so that a rotation built at the
singularity is recognised there; and all that is lost by calling it singular is an
error of this size in the matrix.
"""

_ROTATIONS = (rot_x, rot_y, rot_z)


@dataclass(frozen=True, slots=True, eq=False)
class EulerResult:
    """The angle triples of a rotation.

    Attributes:
        angles: The solution whose middle angle is in [-pi/2, pi/2], or in [0, pi] when
            the first and the last axis are the same [rad], shape (..., 3).
        second: The other solution of the same rotation [rad], shape (..., 3).
        singular: Whether the outer axes coincide, so that only the sum or the
            difference of their angles is determined; the angle of the turn that acts
            first on a point is then zero in `angles`. Shape (...).
    """

    angles: FloatArray
    second: FloatArray
    singular: BoolArray


def matrix_from_euler(
    angles: ArrayLike, sequence: EulerSequence, *, axes: EulerAxes
) -> FloatArray:
    """Return the rotation matrix of an angle triple, shape (..., 3, 3).

    Args:
        angles: Angles [rad] in the order of `sequence`, shape (..., 3).
        sequence: Axes in the order in which the turns are performed, such as "zyx".
        axes: "intrinsic" for turning axes, "extrinsic" for fixed ones.

    Raises:
        ConfigError: If the sequence is not one of the twelve.

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import matrix_from_euler, rot_x, rot_y, rot_z
        >>> R = matrix_from_euler([0.3, 0.2, 0.1], "zyx", axes="intrinsic")
        >>> bool(np.allclose(R, rot_z(0.3) @ rot_y(0.2) @ rot_x(0.1)))
        True
    """
    angles = as_array("angles", angles, (3,))
    i, j, k = _intrinsic_axes(sequence, axes)
    a, b, c = _in_intrinsic_order(angles, axes)
    return _ROTATIONS[i](a) @ _ROTATIONS[j](b) @ _ROTATIONS[k](c)


def euler_from_matrix(
    R: ArrayLike, sequence: EulerSequence, *, axes: EulerAxes
) -> EulerResult:
    """Return both angle triples of a rotation matrix, and whether it is singular.

    With R = R_i(a) R_j(b) R_k(c), row i of R does not contain a: it gives b and c.
    Then R R_k(c)^T = R_i(a) R_j(b), whose column j is R_i(a) e_j, gives a. Taking a
    from there and not from R itself keeps the triple exact next to the singularity:
    whatever rounding did to c, a makes up for.

    Args:
        R: Rotation matrices, shape (..., 3, 3).
        sequence: Axes in the order in which the turns are performed, such as "zyx".
        axes: "intrinsic" for turning axes, "extrinsic" for fixed ones.

    Returns:
        Two solutions in the order of `sequence`, outer angles in [-pi, pi).

    Raises:
        ConfigError: If the sequence is not one of the twelve.

    Example:
        >>> from gelenk.spatial import euler_from_matrix, rot_x, rot_z
        >>> result = euler_from_matrix(rot_z(0.3) @ rot_x(0.1), "zyx", axes="intrinsic")
        >>> print(result.angles, result.singular)
        [0.3 0.  0.1] False
    """
    R = as_array("R", R, (3, 3))
    i, j, k = _intrinsic_axes(sequence, axes)
    other = 3 - i - j  # the axis beside the first two; equals k unless k is i
    parity = 1.0 if (j - i) % 3 == 1 else -1.0

    if i == k:
        sin_c, cos_c = R[..., i, j], parity * R[..., i, other]
    else:
        sin_c, cos_c = -parity * R[..., i, j], R[..., i, i]
    lever = np.hypot(sin_c, cos_c)
    singular = lever < GIMBAL_TOL
    c = np.where(singular, 0.0, np.arctan2(sin_c, cos_c))
    if i == k:
        b, b_second = np.arctan2(lever, R[..., i, i]), -np.arctan2(lever, R[..., i, i])
    else:
        b = np.arctan2(parity * R[..., i, other], lever)
        b_second = wrap_angle(np.pi - b)

    R_ij = R @ _ROTATIONS[k](c).swapaxes(-1, -2)
    a = np.arctan2(parity * R_ij[..., other, j], R_ij[..., j, j])

    first = _stack_in_given_order((wrap_angle(a), b, wrap_angle(c)), axes)
    second = (wrap_angle(a + np.pi), b_second, wrap_angle(c + np.pi))
    return EulerResult(first, _stack_in_given_order(second, axes), singular)


def matrix_from_rpy(rx: ArrayLike, ry: ArrayLike, rz: ArrayLike) -> FloatArray:
    """Return R = Rz(rz) Ry(ry) Rx(rx): fixed axes, first x, then y, then z.

    The parameters are named by axis because roll, pitch and yaw are not: aeronautics
    and URDF call them so in this order, the older gripper convention in the reverse.

    Args:
        rx: Angles about x [rad], shape (...).
        ry: Angles about y [rad], shape (...).
        rz: Angles about z [rad], shape (...).

    Returns:
        Rotation matrices, shape (..., 3, 3), batch axes broadcast.

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import matrix_from_rpy
        >>> print(matrix_from_rpy(0.0, 0.0, np.pi / 2.0).round(12))
        [[ 0. -1.  0.]
         [ 1.  0.  0.]
         [ 0.  0.  1.]]
    """
    return rot_z(rz) @ rot_y(ry) @ rot_x(rx)


def rpy_from_matrix(R: ArrayLike) -> EulerResult:
    """Return both solutions (rx, ry, rz) of `matrix_from_rpy`; rx = 0 where singular.

    Args:
        R: Rotation matrices, shape (..., 3, 3).

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import rot_y, rpy_from_matrix
        >>> print(rpy_from_matrix(rot_y(np.pi / 2.0)).singular)
        True
    """
    return euler_from_matrix(R, "xyz", axes="extrinsic")


def rate_matrix(
    angles: ArrayLike,
    sequence: EulerSequence,
    *,
    axes: EulerAxes,
    expressed_in: Literal["world", "body"] = "world",
) -> FloatArray:
    """Return E with omega = E d(angles)/dt for a frame oriented by an angle triple.

    Each column is the axis about which its angle turns the frame. E is singular where
    the triple is.

    Args:
        angles: Angles [rad] in the order of `sequence`, shape (..., 3).
        sequence: Axes in the order in which the turns are performed.
        axes: "intrinsic" for turning axes, "extrinsic" for fixed ones.
        expressed_in: Axes of omega, the fixed ones or those of the turning frame.

    Returns:
        Matrices, shape (..., 3, 3).

    Raises:
        ConfigError: If the sequence is not one of the twelve, or the frame unknown.

    Example:
        >>> print(rate_matrix([0.0, 0.0, 0.0], "zyx", axes="intrinsic"))
        [[0. 0. 1.]
         [0. 1. 0.]
         [1. 0. 0.]]
    """
    if expressed_in not in ("world", "body"):
        raise ConfigError(
            f"`expressed_in` must be 'world' or 'body', got {expressed_in!r}"
        )
    angles = as_array("angles", angles, (3,))
    i, j, k = _intrinsic_axes(sequence, axes)
    a, b, c = _in_intrinsic_order(angles, axes)
    R_i = _ROTATIONS[i](a)
    R_ij = R_i @ _ROTATIONS[j](b)
    axis_a = np.broadcast_to(np.eye(3)[i], angles.shape)
    columns = (axis_a, R_i[..., :, j], R_ij[..., :, k])
    E = np.stack(columns if axes == "intrinsic" else columns[::-1], axis=-1)
    if expressed_in == "body":
        return (R_ij @ _ROTATIONS[k](c)).swapaxes(-1, -2) @ E
    return E


def _intrinsic_axes(sequence: str, axes: str) -> tuple[int, int, int]:
    """Return the axis numbers in the order of the matrix product, left to right."""
    if sequence not in get_args(EulerSequence):
        known = ", ".join(get_args(EulerSequence))
        raise ConfigError(f"`sequence` must be one of {known}, got {sequence!r}")
    if axes not in get_args(EulerAxes):
        raise ConfigError(f"`axes` must be 'intrinsic' or 'extrinsic', got {axes!r}")
    i, j, k = ("xyz".index(letter) for letter in sequence)
    return (i, j, k) if axes == "intrinsic" else (k, j, i)


def _in_intrinsic_order(
    angles: FloatArray, axes: EulerAxes
) -> tuple[FloatArray, FloatArray, FloatArray]:
    first, middle, last = angles[..., 0], angles[..., 1], angles[..., 2]
    return (first, middle, last) if axes == "intrinsic" else (last, middle, first)


def _stack_in_given_order(
    angles: tuple[FloatArray, FloatArray, FloatArray], axes: EulerAxes
) -> FloatArray:
    # Adding zero turns -0.0 into 0.0.
    return np.stack(angles if axes == "intrinsic" else angles[::-1], axis=-1) + 0.0
