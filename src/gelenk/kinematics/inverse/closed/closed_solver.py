"""Closed solver of one robot, frame and task: found once and kept with the model.

Every way to split the chain is tried and the cheapest that works is taken. Names of
joints play no role, nor do base and tool.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np

from gelenk.errors import ConfigError
from gelenk.kinematics.chain import CHAIN_INDEX, CHAIN_OFFSET, CHAIN_SCALE, frame_chain
from gelenk.kinematics.inverse.closed.general import elimination, solve_general
from gelenk.kinematics.inverse.closed.joint_terms import (
    CYCLIC,
    MAX_BRANCHES,
    POSE,
    POSITION,
    REGIONAL,
    ROTATION,
    SLIDES,
    WRIST,
)
from gelenk.kinematics.inverse.closed.solver_plan import (
    RANK_TOL,
    Screws,
    SolverPlan,
    kernel_constants,
    screws_of_chain,
)
from gelenk.kinematics.inverse.closed.structures import (
    general_plans,
    parallel_plans,
    partitions,
    positioning_arms,
    swivel_plan,
    wrist_plan,
)
from gelenk.kinematics.inverse.closed.swivel import solve_swivel
from gelenk.kinematics.inverse.closed.three_parallel import solve_parallel
from gelenk.kinematics.inverse.closed.wrist_partition import (
    solve_partition,
    solve_turn_then_slide,
)
from gelenk.models.tree import RobotModel
from gelenk.typing import FloatArray

REVERSED_COST = 0.05
HELD_COST = 20.0  # holding joints loses freedom: only if nothing else works


def find_solver_plan(screws: Screws, tool: FloatArray, task: int) -> SolverPlan | None:
    """Return the cheapest closed solution of a chain, or None if there is none.

    Args:
        screws: Joints of the chain.
        tool: Origin of the frame at q = 0 [m], shape (3,).
        task: POSE, POSITION or ROTATION.
    """
    if len(screws) == 0:
        return None
    if task == POSE:
        found = list(_pose_plans(screws, tool)) or list(_general(screws))
    elif task == POSITION:
        found = list(_position_plans(screws, tool))
    else:
        found = list(_rotation_plans(screws))
    return min(found, key=lambda plan: plan.cost, default=None)


# -- tasks ---------------------------------------------------------------------------


def _pose_plans(screws: Screws, tool: FloatArray) -> Iterator[SolverPlan]:
    n = len(screws)
    if n == 7 and (plan := swivel_plan(screws)) is not None:
        yield plan
    num = min(n, 6)
    for lead in range(n - num + 1):
        core = screws.part(list(range(lead, lead + num)))
        if not core.are_independent():
            continue
        yield from _turn_then_slide(core, lead, n - num - lead)
        for is_reversed in (False, True):
            part = core.reversed() if is_reversed else core
            plans = [*partitions(part, tool), *parallel_plans(part)]
            for plan in plans:
                yield replace(
                    plan,
                    cost=plan.cost
                    + REVERSED_COST * is_reversed
                    + HELD_COST * (n - num),
                    is_reversed=is_reversed,
                    lead=lead,
                    trail=n - num - lead,
                )


def _general(screws: Screws) -> Iterator[SolverPlan]:
    """Yield solutions without structure, forwards and backwards."""
    n = len(screws)
    for lead in range(n - 5):
        core = screws.part(list(range(lead, lead + 6)))
        if not core.are_independent():
            continue
        for is_reversed in (False, True):
            part = core.reversed() if is_reversed else core
            for plan in general_plans(part):
                yield replace(
                    plan, is_reversed=is_reversed, lead=lead, trail=n - 6 - lead
                )
                return


def _position_plans(screws: Screws, tool: FloatArray) -> Iterator[SolverPlan]:
    """Yield arms of neighbouring joints that move the point as freely as all do."""
    n = len(screws)
    num = int((screws.point_motion(tool) > RANK_TOL).sum())
    for lead in range(n - num + 1 if num else 0):
        core = screws.part(list(range(lead, lead + num)))
        # Held joints move the point off places that are special at q = 0.
        behind = screws.part(list(range(lead + num, n)))
        q = np.random.default_rng(1).uniform(-1.0, 1.0, n - num - lead)
        for plan in positioning_arms(core, [behind.moved_point(q, tool)], 0):
            yield replace(
                plan,
                cost=plan.cost + HELD_COST * (n - num) + 0.1 * lead,
                W=tool,
                lead=lead,
                trail=n - num - lead,
            )


def _rotation_plans(screws: Screws) -> Iterator[SolverPlan]:
    """Yield the last neighbouring joints that turn the frame as freely as all do."""
    n = len(screws)
    turning = np.flatnonzero(screws.is_revolute).tolist()
    if not turning:
        return
    # Parallel neighbours turn as one.
    runs = 1 + sum(not screws.are_parallel(i, j) for i, j in pairwise(turning))
    num = min(3, runs)
    for lead in range(n - num, -1, -1):
        core = screws.part(list(range(lead, lead + num)))
        if core.is_revolute.all() and not core.has_parallel_neighbours():
            yield replace(
                wrist_plan(core, 0, num, np.zeros(3)), lead=lead, trail=n - num - lead
            )
            return


def _turn_then_slide(core: Screws, lead: int, trail: int) -> Iterator[SolverPlan]:
    """Yield the plan of an arm with up to three turns and up to three slides."""
    turns = np.flatnonzero(core.is_revolute).tolist()
    slides = np.flatnonzero(~core.is_revolute).tolist()
    if not turns or max(len(turns), len(slides)) > 3:
        return
    if core.part(turns).has_parallel_neighbours():
        return
    order = core.part([*turns, *slides])
    plan = wrist_plan(order, 0, len(turns), core.point[turns[-1]])
    e = plan.e.copy()
    for k, i in enumerate(slides, start=len(turns)):
        e[k] = [sum(j < i for j in turns), 0.0, 0.0]
    yield replace(
        plan,
        solver="turn_then_slide",
        cost=3.0 + HELD_COST * (lead + trail),
        e=e,
        header={**plan.header, SLIDES: len(slides)},
        lead=lead,
        trail=trail,
    )


def family_name(plan: SolverPlan, screws: Screws) -> str:
    """Return the name of the structure that a plan uses.

    "planar": all joints move in one plane; "scara": turns about parallel axes and
    slides along them; "cartesian": slides only; "spherical_wrist",
    "spherical_shoulder", "spherical_middle": the last, first or middle three axes meet
    in a point; "three_parallel": three neighbours of five or six joints move in
    parallel planes; "swivel": seven joints with spherical shoulder and wrist; "wrist":
    only turns are asked for; "positioning": up to three joints; "partial_wrist": four
    or five joints whose last or first one or two turn about a point that the others
    place; "turn_then_slide": up to three turns and three slides in any order;
    "general": six turns without structure.
    """
    num, num_wrist = plan.header.get(REGIONAL, 0.0), plan.header.get(WRIST, 0.0)
    if plan.solver in ("swivel", "general"):
        return plan.solver
    part = screws.part(list(range(plan.lead, len(screws) - plan.trail)))
    if not part.is_revolute.any():
        return "cartesian"
    if part.plane_normal(*range(len(part))) is not None and len(part) > 1:
        return "planar"
    if _is_scara(part):
        return "scara"
    if plan.solver == "parallel":
        return "three_parallel"
    if plan.solver == "turn_then_slide":
        return "turn_then_slide"
    if num_wrist == 3 and num > 0:
        if plan.header.get(CYCLIC):
            return "spherical_middle"
        return "spherical_shoulder" if plan.is_reversed else "spherical_wrist"
    if plan.lead + plan.trail and num == 0:
        return "wrist"
    return "positioning" if len(part) <= 3 else "partial_wrist"


def _is_scara(screws: Screws) -> bool:
    turning = np.flatnonzero(screws.is_revolute)
    first = int(turning[0])
    return all(
        screws.are_parallel(first, i)
        or (not screws.is_revolute[i] and screws.are_perpendicular(first, i))
        for i in range(len(screws))
    )


def why_none(screws: Screws) -> str:
    """Return what was found in a chain that has no closed solution, in words."""
    n = len(screws)
    if n == 0:
        return "no joint moves this frame"
    if n <= 6 and not screws.are_independent():
        return "some joints on the way to this frame only repeat what others do"
    kinds = "".join("R" if turns else "P" for turns in screws.is_revolute)
    pairs = [(i, i + 1) for i in range(n - 1)]
    parallel = [f"{i + 1}-{j + 1}" for i, j in pairs if screws.are_parallel(i, j)]
    meeting = [
        f"{i + 1}-{j + 1}"
        for i, j in pairs
        if screws.is_revolute[[i, j]].all() and screws.meeting_point(i, j) is not None
    ]
    return (
        f"the {n} joints {kinds} on the way to this frame have no structure with a "
        "closed solution, such as three neighbouring axes that meet or are parallel "
        f"(parallel neighbours: {', '.join(parallel) or 'none'}; "
        f"meeting: {', '.join(meeting) or 'none'})"
    )


Kernel = Callable[..., tuple[int, int, int]]

TASKS = {"pose": POSE, "position": POSITION, "rotation": ROTATION}
KERNELS: dict[str, Kernel] = {
    "partition": solve_partition,
    "parallel": solve_parallel,
    "swivel": solve_swivel,
    "turn_then_slide": solve_turn_then_slide,
}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ClosedSolver:
    """Closed solver for one frame and task of a robot.

    Attributes:
        kernel: Compiled solver; None if there is no closed solution.
        constants: Numbers that the kernel reads, see `joint_terms`.
        shape: Shape of the array that receives branches.
        home: Home configuration, shape (nq,).
        limits: Lower and upper joint limits [rad] or [m], shape (2, nq).
        family: Name of the structure, empty if there is none.
        reason: Reason why there is no closed solution, in words.
        core, core_ids: Names of the solved joints and their indices in q, in the order
            of the kernel; an empty name and -1 for an added axis.
        held, held_ids: Names and indices of the joints that keep their values.
        can_move_held: Whether other values of the held joint are worth trying.
        has_swivel: Whether the swivel angle may be chosen.
        is_redundant: Whether solutions come in families, of which some are given.
    """

    kernel: Kernel | None
    constants: FloatArray
    shape: tuple[int, int]
    home: FloatArray
    limits: FloatArray
    family: str = ""
    reason: str = ""
    core: tuple[str, ...] = ()
    core_ids: tuple[int, ...] = ()
    held: tuple[str, ...] = ()
    held_ids: tuple[int, ...] = ()
    can_move_held: bool = False
    has_swivel: bool = False
    is_redundant: bool = False


def closed_solver(model: RobotModel, frame: str | None, task: str) -> ClosedSolver:
    """Return the plan from the model's cache, or make it.

    Raises:
        ConfigError: If there is no such task.
        NameNotFoundError: If there is no such frame.
    """
    key = ("closed", frame, task)
    plan = model._cache.get(key)
    if plan is None:
        plan = model._cache[key] = _make_plan(model, frame, task)
    return plan


def _make_plan(model: RobotModel, frame: str | None, task: str) -> ClosedSolver:
    if task not in TASKS:
        raise ConfigError(
            f"`task` of a closed solution must be one of {', '.join(TASKS)}, got "
            f'{task!r}; method="lm" knows more'
        )
    home = model.home_configuration
    limits = np.ascontiguousarray(model.limits)
    shape = (MAX_BRANCHES + 1, model.nq)
    nothing = np.zeros((0, 0))
    chain = frame_chain(model, frame)
    reason = _obstacle(model, chain)
    if reason:
        return ClosedSolver(
            kernel=None,
            constants=nothing,
            shape=shape,
            home=home,
            limits=limits,
            reason=reason,
        )
    screws, T_base_frame = screws_of_chain(chain)
    code = TASKS[task]
    plan = find_solver_plan(screws, T_base_frame[:3, 3], code)
    if plan is None:
        return ClosedSolver(
            kernel=None,
            constants=nothing,
            shape=shape,
            home=home,
            limits=limits,
            reason=why_none(screws),
        )
    n = len(screws)
    held = screws.part([*range(plan.lead), *range(n - plan.trail, n)])
    return ClosedSolver(
        kernel=_kernel(plan),
        constants=kernel_constants(plan, screws, chain, T_base_frame, limits, code),
        shape=shape,
        home=home,
        limits=limits,
        family=family_name(plan, screws),
        core=_names(model, plan.core),
        core_ids=tuple(plan.core.index.tolist()),
        held=_names(model, held),
        held_ids=tuple(held.index.tolist()),
        can_move_held=task == "pose" and len(held) == 1,
        has_swivel=plan.solver == "swivel",
        is_redundant=plan.solver == "swivel" or plan.lead + plan.trail > 0,
    )


def _kernel(plan: SolverPlan) -> Kernel:
    if plan.solver == "general":
        return partial(solve_general, elimination(plan.core))
    return KERNELS[plan.solver]


def _obstacle(model: RobotModel, chain: FloatArray) -> str:
    """Return why the robot as such is beyond closed solutions, or nothing."""
    if model.loops:
        return "the robot has closed loops"
    if model.has_floating_base:
        return "the base floats"
    index = chain[:-1, CHAIN_INDEX]
    if (
        len(set(index.tolist())) < len(index)
        or (chain[:-1, CHAIN_SCALE] != 1.0).any()
        or (chain[:-1, CHAIN_OFFSET] != 0.0).any()
    ):
        return "a joint on the way to this frame mimics another"
    return ""


def _names(model: RobotModel, screws: Screws) -> tuple[str, ...]:
    return tuple(model.joint_names[i] if i >= 0 else "" for i in map(int, screws.index))
