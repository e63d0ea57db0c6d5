"""Robot models as parts of a MuJoCo specification.

A robot that came from an MJCF file enters as that file, see `file_robots`. Any other is
written as MJCF by `gelenk.models.mjcf_write` and attached with the prefix `name/`: one
body per link, joints, loops and mimic laws as equalities. Motors and key frames are
left out then: forces come from `gelenk.sim.motors`.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import mujoco
import numpy as np

from gelenk.errors import ConfigError, ModelWarning
from gelenk.kinematics.configuration import tree_coordinates
from gelenk.kinematics.loops.close import velocity_map
from gelenk.models.link import Geometry, JointType
from gelenk.models.mjcf_write import mjcf_from_model
from gelenk.models.shapes import mesh_of
from gelenk.models.tree import RobotModel
from gelenk.sim.bridge.cameras import VISIBLE_GROUPS
from gelenk.sim.bridge.engine import JointStart, PlacedTree, dress_geom
from gelenk.sim.bridge.file_robots import (
    FileRobot,
    attach_file,
    dress_robot,
    read_file,
)
from gelenk.sim.bridge.file_starts import file_commands, find_state, starts_of
from gelenk.sim.bridge.mesh_geoms import add_mesh_geom
from gelenk.sim.robot import Robot
from gelenk.spatial import se3
from gelenk.spatial.quaternion import matrix_from_quaternion, quaternion_from_matrix
from gelenk.typing import FloatArray

# pyright: reportAttributeAccessIssue=false


HIDDEN_GROUP = VISIBLE_GROUPS  # the first that is not drawn
_WORLD = "world:link"  # stands for a root link named "world" while it is attached


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedRobot(PlacedTree):
    """Names under which a robot stands in the engine.

    Attributes:
        robot: Robot that was placed.
        joints: The joints of `q`, in the order of `model.joint_names`.
        file: Its file, if it entered as that.
    """

    robot: Robot
    file: FileRobot | None = None


def add_robot(spec: Any, robot: Robot, *, is_engine: bool = False) -> PlacedRobot:
    """Add a robot to a specification.

    Bodies come in the order of `model.link_names`.

    Args:
        spec: `mujoco.MjSpec`, see `new_spec`.
        robot: The robot.
        is_engine: Whether contacts are the engine's own.

    Raises:
        ConfigError: If a body of its name exists, or its links have names that MJCF
            cannot hold.
        LoopError: If its loops cannot be assembled at `robot.q`.
    """
    model, prefix = robot.model, f"{robot.name}/"
    root = prefix + model.link_names[0]
    if spec.body(root) is not None or spec.body(robot.name) is not None:
        raise ConfigError(f"there are two objects named {robot.name!r}; rename one")
    if robot.is_from_file:
        return _add_from_file(spec, robot, is_engine=is_engine)
    child = _written(model)
    if not robot.self_collision:  # all pairs will be
        for part in list(child.excludes):
            child.delete(part)
    if robot.mend_inertias:
        child.compiler.balanceinertia = spec.compiler.balanceinertia = True
    child.option.gravity = spec.option.gravity  # MuJoCo warns if they differ
    spec.attach(child, prefix=prefix, frame=_root_frame(spec, robot))
    if model.link_names[0] == "world":
        spec.body(prefix + _WORLD).name = root
    for equality in spec.equalities:
        if equality.name1.startswith(prefix):
            equality.solref = spec.default.equality.solref
            equality.solimp = spec.default.equality.solimp
    geoms = _dress_links(spec, robot)
    _warn_if_untouchable(spec, robot, geoms)
    if not robot.self_collision:
        _exclude_links(spec, robot)
    return PlacedRobot(
        name=robot.name,
        robot=robot,
        bodies=tuple(prefix + link for link in model.link_names),
        geoms=geoms,
        joints=tuple(prefix + joint for joint in model.joint_names),
        all_joints=tuple(prefix + model.joint_names_all[i] for i in _moving(model)),
        base_joint=prefix + model.joint_names_all[0] if model.has_floating_base else "",
        start=joint_starts(robot),
    )


def _add_from_file(spec: Any, robot: Robot, *, is_engine: bool) -> PlacedRobot:
    model, prefix = robot.model, f"{robot.name}/"
    found = read_file(robot)
    actuators = attach_file(spec, found)
    geoms = dress_robot(spec, robot, is_engine=is_engine)
    _warn_if_untouchable(spec, robot, geoms)
    if robot.self_collision is False:
        _exclude_links(spec, robot)
    found.spec = None  # it is the world's now
    placed = PlacedRobot(
        name=robot.name,
        robot=robot,
        file=found,
        bodies=tuple(prefix + body for body in found.bodies),
        geoms=geoms,
        joints=tuple(prefix + joint for joint in model.joint_names),
        base_joint=prefix + model.joint_names_all[0] if model.has_floating_base else "",
        actuators=actuators,
    )
    placed = placed_at(placed, robot)
    own = (one.joint for one in placed.start if len(one.qpos) < 7)
    return replace(placed, all_joints=tuple(own))


def _written(model: RobotModel) -> Any:
    """Return the specification of a robot alone, without motors and key frames."""
    if model.link_names[0] == "world":  # MJCF has no body of this name
        model = replace(model, link_names=(_WORLD, *model.link_names[1:]))
    child: Any = mujoco.MjSpec.from_string(mjcf_from_model(model, meshes="drop"))
    for part in (*child.keys, *child.actuators, *child.texts):
        child.delete(part)
    return child


def _root_frame(spec: Any, robot: Robot) -> Any:
    """Return a frame that puts the root link at `T_world_base`.

    The robot's own description may place its root link off its origin.
    """
    T = robot.T_world_base @ se3.inverse(robot.model.T_parent_joint[0])
    return spec.worldbody.add_frame(**_place(T))


def _place(T: FloatArray) -> dict[str, FloatArray]:
    return {"pos": T[:3, 3], "quat": quaternion_from_matrix(T[:3, :3])}


def _moving(model: RobotModel) -> list[int]:
    kinds = (JointType.REVOLUTE, JointType.PRISMATIC, JointType.BALL)
    return np.flatnonzero(np.isin(model.joint_type, kinds)).tolist()


def engine_shapes(row: Iterable[Geometry]) -> list[Geometry]:
    """Return the shapes of a link that enter the engine: all whose form is known."""
    return [
        shape
        for shape in row
        if shape.kind != "mesh"
        or ((mesh := mesh_of(shape)) is not None and len(mesh.vertices) > 0)
    ]


def _dress_links(spec: Any, robot: Robot) -> tuple[str, ...]:
    """Give every shape a name and its contact properties; return the names.

    A link that has shapes to look at is not drawn a second time by those that touch.
    """
    model = robot.model
    rows = model.geometry or ((),) * len(model.link_names)
    roles = {shape.role for row in rows for shape in row}
    touched = "collision" if "collision" in roles else "visual"
    names: list[str] = []
    for i, link in enumerate(model.link_names):
        body = spec.body(f"{robot.name}/{link}")
        shapes = engine_shapes(rows[i])
        written = iter(list(body.geoms))
        is_drawn = any(shape.role == "visual" for shape in shapes)
        for k, shape in enumerate(shapes):
            full = f"{robot.name}/{link}/{k}"
            is_touched = shape.role == touched and (
                robot.colliding_links is None or link in robot.colliding_links
            )
            if shape.kind == "mesh":
                geom = add_mesh_geom(spec, body, full, shape, is_touched=is_touched)
            else:
                geom = next(written)
                geom.name = geom.name or full
            rgba = np.array(geom.rgba)
            dress_geom(spec, geom, robot.surface_of(link), group="robot")
            if not is_touched:
                geom.contype = geom.conaffinity = 0
            if shape.rgba is not None or shape.kind == "mesh":
                geom.rgba = rgba
            if is_drawn and shape.role != "visual":
                geom.group = HIDDEN_GROUP
            names.append(geom.name)
    return tuple(names)


def _warn_if_untouchable(spec: Any, robot: Robot, geoms: Iterable[str]) -> None:
    """Say loudly that a robot goes through everything, unless that was asked for.

    A fixed mechanism without any shape is a drawing of joints, and nobody wonders.
    """
    is_drawn = any(robot.model.geometry) or robot.model.has_floating_base
    if robot.colliding_links is not None or not is_drawn:
        return
    touching = any(geom.contype or geom.conaffinity for geom in map(spec.geom, geoms))
    if not touching:
        meshes = {
            shape.mesh or shape.name
            for row in robot.model.geometry
            for shape in row
            if shape.kind == "mesh" and mesh_of(shape) is None
        }
        why = f"; {len(meshes)} meshes could not be read" if meshes else ""
        warnings.warn(
            f"robot {robot.name!r} has no shape that can touch anything{why}: it will "
            "go through floors and walls; give its links collision shapes, or say "
            "`colliding_links=()`",
            ModelWarning,
            stacklevel=2,
        )


def _exclude_links(spec: Any, robot: Robot) -> None:
    """Keep the links of one robot from touching each other."""
    bodies = [f"{robot.name}/{link}" for link in robot.model.link_names]
    solid = [
        name
        for name in bodies
        if any(geom.contype or geom.conaffinity for geom in spec.body(name).geoms)
    ]
    for i, one in enumerate(solid):
        for other in solid[i + 1 :]:
            spec.add_exclude(bodyname1=one, bodyname2=other)


def joint_starts(robot: Robot) -> tuple[JointStart, ...]:
    """Return all joints of the tree at the start, followers and loops included."""
    model, prefix = robot.model, f"{robot.name}/"
    assert robot.q is not None
    assert robot.qd is not None
    tree = tree_coordinates(model, robot.q)
    values = _by_link(model, tree[7 if model.has_floating_base else 0 :], 4)
    rates: dict[int, FloatArray] = {}
    for k, i in enumerate(map(int, model.joint_ids)):
        at = int(model.v_starts[k])
        count = 3 if model.joint_type[i] == JointType.BALL else 1
        rates[i] = robot.qd[at : at + count]
    if model.loops and robot.qd.any():
        tree_rates = velocity_map(model, tree) @ robot.qd
        rates = _by_link(model, tree_rates[6 if model.has_floating_base else 0 :], 3)
    starts = [_base_start(robot)] if model.has_floating_base else []
    for i in _moving(model):
        j = int(model.mimic[i])
        if j >= 0:
            values[i] = model.multiplier[i] * values[j] + model.offset[i]
            rates[i] = model.multiplier[i] * rates.get(j, np.zeros(1))
        starts.append(
            JointStart(
                joint=prefix + model.joint_names_all[i],
                qpos=tuple(values[i].tolist()),
                qvel=tuple(rates.get(i, np.zeros(1)).tolist()),
            )
        )
    return tuple(starts)


def _by_link(model: RobotModel, tree: FloatArray, size: int) -> dict[int, FloatArray]:
    """Return the part of each tree joint of coordinates or rates without the base.

    Args:
        model: Robot.
        tree: Coordinates or rates of all tree joints.
        size: Numbers of a ball joint among them.
    """
    parts: dict[int, FloatArray] = {}
    at = 0
    for i in map(int, model.tree_joint_ids):
        count = size if model.joint_type[i] == JointType.BALL else 1
        parts[i] = tree[at : at + count]
        at += count
    return parts


def placed_at(placed: PlacedRobot, robot: Robot) -> PlacedRobot:
    """Return a placed robot with the start that another configuration makes.

    Args:
        placed: The robot in the engine.
        robot: The same robot with another `q` and `qd`.
    """
    if placed.file is None:
        return replace(placed, start=joint_starts(robot))
    found = replace(placed.file, robot=robot)
    state = find_state(found)
    commands, activations = file_commands(found, state, placed.actuators)
    start = starts_of(found, state)
    if robot.model.has_floating_base:
        start.insert(0, _base_start(robot))
    return replace(
        placed,
        start=tuple(start),
        commands=tuple(commands),
        activations=tuple(activations),
    )


def _base_start(robot: Robot) -> JointStart:
    assert robot.q is not None
    assert robot.qd is not None
    T_base_start = np.eye(4)
    T_base_start[:3, 3] = robot.q[:3]
    T_base_start[:3, :3] = matrix_from_quaternion(robot.q[3:7])
    T = robot.T_world_base @ T_base_start
    R = robot.T_world_base[:3, :3]
    v, omega = R @ robot.qd[:3], R @ robot.qd[3:6]
    quat = quaternion_from_matrix(T[:3, :3])
    if robot.is_from_file and np.array_equal(robot.T_world_base, np.eye(4)):
        quat = robot.q[3:7]  # to the last bit what the file says
    return JointStart(
        joint=f"{robot.name}/{robot.model.joint_names_all[0]}",
        qpos=(*T[:3, 3].tolist(), *quat.tolist()),
        # MuJoCo keeps the angular velocity of a free joint in body axes.
        qvel=(*v.tolist(), *(T[:3, :3].T @ omega).tolist()),
    )
