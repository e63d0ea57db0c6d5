"""Several senses together: an object's pose by eye and touch, and control by both.

The camera gives all of the planar pose (x, y, θ), roughly; a finger on a face gives one
equation, exactly. Each corrects the other in one filter.
"""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_finite
from gelenk.estimation.kalman import Belief, Correction, extended_update
from gelenk.spatial.angles import angle_difference
from gelenk.typing import ArrayLike, FloatArray


def fuse_vision(belief: Belief, pose: ArrayLike, covariance: ArrayLike) -> Correction:
    """Return the belief after the camera saw the object at a pose.

    Args:
        belief: Of (x, y, θ) [m], [rad].
        pose: Seen (x, y, θ), shape (3,).
        covariance: Of the camera's error, shape (3, 3).

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
        belief: Of (x, y, θ) [m], [rad].
        finger: c, where the fingertip is, from the joints [m], shape (2,).
        normal: n of the face, outward, object axes, shape (2,).
        offset: d, distance of the face from the object's origin [m].
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
        stiffness: Along the face [N/m].
        damping: In all directions [N s/m].
        push: Into the face [N].

    Returns:
        [N], shape (d,).

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
