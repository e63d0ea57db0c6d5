"""Recognisers of the structures that have a closed solution.

- Partitions: joints that place a point and joints that turn about it (solved by
  `wrist_partition`).
- Three neighbouring joints that move in parallel planes (`three_parallel`).
- Seven joints with a spherical shoulder and a spherical wrist (`swivel`).
- Six revolute joints that only the general elimination can solve (`general`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from gelenk.kinematics.inverse.closed.general import eliminate, elimination
from gelenk.kinematics.inverse.closed.joint_terms import (
    COUPLED,
    CYCLIC,
    END_FAR,
    END_NEAR,
    FIRST,
    FLIPPED,
    REF_ELBOW,
    REF_SHOULDER_KAPPA,
    REGIONAL,
    ROW,
    START,
    TRIPLE_ROW,
    WRIST,
)
from gelenk.kinematics.inverse.closed.solver_plan import (
    RANK_TOL,
    Screws,
    SolverPlan,
    cone_constants,
    perpendicular,
)
from gelenk.typing import FloatArray

COUPLED_COST = 10.0  # a quartic


def partitions(core: Screws, tool: FloatArray) -> Iterator[SolverPlan]:
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
            for plan in positioning_arms(ring, [meeting], 3, is_ring=True):
                header = {**plan.header, CYCLIC: 1.0}
                yield replace(plan, header=header, cost=plan.cost + 0.5)


def positioning_arms(
    core: Screws, points: list[FloatArray], num_wrist: int, *, is_ring: bool = False
) -> Iterator[SolverPlan]:
    """Yield the plan that places the best of the wrist points, if any."""
    num = len(core) - num_wrist
    if num == 0:
        if points:
            yield wrist_plan(core, 0, num_wrist, points[0])
        return
    arm = core.part(list(range(num)))
    freedoms = [arm.freedom(point) for point in points]
    if not freedoms or max(freedoms) < RANK_TOL:
        return
    # The first point is the natural one; others only if it is much worse.
    best = 0 if freedoms[0] > 0.1 * max(freedoms) else int(np.argmax(freedoms))
    W = points[best]
    if num == 1:
        yield replace(wrist_plan(core, 1, num_wrist, W), cost=0.5)
    elif num == 2:
        yield _two_joint_arm(core, num_wrist, W)
    else:
        yield _three_joint_arm(core, num_wrist, W, is_ring=is_ring)


def wrist_plan(core: Screws, num: int, num_wrist: int, W: FloatArray) -> SolverPlan:
    """Return the plan without what the regional joints need."""
    kappa = (0.0, 0.0)
    if num_wrist == 3:
        kappa = cone_constants(*core.axis[num : num + 3])
    return SolverPlan(
        solver="partition",
        cost=2.0,
        core=core,
        e=np.stack([perpendicular(z) for z in core.axis]),
        header={REGIONAL: num, WRIST: num_wrist},
        W=W,
        kappa=kappa,
    )


def _two_joint_arm(core: Screws, num_wrist: int, W: FloatArray) -> SolverPlan:
    plan = wrist_plan(core, 2, num_wrist, W)
    e = plan.e.copy()
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
    return replace(plan, cost=0.8, e=e, header={**plan.header, ROW: row})


def _three_joint_arm(
    core: Screws, num_wrist: int, W: FloatArray, *, is_ring: bool
) -> SolverPlan:
    plan = wrist_plan(core, 3, num_wrist, W)
    point, e = core.point.copy(), plan.e.copy()
    if core.is_revolute[1]:
        first, row, p2 = _order_at_hinge(core, is_ring=is_ring)
        point[1] = p2
    else:
        first, row, e[1] = _order_at_slide(core, is_ring=is_ring)
    return replace(
        plan,
        cost=COUPLED_COST if first == COUPLED else 1.0,
        core=replace(core, point=point),
        e=e,
        header={**plan.header, FIRST: first, ROW: row},
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


DIRECTION, HEIGHT = 0, 1  # the equations of `three_parallel`


def parallel_plans(core: Screws) -> Iterator[SolverPlan]:
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
        plan = _parallel_plan(full.part(order), normal, is_ring=start == 1)
        if plan is not None:
            yield plan


def _parallel_plan(
    core: Screws, normal: FloatArray, *, is_ring: bool
) -> SolverPlan | None:
    """Return the plan for the order: three parallel joints, a, b, c."""
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
    return SolverPlan(
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


def swivel_plan(screws: Screws) -> SolverPlan | None:
    """Return the solution of a seven-joint arm by its swivel angle, or None."""
    if not screws.is_revolute.all():
        return None
    shoulder, wrist = screws.meeting_point(0, 1, 2), screws.meeting_point(4, 5, 6)
    if shoulder is None or wrist is None:
        return None
    z, p = screws.axis[3], screws.point[3]
    elbow = p + ((shoulder - p) @ z) * z
    reach = np.linalg.norm(np.cross(wrist - p, z))
    if min(np.linalg.norm(elbow - shoulder), reach) < 1e-3 * screws.size:
        return None  # the elbow would not change the distance
    point = screws.point.copy()
    point[0] = shoulder
    minus, plus = cone_constants(*screws.axis[:3])
    extra = dict(enumerate(map(float, elbow), start=REF_ELBOW))
    extra |= {REF_SHOULDER_KAPPA: minus, REF_SHOULDER_KAPPA + 1: plus}
    return SolverPlan(
        solver="swivel",
        cost=0.0,
        core=replace(screws, point=point),
        e=np.stack([perpendicular(axis) for axis in screws.axis]),
        header={START: 4},
        W=wrist,
        kappa=cone_constants(*screws.axis[4:]),
        extra=extra,
    )


TRIALS = 24  # configurations that must be found again before the method is trusted
CLOSE = 1e-4  # [rad]; from here polishing always succeeds


def general_plans(core: Screws) -> Iterator[SolverPlan]:
    """Yield the general solution if it finds configurations of this arm again.

    Special positions of axes can make the elimination degenerate; then an arm is
    refused rather than solved incompletely.
    """
    if len(core) == 6 and core.is_revolute.all() and _is_reliable(core):
        yield SolverPlan(
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
