"""Flight of a ball: gravity, drag, the lift of its spin, wind.

    v' = g - a |v - w| (v - w) + k s x (v - w)

with drag a [1/m], lift k [1], spin s [rad/s], wind w [m/s]. Spin does not decay: a
flight takes a second, its decay ten. Integrated by the classical Runge-Kutta method;
with steps of 10 ms a throw over 6 m is exact to better than 1e-9 m.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite, as_kernel_array
from gelenk.errors import ConfigError, ShapeError
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import add, cross, norm, scaled, sub
from gelenk.typing import ArrayLike, FloatArray, Vec3

MAX_STEP = 0.01  # [s]


@dataclass(frozen=True, slots=True, kw_only=True)
class FlightCfg:
    """Gravity and air of a flying ball; by default of Piggy's: rubber, 53 g, 121 mm.

    Attributes:
        gravity: Acceleration of free fall [m/s^2], world axes.
        drag: Drag a [1/m]: air density x drag coefficient x cross section / (2 mass).
        lift: Lift k [1]: acceleration per spin and speed across it.
        wind: Velocity of the air [m/s], world axes.

    Example:
        >>> from gelenk.dynamics import FlightCfg, simulate_flight
        >>> vacuum = FlightCfg(drag=0.0, lift=0.0)
        >>> print(simulate_flight([0, 0, 1, 2, 0, 0], [0.3], vacuum)[0, :3].round(4))
        [0.6    0.     0.5586]
    """

    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)
    drag: float = 0.0612
    lift: float = 0.0079
    wind: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        if not 0.0 <= self.drag < math.inf:
            raise ConfigError(f"`drag` must be finite and >= 0 [1/m], got {self.drag}")
        if not math.isfinite(self.lift):
            raise ConfigError(f"`lift` must be finite, got {self.lift}")
        for name, value in (("gravity", self.gravity), ("wind", self.wind)):
            if len(value) != 3 or not all(map(math.isfinite, value)):
                raise ConfigError(f"`{name}` must be three finite numbers, got {value}")


@kernel
def air_acceleration(
    v: Vec3, gravity: Vec3, drag: float, lift: Vec3, wind: Vec3
) -> Vec3:
    """Return v' of the flight; `lift` is k times the spin, all vectors are tuples."""
    u = sub(v, wind)
    return add(add(gravity, scaled(-drag * norm(u), u)), cross(lift, u))


@kernel
def flight_step(
    p: Vec3, v: Vec3, gravity: Vec3, drag: float, lift: Vec3, wind: Vec3, h: float
) -> tuple[Vec3, Vec3]:
    """Return position and velocity one Runge-Kutta step of h [s] later."""
    a1 = air_acceleration(v, gravity, drag, lift, wind)
    v2 = add(v, scaled(0.5 * h, a1))
    a2 = air_acceleration(v2, gravity, drag, lift, wind)
    v3 = add(v, scaled(0.5 * h, a2))
    a3 = air_acceleration(v3, gravity, drag, lift, wind)
    v4 = add(v, scaled(h, a3))
    a4 = air_acceleration(v4, gravity, drag, lift, wind)
    mean_v = add(add(v, v4), scaled(2.0, add(v2, v3)))
    mean_a = add(add(a1, a4), scaled(2.0, add(a2, a3)))
    return add(p, scaled(h / 6.0, mean_v)), add(v, scaled(h / 6.0, mean_a))


@kernel
def flight_leap(
    p: Vec3,
    v: Vec3,
    gravity: Vec3,
    drag: float,
    lift: Vec3,
    wind: Vec3,
    duration: float,
    max_step: float,
) -> tuple[Vec3, Vec3]:
    """Return position and velocity after `duration` [s], in equal steps."""
    steps = max(1, math.ceil(abs(duration) / max_step - 1e-9))
    h = duration / steps
    for _ in range(steps):
        p, v = flight_step(p, v, gravity, drag, lift, wind, h)
    return p, v


