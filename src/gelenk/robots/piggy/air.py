"""The flight of a ball in the simulated place: drag, spin, wind with gusts, floor.

This is the plant. It shares no code with the flight model of the estimators: another
integrator (Heun's), air that changes during the flight, a spin that decays.

    v' = g - a |v - w| (v - w) + k s x (v - w),   s' = -s / T

with drag a [1/m], lift k [1], spin s [rad/s], wind w [m/s].
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.kernels.compile import kernel
from gelenk.robots.piggy import robot as unit
from gelenk.robots.piggy.config import BALL_RADIUS
from gelenk.typing import FloatArray, Vec3

STATE = 9  # numbers of a ball: position, velocity, spin, world axes
REST_SPEED = 0.1  # [m/s], slower bounces end
HOLLOW = 2.0 / 3.0  # inertia of a thin shell over m r^2


@dataclass(frozen=True, slots=True, kw_only=True)
class AirCfg:
    """What the air does to balls; the wind of a throw belongs to the throw.

    Attributes:
        lift: Acceleration per spin and speed across it [1].
        spin_time: In which a spin decays to 1/e [s].
        gust_sigma: Of gusts along each horizontal axis [m/s]; half of it upwards.
        gust_time: How long gusts last [s].
    """

    lift: float = 0.0079
    spin_time: float = 10.0
    gust_sigma: float = 0.0
    gust_time: float = 1.0

    def __post_init__(self) -> None:
        for name in ("spin_time", "gust_time"):
            if not getattr(self, name) > 0.0:
                raise ConfigError(f"`{name}` must be positive [s]")
        if not (math.isfinite(self.lift) and self.gust_sigma >= 0.0):
            raise ConfigError(
                "`lift` must be finite and `gust_sigma` >= 0, got "
                f"{self.lift} and {self.gust_sigma}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorCfg:
    """What floor and housing do to balls.

    Attributes:
        restitution: Rebound speed over impact speed.
        friction: Coefficient.
        rolling: Deceleration of a rolling ball [m/s^2].
    """

    restitution: float = 0.75
    friction: float = 0.5
    rolling: float = 0.3


def make_wind(
    cfg: AirCfg, mean: FloatArray, count: int, h: float, rng: np.random.Generator
) -> FloatArray:
    """Return the velocity of the air around a ball, tick by tick [m/s], (count, 3).

    Gusts are an Ornstein-Uhlenbeck process about the mean wind.

    Args:
        cfg: The gusts.
        mean: Mean wind, world axes [m/s], (3,).
        count: Ticks; one suffices without gusts.
        h: Length of a tick [s].
        rng: Of the gusts.
    """
    if cfg.gust_sigma == 0.0:
        return np.array(mean, dtype=np.float64)[None]
    keep = math.exp(-h / cfg.gust_time)
    noise = rng.standard_normal((count, 3)) * (cfg.gust_sigma * np.array([1, 1, 0.5]))
    noise[1:] *= math.sqrt(1.0 - keep * keep)
    _remember(noise, keep)
    return noise + mean


@kernel
def _remember(noise: FloatArray, keep: float) -> None:
    for k in range(1, noise.shape[0]):
        for i in range(3):
            noise[k, i] += keep * noise[k - 1, i]


@kernel
def acceleration(
    state: FloatArray,
    wind: FloatArray,
    gravity: FloatArray,
    drag: float,
    lift: float,
    out: FloatArray,
) -> None:
    """Write v' of a ball, see above; all arrays (3,) but the state (9,)."""
    ux, uy, uz = state[3] - wind[0], state[4] - wind[1], state[5] - wind[2]
    brake = drag * math.sqrt(ux * ux + uy * uy + uz * uz)
    out[0] = gravity[0] - brake * ux + lift * (state[7] * uz - state[8] * uy)
    out[1] = gravity[1] - brake * uy + lift * (state[8] * ux - state[6] * uz)
    out[2] = gravity[2] - brake * uz + lift * (state[6] * uy - state[7] * ux)


