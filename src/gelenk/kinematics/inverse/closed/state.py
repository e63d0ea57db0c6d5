"""Joint states in the kernels: (cos, sin) if revolute, (x, x^2) if prismatic."""

from __future__ import annotations

import math

from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import add, scaled, sin_cos, sub
from gelenk.kinematics.inverse.closed.layout import INDEX, KIND
from gelenk.kinematics.inverse.closed.subproblems import rotated
from gelenk.typing import FloatArray, Vec2, Vec3


@kernel
def moved(kind: float, z: Vec3, p: Vec3, state: Vec2, v: Vec3) -> Vec3:
    """Return the point v after the joint with the given state has moved it."""
    if kind != 0.0:
        return add(p, rotated(z, state[0], state[1], sub(v, p)))
    return add(v, scaled(state[0], z))


@kernel
def inverse_state(kind: float, state: Vec2) -> Vec2:
    """Return the state of the joint moved the other way."""
    if kind != 0.0:
        return (state[0], -state[1])
    return (-state[0], state[1])


@kernel
def joint_value(kind: float, state: Vec2) -> float:
    """Return the joint value [rad] or [m] of a state."""
    return math.atan2(state[1], state[0]) if kind != 0.0 else state[0]


@kernel
def wished_state(K: FloatArray, row: int, q0: FloatArray) -> Vec2:
    """Return the state of the joint at q0; at 0 if it is no joint of the robot."""
    index = int(K[row, INDEX])
    x = q0[index] if index >= 0 else 0.0
    if K[row, KIND] != 0.0:
        s, c = sin_cos(x)
        return (c, s)
    return (x, x * x)
