"""Impulses of impacts through the mass matrix.

The law at one contact, with u the relative velocity (normal, two tangents) and A the
inverse inertia felt there: the normal velocity turns into -e times itself; friction
stops the tangential velocity if that needs no more than mu times the normal impulse,
else it opposes the slip with exactly that. Contacts that touch at once are treated in
the order of their approach, the fastest first, until none approaches: a cradle of balls
passes the blow on. Points of the same two bodies are solved together, so that a box
falling flat does not turn. No blow adds energy: where friction at an eccentric contact
would, the blow goes without friction.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.sim.bridge import layout
from gelenk.sim.bridge.layout import mj_jac, mj_solve_m
from gelenk.sim.contact import bank as columns
from gelenk.sim.contact.law import contact_impulse
from gelenk.sim.contact.scan import closing_speed
from gelenk.typing import FloatArray, IntArray, Vec3

if TYPE_CHECKING:
    from gelenk.sim.contact.bank import ContactBank, ImpactRoom


REACH = 6  # contacts that one moment passes a blow on through
MAX_BLOWS = 200  # pairs answered in one moment
MAX_SWEEPS = 500  # over the points of one pair
PRECISION = 1e-12  # of those sweeps, relative to the approach
ROUNDING = 1e-12  # share of a blow's energy that counts as none: e = 1 must stay 1

E, MU, SURFACE, BEFORE, IMPULSE = 0, 1, 2, 5, 6  # columns of room.numbers
CONTACT, BODY_1, BODY_2, READY = range(4)  # columns of room.contacts


@kernel
def resolve_impacts(table: IntArray, bank: ContactBank, time: float) -> int:
    """Answer all impacts of this moment: changes qvel, appends events.

    Args:
        table: Addresses of the engine's arrays, after its velocity stage.
        bank: Contact bank.
        time: Simulated time of the impact [s], for the events.

    Returns:
        Number of pairs that were answered.
    """
    room = bank.room
    land = bank.settings[columns.LAND_SPEED]
    room.is_hit[:] = 0
    count = _gather(table, bank)
    for blow in range(MAX_BLOWS):
        worst = -1
        fastest = -land
        for k in range(count):
            if not _takes_part(table, room, k, land):
                continue
            if not room.contacts[k, READY]:
                _prepare(table, bank, k)
            speed = _velocity(table, room, k)[0]
            if speed < fastest:
                worst, fastest = k, speed
        if worst < 0:
            return blow
        _strike(table, bank, count, worst, time)
    return MAX_BLOWS


@kernel
def _gather(table: IntArray, bank: ContactBank) -> int:
    """Collect the contacts that meet, and what they may pass the blow on to.

    Returns:
        Number of contacts in the room; those that meet come first.
    """
    rows = layout.contact_floats(table)
    ints = layout.contact_ints(table)
    room = bank.room
    touch = bank.settings[columns.TOUCH_DISTANCE]
    land = bank.settings[columns.LAND_SPEED]
    is_in = np.zeros(rows.shape[0], dtype=np.bool_)
    count = 0
    for layer in range(REACH):
        known = count
        for i in range(rows.shape[0]):
            geom_1, geom_2 = ints[i, layout.GEOM], ints[i, layout.GEOM + 1]
            is_apart = geom_1 < 0 or geom_2 < 0 or rows[i, layout.DIST] > touch
            if is_in[i] or is_apart or count == room.contacts.shape[0]:
                continue
            if layer == 0:
                is_in[i] = _approach(table, bank, i) < -land
            else:
                is_in[i] = _shares_tree(table, room, known, geom_1, geom_2)
            if is_in[i]:
                _enter(table, bank, count, i)
                count += 1
        if count == known:
            break
    return count


@kernel
def _approach(table: IntArray, bank: ContactBank, i: int) -> float:
    """Return the normal velocity of contact i; 0 for a pair that does not bounce."""
    ints = layout.contact_ints(table)[i]
    body_of = layout.indices(table, layout.GEOM_BODYID)
    geom_1: int
    geom_2: int
    geom_1, geom_2 = ints[layout.GEOM], ints[layout.GEOM + 1]
    e = bank.restitution[bank.material[geom_1], bank.material[geom_2]]
    if np.isnan(e):
        return 0.0
    row = layout.contact_floats(table)[i]
    return closing_speed(table, row, body_of[geom_1], body_of[geom_2])


@kernel
def _shares_tree(
    table: IntArray, room: ImpactRoom, known: int, geom_1: int, geom_2: int
) -> bool:
    """Say whether a pair of geoms shares a moving tree with a contact in the room."""
    body_of = layout.indices(table, layout.GEOM_BODYID)
    tree_of = layout.indices(table, layout.BODY_TREEID)
    tree_1, tree_2 = tree_of[body_of[geom_1]], tree_of[body_of[geom_2]]
    for k in range(known):
        for side in range(2):
            tree = tree_of[room.contacts[k, BODY_1 + side]]
            if tree >= 0 and tree in (tree_1, tree_2):
                return True
    return False


@kernel
def _enter(table: IntArray, bank: ContactBank, k: int, i: int) -> None:
    """Put contact i into place k of the room."""
    row, ints = layout.contact_floats(table)[i], layout.contact_ints(table)[i]
    body_of = layout.indices(table, layout.GEOM_BODYID)
    contact, numbers = bank.room.contacts[k], bank.room.numbers[k]
    geom_1, geom_2 = ints[layout.GEOM], ints[layout.GEOM + 1]
    contact[CONTACT], contact[READY] = i, 0
    contact[BODY_1], contact[BODY_2] = body_of[geom_1], body_of[geom_2]
    numbers[E] = bank.restitution[bank.material[geom_1], bank.material[geom_2]]
    numbers[MU] = row[layout.FRICTION] if ints[layout.DIM] > 1 else 0.0
    # the surface of body 2 relative to that of body 1, along the tangents
    numbers[SURFACE] = 0.0
    numbers[SURFACE + 1] = row[layout.SURFACEVEL]
    numbers[SURFACE + 2] = row[layout.SURFACEVEL + 1]
    numbers[BEFORE] = _approach(table, bank, i)


@kernel
def _takes_part(table: IntArray, room: ImpactRoom, k: int, land: float) -> bool:
    """Say whether contact k met by itself, or a blow has reached its bodies."""
    tree_of = layout.indices(table, layout.BODY_TREEID)
    tree_1: Any = tree_of[room.contacts[k, BODY_1]]
    tree_2: Any = tree_of[room.contacts[k, BODY_2]]
    if room.numbers[k, BEFORE] < -land:
        return True
    is_hit_1 = tree_1 >= 0 and room.is_hit[tree_1] == 1
    return is_hit_1 or (tree_2 >= 0 and room.is_hit[tree_2] == 1)


@kernel
def _prepare(table: IntArray, bank: ContactBank, k: int) -> None:
    """Fill Jacobian, response and inverse inertia of contact k."""
    room = bank.room
    row = layout.contact_floats(table)[room.contacts[k, CONTACT]]
    tree_of = layout.indices(table, layout.BODY_TREEID)
    first = layout.indices(table, layout.TREE_DOFADR)
    number = layout.indices(table, layout.TREE_DOFNUM)
    room.matrix[k] = 0.0
    for side in range(2):
        body: int = room.contacts[k, BODY_1 + side]
        tree = tree_of[body]
        room.spans[k, side, 1] = 0
        if tree < 0:
            continue
        room.spans[k, side, 0], room.spans[k, side, 1] = first[tree], number[tree]
        flyer = bank.flyer_of_body[body]
        if flyer >= 0 and bank.flyers[flyer, 4]:
            _feel_flyer(table, bank, k, side, row, flyer)
        else:
            _feel_tree(table, bank, k, side, row)
        for a in range(3):
            for b in range(3):
                for c in range(number[tree]):
                    room.matrix[k, a, b] += (
                        room.jacobian[k, side, a, c] * room.response[k, side, b, c]
                    )
    room.contacts[k, READY] = 1


@kernel
def _feel_flyer(
    table: IntArray, bank: ContactBank, k: int, side: int, row: FloatArray, flyer: int
) -> None:
    """Fill one side of contact k for a lone body with its inertia along its axes."""
    body = bank.flyers[flyer, 0]
    mass = layout.vector(table, layout.BODY_MASS)[body]
    inertia = layout.array(table, layout.BODY_INERTIA)[body]
    centre = layout.array(table, layout.XPOS)[body]
    R = layout.array(table, layout.XMAT)[body]
    jacobian, answer = bank.room.jacobian[k, side], bank.room.response[k, side]
    sign = 2.0 * side - 1.0
    rx = row[layout.POS] - centre[0]
    ry = row[layout.POS + 1] - centre[1]
    rz = row[layout.POS + 2] - centre[2]
    for axis in range(3):
        n = row[layout.FRAME + 3 * axis : layout.FRAME + 3 * axis + 3]
        for c in range(3):
            jacobian[axis, c] = sign * n[c]
            answer[axis, c] = sign * n[c] / mass
        if not bank.flyers[flyer, 3]:
            continue
        mx = ry * n[2] - rz * n[1]
        my = rz * n[0] - rx * n[2]
        mz = rx * n[1] - ry * n[0]
        for c in range(3):  # MuJoCo keeps the angular velocity in body axes
            turn = sign * (R[c] * mx + R[3 + c] * my + R[6 + c] * mz)
            jacobian[axis, 3 + c] = turn
            answer[axis, 3 + c] = turn / inertia[c]


@kernel
def _feel_tree(
    table: IntArray, bank: ContactBank, k: int, side: int, row: FloatArray
) -> None:
    """Fill one side of contact k for a body of any tree, by the engine's own means."""
    room = bank.room
    model, data = table[layout.MODEL, 0], table[layout.DATA, 0]
    start, count = room.spans[k, side]
    pushed, answered = room.rows[:3], room.rows[3:]
    room.point[:] = row[layout.POS : layout.POS + 3]
    body = room.contacts[k, BODY_1 + side]
    mj_jac(model, data, answered.ctypes.data, 0, room.point.ctypes.data, body)
    sign = 2.0 * side - 1.0
    pushed[:] = 0.0
    for axis in range(3):
        for c in range(count):
            total = 0.0
            for x in range(3):
                total += row[layout.FRAME + 3 * axis + x] * answered[x, start + c]
            room.jacobian[k, side, axis, c] = sign * total
            if not room.is_driven[start + c]:
                pushed[axis, start + c] = sign * total
    mj_solve_m(model, data, answered.ctypes.data, pushed.ctypes.data, 3)
    for axis in range(3):
        for c in range(count):
            is_driven = room.is_driven[start + c]
            value = 0.0 if is_driven else answered[axis, start + c]
            room.response[k, side, axis, c] = value


