"""Figures that decide the design of the batting unit: torques, accuracy, impact, cost.

Hammer 2011 §3.2 and §3.3. Where the print errs, both values are computed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_array
from gelenk.kernels.compile import kernel
from gelenk.robots.piggy import robot as unit
from gelenk.robots.piggy.config import ACCELERATION_LIMIT, GRAVITY
from gelenk.robots.piggy.contact import CONTACT, ContactCfg, gas_force
from gelenk.typing import ArrayLike, FloatArray

COST_LIMIT = 10000.0  # [EUR], Hammer §3.3.6
IMPACT_STEP = 2e-5  # [s], of the collision study


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One line of the bill of materials, Hammer table 3.2.

    Attributes:
        name: What.
        cost: Approximate [EUR].
        parts: What it consists of.
    """

    name: str
    cost: float
    parts: str


BILL = (
    Item(name="computer", cost=1000.0, parts="Core i7 860, 4 GB, two FireWire ports"),
    Item(name="sensors", cost=1500.0, parts="two AVT Marlin F-046C, 4.8 mm lenses"),
    Item(name="actuators", cost=1000.0, parts="two Dynamixel EX-106+, adapter, supply"),
    Item(name="other hardware", cost=500.0, parts="housing, rod, sphere, padding"),
)


def total_cost() -> float:
    """Return the sum of the bill of materials [EUR]."""
    return sum(item.cost for item in BILL)


def holding_torque(
    *, length: float = unit.BAT_LENGTH, mass: float = unit.BAT_MASS
) -> float:
    """Return the torque that holds the bat level, a point mass (3.1) [N m]."""
    return length * mass * GRAVITY


def acceleration_torque(
    acceleration: float = ACCELERATION_LIMIT,
    *,
    length: float = unit.BAT_LENGTH,
    mass: float = unit.BAT_MASS,
    radius: float = unit.SPHERE_RADIUS,
    printed: bool = False,
) -> float:
    """Return the torque that accelerates the bat, a solid sphere (3.2) to (3.4) [N m].

    Args:
        acceleration: [rad/s^2].
        length: Axis to the sphere's centre [m].
        mass: [kg].
        radius: Of the sphere [m].
        printed: With the radius not squared, as printed and computed there.
    """
    own = 0.4 * mass * (radius if printed else radius**2)
    return (own + mass * length**2) * acceleration


def play_accuracy(position_error: ArrayLike, radius_sum: ArrayLike) -> FloatArray:
    """Return the error of the ball's direction 2 d / r (3.6) [rad], shape (...).

    Args:
        position_error: Of the bat, across the flight [m], shape (...).
        radius_sum: Of ball and bat [m], shape (...).
    """
    d, r = as_array("position_error", position_error, ()), as_array(
        "radius_sum", radius_sum, ()
    )  # fmt: skip
    return 2.0 * d / r


def impact_torque_law(
    speed: ArrayLike,
    stiffness: ArrayLike,
    ball_mass: ArrayLike,
    *,
    bat_mass: float = unit.SPHERE_MASS,
    length: float = unit.BAT_LENGTH,
) -> FloatArray:
    """Return the peak joint torque of a central impact by its law.

    2 l v sqrt(c m_s) m_b / (m_b + m_s), since the contact is short against the swing
    of the bat on its spring.

    Args:
        speed: Of the ball [m/s], shape (...).
        stiffness: Of the spring that holds the bat [N/m], shape (...).
        ball_mass: [kg], shape (...).
        bat_mass: [kg].
        length: Of the bat [m].

    Returns:
        [N m], shape (...).
    """
    v, c, m = (np.asarray(a, dtype=np.float64) for a in (speed, stiffness, ball_mass))
    return 2.0 * length * v * np.sqrt(c * bat_mass) * m / (m + bat_mass)


def impact_torque(
    speed: ArrayLike,
    stiffness: ArrayLike,
    ball_mass: ArrayLike,
    *,
    bat_mass: float = unit.SPHERE_MASS,
    length: float = unit.BAT_LENGTH,
    ball: ContactCfg = CONTACT,
) -> FloatArray:
    """Return the peak joint torque of a simulated central impact [N m], shape (...).

    One dimension, two forces (§3.2.4): the ball's gas and the spring of the rod.

    Args:
        speed: Of the ball [m/s], shape (...).
        stiffness: Of the spring [N/m], shape (...).
        ball_mass: [kg], shape (...).
        bat_mass: [kg].
        length: Of the bat [m].
        ball: Radii and pressure.
    """
    given = np.broadcast_arrays(
        *(np.asarray(a, dtype=np.float64) for a in (speed, stiffness, ball_mass))
    )
    rows = np.stack([a.reshape(-1) for a in given], axis=1)
    out = np.empty(len(rows))
    _largest_deflections(rows, float(bat_mass), ball.params, out)
    return length * (rows[:, 1] * out).reshape(given[0].shape)


@kernel
def _largest_deflections(rows, bat_mass, par, out):
    """Integrate impacts (velocity Verlet) up to the bat's first return."""
    for i in range(len(rows)):
        speed, c, ball_mass = rows[i]
        touch = par.ball_radius + par.bat_radius
        x, v, y, u = -touch, speed, 0.0, 0.0  # ball and bat along the flight
        force = 0.0
        largest, t = 0.0, 0.0
        limit = 2.0 * math.pi * math.sqrt((bat_mass + ball_mass) / c)
        while t < limit and (u >= 0.0 or force > 0.0):
            a, b = -force / ball_mass, (force - c * y) / bat_mass
            x += v * IMPACT_STEP + 0.5 * a * IMPACT_STEP * IMPACT_STEP
            y += u * IMPACT_STEP + 0.5 * b * IMPACT_STEP * IMPACT_STEP
            force = gas_force(y - x, par)
            v += 0.5 * IMPACT_STEP * (a - force / ball_mass)
            u += 0.5 * IMPACT_STEP * (b + (force - c * y) / bat_mass)
            largest, t = max(largest, y), t + IMPACT_STEP
        out[i] = largest
