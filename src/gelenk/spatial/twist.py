"""Twists [v; omega] and wrenches [f; tau]: change of frame, cross products, power.

A twist in frame a is the velocity of the body's point at the origin of a, and the
angular velocity, in axes of a [m/s, rad/s]; a wrench in a is the force and the moment
about the origin of a [N, N m]. Linear first in both, so that their dot product is
power. The cross products are those of Featherstone 2008, *Rigid Body Dynamics
Algorithms*, §2.9, reordered to linear first.
"""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_array
from gelenk.spatial.vectors import cross, skew
from gelenk.typing import ArrayLike, FloatArray


def adjoint(T_a_b: ArrayLike) -> FloatArray:
    """Return the matrix that takes twists in b to twists in a.

    [[R, B(p) R], [0, R]] with R, p of `T_a_b`. Its transposed inverse does the same
    for wrenches (`wrench_adjoint`).

    Args:
        T_a_b: Pose of b in a, shape (..., 4, 4).

    Returns:
        Matrices, shape (..., 6, 6).

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import adjoint
        >>> T_a_b = np.eye(4)
        >>> T_a_b[0, 3] = 1.0
        >>> print((adjoint(T_a_b) @ [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]) + 0.0)
        [ 0. -1.  0.  0.  0.  1.]
    """
    R, p = _parts(T_a_b)
    Ad = np.zeros((*R.shape[:-2], 6, 6))
    Ad[..., :3, :3] = R
    Ad[..., 3:, 3:] = R
    Ad[..., :3, 3:] = skew(p) @ R
    return Ad


def wrench_adjoint(T_a_b: ArrayLike) -> FloatArray:
    """Return the matrix that takes wrenches in b to wrenches in a.

    [[R, 0], [B(p) R, R]] with R, p of `T_a_b`.

    Args:
        T_a_b: Pose of b in a, shape (..., 4, 4).

    Returns:
        Matrices, shape (..., 6, 6).
    """
    R, p = _parts(T_a_b)
    Ad = np.zeros((*R.shape[:-2], 6, 6))
    Ad[..., :3, :3] = R
    Ad[..., 3:, 3:] = R
    Ad[..., 3:, :3] = skew(p) @ R
    return Ad


def change_twist_frame(T_a_b: ArrayLike, twist_b: ArrayLike) -> FloatArray:
    """Return a twist given in b in frame a: v = R v_b + p x (R omega_b).

    Args:
        T_a_b: Pose of b in a, shape (..., 4, 4).
        twist_b: [v; omega] in b [m/s, rad/s], shape (..., 6).

    Returns:
        The same motion in a, shape (..., 6), batch axes broadcast.

    Example:
        Spinning about its own z axis, a body 1 m along x moves the origin along -y.

        >>> import numpy as np
        >>> from gelenk.spatial import change_twist_frame
        >>> T_a_b = np.eye(4)
        >>> T_a_b[0, 3] = 1.0
        >>> print(change_twist_frame(T_a_b, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]))
        [ 0. -1.  0.  0.  0.  1.]
    """
    R, p = _parts(T_a_b)
    twist_b = as_array("twist_b", twist_b, (6,))
    omega = np.matvec(R, twist_b[..., 3:])
    return _stack(np.matvec(R, twist_b[..., :3]) + cross(p, omega), omega)


def change_wrench_frame(T_a_b: ArrayLike, wrench_b: ArrayLike) -> FloatArray:
    """Return a wrench given in b in frame a: tau = R tau_b + p x (R f_b).

    Args:
        T_a_b: Pose of b in a, shape (..., 4, 4).
        wrench_b: [f; tau] in b [N, N m], shape (..., 6).

    Returns:
        The same load in a, shape (..., 6), batch axes broadcast.

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import change_wrench_frame
        >>> T_a_b = np.eye(4)
        >>> T_a_b[0, 3] = 2.0
        >>> print(change_wrench_frame(T_a_b, [0.0, 0.0, -5.0, 0.0, 0.0, 0.0]))
        [ 0.  0. -5.  0. 10.  0.]
    """
    R, p = _parts(T_a_b)
    wrench_b = as_array("wrench_b", wrench_b, (6,))
    f = np.matvec(R, wrench_b[..., :3])
    return _stack(f, np.matvec(R, wrench_b[..., 3:]) + cross(p, f))


