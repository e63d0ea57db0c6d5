"""Scene objects as MuJoCo bodies and geoms.

One object is one body of its name; its geoms are `name`, or `name/0`, `name/1`, ... if
it needs several. MuJoCo collides a mesh as its convex hull, so that concave plans are
cut into convex prisms. Level prisms over rectangles and discs become boxes and
cylinders, whose contacts are exact to rounding; corners of meshes are kept by MuJoCo in
single precision (1e-7 of their size).

Contact properties that MuJoCo has no field for stand in `model.geom_user`, see
`gelenk.sim.bridge.engine`.
"""

# pyright: reportAttributeAccessIssue=false
from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from gelenk.dynamics.inertia_shapes import geometry_inertia
from gelenk.errors import ConfigError
from gelenk.geometry.polygon import convex_pieces
from gelenk.models.link import Geometry
from gelenk.sim import objects
from gelenk.sim.bridge.engine import EngineCfg as EngineCfg
from gelenk.sim.bridge.engine import JointStart, Placed, dress_geom
from gelenk.sim.bridge.engine import apply_start as apply_start
from gelenk.sim.bridge.engine import new_spec as new_spec
from gelenk.sim.bridge.robots import PlacedRobot as PlacedRobot
from gelenk.sim.bridge.robots import add_robot as add_robot
from gelenk.spatial.quaternion import (
    matrix_from_quaternion,
    quaternion_from_matrix,
)
from gelenk.typing import FloatArray

_BOX = mujoco.mjtGeom.mjGEOM_BOX
_SPHERE = mujoco.mjtGeom.mjGEOM_SPHERE
_CYLINDER = mujoco.mjtGeom.mjGEOM_CYLINDER
_KINDS = {
    "box": _BOX,
    "sphere": _SPHERE,
    "cylinder": _CYLINDER,
    "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "ellipsoid": mujoco.mjtGeom.mjGEOM_ELLIPSOID,
}


def add_object(spec: Any, thing: objects.AnySceneObject) -> Placed:
    """Add a scene object to a specification.

    Args:
        spec: `mujoco.MjSpec`, see `new_spec`.
        thing: The object.

    Raises:
        ConfigError: If a body of this name exists, or `thing` is no scene object.
    """
    if not isinstance(thing, objects.SceneObject):
        raise ConfigError(
            f"expected a scene object such as Ball or Box, got {type(thing).__name__}"
        )
    if spec.body(thing.name) is not None:
        raise ConfigError(f"there are two objects named {thing.name!r}; rename one")
    body = spec.worldbody.add_body(name=thing.name, pos=thing.position, quat=thing.quat)
    if isinstance(thing, objects.Movable):
        return _add_movable(spec, body, thing)
    geoms = _fixed_geoms(spec, body, thing)
    for geom in geoms:
        dress_geom(spec, geom, thing, group="world")
    return Placed(
        name=thing.name, bodies=(thing.name,), geoms=tuple(geom.name for geom in geoms)
    )


def _fixed_geoms(spec: Any, body: Any, thing: objects.SceneObject) -> list[Any]:
    name = thing.name
    match thing:
        case objects.Ground():
            return [_add_ground(spec, body, thing)]
        case objects.Box(size=size):
            return [body.add_geom(name=name, type=_BOX, size=_half(size))]
        case objects.Sphere(radius=radius):
            return [body.add_geom(name=name, type=_SPHERE, size=(radius, 0.0, 0.0))]
        case objects.Cylinder(radius=radius, length=length):
            size = (radius, 0.5 * length, 0.0)
            return [body.add_geom(name=name, type=_CYLINDER, size=size)]
        case objects.HeightField():
            return [_add_height_field(spec, body, thing)]
        case (
            objects.Prism()
            | objects.Step()
            | objects.Slope()
            | objects.Wedge()
            | objects.Conveyor()
        ):
            return _add_solid(spec, body, name, thing.solid)
        case _:
            raise ConfigError(
                f"the engine has no shape for a {type(thing).__name__}; use the "
                "classes of gelenk.sim.objects"
            )


def _add_ground(spec: Any, body: Any, ground: objects.Ground) -> Any:
    texture = spec.add_texture(
        name=ground.name,
        type=mujoco.mjtTexture.mjTEXTURE_2D,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_CHECKER,
        rgb1=ground.tile_rgba[0][:3],
        rgb2=ground.tile_rgba[1][:3],
        width=256,
        height=256,
    )
    material = spec.add_material(name=ground.name)
    material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = texture.name
    material.texuniform = True
    material.texrepeat = (0.5 / ground.tile_size,) * 2  # the texture is 2 x 2 tiles
    return body.add_geom(
        name=ground.name,
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=(0.0, 0.0, 1.0),  # 0: infinite for rays too
        material=ground.name,
    )


