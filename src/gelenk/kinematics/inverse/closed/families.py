"""Names of structures that have a closed solution, and words where there is none."""

from __future__ import annotations

import numpy as np

from gelenk.kinematics.inverse.closed.geometry import Screws
from gelenk.kinematics.inverse.closed.layout import CYCLIC, REGIONAL, WRIST
from gelenk.kinematics.inverse.closed.recipe import Recipe


def family_name(recipe: Recipe, screws: Screws) -> str:
    """Return the name of the structure that a recipe uses.

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
    num, num_wrist = recipe.header.get(REGIONAL, 0.0), recipe.header.get(WRIST, 0.0)
    if recipe.solver in ("swivel", "general"):
        return recipe.solver
    part = screws.part(list(range(recipe.lead, len(screws) - recipe.trail)))
    if not part.is_revolute.any():
        return "cartesian"
    if part.plane_normal(*range(len(part))) is not None and len(part) > 1:
        return "planar"
    if _is_scara(part):
        return "scara"
    if recipe.solver == "parallel":
        return "three_parallel"
    if recipe.solver == "turn_then_slide":
        return "turn_then_slide"
    if num_wrist == 3 and num > 0:
        if recipe.header.get(CYCLIC):
            return "spherical_middle"
        return "spherical_shoulder" if recipe.is_reversed else "spherical_wrist"
    if recipe.lead + recipe.trail and num == 0:
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
