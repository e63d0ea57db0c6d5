"""Robot models and their sensors as parts of a MuJoCo specification.

The robot is written as MJCF by `gelenk.models.mjcf_write` and attached with the
prefix `name/`: one body per link, joints, loops and mimic laws as equalities. Motors
and key frames are left out: forces come from `gelenk.sim.motors`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import mujoco
import numpy as np

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.kinematics.configuration import require_scalar_joints, tree_coordinates
from gelenk.kinematics.loops.close import velocity_map
from gelenk.models.link import JointType
from gelenk.models.mjcf_write import mjcf_from_model
from gelenk.models.tree import RobotModel
from gelenk.sim.bridge.cameras import VISIBLE_GROUPS
from gelenk.sim.bridge.engine import JointStart, Placed, dress_geom
from gelenk.sim.robot import Robot
from gelenk.sim.sensors.channels import JointPlace, Wiring, wire_sensor
from gelenk.sim.sensors.descriptions import Sensor, mount, mujoco_sensors
from gelenk.spatial import se3
from gelenk.spatial.quaternion import matrix_from_quaternion, quaternion_from_matrix
from gelenk.typing import FloatArray, IntArray

# pyright: reportAttributeAccessIssue=false


HIDDEN_GROUP = VISIBLE_GROUPS  # the first that is not drawn
_WORLD = "world:link"  # stands for a root link named "world" while it is attached


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedRobot(Placed):
    """Names under which a robot stands in the engine.

    Attributes:
        robot: Robot that was placed.
        joints: The joints of `q`, in the order of `model.joint_names`.
        all_joints: Every joint of the tree, passive ones and followers included.
        base_joint: Name of the free joint, empty if the base is fixed.
    """

    robot: Robot
    all_joints: tuple[str, ...]
    base_joint: str = ""


def add_robot(spec: Any, robot: Robot) -> PlacedRobot:
    """Add a robot to a specification.

    Bodies come in the order of `model.link_names`.

    Args:
        spec: `mujoco.MjSpec`, see `new_spec`.
        robot: The robot.

    Raises:
        ConfigError: If a body of its name exists, or its links have names that MJCF
            cannot hold.
        LoopError: If its loops cannot be assembled at `robot.q`.
    """
    model, prefix = robot.model, f"{robot.name}/"
    require_scalar_joints(model)
    root = prefix + model.link_names[0]
    if spec.body(root) is not None or spec.body(robot.name) is not None:
        raise ConfigError(f"there are two objects named {robot.name!r}; rename one")
    child = _written(model)
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
    kinds = (JointType.REVOLUTE, JointType.PRISMATIC)
    return np.flatnonzero(np.isin(model.joint_type, kinds)).tolist()


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
        shapes = [shape for shape in rows[i] if shape.kind != "mesh"]
        geoms = list(body.geoms)
        is_drawn = any(shape.role == "visual" for shape in shapes)
        for k, (geom, shape) in enumerate(zip(geoms, shapes, strict=True)):
            geom.name = geom.name or f"{robot.name}/{link}/{k}"
            is_touched = shape.role == touched and (
                robot.colliding_links is None or link in robot.colliding_links
            )
            rgba = np.array(geom.rgba)
            dress_geom(spec, geom, robot.surface_of(link), group="robot")
            if not is_touched:
                geom.contype = geom.conaffinity = 0
            if shape.rgba is not None:
                geom.rgba = rgba
            if is_drawn and shape.role != "visual":
                geom.group = HIDDEN_GROUP
            names.append(geom.name)
    return tuple(names)


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
    base = 7 if model.has_floating_base else 0
    values = np.zeros(len(model.link_names))
    values[model.tree_joint_ids] = tree[base:]
    rates = np.zeros(len(model.link_names))
    rates[model.joint_ids] = robot.qd[6 if base else 0 :]
    if model.loops and robot.qd.any():
        tree_rates = velocity_map(model, tree) @ robot.qd
        rates[model.tree_joint_ids] = tree_rates[6 if base else 0 :]
    starts: list[JointStart] = []
    if base:
        starts.append(_base_start(robot))
    for i in _moving(model):
        j = int(model.mimic[i])
        if j >= 0:
            values[i] = model.multiplier[i] * values[j] + model.offset[i]
            rates[i] = model.multiplier[i] * rates[j]
        starts.append(
            JointStart(
                joint=prefix + model.joint_names_all[i],
                qpos=(float(values[i]),),
                qvel=(float(rates[i]),),
            )
        )
    return tuple(starts)


def _base_start(robot: Robot) -> JointStart:
    assert robot.q is not None
    assert robot.qd is not None
    T_base_start = np.eye(4)
    T_base_start[:3, 3] = robot.q[:3]
    T_base_start[:3, :3] = matrix_from_quaternion(robot.q[3:7])
    T = robot.T_world_base @ T_base_start
    R = robot.T_world_base[:3, :3]
    v, omega = R @ robot.qd[:3], R @ robot.qd[3:6]
    return JointStart(
        joint=f"{robot.name}/{robot.model.joint_names_all[0]}",
        qpos=(*T[:3, 3].tolist(), *quaternion_from_matrix(T[:3, :3]).tolist()),
        # MuJoCo keeps the angular velocity of a free joint in body axes.
        qvel=(*v.tolist(), *(T[:3, :3].T @ omega).tolist()),
    )


# pyright: reportAttributeAccessIssue=false


class WiredSensors(NamedTuple):
    """Sensors of all robots, ready for `pack_sensors`.

    Attributes:
        names: Names "robot/sensor".
        sensors: Descriptions of the sensors.
        wirings: Connections of the sensors.
    """

    names: tuple[str, ...]
    sensors: tuple[Sensor, ...]
    wirings: tuple[Wiring, ...]


def add_sensors(spec: Any, placed: PlacedRobot) -> None:
    """Add sites and engine sensors for those of a robot that are mounted on a link.

    Raises:
        NameNotFoundError: If a sensor's link does not exist.
    """
    kinds = mujoco.mjtSensor.__members__
    for name, sensor in placed.robot.sensors.items():
        place = mount(sensor)
        if place is None:
            continue
        body = f"{placed.name}/{place.link}"
        if body not in placed.bodies:
            links = placed.robot.model.link_names
            raise NameNotFoundError("link", place.link, links)
        site = spec.body(body).add_site(
            name=f"{placed.name}/{name}",
            pos=place.T_link_sensor[:3, 3],
            quat=quaternion_from_matrix(place.T_link_sensor[:3, :3]),
        )
        for kind in mujoco_sensors(sensor):
            added = spec.add_sensor(
                name=f"{site.name}/{kind}",
                type=kinds[f"mjSENS_{kind.upper()}"],
                objtype=mujoco.mjtObj.mjOBJ_SITE,
                objname=site.name,
            )
            if kind == "rangefinder":
                # Of all that a ray can tell, only the distance.
                added.intprm[0] = 1 << int(mujoco.mjtRayDataField.mjRAYDATA_DIST)


def wire_sensors(
    model: Any, robots: Sequence[PlacedRobot], motor_rows: Mapping[str, IntArray]
) -> WiredSensors:
    """Return all sensors with their addresses in a compiled model.

    Args:
        model: `mujoco.MjModel`.
        robots: The robots.
        motor_rows: Rows of the motors of each robot, in the order of its joints; -1
            for joints without one.
    """
    names: list[str] = []
    sensors: list[Sensor] = []
    wirings: list[Wiring] = []
    for placed in robots:
        joints = _joint_places(model, placed, motor_rows[placed.name])
        link_names = placed.robot.model.link_names
        bodies = [model.body(body).id for body in placed.bodies]
        links = dict(zip(link_names, bodies, strict=True))
        ends = {link: _subtree_end(model, body) for link, body in links.items()}
        for name, sensor in placed.robot.sensors.items():
            full = f"{placed.name}/{name}"
            engine = [f"{full}/{kind}" for kind in mujoco_sensors(sensor)]
            wiring = wire_sensor(
                sensor,
                joints=joints,
                links=links,
                subtree_ends=ends,
                site=model.site(full).id if engine else -1,
                sensordata=int(model.sensor(engine[0]).adr[0]) if engine else -1,
            )
            names.append(full)
            sensors.append(sensor)
            wirings.append(wiring)
    return WiredSensors(tuple(names), tuple(sensors), tuple(wirings))


def _joint_places(
    model: Any, placed: PlacedRobot, rows: IntArray
) -> dict[str, JointPlace]:
    places: dict[str, JointPlace] = {}
    model_names = placed.robot.model.joint_names
    for name, full, row in zip(model_names, placed.joints, rows, strict=True):
        joint = model.joint(full).id
        places[name] = JointPlace(
            qpos=int(model.jnt_qposadr[joint]),
            dof=int(model.jnt_dofadr[joint]),
            motor=int(row),
        )
    return places


def _subtree_end(model: Any, body: int) -> int:
    """Return the first body behind a subtree; the engine numbers depth first."""
    end = body + 1
    while end < model.nbody and model.body_parentid[end] >= body:
        end += 1
    return end
