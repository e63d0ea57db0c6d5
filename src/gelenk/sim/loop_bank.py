"""Closed chains of ideal motors inside the compiled tick.

The passive joints are computed from the motor values and written like these: exactly
closed, moved by nothing else. What closes at once is a unit: a pattern with a closed
form, or general loops that share passive joints. Where a unit cannot close, its joints
stay where they closed last; as soon as it can, it closes on the same branch.

While a motor of a robot hangs loose (a torn joint) its values say nothing; then the
engine holds the loops of this robot together, by constraints that sleep otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.kinematics.loops import closed_form
from gelenk.kinematics.loops.closed_form import close_pattern, wrapped
from gelenk.kinematics.loops.follow import (
    CLOSED,
    assemble_home,
    follow,
)
from gelenk.sim.bridge import layout
from gelenk.sim.motors.joint import IMMOVABLE_INERTIA
from gelenk.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from gelenk.sim.contact.drive import Drive


WHOLE_TURN = 2.0 * np.pi
HOME_EVERY = 10  # [ticks] between attempts to reach a broken unit from home

# Columns of `robots`: where its units, motors, constraints and followers begin and end.
(
    FIRST_UNIT, END_UNIT, FIRST_MOTOR, END_MOTOR,
    FIRST_EQUALITY, END_EQUALITY, FIRST_FOLLOWER, END_FOLLOWER, ROBOT_COLS,
) = range(9)  # fmt: skip

# Columns of `units`: its row in `plan`, -1 for general loops, and where its
# coordinates, loops, pairs of frames, passive and active joints and pivot equations
# begin and end.
(
    PLAN, FIRST_COORD, END_COORD, FIRST_LOOP, END_LOOP, FIRST_PAIR, END_PAIR,
    FIRST_PASSIVE, END_PASSIVE, FIRST_ACTIVE, END_ACTIVE, FIRST_PIVOT, END_PIVOT,
    UNIT_COLS,
) = range(14)  # fmt: skip

# Columns of `coords`; IS_OWN: set by the unit itself.
QPOS, DOF, IS_REVOLUTE, IS_OWN, COORD_COLS = range(5)

# Columns of `followers` (PLACE: in qpos; the other two are dofs) and of `breaks`.
FOLLOWER, PLACE, MASTER = range(3)
COUNT, TICK = range(2)

IS_CLOSED, IS_BROKEN, IS_LOOSE = range(3)  # in `mode`


class LoopBank(NamedTuple):
    """All loops of a world that are written, not held by the engine.

    Attributes:
        robots: Spans, (robots, ROBOT_COLS).
        motors: Dofs of the motors in the loops of each robot.
        equalities: Constraints that hold the loops while a motor is loose.
        followers: Joints that mimic others, (f, 3).
        laws: Multiplier and offset of each follower, (f, 2).
        units: Spans, (units, UNIT_COLS).
        coords: Joints of the robot's tree once for each of its units, (n, COORD_COLS).
        plan, segments: Patterns as `closed_form` reads them.
        pairs, chains, lengths: General loops as `constraint` reads them.
        active, passive, pivots: Data of each general unit for `follow`.
        loose: Armature, damping and dry friction without motor, (nv, 3).
        home: Assembled home of each general unit, (n,).
        q: Values when each unit was closed last, (n,).
        tried: Values of joints that the unit does not own, in the last tick, (n,).
        trial: Scratch, (n,).
        mode: Mode of each unit: IS_CLOSED, IS_BROKEN or IS_LOOSE, (units,).
        broken: Whether each loop is open, (loops,).
        breaks: Count of breaks of each loop, and tick of its last one, (loops, 2).
    """

    robots: IntArray
    motors: IntArray
    equalities: IntArray
    followers: IntArray
    laws: FloatArray
    units: IntArray
    coords: IntArray
    plan: IntArray
    segments: FloatArray
    pairs: IntArray
    chains: FloatArray
    lengths: FloatArray
    active: IntArray
    passive: IntArray
    pivots: IntArray
    loose: FloatArray
    home: FloatArray
    q: FloatArray
    tried: FloatArray
    trial: FloatArray
    mode: IntArray
    broken: IntArray
    breaks: IntArray


def state_arrays(bank: LoopBank) -> tuple[np.ndarray, ...]:
    """Return the arrays that change while stepping: copied, they are a snapshot."""
    return bank.q, bank.tried, bank.mode, bank.broken, bank.breaks


def forget_loops(bank: LoopBank, dofs: set[int], qpos: FloatArray) -> None:
    """Take over where the joints of a robot were put: closed, and without a leap.

    Args:
        bank: Loops of the world.
        dofs: Dofs of the robot.
        qpos: Joint values of the engine, (nq,).
    """
    for k, unit in enumerate(bank.units):
        coords = bank.coords[unit[FIRST_COORD] : unit[END_COORD]]
        if not dofs.isdisjoint(coords[:, DOF].tolist()):
            rows = slice(unit[FIRST_COORD], unit[END_COORD])
            bank.q[rows] = qpos[coords[:, QPOS]]
            bank.tried[rows] = np.nan
            bank.mode[k] = IS_CLOSED
            bank.broken[unit[FIRST_LOOP] : unit[END_LOOP]] = 0


@kernel
def write_loops(
    table: IntArray, bank: LoopBank, drive: Drive, h: float, tick: int
) -> None:
    """Prescribe the passive joints of the coming tick, after the motors are advanced.

    Args:
        table: Addresses of the engine's arrays.
        bank: The loops; their state advances.
        drive: Prescribed joints, read and written.
        h: Length of the tick [s].
        tick: Number of the tick.
    """
    held = layout.switches(table, layout.EQ_ACTIVE)
    for r in range(bank.robots.shape[0]):
        robot = bank.robots[r]
        is_loose = False
        for i in range(robot[FIRST_MOTOR], robot[END_MOTOR]):
            is_loose = is_loose or np.isnan(drive.v[bank.motors[i]])
        for i in range(robot[FIRST_EQUALITY], robot[END_EQUALITY]):
            held[bank.equalities[i]] = is_loose
        for k in range(robot[FIRST_UNIT], robot[END_UNIT]):
            if is_loose:
                _let_loose(table, bank, drive, k)
            else:
                _close_unit(table, bank, drive, k, h, tick)
        for i in range(robot[FIRST_FOLLOWER], robot[END_FOLLOWER]):
            dof, _, master = bank.followers[i]
            if is_loose:
                _free(table, bank, drive, dof)
            else:
                scale, offset = bank.laws[i]
                value = scale * drive.q[master] + offset
                _prescribe(table, drive, dof, value, scale * drive.v[master])


@kernel
def _close_unit(
    table: IntArray, bank: LoopBank, drive: Drive, k: int, h: float, tick: int
) -> None:
    """Prescribe the joints of a unit, closed if that is possible."""
    unit = bank.units[k]
    first, n = unit[FIRST_COORD], unit[END_COORD] - unit[FIRST_COORD]
    coords = bank.coords[first : first + n]
    q, trial = bank.q[first : first + n], bank.trial[first : first + n]
    before = bank.mode[k]
    is_closed = before == IS_CLOSED
    may_be_home = before == IS_BROKEN and tick % HOME_EVERY == 0
    if _look(table, drive, coords, bank.tried[first : first + n]) or may_be_home:
        is_closed = _solve(bank, k, trial, may_be_home)
    else:  # what was true for these values still is
        trial[:] = q
    for i in range(n):
        if coords[i, IS_OWN]:
            change = trial[i] - q[i] if is_closed else 0.0
            if coords[i, IS_REVOLUTE]:
                change = wrapped(change)
            # A chain that is found closed again leaps; its parts do not strike.
            v = change / h if before == IS_CLOSED else 0.0
            value = trial[i] if is_closed else q[i]
            _prescribe(table, drive, coords[i, DOF], value, v)
    if is_closed:
        q[:] = trial
    bank.mode[k] = IS_CLOSED if is_closed else IS_BROKEN
    for i in range(unit[FIRST_LOOP], unit[END_LOOP]):
        if not is_closed and not bank.broken[i]:
            bank.breaks[i, COUNT] += 1
            bank.breaks[i, TICK] = tick + 1
        bank.broken[i] = not is_closed


@kernel
def _look(table: IntArray, drive: Drive, coords: IntArray, tried: FloatArray) -> bool:
    """Read the joints that others set for the end of the tick; say if any changed."""
    qpos = layout.vector(table, layout.QPOS)
    is_changed = False
    for i in range(coords.shape[0]):
        if not coords[i, IS_OWN]:
            dof = coords[i, DOF]
            is_free = np.isnan(drive.v[dof])
            value = qpos[coords[i, QPOS]] if is_free else drive.q[dof]
            is_changed = is_changed or value != tried[i]
            tried[i] = value
    return is_changed


@kernel
def _solve(bank: LoopBank, k: int, trial: FloatArray, may_be_home: bool) -> bool:
    """Write the joints of a closed unit; return False if it does not close."""
    unit = bank.units[k]
    first, end = unit[FIRST_COORD], unit[END_COORD]
    _start_from(bank, k, bank.q[first:end], trial)
    if unit[PLAN] >= 0:
        status, _ = close_pattern(bank.plan, unit[PLAN], bank.segments, trial)
        return status == closed_form.CLOSED
    if _follow(bank, k, bank.q[first:end], trial):
        return True
    if not may_be_home:
        return False
    # Behind a gap in the range of a mechanism it may be reached from home again.
    _start_from(bank, k, bank.home[first:end], trial)
    return _follow(bank, k, bank.home[first:end], trial)


@kernel
def _start_from(bank: LoopBank, k: int, origin: FloatArray, trial: FloatArray) -> None:
    """Write the own joints of an origin, and the others as they are now."""
    first = bank.units[k, FIRST_COORD]
    for i in range(trial.shape[0]):
        is_own = bank.coords[first + i, IS_OWN]
        trial[i] = origin[i] if is_own else bank.tried[first + i]


@kernel
def _follow(bank: LoopBank, k: int, origin: FloatArray, trial: FloatArray) -> bool:
    """Follow general loops from an origin to where the motors are."""
    unit = bank.units[k]
    first = unit[FIRST_COORD]
    active = bank.active[unit[FIRST_ACTIVE] : unit[END_ACTIVE]]
    target = np.empty(active.shape[0])
    for i in range(active.shape[0]):
        c = active[i]
        target[i] = bank.tried[first + c]
        if bank.coords[first + c, IS_REVOLUTE]:
            turns = np.trunc((target[i] - origin[c]) / WHOLE_TURN)
            target[i] -= WHOLE_TURN * turns
        trial[c] = origin[c]
    pairs = slice(unit[FIRST_PAIR], unit[END_PAIR])
    status, _, _, _ = follow(
        bank.pairs[pairs],
        bank.chains,
        bank.lengths[pairs],
        active,
        bank.passive[unit[FIRST_PASSIVE] : unit[END_PASSIVE]],
        bank.pivots[unit[FIRST_PIVOT] : unit[END_PIVOT]],
        trial,
        target,
    )
    for c in active:
        trial[c] = bank.tried[first + c]
    return status == CLOSED


@kernel
def _let_loose(table: IntArray, bank: LoopBank, drive: Drive, k: int) -> None:
    """Leave the joints of a unit to the engine, and remember where it has them."""
    unit = bank.units[k]
    first, end = unit[FIRST_COORD], unit[END_COORD]
    qpos = layout.vector(table, layout.QPOS)
    for i in range(first, end):
        bank.q[i] = bank.trial[i] = qpos[bank.coords[i, QPOS]]
        bank.tried[i] = np.nan
        if bank.coords[i, IS_OWN]:
            _free(table, bank, drive, bank.coords[i, DOF])
    if unit[PLAN] < 0:  # following begins where all is closed to the last digit
        pairs = slice(unit[FIRST_PAIR], unit[END_PAIR])
        is_closed = assemble_home(
            bank.pairs[pairs],
            bank.chains,
            bank.lengths[pairs],
            bank.passive[unit[FIRST_PASSIVE] : unit[END_PASSIVE]],
            bank.trial[first:end],
        )
        if is_closed:
            bank.q[first:end] = bank.trial[first:end]
    bank.mode[k] = IS_LOOSE
    bank.broken[unit[FIRST_LOOP] : unit[END_LOOP]] = 0


@kernel
def _prescribe(
    table: IntArray, drive: Drive, dof: int, value: float, speed: float
) -> None:
    drive.q[dof], drive.v[dof] = value, speed
    layout.vector(table, layout.DOF_ARMATURE)[dof] = IMMOVABLE_INERTIA
    layout.vector(table, layout.DOF_DAMPING)[dof] = 0.0
    layout.vector(table, layout.DOF_FRICTIONLOSS)[dof] = 0.0


@kernel
def _free(table: IntArray, bank: LoopBank, drive: Drive, dof: int) -> None:
    drive.q[dof], drive.v[dof] = np.nan, np.nan
    layout.vector(table, layout.QFRC_APPLIED)[dof] = 0.0
    layout.vector(table, layout.DOF_ARMATURE)[dof] = bank.loose[dof, 0]
    layout.vector(table, layout.DOF_DAMPING)[dof] = bank.loose[dof, 1]
    layout.vector(table, layout.DOF_FRICTIONLOSS)[dof] = bank.loose[dof, 2]
