"""Default appearance of things without colours: a hue each, drums as motors.

Models made of lines and points are drawn thicker than they are, but never what touches
objects. Whoever gave a shape a colour gets it as it is.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gelenk.sim.appearance import Appearance, LookBody, LookJoint, LookShape
from gelenk.sim.surface import Surface
from gelenk.typing import FloatArray
from gelenk.ui.messages import Rgba, Shape

PALETTE: tuple[Rgba, ...] = (
    (0.94, 0.47, 0.12, 1.0),
    (0.18, 0.43, 0.78, 1.0),
    (0.24, 0.63, 0.35, 1.0),
    (0.59, 0.31, 0.75, 1.0),
    (0.08, 0.63, 0.67, 1.0),
    (0.84, 0.24, 0.33, 1.0),
    (0.75, 0.59, 0.08, 1.0),
    (0.37, 0.45, 0.55, 1.0),
    (0.88, 0.37, 0.63, 1.0),
    (0.47, 0.63, 0.16, 1.0),
)
# What the engine has, in single precision, of a thing that nobody gave a colour.
UNCHOSEN = tuple(float(np.float32(value)) for value in Surface().rgba)
BELT_RGBA: Rgba = (0.25, 0.27, 0.31, 1.0)
MOTOR_RGBA: Rgba = (0.24, 0.27, 0.31, 1.0)
FOOT_RGBA: Rgba = (0.35, 0.37, 0.42, 1.0)
TOUCH_RGBA: Rgba = (0.47, 0.49, 0.54, 1.0)
THIN_SHARE = 0.035  # of the longest rod: how thick a line is drawn at least
MIN_UNIT, MAX_UNIT = 0.003, 0.014  # [m]
DRUM_SHARE = 1.3  # of the rods beside it: radius of a motor
FOOT_SHARE = 6.0  # of a thin line: radius of the foot that a robot stands on


def dress_bodies(appearance: Appearance) -> dict[str, tuple[Shape, ...]]:
    """Return the shapes of all bodies by name, as they are to be drawn."""
    shapes: dict[str, tuple[Shape, ...]] = {}
    for number, body in enumerate(b for b in appearance.bodies if not b.robot):
        hue = None
        if all(shape.rgba == UNCHOSEN for shape in body.shapes):
            if body.group == "object":
                hue = PALETTE[number % len(PALETTE)]
            elif body.name in appearance.belts:
                hue = BELT_RGBA
        shapes[body.name] = tuple(as_shape(shape, rgba=hue) for shape in body.shapes)
    for number, robot in enumerate(appearance.robots):
        bodies = [body for body in appearance.bodies if body.robot == robot]
        joints = [joint for joint in appearance.joints if joint.robot == robot]
        shapes |= _dress_robot(number, bodies, joints)
    return shapes


def as_shape(shape: LookShape, *, rgba: Rgba | None = None) -> Shape:
    """Return a shape as the page wants it."""
    x, y, z = (float(value) for value in shape.position)
    qw, qx, qy, qz = (float(value) for value in shape.quaternion)
    return Shape(
        shape=shape.kind,
        size=shape.size,
        position=(x, y, z),
        quaternion=(qw, qx, qy, qz),
        rgba=rgba or shape.rgba,
        vertices=tuple(np.round(shape.vertices, 6).ravel().tolist()),
        triangles=tuple(shape.triangles.ravel().tolist()),
    )


def _dress_robot(
    number: int, bodies: list[LookBody], joints: list[LookJoint]
) -> dict[str, tuple[Shape, ...]]:
    if not all(shape.is_plain for body in bodies for shape in body.shapes):
        return {body.name: tuple(as_shape(s) for s in body.shapes) for body in bodies}
    unit, hue = _unit(bodies), PALETTE[number % len(PALETTE)]
    shapes = {
        body.name: tuple(_dress(shape, unit, hue) for shape in body.shapes)
        for body in bodies
    }
    foot = Shape(
        shape="cylinder",
        size=(FOOT_SHARE * unit, 1.2 * unit),
        position=(0.0, 0.0, 0.6 * unit),
        rgba=FOOT_RGBA,
    )
    shapes[bodies[0].name] += (foot,)
    thickness = _thickness(bodies, unit)
    for joint in joints:
        if not joint.is_linear:
            shapes[joint.body] += (_drum(joint, DRUM_SHARE * thickness[joint.body]),)
    return shapes


def _unit(bodies: list[LookBody]) -> float:
    """Return how thick a thin line of a robot is drawn [m]."""
    lengths = [s.size[1] for b in bodies for s in b.shapes if s.kind == "capsule"]
    return min(max(THIN_SHARE * max(lengths, default=0.3), MIN_UNIT), MAX_UNIT)


def _dress(shape: LookShape, unit: float, hue: Rgba) -> Shape:
    if shape.kind == "sphere" or (shape.kind == "capsule" and shape.size[0] < 0.003):
        return as_shape(shape, rgba=TOUCH_RGBA)
    dressed = as_shape(shape, rgba=hue)
    if shape.kind != "capsule" or shape.size[0] >= unit:
        return dressed
    return Shape(
        shape="capsule",
        size=(unit, shape.size[1]),
        position=dressed.position,
        quaternion=dressed.quaternion,
        rgba=hue,
    )


def _thickness(bodies: list[LookBody], unit: float) -> Mapping[str, float]:
    """Return the largest radius of the rods of a body and of those beside it [m]."""
    own = {
        body.id: max(
            (s.size[0] for s in body.shapes if s.kind == "capsule"), default=unit
        )
        for body in bodies
    }
    beside = dict(own)
    for body in bodies:
        beside[body.id] = max(beside[body.id], own.get(body.parent, unit))
        if body.parent in beside:
            beside[body.parent] = max(beside[body.parent], own[body.id])
    return {body.name: max(beside[body.id], unit) for body in bodies}


def _drum(joint: LookJoint, radius: float) -> Shape:
    x, y, z = (float(value) for value in joint.anchor)
    qw, qx, qy, qz = _quaternion_to(joint.axis)
    return Shape(
        shape="cylinder",
        size=(radius, 2.2 * radius),
        position=(x, y, z),
        quaternion=(qw, qx, qy, qz),
        rgba=MOTOR_RGBA,
    )


def _quaternion_to(axis: FloatArray) -> tuple[float, float, float, float]:
    """Return the shortest turn that takes z to an axis, wxyz."""
    x, y, z = (float(value) for value in axis / np.linalg.norm(axis))
    if z < -1.0 + 1e-9:
        return 0.0, 1.0, 0.0, 0.0
    quat = np.array([1.0 + z, -y, x, 0.0])
    w, i, j, k = (float(value) for value in quat / np.linalg.norm(quat))
    return w, i, j, k
