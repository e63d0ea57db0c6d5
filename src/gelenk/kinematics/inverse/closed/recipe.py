"""How one chain is solved: the outcome of recognising its structure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from gelenk.kinematics.inverse.closed.geometry import Screws, perpendicular
from gelenk.kinematics.inverse.closed.layout import (
    CHAIN,
    COLS,
    CORE,
    CYCLIC,
    HEADER,
    INDEX,
    KIND,
    LEAD,
    LOWER,
    PLACE,
    REF_H,
    REF_KAPPA,
    REF_W,
    REFERENCE,
    REGIONAL,
    REVERSED,
    START,
    TASK,
    TRAIL,
    UPPER,
    E,
    F,
    P,
    Z,
)
from gelenk.typing import FloatArray

Solver = Literal["partition", "parallel", "swivel", "turn_then_slide", "general"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Recipe:
    """A structure with a closed solution, found in a chain.

    Attributes:
        solver: Which kernel solves it.
        cost: Lower is faster and better conditioned; the cheapest recipe is taken.
        core: Joints that are solved for, in the order of the kernel, reversed already,
            with the points that make terms vanish.
        e: Vector perpendicular to each core axis, shape (len(core), 3).
        header: Entries of the header row that the kernel reads.
        W: Wrist point [m], shape (3,).
        h: Direction of parallel axes, shape (3,).
        kappa: Constants of the wrist, see `subproblems.solve_cone`.
        extra: Further entries of the reference row by column.
        is_reversed: Whether the core was turned round.
        lead, trail: Joints before and behind the core, held at their values.
    """

    solver: Solver
    cost: float
    core: Screws
    e: FloatArray
    header: dict[int, float]
    W: FloatArray = field(default_factory=lambda: np.zeros(3))
    h: FloatArray = field(default_factory=lambda: np.zeros(3))
    kappa: tuple[float, float] = (0.0, 0.0)
    extra: dict[int, float] = field(default_factory=dict)
    is_reversed: bool = False
    lead: int = 0
    trail: int = 0


def kernel_constants(
    recipe: Recipe,
    screws: Screws,
    chain: FloatArray,
    T_base_frame: FloatArray,
    limits: FloatArray,
    task: int,
) -> FloatArray:
    """Return the array that the kernels read; `layout` says what is where.

    Args:
        recipe: What was recognised.
        screws: All joints of the chain in order.
        chain: As `frame_chain` returns it.
        T_base_frame: Pose of the frame at q = 0, shape (4, 4).
        limits: Of all joints of the robot, shape (2, nq).
        task: POSE, POSITION or ROTATION.
    """
    n, core = len(screws), recipe.core
    held = screws.part([*range(recipe.lead), *range(n - recipe.trail, n)])
    rows = np.zeros((len(held) + len(core), COLS))
    before = recipe.lead
    _fill(rows[:before], held.part(list(range(before))), limits)
    _fill(rows[before : before + len(core)], core, limits, recipe.e)
    _fill(
        rows[before + len(core) :],
        held.part(list(range(before, len(held)))),
        limits,
    )
    tail = np.zeros((3, COLS))
    R, p = T_base_frame[:3, :3], T_base_frame[:3, 3]
    tail[-PLACE, :9], tail[-PLACE, 9:12] = R.T.ravel(), -R.T @ p
    tail[-REFERENCE, REF_W : REF_W + 3] = recipe.W
    tail[-REFERENCE, REF_H : REF_H + 3] = recipe.h
    tail[-REFERENCE, REF_KAPPA : REF_KAPPA + 2] = recipe.kappa
    for column, value in recipe.extra.items():
        tail[-REFERENCE, column] = value
    header = {
        CHAIN: n,
        LEAD: recipe.lead,
        CORE: len(core),
        TRAIL: recipe.trail,
        REVERSED: recipe.is_reversed,
        TASK: task,
        START: _shared_joints(recipe),
        **recipe.header,
    }
    for column, value in header.items():
        tail[-HEADER, column] = value
    return np.ascontiguousarray(np.vstack([chain, rows, tail]))


def _shared_joints(recipe: Recipe) -> float:
    """Return how many joints of the chain all solutions of the wrist have in common."""
    if recipe.solver != "partition" or recipe.is_reversed or CYCLIC in recipe.header:
        return 0.0
    return recipe.lead + recipe.header[REGIONAL]


def _fill(
    rows: FloatArray, screws: Screws, limits: FloatArray, e: FloatArray | None = None
) -> None:
    for i in range(len(screws)):
        z, index = screws.axis[i], int(screws.index[i])
        across = perpendicular(z) if e is None else e[i]
        rows[i, Z : Z + 3], rows[i, P : P + 3] = z, screws.point[i]
        rows[i, KIND], rows[i, INDEX] = screws.is_revolute[i], index
        rows[i, E : E + 3], rows[i, F : F + 3] = across, np.cross(z, across)
        rows[i, LOWER], rows[i, UPPER] = -np.inf, np.inf
        if index >= 0:
            rows[i, LOWER], rows[i, UPPER] = limits[:, index]
