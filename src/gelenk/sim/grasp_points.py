"""Balls on three points: where fingers that touch a ball from three sides hold it.

The centre of the ball is the point common to three spheres about the touching points;
of the two such points the one nearer to where the ball was. Touching points stay where
they are on their fingers, so the ball follows when the fingers move, without jerk. When
the fingers open so far that no such point is left, they have let go. Roth 2021, ArmBot
§4.2.1.

Points in a line hold no ball in this way. Nor do points that nearly lie in one plane
with its centre: the least motion of a finger would move it far. It is held like
anything else there, between fingers that press from all sides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import add, cross, norm, sub
from gelenk.kinematics.loops.closed_form import CLOSED, three_spheres
from gelenk.sim.bridge import layout
from gelenk.sim.grasp_bank import (
    BODY,
    DISTANCE,
    FINGER,
    GRIPPER,
    NO_POINTS,
    PLACE,
    POINT_GAP,
    ROUNDING,
    THING,
)
from gelenk.typing import FloatArray, IntArray, Vec3

if TYPE_CHECKING:
    from gelenk.sim.grasp_bank import GraspBank


# The functions that run in compiled code have no annotations: their arrays are views.
# pyright: reportMissingParameterType=false


@kernel
def relative_pose(
    p_gripper: FloatArray,
    quat_gripper: FloatArray,
    p_thing: FloatArray,
    quat_thing: FloatArray,
    out: FloatArray,
) -> None:
    """Write the pose of a thing in a gripper's frame: position, then quaternion.

    Args:
        p_gripper: Position of the gripper in the world [m], shape (3,).
        quat_gripper: Orientation of the gripper, shape (4,).
        p_thing: Position of the thing in the world [m], shape (3,).
        quat_thing: Orientation of the thing, shape (4,).
        out: Pose that is written, shape (7,).
    """
    w, i, j, k = quat_gripper[0], -quat_gripper[1], -quat_gripper[2], -quat_gripper[3]
    out[0], out[1], out[2] = rotated(
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
def carried_pose(
    p_gripper: FloatArray, quat_gripper: FloatArray, relative: FloatArray
) -> tuple[float, float, float, float, float, float, float]:
    """Return the pose of a held thing in the world: x, y, z, qw, qx, qy, qz.

    Args:
        p_gripper: Position of the gripper in the world [m], shape (3,).
        quat_gripper: Orientation of the gripper, shape (4,).
        relative: Pose of the thing in the gripper, shape (7,).
    """
    w, i, j, k = quat_gripper[0], quat_gripper[1], quat_gripper[2], quat_gripper[3]
    x, y, z = rotated(w, i, j, k, relative[0], relative[1], relative[2])
    qw, qx, qy, qz = _product(
        w, i, j, k, relative[3], relative[4], relative[5], relative[6]
    )
    return x + p_gripper[0], y + p_gripper[1], z + p_gripper[2], qw, qx, qy, qz


@kernel
def rotated(
    w: float, i: float, j: float, k: float, x: float, y: float, z: float
) -> Vec3:
    """Return a vector turned by a unit quaternion."""
    ax, ay, az = j * z - k * y, k * x - i * z, i * y - j * x
    return (
        x + 2.0 * (w * ax + j * az - k * ay),
        y + 2.0 * (w * ay + k * ax - i * az),
        z + 2.0 * (w * az + i * ay - j * ax),
    )


@kernel
def _product(
    a: float, b: float, c: float, d: float, w: float, x: float, y: float, z: float
) -> tuple[float, float, float, float]:
    """Return the Hamilton product of two quaternions."""
    return (
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    )


# The functions that run in compiled code have no annotations: their arrays are views.
# pyright: reportMissingParameterType=false


SPREAD = 1e-3  # [m]: points nearer to a line than this are in line
FLAT = 0.2  # of the reach: nearer to the plane of the points the centre is in it
KEPT = -1  # in `chosen`: the points of the tick before
MOVED = 0.5  # of the radius: a ball that is so far away was put there by somebody


@kernel
def seek_points(
    table: IntArray, bank: GraspBank, thing: int, gripper: int, count: int
) -> bool:
    """Say whether a ball lies on three points of a gripper.

    Writes into `chosen` which touches these are, or KEPT. To be called when the engine
    knows the poses of this moment.

    Args:
        table: Addresses of the engine's arrays.
        bank: Grippers and things.
        thing: The ball.
        gripper: The gripper.
        count: Number of touches.
    """
    chosen = bank.chosen[gripper]
    is_held = bank.holder[thing] == gripper and bank.points[thing, 0] != NO_POINTS
    if is_held and not _was_moved(table, bank, thing):
        chosen[0] = KEPT
        _, is_solved = ball_center(table, bank, thing, gripper)
        if is_solved:
            return True
    if not _choose_touches(table, bank, thing, gripper, count):
        return False
    _, is_solved = ball_center(table, bank, thing, gripper)
    return is_solved


@kernel
def lie_on_points(table: IntArray, bank: GraspBank, thing: int) -> None:
    """Put a held ball onto the points of its gripper that were found for it."""
    gripper = bank.holder[thing]
    chosen = bank.chosen[gripper]
    center, _ = ball_center(table, bank, thing, gripper)
    if chosen[0] != KEPT:
        for k in range(3):
            i = chosen[k]
            bank.points[thing, k] = bank.touches[i, FINGER]
            bank.reaches[thing, k] = bank.radius[thing] + bank.feel[i, ROUNDING]
            for c in range(3):
                bank.places[thing, k, c] = bank.feel[i, PLACE + c]
    body = bank.gripper_body[gripper]
    position = layout.array(table, layout.XPOS)[body]
    w, i, j, k = bank.quats[body]
    x, y, z = sub(center, (position[0], position[1], position[2]))
    relative = bank.relative[thing]
    relative[0], relative[1], relative[2] = rotated(w, -i, -j, -k, x, y, z)


@kernel
def ball_center(
    table: IntArray, bank: GraspBank, thing: int, gripper: int
) -> tuple[Vec3, bool]:
    """Return (centre, is_solved) of a ball on the chosen points, world axes [m]."""
    P1, r1 = _point(table, bank, thing, gripper, 0)
    P2, r2 = _point(table, bank, thing, gripper, 1)
    P3, r3 = _point(table, bank, thing, gripper, 2)
    old = _old_center(table, bank, thing, gripper)
    above, status = three_spheres(P1, P2, P3, r1, r2, r3, 1.0)
    below, _ = three_spheres(P1, P2, P3, r1, r2, r3, -1.0)
    is_above = norm(sub(above, old)) <= norm(sub(below, old))
    is_flat = 0.5 * norm(sub(above, below)) < FLAT * max(r1, r2, r3)
    return above if is_above else below, status == CLOSED and not is_flat


@kernel
def _old_center(table: IntArray, bank: GraspBank, thing: int, gripper: int) -> Vec3:
    """Return where a ball is: for one that is held, where its gripper carries it."""
    position = layout.array(table, layout.XPOS)
    if bank.holder[thing] == gripper:
        body = bank.gripper_body[gripper]
        x, y, z, _, _, _, _ = carried_pose(
            position[body], bank.quats[body], bank.relative[thing]
        )
        return x, y, z
    place = position[bank.things[thing, BODY]]
    return place[0], place[1], place[2]


@kernel
def _was_moved(table: IntArray, bank: GraspBank, thing: int) -> bool:
    """Say whether somebody has taken a held ball away."""
    place = layout.array(table, layout.XPOS)[bank.things[thing, BODY]]
    carried = _old_center(table, bank, thing, bank.holder[thing])
    way = norm(sub((place[0], place[1], place[2]), carried))
    return way > MOVED * bank.radius[thing]


@kernel
def _point(
    table: IntArray, bank: GraspBank, thing: int, gripper: int, k: int
) -> tuple[Vec3, float]:
    """Return the k-th chosen point in the world and how far the centre is from it."""
    i = bank.chosen[gripper, k] if bank.chosen[gripper, 0] != KEPT else KEPT
    if i == KEPT:
        place = bank.places[thing, k]
        body, reach = bank.points[thing, k], bank.reaches[thing, k]
    else:
        place = bank.feel[i, PLACE : PLACE + 3]
        body = bank.touches[i, FINGER]
        reach = bank.radius[thing] + bank.feel[i, ROUNDING]
    return _in_world(table, bank, body, place), reach


@kernel
def _in_world(table: IntArray, bank: GraspBank, body: int, place: FloatArray) -> Vec3:
    """Return a point of a body in the world."""
    position = layout.array(table, layout.XPOS)[body]
    w, x, y, z = bank.quats[body]
    turned = rotated(w, x, y, z, place[0], place[1], place[2])
    return add((position[0], position[1], position[2]), turned)


@kernel
def _choose_touches(
    table: IntArray, bank: GraspBank, thing: int, gripper: int, count: int
) -> bool:
    """Choose the three touches that press most and are not in line, if there are."""
    chosen = bank.chosen[gripper]
    for k in range(3):
        chosen[k] = KEPT
        for i in range(count):
            is_here = bank.touches[i, THING] == thing
            if not is_here or bank.touches[i, GRIPPER] != gripper:
                continue
            distance = bank.feel[i, DISTANCE]
            if distance > POINT_GAP or not _spreads(table, bank, chosen, k, i):
                continue
            if chosen[k] == KEPT or distance < bank.feel[chosen[k], DISTANCE]:
                chosen[k] = i
        if chosen[k] == KEPT:
            return False
    return True


@kernel
def _spreads(
    table: IntArray, bank: GraspBank, chosen: IntArray, k: int, i: int
) -> bool:
    """Say whether touch i is away from the k chosen ones and from their line."""
    if k == 0:
        return True
    place = bank.feel[i, PLACE : PLACE + 3]
    P = _in_world(table, bank, bank.touches[i, FINGER], place)
    a = chosen[0]
    place = bank.feel[a, PLACE : PLACE + 3]
    A = _in_world(table, bank, bank.touches[a, FINGER], place)
    if k == 1:
        return norm(sub(P, A)) > SPREAD
    b = chosen[1]
    place = bank.feel[b, PLACE : PLACE + 3]
    line = sub(_in_world(table, bank, bank.touches[b, FINGER], place), A)
    return norm(cross(line, sub(P, A))) > SPREAD * norm(line)
