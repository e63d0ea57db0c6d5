"""Appearance of a world as data: bodies, their shapes, joints, cameras.

Everything is read from the engine's compiled model, so that what is drawn is what
touches. Nothing here knows who draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import mujoco
import numpy as np

from gelenk.models.link import JointType
from gelenk.sim.bridge.cameras import VISIBLE_GROUPS
from gelenk.sim.bridge.robots import PlacedRobot, engine_shapes
from gelenk.sim.cameras.boards import Board, print_faces
from gelenk.sim.compiled_world import CompiledWorld
from gelenk.sim.objects import Ground, Movable
from gelenk.sim.robot import Robot
from gelenk.sim.world import World
from gelenk.sim.zones import Zone
from gelenk.typing import FloatArray, IntArray

Kind: TypeAlias = Literal[
    "box", "sphere", "capsule", "cylinder", "ellipsoid", "plane", "mesh"
]
Rgba: TypeAlias = tuple[float, float, float, float]

PLANE_EDGE = 20.0  # [m], of planes without end

_GEOM = mujoco.mjtGeom


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LookShape:
    """A visible solid of a body.

    Attributes:
        kind: Kind of the shape.
        size: Size [m]; "box": full edges; "sphere": radius; "capsule", "cylinder":
            radius and length without caps, along z; "ellipsoid": half axes; "plane":
            edges along x and y; "mesh": empty.
        position: Position in the body [m], shape (3,).
        quaternion: Orientation in the body, wxyz, shape (4,).
        rgba: Colour.
        is_plain: Whether nobody chose the colour.
        vertices: Vertices of a mesh [m], shape (n, 3).
        triangles: Corners by index, anticlockwise from outside, shape (m, 3).
    """

    kind: Kind
    size: tuple[float, ...] = ()
    position: FloatArray
    quaternion: FloatArray
    rgba: Rgba
    is_plain: bool = False
    vertices: FloatArray = field(default_factory=lambda: np.zeros((0, 3)))
    triangles: IntArray = field(default_factory=lambda: np.zeros((0, 3), dtype=int))


@dataclass(frozen=True, slots=True, kw_only=True)
class LookBody:
    """A body.

    Attributes:
        name: Name in the world.
        id: Index in the engine.
        parent: Index of the body that carries it.
        group: Whether it stands, moves freely or belongs to a robot.
        robot: Name of that robot, or empty.
        shapes: Visible shapes; may be none.
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
    robot_of = {name: item.name for item in robots for name in item.bodies}
    plain, hidden = _robot_geoms(model, robots)
    hidden |= printed.keys()
    for i in range(model.nbody):
        name, first = model.body(i).name, int(model.body_geomadr[i])
        geoms = range(first, first + int(model.body_geomnum[i]))
        if i == 0 and not geoms:
            continue
        shapes = tuple(
            _shape(model, geom, is_plain=model.geom(geom).name in plain)
            for geom in geoms
            if model.geom(geom).name not in hidden and model.geom_rgba[geom, 3] > 0.0
        )
        shapes += printed.get(name, ())
        robot = robot_of.get(name, "")
        is_free = name in movables or model.body_mocapid[i] >= 0
        group = "robot" if robot else "object" if is_free else "fixed"
        parent = int(model.body_parentid[i])
        yield LookBody(
            name=name, id=i, parent=parent, group=group, robot=robot, shapes=shapes
        )


def _robot_geoms(
    model: mujoco.MjModel, robots: list[PlacedRobot]
) -> tuple[set[str], set[str]]:
    """Return the geoms of robots without a colour of their own, and the undrawn ones.

    A link that has shapes to look at is not drawn a second time by those that touch.
    """
    plain: set[str] = set()
    hidden: set[str] = set()
    for item in robots:
        if item.robot.is_from_file:
            hidden |= {name for name in item.geoms if _is_hidden(model, name)}
            continue
        names = iter(item.geoms)
        for row in item.robot.model.geometry:
            shapes = engine_shapes(row)
            is_drawn = any(shape.role == "visual" for shape in shapes)
            for shape, name in zip(shapes, names, strict=False):
                if shape.rgba is None:
                    plain.add(name)
                if is_drawn and shape.role != "visual":
                    hidden.add(name)
    return plain, hidden


def _is_hidden(model: mujoco.MjModel, geom: str) -> bool:
    return bool(model.geom(geom).group[0] >= VISIBLE_GROUPS)


def _print(board: Board) -> Iterator[LookShape]:
    for vertices, triangles, rgba in print_faces(board):
        yield LookShape(
            kind="mesh",
            position=np.zeros(3),
            quaternion=np.array([1.0, 0.0, 0.0, 0.0]),
            rgba=rgba,
            vertices=vertices,
            triangles=triangles,
        )


def _shape(model: mujoco.MjModel, geom: int, *, is_plain: bool) -> LookShape:
    size = [float(value) for value in model.geom_size[geom]]
    common: dict[str, Any] = {
        "position": np.array(model.geom_pos[geom]),
        "quaternion": np.array(model.geom_quat[geom]),
        "rgba": tuple(float(value) for value in model.geom_rgba[geom]),
        "is_plain": is_plain,
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
            vertices, triangles = _height_field(model, int(model.geom_dataid[geom]))
        case _:
            vertices, triangles = _mesh(model, int(model.geom_dataid[geom]))
    return LookShape(kind="mesh", vertices=vertices, triangles=triangles, **common)


def _mesh(model: mujoco.MjModel, mesh: int) -> tuple[FloatArray, IntArray]:
    start, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    first, faces = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
    vertices = np.array(model.mesh_vert[start : start + count], dtype=np.float64)
    return vertices, np.array(model.mesh_face[first : first + faces], dtype=int)


def _height_field(model: mujoco.MjModel, field_id: int) -> tuple[FloatArray, IntArray]:
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
    return grid.reshape(-1, 3), np.concatenate([lower, upper])


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
