"""Whether the free-standing base tips: what the moving parts do to it, and its weight.

What the base has to give to the moving parts is what they need for their motion, less
what gravity and the ball give them. About the middle of the base, on the floor:

    M = d/dt sum(r x m v + I w) - sum(r x m g) - r_ball x F_ball
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.robots.piggy import robot as unit
from gelenk.robots.piggy.config import GRAVITY
from gelenk.sim.world import World
from gelenk.typing import ArrayLike, FloatArray

FOOT = np.array(
    [-unit.HOUSING[0] / 2.0, -unit.HOUSING[1] / 2.0, 0.0]
)  # [m], its middle
BASE_MASS = (
    30.0  # [kg]; assumed: housing, computer, supply and the weight at its bottom
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MovingPart:
    """A body that the base carries.

    Attributes:
        name: In the world.
        mass: [kg].
        com: Centre of mass in its own axes [m], (3,).
        inertia: About that centre, own axes [kg m^2], (3, 3).
    """

    name: str
    mass: float
    com: FloatArray
    inertia: FloatArray


def moving_parts() -> tuple[MovingPart, ...]:
    """Return servo and bat as they are built."""
    mass, away, inertia = unit.bat_inertia(cover=True)
    bat = MovingPart(
        name="piggy/bat", mass=mass, com=np.array([0.0, -away, 0.0]), inertia=inertia
    )
    servo = MovingPart(
        name="piggy/carrier",
        mass=unit.SERVO_MASS,
        com=np.array([0.0, -unit.AXIS_OFFSET, 0.0]),
        inertia=np.zeros((3, 3)),
    )
    return servo, bat


def angular_momentum(world: World, parts: Sequence[MovingPart]) -> FloatArray:
    """Return that of all parts about the foot [N m s], (3,)."""
    total = np.zeros(3)
    for part in parts:
        T, twist = world.pose(part.name), world.twist(part.name)
        R, omega = T[:3, :3], twist[3:]
        arm = R @ part.com
        v = twist[:3] + np.cross(omega, arm)
        total += np.cross(T[:3, 3] + arm - FOOT, part.mass * v)
        total += R @ part.inertia @ R.T @ omega
    return total


def weight_moment(world: World, parts: Sequence[MovingPart]) -> FloatArray:
    """Return what gravity does to all parts about the foot [N m], (3,)."""
    total = np.zeros(3)
    for part in parts:
        T = world.pose(part.name)
        arm = T[:3, 3] + T[:3, :3] @ part.com - FOOT
        total += np.cross(arm, [0.0, 0.0, -GRAVITY * part.mass])
    return total


def base_moments(
    momentum: ArrayLike, weight: ArrayLike, ball: ArrayLike, dt: float
) -> FloatArray:
    """Return what the parts do to the base about its foot [N m], (n, 3).

    Args:
        momentum: Angular, before each step and after the last [N m s], (n + 1, 3).
        weight: Moment of gravity [N m], (n, 3).
        ball: Moment of the ball's force [N m], (n, 3).
        dt: Of a step [s].
    """
    needed = np.diff(np.asarray(momentum, dtype=np.float64), axis=0) / dt
    return np.asarray(weight) + np.asarray(ball) - needed


def tipping_share(moments: ArrayLike, *, base_mass: float = BASE_MASS) -> float:
    """Return the worst moment over the one that lifts an edge of the base; 1: it tips.

    Args:
        moments: On the base about its foot [N m], (n, 3).
        base_mass: [kg].
    """
    M = np.abs(np.asarray(moments, dtype=np.float64))
    width, depth, _ = unit.HOUSING
    held = base_mass * GRAVITY * np.array([depth, width]) / 2.0
    return float((M[:, :2] / held).max())
