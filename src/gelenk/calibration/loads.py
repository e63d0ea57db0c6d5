"""The torques with which gravity loads the drives, at the angles that are believed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gelenk.calibration.effects import (
    JointCompliance,
    JointOffset,
    JointPlay,
    LinkShift,
    TargetShift,
    TargetTurn,
)
from gelenk.calibration.problem import Problem, Target
from gelenk.dynamics.rnea import inverse_dynamics
from gelenk.spatial.so3 import rotation_about
from gelenk.typing import BoolArray, FloatArray

LOOSE = 0.004  # [N m] or [N]; below, a drive may hang anywhere in its gap
NUM_PASSES = 3  # give changes the posture, which changes the load: 1 % each time


def gravity_torques(problem: Problem, values: FloatArray, q: FloatArray) -> FloatArray:
    """Return what gravity exerts on each coordinate [N m] or [N], shape (n, nq).

    Joints stand where readings, offsets and give put them.

    Args:
        problem: The problem.
        values: Parameters, shape (P,).
        q: Readings, shape (n, nq).
    """
    model = problem.model
    offset = np.array(model.offset)
    placement = np.array(model.T_parent_joint)
    joints = model.joint_names_all
    for value, parameter in zip(values, problem.parameters, strict=True):
        for effect in parameter.effects:
            if isinstance(effect, JointOffset):
                offset[joints.index(effect.joint)] += effect.scale * value
            elif isinstance(effect, LinkShift):
                i, k = model.link_id(effect.link), "xyz".index(effect.axis)
                placement[i, k, 3] += effect.scale * value
    for target in problem.targets:
        if target.plate is not None:
            i = model.link_id(target.plate)
            placement[i] = placement[i] @ misplacement(problem, values, target)
    believed = replace(model, offset=offset, T_parent_joint=placement)
    torque, rest = np.zeros_like(q), np.zeros_like(q)
    for _ in range(NUM_PASSES):
        held = q + _give(problem, values, torque)
        torque = -inverse_dynamics(believed, held, rest, rest, gravity=problem.gravity)
    return torque


def misplacement(problem: Problem, values: FloatArray, target: Target) -> FloatArray:
    """Return the product of the turns and shifts of a target, shape (4, 4)."""
    found: list[tuple[int, FloatArray]] = []
    for value, parameter in zip(values, problem.parameters, strict=True):
        for effect in parameter.effects:
            if not isinstance(effect, TargetTurn | TargetShift):
                continue
            if effect.target == target.name:
                E = np.eye(4)
                axis = np.eye(3)["xyz".index(effect.axis)]
                if isinstance(effect, TargetTurn):
                    E[:3, :3] = rotation_about(axis, value)
                else:
                    E[:3, 3] = value * axis
                found.append((effect.order, E))
    T = np.eye(4)
    for _, E in sorted(found, key=lambda entry: entry[0]):
        T = T @ E
    return T


def is_loose(torque: FloatArray) -> BoolArray:
    """Return where a load is too small to press a drive against one side of its gap."""
    return np.abs(torque) < LOOSE


def _give(problem: Problem, values: FloatArray, torque: FloatArray) -> FloatArray:
    give = np.zeros_like(torque)
    for value, parameter in zip(values, problem.parameters, strict=True):
        for effect in parameter.effects:
            if isinstance(effect, JointCompliance | JointPlay):
                i = problem.model.joint_id(effect.joint)
                load = torque[:, i]
                is_play = isinstance(effect, JointPlay)
                give[:, i] += value * (np.sign(load) if is_play else load)
    return give
