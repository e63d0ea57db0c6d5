"""Motion of vehicles from pose to pose: steps along arcs, drives to a goal.

Poses are (x, y, θ) in the world, twists (v_x, v_y, ω) in body axes. What turning wheels
tell of a way, and its errors: `gelenk.navigation.odometry`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.navigation.odometry import split_motion
from gelenk.navigation.planar import relative_pose
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, FloatArray


def differential_twist(
    rates: ArrayLike, *, radius: float, track: float
) -> tuple[FloatArray, FloatArray]:
    """Return speed [m/s] and turn rate [rad/s] of a vehicle on two driven wheels.

    v = r (ω_r + ω_l) / 2, ω = r (ω_r - ω_l) / b.

    Args:
        rates: (left, right) [rad/s], shape (..., 2).
        radius: r of both wheels [m].
        track: b, distance between them [m].

    Example:
        >>> v, omega = differential_twist([6.0, 8.0], radius=0.05, track=0.3)
        >>> print(round(float(v), 6), round(float(omega), 6))
        0.35 0.333333
    """
    left, right = np.moveaxis(as_finite("rates", rates, (2,)), -1, 0)
    return 0.5 * radius * (left + right), radius * (right - left) / track


def differential_wheels(
    speed: ArrayLike, turn: ArrayLike, *, radius: float, track: float
) -> FloatArray:
    """Return (left, right) wheel rates: (v ∓ ω b/2) / r [rad/s], shape (..., 2).

    Example:
        >>> print(differential_wheels(0.4, 1.0, radius=0.05, track=0.3).round(9))
        [ 5. 11.]
    """
    v, w = np.asarray(speed, np.float64), np.asarray(turn, np.float64)
    return np.stack([v - 0.5 * track * w, v + 0.5 * track * w], axis=-1) / radius


def arc_step(pose: ArrayLike, twist: ArrayLike, dt: ArrayLike) -> FloatArray:
    """Return the pose after a constant twist: exact, along an arc.

    The chord of an arc of angle a = ω dt is sinc(a/2) of its length and points along
    θ + a/2; nothing is special at ω = 0.

    Args:
        pose: (x, y, θ) [m], [rad], shape (..., 3).
        twist: (v_x, v_y, ω), shape (..., 3).
        dt: Duration [s], shape (...).

    Example:
        >>> print(arc_step([1, 2, np.pi / 6], [0.35, 0, 1 / 3], 0.5).round(6))
        [1.143579 2.099696 0.690265]
    """
    x, y, heading = np.moveaxis(as_finite("pose", pose, (3,)), -1, 0)
    vx, vy, omega = np.moveaxis(as_finite("twist", twist, (3,)), -1, 0)
    dt = np.asarray(dt, np.float64)
    half = 0.5 * omega * dt
    length = dt * np.sinc(half / np.pi)
    c, s = np.cos(heading + half), np.sin(heading + half)
    return np.stack(
        np.broadcast_arrays(
            x + length * (c * vx - s * vy),
            y + length * (s * vx + c * vy),
            heading + 2.0 * half,
        ),
        axis=-1,
    )


def turn_drive_turn(start: ArrayLike, goal: ArrayLike) -> tuple[float, float, float]:
    """Return the turn [rad], way [m] and turn [rad] that lead to a pose.

    Example:
        >>> turn, way, end = turn_drive_turn([0, 0, 0], [2, 1, np.pi / 2])
        >>> print(round(turn, 6), round(way, 6), round(end, 6))
        0.463648 2.236068 1.107149
    """
    first, way, last = split_motion(relative_pose(start, goal)).tolist()
    return first, way, last


def flat_inputs(
    velocity: ArrayLike, acceleration: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return heading [rad], speed [m/s] and turn rate [rad/s] along a path x(t), y(t).

    θ = atan2(ẏ, ẋ), v = √(ẋ² + ẏ²), ω = (ẋ ÿ - ẏ ẍ) / v²: the place alone determines
    everything else of a vehicle that rolls without slip (a flat output).

    Args:
        velocity: (ẋ, ẏ) [m/s], shape (..., 2).
        acceleration: (ẍ, ÿ) [m/s^2], shape (..., 2).

    Raises:
        ConfigError: If the path stands still: its heading is not determined there.

    Example:
        >>> heading, v, omega = flat_inputs([0.0, 2.0], [-4.0, 0.0])
        >>> print(round(float(heading), 6), float(v), float(omega))
        1.570796 2.0 2.0
    """
    d, dd = as_finite("velocity", velocity, (2,)), np.asarray(acceleration, np.float64)
    square = np.sum(d * d, axis=-1)
    if np.any(square == 0.0):
        raise ConfigError("the path stands still, its heading is not determined")
    turn = (d[..., 0] * dd[..., 1] - d[..., 1] * dd[..., 0]) / square
    return np.arctan2(d[..., 1], d[..., 0]), np.sqrt(square), turn


