"""Poses as 4x4 homogeneous matrices, and their exponential coordinates.

`T_a_b` is the pose of b in a and maps coordinates in b to coordinates in a; touching
names cancel, `T_a_c = T_a_b @ T_b_c`. Exponential coordinates are a twist [v; omega]
acting for unit time. Damken 2023 §2.2 and §2.4.
"""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_array
from gelenk.spatial import quaternion, so3
from gelenk.spatial.angles import (
    cosine_quotient,
    cotangent_quotient,
    cubic_quotient,
)
from gelenk.spatial.vectors import cross
from gelenk.typing import ArrayLike, BoolArray, FloatArray


def pose_from_rotation_translation(R_a_b: ArrayLike, p_a_b: ArrayLike) -> FloatArray:
    """Return the pose with a given orientation and position.

    Args:
        R_a_b: Orientation of b in a, shape (..., 3, 3).
        p_a_b: Position of the origin of b in a [m], shape (..., 3).

    Returns:
        `T_a_b`, shape (..., 4, 4), batch axes broadcast.

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import pose_from_rotation_translation
        >>> print(pose_from_rotation_translation(np.eye(3), [1.0, 2.0, 3.0]))
        [[1. 0. 0. 1.]
         [0. 1. 0. 2.]
         [0. 0. 1. 3.]
         [0. 0. 0. 1.]]
    """
    R_a_b, p_a_b = as_array("R_a_b", R_a_b, (3, 3)), as_array("p_a_b", p_a_b, (3,))
    batch = np.broadcast_shapes(R_a_b.shape[:-2], p_a_b.shape[:-1])
    T_a_b = np.zeros((*batch, 4, 4))
    T_a_b[..., :3, :3] = R_a_b
    T_a_b[..., :3, 3] = p_a_b
    T_a_b[..., 3, 3] = 1.0
    return T_a_b


def compose(*poses: ArrayLike) -> FloatArray:
    """Return the product of poses from left to right; the identity for none.

    Args:
        *poses: `T_a_b`, `T_b_c`, ..., each of shape (..., 4, 4).

    Example:
        >>> from gelenk.spatial import pose_from_vector, se3
        >>> step = pose_from_vector([1, 0, 0, 0, 0.1, 0, 0])
        >>> print(se3.compose(step, step, step)[:3, 3].round(12))
        [0.3 0.  0. ]
    """
    product = np.eye(4)
    for i, pose in enumerate(poses):
        product = product @ as_array(f"poses[{i}]", pose, (4, 4))
    return product


def inverse(T_a_b: ArrayLike) -> FloatArray:
    """Return `T_b_a`, the pose seen the other way round, in closed form.

    Args:
        T_a_b: Pose of b in a, shape (..., 4, 4).

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import pose_from_rotation_translation, se3, so3
        >>> T_a_b = pose_from_rotation_translation(so3.rot_z(np.pi / 2.0), [1.0, 0, 0])
        >>> print(se3.inverse(T_a_b)[:3, 3].round(12) + 0.0)
        [0. 1. 0.]
    """
    T_a_b = as_array("T_a_b", T_a_b, (4, 4))
    R_b_a = T_a_b[..., :3, :3].swapaxes(-1, -2)
    return pose_from_rotation_translation(R_b_a, -np.matvec(R_b_a, T_a_b[..., :3, 3]))


def transform_point(T_a_b: ArrayLike, p_b: ArrayLike) -> FloatArray:
    """Return points given in b in coordinates of a: R p + r.

    Args:
        T_a_b: Pose of b in a, shape (..., 4, 4).
        p_b: Points in b [m], shape (..., 3).

    Returns:
        The points in a [m], shape (..., 3), batch axes broadcast.

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import pose_from_rotation_translation, rot_z
        >>> from gelenk.spatial import transform_point
        >>> T_a_b = pose_from_rotation_translation(rot_z(np.pi / 6.0), [10, 5, 0])
        >>> print(transform_point(T_a_b, [3.0, 7.0, 0.0]))
        [ 9.09807621 12.56217783  0.        ]
    """
    T_a_b = as_array("T_a_b", T_a_b, (4, 4))
    return transform_vector(T_a_b, p_b) + T_a_b[..., :3, 3]


def transform_vector(T_a_b: ArrayLike, v_b: ArrayLike) -> FloatArray:
    """Return free vectors given in axes of b in axes of a: R v, without the position.

    Args:
        T_a_b: Pose of b in a, shape (..., 4, 4).
        v_b: Velocities, forces, directions in axes of b, shape (..., 3).

    Returns:
        The vectors in axes of a, shape (..., 3), batch axes broadcast.

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import pose_from_rotation_translation, rot_z, se3
        >>> T_a_b = pose_from_rotation_translation(rot_z(np.pi / 2.0), [10.0, 5.0, 0.0])
        >>> print(se3.transform_vector(T_a_b, [1.0, 0.0, 0.0]).round(12))
        [0. 1. 0.]
    """
    R_a_b = as_array("T_a_b", T_a_b, (4, 4))[..., :3, :3]
    return np.matvec(R_a_b, as_array("v_b", v_b, (3,)))


