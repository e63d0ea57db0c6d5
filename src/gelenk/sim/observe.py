"""Observations of a world: poses, velocities, contacts, impacts, gear wear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import mujoco
import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.sim.compiled_world import CompiledWorld
from gelenk.sim.contact import bank as columns
from gelenk.sim.loop_bank import COUNT, TICK
from gelenk.sim.motors.bank import WEAR
from gelenk.spatial.quaternion import quaternion_from_matrix
from gelenk.spatial.se3 import is_pose
from gelenk.typing import ArrayLike, FloatArray, IntArray

if TYPE_CHECKING:
    from gelenk.sim.world import World

MotionState = Literal["flying", "rolling", "resting", "gripped"]
"""How a thing moves: nothing touches it; it moves along what it touches; it does not;
a gripper has it."""

RESTING_SPEED = 1e-3  # [m/s], along a surface: slower things rest on it


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contact:
    """Two bodies that touch.

    Attributes:
        bodies: Names of the two bodies.
        position: Position of the contact point, world [m], (3,).
        normal: Unit vector from the first to the second body, world, (3,).
        distance: Gap between the bodies, negative if they overlap [m].
        force: Force on the second body, world axes [N], (3,).
    """

    bodies: tuple[str, str]
    position: FloatArray
    normal: FloatArray
    distance: float
    force: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Impact:
    """A blow.

    Attributes:
        time: Simulated time, exact within the tick [s].
        bodies: Names of the two bodies.
        impulse: Impulse on the second body, world axes [N s], (3,).
        position: Position of the blow, world [m], (3,).
        speed: Speed of approach along the normal [m/s].
        restitution: Coefficient of the pair; nan for one that took part without
            bouncing.
    """

    time: float
    bodies: tuple[str, str]
    impulse: FloatArray
    position: FloatArray
    speed: float
    restitution: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneEvent:
    """A zone noticed an object.

    Attributes:
        tick: Physics tick after which it was noticed.
        time: Simulated time of that tick [s].
        zone, item: Names of the zone and of the object.
    """

    tick: int
    time: float
    zone: str
    item: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopBreak:
    """A closed chain could not close any more.

    Attributes:
        tick: Physics tick after which it was open.
        time: Simulated time of that tick [s].
        robot, loop: Names of the robot and of its loop.
    """

    tick: int
    time: float
    robot: str
    loop: str


def closed_loops(compiled: CompiledWorld, robot: str) -> dict[str, bool]:
    """Return for each loop of a robot whether it is closed.

    Loops of ideal motors are computed exactly. Where the motors stand so that one
    cannot close, its passive joints stay as they were; as soon as it can, it closes as
    it was assembled. Loops of other motors are held by forces and count as closed.
    """
    broken = compiled.banks.loops.broken
    rows = compiled.loops[robot].items()
    return {loop: row < 0 or not broken[row] for loop, row in rows}


def list_breaks(
    compiled: CompiledWorld, told: IntArray | int, step: float
) -> tuple[LoopBreak, ...]:
    """Return the loops that broke more often than `told`, with their last break.

    Args:
        compiled: Compiled world.
        told: Earlier `LoopBank.breaks`, or 0.
        step: Length of a tick [s].
    """
    now = compiled.banks.loops.breaks
    is_new = now[:, COUNT] > np.broadcast_to(told, now.shape)[:, COUNT]
    return tuple(
        LoopBreak(
            tick=int(now[row, TICK]),
            time=int(now[row, TICK]) * step,
            robot=robot,
            loop=loop,
        )
        for robot, loops in compiled.loops.items()
        for loop, row in loops.items()
        if row >= 0 and is_new[row]
    )


def body_pose(compiled: CompiledWorld, body: int) -> FloatArray:
    """Return T_world_body, (4, 4)."""
    T = np.eye(4)
    T[:3, :3] = compiled.data.xmat[body].reshape(3, 3)
    T[:3, 3] = compiled.data.xpos[body]
    return T


def body_twist(compiled: CompiledWorld, body: int) -> FloatArray:
    """Return [v; omega] of a body's frame at its origin, world axes, (6,)."""
    answer = np.zeros(6)  # MuJoCo: rotation first
    kind = mujoco.mjtObj.mjOBJ_XBODY
    mujoco.mj_objectVelocity(compiled.model, compiled.data, kind, body, answer, 0)
    return np.concatenate([answer[3:], answer[:3]])


