"""Default appearance of things without colours: a hue each, drums as motors.

Models made of lines and points are drawn thicker than they are, but never what touches
objects. Whoever gave a shape a colour gets it as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from gelenk.models.shapes import load_shapes, looks_of
from gelenk.sim.appearance import Appearance, LookBody, LookJoint, LookShape
from gelenk.sim.surface import Surface
from gelenk.typing import FloatArray
from gelenk.ui.mesh_assets import (
    COARSE_FACES,
    COARSE_ROBOT_FACES,
    MAX_ROBOT_FACES,
    AssetStore,
    FaceLimits,
    share_faces,
)
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


class Dresser:
    """Turns the shapes of a world into those of the page, meshes into assets.

    Attributes:
        assets: Meshes and textures that the shapes name.
        missing: Names of the bodies some mesh of which cannot be read.

    Args:
        appearance: Appearance of the world.
    """

    def __init__(self, appearance: Appearance) -> None:
        self.assets = AssetStore()
        self.missing: list[str] = []
        self._appearance = appearance
        self._limits = _face_limits(appearance)

    def dress_bodies(self) -> dict[str, tuple[Shape, ...]]:
        """Return the shapes of all bodies by name, as they are to be drawn."""
        appearance = self._appearance
        shapes: dict[str, tuple[Shape, ...]] = {}
        for number, body in enumerate(b for b in appearance.bodies if not b.robot):
            hue = None
            if all(shape.rgba == UNCHOSEN for shape in body.shapes):
                if body.group == "object":
                    hue = PALETTE[number % len(PALETTE)]
                elif body.name in appearance.belts:
                    hue = BELT_RGBA
            shapes[body.name] = self._dress_body(body, hue)
        for number, robot in enumerate(appearance.robots):
            bodies = [body for body in appearance.bodies if body.robot == robot]
            joints = [joint for joint in appearance.joints if joint.robot == robot]
            dressed = {}
            if not all(_is_bare(shape) for body in bodies for shape in body.shapes):
                dressed = {body.name: self._dress_body(body) for body in bodies}
            if not any(dressed.values()):
                dressed = _dress_robot(number, bodies, joints)
            shapes |= dressed
        return shapes

    def _dress_body(self, body: LookBody, hue: Rgba | None = None) -> tuple[Shape, ...]:
        shapes: list[Shape] = []
        is_whole = True
        for look in body.shapes:
            parts = tuple(self._parts(body, look, hue))
            is_whole &= bool(parts)
            shapes += parts
        if not is_whole:
            self.missing.append(body.name)
        if any(shape.role != "collision" for shape in shapes) or is_whole:
            return tuple(shapes)
        return tuple(replace(shape, role="both") for shape in shapes)

    def _parts(
        self, body: LookBody, look: LookShape, hue: Rgba | None
    ) -> Iterator[Shape]:
        """Yield the parts of a shape: one for each opacity of a mesh."""
        if look.kind != "mesh":
            yield as_shape(look, rgba=hue)
            return
        mesh = look.find_mesh()
        if mesh is None:
            return
        one = None if look.geometry is None else looks_of(look.geometry, mesh)
        has_own = mesh.face_colors is not None or mesh.texture is not None
        is_own = has_own and one is None and hue is None
        if not is_own:  # colours that do not count need not travel
            mesh = replace(mesh, face_colors=None, uv=None, texture=None)
        whole = as_shape(look, rgba=hue)
        for part in self.assets.add(mesh, self._limits[body.robot]):
            red, green, blue = (1.0, 1.0, 1.0) if is_own else whole.rgba[:3]
            yield replace(
                whole,
                rgba=(red, green, blue, whole.rgba[3] * part.opacity),
                mesh=part.name,
                coarse=part.coarse,
                texture=part.texture,
                bounds=part.bounds,
            )


def _face_limits(appearance: Appearance) -> dict[str, FaceLimits]:
    """Return by robot, and for objects, to how many triangles meshes are thinned."""
    looks: dict[str, list[LookShape]] = {"": []}
    for body in appearance.bodies:
        meshes = [shape for shape in body.shapes if shape.kind == "mesh"]
        looks.setdefault(body.robot, []).extend(meshes)
    every = [look.geometry for meshes in looks.values() for look in meshes]
    load_shapes([geometry for geometry in every if geometry is not None])
    limits: dict[str, FaceLimits] = {}
    for owner, meshes in looks.items():
        counts = [_count_faces(look) for look in meshes]
        limits[owner] = FaceLimits(
            share_faces(counts, MAX_ROBOT_FACES),
            share_faces(counts, COARSE_ROBOT_FACES, COARSE_FACES),
        )
    return limits


def _count_faces(look: LookShape) -> int:
    mesh = look.find_mesh()
    return 0 if mesh is None else len(mesh.faces)


def _is_bare(shape: LookShape) -> bool:
    """Return whether a shape has nothing that anybody chose for the eye."""
    return shape.role == "collision" or (shape.is_plain and shape.kind != "mesh")


def as_shape(shape: LookShape, *, rgba: Rgba | None = None) -> Shape:
    """Return a shape as the page wants it, a mesh without its triangles."""
    x, y, z = (float(value) for value in shape.position)
    qw, qx, qy, qz = (float(value) for value in shape.quaternion)
    return Shape(
        shape=shape.kind,
        size=shape.size,
        position=(x, y, z),
        quaternion=(qw, qx, qy, qz),
        rgba=rgba or shape.rgba,
        role=shape.role,
    )


def _dress_robot(
    number: int, bodies: list[LookBody], joints: list[LookJoint]
) -> dict[str, tuple[Shape, ...]]:
    unit, hue = _unit(bodies), PALETTE[number % len(PALETTE)]
    shapes = {body.name: tuple(_dress(body.shapes, unit, hue)) for body in bodies}
    foot = Shape(
        shape="cylinder",
        size=(FOOT_SHARE * unit, 1.2 * unit),
        position=(0.0, 0.0, 0.6 * unit),
        rgba=FOOT_RGBA,
        role="visual",
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


def _dress(shapes: Iterable[LookShape], unit: float, hue: Rgba) -> Iterator[Shape]:
    for shape in shapes:
        if shape.kind == "mesh":
            continue
        is_rod = shape.kind == "capsule"
        if shape.kind == "sphere" or (is_rod and shape.size[0] < 0.003):
            yield as_shape(shape, rgba=TOUCH_RGBA)
            continue
        dressed = as_shape(shape, rgba=hue)
        if not is_rod or shape.size[0] >= unit or shape.role == "collision":
            yield dressed
            continue
        yield replace(dressed, size=(unit, shape.size[1]), role="visual")
        if shape.role == "both":  # touches as thin as it is
            yield replace(dressed, role="collision")


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
        role="visual",
    )


def _quaternion_to(axis: FloatArray) -> tuple[float, float, float, float]:
    """Return the shortest turn that takes z to an axis, wxyz."""
    x, y, z = (float(value) for value in axis / np.linalg.norm(axis))
    if z < -1.0 + 1e-9:
        return 0.0, 1.0, 0.0, 0.0
    quat = np.array([1.0 + z, -y, x, 0.0])
    w, i, j, k = (float(value) for value in quat / np.linalg.norm(quat))
    return w, i, j, k
