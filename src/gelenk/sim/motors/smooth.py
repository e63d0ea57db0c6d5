"""Ideal motors that follow their set-points without leaps of position or speed."""

from __future__ import annotations

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.sim.motors.bank import (
    IS_INTERPOLATED,
    JOINT_LIMP,
    JOINT_LOCKED,
    LEFT,
    LONGEST_PERIOD,
    LOWER,
    MAX_ACCELERATION,
    MAX_SPEED,
    MOTOR_DEAD,
    PERIOD,
    REFERENCE,
    ROTOR_ANGLE,
    ROTOR_SPEED,
    SET_POINT,
    SINCE,
    UPPER,
    VALUE,
)
from gelenk.typing import FloatArray


@kernel
def advance_smoothly(
    params: FloatArray,
    state: FloatArray,
    track: FloatArray,
    command: float,
    second: float,
    fault: int,
    q: float,
    h: float,
    tick: int,
) -> float:
    """Move the value of an ideal motor that has no leaps; return its speed."""
    before, speed_before = state[VALUE], state[ROTOR_SPEED]
    target = min(max(command, params[LOWER]), params[UPPER])
    if fault & (JOINT_LIMP | MOTOR_DEAD | JOINT_LOCKED):
        state[VALUE] = q if fault & JOINT_LIMP else before
        track[SET_POINT], track[REFERENCE], track[LEFT] = target, state[VALUE], 0.0
    else:
        error = track[REFERENCE] - before
        reference_speed = _advance_reference(params, track, target, h, tick)
        if params[IS_INTERPOLATED] == 0.0:
            error = track[REFERENCE] - before
        top = min(max(second, 0.0), 1.0) * params[MAX_SPEED] if second > 0.0 else 0.0
        wish = reference_speed + _catch_up(error, params[MAX_ACCELERATION], h)
        wish = min(max(wish, -top), top)
        change = params[MAX_ACCELERATION] * h
        speed = min(max(wish, speed_before - change), speed_before + change)
        value = min(max(before + speed * h, params[LOWER]), params[UPPER])
        if abs(value - track[REFERENCE]) < 1e-12:  # without the rounding on the way
            value = track[REFERENCE]
        state[VALUE] = value
    state[ROTOR_ANGLE] = state[VALUE]
    state[ROTOR_SPEED] = (state[VALUE] - before) / h
    return state[ROTOR_SPEED]


@kernel
def _advance_reference(
    params: FloatArray, track: FloatArray, target: float, h: float, tick: int
) -> float:
    """Move the reference by a tick towards its set-point; return its speed."""
    if target != track[SET_POINT]:
        gap = tick - track[SINCE]
        if gap * h <= LONGEST_PERIOD:
            track[PERIOD] = gap
        track[SET_POINT], track[SINCE], track[LEFT] = target, tick, track[PERIOD]
    if params[IS_INTERPOLATED] == 0.0 or track[LEFT] < 1.0:
        track[REFERENCE] = target
        return 0.0
    step = (target - track[REFERENCE]) / track[LEFT]
    track[LEFT] -= 1.0
    track[REFERENCE] = target if track[LEFT] == 0.0 else track[REFERENCE] + step
    return step / h


@kernel
def _catch_up(error: float, acceleration: float, h: float) -> float:
    """Return the highest speed of this tick from which braking ends at no error.

    In n ticks speeds that fall by a h each, down to a h, go n (n + 1) / 2 times a h^2.
    """
    speed = abs(error) / h
    if acceleration < np.inf and speed > 0.0:
        change = acceleration * h
        ticks = np.ceil(np.sqrt(0.25 + 2.0 * speed / change) - 0.5)
        speed = speed / ticks + 0.5 * change * (ticks - 1.0)
    return speed if error > 0.0 else -speed
