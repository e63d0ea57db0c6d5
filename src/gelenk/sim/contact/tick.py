"""One tick of contact: from impact to impact, then to the end of the tick."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.sim.bridge import layout
from gelenk.sim.bridge.layout import (
    mj_fwd_acceleration,
    mj_fwd_actuation,
    mj_fwd_constraint,
    mj_implicit,
    mj_sensor_acc,
    mj_step,
    mj_step1,
    mj_step2,
)
from gelenk.sim.contact import bank as columns
from gelenk.sim.contact.drive import begin_drive, carry_drive, follow_drive
from gelenk.sim.contact.impulse import resolve_impacts
from gelenk.sim.contact.scan import NEVER, point_velocity, scan, set_gaps
from gelenk.sim.contact.slide import correct_sliding, limit_references
from gelenk.sim.conveyor import run_belts, set_belt_priorities
from gelenk.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from gelenk.sim.contact.bank import ContactBank
    from gelenk.sim.contact.drive import Drive
    from gelenk.sim.conveyor import BeltBank


@kernel
def keep_start(table: IntArray, start: FloatArray) -> None:
    """Copy what a sub-step changes into `start`, (nq + 2 nv + 1 + na,)."""
    qpos = layout.vector(table, layout.QPOS)
    qvel = layout.vector(table, layout.QVEL)
    nq, nv = qpos.shape[0], qvel.shape[0]
    start[:nq] = qpos
    start[nq : nq + nv] = qvel
    start[nq + nv : nq + 2 * nv] = layout.vector(table, layout.QACC_WARMSTART)
    start[nq + 2 * nv] = layout.scalar(table, layout.TIME)[0]
    start[nq + 2 * nv + 1 :] = layout.vector(table, layout.ACT)


@kernel
def go_back(table: IntArray, start: FloatArray) -> None:
    """Write what `keep_start` has kept."""
    qpos = layout.vector(table, layout.QPOS)
    qvel = layout.vector(table, layout.QVEL)
    nq, nv = qpos.shape[0], qvel.shape[0]
    qpos[:] = start[:nq]
    qvel[:] = start[nq : nq + nv]
    warmstart = layout.vector(table, layout.QACC_WARMSTART)
    warmstart[:] = start[nq + nv : nq + 2 * nv]
    layout.scalar(table, layout.TIME)[0] = start[nq + 2 * nv]
    layout.vector(table, layout.ACT)[:] = start[nq + 2 * nv + 1 :]


MAX_SUBSTEPS = 100  # then the rest of the tick goes without looking for impacts
PATIENCE = 4  # sub-steps; each further one overlooks impacts a little faster,
OVERLOOKED = 2e-4  # but none that could go deeper than this in the rest of the tick [m]
MAX_ROUNDS = 8  # of impacts at one moment
LAST_LOOK = 0.999  # of the rest of a tick, where an impact may come unforeseen
MAX_RETREATS = 4  # from one sub-step that was too long


@kernel
def advance(
    table: IntArray,
    bank: ContactBank,
    drive: Drive,
    belts: BeltBank,
    h: float,
    start: float,
) -> None:
    """Advance the engine by one tick.

    Args:
        table: Addresses of the engine's arrays.
        bank: Contact bank.
        drive: Joints whose motion is prescribed.
        belts: Conveyors.
        h: Length of the tick [s].
        start: Simulated time at its begin [s].
    """
    timestep = layout.scalar(table, layout.TIMESTEP)
    model, data = table[layout.MODEL, 0], table[layout.DATA, 0]
    bank.body_impulse[:] = 0.0
    bounces = bank.fast_geoms.shape[0] > 0
    start_of_step = bank.room.start
    remaining, last, shortened = h, 0.0, NEVER
    rounds = retreats = 0
    land = bank.settings[columns.LAND_SPEED]
    begin_drive(table, drive, bank.room.is_driven)
    set_belt_priorities(table, belts)
    for substep in range(MAX_SUBSTEPS * MAX_ROUNDS):
        if bounces:
            set_gaps(table, bank, remaining)
        mj_step1(model, data)
        carry_drive(table, drive, bank.room.is_driven)
        run_belts(table, belts, h)
        dt = remaining
        if substep > PATIENCE:
            land = min(1.5 * land, max(land, OVERLOOKED / remaining))
        if bounces and substep < MAX_SUBSTEPS:
            hits, earliest, late, is_risky = scan(
                table, bank, bank.room.is_held, remaining, last, land
            )
            if late > 0.0 and retreats < MAX_RETREATS:
                go_back(table, start_of_step)
                remaining, shortened, last = remaining + last, last - late, 0.0
                retreats += 1
                continue
            if hits > 0 and rounds < MAX_ROUNDS:
                resolve_impacts(table, bank, start + h - remaining)
                rounds, retreats, last = rounds + 1, 0, 0.0
                continue
            if is_risky and remaining > 0.01 * h:
                shortened = min(shortened, LAST_LOOK * remaining)
            if min(earliest, shortened) < remaining * (1.0 - 1e-9):
                dt = min(earliest, shortened)
            keep_start(table, start_of_step)
        rounds = 0
        timestep[0] = dt
        finish_step(table, bank, dt)
        last, shortened = dt, NEVER
        bank.counters[columns.SUBSTEPS] += 1
        remaining = max(remaining - dt, 0.0)
        follow_drive(table, drive, remaining)
        if remaining <= 1e-12 * h:
            break
    timestep[0] = h
    bank.counters[columns.TICKS] += 1


@kernel
def advance_by_engine(
    table: IntArray, bank: ContactBank, drive: Drive, belts: BeltBank, h: float
) -> None:
    """Advance the engine by one tick with its own contacts and integrator.

    Args:
        table: Addresses of the engine's arrays.
        bank: Contact bank.
        drive: Joints whose motion is prescribed.
        belts: Conveyors.
        h: Length of the tick [s].
    """
    model, data = table[layout.MODEL, 0], table[layout.DATA, 0]
    bank.body_impulse[:] = 0.0
    if drive.dofs.shape[0] == 0 and belts.params.shape[0] == 0:
        mj_step(model, data)
    else:
        begin_drive(table, drive, bank.room.is_driven)
        set_belt_priorities(table, belts)
        mj_step1(model, data)
        carry_drive(table, drive, bank.room.is_driven)
        run_belts(table, belts, h)
        mj_step2(model, data)
        follow_drive(table, drive, 0.0)
    bank.counters[columns.TICKS] += 1


@kernel
def finish_step(table: IntArray, bank: ContactBank, dt: float) -> None:
    """Do the rest of a step after the engine's position and velocity stages."""
    model, data = table[layout.MODEL, 0], table[layout.DATA, 0]
    qvel = layout.vector(table, layout.QVEL)
    mj_fwd_actuation(model, data)
    mj_fwd_acceleration(model, data)
    solves = 0
    if layout.count(table, layout.NCON) > 0:
        original = np.empty(layout.count(table, layout.NEFC))
        share = np.empty(layout.count(table, layout.NCON))
        shift = np.empty(share.shape[0])
        may_slide = limit_references(table, bank, original, share, shift)
        mj_fwd_constraint(model, data)
        if may_slide:
            solves = correct_sliding(table, bank, original, share, shift)
    else:
        mj_fwd_constraint(model, data)
    layout.forget_rne(table)  # else sensors see the forces of the very first step
    if solves > 0:
        bank.counters[columns.EXTRA_SOLVES] += solves
    mj_sensor_acc(model, data)
    bank.room.before[:] = qvel
    mj_implicit(model, data)
    correct_flight(table, bank, dt)


