"""Robots that came from an MJCF file, attached to a world as the file has them.

A `RobotModel` holds what kinematics and dynamics need. Where its source is a file, the
file itself enters the world (`mujoco.MjSpec.attach`, prefix `name/`), with its meshes,
springs, ball joints, equality constraints, tendons, sensors, actuators and contact
rules. Lamps, skies and keyframes stay outside. Links of the model that are no body in
the file (frames, sites) become empty bodies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from gelenk.errors import ConfigError
from gelenk.models.link import JointType
from gelenk.models.mjcf_engine import spec_of_source
from gelenk.models.tree import RobotModel
from gelenk.sim.bridge.engine import (
    copy_options,
)
from gelenk.sim.bridge.file_parts import (
    FREE,
    dress_file_geoms,
    dress_pairs,
    name_parts,
)
from gelenk.sim.robot import Robot
from gelenk.sim.surface import Surface
from gelenk.spatial import se3
from gelenk.spatial.quaternion import quaternion_from_matrix

# pyright: reportAttributeAccessIssue=false


MASS_TOLERANCE = 1e-6  # between the masses of a model and of its file, relative
_RESOLUTION = (640, 480)  # of a camera whose file states none [px]


def open_file(model: RobotModel) -> Any:
    """Return the specification of the file that a model came from.

    Raises:
        ConfigError: If it cannot be read any more.
    """
    source = model.source
    assert source is not None
    try:
        return spec_of_source(source)
    except ValueError as error:
        raise _refused(model, error) from error


def _refused(model: RobotModel, error: ValueError) -> ConfigError:
    text = " ".join(str(error).split())
    return ConfigError(
        f"the file of robot {model.name!r} cannot enter a world: {text}. Mend the "
        "file, or enter the model alone: dataclasses.replace(model, source=None)"
    )


@dataclass(slots=True, kw_only=True)
class FileRobot:
    """A robot's file, ready to be attached.

    Attributes:
        robot: The robot.
        spec: Specification of the file, every part named.
        compiled: The same, compiled.
        bodies: Name of the body in the file of each link, empty for links without.
        root: Name of the body that is the root link, empty if that is the world.
    """

    robot: Robot
    spec: Any
    compiled: Any
    bodies: list[str]
    root: str


def read_file(robot: Robot) -> FileRobot:
    """Read the file of a robot and compare it with its model.

    Raises:
        ConfigError: If the file is not that of the model.
    """
    model = robot.model
    spec = open_file(model)
    try:
        compiled = spec.compile()
    except ValueError as error:
        raise _refused(model, error) from error
    _name_joints(model, spec)
    name_parts(spec)
    try:
        compiled = spec.compile()
    except ValueError as error:
        raise _refused(model, error) from error
    bodies = _match_bodies(model, compiled)
    root = bodies[0] if bodies[0] != "world" else ""
    found = FileRobot(
        robot=robot, spec=spec, compiled=compiled, bodies=bodies, root=root
    )
    _compare(found)
    return found


def _name_joints(model: RobotModel, spec: Any) -> None:
    """Give joints without a name that of the model, which keeps their order."""
    named = {joint.name for joint in spec.joints}
    moving = model.joint_type != JointType.FIXED
    free = [model.joint_names_all[i] for i in np.flatnonzero(moving)]
    free = [name for name in free if name not in named]
    blank = sorted(
        (joint for joint in spec.joints if not joint.name), key=lambda joint: joint.id
    )
    if len(blank) == len(free):
        for joint, name in zip(blank, free, strict=True):
            joint.name = name
    elif model.has_floating_base and model.joint_names_all[0] not in named:
        kinds = [joint for joint in blank if int(joint.type) == FREE]
        if kinds:
            kinds[0].name = model.joint_names_all[0]


def _match_bodies(model: RobotModel, compiled: Any) -> list[str]:
    """Return the body of each link; of a link between two joints that which it moves.

    Sites and other frames have none.
    """
    names = {compiled.body(i).name for i in range(compiled.nbody)}
    joints = {compiled.joint(i).name: i for i in range(compiled.njnt)}
    bodies: list[str] = []
    for i, link in enumerate(model.link_names):
        joint = joints.get(model.joint_names_all[i])
        if link in names:
            bodies.append(link)
        elif joint is not None and model.joint_type[i] != JointType.FIXED:
            body = int(compiled.jnt_bodyid[joint])
            bodies.append(compiled.body(body).name)
        else:
            bodies.append("")
    return bodies


def _compare(found: FileRobot) -> None:
    """Refuse a model that was changed after it was read."""
    model, compiled = found.robot.model, found.compiled
    known = {compiled.joint(i).name for i in range(compiled.njnt)}
    lost = [name for name in model.joint_names if name not in known]
    what = f"the joint {lost[0]!r}" if lost else ""
    for i, name in enumerate(found.bodies):
        if name != model.link_names[i] or name == "world":
            continue
        theirs = float(compiled.body(name).mass[0])
        if abs(theirs - model.mass[i]) > MASS_TOLERANCE * max(theirs, 1e-3):
            what = what or f"the mass of {name!r}"
    if not found.bodies[0]:
        what = what or f"the link {model.link_names[0]!r}"
    if what:
        raise ConfigError(
            f"robot {found.robot.name!r} has another model than its file: {what} is "
            "not that of the file; enter the changed model alone: "
            "dataclasses.replace(model, source=None)"
        )


def attach_file(spec: Any, found: FileRobot) -> tuple[str, ...]:
    """Attach a robot's file to the specification of a world.

    Args:
        spec: `mujoco.MjSpec` of the world.
        found: The file; it is used up.

    Returns:
        The names of its actuators in the world, in the file's order.
    """
    robot, child, prefix = found.robot, found.spec, f"{found.robot.name}/"
    _leave_outside(found)
    if robot.motors != "file":
        actuator = mujoco.mjtObj.mjOBJ_ACTUATOR
        felt = [part for part in child.sensors if part.objtype == actuator]
        for part in (*felt, *child.actuators):
            child.delete(part)
    actuators = tuple(prefix + part.name for part in child.actuators)
    copy_options(spec.option, child.option)  # MuJoCo warns where they differ
    if robot.mend_inertias:
        child.compiler.balanceinertia = spec.compiler.balanceinertia = True
    spec.attach(child, prefix=prefix, frame=_frame(spec, found))
    _add_frames(spec, found)
    return actuators


def _leave_outside(found: FileRobot) -> None:
    """Take out what is not the robot: lamps, skies, keyframes and scenery."""
    child = found.spec
    sky = mujoco.mjtTexture.mjTEXTURE_SKYBOX
    parts = [*child.keys, *child.lights]
    parts += [texture for texture in child.textures if texture.type == sky]
    world = child.worldbody
    parts += [body for body in world.bodies if body.name not in found.bodies]
    if found.root:
        parts += [*world.geoms, *world.sites, *world.cameras]
    for part in parts:
        child.delete(part)
    for camera in child.cameras:
        if max(camera.resolution) <= 1:
            camera.resolution = _RESOLUTION


def _frame(spec: Any, found: FileRobot) -> Any:
    """Return a frame that puts the root link at `T_world_base`."""
    robot, child = found.robot, found.spec
    T = robot.T_world_base
    place = {"pos": T[:3, 3], "quat": quaternion_from_matrix(T[:3, :3])}
    if not found.root:
        body = spec.worldbody.add_body(name=f"{robot.name}/world", **place)
        if all(int(joint.type) != FREE for joint in child.joints):
            return body.add_frame()
        return spec.worldbody.add_frame(**place)
    root = child.body(found.root)
    if robot.model.has_floating_base:  # its start says where it is
        return spec.worldbody.add_frame(**place)
    if root.frame is None:
        # to the last bit where it is asked to be
        root.pos, root.quat = place["pos"], place["quat"]
        root.alt.type = mujoco.mjtOrientation.mjORIENTATION_QUAT
        return spec.worldbody.add_frame()
    T = T @ se3.inverse(robot.model.T_parent_joint[0])
    return spec.worldbody.add_frame(
        pos=T[:3, 3], quat=quaternion_from_matrix(T[:3, :3])
    )


def _add_frames(spec: Any, found: FileRobot) -> None:
    """Give links that are no body in the file an empty one."""
    model, prefix = found.robot.model, f"{found.robot.name}/"
    for i, link in enumerate(model.link_names):
        if found.bodies[i]:
            continue
        parent = found.bodies[int(model.parent[i])]
        T = model.T_parent_joint[i]
        spec.body(prefix + parent).add_body(
            name=prefix + link,
            pos=T[:3, 3],
            quat=quaternion_from_matrix(T[:3, :3]),
        )
        found.bodies[i] = link


def dress_robot(spec: Any, robot: Robot, *, is_engine: bool) -> tuple[str, ...]:
    """Give the shapes of an attached robot their contact properties; name them.

    Args:
        spec: Specification of the world.
        robot: The robot.
        is_engine: Whether contacts are the engine's own.

    Returns:
        Names of the shapes.
    """
    prefix = f"{robot.name}/"
    geoms: list[Any] = []
    surfaces: list[Surface | None] = []
    whole = robot.surface if robot.surface != Surface() else None
    for body in spec.bodies:
        if not body.name.startswith(prefix):
            continue
        link = body.name.removeprefix(prefix)
        listed = robot.colliding_links
        for geom in body.geoms:
            if listed is not None and link not in listed:
                geom.contype = geom.conaffinity = 0
            geoms.append(geom)
            surfaces.append(robot.surfaces.get(link, whole))
    dress_file_geoms(spec, geoms, is_engine=is_engine, surfaces=surfaces)
    if not is_engine:
        dress_pairs(spec, (p for p in spec.pairs if p.geomname1.startswith(prefix)))
    return tuple(geom.name for geom in geoms)
