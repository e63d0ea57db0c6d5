"""Robots that came from an MJCF file, attached to a world as the file has them.

A `RobotModel` holds what kinematics and dynamics need. Where its source is a file, the
file itself enters the world (`mujoco.MjSpec.attach`, prefix `name/`), with its meshes,
springs, ball joints, equality constraints, tendons, sensors, actuators and contact
rules. Lamps, skies and keyframes stay outside. Links of the model that are no body in
the file (frames, sites) become empty bodies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from gelenk.errors import ConfigError
from gelenk.kinematics.configuration import tree_coordinates
from gelenk.models.link import JointType
from gelenk.models.mjcf_engine import spec_of_source
from gelenk.models.tree import RobotModel
from gelenk.sim.bridge.engine import (
    JointStart,
    activation_addresses,
    copy_options,
)
from gelenk.sim.bridge.file_parts import (
    FREE,
    FileState,
    dress_file_geoms,
    dress_pairs,
    held_commands,
    joint_sizes,
    joint_starts,
    list_states,
    name_parts,
)
from gelenk.sim.robot import Robot
from gelenk.sim.surface import Surface
from gelenk.spatial import se3
from gelenk.spatial.quaternion import matrix_from_quaternion, quaternion_from_matrix
from gelenk.typing import FloatArray

# pyright: reportAttributeAccessIssue=false


SAME = 1e-9  # [rad], [m]: nearer to a keyframe a start is that keyframe
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


def find_state(found: FileRobot) -> FileState:
    """Return the state of the file's mechanism at the robot's start.

    The keyframe that stands where the robot begins is taken as a whole, with all
    joints, commands and activations; otherwise followers and loops are computed.
    """
    robot, compiled = found.robot, found.compiled
    model = robot.model
    assert robot.q is not None
    states = list_states(compiled)
    best = next((s for s in states if _is_at(found, s.qpos)), None)
    qpos = np.array(compiled.qpos0) if best is None else np.array(best.qpos)
    qvel = np.zeros(compiled.nv) if best is None else np.array(best.qvel)
    if best is None:
        tree = tree_coordinates(model, robot.q)
        base = 7 if model.has_floating_base else 0
        if base:
            _write(compiled, qpos, model.joint_names_all[0], tree[:7])
        at = base
        values: dict[int, FloatArray] = {}
        for i in map(int, model.tree_joint_ids):
            count = 4 if model.joint_type[i] == JointType.BALL else 1
            values[i] = tree[at : at + count]
            at += count
        for i in np.flatnonzero(model.mimic >= 0):
            values[int(i)] = (
                model.multiplier[i] * values[int(model.mimic[i])] + model.offset[i]
            )
        known = {compiled.joint(i).name for i in range(compiled.njnt)}
        for i, value in values.items():
            if model.joint_names_all[i] in known:  # not: a hinge of a ball in a loop
                _write(compiled, qpos, model.joint_names_all[i], value)
    if robot.qd is not None and robot.qd.any():
        _write_rates(found, qvel)
    ctrl, act = held_commands(compiled, qpos)
    if best is not None and best.ctrl is not None and best.act is not None:
        ctrl, act = best.ctrl, best.act
    return FileState("" if best is None else best.name, qpos, qvel, act, ctrl)


def _is_at(found: FileRobot, qpos: FloatArray) -> bool:
    """Return whether a state of the file is where the robot begins.

    The home of a model does not say how ball joints stand; those of the file count.
    """
    model, q = found.robot.model, found.robot.q
    assert q is not None
    is_home = np.array_equal(q, model.home_configuration)
    if model.has_floating_base:
        theirs = _read(found.compiled, qpos, model.joint_names_all[0])
        if not _same(theirs[:3], q[:3]) or not _same(
            matrix_from_quaternion(theirs[3:] / np.linalg.norm(theirs[3:])),
            matrix_from_quaternion(q[3:7]),
        ):
            return False
    for k, name in enumerate(model.joint_names):
        start = int(model.q_starts[k])
        theirs = _read(found.compiled, qpos, name)
        if len(theirs) == 4 and is_home:
            continue
        ours = q[start : start + len(theirs)]
        if not _same(theirs, ours) and not (len(theirs) == 4 and _same(theirs, -ours)):
            return False
    return True


def _same(one: FloatArray, other: FloatArray) -> bool:
    return bool(np.abs(one - other).max(initial=0.0) <= SAME)


def _read(compiled: Any, qpos: FloatArray, joint: str) -> FloatArray:
    found = compiled.joint(joint)
    at = int(found.qposadr[0])
    return qpos[at : at + joint_sizes(found.type[0])[0]]


def _write(compiled: Any, qpos: FloatArray, joint: str, value: FloatArray) -> None:
    _read(compiled, qpos, joint)[:] = value


def _write_rates(found: FileRobot, qvel: FloatArray) -> None:
    """Write the joint speeds of the robot's start; followers keep theirs."""
    model, qd = found.robot.model, found.robot.qd
    assert qd is not None
    for k, name in enumerate(model.joint_names):
        joint = found.compiled.joint(name)
        count = joint_sizes(joint.type[0])[1]
        at, start = int(joint.dofadr[0]), int(model.v_starts[k])
        qvel[at : at + count] = qd[start : start + count]


def starts_of(found: FileRobot, state: FileState) -> list[JointStart]:
    """Return the starts of all joints of a robot but its floating base."""
    compiled, model = found.compiled, found.robot.model
    kept = _kept_joints(found)
    base = model.joint_names_all[0] if model.has_floating_base else ""
    names = [name for name in kept if name != base]
    return joint_starts(compiled, state, names, prefix=f"{found.robot.name}/")


def _kept_joints(found: FileRobot) -> list[str]:
    """Return the joints that are attached: those of bodies that are links."""
    compiled = found.compiled
    tops = compiled.body_rootid[compiled.jnt_bodyid]
    return [
        compiled.joint(i).name
        for i, top in enumerate(tops)
        if compiled.body(int(top)).name in found.bodies
    ]


def file_commands(
    found: FileRobot, state: FileState, actuators: Sequence[str]
) -> tuple[list[float], list[float]]:
    """Return the commands and activations of actuators in a state of the file.

    Args:
        found: The robot's file.
        state: The state.
        actuators: Their names in the world.
    """
    assert state.ctrl is not None
    assert state.act is not None
    prefix, compiled = f"{found.robot.name}/", found.compiled
    ids = [compiled.actuator(name.removeprefix(prefix)).id for name in actuators]
    places = activation_addresses(compiled, ids)
    return state.ctrl[ids].tolist(), state.act[places].tolist()
