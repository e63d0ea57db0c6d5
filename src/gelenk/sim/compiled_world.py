"""Compiled world: the engine's model and data, and the banks beside it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from gelenk.errors import ConfigError, GelenkWarning
from gelenk.sim import bank_builder, objects
from gelenk.sim.bank_builder import JointAddresses
from gelenk.sim.bridge.cameras import (
    add_board,
    add_camera,
    add_light,
    add_surroundings,
)
from gelenk.sim.bridge.engine import (
    Placed,
    PlacedTree,
    apply_start,
    new_spec,
    plain_spec,
)
from gelenk.sim.bridge.file_robots import open_file
from gelenk.sim.bridge.layout import address_table
from gelenk.sim.bridge.robot_sensors import add_sensors, wire_sensors
from gelenk.sim.bridge.robots import PlacedRobot, add_robot
from gelenk.sim.bridge.scene_file import FileScene, apply_mocap, prepare_scene
from gelenk.sim.bridge.shapes import add_object
from gelenk.sim.cameras.boards import Board
from gelenk.sim.cameras.description import DEFAULT_LIGHTS, Camera, Light
from gelenk.sim.cameras.rig import CameraRig
from gelenk.sim.config import WorldConfig
from gelenk.sim.conveyor import pack_belts
from gelenk.sim.external_force import new_pushes
from gelenk.sim.faults import Fault
from gelenk.sim.grasp_bank import list_grippers, pack_grasps
from gelenk.sim.loop_builder import add_written, pack_loops, prepare_loops
from gelenk.sim.robot import Robot
from gelenk.sim.sensor_tick import Senses, build_senses, sense
from gelenk.sim.step import Banks
from gelenk.sim.zone_bank import pack_zones
from gelenk.sim.zones import Zone
from gelenk.typing import IntArray

WorldItem = objects.AnySceneObject | Robot

OVERLAP = 1e-3  # [m], from which a link and a fixed object do not feel each other
DEEP = 0.02  # [m], from which those that feel each other are thrown apart


@dataclass(slots=True, kw_only=True)
class Contents:
    """Contents of a world, in the order of adding.

    Attributes:
        things: Objects and robots.
        zones: Places that notice objects.
        cameras, lights, boards: Cameras, lights and boards.
        faults: Faults of motors, sensors and power.
        scene: Scene of an MJCF file in which everything else is put.
    """

    things: list[WorldItem] = field(default_factory=list)
    zones: list[Zone] = field(default_factory=list)
    cameras: list[Camera] = field(default_factory=list)
    lights: list[Light] = field(default_factory=list)
    boards: list[Board] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    scene: FileScene | None = None

    @property
    def all_cameras(self) -> list[Camera]:
        """Cameras that were added, and those of the scene."""
        return [*self.cameras, *(self.scene.cameras if self.scene else ())]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CompiledWorld:
    """World as it is stepped.

    Attributes:
        model, data: Model and data of the engine.
        table: Addresses of its arrays, see `bridge.layout`.
        banks: Arrays of everything beside the engine.
        rig: The cameras.
        placed: Objects and robots by name, in the order in which they were added.
        joints: Addresses of each robot's joints in qpos and in qvel.
        actuators: Actuators of each robot that has those of its file.
        motor_rows: Rows of the motors of each robot, in the order of its joints; -1
            for joints without a motor.
        is_driven: Whether all joints of a robot have motors.
        loops: Row of each loop by robot and name, -1 if the engine holds it.
        sensors: Row of each sensor by name.
        belts: Row of each conveyor by name.
        zones: The zones, in the order of the bank.
        watched: Names of the objects that zones watch.
    """

    model: mujoco.MjModel
    data: mujoco.MjData
    table: np.ndarray
    banks: Banks
    rig: CameraRig
    placed: Mapping[str, Placed]
    joints: Mapping[str, JointAddresses]
    actuators: Mapping[str, IntArray]
    motor_rows: Mapping[str, IntArray]
    is_driven: Mapping[str, bool]
    loops: Mapping[str, Mapping[str, int]]
    sensors: Mapping[str, int]
    belts: Mapping[str, int]
    zones: tuple[Zone, ...]
    watched: tuple[str, ...]


def compile_world(config: WorldConfig, contents: Contents, seed: int) -> CompiledWorld:
    """Compile a world.

    Args:
        config: Settings.
        contents: Things in the world.
        seed: Seed of the world.

    Raises:
        ConfigError: If something cannot be built; says what.
    """
    is_engine = config.contact == "engine"
    spec = _new_spec(config, contents)
    placed = dict(contents.scene.placed) if contents.scene else {}
    placed |= {t.name: _place(spec, t, is_engine=is_engine) for t in contents.things}
    motors = bank_builder.list_motors(placed)
    for joint, motor in motors:
        bank_builder.prepare_joint(spec.joint(joint), motor)
    robots = [item for item in placed.values() if isinstance(item, PlacedRobot)]
    trees = [item for item in placed.values() if isinstance(item, PlacedTree)]
    prepare_loops(spec, robots)
    _add_sights(spec, contents)
    model, data = _start(spec, placed, contents.scene)
    if not is_engine:
        overlaps, deep = find_overlaps(model, data, placed)
        for one, other in sorted(overlaps):
            spec.add_exclude(bodyname1=one, bodyname2=other)
        if overlaps:
            model, data = _start(spec, placed, contents.scene)
        _warn_of_overlaps(deep)
    rows = bank_builder.motor_rows(placed, [joint for joint, _ in motors])
    wired = wire_sensors(model, robots, rows)
    senses = build_senses(
        model,
        data,
        wired,
        step=config.step,
        seed=seed,
        faults=contents.faults,
        motors={joint: row for row, (joint, _) in enumerate(motors)},
        robots={name: own[own >= 0].tolist() for name, own in rows.items()},
    )
    rig = CameraRig(model, contents.all_cameras, step=config.step, seed=seed)
    movables = [t for t in contents.things if isinstance(t, objects.Movable)]
    belts = [t for t in contents.things if isinstance(t, objects.Conveyor)]
    grasps = pack_grasps(
        model,
        data,
        list_grippers(item.robot for item in robots),
        [*(thing.name for thing in movables), *_scene_objects(contents)],
    )
    contact = bank_builder.pack_surfaces(model, config, placed, contents.things)
    bank, drive = bank_builder.pack_all_motors(model, data, motors, config.step, seed)
    loops, loop_rows = pack_loops(model, data, robots)
    watched = [bank_builder.as_watched(thing) for thing in movables]
    watched += [bank_builder.file_watched(model, n) for n in _scene_objects(contents)]
    watched = watched if contents.zones else []
    names = [thing.name for thing in watched]
    addresses, offsets = bank_builder.locate_watched(model, names)
    banks = Banks(
        clock=np.zeros(1, dtype=np.int64),
        contact=contact,
        drive=add_written(drive, loops),
        belts=pack_belts(model, [(belt, placed[belt.name].geoms) for belt in belts]),
        motors=bank,
        loops=loops,
        grasps=grasps,
        pushes=new_pushes(model.nbody),
        senses=senses,
        captures=rig.bank,
        zones=pack_zones(contents.zones, watched),
        watched=addresses,
        offsets=offsets,
        positions=np.zeros((len(watched), 3)),
        resistance=bank_builder.rolling_resistance(model, contact),
        black_box=np.zeros((config.black_box, model.nq + model.nv)),
    )
    compiled = CompiledWorld(
        model=model,
        data=data,
        table=address_table(model, data),
        banks=banks,
        rig=rig,
        placed=placed,
        joints={
            item.name: bank_builder.joint_addresses(model, item.joints)
            for item in trees
        },
        actuators={
            item.name: np.array([model.actuator(name).id for name in item.actuators])
            for item in trees
            if item.actuators
        },
        motor_rows=rows,
        is_driven={name: bool((own >= 0).all()) for name, own in rows.items()},
        loops=loop_rows,
        sensors={name: i for i, name in enumerate(wired.names)},
        belts={belt.name: i for i, belt in enumerate(belts)},
        zones=tuple(contents.zones),
        watched=tuple(names),
    )
    _look_around(compiled, senses, config.step)
    return compiled


def _new_spec(config: WorldConfig, contents: Contents) -> Any:
    """Return the specification in which a world begins."""
    if config.contact == "exact":
        cfg = config.engine_settings()
        if contents.scene:
            return prepare_scene(contents.scene, cfg, is_engine=False)
        return new_spec(cfg)
    cfg = config.plain_settings()
    if contents.scene:
        return prepare_scene(contents.scene, cfg, is_engine=True)
    robots = (thing for thing in contents.things if isinstance(thing, Robot))
    first = next((robot for robot in robots if robot.is_from_file), None)
    return plain_spec(cfg, first and open_file(first.model).option)


def _scene_objects(contents: Contents) -> tuple[str, ...]:
    return contents.scene.objects if contents.scene else ()


def _place(spec: Any, thing: WorldItem, *, is_engine: bool) -> Placed:
    if not isinstance(thing, Robot):
        return add_object(spec, thing)
    placed = add_robot(spec, thing, is_engine=is_engine)
    add_sensors(spec, placed)
    return placed


def _add_sights(spec: Any, contents: Contents) -> None:
    if contents.scene is None or not contents.scene.has_lights:
        add_surroundings(spec, lights=contents.lights or DEFAULT_LIGHTS)
    else:
        for light in contents.lights:
            add_light(spec, light)
    for board in contents.boards:
        add_board(spec, board)
    for camera in contents.cameras:
        add_camera(spec, camera)


def _compile(spec: Any) -> mujoco.MjModel:
    try:
        return spec.compile()
    except ValueError as error:
        text = " ".join(str(error).split())
        raise ConfigError(
            f"the engine refuses this world: {text}. Look at the named part; moments "
            "of inertia that no body can have: Robot(..., mend_inertias=True)"
        ) from error


def _start(
    spec: Any, placed: Mapping[str, Placed], scene: FileScene | None
) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """Return model and data with everything where it begins."""
    model = _compile(spec)
    data = mujoco.MjData(model)
    for item in placed.values():
        apply_start(model, data, item)
    if scene is not None:
        apply_mocap(scene, model, data)
    return model, data


def find_overlaps(
    model: mujoco.MjModel, data: mujoco.MjData, placed: Mapping[str, Placed]
) -> tuple[set[tuple[str, str]], dict[tuple[str, str], float]]:
    """Return pairs of a link and a fixed object that overlap from the start.

    The shapes of an arm often reach into the table it stands on; taken seriously, that
    contact would lock its first joint. So what is fixed to the base of a fixed robot,
    or moved by its first joint, does not feel what it begins in. All else does: a foot
    that begins in the floor must come out of it.

    Returns:
        The pairs that do not feel each other; depth of each other pair [m].
    """
    links = {
        body
        for item in placed.values()
        if isinstance(item, PlacedTree)
        for body in item.bodies
    }
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_collision(model, data)
    near = _near_base(model)
    found: set[tuple[str, str]] = set()
    deep: dict[tuple[str, str], float] = {}
    for contact in data.contact:
        if contact.dist >= -OVERLAP or min(contact.geom) < 0:
            continue
        bodies = [int(model.geom_bodyid[geom]) for geom in contact.geom]
        one, other = (model.body(body).name for body in bodies)
        is_fixed = [model.body_weldid[body] == 0 for body in bodies]
        if not any(is_fixed) or not links & {one, other}:
            continue
        if near[bodies].all():
            found.add((one, other))
        else:
            depth = -float(contact.dist)
            deep[one, other] = max(depth, deep.get((one, other), 0.0))
    return found, deep


def _near_base(model: mujoco.MjModel) -> np.ndarray:
    """Say for each body whether at most one joint lies between it and the world."""
    count = np.zeros(model.nbody, dtype=int)
    for body in range(1, model.nbody):
        first, own = model.body_jntadr[body], model.body_jntnum[body]
        kinds = model.jnt_type[first : first + own]
        floats = bool((kinds == mujoco.mjtJoint.mjJNT_FREE).any())
        count[body] = count[model.body_parentid[body]] + (2 if floats else own)
    return count <= 1


def _warn_of_overlaps(deep: Mapping[tuple[str, str], float]) -> None:
    """Say loudly where a robot begins so deep in something that it will be thrown."""
    if not deep:
        return
    (one, other), depth = max(deep.items(), key=lambda item: item[1])
    if depth > DEEP:
        warnings.warn(
            f"{one!r} and {other!r} overlap by {1000.0 * depth:.0f} mm at the start "
            "and will be thrown apart; begin elsewhere: `T_world_base`, `q`",
            GelenkWarning,
            stacklevel=2,
        )


def _look_around(compiled: CompiledWorld, senses: Senses, step: float) -> None:
    """Let sensors and cameras see the start."""
    data, banks = compiled.data, compiled.banks
    mujoco.mj_forward(compiled.model, data)
    # the first solve must not depend on what led here
    data.qacc_warmstart[:] = 0.0
    before = np.array(data.qvel)
    sense(compiled.table, senses, banks.contact, banks.motors.state, before, 0, step, 0)
    compiled.rig.capture(0, data)


def check_name(contents: Contents, name: str) -> None:
    """Raise ConfigError if something of this name exists."""
    taken = (
        *contents.things,
        *contents.zones,
        *contents.cameras,
        *contents.boards,
    )
    names = {thing.name for thing in taken}
    if contents.scene is not None:
        names |= contents.scene.placed.keys()
        names |= {camera.name for camera in contents.scene.cameras}
    if name in names:
        raise ConfigError(
            f"the world already has something named {name!r}; rename one of them"
        )
