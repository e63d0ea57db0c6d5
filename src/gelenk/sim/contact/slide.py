"""Sliding without hops.

MuJoCo's contact is a convex problem: the normal acceleration of a sliding contact comes
out too large by T = |mu * y|, where y is the tangential acceleration minus its
reference, which grows with the slip: sliding bodies are kicked off the ground. The cure
keeps MuJoCo's solver: the demanded normal acceleration is lowered by S and the problem
solved again until S = T, so that the answer has the demanded normal acceleration and
Coulomb's friction.
"""

from __future__ import annotations

import numpy as np

from gelenk.core.kernels.compile import kernel
from gelenk.sim.bridge import layout
from gelenk.sim.bridge.calls import mj_fwd_constraint, mj_mul_jac_vec
from gelenk.sim.contact import bank as columns

MAX_SOLVES = 12


@kernel
def correct_sliding(table, bank):
    """Solve the contact problem again until no sliding contact is lifted.

    Call it after the engine's constraint stage; accelerations and forces are then those
    of Coulomb friction.

    Returns:
        Number of extra solves.
    """
    tolerance = bank.settings[columns.SLIDE_TOLERANCE]
    if not _any_slides(table, tolerance):
        return 0
    model, data = table[layout.MODEL, 0], table[layout.DATA, 0]
    rows, ints = layout.contact_floats(table), layout.contact_ints(table)
    aref = layout.constraint_rows(table, layout.EFC_AREF)
    original = aref.copy()
    count = rows.shape[0]
    shift, lift = np.zeros(count), np.zeros(count)
    old_shift, old_lift = np.zeros(count), np.zeros(count)
    product = np.empty(aref.shape[0])
    qacc = layout.vector(table, layout.QACC)
    warmstart = layout.vector(table, layout.QACC_WARMSTART)
    for solves in range(MAX_SOLVES + 1):
        mj_mul_jac_vec(model, data, product.ctypes.data, qacc.ctypes.data)
        worst = 0.0
        for i in range(count):
            row = ints[i, layout.EFC_ADDRESS]
            if row < 0 or ints[i, layout.DIM] < 3:
                continue
            residual = product[row] - original[row]
            lift[i] = tangential_lift(
                rows[i], ints[i, layout.DIM], product, original, row
            )
            worst = max(worst, _distance(table, row, residual, lift[i], shift[i]))
        if worst <= tolerance or solves == MAX_SOLVES:
            return solves
        for i in range(count):
            row = ints[i, layout.EFC_ADDRESS]
            if row < 0 or ints[i, layout.DIM] < 3:
                continue
            slope = _guess(table, rows[i], ints[i])
            if solves > 0:
                slope = _secant(shift[i], lift[i], old_shift[i], old_lift[i], slope)
            new = max(shift[i] + (lift[i] - shift[i]) / (1.0 - slope), 0.0)
            old_shift[i], old_lift[i] = shift[i], lift[i]
            shift[i] = new
            aref[row] = original[row] - new
        warmstart[:] = qacc
        mj_fwd_constraint(model, data)
    return MAX_SOLVES


@kernel
def _any_slides(table, tolerance):
    """Say whether some contact slides: its force lies on the cone."""
    ints = layout.contact_ints(table)
    states = layout.constraint_states(table)
    for i in range(ints.shape[0]):
        row = ints[i, layout.EFC_ADDRESS]
        if row >= 0 and ints[i, layout.DIM] >= 3 and states[row] == layout.CONE:
            return True
    return False


@kernel
def tangential_lift(contact, dim, product, reference, row):
    """Return T = |mu * (J a - aref)| over the friction rows of a contact [m/s^2]."""
    total = 0.0
    for j in range(1, dim):
        y = contact[layout.FRICTION + j - 1] * (product[row + j] - reference[row + j])
        total += y * y
    return np.sqrt(total)


@kernel
def _distance(table, row, residual, lift, shift):
    """Return how far a contact is from its law [m/s^2]."""
    states = layout.constraint_states(table)
    if states[row] == layout.CONE:
        return np.abs(lift - shift)
    if states[row] == 0 and shift > 0.0:  # no force: must not accelerate inwards
        return max(-residual, 0.0)
    return 0.0


@kernel
def _guess(table, contact, ints):
    """Return dT/dS of a lone body: k / (1 + k), k = mu^2 times its inertia ratio.

    The ratio of the inverse inertias along tangent and normal is 3.5 for a solid ball
    and near 1 for a body that does not roll.
    """
    kind = layout.indices(table, layout.GEOM_TYPE)
    is_ball = kind[ints[layout.GEOM]] == layout.SPHERE
    is_ball = is_ball or kind[ints[layout.GEOM + 1]] == layout.SPHERE
    mu = contact[layout.FRICTION]
    k = mu * mu * (3.5 if is_ball else 1.0)
    return k / (1.0 + k)


@kernel
def _secant(shift, lift, old_shift, old_lift, guess):
    moved = shift - old_shift
    if np.abs(moved) < 1e-9:
        return guess
    return min(max((lift - old_lift) / moved, -1.0), 0.95)