@kernel
def fly_ticks(
    state: FloatArray,
    wind: FloatArray,
    first: int,
    count: int,
    gravity: FloatArray,
    air: Vec3,
    floor: Vec3,
    h: float,
    path: FloatArray,
) -> int:
    """Let a ball fly, bounce and roll for some ticks, without a bat.

    Args:
        state: Position, velocity, spin, (9,); advanced.
        wind: Air around it from its release on, tick by tick, (n, 3); the last stays.
        first: Ticks since its release.
        count: Ticks to fly.
        gravity: [m/s^2], (3,).
        air: Drag, lift, time of the spin's decay.
        floor: Restitution, friction, rolling deceleration.
        h: Length of a tick [s].
        path: Where the ball is and how fast after each tick, (n, 6); written.

    Returns:
        1 if it touched the floor, 2 the housing, 3 both, else 0.
    """
    drag, lift, decay = air
    keep = math.exp(-h / decay)
    a, b = np.empty(3), np.empty(3)
    before = np.empty(3)
    touched = 0
    last = wind.shape[0] - 1
    for k in range(first, first + count):
        acceleration(state, wind[min(k, last)], gravity, drag, lift, a)
        for i in range(3):
            before[i] = state[3 + i]
            state[i] += h * (before[i] + 0.5 * h * a[i])
            state[3 + i] = before[i] + h * a[i]
        acceleration(state, wind[min(k + 1, last)], gravity, drag, lift, b)
        for i in range(3):
            state[3 + i] = before[i] + 0.5 * h * (a[i] + b[i])
            state[6 + i] *= keep
        touched |= meet_fixed(state, floor, h)
        if k + 1 < path.shape[0]:
            path[k + 1] = state[:6]
    return touched


@kernel
def meet_fixed(state: FloatArray, floor: Vec3, h: float) -> int:
    """Let a ball bounce off floor and housing; return 1, 2, 3 as `fly_ticks` does."""
    touched = 0
    if state[2] < BALL_RADIUS:
        touched = 1
        _bounce(state, 0.0, 0.0, 1.0, BALL_RADIUS - state[2], floor, h)
    # Nearest point of the housing, a box behind the world's origin.
    x = min(max(state[0], -unit.HOUSING[0]), 0.0)
    y = min(max(state[1], -unit.HOUSING[1]), 0.0)
    z = min(state[2], unit.HOUSING[2])
    nx, ny, nz = state[0] - x, state[1] - y, state[2] - z
    distance = math.sqrt(nx * nx + ny * ny + nz * nz)
    if 0.0 < distance < BALL_RADIUS:
        touched |= 2
        depth = BALL_RADIUS - distance
        nx, ny, nz = nx / distance, ny / distance, nz / distance
        _bounce(state, nx, ny, nz, depth, floor, h)
    return touched


@kernel
def _bounce(
    state: FloatArray,
    nx: float,
    ny: float,
    nz: float,
    depth: float,
    floor: Vec3,
    h: float,
) -> None:
    """Reflect a ball that reaches `depth` into something fixed with this normal."""
    restitution, friction, rolling = floor
    v = state[3:6]
    w = state[6:9]
    normal = v[0] * nx + v[1] * ny + v[2] * nz
    if normal >= 0.0:
        return
    e = restitution if normal < -REST_SPEED else 0.0
    press = -(1.0 + e) * normal
    # Velocity of the touching point: v - r w x n.
    r = BALL_RADIUS
    sx = v[0] - normal * nx - r * (w[1] * nz - w[2] * ny)
    sy = v[1] - normal * ny - r * (w[2] * nx - w[0] * nz)
    sz = v[2] - normal * nz - r * (w[0] * ny - w[1] * nx)
    slip = math.sqrt(sx * sx + sy * sy + sz * sz)
    # Sticking needs slip / (1 + 1 / HOLLOW) of the ball's speed.
    brake = min(friction * press, slip / (1.0 + 1.0 / HOLLOW))
    if slip > 1e-12:
        sx, sy, sz = -brake * sx / slip, -brake * sy / slip, -brake * sz / slip
        spin = -1.0 / (HOLLOW * r)
        w[0] += spin * (ny * sz - nz * sy)
        w[1] += spin * (nz * sx - nx * sz)
        w[2] += spin * (nx * sy - ny * sx)
        v[0] += sx
        v[1] += sy
        v[2] += sz
    v[0] += press * nx
    v[1] += press * ny
    v[2] += press * nz
    for i, n in enumerate((nx, ny, nz)):
        state[i] += (1.0 + e) * depth * n
    if e == 0.0:  # it rolls
        speed = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
        slower = max(0.0, 1.0 - rolling * h / speed) if speed > 0.0 else 0.0
        for i in range(3):
            v[i] *= slower
            w[i] *= slower