@kernel
def correct_flight(table: IntArray, bank: ContactBank, dt: float) -> None:
    """Turn the engine's first-order step into the exact parabola for flying bodies."""
    qpos = layout.vector(table, layout.QPOS)
    qvel = layout.vector(table, layout.QVEL)
    force = layout.vector(table, layout.QFRC_CONSTRAINT)
    before = bank.room.before
    for i in range(bank.flyers.shape[0]):
        position, dof = bank.flyers[i, 1], bank.flyers[i, 2]
        is_touched = False
        for j in range(6 if bank.flyers[i, 3] else 3):
            is_touched = is_touched or force[dof + j] != 0.0
        if not is_touched:
            for j in range(3):
                change = qvel[dof + j] - before[dof + j]
                qpos[position + j] -= 0.5 * dt * change


@kernel
def resist_motion(
    table: IntArray, bank: ContactBank, resistance: FloatArray, h: float
) -> None:
    """Brake the bodies that touch something, and those that fly.

    Args:
        table: Addresses of the engine's arrays, after a step.
        bank: Contact bank, for its flyers.
        resistance: Share of the speed that each flyer loses per second while it
            touches; scratch; the share while it flies, (3, k).
        h: Length of the tick [s].
    """
    rows, ints = layout.contact_floats(table), layout.contact_ints(table)
    body_of = layout.indices(table, layout.GEOM_BODYID)
    force = layout.constraint_rows(table, layout.EFC_FORCE)
    qvel = layout.vector(table, layout.QVEL)
    rolling, is_done, flying = resistance[0], resistance[1], resistance[2]
    is_done[:] = 0
    for i in range(rows.shape[0]):
        row = ints[i, layout.EFC_ADDRESS]
        if row < 0 or force[row] <= 0.0:
            continue
        for side in range(2):
            flyer = bank.flyer_of_body[body_of[ints[i, layout.GEOM + side]]]
            if flyer >= 0 and not is_done[flyer]:
                is_done[flyer] = 1
                if rolling[flyer] > 0.0:
                    other: Any = body_of[ints[i, layout.GEOM + 1 - side]]
                    keep = (1.0 - rolling[flyer]) ** h
                    _brake(table, bank.flyers[flyer], rows[i], other, side, keep)
    for flyer in range(flying.shape[0]):
        if flying[flyer] > 0.0 and not is_done[flyer]:
            keep = (1.0 - flying[flyer]) ** h
            for c in range(3):
                qvel[bank.flyers[flyer, 2] + c] *= keep


@kernel
def _brake(
    table: IntArray,
    flyer: IntArray,
    contact: FloatArray,
    other: int,
    side: int,
    keep: float,
) -> None:
    qvel = layout.vector(table, layout.QVEL)
    dof = flyer[2]
    x, y, z = contact[layout.POS], contact[layout.POS + 1], contact[layout.POS + 2]
    surface = np.array(point_velocity(table, other, x, y, z))
    frame = contact[layout.FRAME : layout.FRAME + 9]
    # the belt's own velocity: that of geom 2 minus geom 1, along the tangents
    sign = -1.0 if side == 1 else 1.0
    for axis in range(2):
        speed = sign * contact[layout.SURFACEVEL + axis]
        for c in range(3):
            surface[c] += speed * frame[3 + 3 * axis + c]
    normal = 0.0
    for c in range(3):
        normal += (qvel[dof + c] - surface[c]) * frame[c]
    for c in range(3):
        along = qvel[dof + c] - surface[c] - normal * frame[c]
        qvel[dof + c] -= (1.0 - keep) * along
        if flyer[3]:
            qvel[dof + 3 + c] *= keep
