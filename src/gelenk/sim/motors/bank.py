"""Motor bank: many motors as a few arrays that the compiled tick advances."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gelenk.actuation.transmissions import reflected_inertia
from gelenk.errors import ConfigError
from gelenk.sim.motors.descriptions import (
    Backlash,
    DCGearMotor,
    Heating,
    IdealMotor,
    Motor,
    PositionServo,
    TorqueServo,
)
from gelenk.sim.noise import stream_id, uniform
from gelenk.typing import ArrayLike, FloatArray, IntArray

# Kinds of motors, column KIND.
IDEAL, TORQUE_SERVO, DC_GEAR_MOTOR, POSITION_SERVO = range(4)

# Columns of `ints`.
KIND, DOF, QPOS, DELAY, HAS_PLAY, NUM_INTS = range(6)

# Columns of `params`; units as in `descriptions`.
(
    MAX_SPEED,
    LOWER,
    UPPER,
    STALL_TORQUE,
    NO_LOAD_SPEED,
    STALL_CURRENT,
    NOMINAL_VOLTAGE,
    COMMAND_RANGE,
    COMMAND_STEPS,
    COULOMB,
    STATIC,
    STRIBECK_SPEED,
    VISCOUS,
    ROTOR_INERTIA,  # felt at the joint
    HALF_GAP,
    TOOTH_STIFFNESS,
    TOOTH_DAMPING,
    KP,
    KD,
    LOOK_AHEAD,
    DEAD_POINT,
    HOLD_TORQUE,
    WINDING_RESISTANCE,  # 0: no thermal model
    THERMAL_RESISTANCE,
    TIME_CONSTANT,
    AMBIENT,
    SHUT_OFF,
    RESTART,
    JOINT_ARMATURE,  # the joint's own, without the motor
    JOINT_DAMPING,
    JOINT_FRICTION,
    NUM_PARAMS,
) = range(32)

# Columns of `state`. The first six are what sensors may read.
(
    ROTOR_ANGLE,  # behind the gear [rad]
    ROTOR_SPEED,  # [rad/s]
    TORQUE,  # of the drive, before friction [N m]
    CURRENT,  # [A]
    TEMPERATURE,  # [K]
    SUPPLY,  # voltage at the terminals [V]
    WEAR,  # energy that the teeth have turned into heat [J]
    IS_HOT,  # 1 while the drive has switched itself off
    VALUE,  # of an ideal motor
    LOCK_VALUE,  # NaN, or where the joint is locked
    LINK_BEFORE,  # joint value one tick ago; NaN at the start
    TOOTH_ENERGY,  # stored in the teeth [J]
    SPEED_OFFSET,  # rotor speed after this tick = offset + share * link speed
    SPEED_SHARE,
    LINK_TORQUE,  # torque on the link = this - LINK_DAMPING * link speed
    LINK_DAMPING,
    NUM_STATES,
) = range(17)

# Bits of `fault`.
MOTOR_DEAD, JOINT_LOCKED, JOINT_LIMP = 1, 2, 4

# Columns of `command`.
COMMAND, SECOND = range(2)


# [kg m^2] Joints that no contact moves carry this much inertia: 1e2 is felt as recoil,
# 1e6 makes a gripper's fingers tremble.
IMMOVABLE_INERTIA = 1e4


class MotorBank(NamedTuple):
    """All motors of a world; columns are named in `columns`.

    Attributes:
        ints: Kind and addresses, shape (n, NUM_INTS).
        params: Constants, shape (n, NUM_PARAMS).
        state: Numbers that change from tick to tick, shape (n, NUM_STATES).
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
    """Addition of a motor to the passive properties of its joint.

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
    if motor.backlash is not None:
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
        seed: Seed of the world.
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

    ints = np.zeros((n, NUM_INTS), np.int64)
    params = np.zeros((n, NUM_PARAMS))
    params[:, [LOWER, UPPER]] = np.asarray(low_high, np.float64).T
    own = [JOINT_ARMATURE, JOINT_DAMPING, JOINT_FRICTION]
    params[:, own] = np.asarray(passive, np.float64).T
    ints[:, DOF], ints[:, QPOS] = dofs, qposes
    state = np.zeros((n, NUM_STATES))
    command = np.zeros((n, 2))
    for i, motor in enumerate(motors):
        ints[i, DELAY] = math.ceil(motor.latency / step - 1e-9)
        spread = 2.0 * uniform(seed, stream_id(names[i], "spread"), 0) - 1.0
        _describe(motor, ints[i], params[i], state[i], step=step, spread=spread)
        if isinstance(motor, IdealMotor | PositionServo):
            command[i] = start[i], 1.0
    longest = int(ints[:, DELAY].max(initial=0))
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
    for column in (ROTOR_ANGLE, VALUE):
        state[rows, column] = q
    for column in (LOCK_VALUE, LINK_BEFORE):
        state[rows, column] = np.nan
    zeros = (ROTOR_SPEED, TORQUE, CURRENT, TOOTH_ENERGY)
    for column in (
        *zeros,
        SPEED_OFFSET,
        SPEED_SHARE,
        LINK_TORQUE,
        LINK_DAMPING,
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
    params[COMMAND_RANGE] = 1.0
    params[STRIBECK_SPEED] = 1.0
    if isinstance(motor, IdealMotor):
        ints[KIND] = IDEAL
        params[MAX_SPEED] = motor.max_speed
        return
    inertia = float(reflected_inertia(motor.rotor_inertia, motor.gear_ratio))
    params[ROTOR_INERTIA] = inertia
    params[STALL_TORQUE] = motor.stall_torque
    params[NO_LOAD_SPEED] = motor.no_load_speed
    params[STALL_CURRENT] = motor.stall_current
    params[NOMINAL_VOLTAGE] = motor.nominal_voltage
    state[SUPPLY] = (
        motor.nominal_voltage if motor.supply_voltage is None else motor.supply_voltage
    )
    _describe_backlash(motor.backlash, ints, params)
    _describe_heating(motor.heating, params, state)
    if isinstance(motor, DCGearMotor):
        _describe_gear_motor(motor, ints, params, spread)
        return
    params[COULOMB] = motor.friction.coulomb
    params[STATIC] = motor.friction.at_rest
    params[STRIBECK_SPEED] = motor.friction.stribeck_speed
    params[VISCOUS] = motor.friction.viscous
    if isinstance(motor, TorqueServo):
        ints[KIND] = TORQUE_SERVO
        params[COMMAND_STEPS] = motor.command_steps
        params[KP], params[KD] = motor.position_gain, motor.speed_gain
        return
    ints[KIND] = POSITION_SERVO
    params[KP], params[KD] = motor.kp, motor.kd
    # A spring on an inertia J is stable step by step while kp h^2 < 4 J, and the joint
    # is at least as heavy as its rotor. Beyond a quarter of that bound the spring
    # looks half a step ahead, which is stable for every inertia.
    if motor.kp * step**2 > inertia:
        params[LOOK_AHEAD] = 0.5 * step


def _describe_gear_motor(
    motor: DCGearMotor, ints: IntArray, params: FloatArray, spread: float
) -> None:
    ints[KIND] = DC_GEAR_MOTOR
    factor = 1.0 + motor.spread * spread
    params[STALL_TORQUE] *= factor
    params[NO_LOAD_SPEED] *= factor
    params[COMMAND_RANGE] = motor.command_range
    params[COMMAND_STEPS] = motor.command_steps
    params[COULOMB] = motor.back_drive_torque * motor.sliding_share
    params[STATIC] = motor.back_drive_torque
    params[STRIBECK_SPEED] = motor.stribeck_speed
    params[DEAD_POINT] = motor.dead_point
    params[HOLD_TORQUE] = motor.hold_torque


def _describe_backlash(
    backlash: Backlash | None, ints: IntArray, params: FloatArray
) -> None:
    if backlash is not None:
        ints[HAS_PLAY] = 1
        params[HALF_GAP] = backlash.half_gap
        params[TOOTH_STIFFNESS] = backlash.stiffness
        params[TOOTH_DAMPING] = backlash.damping


def _describe_heating(
    heating: Heating | None, params: FloatArray, state: FloatArray
) -> None:
    if heating is None:
        state[TEMPERATURE] = Heating.__dataclass_fields__["ambient"].default
        return
    params[WINDING_RESISTANCE] = heating.winding_resistance
    params[THERMAL_RESISTANCE] = heating.thermal_resistance
    params[TIME_CONSTANT] = heating.time_constant
    params[AMBIENT] = state[TEMPERATURE] = heating.ambient
    params[SHUT_OFF] = heating.shut_off
    params[RESTART] = heating.shut_off if heating.restart is None else heating.restart
