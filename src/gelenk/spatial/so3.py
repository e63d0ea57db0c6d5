"""Rotations in space as 3x3 matrices, and their exponential coordinates.

`R_a_b` maps coordinates in b to coordinates in a; its columns are the axes of b seen
in a. A rotation vector is axis times angle [rad]. Damken 2023 §2.3, §4.1 and appendix
B; the Jacobians of the exponential map are those of Barfoot 2017, *State Estimation for
Robotics*, §7.1.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from gelenk.checks import as_array
from gelenk.errors import ConfigError
from gelenk.spatial import quaternion
from gelenk.spatial.angles import (
    cosine_quotient,
    cotangent_quotient,
    cubic_quotient,
    sine_quotient,
)
from gelenk.spatial.vectors import norm, normalize, skew, skew_polynomial, unskew
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


def rotation_rate_from_omega(R_a_b: ArrayLike, omega: ArrayLike) -> FloatArray:
    """Return dR/dt = B(omega) R [1/s] of a frame b that turns in a.

    Args:
        R_a_b: Orientation of b in a, shape (..., 3, 3).
        omega: Angular velocity of b relative to a, in axes of a [rad/s], shape
            (..., 3).

    Returns:
        The derivative, shape (..., 3, 3).

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import so3
        >>> print(so3.rotation_rate_from_omega(np.eye(3), [1.0, 2.0, 3.0]))
        [[ 0. -3.  2.]
         [ 3.  0. -1.]
         [-2.  1.  0.]]
    """
    return skew(omega) @ as_array("R_a_b", R_a_b, (3, 3))


def omega_from_rotation_rate(R_a_b: ArrayLike, R_dot: ArrayLike) -> FloatArray:
    """Return the angular velocity that belongs to a derivative of a rotation matrix.

    dR/dt R^T is antisymmetric, B(omega); what rounding or differencing leaves beside
    that is dropped.

    Args:
        R_a_b: Orientation of b in a, shape (..., 3, 3).
        R_dot: Derivative of `R_a_b` with respect to time [1/s], shape (..., 3, 3).

    Returns:
        Angular velocity of b relative to a, in axes of a [rad/s], shape (..., 3).

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import so3
        >>> R_dot = so3.rotation_rate_from_omega(np.eye(3), [0.1, 0.2, 0.3])
        >>> print(so3.omega_from_rotation_rate(np.eye(3), R_dot))
        [0.1 0.2 0.3]
    """
    R_a_b = as_array("R_a_b", R_a_b, (3, 3))
    R_dot = as_array("R_dot", R_dot, (3, 3))
    return unskew(R_dot @ R_a_b.swapaxes(-1, -2))


def angular_jacobian_from_partials(
    R_a_b: ArrayLike, R_partials: ArrayLike
) -> FloatArray:
    """Return the matrix whose product with qd is the angular velocity of b in a.

    Column i is the vector of the antisymmetric matrix dR/dq_i R^T.

    Args:
        R_a_b: Orientation of b in a as a function of n coordinates q, at one q,
            shape (..., 3, 3).
        R_partials: Partial derivatives dR/dq_i of `R_a_b`, shape (..., n, 3, 3).

    Returns:
        Angular Jacobian in axes of a, shape (..., 3, n).

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import so3
        >>> quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
        >>> so3.angular_jacobian_from_partials(np.eye(3), quarter[None])
        array([[0.],
               [0.],
               [1.]])
    """
    R_a_b = as_array("R_a_b", R_a_b, (3, 3))[..., None, :, :]
    partials = as_array("R_partials", R_partials, (3, 3))
    return omega_from_rotation_rate(R_a_b, partials).swapaxes(-1, -2)


def left_jacobian(rotvec: ArrayLike) -> FloatArray:
    """Return J with exp(rotvec + d) = exp(J d) exp(rotvec) to first order in d.

    So `J @ rotvec_dot` is the angular velocity in the fixed axes. In closed form
    J = E + (1 - cos t)/t^2 B + (t - sin t)/t^3 B^2 with B = skew(rotvec), t its length.

    Args:
        rotvec: Axis times angle [rad], shape (..., 3).

    Returns:
        Jacobians, shape (..., 3, 3); singular at whole turns but zero.

    Example:
        >>> from gelenk.spatial import so3
        >>> print(so3.left_jacobian([0.0, 0.0, 0.0]))
        [[1. 0. 0.]
         [0. 1. 0.]
         [0. 0. 1.]]
    """
    rotvec = as_array("rotvec", rotvec, (3,))
    angle = np.sqrt(np.vecdot(rotvec, rotvec))
    return skew_polynomial(rotvec, cosine_quotient(angle), cubic_quotient(angle))


def left_jacobian_inverse(rotvec: ArrayLike) -> FloatArray:
    """Return the inverse of `left_jacobian` in closed form, shape (..., 3, 3).

    J^-1 = E - B/2 + (1 - t/2 cot(t/2))/t^2 B^2, for lengths below a full turn.

    Args:
        rotvec: Axis times angle [rad], shape (..., 3), shorter than 2 pi.

    Example:
        >>> from gelenk.spatial import so3
        >>> rotvec = [0.1, 0.2, 0.3]
        >>> product = so3.left_jacobian_inverse(rotvec) @ so3.left_jacobian(rotvec)
        >>> print(product.round(12) + 0.0)
        [[1. 0. 0.]
         [0. 1. 0.]
         [0. 0. 1.]]
    """
    rotvec = as_array("rotvec", rotvec, (3,))
    angle = np.sqrt(np.vecdot(rotvec, rotvec))
    return skew_polynomial(rotvec, -0.5, cotangent_quotient(angle))


def right_jacobian(rotvec: ArrayLike) -> FloatArray:
    """Return J with exp(rotvec + d) = exp(rotvec) exp(J d) to first order in d.

    So `J @ rotvec_dot` is the angular velocity in the turning axes. It is the
    transpose of `left_jacobian`.

    Args:
        rotvec: Axis times angle [rad], shape (..., 3).

    Example:
        >>> from gelenk.spatial import so3
        >>> print(so3.right_jacobian([0.0, 0.0, 0.1]).round(3))
        [[ 0.998  0.05   0.   ]
         [-0.05   0.998  0.   ]
         [ 0.     0.     1.   ]]
    """
    return left_jacobian(rotvec).swapaxes(-1, -2)


def right_jacobian_inverse(rotvec: ArrayLike) -> FloatArray:
    """Return the inverse of `right_jacobian` in closed form, shape (..., 3, 3).

    Args:
        rotvec: Axis times angle [rad], shape (..., 3), shorter than 2 pi.

    Example:
        >>> from gelenk.spatial import so3
        >>> print(so3.right_jacobian_inverse([0.0, 0.0, 0.1]).round(3))
        [[ 0.999 -0.05   0.   ]
         [ 0.05   0.999  0.   ]
         [ 0.     0.     1.   ]]
    """
    return left_jacobian_inverse(rotvec).swapaxes(-1, -2)
