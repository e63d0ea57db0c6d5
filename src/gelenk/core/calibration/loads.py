"""The torques with which gravity loads the drives, at the angles that are believed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gelenk.core.calibration.effects import JointCompliance, JointOffset, JointPlay
from gelenk.core.calibration.problem import Problem
from gelenk.core.dynamics.rnea import inverse_dynamics
from gelenk.core.typing import FloatArray

SOFT_SIGN = 0.01  # [N m] or [N]; below, a drive may sit anywhere in its gap
NUM_PASSES = 2  # give changes the posture, which changes the load; the third is < 1e-5


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
    joints = model.joint_names_all
    for value, parameter in zip(values, problem.parameters, strict=True):
        for effect in parameter.effects:
            if isinstance(effect, JointOffset):
                offset[joints.index(effect.joint)] += effect.scale * value
    believed = replace(model, offset=offset)
    torque, rest = np.zeros_like(q), np.zeros_like(q)
    for _ in range(NUM_PASSES):
        held = q + _give(problem, values, torque)
        torque = -inverse_dynamics(believed, held, rest, rest, gravity=problem.gravity)
    return torque


def soft_sign(torque: FloatArray) -> FloatArray:
    """Return the sign of a load, softened around 0."""
    return np.tanh(torque / SOFT_SIGN)


def _give(problem: Problem, values: FloatArray, torque: FloatArray) -> FloatArray:
    give = np.zeros_like(torque)
    for value, parameter in zip(values, problem.parameters, strict=True):
        for effect in parameter.effects:
            if isinstance(effect, JointCompliance | JointPlay):
                i = problem.model.joint_id(effect.joint)
                load = torque[:, i]
                is_play = isinstance(effect, JointPlay)
                give[:, i] += value * (soft_sign(load) if is_play else load)
    return give
