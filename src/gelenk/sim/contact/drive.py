"""Joints whose motion nothing can change: infinitely strong motors, locked joints."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.sim.bridge import layout
from gelenk.typing import FloatArray, IntArray


class Drive(NamedTuple):
    """Prescribed motion of one tick, written by the motors.

    Attributes:
        dofs: Dofs that may be driven, (k,).
        qpos: Address in qpos of each of them, (k,).
        q: Value at the end of the tick for each dof of the world, (nv,).
        v: Velocity during the tick, nan for dofs that move freely, (nv,).
    """

    dofs: IntArray
    qpos: IntArray
    q: FloatArray
    v: FloatArray


def new_drive(nv: int, dofs: IntArray, qpos: IntArray) -> Drive:
    """Return a drive in which nothing is prescribed yet."""
    return Drive(dofs=dofs, qpos=qpos, q=np.zeros(nv), v=np.full(nv, np.nan))


@kernel
def begin_drive(table: IntArray, drive: Drive, is_driven: IntArray) -> None:
    """Give driven joints their velocity for this tick."""
    qvel = layout.vector(table, layout.QVEL)
    for dof in drive.dofs:
        is_driven[dof] = not np.isnan(drive.v[dof])
        if is_driven[dof]:
            qvel[dof] = drive.v[dof]


@kernel
def follow_drive(table: IntArray, drive: Drive, remaining: float) -> None:
    """Put driven joints where they must be, `remaining` [s] before the tick's end."""
    qpos = layout.vector(table, layout.QPOS)
    qvel = layout.vector(table, layout.QVEL)
    for i in range(drive.dofs.shape[0]):
        dof = drive.dofs[i]
        v = drive.v[dof]
        if not np.isnan(v):
            qpos[drive.qpos[i]] = drive.q[dof] - v * remaining
            qvel[dof] = v


@kernel
def carry_drive(table: IntArray, drive: Drive, is_driven: IntArray) -> None:
    """Let driven joints carry their weight, so that only contacts act on the rest."""
    applied = layout.vector(table, layout.QFRC_APPLIED)
    bias = layout.vector(table, layout.QFRC_BIAS)
    for dof in drive.dofs:
        if is_driven[dof]:
            applied[dof] = bias[dof]
