"""Held things: what a gripper has between its fingers joins its kinematic chain.

A gripper that touches a thing on two opposite faces holds it: the thing keeps its pose
in the gripper's frame and has the gripper's velocity, exactly. It is let go when one of
the two touches ends, and flies on with the velocity it had. While it is held, nothing
can push it: for others it is a part of the robot.

A second gripper that touches it on one side changes nothing. When two grippers hold at
once, the thing belongs to neither: friction carries it. When one of them opens, the
other takes it over where it is then.

Fingers that hold by friction alone need none of this: do not name them as a gripper.
"""

# The functions that run in compiled code have no annotations: their arrays are views.
# pyright: reportMissingParameterType=false
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import mujoco
import numpy as np

from gelenk.core.errors import ConfigError
from gelenk.core.kernels.compile import kernel
from gelenk.core.typing import FloatArray, IntArray
from gelenk.sim.bridge import layout
from gelenk.sim.bridge.calls import mj_com_pos, mj_com_vel, mj_kinematics
from gelenk.sim.contact.scan import point_velocity
from gelenk.sim.robot import Robot

FREE = -1  # `holder` of a thing that nobody holds, or several

# Columns of `things`.
BODY, QPOS, DOF, TURNS = 0, 1, 2, 3
NUM_THING = 4
# Columns of `touches`.
THING, GRIPPER = 0, 1

OPPOSITE = -0.8  # cosine between the normals of two opposite faces, at most
TOUCH_GAP = 1e-4  # [m]: a finger that is further away has let go
HELD_INERTIA = 1e4  # [kg], [kg m^2]: what is held cannot be pushed by others
MAX_TOUCHES = 512  # fingers on things at one moment, for the whole world


class GraspBank(NamedTuple):
    """Grippers and what they may hold; ng grippers, n things.

    Attributes:
        gripper_of_geom: Gripper whose finger a geom is, or -1, shape (ngeom,).
        thing_of_geom: Thing that a geom belongs to, or -1, shape (ngeom,).
        gripper_body: Body whose frame carries what is held, shape (ng,).
        things: Columns BODY, QPOS, DOF, TURNS, shape (n, NUM_THING).
        offsets: What to add to qpos to have the position [m], shape (n, 3).
        holder: Gripper that holds a thing, or FREE, shape (n,).
        relative: Pose of a held thing in its gripper: x, y, z, qw, qx, qy, qz,
            shape (n, 7).
        quats: The engine's orientations of bodies (a view), shape (nbody, 4).
        touches: Scratch: columns THING, GRIPPER, shape (MAX_TOUCHES, 2).
        normals: Scratch: into the thing, and the distance, shape (MAX_TOUCHES, 4).
        grips: Scratch: 1 if a gripper has a thing between its fingers, shape (ng,).
    """

    gripper_of_geom: IntArray
    thing_of_geom: IntArray
    gripper_body: IntArray
    things: IntArray
    offsets: FloatArray
    holder: IntArray
    relative: FloatArray
    quats: FloatArray
    touches: IntArray
    normals: FloatArray
    grips: IntArray


def list_grippers(robots: Iterable[Robot]) -> list[tuple[str, tuple[str, ...]]]:
    """Return the grippers of robots by the names of their bodies in the engine."""
    return [
        (
            f"{robot.name}/{gripper.base}",
            tuple(f"{robot.name}/{finger}" for finger in gripper.fingers),
        )
        for robot in robots
        for gripper in robot.grippers
    ]


def pack_grasps(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    grippers: Sequence[tuple[str, Sequence[str]]],
    things: Sequence[str],
) -> GraspBank:
    """Return the bank of a world's grippers and of the things they may hold.

    Args:
        model: The engine's model; the detection gap of fingers is set.
        data: The engine's data; the bank keeps a view of it.
        grippers: For each the body whose frame carries, and the bodies of its fingers;
            see `list_grippers`.
        things: Names of bodies with a free joint or three slides.

    Raises:
        ConfigError: If a finger has no shape that can touch.
    """
    rows = np.zeros((len(things), NUM_THING), dtype=np.int64)
    offsets = np.zeros((len(things), 3))
    thing_of_geom = np.full(model.ngeom, -1, dtype=np.int64)
    for i, name in enumerate(things):
        body = model.body(name)
        joint = int(body.jntadr[0])
        is_free = model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE
        rows[i] = body.id, model.jnt_qposadr[joint], model.jnt_dofadr[joint], is_free
        if not is_free:
            offsets[i] = body.pos
        thing_of_geom[model.geom_bodyid == body.id] = i
    gripper_of_geom = np.full(model.ngeom, -1, dtype=np.int64)
    bodies = np.zeros(len(grippers), dtype=np.int64)
    for i, (base, fingers) in enumerate(grippers):
        bodies[i] = model.body(base).id
        for finger in fingers:
            gripper_of_geom[_touching_geoms(model, finger)] = i
    is_finger = gripper_of_geom >= 0
    model.geom_gap[is_finger] = np.maximum(model.geom_gap[is_finger], TOUCH_GAP)
    for geom in np.flatnonzero(is_finger):
        body = model.geom_bodyid[geom]
        model.body_margin[body] = max(model.body_margin[body], model.geom_gap[geom])
    return GraspBank(
        gripper_of_geom=gripper_of_geom,
        thing_of_geom=thing_of_geom,
        gripper_body=bodies,
        things=rows,
        offsets=offsets,
        holder=np.full(len(things), FREE, dtype=np.int64),
        relative=np.zeros((len(things), 7)),
        quats=data.xquat,
        touches=np.zeros((MAX_TOUCHES, 2), dtype=np.int64),
        normals=np.zeros((MAX_TOUCHES, 4)),
        grips=np.zeros(max(len(grippers), 1), dtype=np.int64),
    )


