"""`plan`: a free path of a robot from where it is to where it shall be."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

import numpy as np

from gelenk.checks import as_finite
from gelenk.collision import Scene
from gelenk.errors import ConfigError
from gelenk.planning._connect import connect, shorten
from gelenk.planning.goals import Goal, GoalRegion, list_goals
from gelenk.planning.motion_space import MotionSpace
from gelenk.trajectory.joint_path import JointPath, round_corners
from gelenk.trajectory.limits import JointLimits
from gelenk.trajectory.trajectory import Trajectory
from gelenk.typing import ArrayLike, FloatArray

LONGEST = 0.5  # [m]: edges of the trees
FIRST_TESTS = 40_000  # of the first pair of trees
MORE_TESTS = 1.5  # factor of it from one pair of trees to the next
TESTS_AT_ONCE = 10_000  # between two looks at the clock
MOST_NODES = 20_000
SHORTCUTS = 120
ROOM = 2 * SHORTCUTS  # for points that shortcuts add
BLEND = 0.05  # [rad] or [m]: largest rounding of a corner
BLEND_FACTOR = 0.3  # where it is not free
SAME = 1e-8  # [rad] or [m]: points nearer than this are one
LEAST_BLEND = 5e-4  # [rad] or [m]: a corner below stays as it is

AnyGoal: TypeAlias = ArrayLike | Mapping[str, float] | GoalRegion | Sequence[GoalRegion]


class MotionPlanStatus(StrEnum):
    """Outcome of planning a motion.

    Example:
        >>> from gelenk.planning import MotionPlanStatus
        >>> MotionPlanStatus("found").name
        'FOUND'
    """

    FOUND = "found"
    START_IN_COLLISION = "start in collision"
    GOAL_IN_COLLISION = "goal in collision"
    GOAL_OUT_OF_REACH = "goal out of reach"
    TIME_UP = "time is up"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MotionPlan:
    """A free path, or why there is none.

    Attributes:
        status: Outcome.
        reason: Sentence on the outcome: what collides, what was tried.
        scene: Scene in which it was planned.
        waypoints: Corners of the path [rad] or [m], shape (k, nq); empty without one.
        path: The path with rounded corners, proved free; None without one.
        tests: Number of configurations tested.
        nodes: Number of nodes of both trees.
        seconds: Time it took [s].

    Example:
        >>> import gelenk
        >>> from gelenk.planning import plan
        >>> from gelenk.sim import Box
        >>> arm = gelenk.load("panda")
        >>> post = Box(name="post", size=(0.1, 0.1, 1.2), position=(0.45, 0.0, 0.6))
        >>> scene = gelenk.Scene(arm, [post], shapes="visual")
        >>> q = arm.home_configuration
        >>> start, goal = q.copy(), q.copy()
        >>> start[0], goal[0] = -0.9, 0.9
        >>> found = plan(scene, start, goal)
        >>> found.status.value, bool(scene.is_free(found.waypoints).all())
        ('found', True)
    """

    status: MotionPlanStatus
    reason: str
    scene: Scene = field(repr=False)
    waypoints: FloatArray = field(repr=False)
    path: JointPath | None = field(default=None, repr=False)
    tests: int = 0
    nodes: int = 0
    seconds: float = 0.0

    @property
    def found(self) -> bool:
        """Whether there is a path."""
        return self.status is MotionPlanStatus.FOUND

    def timed(self, limits: JointLimits | None = None) -> Trajectory:
        """Return the fastest motion along the path.

        Args:
            limits: Limits of the joints; None: those of the robots, without effort.

        Raises:
            ConfigError: If there is no path, or limits are missing.
        """
        if self.path is None:
            raise ConfigError(f"there is no path to be timed: {self.reason}")
        robots = self.scene.robots
        names = tuple(name for robot in robots for name in robot.joint_names)
        motion = self.path.timed(limits or _own_limits(self.scene))
        is_plain = len(names) == motion.path.num_joints
        return Trajectory(
            path=motion.path,
            times=motion.times,
            law=motion.law,
            joint_names=names if is_plain else (),
        )


def _own_limits(scene: Scene) -> JointLimits:
    """Return speed, acceleration and jerk of all robots one behind the other."""
    each = [JointLimits.of(robot).for_joints(robot.nq) for robot in scene.robots]
    return JointLimits(
        velocity=np.concatenate([own.velocity for own in each]),
        acceleration=np.concatenate([own.acceleration for own in each]),
        jerk=np.concatenate([own.jerk for own in each]),
    )


def plan(
    scene: Scene,
    start: ArrayLike,
    goal: AnyGoal,
    *,
    joints: Sequence[str] | None = None,
    frame: str | None = None,
    time_limit: float = 5.0,
    seed: int = 0,
    shortcuts: int = SHORTCUTS,
) -> MotionPlan:
    """Return a free path from a configuration to a goal.

    Two trees grow towards each other (RRT-Connect), corners are cut, and the result is
    proved free between its waypoints, too. One seed gives one path.

    Args:
        scene: Robots, what they carry, and obstacles.
        start: Configuration at the start [rad] or [m], shape (nq,).
        goal: Configuration (nq,) or several (k, nq), any of which will do; pose of a
            frame in the world (4, 4) or several (k, 4, 4); values of some joints by
            name; or a `GoalRegion`.
        joints: Names of the joints that may move; None: all but a floating base.
        frame: Link that poses are for; None: the tool.
        time_limit: Time after which it gives up [s].
        seed: Seed of the samples.
        shortcuts: Number of shortcuts tried.

    Raises:
        ShapeError: If start or goal do not fit the scene.
        ConfigError: If the start is beyond the limits of the joints, or a goal is of
            no known kind.

    Example:
        >>> import gelenk
        >>> from gelenk.planning import plan
        >>> arm = gelenk.load("panda")
        >>> q = arm.home_configuration
        >>> T = arm.forward(q)
        >>> T[0, 3] += 0.1
        >>> plan(gelenk.Scene(arm, shapes="visual"), q, T).status.value
        'found'
    """
    began = time.perf_counter()
    space = MotionSpace(scene, as_finite("start", start, (scene.nq,)), joints)
    rng = np.random.default_rng(seed)

    def failed(status: MotionPlanStatus, reason: str) -> MotionPlan:
        return MotionPlan(
            status=status,
            reason=reason,
            scene=scene,
            waypoints=np.zeros((0, scene.nq)),
            tests=int(space.counts[0]),
            nodes=int(space.counts[1:].sum()),
            seconds=time.perf_counter() - began,
        )

    if not scene.is_free(space.start):
        what = describe_contacts(scene, space.start)
        return failed(MotionPlanStatus.START_IN_COLLISION, f"at the start {what}")
    deadline = began + time_limit
    goals = list_goals(space, goal, frame, rng, deadline)
    if not len(goals.free):
        if len(goals.reached):
            what = describe_contacts(scene, goals.reached[0])
            many = f" in all of {len(goals.reached)} solutions; first"
            many = many if len(goals.reached) > 1 else ""
            reason = f"at the goal{many} {what}"
            return failed(MotionPlanStatus.GOAL_IN_COLLISION, reason)
        return failed(MotionPlanStatus.GOAL_OUT_OF_REACH, goals.reason)
    line = _search(space, goals, rng, deadline, shortcuts)
    if line is None:
        reason = (
            f"no path after {int(space.counts[0])} tested configurations and "
            f"{time_limit:g} s; give more time, another seed, or a goal nearer by"
        )
        return failed(MotionPlanStatus.TIME_UP, reason)
    path = _rounded(space, line)
    seconds = time.perf_counter() - began
    return MotionPlan(
        status=MotionPlanStatus.FOUND,
        reason=f"{len(line)} waypoints, {path.length:.3g} rad (or m) long",
        scene=scene,
        waypoints=space.full(line),
        path=path,
        tests=int(space.counts[0]),
        nodes=int(space.counts[1:].sum()),
        seconds=seconds,
    )


def describe_contacts(scene: Scene, q: FloatArray) -> str:
    """Return who touches whom, as half a sentence."""
    found = scene.contacts(q)
    if not found:
        return "something is nearer than its margin"
    told = [
        f"{a!r} and {b!r} "
        + (f"overlap by {-1e3 * c.distance:.1f} mm" if c.distance < 0.0 else
           f"are {1e3 * c.distance:.1f} mm apart, nearer than their margin")
        for c in found[:3]
        for a, b in [c.pair]
    ]  # fmt: skip
    more = f", and {len(found) - 3} pairs more" if len(found) > 3 else ""
    return ", ".join(told) + more


def _search(
    space: MotionSpace,
    goals: Goal,
    rng: np.random.Generator,
    deadline: float,
    shortcuts: int,
) -> FloatArray | None:
    """Return the points of a free path of the active joints, or None."""
    start = space.start[space.active]
    ends = goals.free[:, space.active]
    for end in ends[:3]:  # straight there
        if space.is_line_free(start, end):
            return np.stack([start, end])
    line = _grow(space, start, ends, rng, deadline)
    if line is None:
        return None
    room = np.empty((2 * len(line) + ROOM, line.shape[1]))
    room[: len(line)] = line
    count = shorten(space.search, room, len(line), shortcuts, rng)
    return _corners(room[:count])


def _corners(line: FloatArray) -> FloatArray:
    """Return the points of a polyline where its direction changes, and its ends."""
    steps = np.diff(line, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    line = line[np.concatenate([[True], lengths > SAME])]
    directions = steps[lengths > SAME] / lengths[lengths > SAME, None]
    turns = np.linalg.norm(np.diff(directions, axis=0), axis=1) > SAME
    return line[np.concatenate([[True], turns, [True]])]


def _grow(
    space: MotionSpace,
    start: FloatArray,
    ends: FloatArray,
    rng: np.random.Generator,
    deadline: float,
) -> FloatArray | None:
    """Return a path from the start to one of the ends, or None.

    Trees that have not met after a number of tests are given up for new ones, with more
    tests: few searches take long, and another seed mostly does not.
    """
    k = len(space.active)
    nodes = np.empty((2, MOST_NODES, k))
    parents = np.full((2, MOST_NODES), -1, dtype=np.int64)
    line = np.empty((2 * MOST_NODES, k))
    tests = FIRST_TESTS
    while True:
        nodes[0, 0], nodes[1, : len(ends)] = start, ends
        parents[0, 0] = parents[1, : len(ends)] = -1
        space.counts[1:] = 1, len(ends)
        end = int(space.counts[0]) + tests
        while int(space.counts[0]) < end and space.counts[1:].max() < MOST_NODES:
            found = connect(
                space.search,
                nodes,
                parents,
                LONGEST,
                min(int(space.counts[0]) + TESTS_AT_ONCE, end),
                rng,
                line,
            )
            if found:
                return np.array(line[:found])
            if time.perf_counter() > deadline:
                return None
        tests = int(MORE_TESTS * tests)


def _rounded(space: MotionSpace, line: FloatArray) -> JointPath:
    """Return the path with every corner as round as freedom allows."""
    tolerance = np.full(max(len(line) - 2, 0), BLEND)
    pending = tolerance > 0.0
    path = round_corners(line, tolerance=tolerance if len(tolerance) else 0.0)
    while pending.any():
        is_corner = (path.coefficients[:, 2:] != 0.0).any(axis=(1, 2))
        corners, round_ones = np.flatnonzero(is_corner), np.flatnonzero(tolerance)
        asked = pending[round_ones]
        blocked = space.blocked_pieces(path, corners[asked])
        pending[:] = False
        again = round_ones[np.isin(corners, blocked)]
        tolerance[again] *= BLEND_FACTOR
        tolerance[tolerance < LEAST_BLEND] = 0.0
        pending[again] = tolerance[again] > 0.0
        path = round_corners(line, tolerance=tolerance)
    return space.full_path(path)