@kernel
def _velocity(table: IntArray, room: ImpactRoom, k: int) -> Vec3:
    """Return the relative velocity at contact k: along the normal, two tangents."""
    qvel = layout.vector(table, layout.QVEL)
    u_n = room.numbers[k, SURFACE]
    u_1, u_2 = room.numbers[k, SURFACE + 1], room.numbers[k, SURFACE + 2]
    for side in range(2):
        start, count = room.spans[k, side, 0], room.spans[k, side, 1]
        for c in range(count):
            v = qvel[start + c]
            u_n += room.jacobian[k, side, 0, c] * v
            u_1 += room.jacobian[k, side, 1, c] * v
            u_2 += room.jacobian[k, side, 2, c] * v
    return u_n, u_1, u_2


@kernel
def _push(
    table: IntArray, room: ImpactRoom, k: int, p_n: float, p_1: float, p_2: float
) -> None:
    """Add an impulse at contact k to the velocities."""
    qvel = layout.vector(table, layout.QVEL)
    for side in range(2):
        start, count = room.spans[k, side, 0], room.spans[k, side, 1]
        answer = room.response[k, side]
        for c in range(count):
            change = answer[0, c] * p_n + answer[1, c] * p_1 + answer[2, c] * p_2
            qvel[start + c] += change


