"""Rates of rotations: derivatives of rotation matrices, and of the exponential map.

`R_a_b` maps coordinates in b to coordinates in a. The Jacobians of the exponential map
are those of Barfoot 2017, *State Estimation for Robotics*, §7.1.5.
"""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_array
from gelenk.spatial.angles import (
    cosine_quotient,
    cotangent_quotient,
    cubic_quotient,
)
from gelenk.spatial.vectors import skew, skew_polynomial, unskew
from gelenk.typing import ArrayLike, FloatArray


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
        >>> from gelenk.spatial.rotation_rates import rotation_rate_from_omega
        >>> print(rotation_rate_from_omega(np.eye(3), [1.0, 2.0, 3.0]))
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
        >>> from gelenk.spatial.rotation_rates import omega_from_rotation_rate
        >>> from gelenk.spatial.rotation_rates import rotation_rate_from_omega
        >>> R_dot = rotation_rate_from_omega(np.eye(3), [0.1, 0.2, 0.3])
        >>> print(omega_from_rotation_rate(np.eye(3), R_dot))
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
        >>> from gelenk.spatial.rotation_rates import angular_jacobian_from_partials
        >>> quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
        >>> angular_jacobian_from_partials(np.eye(3), quarter[None])
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
        >>> from gelenk.spatial.rotation_rates import left_jacobian
        >>> print(left_jacobian([0.0, 0.0, 0.0]))
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
        >>> from gelenk.spatial.rotation_rates import left_jacobian
        >>> from gelenk.spatial.rotation_rates import left_jacobian_inverse
        >>> rotvec = [0.1, 0.2, 0.3]
        >>> product = left_jacobian_inverse(rotvec) @ left_jacobian(rotvec)
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
        >>> from gelenk.spatial.rotation_rates import right_jacobian
        >>> print(right_jacobian([0.0, 0.0, 0.1]).round(3))
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
        >>> from gelenk.spatial.rotation_rates import right_jacobian_inverse
        >>> print(right_jacobian_inverse([0.0, 0.0, 0.1]).round(3))
        [[ 0.999 -0.05   0.   ]
         [ 0.05   0.999  0.   ]
         [ 0.     0.     1.   ]]
    """
    return left_jacobian_inverse(rotvec).swapaxes(-1, -2)
