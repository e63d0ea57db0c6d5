"""Unit quaternions as rotations: Hamilton, stored (w, x, y, z), w >= 0.

Chaining follows the matrices, `quat_a_c = multiply(quat_a_b, quat_b_c)`. q and -q are
one rotation: functions that return an orientation return the one with w >= 0, the
algebra (`multiply`, `conjugate`, `inverse`, `normalize`) leaves the sign alone.
Damken 2023, appendix A.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from gelenk.checks import as_array
from gelenk.errors import ConfigError
from gelenk.spatial.angles import sine_quotient
from gelenk.spatial.vectors import cross, skew_polynomial
from gelenk.typing import ArrayLike, FloatArray

RateFrame: TypeAlias = Literal["world", "body"]
"""Axes in which an angular velocity is given: the fixed ones or the turning ones."""


def multiply(p: ArrayLike, q: ArrayLike) -> FloatArray:
    """Return the Hamilton product p q, shape (..., 4).

    Args:
        p: Left factor, shape (..., 4).
        q: Right factor, shape (..., 4).

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import quaternion
        >>> half = np.sqrt(0.5)
        >>> print(quaternion.multiply([half, 0.0, 0.0, half], [half, half, 0.0, 0.0]))
        [0.5 0.5 0.5 0.5]
    """
    p, q = as_array("p", p, (4,)), as_array("q", q, (4,))
    p_w, p_x, p_y, p_z = p[..., 0], p[..., 1], p[..., 2], p[..., 3]
    q_w, q_x, q_y, q_z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    product = np.empty(np.broadcast_shapes(p.shape, q.shape))
    product[..., 0] = p_w * q_w - p_x * q_x - p_y * q_y - p_z * q_z
    product[..., 1] = p_w * q_x + p_x * q_w + p_y * q_z - p_z * q_y
    product[..., 2] = p_w * q_y - p_x * q_z + p_y * q_w + p_z * q_x
    product[..., 3] = p_w * q_z + p_x * q_y - p_y * q_x + p_z * q_w
    return product


def conjugate(quat: ArrayLike) -> FloatArray:
    """Return (w, -x, -y, -z), which for unit quaternions is the inverse rotation.

    Args:
        quat: Quaternions, shape (..., 4).

    Example:
        >>> from gelenk.spatial import quaternion
        >>> print(quaternion.conjugate([0.5, 0.5, -0.5, 0.5]))
        [ 0.5 -0.5  0.5 -0.5]
    """
    return as_array("quat", quat, (4,)) * np.array([1.0, -1.0, -1.0, -1.0])


def inverse(quat: ArrayLike) -> FloatArray:
    """Return the multiplicative inverse, also of quaternions that are not unit.

    Args:
        quat: Quaternions, not zero, shape (..., 4).

    Raises:
        ConfigError: If a quaternion is zero.

    Example:
        >>> from gelenk.spatial import quaternion
        >>> print(quaternion.inverse([1.0, 1.0, 1.0, 1.0]))
        [ 0.25 -0.25 -0.25 -0.25]
    """
    return conjugate(quat) / _nonzero_square(as_array("quat", quat, (4,)))


def normalize(quat: ArrayLike) -> FloatArray:
    """Return the unit quaternions along `quat`, sign unchanged.

    Args:
        quat: Quaternions, not zero, shape (..., 4).

    Raises:
        ConfigError: If a quaternion is zero.

    Example:
        >>> from gelenk.spatial import quaternion
        >>> print(quaternion.normalize([3.0, 0.0, 4.0, 0.0]))
        [0.6 0.  0.8 0. ]
    """
    quat = as_array("quat", quat, (4,))
    return quat / np.sqrt(_nonzero_square(quat))


def canonical(quat: ArrayLike) -> FloatArray:
    """Return, of q and -q, the one whose first component that is not zero is positive.

    That is w >= 0, and one choice for the half turns, where w = 0.

    Args:
        quat: Quaternions, shape (..., 4).

    Example:
        >>> from gelenk.spatial import quaternion
        >>> print(quaternion.canonical([0.0, -1.0, 0.0, 0.0]))
        [0. 1. 0. 0.]
    """
    quat = as_array("quat", quat, (4,))
    w, x, y, z = quat[..., 0], quat[..., 1], quat[..., 2], quat[..., 3]
    leading = w if w.all() else np.where(w, w, np.where(x, x, np.where(y, y, z)))
    # Adding zero turns the -0.0 that the change of sign leaves into 0.0.
    return np.where(leading[..., None] < 0.0, -quat, quat) + 0.0


def quaternion_from_matrix(R: ArrayLike) -> FloatArray:
    """Return the quaternion of a rotation matrix, exact to rounding for every angle.

    The sums and differences of the entries of R form the symmetric matrix 4 q q^T.
    Each of its columns is a multiple of q; the one with the largest diagonal element,
    which is at least 1, is normalised (the four cases of Shepperd 1978).

    Args:
        R: Rotation matrices, shape (..., 3, 3).

    Returns:
        Unit quaternions, w >= 0, shape (..., 4).

    Example:
        >>> from gelenk.spatial import quaternion_from_matrix
        >>> print(quaternion_from_matrix([[0, 0, 1], [1, 0, 0], [0, 1, 0]]))
        [0.5 0.5 0.5 0.5]
    """
    R = as_array("R", R, (3, 3))
    r_xx, r_yy, r_zz = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    outer = np.empty((*R.shape[:-2], 4, 4))
    outer[..., 0, 0] = 1.0 + r_xx + r_yy + r_zz
    outer[..., 1, 1] = 1.0 + r_xx - r_yy - r_zz
    outer[..., 2, 2] = 1.0 - r_xx + r_yy - r_zz
    outer[..., 3, 3] = 1.0 - r_xx - r_yy + r_zz
    outer[..., 0, 1] = outer[..., 1, 0] = R[..., 2, 1] - R[..., 1, 2]
    outer[..., 0, 2] = outer[..., 2, 0] = R[..., 0, 2] - R[..., 2, 0]
    outer[..., 0, 3] = outer[..., 3, 0] = R[..., 1, 0] - R[..., 0, 1]
    outer[..., 1, 2] = outer[..., 2, 1] = R[..., 1, 0] + R[..., 0, 1]
    outer[..., 1, 3] = outer[..., 3, 1] = R[..., 0, 2] + R[..., 2, 0]
    outer[..., 2, 3] = outer[..., 3, 2] = R[..., 2, 1] + R[..., 1, 2]

    columns = outer.reshape(-1, 4, 4)
    largest = np.diagonal(columns, axis1=1, axis2=2).argmax(axis=1)
    quat = columns[np.arange(len(columns)), largest].reshape(outer.shape[:-1])
    return canonical(quat / np.sqrt(np.vecdot(quat, quat))[..., None])


def matrix_from_quaternion(quat: ArrayLike) -> FloatArray:
    """Return the rotation matrix of a quaternion, shape (..., 3, 3).

    R = E + 2 w B(v) + 2 B(v)^2 with v = (x, y, z) and B the cross-product matrix. The
    length of the quaternion is divided out, so a quaternion that has drifted from
    unit length still gives an orthonormal matrix.

    Args:
        quat: Quaternions, not zero, shape (..., 4).

    Raises:
        ConfigError: If a quaternion is zero.

    Example:
        >>> from gelenk.spatial import matrix_from_quaternion
        >>> print(matrix_from_quaternion([0.5, 0.5, 0.5, 0.5]))
        [[0. 0. 1.]
         [1. 0. 0.]
         [0. 1. 0.]]
    """
    quat = as_array("quat", quat, (4,))
    scale = 2.0 / _nonzero_square(quat)[..., 0]
    return skew_polynomial(quat[..., 1:], scale * quat[..., 0], scale)


def rotate(quat: ArrayLike, p: ArrayLike) -> FloatArray:
    """Return the rotated vectors q (0, p) q^-1, shape (..., 3).

    Args:
        quat: Quaternions, not zero, shape (..., 4).
        p: Points or free vectors, shape (..., 3).

    Raises:
        ConfigError: If a quaternion is zero.

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import quaternion
        >>> quarter_turn = [np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]
        >>> print(quaternion.rotate(quarter_turn, [1.0, 0.0, 0.0]).round(12))
        [0. 1. 0.]
    """
    quat, p = as_array("quat", quat, (4,)), as_array("p", p, (3,))
    w, v = quat[..., :1], quat[..., 1:]
    v_cross_p = cross(v, p)
    scale = 2.0 / _nonzero_square(quat)
    return p + scale * (w * v_cross_p + cross(v, v_cross_p))


def exp(rotvec: ArrayLike) -> FloatArray:
    """Return the quaternion of a rotation vector, (cos(t/2), u sin(t/2)), w >= 0.

    Args:
        rotvec: Axis times angle, u t [rad], shape (..., 3).

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import quaternion
        >>> print(quaternion.exp([0.0, 0.0, np.pi]).round(12))
        [0. 0. 0. 1.]
    """
    rotvec = as_array("rotvec", rotvec, (3,))
    half = 0.5 * np.sqrt(np.vecdot(rotvec, rotvec))
    quat = np.empty((*rotvec.shape[:-1], 4))
    quat[..., 0] = np.cos(half)
    quat[..., 1:] = (0.5 * sine_quotient(half))[..., None] * rotvec
    return canonical(quat)


def log(quat: ArrayLike) -> FloatArray:
    """Return the rotation vector [rad] of a quaternion, at most pi long.

    The angle is 2 atan2(|v|, w): unlike the arc cosine of w it is exact next to 0, and
    unlike the arc sine of |v| next to pi. The length of the quaternion cancels.

    Args:
        quat: Quaternions, not zero, shape (..., 4).

    Returns:
        Axis times angle [rad], shape (..., 3).

    Raises:
        ConfigError: If a quaternion is zero.

    Example:
        >>> from gelenk.spatial import quaternion
        >>> print(quaternion.log([0.0, 0.0, 0.0, -1.0]))
        [0.         0.         3.14159265]
    """
    quat = canonical(quat)
    _nonzero_square(quat)
    w, v = quat[..., 0], quat[..., 1:]
    length = np.sqrt(np.vecdot(v, v))
    # Where |v| is so small that its square underflows, atan2(|v|, w) / |v| is 1 / w.
    is_tiny = length == 0.0
    angle_per_length = np.where(
        is_tiny,
        2.0 / np.where(is_tiny, w, 1.0),
        2.0 * np.arctan2(length, w) / np.where(is_tiny, 1.0, length),
    )
    return angle_per_length[..., None] * v


def slerp(quat_0: ArrayLike, quat_1: ArrayLike, s: ArrayLike) -> FloatArray:
    """Return the orientation at fraction `s` of the shorter arc, at constant speed.

    [sin((1-s) W) q0 + sin(s W) q1] / sin W with W the angle between the quaternions,
    taken as 2 atan2(|q1 - q0|, |q1 + q0|). With the signs chosen for the shorter arc W
    is at most pi/2, and written with quotients sin(x) / x no case is special: neither
    equal orientations nor opposite signs. Orientations half a turn apart have two
    shortest arcs; one of them is chosen, always the same for the same two orientations.

    Args:
        quat_0: Unit quaternions at s = 0, shape (..., 4).
        quat_1: Unit quaternions at s = 1, shape (..., 4).
        s: Fraction of the arc, shape (...); outside [0, 1] the turn continues.

    Returns:
        Unit quaternions, w >= 0, shape (..., 4), batch axes broadcast.

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import slerp
        >>> quarter_turn = [np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]
        >>> print(slerp([1.0, 0.0, 0.0, 0.0], quarter_turn, 1.0 / 3.0))
        [0.96592583 0.         0.         0.25881905]
    """
    q_0, q_1 = canonical(quat_0), canonical(quat_1)
    s = as_array("s", s, ())
    q_1 = np.where(np.vecdot(q_0, q_1)[..., None] < 0.0, -q_1, q_1)
    W = 2.0 * np.arctan2(_length(q_1 - q_0), _length(q_1 + q_0))
    weight_0 = (1.0 - s) * sine_quotient((1.0 - s) * W) / sine_quotient(W)
    weight_1 = s * sine_quotient(s * W) / sine_quotient(W)
    return canonical(normalize(weight_0[..., None] * q_0 + weight_1[..., None] * q_1))


def derivative(
    quat: ArrayLike, omega: ArrayLike, *, frame: RateFrame = "world"
) -> FloatArray:
    """Return dq/dt of a turning frame: (0, omega) q / 2, or q (0, omega) / 2 in body.

    Args:
        quat: Orientation of the body in the world, shape (..., 4).
        omega: Angular velocity of the body relative to the world [rad/s], shape
            (..., 3).
        frame: Axes in which `omega` is given.

    Returns:
        The derivative [1/s], shape (..., 4).

    Example:
        >>> from gelenk.spatial import quaternion
        >>> print(quaternion.derivative([1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 3.0]))
        [0.  0.  0.  1.5]
    """
    omega = as_array("omega", omega, (3,))
    pure = np.zeros((*omega.shape[:-1], 4))
    pure[..., 1:] = 0.5 * omega
    return _multiply_in_frame(as_array("quat", quat, (4,)), pure, frame)


def integrate(
    quat: ArrayLike, omega: ArrayLike, dt: ArrayLike, *, frame: RateFrame = "world"
) -> FloatArray:
    """Return the orientation after turning at a constant rate for a time `dt`.

    Exact for any rate and any step: the turn is the exponential of omega dt.

    Args:
        quat: Orientation of the body in the world, shape (..., 4).
        omega: Angular velocity of the body relative to the world [rad/s], shape
            (..., 3).
        dt: Duration [s], shape (...).
        frame: Axes in which `omega` is given.

    Returns:
        Unit quaternions, w >= 0, shape (..., 4).

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import quaternion
        >>> start = [1.0, 0.0, 0.0, 0.0]
        >>> print(quaternion.integrate(start, [0.0, 0.0, np.pi], 1.0).round(12))
        [0. 0. 0. 1.]
    """
    turn = exp(as_array("omega", omega, (3,)) * as_array("dt", dt, ())[..., None])
    quat = as_array("quat", quat, (4,))
    return canonical(normalize(_multiply_in_frame(quat, turn, frame)))


def difference(
    quat_end: ArrayLike, quat_start: ArrayLike, *, frame: RateFrame = "body"
) -> FloatArray:
    """Return the rotation vector [rad] that leads from `quat_start` to `quat_end`.

    In the body frame it is d with `quat_end = quat_start exp(d)`, the right
    perturbation that filters and optimisers use; in the world frame
    `quat_end = exp(d) quat_start`.

    Args:
        quat_end: Unit quaternions, shape (..., 4).
        quat_start: Unit quaternions, shape (..., 4).
        frame: Axes in which the result is given.

    Returns:
        Rotation vectors of length at most pi, shape (..., 3).

    Example:
        >>> from gelenk.spatial import quaternion
        >>> start = quaternion.exp([0.0, 0.0, 0.3])
        >>> end = quaternion.exp([0.0, 0.0, 0.5])
        >>> print(quaternion.difference(end, start).round(12))
        [0.  0.  0.2]
    """
    if frame == "body":
        return log(multiply(conjugate(quat_start), quat_end))
    if frame == "world":
        return log(multiply(quat_end, conjugate(quat_start)))
    raise _unknown_frame(frame)


def quaternion_from_xyzw(xyzw: ArrayLike) -> FloatArray:
    """Return (w, x, y, z) for (x, y, z, w): the order of SciPy, Pinocchio and ROS.

    Args:
        xyzw: Quaternions with the real part last, shape (..., 4).

    Example:
        >>> from gelenk.spatial import quaternion
        >>> print(quaternion.quaternion_from_xyzw([0.1, 0.2, 0.3, 0.9]))
        [0.9 0.1 0.2 0.3]
    """
    return as_array("xyzw", xyzw, (4,))[..., [3, 0, 1, 2]]


def xyzw_from_quaternion(quat: ArrayLike) -> FloatArray:
    """Return (x, y, z, w) for (w, x, y, z): the order of SciPy, Pinocchio and ROS.

    Args:
        quat: Quaternions, shape (..., 4).

    Example:
        >>> from gelenk.spatial import quaternion
        >>> print(quaternion.xyzw_from_quaternion([0.9, 0.1, 0.2, 0.3]))
        [0.1 0.2 0.3 0.9]
    """
    return as_array("quat", quat, (4,))[..., [1, 2, 3, 0]]


def _multiply_in_frame(
    quat: FloatArray, factor: FloatArray, frame: RateFrame
) -> FloatArray:
    if frame == "world":
        return multiply(factor, quat)
    if frame == "body":
        return multiply(quat, factor)
    raise _unknown_frame(frame)


def _length(quat: FloatArray) -> FloatArray:
    return np.sqrt(np.vecdot(quat, quat))


def _unknown_frame(frame: str) -> ConfigError:
    return ConfigError(f"`frame` must be 'world' or 'body', got {frame!r}")


def _nonzero_square(quat: FloatArray) -> FloatArray:
    """Return the squared length, shape (..., 1), after checking that it is not zero."""
    square = np.vecdot(quat, quat)[..., None]
    if not square.all():
        raise ConfigError("`quat` must not be zero: a zero quaternion is no rotation")
    return square
