"""Visual servoing, by pose or by image, and fusion of camera and touch.

Camera axes as OpenCV's: z forward, x right, y down. Image points are in the plane at
unit distance, x = X/Z and y = Y/Z, so no focal length appears. Of an object's planar
pose (x, y, θ) the camera gives all, roughly; a finger on a face gives one equation,
exactly. Each corrects the other in one filter.
"""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_array, as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.estimation.kalman import Belief, Correction, extended_update
from gelenk.spatial import so3
from gelenk.spatial.angles import angle_difference
from gelenk.typing import ArrayLike, FloatArray


def pose_servo_twist(T_wanted_camera: ArrayLike, *, gain: float) -> FloatArray:
    """Return the camera twist [v; ω] that leads to a wanted pose on a straight line.

    v = -λ Rᵀ t, ω = -λ θu, with R, t the camera as seen from where it should be and θu
    the rotation vector of R. Position and angle both decay as e^{-λt}.

    Args:
        T_wanted_camera: Pose of the camera in the wanted camera frame; from images of
            a known object T_wanted_object T_camera_object⁻¹, shape (..., 4, 4).
        gain: Gain λ [1/s].

    Returns:
        Twist of the camera in its own axes [m/s], [rad/s], shape (..., 6).

    Example:
        >>> T = np.eye(4)
        >>> T[:3, 3] = [0.1, 0.0, -0.2]
        >>> print(pose_servo_twist(T, gain=2.0) + 0.0)
        [-0.2  0.   0.4  0.   0.   0. ]
    """
    T = as_array("T_wanted_camera", T_wanted_camera, (4, 4))
    R, t = T[..., :3, :3], T[..., :3, 3]
    v = np.matvec(R.swapaxes(-1, -2), t)
    return -gain * np.concatenate([v, so3.log(R)], axis=-1)


