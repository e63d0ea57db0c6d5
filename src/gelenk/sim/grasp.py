"""Held things: what a gripper has between its fingers joins its kinematic chain.

A gripper that presses a thing on two opposite faces, or from three sides, holds it: the
thing keeps its pose in the gripper's frame and has the gripper's velocity, exactly. It
is let go when one of these touches ends, and flies on with the velocity it had. While
it is held, nothing can push it: for others it is a part of the robot.

A ball that lies on three fingers is held too, and follows them while they move: see
`gelenk.sim.grasp_points`. A suction gripper holds what its cups touch, while it is
active.

A second gripper that touches it on one side changes nothing. When two grippers hold at
once, the thing belongs to neither: friction carries it. When one of them opens, the
other takes it over where it is then.

Fingers that hold by friction alone need none of this: do not name them as a gripper.
"""

# The functions that run in compiled code have no annotations: their arrays are views.
# pyright: reportMissingParameterType=false
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gelenk.kernels.compile import kernel
from gelenk.sim.bridge import layout
from gelenk.sim.bridge.layout import mj_com_pos, mj_com_vel, mj_kinematics
from gelenk.sim.contact.scan import point_velocity
from gelenk.sim.grasp_bank import (
    BODY,
    DISTANCE,
    DOF,
    FINGER,
    FREE,
    GRIPPER,
    MAX_TOUCHES,
    NO_POINTS,
    NORMAL,
    PLACE,
    POINT_GAP,
    QPOS,
    ROUNDING,
    THING,
    TOUCH_GAP,
    TURNS,
)
from gelenk.sim.grasp_points import (
    carried_pose,
    lie_on_points,
    relative_pose,
    rotated,
    seek_points,
)
from gelenk.typing import IntArray

if TYPE_CHECKING:
    from gelenk.sim.grasp_bank import GraspBank


OPPOSITE = -0.8  # cosine between the normals of two opposite faces, at most
LEAST_SUM = 0.1  # squared length of the sum of two normals that has a direction
HELD_INERTIA = 1e4  # [kg], [kg m^2]: what is held cannot be pushed by others

# In `grips`: how a gripper has a thing.
NOT, BETWEEN, ON_POINTS = 0, 1, 2


@kernel
def carry_held(table: IntArray, bank: GraspBank) -> None:
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
        new = _choose_holder(table, bank, thing, count)
        if new != bank.holder[thing]:
            _change_holder(table, bank, thing, new)
        if new == FREE:
            continue
        if bank.grips[new] == ON_POINTS:
            lie_on_points(table, bank, thing)
        else:
            bank.points[thing, 0] = NO_POINTS
        _follow_gripper(table, bank, thing)


@kernel
def _list_touches(table: IntArray, bank: GraspBank) -> int:
    """Write down which fingers are at which things, and return how many."""
    rows = layout.contact_floats(table)
    ints = layout.contact_ints(table)
    body_of = layout.indices(table, layout.GEOM_BODYID)
    position = layout.array(table, layout.XPOS)
    count = 0
    for i in range(rows.shape[0]):
        geom_1, geom_2 = ints[i, layout.GEOM], ints[i, layout.GEOM + 1]
        distance = rows[i, layout.DIST]
        if geom_1 < 0 or geom_2 < 0 or distance > POINT_GAP or count == MAX_TOUCHES:
            continue
        # The engine's normal points from the first to the second.
        finger, thing, sign = geom_1, geom_2, 1.0
        if bank.gripper_of_geom[finger] < 0:
            finger, thing, sign = geom_2, geom_1, -1.0
        if bank.gripper_of_geom[finger] < 0 or bank.thing_of_geom[thing] < 0:
            continue
        body = body_of[finger]
        bank.touches[count, THING] = bank.thing_of_geom[thing]
        bank.touches[count, GRIPPER] = bank.gripper_of_geom[finger]
        bank.touches[count, FINGER] = body
        feel = bank.feel[count]
        feel[DISTANCE], feel[ROUNDING] = distance, bank.rounding[finger]
        # The engine's contact point is midway between the surfaces.
        depth = sign * (feel[ROUNDING] + 0.5 * distance)
        for k in range(3):
            n = rows[i, layout.FRAME + k]
            feel[NORMAL + k] = sign * n
            feel[PLACE + k] = rows[i, layout.POS + k] - depth * n - position[body, k]
        w, x, y, z = bank.quats[body]
        feel[PLACE], feel[PLACE + 1], feel[PLACE + 2] = rotated(
            w, -x, -y, -z, feel[PLACE], feel[PLACE + 1], feel[PLACE + 2]
        )
        count += 1
    return count


