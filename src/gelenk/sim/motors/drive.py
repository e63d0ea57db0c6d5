"""What each kind of motor does with its command: torque, damping, dry friction.

A drive answers with a law, not a number: during the coming tick its torque is
`torque - damping * speed`, where the speed is that at the end of the tick. Whoever
integrates the law (the physics engine, or the rotor behind its play) treats the damping
implicitly, so that steep speed-torque lines and stiff gains stay stable on light links.
"""

from __future__ import annotations

import numpy as np

from gelenk.actuation.dc_motor import warmed
from gelenk.dynamics.friction import stribeck_level
from gelenk.kernels.compile import kernel
from gelenk.sim.motors.columns import (
    AMBIENT,
    COMMAND_RANGE,
    COMMAND_STEPS,
    COULOMB,
    CURRENT,
    DC_GEAR_MOTOR,
    DEAD_POINT,
    HOLD_TORQUE,
    IS_HOT,
    KD,
    KP,
    LOOK_AHEAD,
    NO_LOAD_SPEED,
    NOMINAL_VOLTAGE,
    RESTART,
    ROTOR_ANGLE,
    ROTOR_SPEED,
    SHUT_OFF,
    STALL_CURRENT,
    STALL_TORQUE,
    STATIC,
    STRIBECK_SPEED,
    SUPPLY,
    TEMPERATURE,
    THERMAL_RESISTANCE,
    TIME_CONSTANT,
    TORQUE,
    TORQUE_SERVO,
    VISCOUS,
    WINDING_RESISTANCE,
)
from gelenk.typing import FloatArray, Vec2, Vec3


@kernel
def drive_law(
    kind: int,
    params: FloatArray,
    state: FloatArray,
    command: float,
    second: float,
    is_off: bool,
) -> Vec3:
    """Return torque [N m], damping [N m s/rad] and dry friction [N m] of a drive.

    Writes the columns TORQUE and CURRENT.
    """
    speed = state[ROTOR_SPEED]
    friction = stribeck_level(
        speed, params[COULOMB], params[STATIC], params[STRIBECK_SPEED]
    )
    torque, damping, support = 0.0, 0.0, 0.0
    if is_off:
        pass
    elif kind == TORQUE_SERVO:
        if second > 0.0 and params[KP] > 0.0:
            torque, damping = _run_to_law(params, state, command, second)
        else:
            torque, damping = _voltage_law(params, state, _share(params, command))
    elif kind == DC_GEAR_MOTOR:
        torque, damping, friction, support = _gear_motor_law(
            params, state, command, second, friction
        )
    else:
        torque, damping = _position_law(params, state, command, second)
    state[TORQUE] = torque - damping * speed
    state[CURRENT] = params[STALL_CURRENT] * state[TORQUE] / params[STALL_TORQUE]
    return torque + support, damping + params[VISCOUS], friction


@kernel
def warm_winding(params: FloatArray, state: FloatArray, h: float) -> None:
    """Heat the winding by the current of this tick; switch off above the limit."""
    if params[WINDING_RESISTANCE] == 0.0:
        return
    temperature = warmed(
        state[TEMPERATURE],
        params[WINDING_RESISTANCE] * state[CURRENT] ** 2,
        h,
        params[THERMAL_RESISTANCE],
        params[TIME_CONSTANT],
        params[AMBIENT],
    )
    state[TEMPERATURE] = temperature
    if temperature > params[SHUT_OFF]:
        state[IS_HOT] = 1.0
    elif temperature < params[RESTART]:
        state[IS_HOT] = 0.0


@kernel
def _share(params: FloatArray, command: float) -> float:
    """Return the share of the full voltage that a command means, -1 to 1."""
    share = min(max(command / params[COMMAND_RANGE], -1.0), 1.0)
    steps = params[COMMAND_STEPS]
    return share if steps == 0.0 else np.floor(share * steps + 0.5) / steps


@kernel
def _slope(params: FloatArray) -> float:
    """Return how much torque one unit of speed costs on the speed-torque line."""
    return params[STALL_TORQUE] / params[NO_LOAD_SPEED]


@kernel
def _voltage_law(params: FloatArray, state: FloatArray, share: float) -> Vec2:
    supply = state[SUPPLY] / params[NOMINAL_VOLTAGE]
    return share * supply * params[STALL_TORQUE], _slope(params)


@kernel
def _run_to_law(
    params: FloatArray, state: FloatArray, target: float, share: float
) -> Vec2:
    """Return torque and damping of a servo that runs to a target by its own loop."""
    top = min(share, 1.0) * params[NO_LOAD_SPEED]
    wanted = min(max(params[KP] * (target - state[ROTOR_ANGLE]), -top), top)
    slope = _slope(params)
    gain = slope * (1.0 + params[KD])
    limit = params[STALL_TORQUE] * state[SUPPLY] / params[NOMINAL_VOLTAGE]
    return _within_line(gain * wanted, gain, limit, slope, state[ROTOR_SPEED])


@kernel
def _within_line(
    torque: float, damping: float, limit: float, slope: float, speed: float
) -> Vec2:
    """Return torque and damping of a wish, or those of full voltage if it is less."""
    demand = torque - damping * speed
    if demand > limit - slope * speed:
        return limit, slope
    if demand < -limit - slope * speed:
        return -limit, slope
    return torque, damping


@kernel
def _gear_motor_law(
    params: FloatArray,
    state: FloatArray,
    command: float,
    second: float,
    resistance: float,
) -> tuple[float, float, float, float]:
    """Return torque, damping, friction and support of a drive with a braking gear.

    Resistance acts against being driven back only, as soon as the voltage passes the
    dead point: dry friction of half its size plus a torque of half its size in the
    driving direction cancel forwards and add up backwards.
    """
    share = _share(params, command)
    hold = abs(_share(params, second))
    if share == 0.0:
        friction = resistance + hold * params[HOLD_TORQUE]
        return 0.0, hold * _slope(params), friction, 0.0
    torque, damping = _voltage_law(params, state, share)
    voltage = share * state[SUPPLY] / params[NOMINAL_VOLTAGE]
    if abs(voltage) < params[DEAD_POINT]:
        return torque, damping, resistance, 0.0
    half = 0.5 * resistance
    return torque, damping, half, half if share > 0.0 else -half


@kernel
def _position_law(
    params: FloatArray, state: FloatArray, command: float, second: float
) -> Vec2:
    """Return torque and damping of a position servo within its limits."""
    stiffness = min(max(second, 0.0), 1.0)
    if stiffness == 0.0:
        return 0.0, 0.0
    angle, speed = state[ROTOR_ANGLE], state[ROTOR_SPEED]
    kp = stiffness * params[KP]
    torque = kp * (command - angle)
    damping = stiffness * params[KD] + kp * params[LOOK_AHEAD]
    limit = params[STALL_TORQUE] * state[SUPPLY] / params[NOMINAL_VOLTAGE]
    return _within_line(torque, damping, limit, _slope(params), speed)
