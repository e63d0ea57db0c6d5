"""Time of impact: when bouncing bodies will meet.

Contacts are found before they happen: bodies that move get a detection gap as wide as
they can travel in the rest of the tick. For each pair in reach the time of impact
follows from distance, closing speed and gravity. The distance along the normal of
bodies that fly and do not turn never falls faster than that, so the step to the
earliest time does not overshoot; after a glancing miss one looks again. Where something
else has drawn them together, one sees by how much the step came too late.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gelenk.kernels.compile import kernel
from gelenk.sim.bridge import layout
from gelenk.sim.contact import bank as columns
from gelenk.typing import FloatArray, IntArray, Vec3

if TYPE_CHECKING:
    from gelenk.sim.contact.bank import ContactBank


NEVER = np.inf
DRIVEN = 1000.0  # how motors may accelerate a point of a link [m/s^2]
OVERSHOOT = 5.0  # times the touch distance: deeper means that the step was too long


@kernel
def set_gaps(table: IntArray, bank: ContactBank, horizon: float) -> None:
    """Widen the detection gap of what moves to its way within `horizon` [s]."""
    gap = layout.vector(table, layout.GEOM_GAP)
    body_margin = layout.vector(table, layout.BODY_MARGIN)
    margin = layout.vector(table, layout.GEOM_MARGIN)
    body_of = layout.indices(table, layout.GEOM_BODYID)
    kind = layout.indices(table, layout.GEOM_TYPE)
    bound = layout.vector(table, layout.GEOM_RBOUND)
    centre = layout.array(table, layout.GEOM_XPOS)
    qvel = layout.vector(table, layout.QVEL)
    falling = 40.0 * horizon * horizon
    driven = 0.5 * DRIVEN * horizon * horizon
    geom: int
    for geom in bank.fast_geoms:
        body = body_of[geom]
        body_margin[body] = 0.0
    for geom in bank.fast_geoms:
        body = body_of[geom]
        flyer = bank.flyer_of_body[body]
        spin = 0.0
        other = falling if flyer >= 0 else driven
        if flyer >= 0:
            dof = bank.flyers[flyer, 2]
            speed = np.sqrt(qvel[dof] ** 2 + qvel[dof + 1] ** 2 + qvel[dof + 2] ** 2)
            if bank.flyers[flyer, 3]:
                spin = np.sqrt(
                    qvel[dof + 3] ** 2 + qvel[dof + 4] ** 2 + qvel[dof + 5] ** 2
                )
        else:
            vx, vy, vz = point_velocity(
                table, body, centre[geom, 0], centre[geom, 1], centre[geom, 2]
            )
            speed = np.sqrt(vx * vx + vy * vy + vz * vz)
            spin = turning_rate(table, body)
        if kind[geom] != layout.SPHERE:
            speed += spin * bound[geom]
        gap[geom] = max(1.3 * horizon * speed + other, bank.least_gap[geom])
        body_margin[body] = max(body_margin[body], gap[geom] + margin[geom])


@kernel
def point_velocity(table: IntArray, body: int, x: float, y: float, z: float) -> Vec3:
    """Return the velocity of the point of a body that is at (x, y, z), world axes."""
    cvel = layout.array(table, layout.CVEL)
    com = layout.array(table, layout.SUBTREE_COM)
    root = layout.indices(table, layout.BODY_ROOTID)[body]
    wx, wy, wz = cvel[body, 0], cvel[body, 1], cvel[body, 2]
    rx, ry, rz = x - com[root, 0], y - com[root, 1], z - com[root, 2]
    return (
        cvel[body, 3] + wy * rz - wz * ry,
        cvel[body, 4] + wz * rx - wx * rz,
        cvel[body, 5] + wx * ry - wy * rx,
    )


@kernel
def turning_rate(table: IntArray, body: int) -> float:
    """Return the magnitude of a body's angular velocity."""
    cvel = layout.array(table, layout.CVEL)
    return np.sqrt(cvel[body, 0] ** 2 + cvel[body, 1] ** 2 + cvel[body, 2] ** 2)


@kernel
def closing_speed(table: IntArray, row: FloatArray, body_1: int, body_2: int) -> float:
    """Return how fast a contact's second body leaves the first along the normal."""
    x, y, z = row[layout.POS], row[layout.POS + 1], row[layout.POS + 2]
    ax, ay, az = point_velocity(table, body_1, x, y, z)
    bx, by, bz = point_velocity(table, body_2, x, y, z)
    nx, ny, nz = row[layout.FRAME], row[layout.FRAME + 1], row[layout.FRAME + 2]
    return (bx - ax) * nx + (by - ay) * ny + (bz - az) * nz


