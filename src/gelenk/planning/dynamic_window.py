"""Dynamic window: speeds that can be reached next and still allow to stop in time.

For each (v, w) that the drives reach within a cycle the robot follows an arc; `dist` is
how far it gets before it hits something. Hard: v <= sqrt(2 dist a_b) and
|w| <= sqrt(2 dist alpha_b), so it can always stop before. Soft: of what is left the
best sum of heading, clearance and speed (Fox, Burgard and Thrun 1997).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, FloatArray

STANDING = 1e-3  # [m/s]


@dataclass(frozen=True, slots=True, kw_only=True)
class DynamicWindow:
    """Limits of a robot and the weights of its objectives.

    Attributes:
        max_speed: Largest speed [m/s].
        max_turn: Largest turning rate [rad/s].
        acceleration: a [m/s^2], also for braking.
        turn_acceleration: alpha [rad/s^2], also for braking.
        radius: Radius of the robot [m].
        dt: Cycle [s].
        horizon: Longest arc looked at [m].
        counts: Speeds and turn rates tried.
        weights: Weights of heading, clearance and speed.
        mover_speed: Largest speed of others towards the robot [m/s]; see
            `separation_speed`.

    Example:
        >>> from gelenk.planning import DynamicWindow
        >>> window = DynamicWindow(max_speed=1.0, radius=0.3)
        >>> window.max_speed, window.dt
        (1.0, 0.25)
    """

    max_speed: float = 0.6
    max_turn: float = 1.5
    acceleration: float = 0.5
    turn_acceleration: float = 1.5
    radius: float = 0.2
    dt: float = 0.25
    horizon: float = 3.0
    counts: tuple[int, int] = (7, 15)
    weights: tuple[float, float, float] = (0.8, 0.3, 0.3)
    mover_speed: float = 1.0

    def __post_init__(self) -> None:
        values = (
            self.max_speed,
            self.max_turn,
            self.acceleration,
            self.radius,
            self.dt,
        )
        if min(*values, self.turn_acceleration, self.horizon) <= 0.0:
            raise ConfigError("all limits of a dynamic window must be positive")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WindowChoice:
    """Speeds for the next cycle.

    Attributes:
        speed: v [m/s].
        turn: w [rad/s].
        is_braking: Whether no speed was admissible and the robot brakes as it can.
        distance: Length of the arc before something is hit [m].
    """

    speed: float
    turn: float
    is_braking: bool
    distance: float


def window_bounds(
    window: DynamicWindow, speed: float, turn: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the intervals of v and w that are reached within a cycle.

    Example:
        >>> cfg = DynamicWindow(acceleration=0.5, turn_acceleration=1.0, dt=0.25)
        >>> (v0, v1), (w0, w1) = window_bounds(cfg, 0.4, 0.2)
        >>> [round(x, 6) for x in (v0, v1, w0, w1)]
        [0.275, 0.525, -0.05, 0.45]
    """
    dv, dw = window.acceleration * window.dt, window.turn_acceleration * window.dt
    return (
        (max(speed - dv, 0.0), min(speed + dv, window.max_speed)),
        (max(turn - dw, -window.max_turn), min(turn + dw, window.max_turn)),
    )


def stopping_speed(distance: ArrayLike, deceleration: float) -> FloatArray:
    """Return the highest speed that stops within a distance: sqrt(2 dist a).

    Example:
        >>> round(float(stopping_speed(0.3, 0.5)), 6)
        0.547723
    """
    return np.sqrt(
        2.0 * np.maximum(np.asarray(distance, dtype=float), 0.0) * deceleration
    )


def separation_speed(window: DynamicWindow, movers: ArrayLike) -> float:
    """Return the highest speed at which the robot stops before a mover reaches it.

    Somebody may turn and come straight up at u = `mover_speed`. Until the robot stands
    it drives v dt + v^2 / 2a, and they come u (dt + v / a) nearer; both together must
    not exceed the gap. Those beside and behind the robot are not run into.

    Args:
        window: Limits of the robot.
        movers: Points of what may move, robot axes, x ahead [m], shape (m, 2).

    Example:
        >>> cfg = DynamicWindow(acceleration=0.5, dt=0.2, radius=0.2, mover_speed=1.0)
        >>> v = separation_speed(cfg, [[1.2, 0.0]])
        >>> round(v * 0.2 + v**2 / 1.0 + 1.0 * (0.2 + v / 0.5), 6)  # the gap
        1.0
    """
    p = np.asarray(movers, dtype=float).reshape(-1, 2)
    p = p[p[:, 0] > 0.0]
    if len(p) == 0:
        return window.max_speed
    a, u, dt = window.acceleration, window.mover_speed, window.dt
    gap = float(np.hypot(p[:, 0], p[:, 1]).min()) - window.radius
    half = a * dt + u  # v^2 / 2a + v (dt + u / a) + u dt = gap
    v = np.sqrt(half**2 + 2.0 * a * max(gap - u * dt, 0.0)) - half
    return float(min(v, window.max_speed))