@kernel
def _fly(
    state: FloatArray,
    times: FloatArray,
    gravity: Vec3,
    drag: float,
    factor: float,
    wind: Vec3,
    max_step: float,
    out: FloatArray,
) -> None:
    spin = state.shape[1] == 9
    for b in range(state.shape[0]):
        p = (state[b, 0], state[b, 1], state[b, 2])
        v = (state[b, 3], state[b, 4], state[b, 5])
        lift = (0.0, 0.0, 0.0)
        if spin:
            s = (state[b, 6], state[b, 7], state[b, 8])
            lift = scaled(factor, s)
        now = 0.0
        for k in range(times.shape[0]):
            p, v = flight_leap(
                p, v, gravity, drag, lift, wind, times[k] - now, max_step
            )
            now = times[k]
            for i in range(3):
                out[b, k, i] = p[i]
                out[b, k, 3 + i] = v[i]
                if spin:
                    out[b, k, 6 + i] = state[b, 6 + i]


def flight_rate(state: ArrayLike, cfg: FlightCfg | None = None) -> FloatArray:
    """Return the time derivative of states, the same shape.

    Args:
        state: State [p, v] or [p, v, spin] in world axes [m, m/s, rad/s], shape (...,
            6) or (..., 9).
        cfg: The ball and the air.
    """
    cfg = cfg or FlightCfg()
    x = as_flight_states(state)
    u = x[..., 3:6] - np.array(cfg.wind)
    speed = np.linalg.norm(u, axis=-1, keepdims=True)
    rate = np.zeros_like(x)
    rate[..., :3] = x[..., 3:6]
    rate[..., 3:6] = np.array(cfg.gravity) - cfg.drag * speed * u
    if x.shape[-1] == 9:
        rate[..., 3:6] += cfg.lift * np.cross(x[..., 6:], u)
    return rate


def simulate_flight(
    state: ArrayLike,
    times: ArrayLike,
    cfg: FlightCfg | None = None,
    *,
    max_step: float = MAX_STEP,
) -> FloatArray:
    """Return states along flights.

    Args:
        state: State [p, v] or [p, v, spin], shape (..., 6) or (..., 9), as in
            `flight_rate`.
        times: Times after (or, negative, before) the states [s], shape (k,), in any
            order.
        cfg: The ball and the air.
        max_step: Largest step of the integration [s].

    Returns:
        Array of shape (..., k, 6) or (..., k, 9).

    Example:
        A ball thrown 5 m away, half a second later:

        >>> from gelenk.dynamics import simulate_flight
        >>> x = simulate_flight([-0.3, 5.0, 1.8, 0.0, -6.5, 4.0], [0.5])
        >>> print(x[0, :3].round(4))
        [-0.3     2.0555  2.4588]
    """
    cfg = cfg or FlightCfg()
    x = as_flight_states(state)
    t = np.atleast_1d(as_finite("times", times, ()))
    if t.ndim != 1:
        raise ShapeError("times", expected="(k,)", actual=t.shape)
    if not max_step > 0.0:
        raise ConfigError(f"`max_step` must be positive [s], got {max_step}")
    out = np.empty((math.prod(x.shape[:-1]), t.size, x.shape[-1]))
    _fly(
        as_kernel_array(x).reshape(-1, x.shape[-1]),
        as_kernel_array(t),
        *kernel_arguments(cfg),
        max_step,
        out,
    )
    return out.reshape(*x.shape[:-1], t.size, x.shape[-1])


def flight_energy(state: ArrayLike, cfg: FlightCfg | None = None) -> FloatArray:
    """Return kinetic and potential energy per mass [J/kg], shape (...,)."""
    cfg = cfg or FlightCfg()
    x = as_flight_states(state)
    kinetic = 0.5 * np.sum(x[..., 3:6] ** 2, axis=-1)
    return kinetic - x[..., :3] @ np.array(cfg.gravity)


def as_flight_states(state: ArrayLike) -> FloatArray:
    """Return states as finite float64 of shape (..., 6) or (..., 9).

    Raises:
        ShapeError: If the last axis has neither 6 nor 9 entries.
    """
    x = as_finite("state", state, ())
    if x.ndim < 1 or x.shape[-1] not in (6, 9):
        raise ShapeError("state", expected="(..., 6) or (..., 9)", actual=x.shape)
    return x


def kernel_arguments(
    cfg: FlightCfg,
) -> tuple[Vec3, float, float, Vec3]:
    """Return gravity, drag, lift, wind as kernels take them."""
    (x, y, z), (a, b, c) = map(float, cfg.gravity), map(float, cfg.wind)
    return (x, y, z), float(cfg.drag), float(cfg.lift), (a, b, c)