def is_pose(T: ArrayLike, *, tol: float = so3.ORTHONORMALITY_TOL) -> BoolArray:
    """Return whether matrices are poses: a rotation, finite, last row (0, 0, 0, 1).

    Args:
        T: Matrices, shape (..., 4, 4).
        tol: Largest error of the rotation (`so3.is_rotation`) and of the last row.

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import se3
        >>> bool(se3.is_pose(np.eye(4))), bool(se3.is_pose(2.0 * np.eye(4)))
        (True, False)
    """
    T = as_array("T", T, (4, 4))
    has_last_row = (np.abs(T[..., 3, :] - [0.0, 0.0, 0.0, 1.0]) <= tol).all(axis=-1)
    is_finite = np.isfinite(T[..., :3, 3]).all(axis=-1)
    return so3.is_rotation(T[..., :3, :3], tol=tol) & has_last_row & is_finite


def exp(twist: ArrayLike) -> FloatArray:
    """Return the pose that a constant twist reaches from the identity in unit time.

    Rotation exp(omega) and translation J v with J the left Jacobian of the rotation.

    Args:
        twist: [v; omega] times time, [m] and [rad], shape (..., 6).

    Returns:
        Poses, shape (..., 4, 4).

    Example:
        Half a turn on a circle of diameter 2/pi m ends beside the start, not ahead.

        >>> import numpy as np
        >>> from gelenk.spatial import se3
        >>> print((se3.exp([1.0, 0.0, 0.0, 0.0, 0.0, np.pi])[:3, 3] * np.pi).round(12))
        [0. 2. 0.]
    """
    twist = as_array("twist", twist, (6,))
    v, omega = twist[..., :3], twist[..., 3:]
    angle = np.sqrt(np.vecdot(omega, omega))[..., None]
    omega_cross_v = cross(omega, v)
    p = v + cosine_quotient(angle) * omega_cross_v
    p += cubic_quotient(angle) * cross(omega, omega_cross_v)
    return pose_from_rotation_translation(so3.exp(omega), p)


def log(T: ArrayLike) -> FloatArray:
    """Return the twist [v; omega] that reaches a pose from the identity in unit time.

    The inverse of `exp`, with a rotation angle of at most pi.

    Args:
        T: Poses, shape (..., 4, 4).

    Returns:
        Twists times time, [m] and [rad], shape (..., 6).

    Example:
        >>> from gelenk.spatial import se3
        >>> print(se3.log(se3.exp([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])))
        [0.1 0.2 0.3 0.4 0.5 0.6]
    """
    T = as_array("T", T, (4, 4))
    p, omega = T[..., :3, 3], so3.log(T[..., :3, :3])
    angle = np.sqrt(np.vecdot(omega, omega))[..., None]
    omega_cross_p = cross(omega, p)
    twist = np.empty((*T.shape[:-2], 6))
    twist[..., :3] = p - 0.5 * omega_cross_p
    twist[..., :3] += cotangent_quotient(angle) * cross(omega, omega_cross_p)
    twist[..., 3:] = omega
    return twist


def difference(T_end: ArrayLike, T_start: ArrayLike) -> FloatArray:
    """Return the body twist d with `T_end = T_start exp(d)`, shape (..., 6).

    Args:
        T_end: Poses, shape (..., 4, 4).
        T_start: Poses, shape (..., 4, 4).

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import pose_from_vector, se3
        >>> T_end = pose_from_vector([1, 0, 0, 0, 0.1, 0.2, 0.3])
        >>> print(se3.difference(T_end, np.eye(4)))
        [0.1 0.2 0.3 0.  0.  0. ]
    """
    return log(inverse(T_start) @ as_array("T_end", T_end, (4, 4)))


def interpolate_screw(T_0: ArrayLike, T_1: ArrayLike, s: ArrayLike) -> FloatArray:
    """Return the pose at fraction `s` of one screw motion from `T_0` to `T_1`.

    T_0 exp(s log(T_0^-1 T_1)): turn and shift along one fixed axis at constant speed.
    The path does not depend on the frame in which the poses are given.

    Args:
        T_0: Poses at s = 0, shape (..., 4, 4).
        T_1: Poses at s = 1, shape (..., 4, 4).
        s: Fraction of the motion, shape (...).

    Returns:
        Poses, shape (..., 4, 4), batch axes broadcast.

    Example:
        Half-way through a quarter turn about an axis, the path is an arc about it.

        >>> import numpy as np
        >>> from gelenk.spatial import pose_from_rotation_translation, rot_z, se3
        >>> T_1 = pose_from_rotation_translation(rot_z(np.pi / 2.0), [1.0, 1.0, 0.0])
        >>> print(se3.interpolate_screw(np.eye(4), T_1, 0.5)[:3, 3].round(3))
        [0.707 0.293 0.   ]
    """
    s = as_array("s", s, ())[..., None]
    return as_array("T_0", T_0, (4, 4)) @ exp(s * difference(T_1, T_0))


