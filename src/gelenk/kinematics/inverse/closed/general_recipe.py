"""Recognise six revolute joints that only the general elimination can solve."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gelenk.kinematics.inverse.closed.general import eliminate, elimination
from gelenk.kinematics.inverse.closed.geometry import Screws, perpendicular
from gelenk.kinematics.inverse.closed.recipe import Recipe

TRIALS = 24  # configurations that must be found again before the method is trusted
CLOSE = 1e-4  # [rad]; from here polishing always succeeds


def general_recipes(core: Screws) -> Iterator[Recipe]:
    """Yield the general solution if it finds configurations of this arm again.

    Special positions of axes can make the elimination degenerate; then an arm is
    refused rather than solved incompletely.
    """
    if len(core) == 6 and core.is_revolute.all() and _is_reliable(core):
        yield Recipe(
            solver="general",
            cost=50.0,
            core=core,
            e=np.stack([perpendicular(z) for z in core.axis]),
            header={},
        )


def _is_reliable(core: Screws) -> bool:
    constants = elimination(core)
    rng = np.random.default_rng(4)
    for q in rng.uniform(-np.pi, np.pi, size=(TRIALS, 6)):
        d = core.moved_point(q, np.zeros(3))
        columns = [core.moved_point(q, e) - d for e in np.eye(3)]
        D = np.column_stack([*columns, d])
        candidates = eliminate(constants, D)
        distance = np.abs(np.sin(0.5 * (candidates - q))).max(axis=1)
        if not distance.min(initial=np.inf) < CLOSE:
            return False
    return True
