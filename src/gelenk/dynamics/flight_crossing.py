"""First crossing of a ball's flight through a surface, to rounding.

A surface is the zero of a function that is positive outside. Within each step of the
integration a change of sign is looked for, and also a dip: a path that enters and
leaves again between two steps is not missed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from gelenk.checks import as_kernel_array
from gelenk.dynamics.flight import (
    MAX_STEP,
    FlightCfg,
    as_flight_states,
    flight_step,
    kernel_arguments,
)
from gelenk.errors import ConfigError
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import scaled
from gelenk.typing import ArrayLike, BoolArray, FloatArray, Vec3

TIME_TOL = 1e-13  # [s]; 1e-12 m at 10 m/s
HALVINGS = 60  # of a step of 10 ms: far below TIME_TOL
PLANE, TORUS = 0.0, 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossingPlane:
    """Plane of points p with normal . p = offset; the normal points outside.

    Attributes:
        normal: Unit normal, world axes.
        offset: Distance from the origin along the normal [m].
    """

    normal: tuple[float, float, float]
    offset: float

    def __post_init__(self) -> None:
        length = math.hypot(*self.normal)
        if not abs(length - 1.0) < 1e-9:
            raise ConfigError(f"`normal` must have length 1, got {self.normal}")
        if not math.isfinite(self.offset):
            raise ConfigError(f"`offset` must be finite [m], got {self.offset}")

    def row(self) -> FloatArray:
        """Return the surface as kernels read it, shape (6,)."""
        return np.array([PLANE, *self.normal, self.offset, 0.0])


@dataclass(frozen=True, slots=True, kw_only=True)
class TorusSheet:
    """The outer sheet of a torus about an axis along world y.

    (sqrt(x^2 + z^2) - offset)^2 + y^2 = radius^2 in axes at `center`: what the end of a
    roll-tilt unit with offset axes reaches. An offset of 0 makes a sphere.

    Attributes:
        center: A point of the roll axis, world axes [m].
        offset: Distance of the tilt axis from the roll axis [m].
        radius: Distance of the end from the tilt axis [m].
    """

    center: tuple[float, float, float]
    offset: float
    radius: float

    def __post_init__(self) -> None:
        values = (*self.center, self.offset, self.radius)
        is_finite = len(self.center) == 3 and all(map(math.isfinite, values))
        if not (is_finite and self.radius > 0.0 and self.offset >= 0.0):
            raise ConfigError(
                "a torus sheet needs a finite center, an offset >= 0 and a radius > 0 "
                f"[m], got {self}"
            )

    def row(self) -> FloatArray:
        """Return the surface as kernels read it, shape (6,)."""
        return np.array([TORUS, *self.center, self.offset, self.radius])


Surface: TypeAlias = CrossingPlane | TorusSheet


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FlightCrossing:
    """First crossings of flights through a surface.

    Attributes:
        found: Whether there is one within the horizon, shape (...,).
        time: Time of the crossing after the given states [s], shape (...,); NaN where
            there is none.
        state: Position and velocity there [m, m/s], shape (..., 6); NaN where none.
    """

    found: BoolArray
    time: FloatArray
    state: FloatArray


@kernel
def surface_value(surface: FloatArray, p: Vec3) -> float:
    """Return the signed distance from a surface, positive outside (a tuple's row)."""
    if surface[0] == PLANE:
        return surface[1] * p[0] + surface[2] * p[1] + surface[3] * p[2] - surface[4]
    x, y, z = p[0] - surface[1], p[1] - surface[2], p[2] - surface[3]
    rho = math.sqrt(x * x + z * z) - surface[4]
    return math.sqrt(rho * rho + y * y) - surface[5]


@kernel
def surface_slope(surface: FloatArray, p: Vec3, v: Vec3) -> float:
    """Return the rate of `surface_value` for a point that moves with v."""
    if surface[0] == PLANE:
        return surface[1] * v[0] + surface[2] * v[1] + surface[3] * v[2]
    x, y, z = p[0] - surface[1], p[1] - surface[2], p[2] - surface[3]
    distance = math.sqrt(x * x + z * z)
    rho = distance - surface[4]
    length = math.sqrt(rho * rho + y * y)
    if distance == 0.0 or length == 0.0:
        return 0.0
    return (rho * (x * v[0] + z * v[2]) / distance + y * v[1]) / length


@kernel
def _dip(
    surface: FloatArray,
    p: Vec3,
    v: Vec3,
    gravity: Vec3,
    drag: float,
    lift: Vec3,
    wind: Vec3,
    h: float,
) -> float:
    """Return when within h the value is least, by bisection of its rate."""
    low, high = 0.0, h
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        q, w = flight_step(p, v, gravity, drag, lift, wind, middle)
        if surface_slope(surface, q, w) < 0.0:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


@kernel
def _root(
    surface: FloatArray,
    p: Vec3,
    v: Vec3,
    gravity: Vec3,
    drag: float,
    lift: Vec3,
    wind: Vec3,
    low: float,
    high: float,
) -> float:
    """Return when between low and high the value changes sign (Newton, bisection)."""
    q, w = flight_step(p, v, gravity, drag, lift, wind, low)
    at_low = surface_value(surface, q)
    t = 0.5 * (low + high)
    for _ in range(HALVINGS):
        q, w = flight_step(p, v, gravity, drag, lift, wind, t)
        value = surface_value(surface, q)
        slope = surface_slope(surface, q, w)
        if value == 0.0:
            return t
        if (value > 0.0) == (at_low > 0.0):
            low = t
        else:
            high = t
        new = t - value / slope if slope != 0.0 else low
        if not low < new < high:
            new = 0.5 * (low + high)
        if abs(new - t) < TIME_TOL:
            return new
        t = new
    return t


@kernel
def first_crossing(
    surface: FloatArray,
    sides: float,
    p: Vec3,
    v: Vec3,
    gravity: Vec3,
    drag: float,
    lift: Vec3,
    wind: Vec3,
    horizon: float,
    h: float,
) -> tuple[bool, float, Vec3, Vec3]:
    """Return whether, when and with which state a flight crosses a surface.

    `sides`: 1 only from outside, -1 only from inside, 0 either way.
    """
    now = 0.0
    value = surface_value(surface, p)
    while now < horizon:
        h = min(h, horizon - now)
        q, w = flight_step(p, v, gravity, drag, lift, wind, h)
        after = surface_value(surface, q)
        sign = 1.0 if value >= 0.0 else -1.0
        end = -1.0
        if sign * after < 0.0:
            end = h
        elif (
            sign * surface_slope(surface, p, v) < 0.0
            and sign * surface_slope(surface, q, w) > 0.0
            and sign > 0.0
        ):
            t = _dip(surface, p, v, gravity, drag, lift, wind, h)
            middle, _ = flight_step(p, v, gravity, drag, lift, wind, t)
            if surface_value(surface, middle) < 0.0:
                end = t
        if end > 0.0 and sides * sign >= 0.0:
            t = _root(surface, p, v, gravity, drag, lift, wind, 0.0, end)
            q, w = flight_step(p, v, gravity, drag, lift, wind, t)
            return True, now + t, q, w
        if end > 0.0 and end < h:  # entered and left again, and only leaving counts
            t = _root(surface, p, v, gravity, drag, lift, wind, end, h)
            q, w = flight_step(p, v, gravity, drag, lift, wind, t)
            return True, now + t, q, w
        p, v, value, now = q, w, after, now + h
    return False, math.nan, p, v


@kernel
def _cross_many(
    state: FloatArray,
    surface: FloatArray,
    sides: float,
    gravity: Vec3,
    drag: float,
    factor: float,
    wind: Vec3,
    horizon: float,
    h: float,
    time: FloatArray,
    out: FloatArray,
) -> None:
    """Write time and state of the first crossing of each row of `state`."""
    for b in range(state.shape[0]):
        lift = (0.0, 0.0, 0.0)
        if state.shape[1] == 9:
            lift = scaled(factor, (state[b, 6], state[b, 7], state[b, 8]))
        p = (state[b, 0], state[b, 1], state[b, 2])
        v = (state[b, 3], state[b, 4], state[b, 5])
        found, time[b], p, v = first_crossing(
            surface, sides, p, v, gravity, drag, lift, wind, horizon, h
        )
        for i in range(3):
            out[b, i] = p[i] if found else math.nan
            out[b, 3 + i] = v[i] if found else math.nan


def find_crossing(
    state: ArrayLike,
    surface: Surface,
    cfg: FlightCfg | None = None,
    *,
    horizon: float = 2.0,
    direction: Literal["in", "out", "any"] = "in",
    max_step: float = MAX_STEP,
) -> FlightCrossing:
    """Return the first crossings of flights through a surface.

    Args:
        state: State [p, v] or [p, v, spin], shape (..., 6) or (..., 9), as in `fly`.
        surface: Surface to cross; `surface_value` is positive on its outside.
        cfg: The ball and the air.
        horizon: Latest time looked at [s].
        direction: Crossings that count: into the surface, out of it, or any.
        max_step: Largest step of the integration [s].

    Example:
        >>> floor = CrossingPlane(normal=(0.0, 0.0, 1.0), offset=0.0)
        >>> air = FlightCfg(drag=0.0)
        >>> meeting = find_crossing([0.0, 0.0, 4.905, 1.0, 0.0, 0.0], floor, air)
        >>> print(meeting.time.round(12), meeting.state[:3].round(12) + 0.0)
        1.0 [1. 0. 0.]
    """
    cfg = cfg or FlightCfg()
    x = as_flight_states(state)
    if not 0.0 < horizon < math.inf or not max_step > 0.0:
        raise ConfigError(
            f"`horizon` and `max_step` must be positive [s], got {horizon}, {max_step}"
        )
    sides = {"in": 1.0, "out": -1.0, "any": 0.0}[direction]
    count = math.prod(x.shape[:-1])
    time, out = np.empty(count), np.empty((count, 6))
    rows = as_kernel_array(x).reshape(-1, x.shape[-1])
    arguments = kernel_arguments(cfg)
    _cross_many(rows, surface.row(), sides, *arguments, horizon, max_step, time, out)
    time = time.reshape(x.shape[:-1])
    return FlightCrossing(
        found=np.isfinite(time), time=time, state=out.reshape(*x.shape[:-1], 6)
    )
