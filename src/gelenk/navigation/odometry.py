"""Odometry: the pose summed from wheel turns, and its growing covariance.

Two driven wheels with radius r and track b travel ds_L, ds_R per step:

    ds = (ds_R + ds_L) / 2,  dθ = (ds_R - ds_L) / b,

along an arc of constant curvature. Every step adds its error to all before it: the
position errs the more the farther the robot goes, and nothing ever corrects it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.navigation.planar import compose, matrix_from_rows
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class WheelPair:
    """Two wheels on one axle.

    Attributes:
        left_radius: Radius of the left wheel [m].
        right_radius: Radius of the right wheel [m].
        track: Distance of the contact points [m].

    Example:
        >>> from gelenk.navigation import WheelPair
        >>> WheelPair(track=0.4).left_radius
        0.05
    """

    left_radius: float = 0.05
    right_radius: float = 0.05
    track: float = 0.3

    def __post_init__(self) -> None:
        if not (self.left_radius > 0 and self.right_radius > 0 and self.track > 0):
            raise ConfigError("radii and `track` must be positive [m]")


def wheel_step(wheels: WheelPair, turns: ArrayLike) -> FloatArray:
    """Return the motion of one step in the robot's frame, exactly along its arc.

    (ds sinc(dθ/2) cos(dθ/2), ds sinc(dθ/2) sin(dθ/2), dθ), sinc(a) = sin(a) / a.

    Args:
        wheels: Geometry of the wheels.
        turns: Angles of the left and the right wheel [rad], shape (..., 2).

    Returns:
        (dx [m], dy [m], dθ [rad]), shape (..., 3).

    Example:
        >>> from gelenk.navigation import WheelPair
        >>> wheels = WheelPair(left_radius=0.1, right_radius=0.1, track=0.5)
        >>> print(wheel_step(wheels, [5.0, 5.0]))
        [0.5 0.  0. ]
    """
    angle = as_finite("turns", turns, (2,))
    left, right = (
        wheels.left_radius * angle[..., 0],
        wheels.right_radius * angle[..., 1],
    )
    ds, dtheta = 0.5 * (left + right), (right - left) / wheels.track
    chord = ds * np.sinc(dtheta / (2.0 * np.pi))
    return np.stack(
        [chord * np.cos(0.5 * dtheta), chord * np.sin(0.5 * dtheta), dtheta], axis=-1
    )


def integrate_wheels(
    wheels: WheelPair, pose: ArrayLike, turns: ArrayLike
) -> FloatArray:
    """Return all poses of a path, from its wheel turns.

    Args:
        wheels: Geometry of the wheels.
        pose: Pose at the start, shape (..., 3).
        turns: Turns of the left and right wheel per step [rad], shape (..., k, 2).

    Returns:
        Shape (..., k + 1, 3).

    Example:
        A quarter circle of radius 1 m to the left.

        >>> from gelenk.navigation import WheelPair, integrate_wheels
        >>> wheels = WheelPair(left_radius=0.1, right_radius=0.1, track=0.2)
        >>> turns = np.tile([0.9, 1.1], (10, 1)) * np.pi / 2
        >>> print(integrate_wheels(wheels, [0.0, 0.0, 0.0], turns)[-1].round(6))
        [1.       1.       1.570796]
    """
    steps = wheel_step(wheels, turns)
    at = as_finite("pose", pose, (3,))
    at = np.broadcast_to(at, (*steps.shape[:-2], 3))
    poses = [at]
    for k in range(steps.shape[-2]):
        poses.append(compose(poses[-1], steps[..., k, :]))
    return np.stack(poses, axis=-2)


def propagate_covariance(
    wheels: WheelPair,
    pose: ArrayLike,
    covariance: ArrayLike,
    turns: ArrayLike,
    k: float,
) -> FloatArray:
    """Return the covariance of the pose after one step.

    P <- F P Fᵀ + G diag(k |ds_L|, k |ds_R|) Gᵀ: slip grows with the way of each wheel.

    Args:
        wheels: Geometry of the wheels.
        pose: Pose before the step, shape (..., 3).
        covariance: Covariance before the step, shape (..., 3, 3).
        turns: Turns of the left and right wheel during the step [rad], shape (..., 2).
        k: Variance of a wheel's way per metre [m].

    Example:
        Straight ahead, the heading error carries the robot aside.

        >>> from gelenk.navigation import WheelPair, propagate_covariance
        >>> P = np.diag([0.0, 0.0, 0.01])
        >>> P = propagate_covariance(WheelPair(), [0, 0, 0], P, [20.0, 20.0], 0.0)
        >>> print(np.diag(P))
        [0.   0.01 0.01]
    """
    x, angle = as_finite("pose", pose, (3,)), as_finite("turns", turns, (2,))
    P = as_finite("covariance", covariance, (3, 3))
    ways = angle * np.array([wheels.left_radius, wheels.right_radius])
    ds, dtheta = ways.mean(axis=-1), (ways[..., 1] - ways[..., 0]) / wheels.track
    half = x[..., 2] + 0.5 * dtheta
    c, s, zero = np.cos(half), np.sin(half), np.zeros_like(half)
    one = zero + 1.0
    F = matrix_from_rows([[one, zero, -ds * s], [zero, one, ds * c], [zero, zero, one]])
    a = ds / (2.0 * wheels.track)
    G = matrix_from_rows(
        [
            [0.5 * c + a * s, 0.5 * c - a * s],
            [0.5 * s - a * c, 0.5 * s + a * c],
            [-one / wheels.track, one / wheels.track],
        ]
    )
    slip = k * np.abs(ways)
    moved = F @ P @ np.swapaxes(F, -1, -2)
    return moved + (G * slip[..., None, :]) @ np.swapaxes(G, -1, -2)


@dataclass(frozen=True, slots=True, kw_only=True)
class OdometryNoise:
    """Variances of rotation, translation, rotation of the odometry.

    Attributes:
        turn_turn: α1, of a turn per squared turn [1].
        turn_way: α2, of a turn per squared way [rad²/m²].
        way_way: α3, of a way per squared way [1].
        way_turn: α4, of a way per squared turn [m²/rad²].
    """

    turn_turn: float = 0.01
    turn_way: float = 0.001
    way_way: float = 0.01
    way_turn: float = 0.001


def split_motion(motion: ArrayLike) -> FloatArray:
    """Return a motion as rotation δ1, translation δt, rotation δ2.

    Args:
        motion: Motion (dx, dy, dθ) in the frame before it, shape (..., 3).

    Returns:
        δ1 [rad], δt [m], δ2 [rad], shape (..., 3); turning on the spot: δ1 = 0.

    Example:
        >>> print(split_motion([0.0, 2.0, 0.5]).round(6))
        [ 1.570796  2.       -1.070796]
    """
    d = as_finite("motion", motion, (3,))
    way = np.hypot(d[..., 0], d[..., 1])
    first = np.where(way > 1e-9, np.arctan2(d[..., 1], d[..., 0]), 0.0)
    return np.stack([first, way, wrap_angle(d[..., 2] - first)], axis=-1)


def odometry_sigmas(motion: ArrayLike, noise: OdometryNoise) -> FloatArray:
    """Return the standard deviations of δ1, δt, δ2, shape (..., 3).

    Driving backwards is no turn: in the variances a turn counts as the smaller of |δ|
    and |δ + π|.
    """
    d = split_motion(motion)
    first, way, second = d[..., 0], d[..., 1], d[..., 2]
    a = np.minimum(np.abs(first), np.abs(wrap_angle(first + np.pi)))
    b = np.minimum(np.abs(second), np.abs(wrap_angle(second + np.pi)))
    n = noise
    variance = np.stack(
        [
            n.turn_turn * a**2 + n.turn_way * way**2,
            n.way_way * way**2 + n.way_turn * (a**2 + b**2),
            n.turn_turn * b**2 + n.turn_way * way**2,
        ],
        axis=-1,
    )
    return np.sqrt(variance)


def sample_odometry(
    poses: ArrayLike,
    motion: ArrayLike,
    noise: OdometryNoise,
    rng: np.random.Generator,
) -> FloatArray:
    """Return poses sampled after a motion measured by odometry.

    Args:
        poses: Poses before the motion, shape (..., 3).
        motion: Motion told by the odometry, in the frame before it, shape (3,).
        noise: Noise of the wheels.
        rng: Source of the errors.

    Example:
        >>> rng = np.random.default_rng(0)
        >>> told = np.array([1.0, 0.0, 0.0])
        >>> after = sample_odometry(np.zeros((5000, 3)), told, OdometryNoise(), rng)
        >>> print(after.std(axis=0).round(2))
        [0.1  0.03 0.05]
    """
    x = as_finite("poses", poses, (3,))
    told, sigma = split_motion(motion), odometry_sigmas(motion, noise)
    drawn = told - sigma * rng.standard_normal((*x.shape[:-1], 3))
    heading = x[..., 2] + drawn[..., 0]
    return np.stack(
        [
            x[..., 0] + drawn[..., 1] * np.cos(heading),
            x[..., 1] + drawn[..., 1] * np.sin(heading),
            wrap_angle(heading + drawn[..., 2]),
        ],
        axis=-1,
    )
