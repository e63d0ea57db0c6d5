"""Resistance: the share of its speed that a body loses per second.

While it touches something, only the velocity along the surface counts, relative to it:
a bounce is not damped and a belt not braked. A rolling body keeps rolling, since its
spin shrinks with its speed. What flies may lose speed too, at its own rate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.sim.bridge import layout
from gelenk.sim.contact.scan import point_velocity
from gelenk.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from gelenk.sim.contact.bank import ContactBank


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
                    other = body_of[ints[i, layout.GEOM + 1 - side]]
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