@kernel
def scan(
    table: IntArray,
    bank: ContactBank,
    is_held: IntArray,
    horizon: float,
    last: float,
    land: float,
) -> tuple[int, float, float, bool]:
    """Look at all pairs that bounce.

    Args:
        table: Addresses of the engine's arrays, after its position stage.
        bank: Contact bank.
        is_held: Scratch (nbody,): becomes 1 for bodies that something touches.
        horizon: Rest of the tick; later impacts are none [s].
        last: Length of the sub-step that led here [s].
        land: Slower pairs are left to the engine's own contact [m/s].

    Returns:
        Number of impacts now; time to the next [s], or NEVER; by how much the last
        sub-step was too long, 0 if it was not [s]; whether something that is driven or
        turns may meet something without being foreseen.
    """
    rows = layout.contact_floats(table)
    ints = layout.contact_ints(table)
    body_of = layout.indices(table, layout.GEOM_BODYID)
    gravity = layout.vector(table, layout.GRAVITY)
    touch = bank.settings[columns.TOUCH_DISTANCE]
    _mark_held(ints, body_of, is_held)
    hits = 0
    earliest, late = NEVER, 0.0
    is_risky = False
    for i in range(rows.shape[0]):
        geom_1: int
        geom_2: int
        geom_1, geom_2 = ints[i, layout.GEOM], ints[i, layout.GEOM + 1]
        if geom_1 < 0 or geom_2 < 0:
            continue
        e = bank.restitution[bank.material[geom_1], bank.material[geom_2]]
        if np.isnan(e):
            continue
        row = rows[i]
        body_1, body_2 = body_of[geom_1], body_of[geom_2]
        speed = closing_speed(table, row, body_1, body_2)
        if row[layout.DIST] <= touch:
            if speed < -land:
                hits += 1
                since = (0.25 * touch - row[layout.DIST]) / -speed
                # what overlapped before the sub-step is not its fault
                if row[layout.DIST] < -OVERSHOOT * touch and since < last:
                    late = max(late, since)
            continue
        fall = gravity[0] * row[layout.FRAME]
        fall += gravity[1] * row[layout.FRAME + 1]
        fall += gravity[2] * row[layout.FRAME + 2]
        pull = 0.0
        if bank.flyer_of_body[body_2] >= 0 and not is_held[body_2]:
            pull += fall
        if bank.flyer_of_body[body_1] >= 0 and not is_held[body_1]:
            pull -= fall
        time = _time_of_impact(row[layout.DIST] - 0.25 * touch, speed, pull, land)
        earliest = min(earliest, time)
        swing = _swing(table, bank, geom_1, row) + _swing(table, bank, geom_2, row)
        reach = (0.5 * swing * horizon - speed) * horizon
        is_risky = is_risky or (swing > 0.0 and row[layout.DIST] < reach)
    return hits, earliest if earliest < horizon else NEVER, late, is_risky


@kernel
def _swing(table: IntArray, bank: ContactBank, geom: int, row: FloatArray) -> float:
    """Return about how fast something else than gravity accelerates a geom's surface.

    0 for what rests, or flies without turning or as a ball; else what the turning makes
    and, for links, as much as motors may add [m/s^2].
    """
    body = layout.indices(table, layout.GEOM_BODYID)[geom]
    if layout.indices(table, layout.BODY_TREEID)[body] < 0:
        return 0.0
    spin = turning_rate(table, body)
    if bank.flyer_of_body[body] < 0:
        x, y, z = row[layout.POS], row[layout.POS + 1], row[layout.POS + 2]
        vx, vy, vz = point_velocity(table, body, x, y, z)
        return spin * np.sqrt(vx * vx + vy * vy + vz * vz) + DRIVEN
    is_sphere = layout.indices(table, layout.GEOM_TYPE)[geom] == layout.SPHERE
    middle = layout.array(table, layout.XIPOS)[body]
    square = 0.0
    for c in range(3):
        # how a sphere turns does not matter, only how its centre moves
        place = (
            layout.array(table, layout.GEOM_XPOS)[geom, c]
            if is_sphere
            else row[layout.POS + c]
        )
        square += (place - middle[c]) ** 2
    return spin * spin * np.sqrt(square)


@kernel
def _mark_held(
    ints: NDArray[np.int32], body_of: NDArray[np.int32], is_held: IntArray
) -> None:
    is_held[:] = 0
    for i in range(ints.shape[0]):
        if ints[i, layout.EFC_ADDRESS] >= 0:
            geom_1, geom_2 = ints[i, layout.GEOM], ints[i, layout.GEOM + 1]
            if geom_1 >= 0:
                is_held[body_of[geom_1]] = 1
            if geom_2 >= 0:
                is_held[body_of[geom_2]] = 1


@kernel
def _time_of_impact(distance: float, speed: float, pull: float, least: float) -> float:
    """Return the first t > 0 with distance + speed t + pull t^2 / 2 = 0, or NEVER.

    NEVER also when the bodies meet slower than `least`.
    """
    square = speed * speed - 2.0 * pull * distance
    if square < least * least:
        return NEVER
    meeting = np.sqrt(square)
    # the root without cancellation; a rising body meets on its way back
    if speed < 0.0:
        return 2.0 * distance / (meeting - speed)
    if pull < 0.0:
        return (speed + meeting) / -pull
    return NEVER
