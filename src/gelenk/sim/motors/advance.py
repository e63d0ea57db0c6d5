"""One tick of all motors, and the law of each kind of motor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.actuation.dc_motor import heat_winding
from gelenk.dynamics.friction import stribeck_level
from gelenk.kernels.compile import kernel
from gelenk.sim.motors.backlash import mesh, settle_rotor
from gelenk.sim.motors.bank import (
    AMBIENT,
    COMMAND,
    COMMAND_RANGE,
    COMMAND_STEPS,
    COULOMB,
    CURRENT,
    DC_GEAR_MOTOR,
    DEAD_POINT,
    DELAY,
    DOF,
    HAS_PLAY,
    HOLD_TORQUE,
    IDEAL,
    IS_HOT,
    IS_INTERPOLATED,
    JOINT_ARMATURE,
    JOINT_DAMPING,
    JOINT_FRICTION,
    JOINT_LIMP,
    JOINT_LOCKED,
    KD,
    KIND,
    KP,
    LINK_DAMPING,
    LINK_TORQUE,
    LOCK_VALUE,
    LOOK_AHEAD,
    LOWER,
    MAX_ACCELERATION,
    MAX_SPEED,
    MOTOR_DEAD,
    NO_LOAD_SPEED,
    NOMINAL_VOLTAGE,
    QPOS,
    RESTART,
    ROTOR_ANGLE,
    ROTOR_INERTIA,
    ROTOR_SPEED,
    SECOND,
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
    TORQUE_MOTOR,
    TORQUE_SERVO,
    UPPER,
    VALUE,
    VELOCITY_SERVO,
    VISCOUS,
    WINDING_RESISTANCE,
)
from gelenk.sim.motors.joint import IMMOVABLE_INERTIA
from gelenk.sim.motors.smooth import advance_smoothly
from gelenk.typing import FloatArray, Vec2, Vec3

if TYPE_CHECKING:
    from gelenk.sim.motors.bank import MotorBank


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
    elif kind == TORQUE_MOTOR:
        limit = params[STALL_TORQUE] * state[SUPPLY]
        torque = min(max(command, -limit), limit)
    elif kind == VELOCITY_SERVO:
        limit, gain = params[STALL_TORQUE] * state[SUPPLY], params[KD]
        torque, damping = _within_line(gain * command, gain, limit, 0.0, speed)
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
    temperature = heat_winding(
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


@kernel
def advance_motors(
    bank: MotorBank,
    qpos: FloatArray,
    qvel: FloatArray,
    qfrc_applied: FloatArray,
    prescribed_q: FloatArray,
    prescribed_v: FloatArray,
    dof_armature: FloatArray,
    dof_damping: FloatArray,
    dof_frictionloss: FloatArray,
    h: float,
    tick: int,
) -> None:
    """Turn commands into what the physics of the coming tick needs.

    Every driven joint gets, at its address, either prescribed values or NaN there and
    a torque; and its armature, damping and dry friction.

    Args:
        bank: The motors; their state advances.
        qpos: Positions at the start of the tick.
        qvel: Speeds at the start of the tick, shape (nv,).
        qfrc_applied: Torques to apply [N m], shape (nv,), written.
        prescribed_q: Joint value at the end of the tick, NaN: free; (nv,), written.
        prescribed_v: Speed during the tick, NaN: free; (nv,), written.
        dof_armature: Armature of the physics model [kg m^2], shape (nv,), written.
        dof_damping: Damping of the physics model [N m s/rad], shape (nv,), written.
        dof_frictionloss: Dry friction of the physics model [N m], shape (nv,), written.
        h: Length of the tick [s].
        tick: Number of the tick.
    """
    for i in range(bank.ints.shape[0]):
        ints, params, state = bank.ints[i], bank.params[i], bank.state[i]
        dof, fault = ints[DOF], bank.fault[i]
        q: Any
        qd: Any
        q, qd = qpos[ints[QPOS]], qvel[dof]
        command, second = _delayed_command(bank, i, tick)
        prescribed_q[dof], prescribed_v[dof] = np.nan, np.nan
        dof_armature[dof] = params[JOINT_ARMATURE]
        dof_damping[dof] = params[JOINT_DAMPING]
        dof_frictionloss[dof] = params[JOINT_FRICTION]
        if ints[KIND] == IDEAL:
            if params[IS_INTERPOLATED] != 0.0 or params[MAX_ACCELERATION] < np.inf:
                speed = advance_smoothly(
                    params, state, bank.track[i], command, second, fault, q, h, tick
                )
            else:
                speed = _advance_ideal(params, state, command, second, fault, q, h)
            torque, is_held = 0.0, not fault & JOINT_LIMP
            value = state[VALUE]
        else:
            torque, damping, friction, armature = _advance_drive(
                ints[KIND], ints[HAS_PLAY], params, state, command, second, fault,
                q, qd, h,
            )  # fmt: skip
            dof_armature[dof] += armature
            dof_damping[dof] += damping
            dof_frictionloss[dof] += friction
            is_held = _is_locked(state, fault, q)
            value, speed = state[LOCK_VALUE], 0.0
        qfrc_applied[dof] = 0.0 if is_held else torque
        if is_held:
            prescribed_q[dof], prescribed_v[dof] = value, speed
            dof_armature[dof] = IMMOVABLE_INERTIA
            dof_damping[dof], dof_frictionloss[dof] = 0.0, 0.0


@kernel
def _delayed_command(bank: MotorBank, i: int, tick: int) -> Vec2:
    """Remember the command of this tick, return the one that takes effect now."""
    delay = bank.ints[i, DELAY]
    if delay == 0:
        return bank.command[i, COMMAND], bank.command[i, SECOND]
    slots = bank.ring.shape[1]
    bank.ring[i, tick % slots, COMMAND] = bank.command[i, COMMAND]
    bank.ring[i, tick % slots, SECOND] = bank.command[i, SECOND]
    then = (tick - delay) % slots
    return bank.ring[i, then, COMMAND], bank.ring[i, then, SECOND]


@kernel
def _advance_ideal(
    params: FloatArray,
    state: FloatArray,
    command: float,
    second: float,
    fault: int,
    q: float,
    h: float,
) -> float:
    """Move the value of an ideal motor towards its target; return its speed."""
    before = state[VALUE]
    if fault & JOINT_LIMP:
        state[VALUE] = q
    elif not fault & (MOTOR_DEAD | JOINT_LOCKED):
        share = min(max(second, 0.0), 1.0)
        reach = share * params[MAX_SPEED] * h if share > 0.0 else 0.0
        target = min(max(command, params[LOWER]), params[UPPER])
        state[VALUE] = before + min(max(target - before, -reach), reach)
    state[ROTOR_ANGLE] = state[VALUE]
    state[ROTOR_SPEED] = (state[VALUE] - before) / h
    return state[ROTOR_SPEED]


@kernel
def _advance_drive(
    kind: int,
    has_backlash: int,
    params: FloatArray,
    state: FloatArray,
    command: float,
    second: float,
    fault: int,
    q: float,
    qd: float,
    h: float,
) -> tuple[float, float, float, float]:
    """Return torque, damping, dry friction and armature that the joint gets."""
    if has_backlash:
        settle_rotor(params, state, q, h)
    else:
        state[ROTOR_ANGLE], state[ROTOR_SPEED] = q, qd
    is_torn = bool(fault & JOINT_LIMP)
    is_off = is_torn or bool(fault & MOTOR_DEAD) or state[IS_HOT] != 0.0
    torque, damping, friction = drive_law(kind, params, state, command, second, is_off)
    warm_winding(params, state, h)
    if has_backlash:
        mesh(params, state, q, qd, torque, damping, friction, h, is_torn)
        return state[LINK_TORQUE], state[LINK_DAMPING], 0.0, 0.0
    if is_torn:
        return 0.0, 0.0, 0.0, 0.0
    return torque, damping, friction, params[ROTOR_INERTIA]


@kernel
def _is_locked(state: FloatArray, fault: int, q: float) -> bool:
    """Return whether the joint is locked; remember where it was when that began."""
    if not fault & JOINT_LOCKED:
        state[LOCK_VALUE] = np.nan
        return False
    if np.isnan(state[LOCK_VALUE]):
        state[LOCK_VALUE] = q
    return True
