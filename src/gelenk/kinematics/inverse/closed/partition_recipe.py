"""Recognise arms that are split at a point: joints that place it, joints that turn.

The kernel is in `wrist_partition`.
"""

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
    REGIONAL,
    ROW,
    WRIST,
)
from gelenk.kinematics.inverse.closed.recipe import Recipe
from gelenk.typing import FloatArray

COUPLED_COST = 10.0  # a quartic


def partitions(core: Screws, tool: FloatArray) -> Iterator[Recipe]:
    """Yield all splits into joints that place a point and joints that turn about it."""
    n = len(core)
    for num_wrist in range(min(n, 3) + 1):
        num = n - num_wrist
        if num > 3:
            continue
        ids = list(range(num, n))
        if not core.is_revolute[ids].all():
            continue
        if num_wrist == 0:
            points = [tool, *(tool + core.size * np.eye(3))]
        elif num_wrist == 1:
            z, p = core.axis[-1], core.point[-1]
            foot = p + ((tool - p) @ z) * z
            points = [foot + k * core.size * z for k in (0.0, 1.0, -1.0)]
        elif num == 0 and not core.has_parallel_neighbours():
            points = [core.point[-1]]  # only turning is asked for: no need to meet
        else:
            meeting = core.meeting_point(*ids)
            points = [] if meeting is None else [meeting]
        yield from positioning_arms(core, points, num_wrist)
    if n == 6 and core.is_revolute.all():
        meeting = core.meeting_point(2, 3, 4)
        if meeting is not None:
            ring = core.part([5, 0, 1, 2, 3, 4])
            for recipe in positioning_arms(ring, [meeting], 3, is_ring=True):
                header = {**recipe.header, CYCLIC: 1.0}
                yield replace(recipe, header=header, cost=recipe.cost + 0.5)


def positioning_arms(
    core: Screws, points: list[FloatArray], num_wrist: int, *, is_ring: bool = False
) -> Iterator[Recipe]:
    """Yield the recipe that places the best of the wrist points, if any."""
    num = len(core) - num_wrist
    if num == 0:
        if points:
            yield wrist_recipe(core, 0, num_wrist, points[0])
        return
    arm = core.part(list(range(num)))
    freedoms = [arm.freedom(point) for point in points]
    if not freedoms or max(freedoms) < RANK_TOL:
        return
    # The first point is the natural one; others only if it is much worse.
    best = 0 if freedoms[0] > 0.1 * max(freedoms) else int(np.argmax(freedoms))
    W = points[best]
    if num == 1:
        yield replace(wrist_recipe(core, 1, num_wrist, W), cost=0.5)
    elif num == 2:
        yield _two_joint_arm(core, num_wrist, W)
    else:
        yield _three_joint_arm(core, num_wrist, W, is_ring=is_ring)


def wrist_recipe(core: Screws, num: int, num_wrist: int, W: FloatArray) -> Recipe:
    """Return the recipe without what the regional joints need."""
    kappa = (0.0, 0.0)
    if num_wrist == 3:
        kappa = cone_constants(*core.axis[num : num + 3])
    return Recipe(
        solver="partition",
        cost=2.0,
        core=core,
        e=np.stack([perpendicular(z) for z in core.axis]),
        header={REGIONAL: num, WRIST: num_wrist},
        W=W,
        kappa=kappa,
    )


def _two_joint_arm(core: Screws, num_wrist: int, W: FloatArray) -> Recipe:
    recipe = wrist_recipe(core, 2, num_wrist, W)
    e = recipe.e.copy()
    row = 0
    if core.is_revolute[0]:
        if core.is_revolute[1]:
            row = int(core.are_parallel(0, 1))
        else:
            row = int(core.are_perpendicular(0, 1))
    elif not core.is_revolute[1]:
        e[0] = core.axis[1] - (core.axis[1] @ core.axis[0]) * core.axis[0]
        e[0] /= np.linalg.norm(e[0])
    elif not core.are_parallel(0, 1):
        e[0] = np.cross(core.axis[0], core.axis[1])
        e[0] /= np.linalg.norm(e[0])
    return replace(recipe, cost=0.8, e=e, header={**recipe.header, ROW: row})


def _three_joint_arm(
    core: Screws, num_wrist: int, W: FloatArray, *, is_ring: bool
) -> Recipe:
    recipe = wrist_recipe(core, 3, num_wrist, W)
    point, e = core.point.copy(), recipe.e.copy()
    if core.is_revolute[1]:
        first, row, p2 = _order_at_hinge(core, is_ring=is_ring)
        point[1] = p2
    else:
        first, row, e[1] = _order_at_slide(core, is_ring=is_ring)
    return replace(
        recipe,
        cost=COUPLED_COST if first == COUPLED else 1.0,
        core=replace(core, point=point),
        e=e,
        header={**recipe.header, FIRST: first, ROW: row},
    )


def _order_at_hinge(core: Screws, *, is_ring: bool) -> tuple[int, int, FloatArray]:
    """Return which end is solved first, by which equation, and the point of joint 2.

    Equation 0 compares heights along axis 2, equation 1 distances from the point. A
    parallel neighbour does not change heights, one that meets axis 2 in the point no
    distances, a perpendicular slide no heights. The other end must change them.
    """
    kinds, p2 = core.is_revolute, core.point[1]
    for i, first, other in ((2, END_NEAR, 0), (0, END_FAR, 2)):
        if is_ring and i == 0:
            continue
        keeps_height = (
            core.are_parallel(i, 1) if kinds[i] else core.are_perpendicular(i, 1)
        )
        changes_height = not (
            core.are_parallel(other, 1)
            if kinds[other]
            else core.are_perpendicular(other, 1)
        )
        if keeps_height and (changes_height or (is_ring and i == 2)):
            # Where the other end meets axis 2, both equations hold one unknown.
            meeting = core.meeting_point(other, 1) if kinds[other] else None
            return first, 0, p2 if meeting is None else meeting
        meeting = core.meeting_point(i, 1) if kinds[i] else None
        if meeting is not None:
            return first, 1, meeting
    return COUPLED, 0, p2


def _order_at_slide(core: Screws, *, is_ring: bool) -> tuple[int, int, FloatArray]:
    """Return which end is solved first, by which equation, and the vector e of joint 2.

    Joint 2 changes no coordinate across it; e is the one that an end does not change
    either: its axis if it turns perpendicular to the slide, the normal of both slides.
    """
    kinds, z = core.is_revolute, core.axis
    for i, first, other in ((2, END_NEAR, 0), (0, END_FAR, 2)):
        if is_ring and i == 0:
            continue
        if kinds[i]:
            if not core.are_perpendicular(i, 1):
                continue
            e = z[i] - (z[i] @ z[1]) * z[1]
        else:
            e = np.cross(z[i], z[1])
        size = np.linalg.norm(e)
        if size < RANK_TOL:
            continue
        e = e / size
        # The other end must change the coordinate.
        change = (
            np.linalg.norm(np.cross(e, z[other])) if kinds[other] else abs(e @ z[other])
        )
        if change > RANK_TOL:
            return first, 0, e
    return COUPLED, 0, perpendicular(z[1])