@dataclass(frozen=True, slots=True, kw_only=True)
class PolarGains:
    """Gains of the controller to a pose; stable for k_ρ > 0, k_β < 0, k_α > k_ρ.

    Attributes:
        rho: Speed per distance [1/s].
        alpha: Turn rate per bearing of the goal [1/s].
        beta: Turn rate per direction of approach [1/s].
    """

    rho: float = 3.0
    alpha: float = 8.0
    beta: float = -1.5

    def __post_init__(self) -> None:
        if not (self.rho > 0.0 and self.beta < 0.0 and self.alpha > self.rho):
            raise ConfigError(
                "gains must satisfy rho > 0, beta < 0, alpha > rho, got "
                f"{self.rho}, {self.beta}, {self.alpha}"
            )


def polar_coordinates(
    pose: ArrayLike, goal: ArrayLike, *, backwards: bool = False
) -> FloatArray:
    """Return (ρ, α, β): distance [m], bearing and approach [rad], shape (..., 3).

    With the goal as origin: ρ = √(x² + y²), α = atan2(-y, -x) - θ, β = -θ - α; a
    vehicle that drives backwards sees the goal behind it.
    """
    p, g = as_finite("pose", pose, (3,)), as_finite("goal", goal, (3,))
    c, s = np.cos(g[..., 2]), np.sin(g[..., 2])
    dx, dy = p[..., 0] - g[..., 0], p[..., 1] - g[..., 1]
    x, y = c * dx + s * dy, c * dy - s * dx
    heading = wrap_angle(p[..., 2] - g[..., 2])
    alpha = np.arctan2(-y, -x) - heading + (np.pi if backwards else 0.0)
    alpha = wrap_angle(alpha)
    return np.stack([np.hypot(x, y), alpha, wrap_angle(-heading - alpha)], axis=-1)


def polar_control(
    pose: ArrayLike,
    goal: ArrayLike,
    *,
    gains: PolarGains | None = None,
    backwards: bool = False,
) -> tuple[float, float]:
    """Return speed [m/s] and turn rate [rad/s] towards a pose.

    v = ±k_ρ ρ, ω = k_α α + k_β β. Whether to drive backwards is decided once, at the
    start (|α| > π/2 there): deciding in every cycle may change for ever.

    Example:
        >>> v, omega = polar_control([-1.0, -0.5, 0.3], [0.0, 0.0, 0.0])
        >>> print(round(v, 6), round(omega, 6))
        3.354102 2.004652
    """
    k = gains or PolarGains()
    rho, alpha, beta = polar_coordinates(pose, goal, backwards=backwards)
    sign = -1.0 if backwards else 1.0
    return float(sign * k.rho * rho), float(k.alpha * alpha + k.beta * beta)


def drive_to_pose(
    start: ArrayLike,
    goal: ArrayLike,
    *,
    gains: PolarGains | None = None,
    duration: float = 6.0,
    dt: float = 0.01,
) -> FloatArray:
    """Return the poses of a vehicle under polar control, shape (k, 3)."""
    pose = as_finite("start", start, (3,))
    backwards = abs(float(polar_coordinates(pose, goal)[1])) > 0.5 * np.pi
    poses = [pose]
    for _ in range(round(duration / dt)):
        v, omega = polar_control(poses[-1], goal, gains=gains, backwards=backwards)
        poses.append(arc_step(poses[-1], [v, 0.0, omega], dt))
    return np.stack(poses)
