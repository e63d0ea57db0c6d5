"""Configurations of the robots in a world: read, and set at any time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import NameNotFoundError
from gelenk.models.tree import RobotModel
from gelenk.sim.bank_builder import joint_addresses, list_motors
from gelenk.sim.bridge.engine import apply_start
from gelenk.sim.bridge.robots import PlacedRobot, placed_at
from gelenk.sim.compiled_world import CompiledWorld
from gelenk.sim.grasp_bank import FREE, release_things
from gelenk.sim.loop_bank import forget_loops
from gelenk.sim.motors.bank import command_standstill, place_motors
from gelenk.sim.motors.joint import rotor_armature
from gelenk.spatial import se3
from gelenk.spatial.quaternion import matrix_from_quaternion, quaternion_from_matrix
from gelenk.typing import ArrayLike, FloatArray


def placed_robot(compiled: CompiledWorld, robot: str) -> PlacedRobot:
    """Return a robot of a world by its name.

    Raises:
        NameNotFoundError: If there is none.
    """
    found = compiled.placed.get(robot)
    if not isinstance(found, PlacedRobot):
        raise NameNotFoundError("robot", robot, tuple(compiled.joints))
    return found


def set_configuration(
    compiled: CompiledWorld, robot: str, q: ArrayLike, qd: ArrayLike | None
) -> None:
    """Put a robot into a configuration, see `World.set_configuration`."""
    placed, data = placed_robot(compiled, robot), compiled.data
    q = as_finite("q", q, ())
    qd = None if qd is None else as_finite("qd", qd, ())
    moved = replace(placed.robot, q=q, qd=qd)
    apply_start(compiled.model, data, placed_at(placed, moved))
    data.qacc_warmstart[_dofs(compiled, placed)] = 0.0  # of another place
    rows, motors = compiled.motor_rows[robot], compiled.banks.motors
    driven = rows[rows >= 0]
    joints = [placed.joints[k] for k in np.flatnonzero(rows >= 0)]
    qpos, dofs = joint_addresses(compiled.model, joints)
    place_motors(motors, driven, data.qpos[qpos], data.qvel[dofs])
    command_standstill(motors, driven, data.qpos[qpos], data.qvel[dofs])
    forget_loops(compiled.banks.loops, set(_dofs(compiled, placed)), data.qpos)
    grasps = compiled.banks.grasps
    own = {compiled.model.body(name).id for name in placed.bodies}
    held = [
        thing
        for thing, holder in enumerate(grasps.holder.tolist())
        if holder != FREE and grasps.gripper_body[holder] in own
    ]
    release_things(compiled.model, grasps, held)


def _dofs(compiled: CompiledWorld, placed: PlacedRobot) -> list[int]:
    """Return all dofs of a robot, those of its base and of passive joints included."""
    model = compiled.model
    bodies = [model.body(name).id for name in placed.bodies]
    return np.flatnonzero(np.isin(model.dof_bodyid, bodies)).tolist()


def configuration(compiled: CompiledWorld, robot: str) -> FloatArray:
    """Return `q` of a robot, see `World.configuration`."""
    placed = placed_robot(compiled, robot)
    joints = np.asarray(compiled.data.qpos[compiled.joints[robot][0]], dtype=float)
    if not placed.base_joint:
        return joints
    base = int(compiled.model.joint(placed.base_joint).qposadr[0])
    T_world_base = np.eye(4)
    T_world_base[:3, 3] = compiled.data.qpos[base : base + 3]
    T_world_base[:3, :3] = matrix_from_quaternion(
        compiled.data.qpos[base + 3 : base + 7]
    )
    T = se3.inverse(placed.robot.T_world_base) @ T_world_base
    return np.concatenate([T[:3, 3], quaternion_from_matrix(T[:3, :3]), joints])


def velocity(compiled: CompiledWorld, robot: str) -> FloatArray:
    """Return `qd` of a robot, see `World.velocity`."""
    placed = placed_robot(compiled, robot)
    rates = np.asarray(compiled.data.qvel[compiled.joints[robot][1]], dtype=float)
    if not placed.base_joint:
        return rates
    joint = compiled.model.joint(placed.base_joint)
    dof, base = int(joint.dofadr[0]), int(joint.qposadr[0])
    R_world_base = matrix_from_quaternion(compiled.data.qpos[base + 3 : base + 7])
    R_start_world = placed.robot.T_world_base[:3, :3].T
    v = R_start_world @ compiled.data.qvel[dof : dof + 3]
    omega = R_start_world @ R_world_base @ compiled.data.qvel[dof + 3 : dof + 6]
    return np.concatenate([v, omega, rates])


def used_model(compiled: CompiledWorld, robot: str) -> RobotModel:
    """Return the model of a robot with its motors' rotors, see `World.robot_model`."""
    placed = placed_robot(compiled, robot)
    model = placed.robot.model
    armature = model.armature.copy()
    for full, motor in list_motors({robot: placed}):
        stated = rotor_armature(motor)
        if stated is not None:
            joint = model.joint_names[placed.joints.index(full)]
            armature[model.joint_names_all.index(joint)] = stated
    return replace(model, armature=armature)
