"""Builder of the banks that are stepped beside the engine, from its compiled model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import mujoco
import numpy as np

from gelenk.errors import NameNotFoundError
from gelenk.sim import objects
from gelenk.sim.bridge.engine import (
    USER_FLIGHT_RESISTANCE,
    USER_RESISTANCE,
    USER_RESTITUTION,
    Placed,
    PlacedTree,
)
from gelenk.sim.bridge.file_parts import joint_sizes
from gelenk.sim.bridge.robots import PlacedRobot
from gelenk.sim.config import WorldConfig
from gelenk.sim.contact.bank import ContactBank, pack_contact, restitution_table
from gelenk.sim.contact.drive import Drive, new_drive
from gelenk.sim.motors.bank import MotorBank, pack_motors
from gelenk.sim.motors.descriptions import Motor
from gelenk.sim.motors.joint import complete_motor, joint_settings, rotor_armature
from gelenk.sim.zones import Watched
from gelenk.typing import FloatArray, IntArray


def list_motors(placed: Mapping[str, Placed]) -> list[tuple[str, Motor]]:
    """Return the driven joints of all robots by their full names, with their motors.

    Limits that a motor leaves open are those of the model.
    """
    found: list[tuple[str, Motor]] = []
    for item in placed.values():
        if not isinstance(item, PlacedRobot):
            continue
        model, given = item.robot.model, item.robot.motors
        if given is None or isinstance(given, str):
            continue
        for joint, full, i in zip(
            model.joint_names, item.joints, model.joint_ids.tolist(), strict=True
        ):
            motor = given.get(joint) if isinstance(given, Mapping) else given
            if motor is not None:
                effort, speed = float(model.max_effort[i]), model.max_velocity[i]
                motor = complete_motor(
                    motor, max_effort=effort, max_velocity=float(speed)
                )
                found.append((full, motor))
    return found


def prepare_joint(joint: Any, motor: Motor) -> None:
    """Give a joint of a specification what its motor adds to it.

    A rotor inertia that the motor states replaces the armature of the model.
    """
    settings = joint_settings(motor)
    if rotor_armature(motor) is not None:
        joint.armature = 0.0
    joint.armature = joint.armature + settings.armature
    joint.damping[0] = joint.damping[0] + settings.damping
    joint.frictionloss = joint.frictionloss + settings.frictionloss
    # Dry friction of the engine gives way by and by: as hard as it allows, a gear that
    # holds its load creeps by microradians per second instead of milliradians.
    joint.solimp_friction = (0.9999, 0.9999, 0.001, 0.5, 2.0)


def pack_all_motors(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    motors: Sequence[tuple[str, Motor]],
    step: float,
    seed: int,
) -> tuple[MotorBank, Drive]:
    """Return the bank of all motors, and the joints they may prescribe."""
    joints = np.array([model.joint(name).id for name, _ in motors], dtype=np.int64)
    dofs = np.asarray(model.jnt_dofadr[joints], dtype=np.int64)
    # Else the engine keeps the inertia of simple bodies as compiled, and a joint that
    # is locked or torn at run time would not feel it.
    model.dof_simplenum[dofs] = 0
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


class JointAddresses(NamedTuple):
    """Addresses of the joints of a robot; a ball joint has four values, three speeds.

    Attributes:
        qpos: Addresses of the values in qpos, (nq,).
        dof: Addresses of the speeds in qvel, (nv,).
    """

    qpos: IntArray
    dof: IntArray


def joint_addresses(model: mujoco.MjModel, joints: Sequence[str]) -> JointAddresses:
    """Return where joints are in qpos and in qvel."""
    qpos: list[int] = []
    dof: list[int] = []
    for name in joints:
        joint = model.joint(name)
        values, speeds = joint_sizes(joint.type[0])
        qpos += range(int(joint.qposadr[0]), int(joint.qposadr[0]) + values)
        dof += range(int(joint.dofadr[0]), int(joint.dofadr[0]) + speeds)
    return JointAddresses(np.array(qpos, dtype=np.int64), np.array(dof, dtype=np.int64))


def motor_rows(
    placed: Mapping[str, Placed], driven: Sequence[str]
) -> dict[str, IntArray]:
    """Return the motors of each robot in the order of its joints, -1 for none."""
    row_of = {joint: row for row, joint in enumerate(driven)}
    return {
        name: np.array([row_of.get(joint, -1) for joint in item.joints], dtype=np.int64)
        for name, item in placed.items()
        if isinstance(item, PlacedTree)
    }


def pack_surfaces(
    model: mujoco.MjModel,
    config: WorldConfig,
    placed: Mapping[str, Placed],
    things: Sequence[Any],
) -> ContactBank:
    """Return the contact bank: one material per restitution and per word of a pair.

    Args:
        model: The engine's model.
        config: Names the pairs whose restitution is their own.
        placed: Placed objects and robots by name.
        things: Descriptions of the same objects and robots.
    """
    words = _words_in_pairs(config, things, placed)
    owner = {geom: name for name, item in placed.items() for geom in item.geoms}
    is_engine = config.contact == "engine"
    keys: dict[tuple[float, str], int] = {(-1.0, ""): 0}
    material = np.zeros(model.ngeom, dtype=np.int64)
    for geom in range(model.ngeom):
        name = model.geom(geom).name
        word = words.get(owner.get(name, ""), "") or words.get(name, "")
        e = float(model.geom_user[geom, USER_RESTITUTION])
        material[geom] = keys.setdefault((e, word), len(keys))
    rows_of: dict[str, list[int]] = {}
    for (_, word), row in keys.items():
        rows_of.setdefault(word, []).append(row)
    pairs = {
        (i, j): e
        for (one, other), e in config.restitution_pairs.items()
        for i in rows_of.get(one, ())
        for j in rows_of.get(other, ())
    }
    values = [None if e < 0.0 or is_engine else e for e, _ in keys]
    return pack_contact(
        model,
        material=material,
        restitution=restitution_table(values, {} if is_engine else pairs),
        settings=config.contact_settings(),
    )


def _words_in_pairs(
    config: WorldConfig, things: Sequence[Any], placed: Mapping[str, Placed]
) -> dict[str, str]:
    """Return for each thing that a pair speaks of the word it is meant by.

    Of what came from a file also single shapes can be meant.
    """
    paired = {word for pair in config.restitution_pairs for word in pair}
    if not paired:
        return {}
    found = {
        thing.name: word
        for thing in things
        for word in (getattr(thing, "material", ""), thing.name)
        if word in paired
    }
    in_files = {name for item in placed.values() for name in (item.name, *item.geoms)}
    found |= {word: word for word in paired & in_files}
    for word in sorted(paired - set(found.values())):
        if not any(word == getattr(thing, "material", "") for thing in things):
            names = tuple(placed)
            raise NameNotFoundError("object of a restitution pair", word, names)
    return found


def locate_watched(
    model: mujoco.MjModel, names: Sequence[str]
) -> tuple[IntArray, FloatArray]:
    """Return where zones find the positions of things: addresses in qpos, offsets."""
    addresses = np.zeros(len(names), dtype=np.int64)
    offsets = np.zeros((len(names), 3))
    for i, name in enumerate(names):
        body = model.body(name)
        joint = int(body.jntadr[0])
        addresses[i] = model.jnt_qposadr[joint]
        if model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_FREE:
            offsets[i] = body.pos
    return addresses, offsets


def rolling_resistance(model: mujoco.MjModel, contact: ContactBank) -> FloatArray:
    """Return the resistance of each flyer: rolling, scratch, in flight, (3, flyers)."""
    resistance = np.zeros((3, len(contact.flyers)))
    for row, flyer in enumerate(contact.flyers):
        user = model.geom_user[model.geom_bodyid == flyer[0]]
        resistance[0, row] = user[:, USER_RESISTANCE].max(initial=0.0)
        resistance[2, row] = user[:, USER_FLIGHT_RESISTANCE].max(initial=0.0)
    return resistance


def as_watched(thing: objects.Movable) -> Watched:
    """Return a thing as zones see it."""
    red, green, blue = (round(255 * part) for part in thing.rgba[:3])
    kind = "ball" if isinstance(thing, objects.Ball) else type(thing).__name__.lower()
    return Watched(name=thing.name, kind=kind, color=(red, green, blue))


def file_watched(model: mujoco.MjModel, name: str) -> Watched:
    """Return a movable object of a scene file as zones see it."""
    first = int(model.body(name).geomadr[0])
    rgba = model.geom_rgba[first] if first >= 0 else np.full(4, 0.5)
    red, green, blue = (round(255 * float(part)) for part in rgba[:3])
    return Watched(name=name, kind="body", color=(red, green, blue))
