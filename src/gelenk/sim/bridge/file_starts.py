"""Starts of robots from MJCF files: keyframes, or configurations of the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gelenk.kinematics.configuration import tree_coordinates
from gelenk.models.link import JointType
from gelenk.sim.bridge.engine import JointStart, activation_addresses
from gelenk.sim.bridge.file_parts import (
    FileState,
    held_commands,
    joint_sizes,
    joint_starts,
    list_states,
)
from gelenk.sim.bridge.file_robots import FileRobot
from gelenk.spatial.quaternion import matrix_from_quaternion
from gelenk.typing import FloatArray

SAME = 1e-9  # [rad], [m]: nearer to a keyframe a start is that keyframe


def find_state(found: FileRobot) -> FileState:
    """Return the state of the file's mechanism at the robot's start.

    The keyframe that stands where the robot begins is taken as a whole, with all
    joints, commands and activations; otherwise followers and loops are computed.
    """
    robot, compiled = found.robot, found.compiled
    model = robot.model
    assert robot.q is not None
    states = list_states(compiled)
    best = next((s for s in states if _is_at(found, s.qpos)), None)
    qpos = np.array(compiled.qpos0) if best is None else np.array(best.qpos)
    qvel = np.zeros(compiled.nv) if best is None else np.array(best.qvel)
    if best is None:
        tree = tree_coordinates(model, robot.q)
        base = 7 if model.has_floating_base else 0
        if base:
            _write(compiled, qpos, model.joint_names_all[0], tree[:7])
        at = base
        values: dict[int, FloatArray] = {}
        for i in map(int, model.tree_joint_ids):
            count = 4 if model.joint_type[i] == JointType.BALL else 1
            values[i] = tree[at : at + count]
            at += count
        for i in np.flatnonzero(model.mimic >= 0):
            values[int(i)] = (
                model.multiplier[i] * values[int(model.mimic[i])] + model.offset[i]
            )
        known = {compiled.joint(i).name for i in range(compiled.njnt)}
        for i, value in values.items():
            if model.joint_names_all[i] in known:  # not: a hinge of a ball in a loop
                _write(compiled, qpos, model.joint_names_all[i], value)
    if robot.qd is not None and robot.qd.any():
        _write_rates(found, qvel)
    ctrl, act = held_commands(compiled, qpos)
    if best is not None and best.ctrl is not None and best.act is not None:
        ctrl, act = best.ctrl, best.act
    return FileState("" if best is None else best.name, qpos, qvel, act, ctrl)


def _is_at(found: FileRobot, qpos: FloatArray) -> bool:
    """Return whether a state of the file is where the robot begins.

    The home of a model does not say how ball joints stand; those of the file count.
    """
    model, q = found.robot.model, found.robot.q
    assert q is not None
    is_home = np.array_equal(q, model.home_configuration)
    if model.has_floating_base:
        theirs = _read(found.compiled, qpos, model.joint_names_all[0])
        if not _same(theirs[:3], q[:3]) or not _same(
            matrix_from_quaternion(theirs[3:] / np.linalg.norm(theirs[3:])),
            matrix_from_quaternion(q[3:7]),
        ):
            return False
    for k, name in enumerate(model.joint_names):
        start = int(model.q_starts[k])
        theirs = _read(found.compiled, qpos, name)
        if len(theirs) == 4 and is_home:
            continue
        ours = q[start : start + len(theirs)]
        if not _same(theirs, ours) and not (len(theirs) == 4 and _same(theirs, -ours)):
            return False
    return True


def _same(one: FloatArray, other: FloatArray) -> bool:
    return bool(np.abs(one - other).max(initial=0.0) <= SAME)


def _read(compiled: Any, qpos: FloatArray, joint: str) -> FloatArray:
    found = compiled.joint(joint)
    at = int(found.qposadr[0])
    return qpos[at : at + joint_sizes(found.type[0])[0]]


def _write(compiled: Any, qpos: FloatArray, joint: str, value: FloatArray) -> None:
    _read(compiled, qpos, joint)[:] = value


def _write_rates(found: FileRobot, qvel: FloatArray) -> None:
    """Write the joint speeds of the robot's start; followers keep theirs."""
    model, qd = found.robot.model, found.robot.qd
    assert qd is not None
    for k, name in enumerate(model.joint_names):
        joint = found.compiled.joint(name)
        count = joint_sizes(joint.type[0])[1]
        at, start = int(joint.dofadr[0]), int(model.v_starts[k])
        qvel[at : at + count] = qd[start : start + count]


def starts_of(found: FileRobot, state: FileState) -> list[JointStart]:
    """Return the starts of all joints of a robot but its floating base."""
    compiled, model = found.compiled, found.robot.model
    kept = _kept_joints(found)
    base = model.joint_names_all[0] if model.has_floating_base else ""
    names = [name for name in kept if name != base]
    return joint_starts(compiled, state, names, prefix=f"{found.robot.name}/")


def _kept_joints(found: FileRobot) -> list[str]:
    """Return the joints that are attached: those of bodies that are links."""
    compiled = found.compiled
    tops = compiled.body_rootid[compiled.jnt_bodyid]
    return [
        compiled.joint(i).name
        for i, top in enumerate(tops)
        if compiled.body(int(top)).name in found.bodies
    ]


def file_commands(
    found: FileRobot, state: FileState, actuators: Sequence[str]
) -> tuple[list[float], list[float]]:
    """Return the commands and activations of actuators in a state of the file.

    Args:
        found: The robot's file.
        state: The state.
        actuators: Their names in the world.
    """
    assert state.ctrl is not None
    assert state.act is not None
    prefix, compiled = f"{found.robot.name}/", found.compiled
    ids = [compiled.actuator(name.removeprefix(prefix)).id for name in actuators]
    places = activation_addresses(compiled, ids)
    return state.ctrl[ids].tolist(), state.act[places].tolist()