def rotate_spatial(R_a_b: ArrayLike, spatial_b: ArrayLike) -> FloatArray:
    """Return a twist or a wrench in axes of a; the point it refers to stays.

    Args:
        R_a_b: Orientation of b in a, shape (..., 3, 3).
        spatial_b: Twists or wrenches in axes of b, shape (..., 6).

    Returns:
        The same in axes of a, shape (..., 6), batch axes broadcast.
    """
    R = as_array("R_a_b", R_a_b, (3, 3))
    spatial_b = as_array("spatial_b", spatial_b, (6,))
    return _stack(np.matvec(R, spatial_b[..., :3]), np.matvec(R, spatial_b[..., 3:]))


def cross_motion(twist: ArrayLike, motion: ArrayLike) -> FloatArray:
    """Return the rate of a motion vector that is carried along by a twist.

    [omega x v2 + v x omega2; omega x omega2]; the Lie bracket of two twists.

    Args:
        twist: [v; omega] of the carrying frame, shape (..., 6).
        motion: [v2; omega2] carried along, shape (..., 6).

    Returns:
        The rate, shape (..., 6), batch axes broadcast.
    """
    v, omega = _halves("twist", twist)
    v2, omega2 = _halves("motion", motion)
    return _stack(cross(omega, v2) + cross(v, omega2), cross(omega, omega2))


def cross_force(twist: ArrayLike, wrench: ArrayLike) -> FloatArray:
    """Return the rate of a wrench or momentum that is carried along by a twist.

    [omega x f; v x f + omega x tau].

    Args:
        twist: [v; omega] of the carrying frame, shape (..., 6).
        wrench: [f; tau] carried along, shape (..., 6).

    Returns:
        The rate, shape (..., 6), batch axes broadcast.
    """
    v, omega = _halves("twist", twist)
    f, tau = _halves("wrench", wrench)
    return _stack(cross(omega, f), cross(v, f) + cross(omega, tau))


def motion_cross_matrix(twist: ArrayLike) -> FloatArray:
    """Return the matrix of `cross_motion`, the ad operator, shape (..., 6, 6).

    Args:
        twist: [v; omega], shape (..., 6).
    """
    v, omega = _halves("twist", twist)
    ad = np.zeros((*v.shape[:-1], 6, 6))
    ad[..., :3, :3] = ad[..., 3:, 3:] = skew(omega)
    ad[..., :3, 3:] = skew(v)
    return ad


def force_cross_matrix(twist: ArrayLike) -> FloatArray:
    """Return the matrix of `cross_force`, minus the transposed ad, shape (..., 6, 6).

    Args:
        twist: [v; omega], shape (..., 6).
    """
    return -motion_cross_matrix(twist).swapaxes(-1, -2)


def power(twist: ArrayLike, wrench: ArrayLike) -> FloatArray:
    """Return the power [W] of a wrench on a twist; both must be in one frame.

    Args:
        twist: [v; omega], shape (..., 6).
        wrench: [f; tau], shape (..., 6).

    Returns:
        v . f + omega . tau, shape (...), the same in every frame.
    """
    return np.vecdot(as_array("twist", twist, (6,)), as_array("wrench", wrench, (6,)))


def _parts(T_a_b: ArrayLike) -> tuple[FloatArray, FloatArray]:
    T_a_b = as_array("T_a_b", T_a_b, (4, 4))
    return T_a_b[..., :3, :3], T_a_b[..., :3, 3]


def _halves(name: str, spatial: ArrayLike) -> tuple[FloatArray, FloatArray]:
    spatial = as_array(name, spatial, (6,))
    return spatial[..., :3], spatial[..., 3:]


def _stack(linear: FloatArray, angular: FloatArray) -> FloatArray:
    batch = np.broadcast_shapes(linear.shape, angular.shape)[:-1]
    spatial = np.empty((*batch, 6))
    spatial[..., :3] = linear
    spatial[..., 3:] = angular
    return spatial