def arc_distance(
    speeds: ArrayLike,
    turns: ArrayLike,
    points: ArrayLike,
    *,
    radius: float,
    horizon: float,
) -> FloatArray:
    """Return how far a round robot gets on arcs before it touches a point [m].

    Exact: the center moves on a circle of radius |v / w| about (0, v / w); it touches a
    point when their distance is `radius`.

    Args:
        speeds: v >= 0 [m/s], shape (...).
        turns: w [rad/s], shape (...).
        points: Obstacle points in robot axes, x ahead [m], shape (m, 2).
        radius: Radius of the robot [m].
        horizon: Distance that is returned if nothing nearer is hit [m].

    Returns:
        Shape (...); 0 for a point already within the robot.
    """
    v, w = np.broadcast_arrays(
        np.asarray(speeds, dtype=float), np.asarray(turns, dtype=float)
    )
    p = np.asarray(points, dtype=float).reshape(-1, 2)
    if len(p) == 0:
        return np.full(v.shape, horizon)
    is_straight = np.abs(w) * horizon < 1e-6 * np.maximum(v, 1e-9)
    bend = np.where(
        is_straight, 1.0, np.where(v > 0.0, v, 0.0) / np.where(w == 0, 1, w)
    )
    r = bend[..., None]
    # Mirrored so that the circle lies on the left: center (0, |r|).
    x, y = p[:, 0], p[:, 1] * np.where(r < 0.0, -1.0, 1.0)
    R = np.abs(r)
    apart = np.hypot(x, y - R)
    cosine = (R * R + apart * apart - radius * radius) / np.maximum(
        2 * R * apart, 1e-12
    )
    bearing = np.arctan2(x, R - y)
    spread = np.arccos(np.clip(cosine, -1.0, 1.0))
    angle = (bearing - spread) % (2.0 * np.pi)
    arc = np.where(np.abs(cosine) <= 1.0, R * angle, horizon)
    half = np.sqrt(np.maximum(radius**2 - p[:, 1] ** 2, 0.0))
    ahead = (np.abs(p[:, 1]) < radius) & (p[:, 0] > 0.0)
    line = np.where(ahead, np.maximum(p[:, 0] - half, 0.0), horizon)
    far = np.where(is_straight[..., None], line, arc)
    far = np.where(np.hypot(p[:, 0], p[:, 1]) < radius, 0.0, far)
    return np.minimum(far.min(axis=-1), horizon)


def choose_speeds(
    window: DynamicWindow,
    speed: float,
    turn: float,
    points: ArrayLike,
    goal: ArrayLike,
    *,
    movers: ArrayLike = (),
) -> WindowChoice:
    """Return the best speeds for the next cycle.

    Args:
        window: Limits and weights.
        speed: v now [m/s].
        turn: w now [rad/s].
        points: Ends of range beams in robot axes [m], shape (m, 2).
        goal: Goal in robot axes [m], shape (2,).
        movers: Points that may come nearer, shape (k, 2).

    Example:
        >>> from gelenk.planning import DynamicWindow, choose_speeds
        >>> wall = [[1.0, y] for y in (-0.4, -0.2, 0.0, 0.2, 0.4)]
        >>> choice = choose_speeds(DynamicWindow(), 0.3, 0.0, wall, [2.0, 1.5])
        >>> choice.turn > 0.0, choice.is_braking
        (True, False)
    """
    (v0, v1), (w0, w1) = window_bounds(window, speed, turn)
    v, w = np.meshgrid(
        np.linspace(v0, v1, window.counts[0]),
        np.linspace(w0, w1, window.counts[1]),
        indexing="ij",
    )
    dist = arc_distance(v, w, points, radius=window.radius, horizon=window.horizon)
    # What is driven before braking starts is lost.
    left = dist - v * window.dt
    admissible = (v <= stopping_speed(left, window.acceleration)) & (
        np.abs(w) <= stopping_speed(left, window.turn_acceleration)
    )
    # A round robot that turns on the spot touches nothing, however near it stands.
    admissible |= v <= STANDING
    admissible &= v <= max(separation_speed(window, movers), v0)
    if not admissible.any():
        slowest = float(np.clip(0.0, w0, w1))
        return WindowChoice(speed=v0, turn=slowest, is_braking=True, distance=0.0)
    # Turning on the spot hits nothing; what counts is the space ahead after the turn.
    theta = w * window.dt + 0.5 * w * np.abs(w) / window.turn_acceleration
    clear = np.where(v > STANDING, dist, _space_ahead(window, theta, points))
    score = sum(
        weight * _normalised(term, admissible)
        for weight, term in zip(
            window.weights, (_heading(v, w, goal, window.dt), clear, v), strict=True
        )
    )
    best = np.unravel_index(np.where(admissible, score, -np.inf).argmax(), v.shape)
    return WindowChoice(
        speed=float(v[best]),
        turn=float(w[best]),
        is_braking=False,
        distance=float(dist[best]),
    )


def _space_ahead(
    window: DynamicWindow, headings: FloatArray, points: ArrayLike
) -> FloatArray:
    """Return how far the robot could drive straight on at other headings [m]."""
    p = np.asarray(points, dtype=float).reshape(-1, 2)
    c, s = np.cos(headings)[..., None], np.sin(headings)[..., None]
    x, y = c * p[:, 0] + s * p[:, 1], c * p[:, 1] - s * p[:, 0]
    is_ahead = (np.abs(y) < window.radius) & (x > 0.0)
    room = np.where(is_ahead, np.maximum(x - window.radius, 0.0), window.horizon)
    return np.minimum(room.min(axis=-1, initial=window.horizon), window.horizon)


def _heading(v: FloatArray, w: FloatArray, goal: ArrayLike, dt: float) -> FloatArray:
    """Return 1 - |angle to the goal| / pi at the pose after a cycle and braking."""
    x, y = as_finite("goal", goal, (2,))
    theta = w * dt
    half = 0.5 * theta
    at_x, at_y = v * dt * np.cos(half), v * dt * np.sin(half)
    off = wrap_angle(np.arctan2(y - at_y, x - at_x) - theta)
    return 1.0 - np.abs(off) / np.pi


def _normalised(term: FloatArray, admissible: np.ndarray) -> FloatArray:
    low, high = term[admissible].min(), term[admissible].max()
    return (term - low) / (high - low) if high > low else np.zeros(term.shape)
