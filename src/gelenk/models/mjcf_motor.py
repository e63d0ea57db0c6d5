"""Driven joints and largest efforts from the actuators of a compiled MJCF file."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from gelenk.models.mjcf_engine import (
    ON_JOINT,
    ON_PARENT,
    ON_TENDON,
    WRAP_JOINT,
    CompiledFile,
)
from gelenk.models.mjcf_robot import actuated_bodies, tendon_path

_ON_BODY = 5  # adhesion, which drives no joint
_FIXED_GAIN, _NO_BIAS, _DIRECT = 0, 0, (0, 2, 3)  # a motor, also with a filter


def driven_joints(compiled: CompiledFile, bodies: Collection[int]) -> set[int] | None:
    """Return the joints that actuators drive; None if that is not known.

    An actuator that pulls at something else than joints hides which ones it drives.

    Args:
        compiled: The compiled file.
        bodies: Indices of the bodies of the robot.
    """
    model = compiled.model
    driven: set[int] = set()
    for a in range(model.nu):
        kind, index = int(model.actuator_trntype[a]), int(model.actuator_trnid[a, 0])
        if kind == _ON_BODY or not set(actuated_bodies(compiled, a)) & set(bodies):
            continue
        path = tendon_path(compiled, index) if kind == ON_TENDON else []
        if kind in (ON_JOINT, ON_PARENT):
            driven.add(index)
        elif path and all(part == WRAP_JOINT for part, _ in path):
            driven |= {joint for _, joint in path}
        else:
            return None
    return driven


def largest_efforts(compiled: CompiledFile) -> dict[int, float]:
    """Return the largest torque or force of the joints that have one [N m] or [N].

    It is the limit of the joint, or the sum of the limits of its actuators if all have
    one: their force, or for a motor its gain times the largest command.
    """
    model = compiled.model
    motors: dict[int, float] = {}
    for a in range(model.nu):
        if int(model.actuator_trntype[a]) in (ON_JOINT, ON_PARENT):
            joint = int(model.actuator_trnid[a, 0])
            motors[joint] = motors.get(joint, 0.0) + _actuator_limit(compiled, a)
    for j in np.flatnonzero(model.jnt_actfrclimited).tolist():
        limit = float(np.abs(model.jnt_actfrcrange[j]).max())
        motors[j] = min(limit, motors.get(j, np.inf))
    return {j: limit for j, limit in motors.items() if 0.0 < limit < 1e30}


def _actuator_limit(compiled: CompiledFile, a: int) -> float:
    model = compiled.model
    gear = abs(float(model.actuator_gear[a, 0]))
    if model.actuator_forcelimited[a]:
        return gear * float(np.abs(model.actuator_forcerange[a]).max())
    is_motor = (
        int(model.actuator_gaintype[a]) == _FIXED_GAIN
        and int(model.actuator_biastype[a]) == _NO_BIAS
        and int(model.actuator_dyntype[a]) in _DIRECT
    )
    if is_motor and model.actuator_ctrllimited[a]:
        command = float(np.abs(model.actuator_ctrlrange[a]).max())
        return gear * command * abs(float(model.actuator_gainprm[a, 0]))
    return np.inf
