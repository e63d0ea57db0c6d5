"""Many motors as a few arrays that the compiled tick advances."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gelenk.actuation.transmissions import reflected_inertia
from gelenk.errors import ConfigError
from gelenk.sim.motors import columns as c
from gelenk.sim.motors.descriptions import (
    DCGearMotor,
    Heating,
    IdealMotor,
    Motor,
    Play,
    PositionServo,
    TorqueServo,
)
from gelenk.sim.noise import stream_id, uniform
from gelenk.typing import ArrayLike, FloatArray, IntArray

# [kg m^2] Joints that no contact moves carry this much inertia: 1e2 is felt as recoil,
# 1e6 makes a gripper's fingers tremble.
IMMOVABLE_INERTIA = 1e4


class MotorBank(NamedTuple):
    """All motors of a world; columns are named in `columns`.

    Attributes:
        ints: Kind and addresses, shape (n, NUM_INTS).
        params: Constants, shape (n, NUM_PARAMS).
        state: What changes from tick to tick, shape (n, NUM_STATES).
        command: Written by the controllers, shape (n, 2).
        ring: Past commands, for latency, shape (n, longest delay + 1, 2).
        fault: Bits of what is broken, shape (n,).
    """

    ints: IntArray
    params: FloatArray
    state: FloatArray
    command: FloatArray
    ring: FloatArray
    fault: IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class JointSettings:
    """What a motor adds to the passive properties of its joint.

    Attributes:
        armature: Inertia of the rotor, felt at the joint [kg m^2].
        damping: Torque per speed [N m s/rad], integrated implicitly.
        frictionloss: Dry friction [N m].
    """

    armature: float
    damping: float
    frictionloss: float


def joint_settings(motor: Motor) -> JointSettings:
    """Return what a switched-on motor adds to its joint at rest.

    Written into the physics model when it is compiled; `advance_motors` rewrites the
    three values every tick, for they depend on commands, faults and contact of teeth.
    """
    if isinstance(motor, IdealMotor):
        return JointSettings(armature=IMMOVABLE_INERTIA, damping=0.0, frictionloss=0.0)
    if motor.play is not None:
        return JointSettings(armature=0.0, damping=0.0, frictionloss=0.0)
    inertia = float(reflected_inertia(motor.rotor_inertia, motor.gear_ratio))
    slope = motor.stall_torque / motor.no_load_speed
    if isinstance(motor, DCGearMotor):
        return JointSettings(
            armature=inertia, damping=slope, frictionloss=motor.back_drive_torque
        )
    drive_damping = motor.kd if isinstance(motor, PositionServo) else slope
    return JointSettings(
        armature=inertia,
        damping=drive_damping + motor.friction.viscous,
        frictionloss=motor.friction.at_rest,
    )


def pack_motors(
    motors: Sequence[Motor],
    dof_addresses: ArrayLike,
    qpos_addresses: ArrayLike,
    *,
    step: float,
    q: ArrayLike,
    names: Sequence[str] = (),
    seed: int = 0,
    limits: ArrayLike | None = None,
    joint_passive: ArrayLike | None = None,
) -> MotorBank:
    """Return the bank of `motors`, at rest at their joint values.

    Args:
        motors: One description per driven joint.
        dof_addresses: Index of each joint's speed in qvel, shape (n,).
        qpos_addresses: Index of each joint's value in qpos, shape (n,).
        step: Length of a tick [s].
        q: Joint values at the start [rad], shape (n,).
        names: Name of each motor: who it is in the draw of production spread.
        seed: Of the world.
        limits: Lower and upper joint limits [rad], shape (2, n); ideal motors clip
            their target to them.
        joint_passive: Armature, damping and dry friction that the joints have without
            their motors, shape (3, n).

    Raises:
        ConfigError: If the step is not positive or the lengths differ.
    """
    n = len(motors)
    if not (math.isfinite(step) and step > 0.0):
        raise ConfigError(f"`step` must be positive, got {step}")
    dofs = _column("dof_addresses", dof_addresses, n).astype(np.int64)
    qposes = _column("qpos_addresses", qpos_addresses, n).astype(np.int64)
    start = _column("q", q, n)
    names = tuple(names) or tuple(str(i) for i in range(n))
    if len(names) != n:
        raise ConfigError(f"`names` must have {n} entries, got {len(names)}")
    low_high = np.tile([[-np.inf], [np.inf]], n) if limits is None else limits
    passive = np.zeros((3, n)) if joint_passive is None else joint_passive

    ints = np.zeros((n, c.NUM_INTS), np.int64)
    params = np.zeros((n, c.NUM_PARAMS))
    params[:, [c.LOWER, c.UPPER]] = np.asarray(low_high, np.float64).T
    own = [c.JOINT_ARMATURE, c.JOINT_DAMPING, c.JOINT_FRICTION]
    params[:, own] = np.asarray(passive, np.float64).T
    ints[:, c.DOF], ints[:, c.QPOS] = dofs, qposes
    state = np.zeros((n, c.NUM_STATES))
    command = np.zeros((n, 2))
    for i, motor in enumerate(motors):
        ints[i, c.DELAY] = math.ceil(motor.latency / step - 1e-9)
        spread = 2.0 * uniform(seed, stream_id(names[i], "spread"), 0) - 1.0
        _describe(motor, ints[i], params[i], state[i], step=step, spread=spread)
        if isinstance(motor, IdealMotor | PositionServo):
            command[i] = start[i], 1.0
    longest = int(ints[:, c.DELAY].max(initial=0))
    ring = np.repeat(command[:, None, :], longest + 1, axis=1)
    bank = MotorBank(ints, params, state, command, ring, np.zeros(n, np.int64))
    place_motors(bank, np.arange(n), start)
    return bank


def place_motors(bank: MotorBank, rows: ArrayLike, q: ArrayLike) -> None:
    """Set motors at rest at joint values [rad], after their joints were moved there.

    Temperature, wear and commands stay.
    """
    rows = np.asarray(rows, np.int64)
    state = bank.state
    for column in (c.ROTOR_ANGLE, c.VALUE):
        state[rows, column] = q
    for column in (c.LOCK_VALUE, c.LINK_BEFORE):
        state[rows, column] = np.nan
    zeros = (c.ROTOR_SPEED, c.TORQUE, c.CURRENT, c.TOOTH_ENERGY)
    for column in (
        *zeros,
        c.SPEED_OFFSET,
        c.SPEED_SHARE,
        c.LINK_TORQUE,
        c.LINK_DAMPING,
    ):
        state[rows, column] = 0.0


def state_arrays(bank: MotorBank) -> tuple[np.ndarray, ...]:
    """Return the arrays that change while stepping: copied, they are a snapshot."""
    return bank.state, bank.command, bank.ring, bank.fault


def _column(name: str, value: ArrayLike, n: int) -> FloatArray:
    array = np.asarray(value, np.float64)
    if array.shape != (n,):
        raise ConfigError(
            f"`{name}` must have one entry per motor, shape ({n},), got {array.shape}"
        )
    return array


def _describe(
    motor: Motor,
    ints: IntArray,
    params: FloatArray,
    state: FloatArray,
    *,
    step: float,
    spread: float,
) -> None:
    """Write one motor into its row."""
    params[c.COMMAND_RANGE] = 1.0
    params[c.STRIBECK_SPEED] = 1.0
    if isinstance(motor, IdealMotor):
        ints[c.KIND] = c.IDEAL
        params[c.MAX_SPEED] = motor.max_speed
        return
    inertia = float(reflected_inertia(motor.rotor_inertia, motor.gear_ratio))
    params[c.ROTOR_INERTIA] = inertia
    params[c.STALL_TORQUE] = motor.stall_torque
    params[c.NO_LOAD_SPEED] = motor.no_load_speed
    params[c.STALL_CURRENT] = motor.stall_current
    params[c.NOMINAL_VOLTAGE] = motor.nominal_voltage
    state[c.SUPPLY] = (
        motor.nominal_voltage if motor.supply_voltage is None else motor.supply_voltage
    )
    _describe_play(motor.play, ints, params)
    _describe_heating(motor.heating, params, state)
    if isinstance(motor, DCGearMotor):
        _describe_gear_motor(motor, ints, params, spread)
        return
    params[c.COULOMB] = motor.friction.coulomb
    params[c.STATIC] = motor.friction.at_rest
    params[c.STRIBECK_SPEED] = motor.friction.stribeck_speed
    params[c.VISCOUS] = motor.friction.viscous
    if isinstance(motor, TorqueServo):
        ints[c.KIND] = c.TORQUE_SERVO
        params[c.COMMAND_STEPS] = motor.command_steps
        params[c.KP], params[c.KD] = motor.position_gain, motor.speed_gain
        return
    ints[c.KIND] = c.POSITION_SERVO
    params[c.KP], params[c.KD] = motor.kp, motor.kd
    # A spring on an inertia J is stable step by step while kp h^2 < 4 J, and the joint
    # is at least as heavy as its rotor. Beyond a quarter of that bound the spring
    # looks half a step ahead, which is stable for every inertia.
    if motor.kp * step**2 > inertia:
        params[c.LOOK_AHEAD] = 0.5 * step


def _describe_gear_motor(
    motor: DCGearMotor, ints: IntArray, params: FloatArray, spread: float
) -> None:
    ints[c.KIND] = c.DC_GEAR_MOTOR
    factor = 1.0 + motor.spread * spread
    params[c.STALL_TORQUE] *= factor
    params[c.NO_LOAD_SPEED] *= factor
    params[c.COMMAND_RANGE] = motor.command_range
    params[c.COMMAND_STEPS] = motor.command_steps
    params[c.COULOMB] = motor.back_drive_torque * motor.sliding_share
    params[c.STATIC] = motor.back_drive_torque
    params[c.STRIBECK_SPEED] = motor.stribeck_speed
    params[c.DEAD_POINT] = motor.dead_point
    params[c.HOLD_TORQUE] = motor.hold_torque


def _describe_play(play: Play | None, ints: IntArray, params: FloatArray) -> None:
    if play is not None:
        ints[c.HAS_PLAY] = 1
        params[c.HALF_GAP] = play.half_gap
        params[c.TOOTH_STIFFNESS] = play.stiffness
        params[c.TOOTH_DAMPING] = play.damping


def _describe_heating(
    heating: Heating | None, params: FloatArray, state: FloatArray
) -> None:
    if heating is None:
        state[c.TEMPERATURE] = Heating.__dataclass_fields__["ambient"].default
        return
    params[c.WINDING_RESISTANCE] = heating.winding_resistance
    params[c.THERMAL_RESISTANCE] = heating.thermal_resistance
    params[c.TIME_CONSTANT] = heating.time_constant
    params[c.AMBIENT] = state[c.TEMPERATURE] = heating.ambient
    params[c.SHUT_OFF] = heating.shut_off
    params[c.RESTART] = heating.shut_off if heating.restart is None else heating.restart
