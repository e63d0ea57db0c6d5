"""Grippers and what they may hold, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import mujoco
import numpy as np

from gelenk.errors import ConfigError
from gelenk.sim.robot import Gripper, Robot
from gelenk.typing import FloatArray, IntArray

FREE = -1  # `holder` of a thing that nobody holds, or several
NO_POINTS = -1  # in `points`: the thing does not lie on three points

# Columns of `things`.
BODY, QPOS, DOF, TURNS = 0, 1, 2, 3
NUM_THING = 4
# Columns of `touches`; a finger is named by its body.
THING, GRIPPER, FINGER = 0, 1, 2
# Columns of `feel`, three of them but for DISTANCE and ROUNDING: into the thing; where
# the centre of curvature of the finger is, in the frame of its body [m].
NORMAL, DISTANCE, PLACE, ROUNDING = 0, 3, 4, 7
NUM_FEEL = 8

TOUCH_GAP = 1e-4  # [m]: a finger that is further away has let go
POINT_GAP = 5e-4  # [m]: a ball this near to three points lies on them
MAX_TOUCHES = 512  # fingers on things at one moment, for the whole world


class GraspBank(NamedTuple):
    """Grippers and what they may hold; ng grippers, n things.

    Attributes:
        gripper_of_geom: Gripper whose finger a geom is, or -1, shape (ngeom,).
        thing_of_geom: Thing that a geom belongs to, or -1, shape (ngeom,).
        rounding: Radius of geoms that are spheres or capsules, else 0 [m], (ngeom,).
        gripper_body: Body whose frame carries what is held, shape (ng,).
        is_suction: 1 for grippers that hold by suction, shape (ng,).
        is_active: 1 while they suck, shape (ng,).
        things: Columns BODY, QPOS, DOF, TURNS, shape (n, NUM_THING).
        offsets: Offsets from qpos to the position [m], shape (n, 3).
        radius: Radius of things that are balls, else 0 [m], shape (n,).
        holder: Gripper that holds a thing, or FREE, shape (n,).
        relative: Pose of a held thing in its gripper: x, y, z, qw, qx, qy, qz,
            shape (n, 7).
        points: Bodies of the three fingers that a held ball lies on, or NO_POINTS,
            shape (n, 3).
        places: Points of these bodies, in their frames [m], shape (n, 3, 3).
        reaches: Distance of the ball's centre from them [m], shape (n, 3).
        quats: The engine's orientations of bodies (a view), shape (nbody, 4).
        touches: Scratch: columns THING, GRIPPER, FINGER, shape (MAX_TOUCHES, 3).
        feel: Scratch: columns NORMAL to ROUNDING, shape (MAX_TOUCHES, NUM_FEEL).
        grips: Scratch: how a gripper has a thing, see `gelenk.sim.grasp`, shape (ng,).
        chosen: Scratch: three touches for each gripper, shape (ng, 3).
    """

    gripper_of_geom: IntArray
    thing_of_geom: IntArray
    rounding: FloatArray
    gripper_body: IntArray
    is_suction: IntArray
    is_active: IntArray
    things: IntArray
    offsets: FloatArray
    radius: FloatArray
    holder: IntArray
    relative: FloatArray
    points: IntArray
    places: FloatArray
    reaches: FloatArray
    quats: FloatArray
    touches: IntArray
    feel: FloatArray
    grips: IntArray
    chosen: IntArray


def list_grippers(robots: Iterable[Robot]) -> list[tuple[str, Gripper]]:
    """Return the grippers of robots in their order, each with its robot's name."""
    return [(robot.name, gripper) for robot in robots for gripper in robot.grippers]


