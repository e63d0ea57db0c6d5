"""What is prepared once per robot, frame and task, and kept with the model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from gelenk.errors import ConfigError
from gelenk.kinematics.chain import (
    CHAIN_INDEX,
    CHAIN_OFFSET,
    CHAIN_SCALE,
    frame_chain,
)
from gelenk.kinematics.inverse.closed.classify import find_recipe
from gelenk.kinematics.inverse.closed.families import family_name, why_none
from gelenk.kinematics.inverse.closed.general import elimination, solve_general
from gelenk.kinematics.inverse.closed.geometry import Screws, screws_of_chain
from gelenk.kinematics.inverse.closed.layout import (
    MAX_BRANCHES,
    POSE,
    POSITION,
    ROTATION,
)
from gelenk.kinematics.inverse.closed.recipe import Recipe, kernel_constants
from gelenk.kinematics.inverse.closed.swivel import solve_swivel
from gelenk.kinematics.inverse.closed.three_parallel import solve_parallel
from gelenk.kinematics.inverse.closed.turn_then_slide import solve_turn_then_slide
from gelenk.kinematics.inverse.closed.wrist_partition import solve_partition
from gelenk.models.tree import RobotModel
from gelenk.typing import FloatArray

Kernel = Callable[..., tuple[int, int, int]]

TASKS = {"pose": POSE, "position": POSITION, "rotation": ROTATION}
KERNELS: dict[str, Kernel] = {
    "partition": solve_partition,
    "parallel": solve_parallel,
    "swivel": solve_swivel,
    "turn_then_slide": solve_turn_then_slide,
}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Plan:
    """How to solve one frame and task of a robot.

    Attributes:
        kernel: Compiled solver; None if there is no closed solution.
        constants: What it reads, see `layout`.
        shape: Of the array that receives branches.
        home: Home configuration, shape (nq,).
        limits: Shape (2, nq).
        family: Name of the structure, empty if there is none.
        reason: Why there is none, in words.
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


def closed_plan(model: RobotModel, frame: str | None, task: str) -> Plan:
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


def _make_plan(model: RobotModel, frame: str | None, task: str) -> Plan:
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
        return Plan(
            kernel=None,
            constants=nothing,
            shape=shape,
            home=home,
            limits=limits,
            reason=reason,
        )
    screws, T_base_frame = screws_of_chain(chain)
    code = TASKS[task]
    recipe = find_recipe(screws, T_base_frame[:3, 3], code)
    if recipe is None:
        return Plan(
            kernel=None,
            constants=nothing,
            shape=shape,
            home=home,
            limits=limits,
            reason=why_none(screws),
        )
    n = len(screws)
    held = screws.part([*range(recipe.lead), *range(n - recipe.trail, n)])
    return Plan(
        kernel=_kernel(recipe),
        constants=kernel_constants(recipe, screws, chain, T_base_frame, limits, code),
        shape=shape,
        home=home,
        limits=limits,
        family=family_name(recipe, screws),
        core=_names(model, recipe.core),
        core_ids=tuple(recipe.core.index.tolist()),
        held=_names(model, held),
        held_ids=tuple(held.index.tolist()),
        can_move_held=task == "pose" and len(held) == 1,
        has_swivel=recipe.solver == "swivel",
        is_redundant=recipe.solver == "swivel" or recipe.lead + recipe.trail > 0,
    )


def _kernel(recipe: Recipe) -> Kernel:
    if recipe.solver == "general":
        return partial(solve_general, elimination(recipe.core))
    return KERNELS[recipe.solver]


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
    return tuple(model.joint_names[i] if i >= 0 else "" for i in screws.index.tolist())
