"""Collision shapes of the things of a world, for `gelenk.collision`.

The rules are those by which the world itself builds its bodies: solids over concave
plans are cut into convex prisms; robots collide with the shapes of that role, or with
all if there are none.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.collision.objects import (
    AnyShape,
    HalfSpace,
    HeightGrid,
    PlacedShapes,
    solid_geometries,
)
from gelenk.collision.scene import Scene
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.geometry.mesh import Mesh
from gelenk.geometry.polygon import convex_pieces
from gelenk.kinematics.forward import link_poses
from gelenk.models.link import Geometry
from gelenk.sim import objects
from gelenk.spatial.quaternion import matrix_from_quaternion, quaternion_from_matrix
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from gelenk.sim.world import World


def object_shapes(thing: objects.SceneObject) -> PlacedShapes:
    """Return the shapes of a scene object, each with its pose in the world."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = matrix_from_quaternion(thing.quat), thing.position
    return tuple((shape, T) for shape in _shapes_of(thing))


def robot_shapes(robot: objects.Robot) -> PlacedShapes:
    """Return the shapes of a robot at its start, each with its pose in the world."""
    model = robot.model
    assert robot.q is not None
    Ts = robot.T_world_base @ link_poses(model, robot.q)
    chosen = set(robot.colliding_links or model.link_names)
    return tuple(
        (shape, Ts[i])
        for i, row in enumerate(solid_geometries(model))
        if model.link_names[i] in chosen
        for shape in row
    )


def scene_of_world(world: World, robot: str, items: Any, **options: Any) -> Scene:
    """Return the scene of one robot among everything else of a world.

    Args:
        world: The world.
        robot: Name of the robot that is asked for.
        items: Objects and robots of the world.
        options: Options of `gelenk.collision.Scene`.

    Raises:
        NameNotFoundError: If there is no such robot.
    """
    robots = {item.name: item for item in items if isinstance(item, objects.Robot)}
    if robot not in robots:
        raise NameNotFoundError("robot", robot, robots)
    others = [_as_it_is(world, item) for item in items if item is not robots[robot]]
    return Scene(robots[robot], others, **options)


def _as_it_is(world: World, item: Any) -> Any:
    """Return an object or a robot where it is now instead of where it started."""
    if isinstance(item, objects.Movable):
        T = world.pose(item.name)
        return replace(item, position=T[:3, 3], quat=quaternion_from_matrix(T[:3, :3]))
    if isinstance(item, objects.Robot):
        q = world.joint_positions(item.name)
        if item.model.has_floating_base:
            T_world_root = world.pose(item.name)
            base = np.linalg.solve(item.T_world_base, T_world_root)
            q = np.concatenate([base[:3, 3], quaternion_from_matrix(base[:3, :3]), q])
        return replace(item, q=q)
    return item


def _shapes_of(thing: objects.SceneObject) -> tuple[AnyShape, ...]:
    match thing:
        case objects.Ground():
            return (HalfSpace(),)
        case objects.Box(size=size) | objects.Cuboid(size=size):
            return (_solid("box", size),)
        case objects.Sphere(radius=radius) | objects.Ball(radius=radius):
            return (_solid("sphere", (radius,)),)
        case (
            objects.Cylinder(radius=radius, length=length)
            | objects.MovableCylinder(radius=radius, length=length)
        ):
            return (_solid("cylinder", (radius, length)),)
        case objects.Body(shapes=shapes):
            return shapes
        case objects.HeightField(size=size, heights=heights, depth=depth):
            bottom = float(heights.min()) - depth
            return (HeightGrid(size=size, heights=heights, bottom=bottom),)
        case (
            objects.Prism()
            | objects.Step()
            | objects.Slope()
            | objects.Wedge()
            | objects.Conveyor()
        ):
            return _pieces_of(thing.solid)
        case _:
            raise ConfigError(f"a {type(thing).__name__} has no shape that collides")


def _pieces_of(solid: objects.Solid) -> tuple[Geometry, ...]:
    plan, bottom, top = solid.plan, solid.bottom[0], solid.top[0]
    T = np.eye(4)
    if not isinstance(plan, objects.PolygonOutline):
        T[:3, 3] = *plan.center, 0.5 * (bottom + top)
    if isinstance(plan, objects.CircleOutline):
        return (_solid("cylinder", (plan.radius, top - bottom), T),)
    if isinstance(plan, objects.RectOutline) and solid.is_level:
        return (_solid("box", (*plan.size, top - bottom), T),)
    no_faces = np.empty((0, 3), dtype=np.int64)
    return tuple(
        Geometry(
            kind="mesh",
            size=(1.0, 1.0, 1.0),
            role="collision",
            data=Mesh(vertices=solid.corners_of(piece), faces=no_faces),
        )
        for piece in convex_pieces(plan.corners)
    )


def _solid(kind: Any, size: tuple[float, ...], T: FloatArray | None = None) -> Geometry:
    place = np.eye(4) if T is None else T
    return Geometry(kind=kind, size=size, T_link_geometry=place, role="collision")
