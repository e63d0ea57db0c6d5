"""Where each number of a motor lies in the arrays of a bank."""

from __future__ import annotations

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
