"""Inertia, friction and limits of a motor at its joint, and those of the model."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from gelenk.actuation.transmissions import reflected_inertia
from gelenk.errors import ConfigError
from gelenk.sim.motors.descriptions import (
    DCGearMotor,
    IdealMotor,
    Motor,
    PositionServo,
    TorqueMotor,
    VelocityServo,
)

# [kg m^2] Joints that no contact moves carry this much inertia: 1e2 is felt as recoil,
# 1e6 makes a gripper's fingers tremble.
IMMOVABLE_INERTIA = 1e4


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


def complete_motor(motor: Motor, *, max_effort: float, max_velocity: float) -> Motor:
    """Return a motor whose open limits are those of its joint.

    Args:
        motor: Motor as the user describes it.
        max_effort: Limit of the model for its joint [N m].
        max_velocity: Limit of the model for its joint [rad/s].
    """
    if isinstance(motor, IdealMotor):
        is_open = motor.max_speed is None
        return replace(motor, max_speed=max_velocity) if is_open else motor
    if isinstance(motor, TorqueMotor):
        return replace(motor, limit=max_effort) if motor.limit is None else motor
    if isinstance(motor, VelocityServo | PositionServo) and motor.torque_limit is None:
        if isinstance(motor, VelocityServo) or math.isfinite(max_effort):
            return replace(motor, torque_limit=max_effort)
        if math.isfinite(motor.no_load_speed):
            raise ConfigError(
                "a PositionServo with a `no_load_speed` needs a `torque_limit`: the "
                "`max_effort` of its joint is infinite"
            )
    return motor


def rotor_armature(motor: Motor) -> float | None:
    """Return the inertia that a motor states, felt at the joint [kg m^2], or None."""
    if isinstance(motor, IdealMotor) or motor.rotor_inertia is None:
        return None
    return float(reflected_inertia(motor.rotor_inertia, motor.gear_ratio))


def joint_settings(motor: Motor) -> JointSettings:
    """Return what a switched-on motor adds to its joint at rest.

    Written into the physics model when it is compiled; `advance_motors` rewrites the
    three values every tick, for they depend on commands, faults and contact of teeth.
    """
    if isinstance(motor, IdealMotor):
        return JointSettings(armature=IMMOVABLE_INERTIA, damping=0.0, frictionloss=0.0)
    inertia = rotor_armature(motor) or 0.0
    if isinstance(motor, TorqueMotor | VelocityServo):
        kd = motor.kd if isinstance(motor, VelocityServo) else 0.0
        return JointSettings(
            armature=inertia,
            damping=kd + motor.friction.viscous,
            frictionloss=motor.friction.at_rest,
        )
    if motor.backlash is not None:
        return JointSettings(armature=0.0, damping=0.0, frictionloss=0.0)
    if isinstance(motor, PositionServo):
        drive_damping = motor.kd
    else:
        drive_damping = motor.stall_torque / motor.no_load_speed
    if isinstance(motor, DCGearMotor):
        return JointSettings(
            armature=inertia,
            damping=drive_damping,
            frictionloss=motor.back_drive_torque,
        )
    return JointSettings(
        armature=inertia,
        damping=drive_damping + motor.friction.viscous,
        frictionloss=motor.friction.at_rest,
    )
