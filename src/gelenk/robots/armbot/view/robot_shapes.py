"""Robots as drawable parts: segments as rods, motors as drums, what touches as metal.

Models are lines and points (Roth 2021, 4.1); thin lines are drawn thicker than they
are, but never what touches objects.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.models.link import Geometry, JointType
from gelenk.models.tree import RobotModel
from gelenk.robots.armbot.environment.description import Color
from gelenk.robots.armbot.view import meshes
from gelenk.robots.armbot.view.parts import Part
from gelenk.typing import FloatArray

PALETTE: tuple[Color, ...] = (
    (240, 120, 30),
    (45, 110, 200),
    (60, 160, 90),
    (150, 80, 190),
    (20, 160, 170),
    (215, 60, 85),
    (190, 150, 20),
    (95, 115, 140),
    (225, 95, 160),
    (120, 160, 40),
)
JOINT_COLOR: Color = (62, 68, 80)
ROD_COLOR: Color = (205, 209, 216)
TOUCH_COLOR: Color = (120, 126, 138)
BODY_COLOR: Color = (88, 95, 108)
THIN_SHARE = 0.035  # of the longest segment: how thick a line is drawn at least
MIN_UNIT, MAX_UNIT = 0.003, 0.014  # [m]
DRUM_SHARE = 1.3  # of the rods beside it: radius of a servo


def robot_parts(name: str, number: int, model: RobotModel) -> list[Part]:
    """Return the parts of a robot, hanging on the frames `name/link`."""
    unit = _unit(model)
    touching = {
        i
        for i, shapes in enumerate(model.geometry)
        if any(shape.role == "collision" for shape in shapes)
    }
    parts = [_body(name, model, unit)]
    for i in range(len(model.link_names)):
        frame = f"{name}/{model.link_names[i]}"
        parts += [
            _shape_part(frame, number, shape, unit, is_touch=i in touching)
            for shape in (model.geometry[i] if model.geometry else ())
            if shape.role == "visual" and shape.kind != "mesh"
        ]
        if model.joint_type[i] == JointType.REVOLUTE and model.mimic[i] < 0:
            parts.append(_servo(name, frame, model, i, unit))
        elif model.joint_type[i] == JointType.PRISMATIC:
            parts.append(_linear_motor(name, frame, model, i, unit))
    return parts


def _unit(model: RobotModel) -> float:
    """Return how thick a thin line of this robot is drawn [m]."""
    lengths = [
        shape.size[1]
        for shapes in model.geometry
        for shape in shapes
        if shape.kind == "capsule"
    ]
    return min(max(THIN_SHARE * max(lengths, default=0.3), MIN_UNIT), MAX_UNIT)


def _body(name: str, model: RobotModel, unit: float) -> Part:
    mesh = meshes.round_prism(np.zeros(2), 6.0 * unit, 0.0, 1.2 * unit)
    return Part(
        name=name,
        kind="body",
        mesh=mesh,
        color=BODY_COLOR,
        frame=f"{name}/{model.link_names[0]}",
    )


def _shape_part(
    frame: str, number: int, shape: Geometry, unit: float, *, is_touch: bool
) -> Part:
    radius = shape.size[0]
    match shape.kind:
        case "capsule" | "cylinder":
            if not is_touch:
                radius = max(radius, unit)
            make = meshes.capsule if shape.kind == "capsule" else meshes.cylinder
            mesh = make(radius, shape.size[1])
        case "box":
            mesh = meshes.box(shape.size)
        case _:
            mesh = meshes.sphere(radius)
    color = TOUCH_COLOR if is_touch else PALETTE[number % len(PALETTE)]
    return Part(
        name=frame,
        kind="touch" if is_touch else "segment",
        mesh=mesh,
        color=color,
        frame=frame,
        T_frame_part=np.asarray(shape.T_link_geometry, dtype=np.float64),
    )


def _servo(name: str, frame: str, model: RobotModel, i: int, unit: float) -> Part:
    """Return a drum along the axis of a servo; passive joints are balls."""
    radius = DRUM_SHARE * _thickness_at(model, i, unit)
    is_passive = bool(model.is_passive[i])
    mesh = (
        meshes.sphere(radius) if is_passive else meshes.cylinder(radius, 2.2 * radius)
    )
    T = np.eye(4)
    T[:3, :3] = _rotation_to(model.axis[i])
    return Part(
        name=frame,
        kind="servo",
        mesh=mesh,
        color=JOINT_COLOR,
        frame=frame,
        T_frame_part=T,
        motor=None if is_passive else (name, model.joint_names_all[i]),
    )


def _thickness_at(model: RobotModel, i: int, unit: float) -> float:
    """Return the largest drawn radius of rods that meet at a joint."""
    beside = [int(model.parent[i]), i, *np.flatnonzero(model.parent == i)]
    radii = [
        max(float(shape.size[0]), unit)
        for link in beside
        if link >= 0 and model.geometry
        for shape in model.geometry[link]
        if shape.kind == "capsule" and shape.role == "visual"
    ]
    return max(radii, default=unit)


def _linear_motor(
    name: str, frame: str, model: RobotModel, i: int, unit: float
) -> Part:
    """Return a rod from where the motor is at value 0 to where it is now."""
    rod = meshes.cylinder(0.8 * unit, 1.0)
    mesh = meshes.Mesh(
        points=rod.points + np.array([0.0, 0.0, 0.5]),
        normals=rod.normals,
        triangles=rod.triangles,
    )
    return Part(
        name=frame,
        kind="linear_motor",
        mesh=mesh,
        color=ROD_COLOR,
        frame=f"{name}/{model.link_names[int(model.parent[i])]}",
        T_frame_part=model.T_parent_joint[i],
        to=frame,
        motor=None if model.is_passive[i] else (name, model.joint_names_all[i]),
    )


def _rotation_to(axis: FloatArray) -> FloatArray:
    """Return a rotation that takes z to a unit axis, shape (3, 3)."""
    x, y, z = (float(value) for value in axis)
    if z < -1.0 + 1e-9:
        return np.diag([1.0, -1.0, -1.0])
    k = 1.0 / (1.0 + z)
    return np.array(
        [
            [1.0 - k * x * x, -k * x * y, x],
            [-k * x * y, 1.0 - k * y * y, y],
            [-x, -y, z],
        ]
    ) / math.hypot(x, y, z)
