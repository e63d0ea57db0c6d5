"""Configurations of a robot from the keyframes of a compiled MJCF file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from gelenk.models.link import JointType
from gelenk.models.mjcf_engine import CompiledFile
from gelenk.models.mjcf_link import LinkRow
from gelenk.models.tree import RobotModel
from gelenk.spatial.quaternion import matrix_from_quaternion
from gelenk.typing import FloatArray

HOME = "home"


def keyframes(compiled: CompiledFile) -> dict[str, FloatArray]:
    """Return the joint values of all keyframes by name, in the order of the file."""
    model = compiled.model
    found: dict[str, FloatArray] = {}
    for k in range(model.nkey):
        name = compiled.name("key", k) or f"key_{k}"
        found[name] = np.array(model.key_qpos[k])
    return found


def home_values(compiled: CompiledFile) -> FloatArray:
    """Return the values of the keyframe "home", else of the first, else as drawn."""
    frames = keyframes(compiled)
    first = next(iter(frames.values()), np.array(compiled.model.qpos0))
    return frames.get(HOME, first)


def joint_value(compiled: CompiledFile, row: LinkRow, qpos: FloatArray) -> FloatArray:
    """Return the coordinates of a row's joint in a configuration of the file.

    Args:
        compiled: The compiled file.
        row: Link on a joint.
        qpos: Values of all joints of the file.
    """
    start = int(compiled.model.jnt_qposadr[row.joint])
    if row.part >= 0:
        return hinge_angles(qpos[start : start + 4])[[row.part]]
    if row.link.joint_type == JointType.FLOATING:
        return qpos[start : start + 7]
    if row.link.joint_type == JointType.BALL:
        return qpos[start : start + 4]
    return qpos[[start]]


def hinge_angles(quaternion: FloatArray) -> FloatArray:
    """Return the angles of hinges about x, y and z, one on the other [rad].

    Args:
        quaternion: Rotation, unit quaternion (w, x, y, z), shape (4,).
    """
    R = matrix_from_quaternion(quaternion)
    y = np.arctan2(R[0, 2], np.hypot(R[0, 0], R[0, 1]))
    x = np.arctan2(-R[1, 2], R[2, 2])
    z = np.arctan2(-R[0, 1], R[0, 0])
    return np.array([x, y, z])


def with_home(
    compiled: CompiledFile, rows: Sequence[LinkRow]
) -> tuple[list[LinkRow], list[str]]:
    """Return the rows with their home values, and the joints that had to move."""
    qpos = home_values(compiled)
    moved: list[str] = []
    found: list[LinkRow] = []
    for row in rows:
        if not row.moves:
            found.append(row)
            continue
        link = row.link
        value = float(joint_value(compiled, row, qpos)[0])
        home = min(max(value, link.lower), link.upper)
        if abs(home - value) > 1e-6:
            moved.append(link.joint)
        found.append(replace(row, link=replace(link, home=home)))
    return found, moved


def named_poses(
    compiled: CompiledFile, model: RobotModel, rows: Sequence[LinkRow]
) -> Mapping[str, FloatArray]:
    """Return all keyframes as configurations of the model, each of shape (nq,)."""
    by_joint = {row.link.joint: row for row in rows if row.joint >= 0}
    names = list(model.joint_names)
    if model.has_floating_base:
        names = [model.joint_names_all[0], *names]
    return {
        name: np.concatenate(
            [joint_value(compiled, by_joint[joint], qpos) for joint in names]
            or [np.zeros(0)]
        )
        for name, qpos in keyframes(compiled).items()
    }
