"""A free rigid body in steps of constant acceleration (4.20) to (4.26).

For spheres the orientation plays no part, so the contact simulation leaves it out; this
is the whole integrator for those who want to see a ball turn.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gelenk.checks import as_array
from gelenk.spatial import quaternion
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BodyState:
    """Place and motion of a rigid body.

    Attributes:
        position: Of its centre in the world [m], (3,).
        velocity: [m/s], (3,).
        quat: Orientation, wxyz, (4,).
        omega: Angular velocity in the body's axes [rad/s], (3,).
    """

    position: FloatArray
    velocity: FloatArray
    quat: FloatArray = field(default_factory=lambda: np.array([1.0, 0.0, 0.0, 0.0]))
    omega: FloatArray = field(default_factory=lambda: np.zeros(3))


def step_body(
    state: BodyState, acceleration: ArrayLike, alpha: ArrayLike, dt: float
) -> BodyState:
    """Return the state after a step.

    Args:
        state: Before.
        acceleration: Of the centre, world axes [m/s^2], shape (3,).
        alpha: Angular acceleration, body's axes [rad/s^2], shape (3,).
        dt: [s].
    """
    a, w = as_array("acceleration", acceleration, (3,)), as_array("alpha", alpha, (3,))
    turned = state.omega * dt + 0.5 * w * dt * dt
    quat = quaternion.multiply(state.quat, quaternion.exp(turned))
    return BodyState(
        position=state.position + state.velocity * dt + 0.5 * a * dt * dt,
        velocity=state.velocity + a * dt,
        quat=quaternion.canonical(quaternion.normalize(quat)),
        omega=state.omega + w * dt,
    )


def point_velocity(state: BodyState, p_world: ArrayLike) -> FloatArray:
    """Return the velocity of a point of the body, world axes (4.24) [m/s], (3,)."""
    spin = quaternion.rotate(state.quat, state.omega)
    arm = as_array("p_world", p_world, (3,)) - state.position
    return state.velocity + np.cross(spin, arm)
