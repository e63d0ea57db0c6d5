"""What happens when bodies meet: impulses through the mass matrix.

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

import numpy as np

from gelenk.core.kernels.compile import kernel
from gelenk.sim.bridge import layout
from gelenk.sim.bridge.calls import mj_jac, mj_solve_m
from gelenk.sim.contact import bank as columns
from gelenk.sim.contact.scan import closing_speed

MAX_BLOWS = 200  # pairs answered in one moment
MAX_SWEEPS = 500  # over the points of one pair
PRECISION = 1e-12  # of those sweeps, relative to the approach

E, MU, SURFACE, BEFORE, IMPULSE = 0, 1, 2, 5, 6  # columns of room.numbers
CONTACT, BODY_1, BODY_2, READY = range(4)  # columns of room.contacts


@kernel
def resolve_impacts(table, bank, time):
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
                _prepare(table, room, k)
            speed = _velocity(table, room, k)[0]
            if speed < fastest:
                worst, fastest = k, speed
        if worst < 0:
            return blow
        _strike(table, bank, count, worst, time)
    return MAX_BLOWS


@kernel
def _gather(table, bank):
    """Collect the contacts that touch; return their number."""
    rows = layout.contact_floats(table)
    ints = layout.contact_ints(table)
    body_of = layout.indices(table, layout.GEOM_BODYID)
    touch = bank.settings[columns.TOUCH_DISTANCE]
    contacts, numbers = bank.room.contacts, bank.room.numbers
    count = 0
    for i in range(rows.shape[0]):
        geom_1, geom_2 = ints[i, layout.GEOM], ints[i, layout.GEOM + 1]
        is_apart = geom_1 < 0 or geom_2 < 0 or rows[i, layout.DIST] > touch
        if is_apart or count == contacts.shape[0]:
            continue
        contacts[count, CONTACT] = i
        contacts[count, BODY_1] = body_of[geom_1]
        contacts[count, BODY_2] = body_of[geom_2]
        contacts[count, READY] = 0
        e = bank.restitution[bank.material[geom_1], bank.material[geom_2]]
        numbers[count, E] = e
        has_friction = ints[i, layout.DIM] > 1
        numbers[count, MU] = rows[i, layout.FRICTION] if has_friction else 0.0
        # the surface of body 2 relative to that of body 1, along the tangents
        numbers[count, SURFACE] = 0.0
        numbers[count, SURFACE + 1] = rows[i, layout.SURFACEVEL]
        numbers[count, SURFACE + 2] = rows[i, layout.SURFACEVEL + 1]
        numbers[count, BEFORE] = 0.0
        if not np.isnan(e):
            numbers[count, BEFORE] = closing_speed(
                table, rows[i], body_of[geom_1], body_of[geom_2]
            )
        count += 1
    return count


@kernel
def _takes_part(table, room, k, land):
    """Say whether contact k met by itself, or a blow has reached its bodies."""
    tree_of = layout.indices(table, layout.BODY_TREEID)
    tree_1 = tree_of[room.contacts[k, BODY_1]]
    tree_2 = tree_of[room.contacts[k, BODY_2]]
    if room.numbers[k, BEFORE] < -land:
        return True
    is_hit_1 = tree_1 >= 0 and room.is_hit[tree_1] == 1
    return is_hit_1 or (tree_2 >= 0 and room.is_hit[tree_2] == 1)


@kernel
def _prepare(table, room, k):
    """Fill Jacobian, response and inverse inertia of contact k."""
    row = layout.contact_floats(table)[room.contacts[k, CONTACT]]
    model, data = table[layout.MODEL, 0], table[layout.DATA, 0]
    nv = room.rows.shape[1]
    jacobian = room.jacobian[k]
    room.point[:] = row[layout.POS : layout.POS + 3]
    jacobian[:] = 0.0
    for side in range(2):
        body = room.contacts[k, BODY_1 + side]
        mj_jac(model, data, room.rows.ctypes.data, 0, room.point.ctypes.data, body)
        sign = 2.0 * side - 1.0
        for axis in range(3):
            for c in range(3):
                weight = sign * row[layout.FRAME + 3 * axis + c]
                for dof in range(nv):
                    jacobian[axis, dof] += weight * room.rows[c, dof]
    pushed = room.rows[:3]
    pushed[:] = jacobian
    for dof in range(nv):
        if room.is_driven[dof]:
            pushed[:, dof] = 0.0
    answer = room.response[k]
    mj_solve_m(model, data, answer.ctypes.data, pushed.ctypes.data, 3)
    for dof in range(nv):
        if room.is_driven[dof]:
            answer[:, dof] = 0.0
    for a in range(3):
        for b in range(3):
            room.matrix[k, a, b] = np.dot(jacobian[a], answer[b])
    room.contacts[k, READY] = 1


@kernel
def _velocity(table, room, k):
    """Return the relative velocity at contact k: normal, two tangents, (3,)."""
    qvel = layout.vector(table, layout.QVEL)
    jacobian, numbers = room.jacobian[k], room.numbers[k]
    u = np.empty(3)
    for axis in range(3):
        total = numbers[SURFACE + axis]
        for dof in range(qvel.shape[0]):
            total += jacobian[axis, dof] * qvel[dof]
        u[axis] = total
    return u


@kernel
def _push(table, room, k, p):
    """Add the impulse p (3,) at contact k to the velocities."""
    qvel = layout.vector(table, layout.QVEL)
    answer = room.response[k]
    for dof in range(qvel.shape[0]):
        qvel[dof] += (
            answer[0, dof] * p[0] + answer[1, dof] * p[1] + answer[2, dof] * p[2]
        )


@kernel
def _strike(table, bank, count, worst, time):
    """Answer the pair of bodies that contact `worst` belongs to, and report it."""
    room = bank.room
    qvel = layout.vector(table, layout.QVEL)
    room.before[:] = qvel
    body_1, body_2 = room.contacts[worst, BODY_1], room.contacts[worst, BODY_2]
    group = np.empty(count, dtype=np.int64)
    size = 0
    for k in range(count):
        if room.contacts[k, BODY_1] == body_1 and room.contacts[k, BODY_2] == body_2:
            if not room.contacts[k, READY]:
                _prepare(table, room, k)
            group[size] = k
            size += 1
    group = group[:size]
    bounce = bank.settings[columns.BOUNCE_SPEED]
    for attempt in range(3):  # with friction; without; without bounce
        gain = _solve_group(table, room, group, bounce, attempt)
        if gain <= 0.0 or attempt == 2:
            break
        qvel[:] = room.before
    tree_of = layout.indices(table, layout.BODY_TREEID)
    for body in (body_1, body_2):
        if tree_of[body] >= 0:
            room.is_hit[tree_of[body]] = 1
    for dof in range(qvel.shape[0]):
        bank.velocity_jump[dof] += qvel[dof] - room.before[dof]
    _report(table, bank, group, worst, time)


@kernel
def _solve_group(table, room, group, bounce, attempt):
    """Give the points of one pair their impulses; return the energy they add [J].

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
        start[i] = _velocity(table, room, group[i])
        room.numbers[group[i], BEFORE] = start[i, 0]
        room.numbers[group[i], IMPULSE : IMPULSE + 3] = 0.0
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
        after = _velocity(table, room, group[i])
        for axis in range(3):
            p = room.numbers[group[i], IMPULSE + axis]
            gain += 0.5 * p * (start[i, axis] + after[axis])
    return gain


