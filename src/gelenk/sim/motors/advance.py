"""One tick of all motors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.sim.motors.bank import IMMOVABLE_INERTIA
from gelenk.sim.motors.columns import (
    COMMAND,
    DELAY,
    DOF,
    HAS_PLAY,
    IDEAL,
    IS_HOT,
    JOINT_ARMATURE,
    JOINT_DAMPING,
    JOINT_FRICTION,
    JOINT_LIMP,
    JOINT_LOCKED,
    KIND,
    LINK_DAMPING,
    LINK_TORQUE,
    LOCK_VALUE,
    LOWER,
    MAX_SPEED,
    MOTOR_DEAD,
    QPOS,
    ROTOR_ANGLE,
    ROTOR_INERTIA,
    ROTOR_SPEED,
    SECOND,
    UPPER,
    VALUE,
)
from gelenk.sim.motors.drive import drive_law, warm_winding
from gelenk.sim.motors.play import mesh, settle_rotor
from gelenk.typing import FloatArray, Vec2

if TYPE_CHECKING:
    from gelenk.sim.motors.bank import MotorBank


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
        dof_armature: Of the physics model [kg m^2], shape (nv,), written.
        dof_damping: Of the physics model [N m s/rad], shape (nv,), written.
        dof_frictionloss: Of the physics model [N m], shape (nv,), written.
        h: Length of the tick [s].
        tick: Its number.
    """
    for i in range(bank.ints.shape[0]):
        ints, params, state = bank.ints[i], bank.params[i], bank.state[i]
        dof, fault = ints[DOF], bank.fault[i]
        q, qd = qpos[ints[QPOS]], qvel[dof]
        command, second = _delayed_command(bank, i, tick)
        prescribed_q[dof], prescribed_v[dof] = np.nan, np.nan
        dof_armature[dof] = params[JOINT_ARMATURE]
        dof_damping[dof] = params[JOINT_DAMPING]
        dof_frictionloss[dof] = params[JOINT_FRICTION]
        if ints[KIND] == IDEAL:
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
    has_play: int,
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
    if has_play:
        settle_rotor(params, state, q, h)
    else:
        state[ROTOR_ANGLE], state[ROTOR_SPEED] = q, qd
    is_torn = bool(fault & JOINT_LIMP)
    is_off = is_torn or bool(fault & MOTOR_DEAD) or state[IS_HOT] != 0.0
    torque, damping, friction = drive_law(kind, params, state, command, second, is_off)
    warm_winding(params, state, h)
    if has_play:
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
