"""Concepts of planning as types: route, path, trajectory, problem, level, result.

A *route* names places one after the other and says nothing about motion. A *path* is a
continuous sequence of configurations without time. A *trajectory* is a path with a
time law. Each level of planning adds knowledge of the robot: none for a route, its
shape for a path, its kinematics and its dynamics for a trajectory.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, BoolArray, FloatArray


class PlanningLevel(StrEnum):
    """Knowledge of world and robot that a planner uses, from little to much."""

    TOPOLOGICAL = "topological"
    """A graph of places; the robot is a point; the answer is a `Route`."""
    GEOMETRIC = "geometric"
    """Shapes in space; a point, maybe with extent; the answer is a `Path`."""
    KINEMATIC = "kinematic"
    """Local space and time, joint rates; the answer is a `TimedPath`."""
    KINETIC = "kinetic"
    """Local space and time, forces; the answer is a `TimedPath`."""


class PlanStatus(StrEnum):
    """Outcome of a search for a path."""

    FOUND = "found"
    UNREACHABLE = "unreachable"
    """Proved: there is none (only complete planners say so)."""
    GAVE_UP = "gave up"
    """None was found with the effort allowed."""
    LOCAL_MINIMUM = "local minimum"
    """A descent came to rest away from the goal."""


class Space(Protocol):
    """Configuration space as planners use it: a box, and tests of freedom."""

    @property
    def lower(self) -> FloatArray:
        """Smallest coordinates, shape (n,)."""
        ...

    @property
    def upper(self) -> FloatArray:
        """Largest coordinates, shape (n,)."""
        ...

    def are_free(self, points: ArrayLike) -> BoolArray:
        """Return whether configurations collide with nothing, shape (...)."""
        ...

    def are_free_between(self, starts: ArrayLike, ends: ArrayLike) -> BoolArray:
        """Return whether straight lines collide with nothing, shape (...)."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Places one after the other.

    Attributes:
        places: Names, from the start to the goal.
        cost: Total cost of the route: time, length or energy.
    """

    places: tuple[str, ...]
    cost: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Path:
    """Configurations joined by straight lines, without time.

    Attributes:
        points: Configurations from start to goal, shape (k, n) [m] or [rad].

    Example:
        >>> from gelenk.planning import Path
        >>> path = Path(points=[[0.0, 0.0], [3.0, 0.0], [3.0, 4.0]])
        >>> path.length
        7.0
        >>> path.at([0.0, 3.5, 7.0]).tolist()
        [[0.0, 0.0], [3.0, 0.5], [3.0, 4.0]]
    """

    points: FloatArray

    def __post_init__(self) -> None:
        points = np.array(as_finite("points", self.points, ()), ndmin=2)
        if points.ndim != 2 or len(points) < 1:
            raise ConfigError(f"`points` must have shape (k, n), got {points.shape}")
        points.setflags(write=False)
        object.__setattr__(self, "points", points)

    @property
    def length(self) -> float:
        """Sum of the straight pieces [m] or [rad]."""
        return float(np.linalg.norm(np.diff(self.points, axis=0), axis=1).sum())

    def at(self, distance: ArrayLike) -> FloatArray:
        """Return the points after given lengths of path.

        Args:
            distance: Length from the start, shape (...); clipped to the path.

        Returns:
            Points, shape (..., n).
        """
        pieces = np.linalg.norm(np.diff(self.points, axis=0), axis=1)
        along = np.concatenate([[0.0], np.cumsum(pieces)])
        s = np.clip(np.asarray(distance, dtype=float), 0.0, along[-1])
        columns: list[FloatArray] = [np.interp(s, along, x) for x in self.points.T]
        return np.stack(columns, axis=-1)

    def timed(self, speed: float) -> TimedPath:
        """Return the trajectory that follows the path at one speed [m/s]."""
        if not speed > 0.0:
            raise ConfigError(f"`speed` must be positive, got {speed}")
        pieces = np.linalg.norm(np.diff(self.points, axis=0), axis=1)
        times = np.concatenate([[0.0], np.cumsum(pieces)]) / speed
        is_new = np.concatenate([[True], pieces > 0.0])
        return TimedPath(times=times[is_new], points=self.points[is_new])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TimedPath:
    """A path with a time law.

    Attributes:
        times: Strictly increasing [s], shape (k,).
        points: Configurations at these times, shape (k, n).
        rates: Derivatives of the configurations, shape (k, n); None: straight lines in
            between.

    Example:
        >>> from gelenk.planning import TimedPath
        >>> motion = TimedPath(times=[0.0, 2.0], points=[[0.0, 0.0], [1.0, 4.0]])
        >>> motion.duration, motion.at(0.5).tolist()
        (2.0, [0.25, 1.0])
    """

    times: FloatArray
    points: FloatArray
    rates: FloatArray | None = None

    def __post_init__(self) -> None:
        times = np.array(as_finite("times", self.times, ()), ndmin=1)
        points = np.array(as_finite("points", self.points, ()), ndmin=2)
        if len(times) != len(points):
            raise ConfigError(
                f"`times` and `points` must be equally many, got {len(times)} and "
                f"{len(points)}"
            )
        if (np.diff(times) <= 0.0).any():
            raise ConfigError("`times` must increase strictly")
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "points", points)

    @property
    def duration(self) -> float:
        """Time from start to goal [s]."""
        return float(self.times[-1] - self.times[0])

    @property
    def path(self) -> Path:
        """What is left without time."""
        return Path(points=self.points)

    def at(self, t: ArrayLike) -> FloatArray:
        """Return the configurations at times t [s], shape (...); held outside.

        With `rates` the pieces are cubic (Hermite), else straight.
        """
        t = np.clip(np.asarray(t, dtype=float), self.times[0], self.times[-1])
        if len(self.times) == 1:
            return np.broadcast_to(
                self.points[0], (*t.shape, self.points.shape[1])
            ).copy()
        k = np.clip(np.searchsorted(self.times, t, "right") - 1, 0, len(self.times) - 2)
        h = (self.times[k + 1] - self.times[k])[..., None]
        s = (t - self.times[k])[..., None] / h
        a, b = self.points[k], self.points[k + 1]
        if self.rates is None:
            return a + s * (b - a)
        va, vb = h * self.rates[k], h * self.rates[k + 1]
        rest = s * (1.0 - s)
        return (
            a
            + s * s * (3.0 - 2.0 * s) * (b - a)
            + rest * (1.0 - s) * va
            - rest * s * vb
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlanningProblem:
    """Start and goal of a motion, and the space of both.

    Attributes:
        space: The configuration space.
        start: Configuration, shape (n,).
        goal: Configuration, shape (n,).

    Raises:
        ConfigError: If start or goal collides: no planner could help.
    """

    space: Space
    start: FloatArray
    goal: FloatArray

    def __post_init__(self) -> None:
        n = len(self.space.lower)
        for name in ("start", "goal"):
            point = as_finite(name, getattr(self, name), (n,))
            if not bool(self.space.are_free(point)):
                raise ConfigError(f"`{name}` {point.tolist()} is not in the free space")
            object.__setattr__(self, name, point)

    def accepts(self, path: Path, *, tolerance: float = 1e-9) -> bool:
        """Return whether a path leads from start to goal and touches nothing."""
        points = path.points
        joins = (
            np.linalg.norm(points[0] - self.start) <= tolerance
            and np.linalg.norm(points[-1] - self.goal) <= tolerance
        )
        return bool(
            joins and self.space.are_free_between(points[:-1], points[1:]).all()
        )


def planning_problem(
    space: Space, start: ArrayLike, goal: ArrayLike
) -> PlanningProblem:
    """Return the problem between two configurations, shape (n,), checked."""
    n = len(space.lower)
    return PlanningProblem(
        space=space,
        start=as_finite("start", start, (n,)),
        goal=as_finite("goal", goal, (n,)),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlanResult:
    """Result of a planner of paths.

    Attributes:
        status: Outcome of the search.
        path: The path; None unless found.
        effort: Number of expansions, samples or steps, whatever the planner counts.
    """

    status: PlanStatus
    path: Path | None
    effort: int

    @property
    def found(self) -> bool:
        """Whether there is a path."""
        return self.status == PlanStatus.FOUND
