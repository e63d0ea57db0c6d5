"""Ball against bat in the simulated place: air compressed, friction, what comes back.

This is the plant; the planner has a model of its own (`contact`), with other code and
other numbers, and a bat that flies freely. Here the bat hangs on its drive: the law
gives forces, and the world moves the bat.

The ball loses the volume that the bat's sphere takes, its gas is compressed at constant
temperature, and the pressure acts on the circle in which both spheres meet. Part of the
overpressure of the resting ball adds to it. While the ball moves away it pushes with
e^2 of that force, so that a contact gives back e^2 of its energy at any speed. Friction
is Coulomb's, never more than what stops the slip within a tick. Both bodies advance
velocity first with the forces of the same moment (symplectic Euler): no energy is made.

A rod curves in one direction only. It presses like a sphere whose curvature, together
with the ball's, has the same geometric mean.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.kernels.compile import kernel
from gelenk.robots.piggy import robot as unit
from gelenk.robots.piggy.air import HOLLOW, acceleration
from gelenk.robots.piggy.config import BALL_MASS, BALL_PRESSURE, BALL_RADIUS
from gelenk.typing import FloatArray

ROD_RADIUS = unit.TUBE_DIAMETERS[0] / 2.0 + unit.COVER_THICKNESS  # [m]
ROD_ENDS = (unit.MOUNT_LENGTH, unit.MOUNT_LENGTH + unit.FREE_LENGTH)  # [m]
# [m], radius of the sphere that presses like the rod
_MEAN_CURVATURE = math.sqrt((1.0 / BALL_RADIUS + 1.0 / ROD_RADIUS) / BALL_RADIUS)
ROD_EQUIVALENT = 1.0 / (_MEAN_CURVATURE - 1.0 / BALL_RADIUS)
MOBILITY = 1.0 / unit.SPHERE_MASS  # [1/kg], of the bat across the contact, an estimate
NOTHING, SPHERE, ROD = range(3)  # what a ball touches


@dataclass(frozen=True, slots=True, kw_only=True)
class BallCfg:
    """The ball as it is, not as the planner believes it to be.

    Attributes:
        friction: Coefficient against the bat.
        restitution: Speed after over speed before a central contact.
        overpressure: Pressure that pushes beside the compression [Pa].
        pressure: Of the gas at rest, absolute [Pa].
    """

    friction: float = 0.45
    restitution: float = 0.96
    overpressure: float = 1500.0
    pressure: float = BALL_PRESSURE

    def __post_init__(self) -> None:
        if not 0.0 < self.restitution <= 1.0:
            raise ConfigError(f"`restitution` must be in (0, 1], got {self}")
        if min(self.friction, self.overpressure) < 0.0 or self.pressure <= 0.0:
            raise ConfigError(f"friction and pressures must not be negative: {self}")

    def numbers(self) -> tuple[float, float, float, float]:
        """Return friction, restitution, overpressure, pressure."""
        return self.friction, self.restitution, self.overpressure, self.pressure


@kernel
def compression(
    distance: float, other: float, overpressure: float, pressure: float
) -> float:
    """Return the force between two spheres [N], the ball's radius and `other` [m]."""
    r, s, d = BALL_RADIUS, other, distance
    if d >= r + s:
        return 0.0
    depth = r + s - d
    # Volume of the lens that both have in common, and its rim's radius squared.
    lens = depth * depth * (d * d + 2.0 * d * (r + s) - 3.0 * (r - s) ** 2)
    volume = math.pi * lens / (12.0 * d)
    rim = (d * d - r * r + s * s) / (2.0 * d)
    area = math.pi * max(s * s - rim * rim, 0.0)
    whole = 4.0 / 3.0 * math.pi * r**3
    share = min(volume / whole, 0.95)
    return (pressure * share / (1.0 - share) + overpressure) * area


@kernel
def press(
    state: FloatArray,
    centre: FloatArray,
    velocity: FloatArray,
    spin: FloatArray,
    other: float,
    ball: tuple[float, float, float, float],
    mobility: float,
    h: float,
    out: FloatArray,
) -> float:
    """Write force and torque on a ball that a sphere presses; return the depth [m].

    Args:
        state: Of the ball: position, velocity, spin, (9,).
        centre: Of the sphere [m], (3,).
        velocity: Of that centre [m/s], (3,).
        spin: Of the sphere [rad/s], (3,).
        other: Radius of the sphere [m].
        ball: Friction, restitution, overpressure, pressure.
        mobility: How easily the sphere gives way across the contact [1/kg].
        h: Length of the tick [s].
        out: Force [N], torque on the ball [N m], point of contact [m], (9,).
    """
    friction, restitution, overpressure, pressure = ball
    nx, ny, nz = state[0] - centre[0], state[1] - centre[1], state[2] - centre[2]
    d = math.sqrt(nx * nx + ny * ny + nz * nz)
    if d >= BALL_RADIUS + other or d < 1e-9:
        return 0.0
    n = (nx / d, ny / d, nz / d)
    arm = d - other  # from the ball's centre to the point of contact
    w, o = state[6:9], spin
    # Slip: the ball's point minus the sphere's point.
    ux = state[3] - velocity[0] - arm * (w[1] * n[2] - w[2] * n[1])
    uy = state[4] - velocity[1] - arm * (w[2] * n[0] - w[0] * n[2])
    uz = state[5] - velocity[2] - arm * (w[0] * n[1] - w[1] * n[0])
    ux -= other * (o[1] * n[2] - o[2] * n[1])
    uy -= other * (o[2] * n[0] - o[0] * n[2])
    uz -= other * (o[0] * n[1] - o[1] * n[0])
    leaving = ux * n[0] + uy * n[1] + uz * n[2]
    normal = compression(d, other, overpressure, pressure)
    if leaving > 0.0:
        normal *= restitution * restitution
    ux, uy, uz = ux - leaving * n[0], uy - leaving * n[1], uz - leaving * n[2]
    slip = math.sqrt(ux * ux + uy * uy + uz * uz)
    inertia = HOLLOW * BALL_MASS * BALL_RADIUS**2
    yielding = 1.0 / BALL_MASS + arm * arm / inertia + mobility
    brake = min(friction * normal, slip / (yielding * h))
    share = -brake / slip if slip > 1e-12 else 0.0
    fx, fy, fz = share * ux, share * uy, share * uz
    out[3] = -arm * (n[1] * fz - n[2] * fy)
    out[4] = -arm * (n[2] * fx - n[0] * fz)
    out[5] = -arm * (n[0] * fy - n[1] * fx)
    out[0], out[1], out[2] = normal * n[0] + fx, normal * n[1] + fy, normal * n[2] + fz
    for i in range(3):
        out[6 + i] = centre[i] + other * n[i]
    return BALL_RADIUS + other - d


