"""Walks planned by the zero-moment point and the linear inverted pendulum.

The ZMP of a mass at constant height is p = x - (z_c / g) ẍ. Preview control chooses the
jerk of the mass so that p follows its reference, of which it knows the next second or
two: u = -K_s Σ(p - p_ref) - K_x (x, ẋ, ẍ) - Σ_j G_j p_ref(k + j) (Kajita 2003).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_discrete_are

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray, IntArray

GRAVITY = 9.81  # [m/s^2]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewCfg:
    """Preview control of the ZMP.

    Attributes:
        dt: Control period T [s].
        height: Height z_c of the mass [m].
        error_weight: Weight Q_e of the ZMP's error.
        jerk_weight: Weight R of the jerk.
        horizon: Number N of periods that are known ahead.
    """

    dt: float = 0.005
    height: float = 0.8
    error_weight: float = 1.0
    jerk_weight: float = 1e-6
    horizon: int = 320

    def __post_init__(self) -> None:
        if min(self.dt, self.height, self.error_weight, self.jerk_weight) <= 0.0:
            raise ConfigError(f"numbers of preview control must be > 0, got {self}")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PreviewGains:
    """Gains of preview control.

    Attributes:
        integral: Gain K_s of the summed ZMP error.
        state: Gains K_x of (x, ẋ, ẍ), shape (3,).
        preview: Gains G_j of the coming references, shape (N,).
    """

    integral: float
    state: FloatArray
    preview: FloatArray


def preview_gains(cfg: PreviewCfg) -> PreviewGains:
    """Return the optimal gains, from the discrete Riccati equation.

    Example:
        >>> gains = preview_gains(PreviewCfg())
        >>> print(round(gains.integral, 3), gains.state.round(3))
        621.164 [72401.937 21278.65    175.726]
    """
    A, B, C = _system(cfg)
    A_ext = np.block([[np.ones((1, 1)), C @ A], [np.zeros((3, 1)), A]])
    B_ext = np.vstack([C @ B, B])
    Q = np.zeros((4, 4))
    Q[0, 0] = cfg.error_weight
    R = np.array([[cfg.jerk_weight]])
    P = solve_discrete_are(A_ext, B_ext, Q, R)
    S = float((R + B_ext.T @ P @ B_ext)[0, 0])
    K = (B_ext.T @ P @ A_ext)[0] / S
    closed = A_ext - B_ext @ K[None]
    ahead = np.empty(cfg.horizon)
    ahead[0] = -K[0]
    X = -closed.T @ P[:, :1]
    for j in range(1, cfg.horizon):
        ahead[j] = float((B_ext.T @ X)[0, 0]) / S
        X = closed.T @ X
    return PreviewGains(integral=float(K[0]), state=K[1:], preview=ahead)


def follow_zmp(reference: ArrayLike, cfg: PreviewCfg) -> tuple[FloatArray, FloatArray]:
    """Return motions of the mass whose ZMP follows a reference, and that ZMP.

    The mass starts at rest where the reference starts; after its end the reference
    keeps its last value.

    Args:
        reference: Wanted ZMP per period [m], shape (k, ...).
        cfg: Preview control.

    Returns:
        Motion (x, ẋ, ẍ) [m], [m/s], [m/s^2], shape (k, 3, ...), and the ZMP [m], (k,
        ...).
    """
    wanted = as_finite("reference", reference, ())
    flat = wanted.reshape(len(wanted), -1)
    gains = preview_gains(cfg)
    A, B, C = _system(cfg)
    ahead = np.concatenate([flat, np.repeat(flat[-1:], cfg.horizon, axis=0)])
    state = np.zeros((3, flat.shape[1]))
    state[0] = flat[0]
    total = np.zeros(flat.shape[1])
    states, points = np.empty((len(flat), 3, flat.shape[1])), np.empty_like(flat)
    for k in range(len(flat)):
        states[k], points[k] = state, (C @ state)[0]
        total += points[k] - flat[k]
        seen = gains.preview @ ahead[k + 1 : k + 1 + cfg.horizon]
        jerk = -gains.integral * total - gains.state @ state - seen
        state = A @ state + B * jerk
    shape = wanted.shape[1:]
    return states.reshape(len(flat), 3, *shape), points.reshape(wanted.shape)


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkCfg:
    """A straight walk.

    Attributes:
        num_steps: Number of steps, the last one closes the feet.
        length: Length of a step [m].
        width: Distance between the feet's middles [m].
        step_time: Duration of a step [s].
        double_share: Share of a step with both feet on the ground.
        lift: Height of a swinging foot [m].
        wait: Time to stand before and after [s].
    """

    num_steps: int = 10
    length: float = 0.2
    width: float = 0.2
    step_time: float = 0.8
    double_share: float = 0.2
    lift: float = 0.05
    wait: float = 1.6

    def __post_init__(self) -> None:
        if self.num_steps < 2 or not 0.0 < self.double_share < 1.0:
            raise ConfigError(f"a walk needs 2 steps and 0 < share < 1, got {self}")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Walk:
    """A planned walk, k samples.

    Attributes:
        t: Times [s], shape (k,).
        feet: Places of the left and the right foot [m], shape (k, 2, 3).
        is_down: Feet that stand, shape (k, 2).
        zmp_reference: Wanted ZMP [m], shape (k, 2).
        zmp: Zero-moment point of the mass at constant height [m], shape (k, 2).
        centre: Position, velocity and acceleration of the mass, shape (k, 3, 2).
    """

    t: FloatArray
    feet: FloatArray
    is_down: np.ndarray
    zmp_reference: FloatArray
    zmp: FloatArray
    centre: FloatArray


def plan_walk(walk: WalkCfg, preview: PreviewCfg) -> Walk:
    """Return feet, ZMP and centre of mass of a straight walk.

    While both feet stand the ZMP glides from one to the other; then it stays under the
    foot that carries.
    """
    places = _footsteps(walk)
    per_step = round(walk.step_time / preview.dt)
    pause = round(walk.wait / preview.dt)
    count = 2 * pause + walk.num_steps * per_step
    feet, down = np.empty((count, 2, 3)), np.ones((count, 2), dtype=np.bool_)
    wanted = np.empty((count, 2))
    now = places[:2].copy()  # left, right
    feet[:pause], wanted[:pause] = now, now.mean(axis=0)[:2]
    both = round(walk.double_share * per_step)
    for step in range(walk.num_steps):
        swing = _swinging(step)
        first = pause + step * per_step
        last = wanted[first - 1]
        carry = now[1 - swing, :2]
        for k in range(per_step):
            s = min(1.0, (k + 1) / both)
            wanted[first + k] = last + s * (carry - last)
            feet[first + k] = now
            if k >= both:
                share = (k - both + 1) / (per_step - both)
                feet[first + k, swing] = _swing(
                    now[swing], places[step + 2], share, walk.lift
                )
                down[first + k, swing] = share >= 1.0
        now[swing] = places[step + 2]
    tail = count - pause
    feet[tail:] = now
    glide = np.minimum(1.0, (np.arange(pause) + 1.0) / max(both, 1))[:, None]
    wanted[tail:] = wanted[tail - 1] * (1.0 - glide) + now.mean(axis=0)[:2] * glide
    centre, zmp = follow_zmp(wanted, preview)
    return Walk(
        t=preview.dt * np.arange(count, dtype=np.float64),
        feet=feet,
        is_down=down,
        zmp_reference=wanted,
        zmp=zmp,
        centre=centre,
    )


def sole_corners(place: ArrayLike, *, length: float, width: float) -> FloatArray:
    """Return the corners of a sole around its middle, seen from above, shape (4, 2)."""
    x, y = np.asarray(place, np.float64)[:2]
    signs = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]], dtype=np.float64)
    return np.array([x, y]) + 0.5 * signs * [length, width]


def _system(cfg: PreviewCfg) -> tuple[FloatArray, FloatArray, FloatArray]:
    T = cfg.dt
    A = np.array([[1.0, T, T * T / 2.0], [0.0, 1.0, T], [0.0, 0.0, 1.0]])
    B = np.array([[T**3 / 6.0], [T * T / 2.0], [T]])
    return A, B, np.array([[1.0, 0.0, -cfg.height / GRAVITY]])


def _swinging(step: int) -> int:
    """Return which foot swings: the right one first."""
    return 1 - step % 2


def _footsteps(walk: WalkCfg) -> FloatArray:
    """Return where both feet start and where each step ends, shape (2 + n, 3)."""
    half = 0.5 * walk.width
    sides: IntArray = np.array([_swinging(k) for k in range(walk.num_steps)])
    x = walk.length * np.arange(1.0, walk.num_steps + 1.0)
    x[-1] = x[-2]
    y = np.where(sides == 0, half, -half)
    rows = np.stack([x, y, np.zeros_like(x)], axis=-1)
    return np.concatenate([[[0.0, half, 0.0], [0.0, -half, 0.0]], rows])


def _swing(start: FloatArray, end: FloatArray, share: float, lift: float) -> FloatArray:
    """Return a swinging foot: no speed and no acceleration at both ends."""
    s = share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
    place = start + s * (end - start)
    place[2] += lift * 64.0 * (share * (1.0 - share)) ** 3
    return place


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
        height: Height z_c of the mass [m].
        step_time: Shortest time T for a step [s].
        reach: l_max, longest step [m].
        foot_radius: Radius r within which the foot can move its pressure [m].

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
