"""A world compiled: the engine's model and data, and the banks beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from gelenk.core.errors import ConfigError, NameNotFoundError
from gelenk.core.typing import IntArray
from gelenk.sim import objects
from gelenk.sim.bridge.engine import USER_RESISTANCE, USER_RESTITUTION, new_spec
from gelenk.sim.bridge.geoms import Placed, apply_start
from gelenk.sim.bridge.layout import address_table
from gelenk.sim.bridge.robots import PlacedRobot, add_robot
from gelenk.sim.bridge.shapes import add_object
from gelenk.sim.config import WorldConfig
from gelenk.sim.contact.bank import ContactBank, restitution_table
from gelenk.sim.contact.drive import Drive, new_drive
from gelenk.sim.contact.pack import pack_contact
from gelenk.sim.conveyor import BeltBank, pack_belts
from gelenk.sim.motors import Motor, MotorBank, joint_settings, pack_motors
from gelenk.sim.robot import Robot
from gelenk.sim.step import Banks
from gelenk.sim.zone_bank import pack_zones
from gelenk.sim.zones import Watched, Zone

Thing = objects.SceneObject | Robot


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plant:
    """What a world is stepped with.

    Attributes:
        model, data: The engine's.
        table: Addresses of its arrays, see `bridge.layout`.
        banks: Everything else as arrays.
        placed: Objects and robots by name, in the order in which they were added.
        motor_rows: Rows of the motors of each robot, in the order of its joints; -1
            for joints without a motor.
        belts: Row of each conveyor by name.
        zones: The zones, in the order of the bank.
        watched: Names of the objects that zones watch.
    """

    model: mujoco.MjModel
    data: mujoco.MjData
    table: np.ndarray
    banks: Banks
    placed: Mapping[str, Placed]
    motor_rows: Mapping[str, IntArray]
    belts: Mapping[str, int]
    zones: tuple[Zone, ...]
    watched: tuple[str, ...]


def build_plant(
    config: WorldConfig, things: Sequence[Thing], zones: Sequence[Zone], seed: int
) -> Plant:
    """Compile a world.

    Args:
        config: Settings.
        things: Objects and robots.
        zones: Places that notice objects.
        seed: Of the world, for the spread of motors.

    Raises:
        ConfigError: If two things have one name, or a thing cannot be built.
    """
    spec = new_spec(config.engine_settings())
    placed = {thing.name: _place(spec, thing) for thing in things}
    motors = _list_motors(placed)
    for joint, motor in motors:
        _prepare_joint(spec.joint(joint), motor)
    model: mujoco.MjModel = spec.compile()
    data = mujoco.MjData(model)
    for item in placed.values():
        apply_start(model, data, item)
    names = tuple(placed)
    contact = _pack_contact(model, config, placed)
    bank, drive = _pack_motors(model, data, motors, config.step, seed)
    belts = [t for t in things if isinstance(t, objects.Conveyor)]
    watched = [t for t in things if isinstance(t, objects.Movable)]
    banks = _assemble(
        model,
        config,
        contact=contact,
        drive=drive,
        motors=bank,
        belts=pack_belts(model, [(belt, placed[belt.name].geoms) for belt in belts]),
        zones=tuple(zones),
        watched=watched,
    )
    mujoco.mj_forward(model, data)
    # the first solve must not depend on what led here
    data.qacc_warmstart[:] = 0.0
    assert len(names) == len(things)
    return Plant(
        model=model,
        data=data,
        table=address_table(model, data),
        banks=banks,
        placed=placed,
        motor_rows=_motor_rows(placed, [joint for joint, _ in motors]),
        belts={belt.name: i for i, belt in enumerate(belts)},
        zones=tuple(zones),
        watched=tuple(thing.name for thing in watched),
    )


def _place(spec: Any, thing: Thing) -> Placed:
    return (
        add_robot(spec, thing) if isinstance(thing, Robot) else add_object(spec, thing)
    )


def _list_motors(placed: Mapping[str, Placed]) -> list[tuple[str, Motor]]:
    """Return the driven joints of all robots by their full names, with their motors."""
    found: list[tuple[str, Motor]] = []
    for item in placed.values():
        if not isinstance(item, PlacedRobot) or item.robot.motors is None:
            continue
        given = item.robot.motors
        for joint, full in zip(item.robot.model.joint_names, item.joints, strict=True):
            motor = given.get(joint) if isinstance(given, Mapping) else given
            if motor is not None:
                found.append((full, motor))
    return found


def _prepare_joint(joint: Any, motor: Motor) -> None:
    settings = joint_settings(motor)
    joint.armature = joint.armature + settings.armature
    joint.damping[0] = joint.damping[0] + settings.damping
    joint.frictionloss = joint.frictionloss + settings.frictionloss
    # Dry friction of the engine gives way by and by: as hard as it allows, a gear that
    # holds its load creeps by microradians per second instead of milliradians.
    joint.solimp_friction = (0.9999, 0.9999, 0.001, 0.5, 2.0)


def _pack_motors(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    motors: Sequence[tuple[str, Motor]],
    step: float,
    seed: int,
) -> tuple[MotorBank, Drive]:
    joints = np.array([model.joint(name).id for name, _ in motors], dtype=np.int64)
    dofs = np.asarray(model.jnt_dofadr[joints], dtype=np.int64)
    qpos = np.asarray(model.jnt_qposadr[joints], dtype=np.int64)
    limits = np.where(
        model.jnt_limited[joints].astype(bool),
        model.jnt_range[joints].T,
        np.array([[-np.inf], [np.inf]]),
    )
    own = [joint_settings(motor) for _, motor in motors]
    passive = np.array(
        [
            model.dof_armature[dofs] - [s.armature for s in own],
            model.dof_damping[dofs].ravel()[: len(dofs)] - [s.damping for s in own],
            model.dof_frictionloss[dofs] - [s.frictionloss for s in own],
        ]
    ).reshape(3, len(motors))
    bank = pack_motors(
        [motor for _, motor in motors],
        dofs,
        qpos,
        step=step,
        q=data.qpos[qpos],
        names=[name for name, _ in motors],
        seed=seed,
        limits=limits,
        joint_passive=np.maximum(passive, 0.0),
    )
    return bank, new_drive(model.nv, dofs, qpos)


def _motor_rows(
    placed: Mapping[str, Placed], driven: Sequence[str]
) -> dict[str, IntArray]:
    row_of = {joint: row for row, joint in enumerate(driven)}
    return {
        name: np.array([row_of.get(joint, -1) for joint in item.joints], dtype=np.int64)
        for name, item in placed.items()
        if isinstance(item, PlacedRobot)
    }


def _pack_contact(
    model: mujoco.MjModel, config: WorldConfig, placed: Mapping[str, Placed]
) -> ContactBank:
    """Return the contact bank: one material per restitution, and per paired name."""
    owner = {geom: name for name, item in placed.items() for geom in item.geoms}
    paired = {name for pair in config.restitution_pairs for name in pair}
    for name in paired:
        if name not in placed:
            raise NameNotFoundError("object of a restitution pair", name, tuple(placed))
    keys: dict[tuple[float, str], int] = {(-1.0, ""): 0}
    material = np.zeros(model.ngeom, dtype=np.int64)
    for geom in range(model.ngeom):
        own = owner.get(model.geom(geom).name, "")
        e = float(model.geom_user[geom, USER_RESTITUTION])
        key = (e, own if own in paired else "")
        material[geom] = keys.setdefault(key, len(keys))
    pairs = {
        (i, j): e
        for (one, other), e in config.restitution_pairs.items()
        for (_, name_i), i in keys.items()
        for (_, name_j), j in keys.items()
        if (name_i, name_j) == (one, other)
    }
    values = [None if e < 0.0 else e for e, _ in keys]
    return pack_contact(
        model,
        material=material,
        restitution=restitution_table(values, pairs),
        settings=config.contact_settings(),
    )


def _assemble(
    model: mujoco.MjModel,
    config: WorldConfig,
    *,
    contact: ContactBank,
    drive: Drive,
    motors: MotorBank,
    belts: BeltBank,
    zones: Sequence[Zone],
    watched: Sequence[objects.Movable],
) -> Banks:
    addresses = np.zeros(len(watched) if zones else 0, dtype=np.int64)
    offsets = np.zeros((len(addresses), 3))
    for i in range(len(addresses)):
        body = model.body(watched[i].name)
        joint = int(body.jntadr[0])
        addresses[i] = model.jnt_qposadr[joint]
        if model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_FREE:
            offsets[i] = body.pos
    seen = [_as_watched(thing) for thing in watched] if zones else []
    resistance = np.zeros((2, len(contact.flyers)))
    for row, flyer in enumerate(contact.flyers):
        geoms = model.geom_bodyid == flyer[0]
        resistance[0, row] = model.geom_user[geoms, USER_RESISTANCE].max(initial=0.0)
    return Banks(
        clock=np.zeros(1, dtype=np.int64),
        contact=contact,
        drive=drive,
        belts=belts,
        motors=motors,
        zones=pack_zones(zones, seen),
        watched=addresses,
        offsets=offsets,
        positions=np.zeros((len(addresses), 3)),
        resistance=resistance,
        black_box=np.zeros((config.black_box, model.nq + model.nv)),
    )


def _as_watched(thing: objects.Movable) -> Watched:
    red, green, blue = (round(255 * part) for part in thing.rgba[:3])
    kind = "ball" if isinstance(thing, objects.Ball) else type(thing).__name__.lower()
    return Watched(name=thing.name, kind=kind, color=(red, green, blue))


def check_names(things: Sequence[Thing], new: Thing) -> None:
    """Raise ConfigError if a thing of the name of `new` exists."""
    if any(thing.name == new.name for thing in things):
        raise ConfigError(
            f"the world already has something named {new.name!r}; rename one of them"
        )
