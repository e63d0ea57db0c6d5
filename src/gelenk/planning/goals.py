"""Goals of a motion: configurations, poses, regions and values of some joints."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from gelenk.checks import as_finite
from gelenk.collision import Scene
from gelenk.errors import ConfigError, NameNotFoundError, ShapeError
from gelenk.models.tree import RobotModel
from gelenk.planning.motion_space import MotionSpace
from gelenk.spatial import se3
from gelenk.typing import ArrayLike, FloatArray

STARTS = 24  # of inverse kinematics for one pose
MOST_GOALS = 12
SAME = 1e-3  # [rad] or [m]: solutions nearer than this are one


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GoalRegion:
    """Poses around one: any of them will do.

    Attributes:
        T_world_frame: Pose in the middle, shape (4, 4).
        low: Smallest offsets [x, y, z, rx, ry, rz] in axes of that pose [m], [rad].
        high: Largest offsets.

    Example:
        >>> import numpy as np
        >>> from gelenk.planning import GoalRegion
        >>> turn = np.array([0, 0, 0, 0, 0, np.pi])
        >>> any_turn = GoalRegion(low=-turn, high=turn)
        >>> any_turn.sample(np.random.default_rng(0)).shape
        (4, 4)
    """

    T_world_frame: ArrayLike = field(default_factory=lambda: np.eye(4))
    low: ArrayLike = (0.0,) * 6
    high: ArrayLike = (0.0,) * 6

    def __post_init__(self) -> None:
        T = as_finite("T_world_frame", self.T_world_frame, (4, 4))
        low, high = (as_finite(n, getattr(self, n), (6,)) for n in ("low", "high"))
        if (low > high).any():
            raise ConfigError("`low` must not be above `high`")
        for name, array in (("T_world_frame", T), ("low", low), ("high", high)):
            object.__setattr__(self, name, np.array(array))

    def sample(self, rng: np.random.Generator) -> FloatArray:
        """Return a pose of the region, shape (4, 4)."""
        low, high = (np.asarray(x, np.float64) for x in (self.low, self.high))
        offset = rng.uniform(low, high)
        T = np.eye(4)
        T[:3, 3] = offset[:3]
        T[:3, :3] = se3.exp(np.concatenate([np.zeros(3), offset[3:]]))[:3, :3]
        return np.asarray(self.T_world_frame) @ T


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Goal:
    """Configurations that are goals.

    Attributes:
        reached: Goals within the limits of the joints, shape (k, nq).
        free: Those of them that collide with nothing, the nearest first, (m, nq).
        reason: Sentence on why there is none.
    """

    reached: FloatArray
    free: FloatArray
    reason: str = ""


def list_goals(
    space: MotionSpace,
    goal: Any,
    frame: str | None,
    rng: np.random.Generator,
    deadline: float,
) -> Goal:
    """Return the configurations that a goal allows.

    Args:
        space: Joints that move.
        goal: Goal as `plan` takes it.
        frame: Link that poses are for; None: the tool.
        rng: Generator of the starts of inverse kinematics.
        deadline: Moment to stop at, of `time.perf_counter` [s].
    """
    scene = space.scene
    if isinstance(goal, Mapping):
        values = cast("Mapping[str, float]", goal)
        return _checked(space, _values(space, values)[None])
    regions = _regions(goal)
    if regions is None:
        array = as_finite("goal", goal, ())
        is_pose = array.shape[-2:] == (4, 4) and bool(np.all(se3.is_pose(array)))
        if not is_pose:
            if array.ndim not in (1, 2) or array.shape[-1] != scene.nq:
                expected = f"({scene.nq},), (k, {scene.nq}), (4, 4) or (k, 4, 4)"
                raise ShapeError("goal", expected=expected, actual=array.shape)
            return _checked(space, np.atleast_2d(array))
        regions = [GoalRegion(T_world_frame=T) for T in array.reshape(-1, 4, 4)]
    return _solved(space, regions, frame, rng, deadline)


def _regions(goal: Any) -> list[GoalRegion] | None:
    if isinstance(goal, GoalRegion):
        return [goal]
    if isinstance(goal, Sequence) and goal and isinstance(goal[0], GoalRegion):
        return list(cast("Sequence[GoalRegion]", goal))
    return None


def _values(space: MotionSpace, goal: Mapping[str, float]) -> FloatArray:
    q = space.start.copy()
    for name, value in goal.items():
        if name not in space.names:
            raise NameNotFoundError("joint", name, space.names)
        q[space.active[space.names.index(name)]] = float(value)
    return as_finite("goal", q, ())


def _checked(space: MotionSpace, q: FloatArray) -> Goal:
    """Sort goals by whether they are within the limits, and free."""
    q = np.array(q, dtype=np.float64)
    values = q[:, space.active]
    turns = np.round((values - space.start[space.active]) / (2.0 * np.pi))
    values -= np.where(space.is_endless, 2.0 * np.pi * turns, 0.0)
    q[:, space.active] = values
    held = np.ones(q.shape[1], dtype=np.bool_)
    held[space.active] = False
    moved = np.abs(q - space.start)[:, held].max(axis=1, initial=0.0) > 1e-9
    gap = np.maximum(space.lower - values, values - space.upper)
    is_within = (gap <= 1e-9).all(axis=1)
    worst = int(gap.max(axis=0).argmax())
    reason = f"the goal is beyond the limits of joint {space.names[worst]!r}"
    if moved.all() and len(q):
        reason = "the goal moves joints that are not among `joints`"
    reached = q[is_within & ~moved]
    free = reached[space.scene.is_free(reached)] if len(reached) else reached
    cost = np.abs(free - space.start)[:, space.active] @ space.reach
    order = np.argsort(cost, kind="stable")[:MOST_GOALS]
    return Goal(reached=reached, free=free[order], reason=reason)


def _solved(
    space: MotionSpace,
    regions: Sequence[GoalRegion],
    frame: str | None,
    rng: np.random.Generator,
    deadline: float,
) -> Goal:
    """Solve inverse kinematics for poses from many starts."""
    robot, first, name, T_world_base = _find_robot(space.scene, frame)
    T_base_world = se3.inverse(T_world_base)
    found: list[FloatArray] = []
    own = space.start[first : first + robot.nq]
    is_own = (space.active >= first) & (space.active < first + robot.nq)
    columns = space.active[is_own] - first
    for k in range(STARTS * len(regions)):
        region = regions[k % len(regions)]
        q0 = own.copy()
        if k >= len(regions):
            q0[columns] = rng.uniform(space.lower[is_own], space.upper[is_own])
        T = T_base_world @ region.sample(rng)
        solution = robot.inverse(T, frame=name, q0=q0)
        if solution.converged:
            q = space.start.copy()
            q[first : first + robot.nq] = solution.q
            if all(np.abs(q - other).max() > SAME for other in found):
                found.append(q)
        if k >= len(regions) and time.perf_counter() > deadline:
            break
    if not found:
        reason = (
            f"no solution of inverse kinematics for frame {name or 'tool'!r} from "
            f"{STARTS} starts; is the pose within reach, in the world's axes?"
        )
        empty = np.zeros((0, space.scene.nq))
        return Goal(reached=empty, free=empty, reason=reason)
    return _checked(space, np.array(found))


def _find_robot(
    scene: Scene, frame: str | None
) -> tuple[RobotModel, int, str | None, FloatArray]:
    """Return robot, its first coordinate, its frame and its base for a frame's name."""
    robots, bases = scene.robots, scene.bases
    if len(robots) == 1:
        return robots[0], 0, frame, bases[0]
    first = 0
    known = [f"{r.name}/{link}" for r in robots for link in r.link_names]
    for robot, base in zip(robots, bases, strict=True):
        prefix = f"{robot.name}/"
        if frame is not None and frame.startswith(prefix):
            return robot, first, frame.removeprefix(prefix), base
        first += robot.nq
    if frame is None:
        raise ConfigError(
            "`frame` is needed: the scene has several robots; name one as robot/link"
        )
    raise NameNotFoundError("frame", frame, known)
