"""Walking reduced to an inverted pendulum: its motion, its energy, where to step.

The linear inverted pendulum (LIPM) carries its mass at constant height z_c over the
point p: ẍ = ω² (x - p), ω = √(g / z_c). Good for slow walking; fast gaits need springs.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

GRAVITY = 9.81  # [m/s^2]


def pendulum_rate(height: float, *, gravity: float = GRAVITY) -> float:
    """Return ω = √(g / z_c) [1/s].

    Example:
        >>> round(pendulum_rate(0.8), 6)
        3.501785
    """
    if not height > 0.0:
        raise ConfigError(f"`height` must be > 0 m, got {height}")
    return math.sqrt(gravity / height)


def pendulum_acceleration(
    angle: ArrayLike,
    base_acceleration: ArrayLike,
    *,
    length: float,
    gravity: float = GRAVITY,
) -> FloatArray:
    """Return θ̈ of an inverted pendulum on an accelerated base [rad/s^2].

    l θ̈ - g sin θ = -ẍ cos θ, θ from the vertical; for small angles l θ̈ - g θ = -ẍ.

    Example:
        The base accelerates just as much as the mass falls:

        >>> balanced = 9.81 * np.tan(0.1)
        >>> round(abs(float(pendulum_acceleration(0.1, balanced, length=1.0))), 12)
        0.0
    """
    theta = np.asarray(angle, np.float64)
    push = np.asarray(base_acceleration, np.float64) * np.cos(theta)
    return (gravity * np.sin(theta) - push) / length


def lipm_state(
    place: ArrayLike,
    speed: ArrayLike,
    t: ArrayLike,
    *,
    height: float,
    foot: ArrayLike = 0.0,
) -> tuple[FloatArray, FloatArray]:
    """Return place [m] and speed [m/s] of the mass after a time, exactly.

    x = p + (x₀ - p) cosh ωt + (v₀ / ω) sinh ωt. Arguments broadcast.

    Example:
        >>> x, v = lipm_state(0.0, 0.5, 0.3, height=0.8)
        >>> print(round(float(x), 6), round(float(v), 6))
        0.179154 0.802233
    """
    w = pendulum_rate(height)
    p, v0 = np.asarray(foot, np.float64), np.asarray(speed, np.float64)
    off = np.asarray(place, np.float64) - p
    c, s = np.cosh(w * np.asarray(t)), np.sinh(w * np.asarray(t))
    return p + off * c + v0 / w * s, off * w * s + v0 * c


def orbital_energy(
    place: ArrayLike, speed: ArrayLike, *, height: float, foot: ArrayLike = 0.0
) -> FloatArray:
    """Return ½ ẋ² - ½ ω² (x - p)² [m^2/s^2], constant during a step.

    Positive: the mass passes over the foot; negative: it turns back; 0: it comes to
    rest on top.
    """
    off = np.asarray(place, np.float64) - np.asarray(foot, np.float64)
    v, w = np.asarray(speed, np.float64), pendulum_rate(height)
    return 0.5 * v * v - 0.5 * w * w * off * off


def capture_point(place: ArrayLike, speed: ArrayLike, *, height: float) -> FloatArray:
    """Return ξ = x + ẋ / ω [m]: stepping there brings the pendulum to rest.

    Example:
        >>> round(float(capture_point(0.0, 0.5, height=0.8)), 6)
        0.142784
    """
    w = pendulum_rate(height)
    return np.asarray(place, np.float64) + np.asarray(speed, np.float64) / w


def capture_step(
    place: ArrayLike, speed: ArrayLike, t_step: float, *, height: float, foot: ArrayLike
) -> FloatArray:
    """Return where to put the other foot at a time to come [m].

    Until then the capture point runs away from the foot: ξ(t) = p + (ξ₀ - p) e^{ωt}.
    """
    p = np.asarray(foot, np.float64)
    xi = capture_point(place, speed, height=height)
    return p + (xi - p) * math.exp(pendulum_rate(height) * t_step)


def capturability(
    num_steps: int | None,
    *,
    height: float,
    step_time: float,
    reach: float,
    foot_radius: float = 0.0,
) -> float:
    """Return d_N [m]: who has |ξ - p| ≤ d_N comes to rest within N steps.

    d_0 = r, d_N = (l_max - r + d_{N-1}) e^{-ωT} + r; without end it approaches d_∞.

    Args:
        num_steps: N; None: any number.
        height: z_c [m].
        step_time: T, shortest time for a step [s].
        reach: l_max, longest step [m].
        foot_radius: r, how far the foot can move its pressure [m].

    Example:
        >>> walker = dict(height=0.8, step_time=0.3, reach=0.7)
        >>> print([round(capturability(n, **walker), 6) for n in (0, 1, 2, None)])
        [0.0, 0.244825, 0.330453, 0.37651]
    """
    decay = math.exp(-pendulum_rate(height) * step_time)
    step = reach - foot_radius
    if num_steps is None:
        return (step * decay + foot_radius) / (1.0 - decay)
    d = foot_radius
    for _ in range(num_steps):
        d = (step + d) * decay + foot_radius
    return d