def state_arrays(bank: GraspBank) -> tuple[np.ndarray, ...]:
    """Return the arrays of a bank that change while the world steps.

    Also `model.dof_armature`, which is the engine's.
    """
    return bank.holder, bank.relative


def _touching_geoms(model: mujoco.MjModel, finger: str) -> IntArray:
    is_solid = (model.geom_contype != 0) | (model.geom_conaffinity != 0)
    geoms = np.flatnonzero((model.geom_bodyid == model.body(finger).id) & is_solid)
    if not geoms.size:
        raise ConfigError(
            f"the finger {finger!r} has no shape that can touch; give its link a "
            "collision shape, and name it in `colliding_links` if those are listed"
        )
    return geoms


@kernel
def carry_held(table, bank):
    """Decide who holds what, and put held things where their grippers are.

    To be called at the end of a tick, after prescribed joints are in their places.
    Looks at the contacts of the last step.

    Args:
        table: Addresses of the engine's arrays.
        bank: Grippers and things.
    """
    if bank.gripper_body.shape[0] == 0 or bank.things.shape[0] == 0:
        return
    count = _list_touches(table, bank)
    is_idle = count == 0
    for thing in range(bank.holder.shape[0]):
        is_idle = is_idle and bank.holder[thing] == FREE
    if is_idle:
        return
    model, data = table[layout.MODEL, 0], table[layout.DATA, 0]
    mj_kinematics(model, data)
    mj_com_pos(model, data)
    mj_com_vel(model, data)
    for thing in range(bank.holder.shape[0]):
        new = _choose_holder(bank, thing, count)
        if new != bank.holder[thing]:
            _change_holder(table, bank, thing, new)
        if new != FREE:
            _follow_gripper(table, bank, thing)


@kernel
def _list_touches(table, bank):
    """Write down which fingers are at which things, and return how many."""
    rows = layout.contact_floats(table)
    ints = layout.contact_ints(table)
    count = 0
    for i in range(rows.shape[0]):
        geom_1, geom_2 = ints[i, layout.GEOM], ints[i, layout.GEOM + 1]
        distance = rows[i, layout.DIST]
        if geom_1 < 0 or geom_2 < 0 or distance > TOUCH_GAP or count == MAX_TOUCHES:
            continue
        # The engine's normal points from the first to the second.
        gripper, thing, sign = bank.gripper_of_geom[geom_1], geom_2, 1.0
        if gripper < 0:
            gripper, thing, sign = bank.gripper_of_geom[geom_2], geom_1, -1.0
        if gripper < 0 or bank.thing_of_geom[thing] < 0:
            continue
        bank.touches[count, THING] = bank.thing_of_geom[thing]
        bank.touches[count, GRIPPER] = gripper
        for k in range(3):
            bank.normals[count, k] = sign * rows[i, layout.FRAME + k]
        bank.normals[count, 3] = distance
        count += 1
    return count


@kernel
def _choose_holder(bank, thing, count):
    """Return the only gripper that has a thing between its fingers, or FREE."""
    bank.grips[:] = 0
    for i in range(count):
        gripper = bank.touches[i, GRIPPER]
        if bank.touches[i, THING] != thing or bank.grips[gripper]:
            continue
        # What is held stays held while the fingers are within the gap; to grip anew
        # they must press.
        limit = TOUCH_GAP if bank.holder[thing] == gripper else 0.0
        for j in range(i):
            if bank.touches[j, THING] == thing and bank.touches[j, GRIPPER] == gripper:
                farthest = max(bank.normals[i, 3], bank.normals[j, 3])
                cosine = 0.0
                for k in range(3):
                    cosine += bank.normals[i, k] * bank.normals[j, k]
                if cosine < OPPOSITE and farthest <= limit:
                    bank.grips[gripper] = 1
    holder, total = FREE, 0
    for gripper in range(bank.gripper_body.shape[0]):
        if bank.grips[gripper]:
            holder = gripper
            total += 1
    return holder if total == 1 else FREE