def set_body(
    compiled: CompiledWorld, body: int, T_world_body: ArrayLike, twist: ArrayLike | None
) -> None:
    """Write pose and velocity of a body that moves freely; boards have none.

    Raises:
        ConfigError: If the body is fixed or part of a robot, or T is no pose.
    """
    model, data = compiled.model, compiled.data
    name = model.body(body).name
    T = as_finite("T_world_body", T_world_body, (4, 4))
    if T.shape != (4, 4) or not is_pose(T):
        raise ConfigError(f"`T_world_body` of {name!r} must be a pose, got {T}")
    velocity = np.zeros(6) if twist is None else as_finite("twist", twist, (6,))
    if (mocap := int(model.body_mocapid[body])) >= 0:  # a movable board: nothing pushes
        data.mocap_pos[mocap] = T[:3, 3]
        data.mocap_quat[mocap] = quaternion_from_matrix(T[:3, :3])
        return
    row = compiled.banks.contact.flyer_of_body[body]
    if row < 0:
        raise ConfigError(
            f"{name!r} does not move freely and cannot be placed; robots are moved by "
            "their motors, fixed objects not at all"
        )
    _, address, dof, turns = compiled.banks.contact.flyers[row, :4]
    data.qvel[dof : dof + 3] = velocity[:3]
    if not turns:
        data.qpos[address : address + 3] = T[:3, 3] - model.body(body).pos
        return
    data.qpos[address : address + 3] = T[:3, 3]
    data.qpos[address + 3 : address + 7] = quaternion_from_matrix(T[:3, :3])
    # MuJoCo keeps the angular velocity of a free joint in body axes
    data.qvel[dof + 3 : dof + 6] = T[:3, :3].T @ velocity[3:]


def list_contacts(compiled: CompiledWorld) -> tuple[Contact, ...]:
    """Return the contacts that press."""
    model, data = compiled.model, compiled.data
    found: list[Contact] = []
    wrench = np.zeros(6)
    for i in range(data.ncon):
        contact = data.contact[i]
        if contact.efc_address < 0:
            continue
        mujoco.mj_contactForce(model, data, i, wrench)
        frame = contact.frame.reshape(3, 3)
        found.append(
            Contact(
                bodies=_bodies(compiled, contact.geom[0], contact.geom[1]),
                position=contact.pos.copy(),
                normal=frame[0].copy(),
                distance=float(contact.dist),
                force=frame.T @ wrench[:3],
            )
        )
    return tuple(found)


def motion_state(compiled: CompiledWorld, body: int) -> MotionState:
    """Return how a body moved in the last tick.

    Args:
        compiled: Compiled world with poses and velocities of this moment.
        body: Index of the body.
    """
    if gripper_of(compiled, body):
        return "gripped"
    name = compiled.model.body(body).name
    touching = [one for one in list_contacts(compiled) if name in one.bodies]
    pressing = [one for one in touching if one.force.any()]
    for one in pressing:
        v = [_point_velocity(compiled, other, one.position) for other in one.bodies]
        slip = v[1] - v[0]
        slip -= (slip @ one.normal) * one.normal
        if np.linalg.norm(slip) > RESTING_SPEED:
            return "rolling"
    return "resting" if pressing else "flying"


def gripper_of(compiled: CompiledWorld, body: int) -> str | None:
    """Return the body of the gripper that holds a body, or None."""
    grasps = compiled.banks.grasps
    for row, holder in zip(grasps.things, grasps.holder, strict=True):
        if row[0] == body and holder >= 0:
            return compiled.model.body(int(grasps.gripper_body[holder])).name
    return None


def _point_velocity(
    compiled: CompiledWorld, name: str, point: FloatArray
) -> FloatArray:
    """Return the velocity of the point of a body that is at `point`, world axes."""
    body = compiled.model.body(name).id
    twist = body_twist(compiled, body)
    arm: FloatArray = np.asarray(compiled.data.xpos[body])
    return np.asarray(twist[:3] + np.cross(twist[3:], point - arm), dtype=float)


def list_impacts(
    compiled: CompiledWorld, rows: Sequence[np.ndarray]
) -> tuple[Impact, ...]:
    """Return rows of the event buffer as impacts."""
    impulse = slice(columns.IMPACT_IMPULSE, columns.IMPACT_IMPULSE + 3)
    point = slice(columns.IMPACT_POINT, columns.IMPACT_POINT + 3)
    return tuple(
        Impact(
            time=float(row[columns.IMPACT_TIME]),
            bodies=_bodies(
                compiled,
                int(row[columns.IMPACT_GEOM_1]),
                int(row[columns.IMPACT_GEOM_2]),
            ),
            impulse=row[impulse].copy(),
            position=row[point].copy(),
            speed=float(row[columns.IMPACT_SPEED]),
            restitution=float(row[columns.IMPACT_RESTITUTION]),
        )
        for row in rows
    )


def _bodies(compiled: CompiledWorld, geom_1: int, geom_2: int) -> tuple[str, str]:
    model = compiled.model
    one, other = (model.geom_bodyid[geom] for geom in (geom_1, geom_2))
    return model.body(int(one)).name, model.body(int(other)).name


def gear_wear(world: World, robot: str) -> FloatArray:
    """Return the energy that the teeth of each joint have turned into heat [J], (n,).

    NaN for joints without a motor; 0 for gears without backlash.

    Args:
        world: World of the robot.
        robot: Name of the robot.

    Raises:
        NameNotFoundError: If there is no such robot.
    """
    compiled = world._compiled()
    rows = world._of_robot(compiled.motor_rows, robot)
    wear = np.full(len(rows), np.nan)
    driven = rows >= 0
    wear[driven] = compiled.banks.motors.state[rows[driven], WEAR]
    return wear
