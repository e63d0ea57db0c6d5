"""When will bouncing bodies meet?

Contacts are found before they happen: bodies that move get a detection gap as wide as
they can travel in the rest of the tick. For each pair in reach the time of impact
follows from distance, closing speed and gravity. The distance along the normal of
convex bodies never falls faster than that, so the step to the earliest time does not
overshoot; after a glancing miss one looks again.
"""

from __future__ import annotations

import numpy as np

from gelenk.core.kernels.compile import kernel
from gelenk.sim.bridge import layout
from gelenk.sim.contact import bank as columns

NEVER = np.inf


@kernel
def set_gaps(table, bank, horizon):
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
    for geom in bank.fast_geoms:
        body = body_of[geom]
        body_margin[body] = 0.0
    for geom in bank.fast_geoms:
        body = body_of[geom]
        flyer = bank.flyer_of_body[body]
        spin = 0.0
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
        gap[geom] = 1.3 * horizon * speed + falling
        body_margin[body] = max(body_margin[body], gap[geom] + margin[geom])


@kernel
def point_velocity(table, body, x, y, z):
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
def turning_rate(table, body):
    """Return the magnitude of a body's angular velocity."""
    cvel = layout.array(table, layout.CVEL)
    return np.sqrt(cvel[body, 0] ** 2 + cvel[body, 1] ** 2 + cvel[body, 2] ** 2)


@kernel
def closing_speed(table, row, body_1, body_2):
    """Return how fast a contact's second body leaves the first along the normal."""
    x, y, z = row[layout.POS], row[layout.POS + 1], row[layout.POS + 2]
    ax, ay, az = point_velocity(table, body_1, x, y, z)
    bx, by, bz = point_velocity(table, body_2, x, y, z)
    nx, ny, nz = row[layout.FRAME], row[layout.FRAME + 1], row[layout.FRAME + 2]
    return (bx - ax) * nx + (by - ay) * ny + (bz - az) * nz


@kernel
def scan(table, bank, is_held, horizon):
    """Return the number of impacts now and the time to the next [s], or NEVER.

    Args:
        table: Addresses of the engine's arrays, after its position stage.
        bank: Contact bank.
        is_held: Scratch (nbody,): becomes 1 for bodies that something touches.
        horizon: Rest of the tick; later impacts are none [s].
    """
    rows = layout.contact_floats(table)
    ints = layout.contact_ints(table)
    body_of = layout.indices(table, layout.GEOM_BODYID)
    gravity = layout.vector(table, layout.GRAVITY)
    touch = bank.settings[columns.TOUCH_DISTANCE]
    land = bank.settings[columns.LAND_SPEED]
    _mark_held(ints, body_of, is_held)
    hits = 0
    earliest = NEVER
    for i in range(rows.shape[0]):
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
            hits += speed < -land
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
    return hits, earliest if earliest < horizon else NEVER


@kernel
def _mark_held(ints, body_of, is_held):
    is_held[:] = 0
    for i in range(ints.shape[0]):
        if ints[i, layout.EFC_ADDRESS] >= 0:
            geom_1, geom_2 = ints[i, layout.GEOM], ints[i, layout.GEOM + 1]
            if geom_1 >= 0:
                is_held[body_of[geom_1]] = 1
            if geom_2 >= 0:
                is_held[body_of[geom_2]] = 1


@kernel
def _time_of_impact(distance, speed, pull, least):
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