def pack_grasps(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    grippers: Sequence[tuple[str, Gripper]],
    things: Sequence[str],
) -> GraspBank:
    """Return the bank of a world's grippers and of the things they may hold.

    Args:
        model: The engine's model; the detection gap of fingers is set.
        data: The engine's data; the bank keeps a view of it.
        grippers: Grippers as of `list_grippers`.
        things: Names of bodies with a free joint or three slides.

    Raises:
        ConfigError: If a finger has no shape that can touch.
    """
    rows = np.zeros((len(things), NUM_THING), dtype=np.int64)
    offsets = np.zeros((len(things), 3))
    radius = np.zeros(len(things))
    thing_of_geom = np.full(model.ngeom, -1, dtype=np.int64)
    for i, name in enumerate(things):
        body = model.body(name)
        joint = int(body.jntadr[0])
        is_free = model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE
        rows[i] = body.id, model.jnt_qposadr[joint], model.jnt_dofadr[joint], is_free
        if not is_free:
            offsets[i] = body.pos
        geoms = np.flatnonzero(model.geom_bodyid == body.id)
        thing_of_geom[geoms] = i
        if (model.geom_type[geoms] == mujoco.mjtGeom.mjGEOM_SPHERE).tolist() == [True]:
            radius[i] = model.geom_size[geoms[0], 0]
    gripper_of_geom = np.full(model.ngeom, -1, dtype=np.int64)
    bodies = np.zeros(len(grippers), dtype=np.int64)
    for i, (robot, gripper) in enumerate(grippers):
        bodies[i] = model.body(f"{robot}/{gripper.base}").id
        for finger in gripper.fingers:
            gripper_of_geom[_touching_geoms(model, f"{robot}/{finger}")] = i
    _look_for_touches(model, gripper_of_geom >= 0)
    return GraspBank(
        gripper_of_geom=gripper_of_geom,
        thing_of_geom=thing_of_geom,
        rounding=_rounding(model),
        gripper_body=bodies,
        is_suction=np.array([g.hold == "suction" for _, g in grippers], dtype=np.int64),
        is_active=np.zeros(len(grippers), dtype=np.int64),
        things=rows,
        offsets=offsets,
        radius=radius,
        holder=np.full(len(things), FREE, dtype=np.int64),
        relative=np.zeros((len(things), 7)),
        points=np.full((len(things), 3), NO_POINTS, dtype=np.int64),
        places=np.zeros((len(things), 3, 3)),
        reaches=np.zeros((len(things), 3)),
        quats=data.xquat,
        touches=np.zeros((MAX_TOUCHES, 3), dtype=np.int64),
        feel=np.zeros((MAX_TOUCHES, NUM_FEEL)),
        grips=np.zeros(max(len(grippers), 1), dtype=np.int64),
        chosen=np.zeros((max(len(grippers), 1), 3), dtype=np.int64),
    )


def state_arrays(bank: GraspBank) -> tuple[np.ndarray, ...]:
    """Return the arrays of a bank that change while the world steps.

    Also `model.dof_armature`, which is the engine's.
    """
    return (
        bank.is_active,
        bank.holder,
        bank.relative,
        bank.points,
        bank.places,
        bank.reaches,
    )


def command_suction(
    bank: GraspBank, robots: Iterable[Robot], robot: str, index: int, *, active: bool
) -> None:
    """Switch a suction gripper on or off.

    Args:
        bank: Grippers.
        robots: Robots of the world, in its order.
        robot: Name of the robot.
        index: Number of the gripper on it.
        active: Whether it shall suck.

    Raises:
        ConfigError: If the robot has no such gripper, or it holds by its fingers.
    """
    grippers = list_grippers(robots)
    rows = [row for row, (name, _) in enumerate(grippers) if name == robot]
    if not 0 <= index < len(rows):
        raise ConfigError(
            f"robot {robot!r} has {len(rows)} grippers, counted from 0; got {index}"
        )
    row = rows[index]
    if not bank.is_suction[row]:
        raise ConfigError(
            f"gripper {index} of robot {robot!r} holds by its fingers and cannot be "
            "switched; command their motors, or give it hold='suction'"
        )
    bank.is_active[row] = int(active)


def release_things(
    model: mujoco.MjModel, bank: GraspBank, things: Iterable[int]
) -> None:
    """Let go of held things; they stay where they are.

    Args:
        model: The engine's model, for their inertia.
        bank: Grippers and things.
        things: Rows of the things.
    """
    for thing in things:
        bank.holder[thing] = FREE
        bank.points[thing, 0] = NO_POINTS
        dof = bank.things[thing, DOF]
        model.dof_armature[dof : dof + (6 if bank.things[thing, TURNS] else 3)] = 0.0


def _touching_geoms(model: mujoco.MjModel, finger: str) -> IntArray:
    is_solid = (model.geom_contype != 0) | (model.geom_conaffinity != 0)
    geoms = np.flatnonzero((model.geom_bodyid == model.body(finger).id) & is_solid)
    if not geoms.size:
        raise ConfigError(
            f"the finger {finger!r} has no shape that can touch; give its link a "
            "collision shape, and name it in `colliding_links` if those are listed"
        )
    return geoms


def _look_for_touches(model: mujoco.MjModel, is_finger: np.ndarray) -> None:
    """Let the engine report things that are nearer to a finger than the gap."""
    model.geom_gap[is_finger] = np.maximum(model.geom_gap[is_finger], POINT_GAP)
    for geom in np.flatnonzero(is_finger):
        body = model.geom_bodyid[geom]
        model.body_margin[body] = max(model.body_margin[body], model.geom_gap[geom])


def _rounding(model: mujoco.MjModel) -> FloatArray:
    kinds = (mujoco.mjtGeom.mjGEOM_SPHERE, mujoco.mjtGeom.mjGEOM_CAPSULE)
    is_round = np.isin(model.geom_type, [int(kind) for kind in kinds])
    return np.where(is_round, model.geom_size[:, 0], 0.0)
