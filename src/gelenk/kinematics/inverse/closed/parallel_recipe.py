"""Recognise arms with three neighbouring joints that move in parallel planes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from gelenk.kinematics.inverse.closed.geometry import (
    RANK_TOL,
    Screws,
    cone_constants,
    perpendicular,
)
from gelenk.kinematics.inverse.closed.layout import (
    COUPLED,
    CYCLIC,
    END_FAR,
    END_NEAR,
    FIRST,
    FLIPPED,
    ROW,
    TRIPLE_ROW,
)
from gelenk.kinematics.inverse.closed.recipe import Recipe
from gelenk.typing import FloatArray

DIRECTION, HEIGHT = 0, 1  # the equations of `three_parallel`


def parallel_recipes(core: Screws) -> Iterator[Recipe]:
    """Yield solutions with the parallel joints first or second.

    An arm of five joints is completed by an axis that is no joint and must stay at 0.
    """
    n = len(core)
    if n not in (5, 6):
        return
    for start in (0, 1):
        rest = [i for i in range(n) if not start <= i < start + 3]
        normal = core.plane_normal(start, start + 1, start + 2)
        if normal is None or not core.is_revolute[rest].all():
            continue
        full = core
        if n == 5:
            # Through axis a (or b), so that one equation decouples.
            last = core.axis[4]
            full = core.extended(perpendicular(last), core.point[4])
        order = [*range(start, 6), *range(start)]
        recipe = _recipe(full.part(order), normal, is_ring=start == 1)
        if recipe is not None:
            yield recipe


def _recipe(core: Screws, normal: FloatArray, *, is_ring: bool) -> Recipe | None:
    """Return the recipe for the order: three parallel joints, a, b, c."""
    if any(np.linalg.norm(np.cross(normal, core.axis[k])) < RANK_TOL for k in (3, 5)):
        return None
    is_flipped = not core.is_revolute[2]
    triple = core.part([0, 1, 2])
    if is_flipped:
        triple = triple.reversed()
        if not triple.is_revolute[2]:
            return None
    if triple.part([0, 1]).freedom(triple.point[2]) < RANK_TOL:
        return None
    first, row, pb = _order(core, is_ring=is_ring)
    point = core.point.copy()
    point[4] = pb
    point[:3] = triple.point
    axis = core.axis.copy()
    axis[:3] = triple.axis
    is_revolute, index = core.is_revolute.copy(), core.index.copy()
    is_revolute[:3], index[:3] = triple.is_revolute, triple.index
    core = replace(core, axis=axis, point=point, is_revolute=is_revolute, index=index)
    e = np.stack([perpendicular(z) for z in core.axis])
    triple_row = 0
    if core.is_revolute[0]:
        triple_row = 1  # both kinds of joint 2 move in the plane of joint 1
    elif core.is_revolute[1]:
        e[0] = np.cross(core.axis[0], core.axis[1])
    else:
        e[0] = core.axis[1] - (core.axis[1] @ core.axis[0]) * core.axis[0]
        e[0] /= np.linalg.norm(e[0])
    return Recipe(
        solver="parallel",
        cost=10.5 if first == COUPLED else 1.2,
        core=core,
        e=e,
        header={
            FIRST: first,
            ROW: row,
            CYCLIC: float(is_ring),
            FLIPPED: float(is_flipped),
            TRIPLE_ROW: triple_row,
        },
        h=normal,
        kappa=cone_constants(normal, core.axis[3], core.axis[4]),
    )


def _order(core: Screws, *, is_ring: bool) -> tuple[int, int, FloatArray]:
    """Return which of a and c is solved first, by which equation, and b's point."""
    meeting = core.meeting_point(3, 4)
    if meeting is not None:
        return END_FAR, HEIGHT, meeting
    if core.are_parallel(3, 4):
        return END_FAR, DIRECTION, core.point[4]
    if not is_ring:
        meeting = core.meeting_point(4, 5)
        if meeting is not None:
            return END_NEAR, HEIGHT, meeting
        if core.are_parallel(4, 5):
            return END_NEAR, DIRECTION, core.point[4]
    return COUPLED, 0, core.point[4]
