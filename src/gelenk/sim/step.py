"""Compiled loop of the world: ticks without returning to Python."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.experimental import structref

from gelenk.kernels.compile import kernel
from gelenk.sim.bridge import layout
from gelenk.sim.cameras.schedule import CaptureBank, capture
from gelenk.sim.contact import bank as contact_columns
from gelenk.sim.contact.bank import ContactBank
from gelenk.sim.contact.drive import Drive
from gelenk.sim.contact.tick import advance, advance_by_engine, resist_motion
from gelenk.sim.conveyor import BeltBank
from gelenk.sim.external_force import PushBank, push_bodies
from gelenk.sim.fault_bank import switch_motor_faults
from gelenk.sim.grasp import carry_held
from gelenk.sim.grasp_bank import GraspBank
from gelenk.sim.loop_bank import LoopBank, write_loops
from gelenk.sim.motors.advance import advance_motors
from gelenk.sim.motors.bank import MotorBank
from gelenk.sim.sensor_tick import Senses, sense
from gelenk.sim.zone_bank import ZoneBank, watch_zones
from gelenk.typing import FloatArray, IntArray

DONE, DRAIN, NOT_FINITE = range(3)  # why the loop ended


class Banks(NamedTuple):
    """Everything of a world that is not the engine's, as arrays.

    Attributes:
        clock: Number of the coming tick, (1,).
        contact: Bouncing and sliding.
        drive: Prescribed joints.
        belts: Conveyors.
        motors: Motors.
        loops: Closed chains of ideal motors.
        grasps: Grippers and what they hold.
        pushes: Wrenches that act on bodies from outside.
        senses: Sensors, and the faults of motors and sensors.
        captures: States that the cameras have exposed.
        zones: Circles and barriers that notice objects.
        watched: Addresses of the objects that zones watch, in qpos, (no,).
        offsets: Offsets from there to the positions [m], (no, 3).
        positions: Scratch: positions of the watched objects, (no, 3).
        resistance: Resistance of each flyer: rolling, scratch, in flight, (3, flyers).
        black_box: qpos and qvel of the last ticks, (kept, nq + nv).
    """

    clock: IntArray
    contact: ContactBank
    drive: Drive
    belts: BeltBank
    motors: MotorBank
    loops: LoopBank
    grasps: GraspBank
    pushes: PushBank
    senses: Senses
    captures: CaptureBank
    zones: ZoneBank
    watched: IntArray
    offsets: FloatArray
    positions: FloatArray
    resistance: FloatArray
    black_box: FloatArray


@kernel
def run_ticks(table: IntArray, banks: Banks, h: float, count: int) -> int:
    """Advance the world by up to `count` ticks.

    Returns:
        Why it ended: DONE; DRAIN: buffers want to be emptied; NOT_FINITE.
    """
    # Banks are taken apart before the loop, and what is empty is passed over there:
    # every look into a bank counts the references to all of its arrays.
    contact, motors, drive, belts = (
        banks.contact, banks.motors, banks.drive, banks.belts
    )  # fmt: skip
    senses, grasps, captures = banks.senses, banks.grasps, banks.captures
    loops, pushes = banks.loops, banks.pushes
    faults, zones, clock = banks.senses.faults, banks.zones, banks.clock
    black_box, positions = banks.black_box, banks.positions
    has_faults = faults.motor_changes.shape[0] > 0
    has_motors = motors.ints.shape[0] > 0
    has_loops = loops.robots.shape[0] > 0
    has_sensors = senses.sensors.ints.shape[0] > 0
    has_grasps = grasps.gripper_body.shape[0] > 0
    has_captures = captures.taken.shape[0] > 0
    qpos = layout.vector(table, layout.QPOS)
    qvel = layout.vector(table, layout.QVEL)
    applied = layout.vector(table, layout.QFRC_APPLIED)
    armature = layout.vector(table, layout.DOF_ARMATURE)
    damping = layout.vector(table, layout.DOF_DAMPING)
    friction = layout.vector(table, layout.DOF_FRICTIONLOSS)
    mocap_pos = layout.array(table, layout.MOCAP_POS)
    mocap_quat = layout.array(table, layout.MOCAP_QUAT)
    time = layout.scalar(table, layout.TIME)
    has_resistance = banks.resistance.shape[1] > 0 and banks.resistance.max() > 0.0
    is_engine = contact.settings[contact_columns.IS_ENGINE] > 0.0
    limit = contact.events.shape[0] - contact_columns.EVENT_RESERVE
    for _ in range(count):
        if contact.counters[contact_columns.EVENTS] > limit:
            return DRAIN
        tick = clock[0]
        first_event = contact.counters[contact_columns.EVENTS]
        before = _remember(black_box, tick, qpos, qvel)
        if has_faults:
            switch_motor_faults(faults, motors.fault, tick)
        if has_motors:
            advance_motors(
                motors,
                qpos,
                qvel,
                applied,
                drive.q,
                drive.v,
                armature,
                damping,
                friction,
                h,
                tick,
            )
        if has_loops:
            write_loops(table, loops, drive, h, tick)
        if pushes.active[0] > 0:
            push_bodies(table, pushes, tick)
        if is_engine:
            advance_by_engine(table, contact, drive, belts, h)
        else:
            advance(table, contact, drive, belts, h, tick * h)
        if has_resistance:
            resist_motion(table, contact, banks.resistance, h)
        if has_grasps:
            carry_held(table, grasps)
        tick += 1
        clock[0] = tick
        time[0] = tick * h
        if not _is_finite(qpos, qvel):
            return NOT_FINITE
        if has_sensors:
            sense(table, senses, contact, motors.state, before, first_event, h, tick)
        if has_captures:
            capture(captures, tick, qpos, mocap_pos, mocap_quat)
        if positions.shape[0] > 0:
            _locate(qpos, banks.watched, banks.offsets, positions)
            if watch_zones(zones, positions, tick):
                return DRAIN
    return DONE


@kernel
def _remember(
    black_box: FloatArray, tick: int, qpos: FloatArray, qvel: FloatArray
) -> FloatArray:
    row = black_box[tick % black_box.shape[0]]
    nq = qpos.shape[0]
    row[:nq] = qpos
    row[nq:] = qvel
    return row[nq:]


@kernel
def _is_finite(qpos: FloatArray, qvel: FloatArray) -> bool:
    total = 0.0
    for i in range(qpos.shape[0]):
        total += 0.0 * qpos[i]
    for i in range(qvel.shape[0]):
        total += 0.0 * qvel[i]
    return total == 0.0


@kernel
def _locate(
    qpos: FloatArray, watched: IntArray, offsets: FloatArray, positions: FloatArray
) -> None:
    for i in range(watched.shape[0]):
        for c in range(3):
            positions[i, c] = offsets[i, c] + qpos[watched[i] + c]


def latest_rows(black_box: FloatArray, tick: int) -> tuple[IntArray, FloatArray]:
    """Return the kept ticks and their states, oldest first.

    Args:
        black_box: Ring of states, (kept, n).
        tick: Number of the tick that would be written next.
    """
    kept = min(tick, len(black_box))
    ticks = np.arange(tick - kept, tick)
    return ticks, black_box[ticks % len(black_box)]


@structref.register
class _HandleType(types.StructRef):
    """Compiled type of a `Handle`."""

    def preprocess_fields(self, fields: Any) -> Any:
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


class Handle(structref.StructRefProxy):
    """A world's table of addresses and its banks; make it with `hold`."""

    table: IntArray
    banks: Banks


structref.define_proxy(Handle, _HandleType, ["table", "banks"])


@kernel
def hold(table: IntArray, banks: Banks) -> Handle:
    """Return a handle of a world's arrays."""
    return Handle(table, banks)


@kernel
def run_held(handle: Handle, h: float, count: int) -> int:
    """Advance a world by up to `count` ticks, see `run_ticks`."""
    return run_ticks(handle.table, handle.banks, h, count)
