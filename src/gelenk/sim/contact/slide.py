"""Sliding without hops.

MuJoCo's contact is a convex problem: the normal acceleration of a sliding contact comes
out too large by T = |mu * y|, where y is the tangential acceleration minus its
reference. That reference asks to stop the slip within milliseconds, so that fast bodies
are kicked off the ground. The cure keeps MuJoCo's solver and has two parts.

`limit_references` shortens the reference of fast contacts. Coulomb's friction does not
grow with the slip; the reference must only point against it and ask for more than
friction can give. T is then some m/s^2 instead of thousands. The demanded normal
acceleration is lowered by S, the T of the last step's acceleration: where sliding goes
on as before, this is all.

`correct_sliding` looks at the answer. Where S differs from T, it solves again with a
better S. A shortened contact that sticks was asked for too little; it gets a longer
reference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gelenk.kernels.compile import kernel
from gelenk.sim.bridge import layout
from gelenk.sim.bridge.layout import mj_fwd_constraint, mj_mul_jac_vec
from gelenk.sim.contact import bank as columns
from gelenk.typing import FloatArray, IntArray, Vec3

if TYPE_CHECKING:
    from gelenk.sim.contact.bank import ContactBank


MAX_SOLVES = 1
SPARE = 1.5  # what a reference asks for, over what friction is expected to give
NEGLIGIBLE = 0.01  # [m/s^2], a lift that is not worth a thought
SHORTEST = 0.5  # [m/s^2] reference of a contact that friction can do nothing for
LENGTHEN = 4.0  # of a reference that turned out too short


@kernel
def limit_references(
    table: IntArray,
    bank: ContactBank,
    original: FloatArray,
    share: FloatArray,
    shift: FloatArray,
) -> bool:
    """Shorten the friction references of contacts that slide fast.

    Call it before the engine's constraint stage.

    Args:
        table: Addresses of the engine's arrays, after its velocity stage.
        bank: Contact bank.
        original: References of all constraint rows, (nefc,), written.
        share: Part of its references that each contact keeps, (ncon,), written.
        shift: S of each contact, (ncon,), written.

    Returns:
        True if some contact may slide.
    """
    rows, ints = layout.contact_floats(table), layout.contact_ints(table)
    aref = layout.constraint_rows(table, layout.EFC_AREF)
    original[:] = aref
    gravity = layout.vector(table, layout.GRAVITY)
    weight = np.sqrt(gravity[0] ** 2 + gravity[1] ** 2 + gravity[2] ** 2)
    tolerance = bank.settings[columns.SLIDE_TOLERANCE]
    before = layout.vector(table, layout.QACC_WARMSTART)
    product = np.empty(aref.shape[0])
    model, data = table[layout.MODEL, 0], table[layout.DATA, 0]
    mj_mul_jac_vec(model, data, product.ctypes.data, before.ctypes.data)
    may_slide = False
    for i in range(rows.shape[0]):
        share[i], shift[i] = 1.0, 0.0
        row, dim = ints[i, layout.EFC_ADDRESS], ints[i, layout.DIM]
        if row < 0 or dim < 3:
            continue
        asked = _weighed(rows[i], dim, aref, row)
        if asked <= NEGLIGIBLE:
            continue
        may_slide = may_slide or asked > tolerance
        given = _grip(table, rows[i], ints[i], aref, asked)
        given *= weight + max(aref[row], 0.0)
        enough = SPARE * given + SHORTEST
        share[i] = min(enough / asked, 1.0)
        _set_reference(aref, original, row, dim, share[i], 0.0)
        # as if it went on as in the last step; friction only takes from what is asked
        shift[i] = _residual(rows[i], dim, product, aref, row)
        shift[i] = min(shift[i], min(asked, enough))
        aref[row] = original[row] - shift[i]
    return may_slide


@kernel
def correct_sliding(
    table: IntArray,
    bank: ContactBank,
    original: FloatArray,
    share: FloatArray,
    shift: FloatArray,
) -> int:
    """Solve the contact problem again until no sliding contact is lifted.

    Call it after the engine's constraint stage; accelerations and forces are then those
    of Coulomb friction.

    Args:
        table: Addresses of the engine's arrays.
        bank: Contact bank.
        original: References of all rows, as `limit_references` left them.
        share: Share of each contact, likewise.
        shift: Shift of each contact, likewise.

    Returns:
        Number of extra solves.
    """
    model, data = table[layout.MODEL, 0], table[layout.DATA, 0]
    ints = layout.contact_ints(table)
    aref = layout.constraint_rows(table, layout.EFC_AREF)
    product = np.empty(aref.shape[0])
    lift_before, shift_before = np.zeros(share.shape[0]), np.zeros(share.shape[0])
    qacc = layout.vector(table, layout.QACC)
    warmstart = layout.vector(table, layout.QACC_WARMSTART)
    if not _any_acts(table, share):
        return 0
    for solves in range(MAX_SOLVES):
        mj_mul_jac_vec(model, data, product.ctypes.data, qacc.ctypes.data)
        is_done = True
        for i in range(ints.shape[0]):
            row, dim = ints[i, layout.EFC_ADDRESS], ints[i, layout.DIM]
            if row < 0 or dim < 3:
                continue
            old_share, old_shift = share[i], shift[i]
            share[i], shift[i], lift = _adjusted(
                table, bank, i, product, original, share[i], shift[i],
                lift_before[i], shift_before[i],
            )  # fmt: skip
            if share[i] != old_share or shift[i] != old_shift:
                lift_before[i], shift_before[i] = lift, old_shift
                _set_reference(aref, original, row, dim, share[i], shift[i])
                is_done = False
        if is_done:
            return solves
        warmstart[:] = qacc
        mj_fwd_constraint(model, data)
    return MAX_SOLVES


@kernel
def _adjusted(
    table: IntArray,
    bank: ContactBank,
    i: int,
    product: FloatArray,
    original: FloatArray,
    share: float,
    shift: float,
    old_lift: float,
    old_shift: float,
) -> Vec3:
    """Return share and shift of contact i for the next solve, and its present T."""
    rows, ints = layout.contact_floats(table), layout.contact_ints(table)
    aref = layout.constraint_rows(table, layout.EFC_AREF)
    state = layout.constraint_states(table)[ints[i, layout.EFC_ADDRESS]]
    row, dim = ints[i, layout.EFC_ADDRESS], ints[i, layout.DIM]
    tolerance = bank.settings[columns.SLIDE_TOLERANCE]
    if state == layout.SATISFIED:  # no force: it must only not be drawn inwards
        is_drawn = shift > 0.0 and product[row] - original[row] < -tolerance
        return share, 0.5 * shift if is_drawn else shift, 0.0
    if state != layout.CONE:
        if share < 1.0:  # it sticks: it was asked for too little
            return min(LENGTHEN * share, 1.0), 0.0, 0.0
        return share, 0.0 if shift > tolerance else shift, 0.0
    lift = _residual(rows[i], dim, product, aref, row)
    if np.abs(lift - shift) <= tolerance:
        return share, shift, lift
    asked = _weighed(rows[i], dim, aref, row)
    slope = _grip(table, rows[i], ints[i], aref, asked)
    slope = slope / (1.0 + slope)
    moved = shift - old_shift
    if old_lift > 0.0 and np.abs(moved) > 1e-6:
        slope = min(max((lift - old_lift) / moved, 0.0), 0.9)
    return share, max(shift + (lift - shift) / (1.0 - slope), 0.0), lift


@kernel
def _any_acts(table: IntArray, share: FloatArray) -> bool:
    """Say whether some contact slides, or sticks on a shortened reference."""
    ints = layout.contact_ints(table)
    states = layout.constraint_states(table)
    for i in range(ints.shape[0]):
        row = ints[i, layout.EFC_ADDRESS]
        if row < 0 or ints[i, layout.DIM] < 3:
            continue
        if states[row] == layout.CONE or (states[row] != 0 and share[i] < 1.0):
            return True
    return False


@kernel
def _grip(
    table: IntArray,
    contact: FloatArray,
    ints: NDArray[np.int32],
    reference: FloatArray,
    asked: float,
) -> float:
    """Return k: T that friction itself causes, over the normal acceleration it needs.

    k is the sum of w_j^2 times the inertia ratio of row j, where w_j = mu_j^2 y_j / T
    is the direction of friction. The ratios are those of a lone body: along the surface
    3.5 for a solid ball and 1 for what does not roll, about axes mass over inertia.
    """
    if asked == 0.0:  # no slip at all: friction has no direction yet
        return 0.0
    body_of = layout.indices(table, layout.GEOM_BODYID)
    kind = layout.indices(table, layout.GEOM_TYPE)
    mass = layout.vector(table, layout.BODY_MASS)
    inertia = layout.array(table, layout.BODY_INERTIA)
    one, other = ints[layout.GEOM], ints[layout.GEOM + 1]
    is_ball = kind[one] == layout.SPHERE or kind[other] == layout.SPHERE
    body = body_of[one]
    is_lighter = 0.0 < mass[body_of[other]] < mass[body]
    if mass[body] <= 0.0 or is_lighter:
        body = body_of[other]
    turning = inertia[body, 0] + inertia[body, 1] + inertia[body, 2]
    about = 3.0 * mass[body] / turning if turning > 0.0 else 0.0
    along = 3.5 if is_ball else 1.0
    k = 0.0
    for j in range(1, ints[layout.DIM]):
        mu = contact[layout.FRICTION + j - 1]
        w = mu * mu * reference[ints[layout.EFC_ADDRESS] + j] / asked
        k += w * w * (along if j < 3 else about)
    return k


@kernel
def _weighed(contact: FloatArray, dim: int, reference: FloatArray, row: int) -> float:
    """Return |mu * reference| over the friction rows of a contact [m/s^2]."""
    total = 0.0
    for j in range(1, dim):
        y = contact[layout.FRICTION + j - 1] * reference[row + j]
        total += y * y
    return np.sqrt(total)


@kernel
def _residual(
    contact: FloatArray, dim: int, product: FloatArray, reference: FloatArray, row: int
) -> float:
    """Return T = |mu * (J a - reference)| over the friction rows [m/s^2]."""
    total = 0.0
    for j in range(1, dim):
        y = contact[layout.FRICTION + j - 1] * (product[row + j] - reference[row + j])
        total += y * y
    return np.sqrt(total)


@kernel
def _set_reference(
    aref: FloatArray,
    original: FloatArray,
    row: int,
    dim: int,
    share: float,
    shift: float,
) -> None:
    aref[row] = original[row] - shift
    for j in range(1, dim):
        aref[row + j] = share * original[row + j]
