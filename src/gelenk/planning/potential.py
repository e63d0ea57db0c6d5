"""Potential field: the goal pulls, obstacles push, the robot rolls downhill.

U = alpha |q - q_goal|^2 + sum beta / (beta0 + d), F = -grad U. beta / beta0 is the
height of an obstacle; beta0 = 0 makes it a barrier. Distances are signed: with a
distance of 0 everywhere inside, as the course has it, there would be no slope that
leads out. Obstacles far away push too, so the lowest point is near the goal, not on it,
unless a cut-off ends their reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.planning.terms import Path, PlanResult, PlanStatus
from gelenk.typing import ArrayLike, FloatArray

PATIENCE = 20  # steps within half a step's length: the descent has come to rest


class Repeller(Protocol):
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
        goal: Where to go [m], shape (n,).
        obstacles: What pushes, such as `Ball` and `Polygon`.
        attraction: alpha > 0.
        repulsion: beta > 0.
        offset: beta0 >= 0 [m].
        cutoff: Distance from which obstacles do not push [m]; the potential is lowered
            so that it stays continuous.
        counts: Whether all obstacles push, or only the nearest.

    Example:
        >>> from gelenk.planning.shapes import Ball
        >>> disc = Ball(center=[1, 3], radius=0.5)
        >>> field = PotentialField(
        ...     goal=[4, 5], obstacles=[disc], attraction=0.5, repulsion=2.0, offset=0.5
        ... )
        >>> float(field.potential([1, 1])), field.force([1, 1]).tolist()
        (13.5, [3.0, 3.5])
    """

    goal: FloatArray
    obstacles: Sequence[Repeller]
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


def descend(
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
        max_steps: How many steps to make.

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
