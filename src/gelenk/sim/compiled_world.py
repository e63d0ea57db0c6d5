"""Compiled world: the engine's model and data, and the banks beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from gelenk.errors import ConfigError
from gelenk.sim import bank_builder, objects
from gelenk.sim.bridge.cameras import add_board, add_camera, add_surroundings
from gelenk.sim.bridge.engine import Placed, apply_start, new_spec
from gelenk.sim.bridge.layout import address_table
from gelenk.sim.bridge.robots import PlacedRobot, add_robot, add_sensors, wire_sensors
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


@dataclass(slots=True, kw_only=True)
class Contents:
    """Contents of a world, in the order of adding.

    Attributes:
        things: Objects and robots.
        zones: Places that notice objects.
        cameras, lights, boards: Cameras, lights and boards.
        faults: Faults of motors, sensors and power.
    """

    things: list[WorldItem] = field(default_factory=list)
    zones: list[Zone] = field(default_factory=list)
    cameras: list[Camera] = field(default_factory=list)
    lights: list[Light] = field(default_factory=list)
    boards: list[Board] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CompiledWorld:
    """World as it is stepped.

    Attributes:
        model, data: Model and data of the engine.
        table: Addresses of its arrays, see `bridge.layout`.
        banks: Arrays of everything beside the engine.
        rig: The cameras.
        placed: Objects and robots by name, in the order in which they were added.
        joints: Addresses of each robot's joints in qpos and in qvel, (2, n).
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
    joints: Mapping[str, IntArray]
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
    spec = new_spec(config.engine_settings())
    placed = {thing.name: _place(spec, thing) for thing in contents.things}
    motors = bank_builder.list_motors(placed)
    for joint, motor in motors:
        bank_builder.prepare_joint(spec.joint(joint), motor)
    robots = [item for item in placed.values() if isinstance(item, PlacedRobot)]
    prepare_loops(spec, robots)
    _add_sights(spec, contents)
    model, data = _start(spec, placed)
    if overlaps := _overlaps(model, data, placed):
        for one, other in sorted(overlaps):
            spec.add_exclude(bodyname1=one, bodyname2=other)
        model, data = _start(spec, placed)
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
    rig = CameraRig(model, contents.cameras, step=config.step, seed=seed)
    movables = [t for t in contents.things if isinstance(t, objects.Movable)]
    belts = [t for t in contents.things if isinstance(t, objects.Conveyor)]
    grasps = pack_grasps(
        model,
        data,
        list_grippers(item.robot for item in robots),
        [thing.name for thing in movables],
    )
    contact = bank_builder.pack_surfaces(model, config, placed, contents.things)
    bank, drive = bank_builder.pack_all_motors(model, data, motors, config.step, seed)
    loops, loop_rows = pack_loops(model, data, robots)
    watched = movables if contents.zones else []
    addresses, offsets = bank_builder.locate_watched(model, watched)
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
        zones=pack_zones(contents.zones, [bank_builder.as_watched(t) for t in watched]),
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
            item.name: bank_builder.joint_addresses(model, item) for item in robots
        },
        motor_rows=rows,
        is_driven={name: bool((own >= 0).all()) for name, own in rows.items()},
        loops=loop_rows,
        sensors={name: i for i, name in enumerate(wired.names)},
        belts={belt.name: i for i, belt in enumerate(belts)},
        zones=tuple(contents.zones),
        watched=tuple(thing.name for thing in watched),
    )
    _look_around(compiled, senses, config.step)
    return compiled


def _place(spec: Any, thing: WorldItem) -> Placed:
    if not isinstance(thing, Robot):
        return add_object(spec, thing)
    placed = add_robot(spec, thing)
    add_sensors(spec, placed)
    return placed


def _add_sights(spec: Any, contents: Contents) -> None:
    add_surroundings(spec, lights=contents.lights or DEFAULT_LIGHTS)
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
    spec: Any, placed: Mapping[str, Placed]
) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """Return model and data with everything where it begins."""
    model = _compile(spec)
    data = mujoco.MjData(model)
    for item in placed.values():
        apply_start(model, data, item)
    return model, data


def _overlaps(
    model: mujoco.MjModel, data: mujoco.MjData, placed: Mapping[str, Placed]
) -> set[tuple[str, str]]:
    """Return pairs of a link and a fixed object that overlap from the start.

    The shapes of an arm often reach into the table it stands on; taken seriously, that
    contact would lock its first joint.
    """
    links = {
        body
        for item in placed.values()
        if isinstance(item, PlacedRobot)
        for body in item.bodies
    }
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_collision(model, data)
    found: set[tuple[str, str]] = set()
    for contact in data.contact:
        bodies = [int(model.geom_bodyid[geom]) for geom in contact.geom]
        names = tuple(model.body(body).name for body in bodies)
        is_fixed = [model.body_weldid[body] == 0 for body in bodies]
        if any(is_fixed) and links & set(names) and contact.dist < -OVERLAP:
            found.add((names[0], names[1]))
    return found


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
    if any(thing.name == name for thing in taken):
        raise ConfigError(
            f"the world already has something named {name!r}; rename one of them"
        )