def _add_solid(spec: Any, body: Any, name: str, solid: objects.Solid) -> list[Any]:
    bottom, top = solid.bottom[0], solid.top[0]
    plan = solid.plan
    if isinstance(plan, objects.CircleOutline):
        geom = body.add_geom(
            name=name,
            type=_CYLINDER,
            pos=(*plan.center, 0.5 * (bottom + top)),
            size=(plan.radius, 0.5 * (top - bottom), 0.0),
        )
        return [geom]
    if isinstance(plan, objects.RectOutline) and solid.is_level:
        geom = body.add_geom(
            name=name,
            type=_BOX,
            pos=(*plan.center, 0.5 * (bottom + top)),
            size=_half((*plan.size, top - bottom)),
        )
        return [geom]
    pieces = convex_pieces(plan.corners)
    names = [name] if len(pieces) == 1 else [f"{name}/{k}" for k in range(len(pieces))]
    return [
        _add_hull(spec, body, piece_name, solid.corners_of(piece))
        for piece_name, piece in zip(names, pieces, strict=True)
    ]


def _add_hull(spec: Any, body: Any, name: str, corners: FloatArray) -> Any:
    spec.add_mesh(name=name, uservert=corners.ravel().tolist())
    return body.add_geom(name=name, type=mujoco.mjtGeom.mjGEOM_MESH, meshname=name)


def _add_height_field(spec: Any, body: Any, thing: objects.HeightField) -> Any:
    low, span = float(thing.heights.min()), float(np.ptp(thing.heights))
    rows, columns = thing.heights.shape
    half_x, half_y = (0.5 * length for length in thing.size)
    spec.add_hfield(
        name=thing.name,
        size=(half_x, half_y, span, thing.depth),
        nrow=rows,
        ncol=columns,
        userdata=thing.heights.ravel().tolist(),
    )
    return body.add_geom(
        name=thing.name,
        type=mujoco.mjtGeom.mjGEOM_HFIELD,
        hfieldname=thing.name,
        pos=(0.0, 0.0, low),
    )


def _add_movable(spec: Any, body: Any, thing: objects.Movable) -> Placed:
    condim, name = 4, thing.name
    match thing:
        case objects.Ball(radius=radius):
            condim, size = 6, (radius, 0.0, 0.0)
            geoms = [body.add_geom(name=name, type=_SPHERE, size=size)]
        case objects.Cuboid(size=size):
            geoms = [body.add_geom(name=name, type=_BOX, size=_half(size))]
        case objects.MovableCylinder(radius=radius, length=length):
            size = (radius, 0.5 * length, 0.0)
            geoms = [body.add_geom(name=name, type=_CYLINDER, size=size)]
        case objects.Body(shapes=shapes):
            names = [f"{name}/{k}" for k in range(len(shapes))]
            geoms = [
                _add_shape(body, *pair) for pair in zip(names, shapes, strict=True)
            ]
        case _:
            raise ConfigError(
                f"the engine has no shape for a {type(thing).__name__}; use the "
                "classes of gelenk.sim.objects"
            )
    share = 1.0 / len(geoms)
    shares = [share] * len(geoms)
    if isinstance(thing, objects.Body):
        volumes = [geometry_inertia(s, density=1.0).mass for s in thing.shapes]
        shares = [float(v / sum(volumes)) for v in volumes]
    for geom, part in zip(geoms, shares, strict=True):
        dress_geom(spec, geom, thing, group="object", condim=condim)
        geom.mass = thing.mass * part
    start = _add_joints(body, thing)
    return Placed(
        name=name,
        bodies=(name,),
        geoms=tuple(geom.name for geom in geoms),
        joints=tuple(joint.joint for joint in start),
        start=start,
    )


def _add_shape(body: Any, name: str, shape: Geometry) -> Any:
    T = np.asarray(shape.T_link_geometry, dtype=np.float64)
    size = np.zeros(3)
    match shape.kind:
        case "box":
            size[:] = _half(shape.size)
        case "cylinder" | "capsule":
            size[:2] = shape.size[0], 0.5 * shape.size[1]
        case _:
            size[: len(shape.size)] = shape.size
    return body.add_geom(
        name=name,
        type=_KINDS[shape.kind],
        size=size,
        pos=T[:3, 3],
        quat=quaternion_from_matrix(T[:3, :3]),
    )


def _add_joints(body: Any, thing: objects.Movable) -> tuple[JointStart, ...]:
    if isinstance(thing, objects.Ball) and not thing.spins:
        # The slides are turned with the body; ArmBot's balls have no orientation.
        body.quat = (1.0, 0.0, 0.0, 0.0)
        slide = mujoco.mjtJoint.mjJNT_SLIDE
        starts: list[JointStart] = []
        for k, letter in enumerate("xyz"):
            name = f"{thing.name}/{letter}"
            body.add_joint(name=name, type=slide, axis=np.eye(3)[k])
            starts.append(
                JointStart(joint=name, qpos=(0.0,), qvel=(thing.velocity[k],))
            )
        return tuple(starts)
    body.add_freejoint(name=thing.name)
    # MuJoCo keeps the angular velocity of a free joint in body axes.
    turn = matrix_from_quaternion(thing.quat).T @ np.array(thing.angular_velocity)
    start = JointStart(
        joint=thing.name,
        qpos=(*thing.position, *thing.quat),
        qvel=(*thing.velocity, *turn.tolist()),
    )
    return (start,)


def _half(size: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(0.5 * edge for edge in size)
