"""Effort and completeness of the planners, and how effort grows with the joints.

Planning is PSPACE-hard in the number of degrees of freedom (Reif 1979); the general
exact methods take time doubly (Schwartz and Sharir) or singly (Canny) exponential in
it. The course's "at least polynomial" undersells that. So practical planners give up
completeness, or optimality, or resolution; `PLANNERS` says which.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from gelenk.errors import ConfigError
from gelenk.planning.random_tree import plan_rrt_connect
from gelenk.planning.scene import ConvexScene, point_scene


class Completeness(StrEnum):
    """Meaning of a search that finds nothing."""

    COMPLETE = "complete"
    """There is no path."""
    RESOLUTION = "resolution complete"
    """There is none at this resolution."""
    PROBABILISTIC = "probabilistically complete"
    """There is likely none; the chance to err falls with the effort."""
    INCOMPLETE = "incomplete"
    """It means nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerClass:
    """Completeness, optimality and effort of a planner.

    Attributes:
        name: Module and function of the planner.
        completeness: Meaning of a search without a path.
        is_optimal: Whether its path is the shortest in its model.
        effort: Growth with corners n, cells c per axis, joints d or samples k.
    """

    name: str
    completeness: Completeness
    is_optimal: bool
    effort: str


def _row(
    name: str, completeness: Completeness, is_optimal: bool, effort: str
) -> PlannerClass:
    return PlannerClass(
        name=name, completeness=completeness, is_optimal=is_optimal, effort=effort
    )


PLANNERS = (
    _row("roadmaps.shortest_path", Completeness.COMPLETE, True, "n^3"),
    _row("roadmaps.safest_path", Completeness.RESOLUTION, False, "n log n"),
    _row("freeway.freeway_path", Completeness.INCOMPLETE, False, "n^3"),
    _row("cells.cell_path", Completeness.COMPLETE, False, "n^2"),
    _row("cells.tree_path", Completeness.RESOLUTION, False, "c^d"),
    _row("grid.grid_path", Completeness.RESOLUTION, True, "c^d log c"),
    _row("potential.descend_potential", Completeness.INCOMPLETE, False, "steps"),
    _row(
        "probabilistic_roadmap.plan_prm", Completeness.PROBABILISTIC, False, "k log k"
    ),
    _row("random_tree.plan_rrt", Completeness.PROBABILISTIC, False, "k^2"),
    _row("random_tree.plan_rrt_star", Completeness.PROBABILISTIC, True, "k^2"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaling:
    """Effort of two planners in one number of dimensions.

    Attributes:
        dimensions: Degrees of freedom.
        cells: Cells that a uniform grid has to hold.
        nodes: Nodes of the random trees, mean over the trials.
    """

    dimensions: int
    cells: int
    nodes: float


def scaling_experiment(
    dimensions: tuple[int, ...] = (2, 3, 4, 5, 6),
    *,
    cells_per_axis: int = 20,
    trials: int = 5,
    rng: np.random.Generator,
) -> list[Scaling]:
    """Compare a grid with random trees around a box in more and more dimensions.

    Args:
        dimensions: Degrees of freedom to try, each >= 2.
        cells_per_axis: Number of grid cells along each axis.
        trials: Random trees to average over.
        rng: Source of their samples.

    Example:
        >>> rows = scaling_experiment((2, 4), trials=1, rng=np.random.default_rng(0))
        >>> [(row.dimensions, row.cells) for row in rows]
        [(2, 400), (4, 160000)]
    """
    if min(dimensions) < 2:
        raise ConfigError("`dimensions` must be at least 2")
    table: list[Scaling] = []
    for d in dimensions:
        scene = box_scene(d)
        start, goal = np.full(d, 0.1), np.full(d, 0.9)
        counts = [
            plan_rrt_connect(scene, start, goal, step=0.2, rng=rng).effort
            for _ in range(trials)
        ]
        row = Scaling(
            dimensions=d, cells=cells_per_axis**d, nodes=float(np.mean(counts))
        )
        table.append(row)
    return table


def box_scene(dimensions: int) -> ConvexScene:
    """Return the unit cube with a cube of side 0.5 in its middle."""
    low, high = np.full(dimensions, 0.25), np.full(dimensions, 0.75)
    return point_scene(np.zeros(dimensions), np.ones(dimensions), boxes=[[*low, *high]])
