"""Rotations in space as 3x3 matrices, and their exponential coordinates.

`R_a_b` maps coordinates in b to coordinates in a; its columns are the axes of b seen
in a. A rotation vector is axis times angle [rad]. Damken 2023 §2.3, §4.1 and appendix
B. Derivatives are in `rotation_rates`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from gelenk.checks import as_array
from gelenk.errors import ConfigError
from gelenk.spatial import quaternion
from gelenk.spatial.angles import cosine_quotient, sine_quotient
from gelenk.spatial.vectors import norm, normalize, skew_polynomial
from gelenk.typing import ArrayLike, BoolArray, FloatArray

ORTHONORMALITY_TOL = 1e-9
"""Largest |R^T R - E| of a matrix that still passes for a rotation.

Far above the rounding of a million products (1e-10), far below what nine decimals in a
file or a wrong convention leave.
"""

_EYE = np.eye(3)
_EYE.setflags(write=False)


def rot_x(angle: ArrayLike) -> FloatArray:
    """Return the rotation about the x axis.

    Args:
        angle: Angles [rad], shape (...).

    Returns:
        Rotation matrices, shape (..., 3, 3).

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import rot_x
        >>> print(rot_x(np.pi / 2.0).round(12)[2])
        [0. 1. 0.]
    """
    return _elementary(0, as_array("angle", angle, ()))


def rot_y(angle: ArrayLike) -> FloatArray:
    """Return the rotation about the y axis.

    Args:
        angle: Angles [rad], shape (...).

    Returns:
        Rotation matrices, shape (..., 3, 3).

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import rot_y
        >>> print(rot_y(np.pi / 2.0).round(12)[0])
        [0. 0. 1.]
    """
    return _elementary(1, as_array("angle", angle, ()))


def rot_z(angle: ArrayLike) -> FloatArray:
    """Return the rotation about the z axis.

    Args:
        angle: Angles [rad], shape (...).

    Returns:
        Rotation matrices, shape (..., 3, 3).

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import rot_z
        >>> print(rot_z(np.pi / 2.0).round(12))
        [[ 0. -1.  0.]
         [ 1.  0.  0.]
         [ 0.  0.  1.]]
    """
    return _elementary(2, as_array("angle", angle, ()))


def rotation_about(axis: ArrayLike, angle: ArrayLike) -> FloatArray:
    """Return the rotation by `angle` about `axis` (Rodrigues).

    R = E + sin(t) B(u) + (1 - cos t) B(u)^2, with B the cross-product matrix.

    Args:
        axis: Axes u of any length but zero, shape (..., 3).
        angle: Angles t [rad], shape (...).

    Returns:
        Rotation matrices, shape (..., 3, 3), batch axes broadcast.

    Raises:
        ConfigError: If an axis is zero.

    Example:
        A third of a turn about the diagonal of space permutes the axes.

        >>> import numpy as np
        >>> from gelenk.spatial import rotation_about
        >>> print(rotation_about([1.0, 1.0, 1.0], 2.0 * np.pi / 3.0).round(12) + 0.0)
        [[0. 0. 1.]
         [1. 0. 0.]
         [0. 1. 0.]]
    """
    angle = as_array("angle", angle, ())
    # 1 - cos t as the square of a sine: no digits are lost for small angles.
    return skew_polynomial(
        normalize(axis), np.sin(angle), 2.0 * np.sin(0.5 * angle) ** 2
    )


def exp(rotvec: ArrayLike) -> FloatArray:
    """Return the rotation matrix of a rotation vector, exact to rounding everywhere.

    Args:
        rotvec: Axis times angle [rad], shape (..., 3).

    Returns:
        Rotation matrices, shape (..., 3, 3).

    Example:
        >>> from gelenk.spatial import so3
        >>> print(so3.exp([0.0, 0.0, 1e-300])[1, 0])
        1e-300
    """
    rotvec = as_array("rotvec", rotvec, (3,))
    angle = np.sqrt(np.vecdot(rotvec, rotvec))
    return skew_polynomial(rotvec, sine_quotient(angle), cosine_quotient(angle))


def log(R: ArrayLike) -> FloatArray:
    """Return the rotation vector of a rotation matrix, at most pi long.

    Computed through the quaternion: its vector part comes from the antisymmetric
    part of R near the identity and from the symmetric part near half a turn, each
    where it is the accurate one. At exactly half a turn the axis is the one of the two
    whose first component that is not zero is positive.

    Args:
        R: Rotation matrices, shape (..., 3, 3).

    Returns:
        Axis times angle [rad], shape (..., 3).

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import rotation_about, so3
        >>> rotvec = so3.log(rotation_about([0.0, 1.0, 0.0], np.pi - 1e-9))
        >>> print((rotvec - [0.0, np.pi, 0.0]).round(12))
        [ 0.e+00 -1.e-09  0.e+00]
    """
    return quaternion.log(quaternion.quaternion_from_matrix(R))


def is_rotation(R: ArrayLike, *, tol: float = ORTHONORMALITY_TOL) -> BoolArray:
    """Return whether matrices are orthonormal with determinant +1, shape (...).

    Args:
        R: Matrices, shape (..., 3, 3).
        tol: Largest entry of |R^T R - E| that passes.

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import so3
        >>> print(so3.is_rotation([np.eye(3), np.diag([1.0, 1.0, -1.0])]))
        [ True False]
    """
    R = as_array("R", R, (3, 3))
    with np.errstate(invalid="ignore", over="ignore"):  # inf - inf is not orthonormal
        defect = np.abs(R.swapaxes(-1, -2) @ R - _EYE).max(axis=(-1, -2))
        return (defect <= tol) & (_determinant(R) > 0.0)


def orthonormalize(R: ArrayLike) -> FloatArray:
    """Return the rotation matrices nearest to `R` in the Frobenius norm.

    From the singular value decomposition R = U S V^T it is U diag(1, 1, d) V^T, with
    d = det(U V^T) = +-1 so that a reflection cannot result.

    Args:
        R: Matrices, shape (..., 3, 3); usually rotations with accumulated error.

    Returns:
        Rotation matrices, shape (..., 3, 3).

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import so3
        >>> print(so3.orthonormalize(np.diag([1.01, 0.98, 1.0])))
        [[1. 0. 0.]
         [0. 1. 0.]
         [0. 0. 1.]]
    """
    U, _, Vt = np.linalg.svd(as_array("R", R, (3, 3)))
    U[..., 2] *= np.sign(_determinant(U @ Vt))[..., None]
    return U @ Vt


def chain(
    rotations: Sequence[ArrayLike], *, frame: Literal["fixed", "current"]
) -> FloatArray:
    """Return the rotation that results from several, performed one after the other.

    About the fixed axes each new rotation is multiplied from the left, about the
    current, already turned axes from the right (Damken 2023 §2.3.2). So the reversed
    list in the other frame is the same rotation.

    Args:
        rotations: Rotation matrices in the order in which they are performed, each of
            shape (..., 3, 3).
        frame: Axes about which each is performed.

    Returns:
        The product, shape (..., 3, 3); the identity for an empty list.

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import rot_x, rot_z, so3
        >>> turns = [rot_x(np.pi / 2.0), rot_z(np.pi / 2.0)]
        >>> print(so3.chain(turns, frame="fixed").round(12) + 0.0)
        [[0. 0. 1.]
         [1. 0. 0.]
         [0. 1. 0.]]
    """
    if frame not in ("fixed", "current"):
        raise ConfigError(f"`frame` must be 'fixed' or 'current', got {frame!r}")
    product = _EYE.copy()
    for i, rotation in enumerate(rotations):
        R = as_array(f"rotations[{i}]", rotation, (3, 3))
        product = R @ product if frame == "fixed" else product @ R
    return product


def angle_between(R_a: ArrayLike, R_b: ArrayLike) -> FloatArray:
    """Return the angle [rad] in [0, pi] of the rotation from `R_a` to `R_b`.

    It is the distance on the group: symmetric, and the same for both products with a
    third rotation.

    Args:
        R_a: Rotation matrices, shape (..., 3, 3).
        R_b: Rotation matrices, shape (..., 3, 3).

    Returns:
        Angles, shape (...).

    Example:
        >>> from gelenk.spatial import rot_y, so3
        >>> print(so3.angle_between(rot_y(0.2), rot_y(0.9)).round(12))
        0.7
    """
    R_a, R_b = as_array("R_a", R_a, (3, 3)), as_array("R_b", R_b, (3, 3))
    quat = quaternion.quaternion_from_matrix(R_a.swapaxes(-1, -2) @ R_b)
    return 2.0 * np.arctan2(norm(quat[..., 1:]), quat[..., 0])


def _elementary(axis: int, angle: FloatArray) -> FloatArray:
    j, k = (axis + 1) % 3, (axis + 2) % 3
    cos, sin = np.cos(angle), np.sin(angle)
    R = np.zeros((*angle.shape, 3, 3))
    R[..., axis, axis] = 1.0
    R[..., j, j] = cos
    R[..., k, k] = cos
    R[..., k, j] = sin
    R[..., j, k] = 0.0 - sin  # and not -sin, which makes -0.0 of zero
    return R


def _determinant(R: FloatArray) -> FloatArray:
    return (
        R[..., 0, 0] * (R[..., 1, 1] * R[..., 2, 2] - R[..., 1, 2] * R[..., 2, 1])
        - R[..., 0, 1] * (R[..., 1, 0] * R[..., 2, 2] - R[..., 1, 2] * R[..., 2, 0])
        + R[..., 0, 2] * (R[..., 1, 0] * R[..., 2, 1] - R[..., 1, 1] * R[..., 2, 0])
    )