@kernel
def _relax(table, room, k, wanted, mu):
    """Bring contact k to its law, the others held; return the relative change."""
    u = _velocity(table, room, k)
    old = room.numbers[k, IMPULSE : IMPULSE + 3].copy()
    # the velocity that the others alone would leave here
    free = u - room.matrix[k] @ old
    new = contact_impulse(room.matrix[k], free, wanted, mu)
    step = new - old
    _push(table, room, k, step)
    room.numbers[k, IMPULSE : IMPULSE + 3] = new
    scale = np.abs(u[0]) + np.abs(wanted) + 1e-9
    return np.sqrt(np.sum(step * step)) * room.matrix[k, 0, 0] / scale


@kernel
def contact_impulse(matrix, free, wanted, mu):
    """Return the impulse of one contact (normal, two tangents), shape (3,).

    Args:
        matrix: Inverse inertia felt at the contact, J M^-1 J^T, (3, 3) [1/kg].
        free: Relative velocity without the impulse, (3,) [m/s].
        wanted: Normal velocity after it, >= 0 [m/s].
        mu: Coefficient of friction.
    """
    p = np.zeros(3)
    need = wanted - free[0]
    if need <= 0.0 or matrix[0, 0] <= 0.0:
        return p
    if mu <= 0.0:
        p[0] = need / matrix[0, 0]
        return p
    goal = np.array([need, -free[1], -free[2]])
    stick = np.linalg.solve(matrix, goal)
    if stick[0] >= 0.0 and np.hypot(stick[1], stick[2]) <= mu * stick[0]:
        return stick
    slip = np.hypot(free[1], free[2])
    if slip > 0.0:
        s1, s2 = free[1] / slip, free[2] / slip
    else:  # friction acts against the motion that the normal impulse starts
        side = np.hypot(matrix[1, 0], matrix[2, 0])
        s1 = matrix[1, 0] / side if side > 0.0 else 0.0
        s2 = matrix[2, 0] / side if side > 0.0 else 0.0
    felt = matrix[0, 0] - mu * (matrix[0, 1] * s1 + matrix[0, 2] * s2)
    if felt < 0.05 * matrix[0, 0]:  # jamming: friction alone would stop the normal
        p[0] = need / matrix[0, 0]
        return p
    p[0] = need / felt
    p[1], p[2] = -mu * p[0] * s1, -mu * p[0] * s2
    return p


@kernel
def _report(table, bank, group, worst, time):
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
