"""What velocity a ball needs to reach somebody, and what that asks of the bat.

The robot's own model of the air: gravity, drag, and the lift of the spin where the
contact tells it; no wind, which nobody knows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.dynamics.flight import FlightCfg, simulate_flight
from gelenk.errors import ConfigError
from gelenk.robots.piggy.config import BALL_MASS, DRAG, GRAVITY
from gelenk.robots.piggy.robot import SPHERE_MASS
from gelenk.typing import ArrayLike, FloatArray

AIR = FlightCfg(gravity=(0.0, 0.0, -GRAVITY), drag=DRAG)
ROUNDS = 6  # each leaves a sixth of the miss at most
STEP = 0.05  # [s], of the integration here: 1e-5 m over a pass
FLIGHT_TIMES = (0.45, 1.05)  # [s], of passes: flat and hard to high and slow
NUM_TIMES = 13
HASTE = 0.3  # [m/s] of bat speed that a second of flight may cost; chosen
# Share of the approach speed that a free elastic bat of finite mass gives the ball.
EXCHANGE = 2.0 * SPHERE_MASS / (SPHERE_MASS + BALL_MASS)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Aim:
    """A pass: where to, in which time, and what it asks of the bat.

    Attributes:
        target: Point that the ball shall reach [m], (3,).
        flight_time: From the bat to there [s].
        v_out: Velocity off the bat [m/s], (3,).
        bat_speed: Along the contact normal, by the law of elastic impact [m/s]; 0: a
            bat at rest does it.
    """

    target: FloatArray
    flight_time: float
    v_out: FloatArray
    bat_speed: float


def wanted_velocity(
    p_from: ArrayLike,
    target: ArrayLike,
    flight_time: float,
    *,
    spin: ArrayLike = (0.0, 0.0, 0.0),
    air: FlightCfg = AIR,
) -> FloatArray:
    """Return the velocities that bring balls to a point in a given time.

    Args:
        p_from: Where they start [m], shape (..., 3).
        target: Where they shall be [m], shape (3,).
        flight_time: When [s].
        spin: Of the balls [rad/s], shape (..., 3).
        air: What pulls at them.

    Returns:
        Velocities [m/s], shape (..., 3).
    """
    if not 0.0 < flight_time < math.inf:
        raise ConfigError(f"`flight_time` must be positive [s], got {flight_time}")
    p = as_finite("p_from", p_from, (3,))
    way = as_finite("target", target, (3,)) - p
    v = way / flight_time - 0.5 * flight_time * np.array(air.gravity)
    turning = np.broadcast_to(as_finite("spin", spin, (3,)), v.shape)
    for _ in range(ROUNDS):
        start = np.concatenate([p, v, turning], axis=-1)
        end = simulate_flight(start, [flight_time], air, max_step=STEP)[..., 0, :3]
        v = v + (p + way - end) / flight_time
    return v


def bat_speed_needed(v_in: ArrayLike, v_out: ArrayLike) -> FloatArray:
    """Return the speed along the contact normal that turns v_in into v_out [m/s].

    Elastic impact of a free bat without friction: the change of velocity lies along
    the normal. Negative: the bat must give way.

    Args:
        v_in: Velocity of the ball [m/s], shape (..., 3).
        v_out: Wanted velocity [m/s], shape (..., 3).
    """
    incoming = as_finite("v_in", v_in, (3,))
    change = as_finite("v_out", v_out, (3,)) - incoming
    size = np.linalg.norm(change, axis=-1)
    along = (incoming * change).sum(axis=-1) / np.maximum(size, 1e-9)
    return size / EXCHANGE + along


def best_aim(
    p_from: ArrayLike,
    v_in: ArrayLike,
    target: ArrayLike,
    *,
    times: tuple[float, float] = FLIGHT_TIMES,
    air: FlightCfg = AIR,
) -> Aim:
    """Return the flight to a point that asks least of the bat.

    A resting bat meets the ball whenever it comes; a moving one must also be on time,
    so the flight is chosen whose impact needs the slowest bat, and of those the faster.

    Args:
        p_from: Where the ball is met [m], shape (3,).
        v_in: Its velocity there [m/s], shape (3,).
        target: Point that it shall reach [m], shape (3,).
        times: Shortest and longest flight [s].
        air: What pulls at the ball.
    """
    span = np.linspace(*times, NUM_TIMES)
    out = np.stack([wanted_velocity(p_from, target, t, air=air) for t in span])
    speeds = bat_speed_needed(np.broadcast_to(v_in, out.shape), out)
    cost = np.abs(speeds) + HASTE * span
    k = int(np.argmin(cost))
    return Aim(
        target=as_finite("target", target, (3,)),
        flight_time=float(span[k]),
        v_out=out[k],
        bat_speed=float(speeds[k]),
    )