def interaction_matrix(points: ArrayLike, depth: ArrayLike) -> FloatArray:
    """Return L with ṡ = L [v; ω]: how image points move when the camera does.

    Rows (-1/Z, 0, x/Z, xy, -(1 + x²), y) and (0, -1/Z, y/Z, 1 + y², -xy, -x).

    Args:
        points: Image points (x, y) in the plane at unit distance, shape (..., 2).
        depth: Depth Z of each point [m], shape (...).

    Returns:
        Array of shape (..., 2, 6).

    Example:
        >>> print(interaction_matrix([0.1, -0.2], 2.0))
        [[-0.5   0.    0.05 -0.02 -1.01 -0.2 ]
         [ 0.   -0.5  -0.1   1.04  0.02 -0.1 ]]
    """
    s, Z = as_array("points", points, (2,)), np.asarray(depth, np.float64)
    if not np.all(Z > 0.0):
        raise ConfigError("`depth` must be > 0 m: points lie before the camera")
    x, y = s[..., 0], s[..., 1]
    x, y, Z = np.broadcast_arrays(x, y, Z)
    zero = np.zeros_like(x)
    rows = (
        (-1.0 / Z, zero, x / Z, x * y, -(1.0 + x * x), y),
        (zero, -1.0 / Z, y / Z, 1.0 + y * y, -x * y, -x),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def image_servo_twist(
    points: ArrayLike, wanted: ArrayLike, depth: ArrayLike, *, gain: float
) -> FloatArray:
    """Return the camera twist v = -λ L⁺ (s - s*) that moves points to wanted places.

    No 3-D reconstruction; the depths need only be rough. Take four points or more:
    three leave several camera poses with one image.

    Args:
        points: Image points s, shape (k, 2).
        wanted: Wanted image points s*, shape (k, 2).
        depth: Depth Z of each point [m], a number or (k,).
        gain: Gain λ [1/s].

    Returns:
        Twist of the camera in its own axes, shape (6,).

    Example:
        >>> import numpy as np
        >>> from gelenk.control import image_servo_twist
        >>> square = np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]]) * 0.1
        >>> print(image_servo_twist(0.9 * square, square, 1.0, gain=1.0).round(6) + 0.0)
        [0.       0.       0.111111 0.       0.       0.      ]
    """
    s, goal = np.asarray(points, np.float64), np.asarray(wanted, np.float64)
    if s.shape != goal.shape or s.ndim != 2 or s.shape[1] != 2:
        raise ShapeError("points", expected=str(goal.shape), actual=s.shape)
    L = interaction_matrix(s, depth).reshape(-1, 6)
    return -gain * np.linalg.pinv(L) @ (s - goal).ravel()


def feature_jacobian(
    points: ArrayLike,
    depth: ArrayLike,
    R_base_camera: ArrayLike,
    J_base_camera: ArrayLike,
) -> FloatArray:
    """Return ∂s/∂q of a camera in the hand: L blkdiag(Rᵀ, Rᵀ) J, shape (2k, n).

    Then Δq = J⁺ (s* - s) is one Gauss-Newton step of ‖s* - s‖²; the pseudo-inverse, for
    the matrix is hardly ever square.

    Args:
        points: Image points, shape (k, 2).
        depth: Depths of the points [m], a number or (k,).
        R_base_camera: Orientation of the camera, shape (3, 3).
        J_base_camera: Jacobian of the camera's origin, base axes, shape (6, n).

    Example:
        >>> J = feature_jacobian([[0.1, -0.2]], 2.0, np.eye(3), np.eye(6))
        >>> bool(np.allclose(J, interaction_matrix([0.1, -0.2], 2.0)))
        True
    """
    R = as_array("R_base_camera", R_base_camera, (3, 3)).T
    J = np.asarray(J_base_camera, np.float64)
    L = interaction_matrix(points, depth).reshape(-1, 6)
    return L[:, :3] @ (R @ J[:3]) + L[:, 3:] @ (R @ J[3:])


def fixed_camera_jacobian(
    points: ArrayLike,
    depth: ArrayLike,
    R_base_camera: ArrayLike,
    J_base_hand: ArrayLike,
) -> FloatArray:
    """Return ∂s/∂q of a fixed camera that watches the hand, shape (2k, n).

    -L times the twist of the hand in camera axes, referred to the camera's origin.

    Args:
        points: Image points, shape (k, 2).
        depth: Depths of the points [m], a number or (k,).
        R_base_camera: Orientation of the camera, shape (3, 3).
        J_base_hand: Jacobian of the hand, base axes, of the point of the hand that is
            at the camera's origin (`moved_jacobian`), shape (6, n).

    Example:
        >>> J = fixed_camera_jacobian([[0.0, 0.0]], 2.0, np.eye(3), np.eye(6)[:, :1])
        >>> print(J[:, 0])
        [0.5 0. ]
    """
    return -feature_jacobian(points, depth, R_base_camera, J_base_hand) + 0.0


def broyden_update(J: ArrayLike, step: ArrayLike, change: ArrayLike) -> FloatArray:
    """Return the Jacobian corrected by one observed step: J + (Δs - J Δq) Δqᵀ / |Δq|².

    The smallest change that explains what was seen: no calibration is needed.

    Args:
        J: Estimate, shape (m, n).
        step: Step Δq, not 0, shape (n,).
        change: Δs that it caused, shape (m,).

    Example:
        >>> J = broyden_update(np.zeros((2, 2)), [0.0, 2.0], [1.0, 3.0])
        >>> print(J @ [0.0, 2.0])
        [1. 3.]
    """
    J, dq = np.asarray(J, np.float64), np.asarray(step, np.float64)
    size = float(dq @ dq)
    if size == 0.0:
        raise ConfigError("`step` must not be zero: it shows nothing")
    return J + np.outer(np.asarray(change, np.float64) - J @ dq, dq) / size


def fuse_vision(belief: Belief, pose: ArrayLike, covariance: ArrayLike) -> Correction:
    """Return the belief after the camera saw the object at a pose.

    Args:
        belief: Belief about (x, y, θ) [m], [rad].
        pose: Seen pose (x, y, θ) [m], [rad], shape (3,).
        covariance: Covariance of the camera's error, shape (3, 3).

    Example:
        >>> before = Belief(mean=[0, 0, 0], covariance=np.eye(3))
        >>> print(fuse_vision(before, [1, 2, 0], np.eye(3)).belief.mean)
        [0.5 1.  0. ]
    """

    def difference(a: FloatArray, b: FloatArray) -> FloatArray:
        return np.append(a[:2] - b[:2], angle_difference(a[2], b[2]))

    return extended_update(
        belief,
        as_finite("pose", pose, (3,)),
        lambda x: x,
        lambda x: np.eye(3),
        covariance,
        difference=difference,
    )


def fuse_contact(
    belief: Belief, finger: ArrayLike, normal: ArrayLike, offset: float, *, sigma: float
) -> Correction:
    """Return the belief after a finger touched a face of the object.

    The finger at c lies on the face nᵀ p = d: 0 = nᵀ R(θ)ᵀ (c - (x, y)) - d.

    Args:
        belief: Belief about (x, y, θ) [m], [rad].
        finger: Position c of the fingertip, from the joints [m], shape (2,).
        normal: Outward normal n of the face, object axes, shape (2,).
        offset: Distance d of the face from the object's origin [m].
        sigma: Standard deviation of the finger's place along the normal [m].

    Example:
        A face 0.1 m right of the origin is touched at x = 0.12: the object is at 0.02.

        >>> before = Belief(mean=[0, 0, 0], covariance=np.diag([1.0, 1.0, 1e-12]))
        >>> after = fuse_contact(before, [0.12, 0.0], [1, 0], 0.1, sigma=1e-6)
        >>> print(after.belief.mean.round(6) + 0.0)
        [0.02 0.   0.  ]
    """
    c, n = as_finite("finger", finger, (2,)), as_finite("normal", normal, (2,))

    def gap(x: FloatArray) -> FloatArray:
        R, _ = _turn(x[2])
        return np.array([n @ (R.T @ (c - x[:2])) - offset])

    def slope(x: FloatArray) -> FloatArray:
        R, R_rate = _turn(x[2])
        return np.array([[*(-R @ n), n @ (R_rate.T @ (c - x[:2]))]])

    return extended_update(belief, [0.0], gap, slope, [[sigma**2]])


def visual_impedance(
    seen: tuple[ArrayLike, ArrayLike],
    tool: tuple[ArrayLike, ArrayLike],
    normal: ArrayLike,
    *,
    stiffness: float,
    damping: float,
    push: float,
) -> FloatArray:
    """Return a tool force that follows the image along a face and presses against it.

    Along the face a spring to the seen place, along its normal a force; the eye is good
    at the one and the hand at the other.

    Args:
        seen: Place and velocity of the target by eye [m], [m/s], each (d,).
        tool: Place and velocity of the tool, each (d,).
        normal: Outward normal of the face, any length, shape (d,).
        stiffness: Stiffness along the face [N/m].
        damping: Damping in all directions [N s/m].
        push: Force into the face [N].

    Returns:
        Force [N], shape (d,).

    Example:
        >>> rest = [0.0, 0.0]
        >>> f = visual_impedance(
        ...     ([0.01, 0.5], rest), (rest, rest), [0, 1],
        ...     stiffness=400.0, damping=9.0, push=5.0,
        ... )
        >>> print(f)
        [ 4. -5.]
    """
    n = np.asarray(normal, np.float64)
    n = n / np.linalg.norm(n)
    error = np.asarray(seen[0], np.float64) - np.asarray(tool[0], np.float64)
    rate = np.asarray(seen[1], np.float64) - np.asarray(tool[1], np.float64)
    along = error - (n @ error) * n
    return stiffness * along + damping * rate - push * n


def _turn(angle: float) -> tuple[FloatArray, FloatArray]:
    """Return R(θ) and dR/dθ, each (2, 2)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]]), np.array([[-s, -c], [c, -s]])