@kernel
def press_bat(
    state: FloatArray,
    T_world_bat: FloatArray,
    twist: FloatArray,
    ball: tuple[float, float, float, float],
    h: float,
    out: FloatArray,
) -> int:
    """Write what bat and ball do to each other; return SPHERE, ROD or NOTHING.

    Args:
        state: Of the ball, (9,).
        T_world_bat: Frame on the tilt axis, the rod along -y, (4, 4).
        twist: Of that frame, velocity and angular velocity, world axes, (6,).
        ball: See `press`.
        h: Length of the tick [s].
        out: Force and torque on the ball, point of contact, (9,).
    """
    centre, velocity = np.empty(3), np.empty(3)
    _bat_point(T_world_bat, twist, unit.BAT_LENGTH, centre, velocity)
    spin = twist[3:]
    other = unit.SPHERE_RADIUS
    if press(state, centre, velocity, spin, other, ball, MOBILITY, h, out) > 0.0:
        return SPHERE
    place = 0.0  # of the ball's foot point along the rod
    for i in range(3):
        place -= (state[i] - T_world_bat[i, 3]) * T_world_bat[i, 1]
    place = min(max(place, ROD_ENDS[0]), ROD_ENDS[1])
    _bat_point(T_world_bat, twist, place, centre, velocity)
    square = 0.0
    for i in range(3):
        square += (state[i] - centre[i]) ** 2
    d = math.sqrt(square)
    if d >= BALL_RADIUS + ROD_RADIUS or d < 1e-9:
        return NOTHING
    inward = ROD_EQUIVALENT - ROD_RADIUS  # the pressing sphere's centre lies deeper
    n = (state[:3] - centre) / d
    arm = -inward * n
    centre += arm
    velocity[0] += spin[1] * arm[2] - spin[2] * arm[1]
    velocity[1] += spin[2] * arm[0] - spin[0] * arm[2]
    velocity[2] += spin[0] * arm[1] - spin[1] * arm[0]
    press(state, centre, velocity, spin, ROD_EQUIVALENT, ball, MOBILITY, h, out)
    return ROD


@kernel
def _bat_point(
    T_world_bat: FloatArray,
    twist: FloatArray,
    length: float,
    p: FloatArray,
    v: FloatArray,
) -> None:
    """Write place and velocity of a point on the rod's axis."""
    for i in range(3):
        p[i] = T_world_bat[i, 3] - length * T_world_bat[i, 1]
    x, y, z = (
        p[0] - T_world_bat[0, 3],
        p[1] - T_world_bat[1, 3],
        p[2] - T_world_bat[2, 3],
    )
    v[0] = twist[0] + twist[4] * z - twist[5] * y
    v[1] = twist[1] + twist[5] * x - twist[3] * z
    v[2] = twist[2] + twist[3] * y - twist[4] * x


@kernel
def push_ball(
    state: FloatArray,
    force: FloatArray,
    wind: FloatArray,
    gravity: FloatArray,
    drag: float,
    lift: float,
    h: float,
) -> None:
    """Advance a ball by a tick in which something presses it, velocity first.

    Args:
        state: (9,), advanced.
        force: Force and torque on it, (6 or more,).
        wind: Around it [m/s], (3,).
        gravity: [m/s^2], (3,).
        drag: [1/m].
        lift: [1].
        h: Length of the tick [s].
    """
    a = np.empty(3)
    acceleration(state, wind, gravity, drag, lift, a)
    inertia = HOLLOW * BALL_MASS * BALL_RADIUS**2
    for i in range(3):
        state[3 + i] += h * (a[i] + force[i] / BALL_MASS)
        state[6 + i] += h * force[3 + i] / inertia
        state[i] += h * state[3 + i]


def gap_to_bat(p: FloatArray, T_world_bat: FloatArray) -> float:
    """Return how far a ball's surface is from sphere and rod [m]; negative: inside."""
    rod = -T_world_bat[:3, 1]
    away = p - T_world_bat[:3, 3]
    along = float(away @ rod)
    sphere = away - unit.BAT_LENGTH * rod
    foot = away - min(max(along, ROD_ENDS[0]), ROD_ENDS[1]) * rod
    return (
        min(
            math.sqrt(float(sphere @ sphere)) - unit.SPHERE_RADIUS,
            math.sqrt(float(foot @ foot)) - ROD_RADIUS,
        )
        - BALL_RADIUS
    )
