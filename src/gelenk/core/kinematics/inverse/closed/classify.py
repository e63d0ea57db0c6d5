"""Which closed solution fits a chain, found from the lie of its axes.

Every way to split the chain is tried and the cheapest that works is taken. Names of
joints play no role, nor do base and tool.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from gelenk.core.kinematics.inverse.closed.geometry import (
    RANK_TOL,
    Screws,
    cone_constants,
    perpendicular,
)
from gelenk.core.kinematics.inverse.closed.layout import (
    COUPLED,
    CYCLIC,
    END_FAR,
    END_NEAR,
    FIRST,
    POSE,
    POSITION,
    REGIONAL,
    ROW,
    WRIST,
)
from gelenk.core.kinematics.inverse.closed.parallel_recipe import parallel_recipes
from gelenk.core.kinematics.inverse.closed.recipe import Recipe
from gelenk.core.kinematics.inverse.closed.swivel_recipe import swivel_recipe
from gelenk.core.typing import FloatArray

COUPLED_COST = 10.0  # a quartic
REVERSED_COST = 0.05
HELD_COST = 20.0  # holding joints loses freedom: only if nothing else works


def find_recipe(screws: Screws, tool: FloatArray, task: int) -> Recipe | None:
    """Return the cheapest closed solution of a chain, or None if there is none.

    Args:
        screws: Joints of the chain.
        tool: Origin of the frame at q = 0 [m], shape (3,).
        task: POSE, POSITION or ROTATION.
    """
    if len(screws) == 0:
        return None
    if task == POSE:
        found = list(_pose_recipes(screws, tool))
    elif task == POSITION:
        found = list(_position_recipes(screws, tool))
    else:
        found = list(_rotation_recipes(screws))
    return min(found, key=lambda recipe: recipe.cost, default=None)


# -- tasks ---------------------------------------------------------------------------


def _pose_recipes(screws: Screws, tool: FloatArray) -> Iterator[Recipe]:
    n = len(screws)
    if n == 7 and (recipe := swivel_recipe(screws)) is not None:
        yield recipe
    num = min(n, 6)
    for lead in range(n - num + 1):
        core = screws.part(list(range(lead, lead + num)))
        for is_reversed in (False, True):
            part = core.reversed() if is_reversed else core
            recipes = [*_partitions(part, tool), *parallel_recipes(part)]
            for recipe in recipes:
                yield replace(
                    recipe,
                    cost=recipe.cost
                    + REVERSED_COST * is_reversed
                    + HELD_COST * (n - num),
                    is_reversed=is_reversed,
                    lead=lead,
                    trail=n - num - lead,
                )


def _position_recipes(screws: Screws, tool: FloatArray) -> Iterator[Recipe]:
    """Yield arms of neighbouring joints that move the tool point as freely as all do."""
    n = len(screws)
    for num in range(min(n, 3), 0, -1):
        found = False
        for lead in range(n - num + 1):
            core = screws.part(list(range(lead, lead + num)))
            # Held joints move the point off places that are special at q = 0.
            behind = screws.part(list(range(lead + num, n)))
            q = np.random.default_rng(1).uniform(-1.0, 1.0, n - num - lead)
            if core.freedom(behind.moved_point(q, tool)) > RANK_TOL:
                for recipe in _arms(core, [tool], 0):
                    found = True
                    yield replace(
                        recipe,
                        cost=recipe.cost + HELD_COST * (n - num) + 0.1 * lead,
                        lead=lead,
                        trail=n - num - lead,
                    )
        if found:
            return


def _rotation_recipes(screws: Screws) -> Iterator[Recipe]:
    n = len(screws)
    for num in (3, 2, 1):
        for lead in range(n - num, -1, -1):
            ids = list(range(lead, lead + num))
            core = screws.part(ids)
            if core.is_revolute.all() and not any(
                core.are_parallel(i, i + 1) for i in range(num - 1)
            ):
                yield replace(
                    _wrist(core, 0, num, np.zeros(3)),
                    family="wrist",
                    lead=lead,
                    trail=n - num - lead,
                )
                return


# -- splits at a wrist point -----------------------------------------------------------


def _partitions(core: Screws, tool: FloatArray) -> Iterator[Recipe]:
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
            foot = (
                core.point[-1]
                + ((tool - core.point[-1]) @ core.axis[-1]) * (core.axis[-1])
            )
            points = [foot + k * core.size * core.axis[-1] for k in (0.0, 1.0, -1.0)]
        elif num == 0 and not any(core.are_parallel(i, i + 1) for i in range(n - 1)):
            points = [core.point[-1]]  # only turning is asked for: no need to meet
        else:
            meeting = core.meeting_point(*ids)
            points = [] if meeting is None else [meeting]
        yield from _arms(core, points, num_wrist)
    if n == 6 and core.is_revolute.all():
        meeting = core.meeting_point(2, 3, 4)
        if meeting is not None:
            ring = core.part([5, 0, 1, 2, 3, 4])
            for recipe in _arms(ring, [meeting], 3, is_ring=True):
                header = {**recipe.header, CYCLIC: 1.0}
                yield replace(recipe, header=header, cost=recipe.cost + 0.5)


def _arms(
    core: Screws, points: list[FloatArray], num_wrist: int, *, is_ring: bool = False
) -> Iterator[Recipe]:
    """Yield the recipe that places the best of the wrist points, if one can be placed."""
    num = len(core) - num_wrist
    if num == 0:
        if points:
            yield _wrist(core, 0, num_wrist, points[0])
        return
    arm = core.part(list(range(num)))
    freedoms = [arm.freedom(point) for point in points]
    if not freedoms or max(freedoms) < RANK_TOL:
        return
    # The first point is the natural one; others only if it is much worse.
    best = 0 if freedoms[0] > 0.1 * max(freedoms) else int(np.argmax(freedoms))
    W = points[best]
    if num == 1:
        yield replace(_wrist(core, 1, num_wrist, W), cost=0.5)
    elif num == 2:
        yield _two_joint_arm(core, num_wrist, W)
    else:
        yield _three_joint_arm(core, num_wrist, W, is_ring=is_ring)


def _wrist(core: Screws, num: int, num_wrist: int, W: FloatArray) -> Recipe:
    """Return the recipe without what the regional joints need."""
    kappa = (0.0, 0.0)
    if num_wrist == 3:
        kappa = cone_constants(*core.axis[num : num + 3])
    return Recipe(
        family="",
        solver="partition",
        cost=2.0,
        core=core,
        e=np.stack([perpendicular(z) for z in core.axis]),
        header={REGIONAL: num, WRIST: num_wrist},
        W=W,
        kappa=kappa,
    )


def _two_joint_arm(core: Screws, num_wrist: int, W: FloatArray) -> Recipe:
    recipe = _wrist(core, 2, num_wrist, W)
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
    recipe = _wrist(core, 3, num_wrist, W)
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
