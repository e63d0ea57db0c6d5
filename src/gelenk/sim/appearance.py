"""Appearance of a world as data: bodies, their shapes, joints, cameras.

Objects are read from the engine's compiled model, so that what is drawn is what
touches. Links of robots have the shapes of their models: those that are looked at, and
those that touch. Nothing here knows who draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import mujoco
import numpy as np

from gelenk.geometry.mesh import Mesh
from gelenk.models.link import Geometry, JointType
from gelenk.models.shapes import hull_of, mesh_of
from gelenk.sim.bridge.cameras import VISIBLE_GROUPS
from gelenk.sim.bridge.engine import PlacedTree
from gelenk.sim.bridge.robots import PlacedRobot
from gelenk.sim.cameras.boards import Board, print_faces
from gelenk.sim.compiled_world import CompiledWorld
from gelenk.sim.objects import Ground, Movable
from gelenk.sim.robot import Robot
from gelenk.sim.world import World
from gelenk.sim.zones import Zone
from gelenk.spatial.quaternion import quaternion_from_matrix
from gelenk.typing import FloatArray

Kind: TypeAlias = Literal[
    "box", "sphere", "capsule", "cylinder", "ellipsoid", "plane", "mesh"
]
Role: TypeAlias = Literal["visual", "collision", "both"]
Rgba: TypeAlias = tuple[float, float, float, float]

PLANE_EDGE = 20.0  # [m], of planes without end

_GEOM = mujoco.mjtGeom


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LookShape:
    """A solid of a body.

    Attributes:
        kind: Kind of the shape.
        size: Size [m]; "box": full edges; "sphere": radius; "capsule", "cylinder":
            radius and length without caps, along z; "ellipsoid": half axes; "plane":
            edges along x and y; "mesh": empty.
        position: Position in the body [m], shape (3,).
        quaternion: Orientation in the body, wxyz, shape (4,).
        rgba: Colour.
        role: Whether it is looked at, touches, or both.
        is_plain: Whether nobody chose the colour.
        mesh: Triangles of a mesh; None: those of `geometry`.
        geometry: Shape of a model that a mesh is read from, when somebody asks.
        is_hull: Whether it is the convex hull of that shape.
    """

    kind: Kind
    size: tuple[float, ...] = ()
    position: FloatArray
    quaternion: FloatArray
    rgba: Rgba
    role: Role = "both"
    is_plain: bool = False
    mesh: Mesh | None = None
    geometry: Geometry | None = None
    is_hull: bool = False

    def find_mesh(self) -> Mesh | None:
        """Return the triangles of a mesh [m]; None where its file cannot be read."""
        if self.mesh is not None or self.geometry is None:
            return self.mesh
        return hull_of(self.geometry) if self.is_hull else mesh_of(self.geometry)


@dataclass(frozen=True, slots=True, kw_only=True)
class LookBody:
    """A body.

    Attributes:
        name: Name in the world.
        id: Index in the engine.
        parent: Index of the body that carries it.
        group: Whether it stands, moves freely or belongs to a robot.
        robot: Name of that robot, or empty.
        shapes: Shapes that are looked at or touch; may be none.
    """

    name: str
    id: int
    parent: int
    group: Literal["fixed", "object", "robot"]
    robot: str
    shapes: tuple[LookShape, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LookJoint:
    """A joint of a robot's configuration.

    Attributes:
        name: Name without that of the robot.
        robot: Name of the robot.
        body: Name of the body that it moves.
        is_linear: Whether it slides.
        low, high: Range [rad] or [m], infinite without end.
        max_speed: Largest speed [rad/s] or [m/s], infinite if unknown.
        axis: Axis in the body, shape (3,).
        anchor: A point of the axis in the body [m], shape (3,).
        qpos, dof: Addresses in the engine.
    """

    name: str
    robot: str
    body: str
    is_linear: bool
    low: float
    high: float
    max_speed: float
    axis: FloatArray
    anchor: FloatArray
    qpos: int
    dof: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LookCamera:
    """A camera: its number in the engine, size of its image, field of view [rad]."""

    name: str
    id: int
    width: int
    height: int
    fov_y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """All that can be seen of a world.

    Attributes:
        bodies: Bodies in the order of the engine, without floors.
        joints: Joints by robot, in the order of its configuration.
        cameras: The cameras.
        zones: Places that notice objects.
        ground: The floor, if there is one.
        robots: Names, in the order in which they were added.
        movables: Names of what moves freely.
        belts: Names of conveyors.
    """

    bodies: tuple[LookBody, ...]
    joints: tuple[LookJoint, ...]
    cameras: tuple[LookCamera, ...]
    zones: tuple[Zone, ...]
    ground: Ground | None
    robots: tuple[str, ...]
    movables: tuple[str, ...]
    belts: tuple[str, ...]


def compiled_world_of(world: World) -> CompiledWorld:
    """Return the compiled world; it cannot be added to any more."""
    return world._compiled()  # pyright: ignore[reportPrivateUsage]


def describe_world(world: World) -> Appearance:
    """Return what a world looks like; it is compiled if it was not.

    Args:
        world: The world.
    """
    compiled = compiled_world_of(world)
    things = world._contents.things  # pyright: ignore[reportPrivateUsage]
    grounds = [thing for thing in things if isinstance(thing, Ground)]
    flat = {thing.name for thing in grounds if _is_plain_floor(thing)}
    robots = [
        item for item in compiled.placed.values() if isinstance(item, PlacedRobot)
    ]
    movables = tuple(thing.name for thing in things if isinstance(thing, Movable))
    scene = world._contents.scene  # pyright: ignore[reportPrivateUsage]
    movables += scene.objects if scene else ()
    boards = world._contents.boards  # pyright: ignore[reportPrivateUsage]
    return Appearance(
        bodies=tuple(
            body
            for body in _bodies(compiled, robots, set(movables), boards)
            if body.name not in flat
        ),
        joints=tuple(joint for item in robots for joint in _joints(compiled, item)),
        cameras=tuple(_cameras(compiled.model)),
        zones=compiled.zones,
        ground=grounds[0] if grounds else None,
        robots=tuple(item.name for item in robots),
        movables=movables,
        belts=tuple(compiled.belts),
    )


def _is_plain_floor(ground: Ground) -> bool:
    """Return whether a ground is the plane z = 0, which is drawn as a floor."""
    return ground.position[2] == 0.0 and abs(ground.quat[0]) == 1.0


def _bodies(
    compiled: CompiledWorld,
    robots: list[PlacedRobot],
    movables: set[str],
    boards: list[Board],
) -> Iterator[LookBody]:
    model = compiled.model
    printed = {board.name: tuple(_print(board)) for board in boards}
    moving = {  # robots and objects of a scene file, which have no model
        name
        for item in compiled.placed.values()
        if isinstance(item, PlacedTree) and not isinstance(item, PlacedRobot)
        for name in item.bodies
    }
    links = {
        name: (item, link) for item in robots for link, name in enumerate(item.bodies)
    }
    for i in range(model.nbody):
        name, first = model.body(i).name, int(model.body_geomadr[i])
        geoms = range(first, first + int(model.body_geomnum[i]))
        if i == 0 and not geoms:
            continue
        robot = ""
        if name in links:
            item, link = links[name]
            robot = item.name
            shapes = tuple(_link_shapes(item.robot, link))
        else:
            shapes = tuple(
                _shape(model, geom)
                for geom in geoms
                if model.geom(geom).name not in printed
                and model.geom_group[geom] < VISIBLE_GROUPS
                and model.geom_rgba[geom, 3] > 0.0
            )
            shapes += printed.get(name, ())
        is_free = name in movables | moving or model.body_mocapid[i] >= 0
        group = "robot" if robot else "object" if is_free else "fixed"
        parent = int(model.body_parentid[i])
        yield LookBody(
            name=name, id=i, parent=parent, group=group, robot=robot, shapes=shapes
        )


def _link_shapes(robot: Robot, link: int) -> Iterator[LookShape]:
    """Yield the shapes of a link.

    A link that has shapes to look at is not drawn a second time by those that touch.
    """
    model = robot.model
    rows = model.geometry or ((),) * len(model.link_names)
    roles = {shape.role for row in rows for shape in row}
    touching = "collision" if "collision" in roles else "visual"
    has_looks = any(shape.role == "visual" for shape in rows[link])
    plain = robot.surface_of(model.link_names[link]).rgba
    for shape in rows[link]:
        is_seen = shape.role == "visual" or not has_looks
        is_touched = shape.role == touching
        color = plain if shape.rgba is None else shape.rgba
        T = np.asarray(shape.T_link_geometry, dtype=np.float64)
        common: dict[str, Any] = {
            "kind": shape.kind,
            "position": T[:3, 3],
            "quaternion": quaternion_from_matrix(T[:3, :3]),
            "rgba": tuple(float(value) for value in color),
            "is_plain": shape.rgba is None,
        }
        if not color[3] > 0.0:
            is_seen = False
        if shape.kind == "mesh":  # what touches of it is its hull
            common["geometry"] = shape
            if is_seen:
                yield LookShape(role="visual", **common)
            if is_touched:
                yield LookShape(role="collision", is_hull=True, **common)
        elif is_seen or is_touched:
            role: Role = "visual" if is_seen else "collision"
            role = "both" if is_seen and is_touched else role
            yield LookShape(role=role, size=tuple(map(float, shape.size)), **common)


def _print(board: Board) -> Iterator[LookShape]:
    for vertices, triangles, rgba in print_faces(board):
        yield LookShape(
            kind="mesh",
            position=np.zeros(3),
            quaternion=np.array([1.0, 0.0, 0.0, 0.0]),
            rgba=rgba,
            role="visual",
            mesh=Mesh(vertices=vertices, faces=triangles),
        )


def _shape(model: mujoco.MjModel, geom: int) -> LookShape:
    size = [float(value) for value in model.geom_size[geom]]
    common: dict[str, Any] = {
        "position": np.array(model.geom_pos[geom]),
        "quaternion": np.array(model.geom_quat[geom]),
        "rgba": tuple(float(value) for value in model.geom_rgba[geom]),
        "role": "both" if _can_touch(model, geom) else "visual",
    }
    match model.geom_type[geom]:
        case _GEOM.mjGEOM_BOX:
            return LookShape(kind="box", size=tuple(2.0 * s for s in size), **common)
        case _GEOM.mjGEOM_SPHERE:
            return LookShape(kind="sphere", size=(size[0],), **common)
        case _GEOM.mjGEOM_CAPSULE:
            return LookShape(kind="capsule", size=(size[0], 2.0 * size[1]), **common)
        case _GEOM.mjGEOM_CYLINDER:
            return LookShape(kind="cylinder", size=(size[0], 2.0 * size[1]), **common)
        case _GEOM.mjGEOM_ELLIPSOID:
            return LookShape(kind="ellipsoid", size=tuple(size), **common)
        case _GEOM.mjGEOM_PLANE:
            edges = tuple(2.0 * s if s > 0.0 else PLANE_EDGE for s in size[:2])
            return LookShape(kind="plane", size=edges, **common)
        case _GEOM.mjGEOM_HFIELD:
            mesh = _height_field(model, int(model.geom_dataid[geom]))
        case _:
            mesh = _mesh(model, int(model.geom_dataid[geom]))
    return LookShape(kind="mesh", mesh=mesh, **common)


def _can_touch(model: mujoco.MjModel, geom: int) -> bool:
    return bool(model.geom_contype[geom] or model.geom_conaffinity[geom])


def _mesh(model: mujoco.MjModel, mesh: int) -> Mesh:
    start, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    first, faces = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
    return Mesh(
        vertices=np.array(model.mesh_vert[start : start + count], dtype=np.float64),
        faces=np.array(model.mesh_face[first : first + faces], dtype=int),
    )


def _height_field(model: mujoco.MjModel, field_id: int) -> Mesh:
    """Return the upper side of a height field; rows run along y, columns along x."""
    rows, columns = int(model.hfield_nrow[field_id]), int(model.hfield_ncol[field_id])
    half_x, half_y, span, _ = (float(value) for value in model.hfield_size[field_id])
    start = int(model.hfield_adr[field_id])
    share = model.hfield_data[start : start + rows * columns].reshape(rows, columns)
    x = np.linspace(-half_x, half_x, columns)
    y = np.linspace(-half_y, half_y, rows)
    grid = np.stack([*np.meshgrid(x, y), span * share], axis=-1)
    corner = np.arange((rows - 1) * columns).reshape(rows - 1, columns)[:, :-1].ravel()
    right, above = corner + 1, corner + columns
    lower = np.stack([corner, right, above], axis=1)
    upper = np.stack([right, above + 1, above], axis=1)
    return Mesh(vertices=grid.reshape(-1, 3), faces=np.concatenate([lower, upper]))


def _joints(compiled: CompiledWorld, item: PlacedRobot) -> Iterator[LookJoint]:
    robot, engine_model = item.robot, compiled.model
    model = robot.model
    low, high = model.limits
    base = 7 if model.has_floating_base else 0
    for index, name in enumerate(model.joint_names):
        link = int(model.joint_ids[index])
        if model.joint_type[link] == JointType.BALL:
            continue
        at = int(model.q_starts[index]) - base
        joint = engine_model.joint(f"{item.name}/{name}")
        yield LookJoint(
            name=name,
            robot=item.name,
            body=engine_model.body(int(engine_model.jnt_bodyid[joint.id])).name,
            is_linear=bool(model.joint_type[link] == JointType.PRISMATIC),
            low=float(low[at]),
            high=float(high[at]),
            max_speed=_top_speed(robot, name, float(model.max_velocity[link])),
            axis=np.array(joint.axis),
            anchor=np.array(joint.pos),
            qpos=int(joint.qposadr[0]),
            dof=int(joint.dofadr[0]),
        )


def _top_speed(robot: Robot, joint: str, of_model: float) -> float:
    """Return the speed that neither the joint nor its motor exceeds."""
    motors: Any = robot.motors
    motor = motors.get(joint) if hasattr(motors, "get") else motors
    own = getattr(motor, "max_speed", None)
    return of_model if own is None else min(of_model, float(own))


def _cameras(model: mujoco.MjModel) -> Iterator[LookCamera]:
    for i in range(model.ncam):
        width, height = (int(value) for value in model.cam_resolution[i])
        yield LookCamera(
            name=model.camera(i).name,
            id=i,
            width=width,
            height=height,
            fov_y=float(np.deg2rad(model.cam_fovy[i])),
        )