@kernel
def _choose_holder(table: IntArray, bank: GraspBank, thing: int, count: int) -> int:
    """Return the only gripper that has a thing, or FREE; `grips` says how."""
    bank.grips[:] = NOT
    for i in range(count):
        gripper = bank.touches[i, GRIPPER]
        if bank.touches[i, THING] != thing or bank.grips[gripper] != NOT:
            continue
        # What is held stays held while the fingers are within the gap; to grip anew
        # they must press.
        limit = TOUCH_GAP if bank.holder[thing] == gripper else 0.0
        if bank.is_suction[gripper]:
            if bank.is_active[gripper] and bank.feel[i, DISTANCE] <= limit:
                bank.grips[gripper] = BETWEEN
        elif _is_enclosed(bank, i, limit):
            bank.grips[gripper] = BETWEEN
    holder, total = FREE, 0
    for gripper in range(bank.gripper_body.shape[0]):
        may_lie = bank.radius[thing] > 0.0 and not bank.is_suction[gripper]
        if may_lie and seek_points(table, bank, thing, gripper, count):
            bank.grips[gripper] = ON_POINTS
        if bank.grips[gripper] != NOT:
            holder = gripper
            total += 1
    return holder if total == 1 else FREE


@kernel
def _is_enclosed(bank: GraspBank, i: int, limit: float) -> bool:
    """Say whether touch i and one or two before it press a thing from all sides."""
    if bank.feel[i, DISTANCE] > limit:
        return False
    for j in range(i):
        if not _presses_too(bank, i, j, limit):
            continue
        if _cosine(bank, i, j, j) < OPPOSITE:
            return True
        for k in range(j):
            if _presses_too(bank, i, k, limit) and (
                _cosine(bank, i, j, k) < OPPOSITE
                or _cosine(bank, j, i, k) < OPPOSITE
                or _cosine(bank, k, i, j) < OPPOSITE
            ):
                return True
    return False


@kernel
def _presses_too(bank: GraspBank, i: int, j: int, limit: float) -> bool:
    """Say whether touch j is of the same gripper and thing as i, and presses."""
    return (
        bank.touches[j, THING] == bank.touches[i, THING]
        and bank.touches[j, GRIPPER] == bank.touches[i, GRIPPER]
        and bank.feel[j, DISTANCE] <= limit
    )


@kernel
def _cosine(bank: GraspBank, i: int, j: int, k: int) -> float:
    """Return the cosine between a normal and the sum of two; 1 if that is nothing."""
    product, square = 0.0, 0.0
    for c in range(NORMAL, NORMAL + 3):
        total = bank.feel[j, c] + bank.feel[k, c]
        product += bank.feel[i, c] * total
        square += total * total
    return product / math.sqrt(square) if square > LEAST_SUM else 1.0


@kernel
def _change_holder(table: IntArray, bank: GraspBank, thing: int, new: int) -> None:
    """Note the new holder and, if there is one, where it has the thing."""
    bank.holder[thing] = new
    bank.points[thing, 0] = NO_POINTS
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
def _follow_gripper(table: IntArray, bank: GraspBank, thing: int) -> None:
    """Give a held thing pose and velocity of its gripper."""
    qpos = layout.vector(table, layout.QPOS)
    qvel = layout.vector(table, layout.QVEL)
    position = layout.array(table, layout.XPOS)
    cvel = layout.array(table, layout.CVEL)
    gripper: Any = bank.gripper_body[bank.holder[thing]]
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
        bx, by, bz = rotated(w, -i, -j, -k, wx, wy, wz)
        qvel[dof + 3], qvel[dof + 4], qvel[dof + 5] = bx, by, bz
