"""Potential fields, and remedies against their local minima.

U = alpha |q - q_goal|^2 + sum beta / (beta0 + d), F = -grad U. beta / beta0 is the
height of an obstacle; beta0 = 0 makes it a barrier. Distances are signed: with a
distance of 0 everywhere inside, as the course has it, no slope would lead out.
Obstacles far away push too, so the lowest point is near the goal, not on it, unless a
cut-off ends their reach.

Remedies: potentials without such minima on a grid (harmonic; the distance to the goal
as a navigation function), a virtual obstacle where the robot got stuck, random walks
between descents, and a path through cells whose corners are goals one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.linalg import splu

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.planning.concepts import Path, PlanResult, PlanStatus
from gelenk.planning.graph import dijkstra
from gelenk.planning.grid import grid_graph
from gelenk.planning.world import BallRegion
from gelenk.typing import ArrayLike, FloatArray, IntArray

PATIENCE = 20  # steps within half a step's length: the descent has come to rest


class Obstacle(Protocol):
    """A shape with a signed distance and its gradient."""

    def distance(self, points: ArrayLike) -> FloatArray:
        """Return signed distances [m], shape (...)."""
        ...

    def away(self, points: ArrayLike) -> FloatArray:
        """Return the gradient of the distance, shape (..., n)."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PotentialField:
    """Attraction of a goal and repulsion of obstacles.

    Attributes:
        goal: Goal position [m], shape (n,).
        obstacles: Obstacles that push, such as `BallRegion` and `PolygonRegion`.
        attraction: alpha > 0.
        repulsion: beta > 0.
        offset: beta0 >= 0 [m].
        cutoff: Distance from which obstacles do not push [m]; the potential is lowered
            so that it stays continuous.
        counts: Whether all obstacles push, or only the nearest.

    Example:
        >>> from gelenk.planning import PotentialField
        >>> from gelenk.planning.world import BallRegion
        >>> disc = BallRegion(center=[1, 3], radius=0.5)
        >>> field = PotentialField(
        ...     goal=[4, 5], obstacles=[disc], attraction=0.5, repulsion=2.0, offset=0.5
        ... )
        >>> float(field.potential([1, 1])), field.force([1, 1]).tolist()
        (13.5, [3.0, 3.5])
    """

    goal: FloatArray
    obstacles: Sequence[Obstacle]
    attraction: float = 0.5
    repulsion: float = 1.0
    offset: float = 0.1
    cutoff: float = np.inf
    counts: Literal["all", "nearest"] = "all"

    def __post_init__(self) -> None:
        object.__setattr__(self, "goal", as_finite("goal", self.goal, ()))
        if not (self.attraction > 0.0 and self.repulsion > 0.0 and self.offset >= 0.0):
            raise ConfigError("alpha and beta must be positive, beta0 not negative")

    def potential(self, q: ArrayLike) -> FloatArray:
        """Return U, shape (...); infinite on or in an obstacle with beta0 = 0.

        Inside an obstacle (d < 0) the potential goes on as a straight slope.
        """
        q = np.asarray(q, dtype=float)
        pull = self.attraction * ((q - self.goal) ** 2).sum(axis=-1)
        pushes = [self._push(o.distance(q))[0] for o in self.obstacles]
        return pull + self._combined(pushes, q)

    def force(self, q: ArrayLike) -> FloatArray:
        """Return F = -2 alpha (q - q_goal) + sum beta / (beta0 + d)^2 grad d."""
        q = np.asarray(q, dtype=float)
        pull = -2.0 * self.attraction * (q - self.goal)
        pushes = [
            self._push(o.distance(q))[1][..., None] * o.away(q) for o in self.obstacles
        ]
        return pull + self._combined(pushes, q)

    def _push(self, d: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return potential and force of one obstacle at signed distances."""
        with np.errstate(divide="ignore", invalid="ignore"):
            outside = np.maximum(d, 0.0) + self.offset
            rate = self.repulsion / outside**2
            height = self.repulsion / outside - np.where(d < 0.0, rate * d, 0.0)
        if np.isfinite(self.cutoff):
            height = height - self.repulsion / (self.offset + self.cutoff)
        is_near = d < self.cutoff
        return np.where(is_near, height, 0.0), np.where(is_near, rate, 0.0)

    def _combined(self, pushes: list[FloatArray], q: FloatArray) -> FloatArray:
        if not pushes:
            return np.zeros(())
        if self.counts == "all":
            return np.sum(pushes, axis=0)
        gaps = np.stack([np.asarray(o.distance(q)) for o in self.obstacles])
        nearest = gaps.argmin(axis=0)
        stacked = np.stack(pushes)
        index = nearest[None, ...]
        if stacked.ndim > index.ndim:
            index = index[..., None]
        return np.take_along_axis(stacked, index, axis=0)[0]


def _enters(field: PotentialField, q: FloatArray, moved: FloatArray) -> bool:
    """Return whether a step leads from outside into an obstacle."""
    return any(o.distance(moved) <= 0.0 < o.distance(q) for o in field.obstacles)


def descend_potential(
    field: PotentialField,
    start: ArrayLike,
    *,
    step: float = 0.05,
    tolerance: float = 0.1,
    max_steps: int = 5000,
) -> PlanResult:
    """Follow the force from a start, in steps of one length, until it ends.

    Args:
        field: Attraction and repulsion.
        start: Point [m], shape (n,).
        step: Length of a step [m]; it is halved where the potential would rise.
        tolerance: Distance to the goal at which the goal is reached [m].
        max_steps: Largest number of steps.

    Returns:
        `FOUND`, `LOCAL_MINIMUM` (the path leads there), or `GAVE_UP`.
    """
    points = [as_finite("start", start, ())]
    status = PlanStatus.GAVE_UP
    for _ in range(max_steps):
        q = points[-1]
        if np.linalg.norm(q - field.goal) <= tolerance:
            status = PlanStatus.FOUND
            break
        if len(points) > PATIENCE and (
            np.linalg.norm(q - points[-PATIENCE]) < 0.5 * step
        ):
            status = PlanStatus.LOCAL_MINIMUM
            break
        force = field.force(q)
        size = float(np.linalg.norm(force))
        here, length = field.potential(q), step
        moved = q
        while length > 1e-3 * step and size > 0.0:
            moved = q + length * force / size
            if field.potential(moved) < here and not _enters(field, q, moved):
                break
            length *= 0.5
        else:
            status = PlanStatus.LOCAL_MINIMUM
            break
        points.append(moved)
    return PlanResult(
        status=status, path=Path(points=np.array(points)), effort=len(points) - 1
    )


def harmonic_potential(is_free: ArrayLike, goal: tuple[int, int]) -> FloatArray:
    """Return the solution of Laplace's equation: 0 at the goal, 1 on obstacles.

    Every other value is the mean of its four neighbours, so none can be the lowest: the
    only minimum is the goal. Cells outside the grid count as obstacles.

    Args:
        is_free: Whether each cell is free, shape (h, w).
        goal: A free cell.

    Returns:
        Shape (h, w).

    Example:
        >>> room = np.ones((3, 5), dtype=bool)
        >>> harmonic_potential(room, (1, 0))[1].round(3)  # the only minimum is the goal
        array([0.   , 0.608, 0.832, 0.926, 0.972])
    """
    free = np.pad(np.asarray(is_free, dtype=np.bool_), 1)
    at = (goal[0] + 1, goal[1] + 1)
    if not free[at]:
        raise ConfigError(f"`goal` {goal} is not free")
    unknown = free.copy()
    unknown[at] = False
    ids = np.full(free.shape, -1)
    ids[unknown] = np.arange(unknown.sum())
    i, j = np.nonzero(unknown)
    rows, columns, right = [ids[i, j]], [ids[i, j]], np.zeros(len(i))
    values = [np.full(len(i), 4.0)]
    for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        beside = ids[i + di, j + dj]
        known = beside < 0
        right[known] += np.where(free[i + di, j + dj][known], 0.0, 1.0)
        rows.append(ids[i, j][~known])
        columns.append(beside[~known])
        values.append(np.full((~known).sum(), -1.0))
    matrix = coo_array(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))),
        shape=(len(i), len(i)),
    )
    out = np.ones(free.shape)
    out[at] = 0.0
    out[unknown] = np.asarray(splu(matrix.tocsc()).solve(right))
    return out[1:-1, 1:-1]


def navigation_function(is_free: ArrayLike, goal: tuple[int, int]) -> FloatArray:
    """Return the length of the shortest path to the goal; infinite if there is none.

    Args:
        is_free: Whether each cell is free, shape (h, w).
        goal: A free cell.

    Returns:
        Shape (h, w) [cells].
    """
    free = np.asarray(is_free, dtype=np.bool_)
    graph = grid_graph(free)
    return dijkstra(graph, goal[0] * free.shape[1] + goal[1]).distance.reshape(
        free.shape
    )


def descend_cells(potential: FloatArray, start: tuple[int, int]) -> IntArray:
    """Return the cells visited by always stepping to the lowest of 4 neighbours.

    Args:
        potential: Potential of each cell, shape (h, w).
        start: First cell.

    Returns:
        Shape (k, 2); the last one is a minimum.
    """
    padded = np.pad(potential, 1, constant_values=np.inf)
    cells = [(start[0] + 1, start[1] + 1)]
    while True:
        i, j = cells[-1]
        beside = [(i, j + 1), (i + 1, j), (i, j - 1), (i - 1, j)]
        best = min(beside, key=lambda cell: padded[cell])
        if not padded[best] < padded[i, j]:
            break
        cells.append(best)
    return np.array(cells) - 1


def descend_with_hills(
    field: PotentialField,
    start: ArrayLike,
    *,
    step: float = 0.05,
    tolerance: float = 0.1,
    hill_radius: float = 0.1,
    max_hills: int = 25,
) -> PlanResult:
    """Descend; wherever that ends early, put a virtual obstacle and go on.

    Args:
        field: Attraction and repulsion.
        start: Point [m], shape (n,).
        step: Length of a step [m].
        tolerance: Distance at which the goal is reached [m].
        hill_radius: Radius of the virtual obstacles, discs or balls [m].
        max_hills: Largest number of minima that are filled.
    """
    points: list[FloatArray] = [as_finite("start", start, ())]
    for _ in range(max_hills + 1):
        result = descend_potential(field, points[-1], step=step, tolerance=tolerance)
        assert result.path is not None
        points += list(result.path.points[1:])
        if result.status != PlanStatus.LOCAL_MINIMUM:
            path = Path(points=np.array(points))
            return PlanResult(status=result.status, path=path, effort=len(points))
        # Small, and a little behind the minimum: its slope leads back and around, and
        # the next one goes where that ends. A large one would push into obstacles.
        behind = points[-1] + 0.5 * step * _unit(field.goal - points[-1])
        hill = BallRegion(center=behind, radius=hill_radius)
        field = replace(field, obstacles=[*field.obstacles, hill])
    path = Path(points=np.array(points))
    return PlanResult(status=PlanStatus.GAVE_UP, path=path, effort=len(points))


def descend_with_walks(
    field: PotentialField,
    start: ArrayLike,
    *,
    rng: np.random.Generator,
    step: float = 0.05,
    tolerance: float = 0.1,
    walk: int = 400,
    tries: int = 200,
) -> PlanResult:
    """Descend; leave minima by random walks (randomised path planner, RPP).

    A walk never enters an obstacle. Of each walk and the descent after it the robot
    keeps what leads to a lower minimum (Barraquand and Latombe 1991).

    Args:
        field: Attraction and repulsion.
        start: Point [m], shape (n,).
        rng: Source of the walks.
        step: Length of a step [m].
        tolerance: Distance at which the goal is reached [m].
        walk: Longest walk [steps].
        tries: Largest number of random walks.
    """
    first = descend_potential(field, start, step=step, tolerance=tolerance)
    assert first.path is not None
    points, status = list(first.path.points), first.status
    effort = first.effort
    for _ in range(tries):
        if status == PlanStatus.FOUND:
            break
        stroll = [points[-1]]
        for _ in range(int(rng.integers(1, walk))):
            moved = stroll[-1] + 2.0 * step * _unit(rng.normal(size=len(stroll[0])))
            if all(float(o.distance(moved)) > step for o in field.obstacles):
                stroll.append(moved)
        result = descend_potential(field, stroll[-1], step=step, tolerance=tolerance)
        assert result.path is not None
        effort += len(stroll) + result.effort
        end = result.path.points[-1]
        if result.found or field.potential(end) < field.potential(points[-1]) - 1e-3:
            points += [*stroll[1:], *result.path.points[1:]]
            status = result.status
    path = Path(points=np.array(points))
    return PlanResult(status=status, path=path, effort=effort)


def descend_along(
    field: PotentialField,
    guide: Path,
    *,
    step: float = 0.05,
    tolerance: float = 0.1,
) -> PlanResult:
    """Descend to the points of a path one after the other, then to the goal.

    Args:
        field: Attraction and repulsion.
        guide: A path found by a global method, such as cells; coarse is enough.
        step: Length of a step [m].
        tolerance: Distance at which a point of the path counts as reached [m].
    """
    points = [guide.points[0]]
    status = PlanStatus.FOUND
    for target in guide.points[1:]:
        near = replace(field, goal=target)
        result = descend_potential(near, points[-1], step=step, tolerance=tolerance)
        assert result.path is not None
        points += list(result.path.points[1:])
        status = result.status
        if status != PlanStatus.FOUND:
            break
    path = Path(points=np.array(points))
    return PlanResult(status=status, path=path, effort=len(points))


def _unit(v: FloatArray) -> FloatArray:
    size = float(np.linalg.norm(v))
    return v / size if size > 0.0 else v
