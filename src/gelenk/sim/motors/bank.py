"""Motor bank: many motors as a few arrays that the compiled tick advances."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gelenk.errors import ConfigError
from gelenk.sim.motors.descriptions import (
    DCGearMotor,
    IdealMotor,
    Motor,
    PositionServo,
    TorqueMotor,
    TorqueServo,
    VelocityServo,
)
from gelenk.sim.motors.joint import rotor_armature
from gelenk.sim.motors.parts import Backlash, Friction, Heating
from gelenk.sim.noise import stream_id, uniform
from gelenk.typing import ArrayLike, FloatArray, IntArray

# Kinds of motors, column KIND.
(
    IDEAL, TORQUE_SERVO, DC_GEAR_MOTOR, POSITION_SERVO, TORQUE_MOTOR, VELOCITY_SERVO,
) = range(6)  # fmt: skip

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
    MAX_ACCELERATION,  # of an ideal motor
    IS_INTERPOLATED,  # 1 if an ideal motor runs evenly from set-point to set-point
    NUM_PARAMS,
) = range(34)

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

# Columns of `track`: set-points of ideal motors that follow them smoothly.
(
    SET_POINT,  # the last one
    SINCE,  # tick at which it came
    PERIOD,  # from one set-point to the next [ticks]
    LEFT,  # until the reference is at the set-point [ticks]
    REFERENCE,  # value to be at
    NUM_TRACK,
) = range(6)

# Bits of `fault`.
MOTOR_DEAD, JOINT_LOCKED, JOINT_LIMP = 1, 2, 4

# Columns of `command`.
COMMAND, SECOND = range(2)


UNLIMITED = 1e30  # [N m], for an infinite limit: its products with 0 are numbers
USUAL_PERIOD = 0.01  # [s], of set-points after a pause: the usual period of control
LONGEST_PERIOD = 0.1  # [s], what takes longer is a pause


class MotorBank(NamedTuple):
    """All motors of a world; columns are named in `columns`.

    Attributes:
        ints: Kind and addresses, shape (n, NUM_INTS).
        params: Constants, shape (n, NUM_PARAMS).
        state: Numbers that change from tick to tick, shape (n, NUM_STATES).
        command: Written by the controllers, shape (n, 2).
        ring: Past commands, for latency, shape (n, longest delay + 1, 2).
        track: Set-points that are followed smoothly, shape (n, NUM_TRACK); without
            any row if no motor does.
        fault: Bits of what is broken, shape (n,).
    """

    ints: IntArray
    params: FloatArray
    state: FloatArray
    command: FloatArray
    ring: FloatArray
    track: FloatArray
    fault: IntArray


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
    is_smooth = [isinstance(m, IdealMotor) and m.is_smooth for m in motors]
    track = np.zeros((n if any(is_smooth) else 0, NUM_TRACK))
    track[:, SINCE] = -math.inf
    track[:, PERIOD] = max(round(USUAL_PERIOD / step), 1)
    bank = MotorBank(ints, params, state, command, ring, track, np.zeros(n, np.int64))
    place_motors(bank, np.arange(n), start)
    return bank


def place_motors(
    bank: MotorBank, rows: ArrayLike, q: ArrayLike, qd: ArrayLike = 0.0
) -> None:
    """Set motors where their joints were moved to.

    Temperature, wear and commands stay.

    Args:
        bank: The motors.
        rows: Motors that are set.
        q: Joint values [rad].
        qd: Joint speeds [rad/s].
    """
    rows = np.asarray(rows, np.int64)
    state = bank.state
    for column in (ROTOR_ANGLE, VALUE):
        state[rows, column] = q
    for column in (LOCK_VALUE, LINK_BEFORE):
        state[rows, column] = np.nan
    state[rows, ROTOR_SPEED] = qd
    for column in (
        *(TORQUE, CURRENT, TOOTH_ENERGY, SPEED_OFFSET, SPEED_SHARE),
        *(LINK_TORQUE, LINK_DAMPING),
    ):
        state[rows, column] = 0.0
    if len(bank.track):
        for column in (SET_POINT, REFERENCE):
            bank.track[rows, column] = q
        bank.track[rows, LEFT] = 0.0


def command_standstill(
    bank: MotorBank, rows: IntArray, q: FloatArray, qd: FloatArray
) -> None:
    """Command motors what keeps their joints as they are: no drive has cause to act.

    Targets become the joint values, target speeds the joint speeds, torques and
    voltages 0. Commands that are still on their way are forgotten; what else the second
    channel says stays.

    Args:
        bank: The motors.
        rows: Motors that are commanded, (k,).
        q: Joint values [rad], (k,).
        qd: Joint speeds [rad/s], (k,).
    """
    kinds, second = bank.ints[rows, KIND], bank.command[rows, SECOND]
    runs_to = (kinds == TORQUE_SERVO) & (second > 0.0) & (bank.params[rows, KP] > 0.0)
    is_target = (kinds == IDEAL) | (kinds == POSITION_SERVO) | runs_to
    value = np.where(is_target, q, np.where(kinds == VELOCITY_SERVO, qd, 0.0))
    bank.command[rows, COMMAND] = value
    bank.ring[rows] = bank.command[rows][:, None, :]


def state_arrays(bank: MotorBank) -> tuple[np.ndarray, ...]:
    """Return the arrays that change while stepping: copied, they are a snapshot."""
    return bank.state, bank.command, bank.ring, bank.track, bank.fault


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
        params[MAX_SPEED] = math.inf if motor.max_speed is None else motor.max_speed
        params[MAX_ACCELERATION] = motor.max_acceleration
        params[IS_INTERPOLATED] = motor.interpolate
        return
    inertia = rotor_armature(motor) or 0.0
    params[ROTOR_INERTIA] = inertia
    if isinstance(motor, TorqueMotor | VelocityServo):
        _describe_direct(motor, ints, params, state)
        return
    params[STALL_TORQUE] = min(motor.stall_torque, UNLIMITED)
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
    _describe_friction(motor.friction, params)
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


def _describe_direct(
    motor: TorqueMotor | VelocityServo,
    ints: IntArray,
    params: FloatArray,
    state: FloatArray,
) -> None:
    is_servo = isinstance(motor, VelocityServo)
    ints[KIND] = VELOCITY_SERVO if is_servo else TORQUE_MOTOR
    limit = motor.torque_limit if is_servo else motor.limit
    params[KD] = motor.kd if is_servo else 0.0
    params[STALL_TORQUE] = UNLIMITED if limit is None else min(limit, UNLIMITED)
    params[NO_LOAD_SPEED] = math.inf
    params[NOMINAL_VOLTAGE] = state[SUPPLY] = 1.0
    _describe_friction(motor.friction, params)
    _describe_heating(None, params, state)


def _describe_friction(friction: Friction, params: FloatArray) -> None:
    params[COULOMB] = friction.coulomb
    params[STATIC] = friction.at_rest
    params[STRIBECK_SPEED] = friction.stribeck_speed
    params[VISCOUS] = friction.viscous


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
