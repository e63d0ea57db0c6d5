"""Which closed solution fits a chain, found from the lie of its axes.

Every way to split the chain is tried and the cheapest that works is taken. Names of
joints play no role, nor do base and tool.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from gelenk.kinematics.inverse.closed.general_recipe import general_recipes
from gelenk.kinematics.inverse.closed.geometry import RANK_TOL, Screws
from gelenk.kinematics.inverse.closed.layout import POSE, POSITION, SLIDES
from gelenk.kinematics.inverse.closed.parallel_recipe import parallel_recipes
from gelenk.kinematics.inverse.closed.partition_recipe import (
    partitions,
    positioning_arms,
    wrist_recipe,
)
from gelenk.kinematics.inverse.closed.recipe import Recipe
from gelenk.kinematics.inverse.closed.swivel_recipe import swivel_recipe
from gelenk.typing import FloatArray

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
        found = list(_pose_recipes(screws, tool)) or list(_general(screws))
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
        if not core.are_independent():
            continue
        yield from _turn_then_slide(core, lead, n - num - lead)
        for is_reversed in (False, True):
            part = core.reversed() if is_reversed else core
            recipes = [*partitions(part, tool), *parallel_recipes(part)]
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


def _general(screws: Screws) -> Iterator[Recipe]:
    """Yield solutions without structure, forwards and backwards."""
    n = len(screws)
    for lead in range(n - 5):
        core = screws.part(list(range(lead, lead + 6)))
        if not core.are_independent():
            continue
        for is_reversed in (False, True):
            part = core.reversed() if is_reversed else core
            for recipe in general_recipes(part):
                yield replace(
                    recipe, is_reversed=is_reversed, lead=lead, trail=n - 6 - lead
                )
                return


def _position_recipes(screws: Screws, tool: FloatArray) -> Iterator[Recipe]:
    """Yield arms of neighbouring joints that move the point as freely as all do."""
    n = len(screws)
    num = int((screws.point_motion(tool) > RANK_TOL).sum())
    for lead in range(n - num + 1 if num else 0):
        core = screws.part(list(range(lead, lead + num)))
        # Held joints move the point off places that are special at q = 0.
        behind = screws.part(list(range(lead + num, n)))
        q = np.random.default_rng(1).uniform(-1.0, 1.0, n - num - lead)
        for recipe in positioning_arms(core, [behind.moved_point(q, tool)], 0):
            yield replace(
                recipe,
                cost=recipe.cost + HELD_COST * (n - num) + 0.1 * lead,
                W=tool,
                lead=lead,
                trail=n - num - lead,
            )


def _rotation_recipes(screws: Screws) -> Iterator[Recipe]:
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
                wrist_recipe(core, 0, num, np.zeros(3)), lead=lead, trail=n - num - lead
            )
            return


def _turn_then_slide(core: Screws, lead: int, trail: int) -> Iterator[Recipe]:
    """Yield the recipe of an arm with up to three turns and up to three slides."""
    turns = np.flatnonzero(core.is_revolute).tolist()
    slides = np.flatnonzero(~core.is_revolute).tolist()
    if not turns or max(len(turns), len(slides)) > 3:
        return
    if core.part(turns).has_parallel_neighbours():
        return
    order = core.part([*turns, *slides])
    recipe = wrist_recipe(order, 0, len(turns), core.point[turns[-1]])
    e = recipe.e.copy()
    for k, i in enumerate(slides, start=len(turns)):
        e[k] = [sum(j < i for j in turns), 0.0, 0.0]
    yield replace(
        recipe,
        solver="turn_then_slide",
        cost=3.0 + HELD_COST * (lead + trail),
        e=e,
        header={**recipe.header, SLIDES: len(slides)},
        lead=lead,
        trail=trail,
    )