@kernel
def _change_holder(table, bank, thing, new):
    """Note the new holder and, if there is one, where it has the thing."""
    bank.holder[thing] = new
    armature = layout.vector(table, layout.DOF_ARMATURE)
    dof = bank.things[thing, DOF]
    inertia = 0.0 if new == FREE else HELD_INERTIA
    for k in range(6 if bank.things[thing, TURNS] else 3):
        armature[dof + k] = inertia
    if new == FREE:
        return
    position = layout.array(table, layout.XPOS)
    gripper, body = bank.gripper_body[new], bank.things[thing, BODY]
    relative_pose(
        position[gripper],
        bank.quats[gripper],
        position[body],
        bank.quats[body],
        bank.relative[thing],
    )


@kernel
def _follow_gripper(table, bank, thing):
    """Give a held thing pose and velocity of its gripper."""
    qpos = layout.vector(table, layout.QPOS)
    qvel = layout.vector(table, layout.QVEL)
    position = layout.array(table, layout.XPOS)
    cvel = layout.array(table, layout.CVEL)
    gripper = bank.gripper_body[bank.holder[thing]]
    place, dof = bank.things[thing, QPOS], bank.things[thing, DOF]
    x, y, z, w, i, j, k = carried_pose(
        position[gripper], bank.quats[gripper], bank.relative[thing]
    )
    vx, vy, vz = point_velocity(table, gripper, x, y, z)
    qpos[place] = x - bank.offsets[thing, 0]
    qpos[place + 1] = y - bank.offsets[thing, 1]
    qpos[place + 2] = z - bank.offsets[thing, 2]
    qvel[dof], qvel[dof + 1], qvel[dof + 2] = vx, vy, vz
    if bank.things[thing, TURNS]:
        qpos[place + 3], qpos[place + 4] = w, i
        qpos[place + 5], qpos[place + 6] = j, k
        # The engine keeps the angular velocity of a free joint in body axes.
        wx, wy, wz = cvel[gripper, 0], cvel[gripper, 1], cvel[gripper, 2]
        bx, by, bz = _rotated(w, -i, -j, -k, wx, wy, wz)
        qvel[dof + 3], qvel[dof + 4], qvel[dof + 5] = bx, by, bz


@kernel
def relative_pose(p_gripper, quat_gripper, p_thing, quat_thing, out):
    """Write the pose of a thing in a gripper's frame: position, then quaternion.

    Args:
        p_gripper: Position of the gripper in the world [m], shape (3,).
        quat_gripper: Its orientation, shape (4,).
        p_thing: Position of the thing in the world [m], shape (3,).
        quat_thing: Its orientation, shape (4,).
        out: Shape (7,).
    """
    w, i, j, k = quat_gripper[0], -quat_gripper[1], -quat_gripper[2], -quat_gripper[3]
    out[0], out[1], out[2] = _rotated(
        w,
        i,
        j,
        k,
        p_thing[0] - p_gripper[0],
        p_thing[1] - p_gripper[1],
        p_thing[2] - p_gripper[2],
    )
    out[3], out[4], out[5], out[6] = _product(
        w, i, j, k, quat_thing[0], quat_thing[1], quat_thing[2], quat_thing[3]
    )


@kernel
def carried_pose(p_gripper, quat_gripper, relative):
    """Return the pose of a held thing in the world: x, y, z, qw, qx, qy, qz.

    Args:
        p_gripper: Position of the gripper in the world [m], shape (3,).
        quat_gripper: Its orientation, shape (4,).
        relative: Pose of the thing in the gripper, shape (7,).
    """
    w, i, j, k = quat_gripper[0], quat_gripper[1], quat_gripper[2], quat_gripper[3]
    x, y, z = _rotated(w, i, j, k, relative[0], relative[1], relative[2])
    qw, qx, qy, qz = _product(
        w, i, j, k, relative[3], relative[4], relative[5], relative[6]
    )
    return x + p_gripper[0], y + p_gripper[1], z + p_gripper[2], qw, qx, qy, qz


@kernel
def _rotated(w, i, j, k, x, y, z):
    """Return a vector turned by a unit quaternion."""
    ax, ay, az = j * z - k * y, k * x - i * z, i * y - j * x
    return (
        x + 2.0 * (w * ax + j * az - k * ay),
        y + 2.0 * (w * ay + k * ax - i * az),
        z + 2.0 * (w * az + i * ay - j * ax),
    )


@kernel
def _product(a, b, c, d, w, x, y, z):
    """Return the Hamilton product of two quaternions."""
    return (
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    )