@kernel
def _strike(
    table: IntArray, bank: ContactBank, count: int, worst: int, time: float
) -> None:
    """Answer the pair of bodies that contact `worst` belongs to, and report it."""
    room = bank.room
    body_1, body_2 = room.contacts[worst, BODY_1], room.contacts[worst, BODY_2]
    group = np.empty(count, dtype=np.int64)
    size = 0
    for k in range(count):
        if room.contacts[k, BODY_1] == body_1 and room.contacts[k, BODY_2] == body_2:
            if not room.contacts[k, READY]:
                _prepare(table, bank, k)
            group[size] = k
            size += 1
    group = group[:size]
    qvel = layout.vector(table, layout.QVEL)
    spans = room.spans[worst]
    for start, number in spans:
        room.before[start : start + number] = qvel[start : start + number]
    bounce = bank.settings[columns.BOUNCE_SPEED]
    for attempt in range(3):  # with friction; without; without bounce
        gain = _solve_group(table, room, group, bounce, attempt)
        if gain <= 0.0 or attempt == 2:
            break
        for start, number in spans:
            qvel[start : start + number] = room.before[start : start + number]
    tree_of = layout.indices(table, layout.BODY_TREEID)
    for side in range(2):
        tree = tree_of[room.contacts[worst, BODY_1 + side]]
        if tree >= 0:
            room.is_hit[tree] = 1
    _report(table, bank, group, worst, time)