def interpolate_decoupled(T_0: ArrayLike, T_1: ArrayLike, s: ArrayLike) -> FloatArray:
    """Return the pose at fraction `s` of a straight line with a turn beside it.

    The origin moves on the straight line at constant speed, the orientation turns the
    shorter arc about a fixed axis at constant speed (slerp).

    Args:
        T_0: Poses at s = 0, shape (..., 4, 4).
        T_1: Poses at s = 1, shape (..., 4, 4).
        s: Fraction of the motion, shape (...).

    Returns:
        Poses, shape (..., 4, 4), batch axes broadcast.

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import pose_from_rotation_translation, rot_z, se3
        >>> T_1 = pose_from_rotation_translation(rot_z(np.pi / 2.0), [1.0, 1.0, 0.0])
        >>> print(se3.interpolate_decoupled(np.eye(4), T_1, 0.5)[:3, 3])
        [0.5 0.5 0. ]
    """
    T_0, T_1 = as_array("T_0", T_0, (4, 4)), as_array("T_1", T_1, (4, 4))
    s = as_array("s", s, ())[..., None]
    R_0, p_0 = T_0[..., :3, :3], T_0[..., :3, 3]
    turn = so3.log(R_0.swapaxes(-1, -2) @ T_1[..., :3, :3])
    p = (1.0 - s) * p_0 + s * T_1[..., :3, 3]
    return pose_from_rotation_translation(R_0 @ so3.exp(s * turn), p)


def translation_distance(T_a: ArrayLike, T_b: ArrayLike) -> FloatArray:
    """Return the distance [m] between the origins of two poses, shape (...).

    Args:
        T_a: Poses, shape (..., 4, 4).
        T_b: Poses, shape (..., 4, 4).

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import pose_from_vector, se3
        >>> T_b = pose_from_vector([1, 0, 0, 0, 0.3, 0.4, 0.0])
        >>> print(se3.translation_distance(np.eye(4), T_b))
        0.5
    """
    T_a, T_b = as_array("T_a", T_a, (4, 4)), as_array("T_b", T_b, (4, 4))
    step = T_b[..., :3, 3] - T_a[..., :3, 3]
    return np.sqrt(np.vecdot(step, step))


def rotation_distance(T_a: ArrayLike, T_b: ArrayLike) -> FloatArray:
    """Return the angle [rad] between the orientations of two poses, shape (...).

    Args:
        T_a: Poses, shape (..., 4, 4).
        T_b: Poses, shape (..., 4, 4).

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import pose_from_rotation_translation, rot_x, se3
        >>> T_b = pose_from_rotation_translation(rot_x(0.5), [1.0, 2.0, 3.0])
        >>> print(se3.rotation_distance(np.eye(4), T_b).round(12))
        0.5
    """
    T_a, T_b = as_array("T_a", T_a, (4, 4)), as_array("T_b", T_b, (4, 4))
    return so3.angle_between(T_a[..., :3, :3], T_b[..., :3, :3])


def distance(T_a: ArrayLike, T_b: ArrayLike, *, length: float) -> FloatArray:
    """Return one distance [m] of two poses: sqrt(d^2 + (length * angle)^2).

    Args:
        T_a: Poses, shape (..., 4, 4).
        T_b: Poses, shape (..., 4, 4).
        length: Lever arm at which a turn counts as much as the path of its tip [m].

    Returns:
        A metric on poses, the same in every world frame, shape (...).

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import pose_from_rotation_translation, rot_x, se3
        >>> T_b = pose_from_rotation_translation(rot_x(0.4), [0.3, 0.0, 0.0])
        >>> print(se3.distance(np.eye(4), T_b, length=1.0).round(12))
        0.5
    """
    return np.hypot(
        translation_distance(T_a, T_b), length * rotation_distance(T_a, T_b)
    )


def pose_from_vector(vector: ArrayLike) -> FloatArray:
    """Return the pose of a vector (w, x, y, z, p_x, p_y, p_z), as files store it.

    Args:
        vector: Quaternion, not zero, and position [m], shape (..., 7).

    Returns:
        Poses, shape (..., 4, 4).

    Example:
        >>> from gelenk.spatial import pose_from_vector
        >>> print(pose_from_vector([1, 0, 0, 0, 0.1, 0.2, 0.3])[:3, 3])
        [0.1 0.2 0.3]
    """
    vector = as_array("vector", vector, (7,))
    R = quaternion.matrix_from_quaternion(vector[..., :4])
    return pose_from_rotation_translation(R, vector[..., 4:])


def vector_from_pose(T: ArrayLike) -> FloatArray:
    """Return the vector (w, x, y, z, p_x, p_y, p_z) of a pose, w >= 0.

    Args:
        T: Poses, shape (..., 4, 4).

    Returns:
        Unit quaternion and position [m], shape (..., 7).

    Example:
        >>> import numpy as np
        >>> from gelenk.spatial import vector_from_pose
        >>> print(vector_from_pose(np.eye(4)))
        [1. 0. 0. 0. 0. 0. 0.]
    """
    T = as_array("T", T, (4, 4))
    quat = quaternion.quaternion_from_matrix(T[..., :3, :3])
    return np.concatenate([quat, T[..., :3, 3]], axis=-1)
