"""Back to the start of a sub-step that went too far.

The time of impact is foreseen from distance, speed and gravity. What else accelerates
two bodies towards each other - a link that swings, a motor, a turning corner - makes
them overlap when that time has come. Then the sub-step is taken back and done again,
shorter, so that it ends where they touch.
"""

from __future__ import annotations

from gelenk.kernels.compile import kernel
from gelenk.sim.bridge import layout
from gelenk.typing import FloatArray, IntArray


@kernel
def keep_start(table: IntArray, start: FloatArray) -> None:
    """Copy what a sub-step changes into `start`, (nq + 2 nv + 1,)."""
    qpos = layout.vector(table, layout.QPOS)
    qvel = layout.vector(table, layout.QVEL)
    nq, nv = qpos.shape[0], qvel.shape[0]
    start[:nq] = qpos
    start[nq : nq + nv] = qvel
    start[nq + nv : nq + 2 * nv] = layout.vector(table, layout.QACC_WARMSTART)
    start[nq + 2 * nv] = layout.scalar(table, layout.TIME)[0]


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