@kernel
def _solve_group(
    table: IntArray, room: ImpactRoom, group: IntArray, bounce: float, attempt: int
) -> float:
    """Give the points of one pair their impulses; return the energy they add [J].

    Rounding does not count: the answer is positive only beyond it.

    Args:
        table: Addresses of the engine's arrays.
        room: Scratch; `numbers` gets speed before and impulse of each point.
        group: Points of the pair.
        bounce: Slower points do not bounce [m/s].
        attempt: 0: full law, 1: without friction, 2: without bounce too.
    """
    size = group.shape[0]
    start = np.empty((size, 3))
    for i in range(size):
        start[i, 0], start[i, 1], start[i, 2] = _velocity(table, room, group[i])
        room.numbers[group[i], BEFORE] = start[i, 0]
        for axis in range(3):
            room.numbers[group[i], IMPULSE + axis] = 0.0
    for _ in range(1 if size == 1 else MAX_SWEEPS):
        change = 0.0
        for i in range(size):
            k = group[i]
            e = room.numbers[k, E]
            if np.isnan(e) or start[i, 0] > -bounce or attempt == 2:
                e = 0.0
            mu = room.numbers[k, MU] if attempt == 0 else 0.0
            wanted = -e * min(start[i, 0], 0.0)
            change = max(change, _relax(table, room, k, wanted, mu))
        if change < PRECISION:
            break
    gain = 0.0
    for i in range(size):
        v_n, v_1, v_2 = _velocity(table, room, group[i])
        gain += _work(room.numbers[group[i], IMPULSE], start[i, 0], v_n)
        gain += _work(room.numbers[group[i], IMPULSE + 1], start[i, 1], v_1)
        gain += _work(room.numbers[group[i], IMPULSE + 2], start[i, 2], v_2)
    return gain


@kernel
def _work(p: float, before: float, after: float) -> float:
    """Return the energy that an impulse adds, less what rounding may feign [J]."""
    return 0.5 * p * (before + after) - ROUNDING * abs(p * before)


@kernel
def _relax(
    table: IntArray, room: ImpactRoom, k: int, wanted: float, mu: float
) -> float:
    """Bring contact k to its law, the others held; return the relative change."""
    u_n, u_1, u_2 = _velocity(table, room, k)
    a, old = room.matrix[k], room.numbers[k, IMPULSE : IMPULSE + 3]
    # the velocity that the others alone would leave here
    p_n, p_1, p_2 = contact_impulse(
        a,
        u_n - a[0, 0] * old[0] - a[0, 1] * old[1] - a[0, 2] * old[2],
        u_1 - a[1, 0] * old[0] - a[1, 1] * old[1] - a[1, 2] * old[2],
        u_2 - a[2, 0] * old[0] - a[2, 1] * old[1] - a[2, 2] * old[2],
        wanted,
        mu,
    )
    d_n, d_1, d_2 = p_n - old[0], p_1 - old[1], p_2 - old[2]
    _push(table, room, k, d_n, d_1, d_2)
    old[0], old[1], old[2] = p_n, p_1, p_2
    scale = abs(u_n) + abs(wanted) + 1e-9
    return math.sqrt(d_n * d_n + d_1 * d_1 + d_2 * d_2) * a[0, 0] / scale


@kernel
def _report(
    table: IntArray, bank: ContactBank, group: IntArray, worst: int, time: float
) -> None:
    """Append the blow to the events and to the sums of the tick."""
    room = bank.room
    ints = layout.contact_ints(table)
    rows = layout.contact_floats(table)
    impulse, point = np.zeros(3), np.zeros(3)
    total = 0.0
    for k in group:
        row = rows[room.contacts[k, CONTACT]]
        p = room.numbers[k, IMPULSE : IMPULSE + 3]
        for axis in range(3):
            for c in range(3):
                impulse[c] += p[axis] * row[layout.FRAME + 3 * axis + c]
        for c in range(3):
            point[c] += p[0] * row[layout.POS + c]
        total += p[0]
    if total > 0.0:
        point /= total
    for side in range(2):
        bank.body_impulse[room.contacts[worst, BODY_1 + side]] += total
    number = bank.counters[columns.EVENTS]
    if number >= bank.events.shape[0]:
        return
    event = bank.events[number]
    i = room.contacts[worst, CONTACT]
    event[columns.IMPACT_TIME] = time
    event[columns.IMPACT_GEOM_1] = ints[i, layout.GEOM]
    event[columns.IMPACT_GEOM_2] = ints[i, layout.GEOM + 1]
    event[columns.IMPACT_IMPULSE : columns.IMPACT_IMPULSE + 3] = impulse
    event[columns.IMPACT_POINT : columns.IMPACT_POINT + 3] = point
    event[columns.IMPACT_SPEED] = -room.numbers[worst, BEFORE]
    event[columns.IMPACT_RESTITUTION] = room.numbers[worst, E]
    bank.counters[columns.EVENTS] = number + 1
