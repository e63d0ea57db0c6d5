"""Arms as shapes and poses: what a page needs to draw one without a simulator."""

from __future__ import annotations

from typing import Any

import numpy as np

from gelenk.errors import LoopError
from gelenk.kinematics.forward import link_poses
from gelenk.models.link import Geometry, JointType
from gelenk.models.tree import RobotModel
from gelenk.robots.armbot.workbench.fields import FieldError
from gelenk.runtime.files import as_plain
from gelenk.spatial.quaternion import quaternion_from_matrix
from gelenk.typing import FloatArray

ARM_RGBA = (0.94, 0.47, 0.12, 1.0)
MOTOR_RGBA = (0.24, 0.27, 0.31, 1.0)
BALL_RGBA = (0.47, 0.49, 0.54, 1.0)
THINNEST = 0.006  # [m]: lines are drawn so thick
DRUM_SHARE = 1.4  # of the rods beside it: radius of a motor

_KINDS = {JointType.REVOLUTE: "turn", JointType.PRISMATIC: "slide"}


def describe_bodies(model: RobotModel) -> list[dict[str, Any]]:
    """Return the links of a robot: name, index of the parent, joint, shapes.

    A shape is a dict as in the page's protocol: `shape`, `size`, `position`,
    `quaternion`, `rgba`. `joint` is "fixed", "turn" or "slide"; a slide is a rod
    between its parent's origin and its own.
    """
    thickness = _thickness(model)
    bodies: list[dict[str, Any]] = []
    for i, name in enumerate(model.link_names):
        shapes = [_shape(item) for item in model.geometry[i] if item.role == "visual"]
        kind = _KINDS.get(JointType(int(model.joint_type[i])), "fixed")
        if kind == "turn":
            shapes.append(_motor(model, i, DRUM_SHARE * thickness[i]))
        bodies.append(
            {
                "name": name,
                "parent": int(model.parent[i]),
                "joint": kind,
                "shapes": shapes,
            }
        )
    return bodies


def describe_poses(model: RobotModel, q: FloatArray) -> list[list[float]]:
    """Return the poses of all links in the body frame: x, y, z [m], qw, qx, qy, qz.

    Raises:
        FieldError: If the closed chains do not meet at `q`.
    """
    try:
        Ts = link_poses(model, q)
    except LoopError as error:
        raise FieldError(
            "q", f"the closed chains do not meet at these values: {error}"
        ) from error
    quaternions = quaternion_from_matrix(Ts[:, :3, :3])
    return np.round(np.hstack([Ts[:, :3, 3], quaternions]), 9).tolist()


def describe_joints(model: RobotModel) -> list[dict[str, Any]]:
    """Return the motors: name, unit, range, home and top speed; None without end."""
    joints: list[dict[str, Any]] = []
    for name, i in zip(model.joint_names, model.joint_ids.tolist(), strict=True):
        turns = model.joint_type[i] == JointType.REVOLUTE
        joints.append(
            {
                "name": name,
                "unit": "rad" if turns else "m",
                "minimum": as_plain(float(model.lower[i])),
                "maximum": as_plain(float(model.upper[i])),
                "home": float(model.home[i]),
                "max_speed": as_plain(float(model.max_velocity[i])),
            }
        )
    return joints


def _shape(item: Geometry) -> dict[str, Any]:
    T = np.asarray(item.T_link_geometry)
    size = list(item.size)
    if item.kind == "capsule":
        size[0] = max(size[0], THINNEST)
    return {
        "shape": item.kind,
        "size": size,
        "position": T[:3, 3].tolist(),
        "quaternion": np.round(quaternion_from_matrix(T[:3, :3]), 9).tolist(),
        "rgba": list(item.rgba or (BALL_RGBA if item.kind == "sphere" else ARM_RGBA)),
    }


def _motor(model: RobotModel, link: int, radius: float) -> dict[str, Any]:
    """Return the drum of a servo, or the ball of a joint without a motor."""
    is_passive = bool(model.is_passive[link])
    x, y, z = (float(value) for value in model.axis[link])
    # The shortest turn that takes z to the axis; axes along -z look the same.
    quaternion = np.array([1.0 + abs(z), -y, x, 0.0])
    if z < 0.0:
        quaternion = np.array([1.0 + abs(z), y, -x, 0.0])
    quaternion /= np.linalg.norm(quaternion)
    return {
        "shape": "sphere" if is_passive else "cylinder",
        "size": [radius] if is_passive else [radius, 2.2 * radius],
        "position": [0.0, 0.0, 0.0],
        "quaternion": quaternion.tolist(),
        "rgba": list(BALL_RGBA if is_passive else MOTOR_RGBA),
    }


def _thickness(model: RobotModel) -> list[float]:
    """Return the radius of the thickest rod of each link and of those beside it [m]."""
    own = [
        max((g.size[0] for g in shapes if g.kind == "capsule"), default=THINNEST)
        for shapes in model.geometry
    ]
    beside = list(own)
    for i, parent in enumerate(model.parent.tolist()):
        if parent >= 0:
            beside[i] = max(beside[i], own[parent])
            beside[parent] = max(beside[parent], own[i])
    return [max(value, THINNEST) for value in beside]
