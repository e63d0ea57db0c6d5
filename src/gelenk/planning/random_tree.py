"""Rapidly exploring random trees: RRT, RRT*, RRT-Connect, and RRT under dynamics.

A random configuration pulls: the nearest node of the tree grows a step towards it, if
the line is free; under dynamics every edge is an input held for a while. Samples fall
most often into the largest empty regions, so the tree spreads fast. The listing of the
course tests neither collisions nor whether the goal is reached; here both are tested.
Probabilistically complete: the chance to miss an existing path falls exponentially with
the number of samples; "none" is never proved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite, as_kernel_array
from gelenk.errors import ConfigError
from gelenk.planning.concepts import (
    Path,
    PlanningProblem,
    PlanResult,
    PlanStatus,
    TimedPath,
    planning_problem,
)
from gelenk.planning.graph import trace_parents
from gelenk.planning.scene import ConvexScene
from gelenk.planning.tree_kernels import connect_trees, grow_tree
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TreeResult(PlanResult):
    """A path and the tree it was found in.

    Attributes:
        nodes: Configurations, shape (k, n).
        parent: Node from which each grew, shape (k,); -1: root.
    """

    nodes: FloatArray
    parent: IntArray


def plan_rrt(
    scene: ConvexScene,
    start: ArrayLike,
    goal: ArrayLike,
    *,
    step: float,
    rng: np.random.Generator,
    samples: int = 5000,
    goal_bias: float = 0.08,
) -> TreeResult:
    """Search a path with one random tree.

    Args:
        scene: Obstacles and robot.
        start: Free configuration, shape (n,).
        goal: Free configuration, shape (n,).
        step: Longest edge of the tree [m] or [rad].
        rng: Source of samples.
        samples: Largest number of samples.
        goal_bias: Share of samples that are the goal itself, in (0, 1).

    Example:
        >>> from gelenk.planning import plan_rrt, point_scene
        >>> from gelenk.planning.scene import point_scene
        >>> scene = point_scene([0, 0], [10, 10], boxes=[[4, 0, 5, 8]])
        >>> rng = np.random.default_rng(0)
        >>> plan_rrt(scene, [1, 1], [9, 1], step=0.5, rng=rng).found
        True
    """
    problem = planning_problem(scene, start, goal)
    draws = biased_samples(scene, problem.goal, samples, goal_bias, rng)
    return _grow(scene, problem, draws, step, 0.0)


def plan_rrt_star(
    scene: ConvexScene,
    start: ArrayLike,
    goal: ArrayLike,
    *,
    step: float,
    rng: np.random.Generator,
    samples: int = 3000,
    goal_bias: float = 0.05,
) -> TreeResult:
    """Search a short path: RRT whose edges are laid anew wherever that saves length.

    All samples are used; the cost tends to the optimum with their number (Karaman and
    Frazzoli 2011), with gamma = 2 (1 + 1/n)^(1/n) (volume / volume of unit ball)^(1/n)
    of the whole box.

    Args:
        scene: Obstacles and robot.
        start: Free configuration, shape (n,).
        goal: Free configuration, shape (n,).
        step: Longest edge [m] or [rad].
        rng: Source of samples.
        samples: Number of samples.
        goal_bias: Share of samples that are the goal itself, in (0, 1).

    Example:
        >>> from gelenk.planning import plan_rrt_star, point_scene
        >>> scene = point_scene([0, 0], [10, 10], boxes=[[4, 0, 5, 8]])
        >>> rng = np.random.default_rng(0)
        >>> path = plan_rrt_star(scene, [1, 1], [9, 1], step=0.5, rng=rng).path
        >>> bool(16.0 < path.length < 20.0)
        True
    """
    problem = planning_problem(scene, start, goal)
    draws = biased_samples(scene, problem.goal, samples, goal_bias, rng)
    n = len(scene.lower)
    # Volume of the unit ball by the recursion V_n = 2 pi / n V_{n - 2}.
    ball = 2.0 if n % 2 else 1.0
    for k in range(3 if n % 2 else 2, n + 1, 2):
        ball *= 2.0 * np.pi / k
    volume = float(np.prod(scene.upper - scene.lower))
    gamma = 2.0 * ((1.0 + 1.0 / n) * volume / ball) ** (1.0 / n)
    return _grow(scene, problem, draws, step, gamma)


def plan_rrt_connect(
    scene: ConvexScene,
    start: ArrayLike,
    goal: ArrayLike,
    *,
    step: float,
    rng: np.random.Generator,
    samples: int = 5000,
) -> TreeResult:
    """Search a path with two trees that grow towards each other.

    Args:
        scene: Obstacles and robot.
        start: Free configuration, shape (n,).
        goal: Free configuration, shape (n,).
        step: Longest edge [m] or [rad].
        rng: Source of samples.
        samples: Largest number of samples.

    Example:
        >>> from gelenk.planning import plan_rrt_connect, point_scene
        >>> scene = point_scene([0, 0], [10, 10], boxes=[[4, 0, 5, 8]])
        >>> rng = np.random.default_rng(0)
        >>> plan_rrt_connect(scene, [1, 1], [9, 1], step=0.5, rng=rng).found
        True
    """
    problem = planning_problem(scene, start, goal)
    _check_step(step)
    n = len(scene.lower)
    draws = rng.uniform(scene.lower, scene.upper, (samples, n))
    room = 8 * samples + 2
    trees, parents = np.empty((2, room, n)), np.empty((2, room), dtype=np.int64)
    trees[0, 0], trees[1, 0] = problem.start, problem.goal
    count_a, count_b, at_a, at_b = connect_trees(
        draws, float(step), *scene.obstacles, *scene.robot, trees, parents
    )
    nodes = np.concatenate([trees[0, :count_a], trees[1, :count_b]])
    hung = np.where(parents[1, :count_b] >= 0, parents[1, :count_b] + count_a, -1)
    parent = np.concatenate([parents[0, :count_a], hung])
    path = None
    if at_a >= 0:
        there = trees[0, trace_parents(parents[0], at_a)]
        back = trees[1, trace_parents(parents[1], at_b)][::-1]
        path = Path(points=np.concatenate([there, back]))
    return TreeResult(
        status=PlanStatus.GAVE_UP if path is None else PlanStatus.FOUND,
        path=path,
        effort=len(nodes),
        nodes=nodes,
        parent=parent,
    )


def biased_samples(
    scene: ConvexScene,
    goal: FloatArray,
    count: int,
    goal_bias: float,
    rng: np.random.Generator,
) -> FloatArray:
    """Return uniform samples of the box, a share of them replaced by the goal."""
    if not 0.0 < goal_bias < 1.0:
        raise ConfigError(f"`goal_bias` must be between 0 and 1, got {goal_bias}")
    draws = rng.uniform(scene.lower, scene.upper, (count, len(scene.lower)))
    draws[rng.random(count) < goal_bias] = goal
    return draws


def shorten_path(
    scene: ConvexScene, path: Path, *, rng: np.random.Generator, trials: int = 200
) -> Path:
    """Return a path with detours cut: two random points joined where that is free.

    Args:
        scene: Obstacles and robot.
        path: A free path.
        rng: Source of the points.
        trials: Number of cuts to try.
    """
    for s, t in np.sort(rng.random((trials, 2)), axis=1):
        length = path.length
        a, b = path.at([s * length, t * length])
        pieces = np.linalg.norm(np.diff(path.points, axis=0), axis=1)
        along = np.concatenate([[0.0], np.cumsum(pieces)])
        if scene.are_free_between(a, b):
            before = path.points[along < s * length]
            after = path.points[along > t * length]
            points = [*before, a, b, *after]
            path = Path(points=np.array(points))
    return path


def _grow(
    scene: ConvexScene,
    problem: PlanningProblem,
    draws: FloatArray,
    step: float,
    gamma: float,
) -> TreeResult:
    _check_step(step)
    count, n = draws.shape
    tree = np.empty((count + 1, n))
    parent, cost = np.empty(count + 1, dtype=np.int64), np.empty(count + 1)
    tree[0] = problem.start
    # With a goal bias the goal itself becomes a node; rounding is all it may miss by.
    size, node = grow_tree(
        as_kernel_array(draws),
        as_kernel_array(problem.goal),
        1e-9,
        float(step),
        gamma,
        *scene.obstacles,
        *scene.robot,
        tree,
        parent,
        cost,
    )
    path = Path(points=tree[trace_parents(parent, node)]) if node >= 0 else None
    return TreeResult(
        status=PlanStatus.GAVE_UP if path is None else PlanStatus.FOUND,
        path=path,
        effort=int(size),
        nodes=tree[:size],
        parent=parent[:size],
    )


def _check_step(step: float) -> None:
    if not step > 0.0:
        raise ConfigError(f"`step` must be positive, got {step}")


Flow = Callable[[FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KinodynamicResult:
    """A tree of states and the inputs between them.

    Attributes:
        status: Outcome of the search.
        states: States along the trajectory, shape (k, n).
        inputs: Input that led to each state, shape (k, m); of the root: 0.
        parent: State before, shape (k,); -1: root.
        node: State in the goal region; -1: none.
        dt: Time for which each input is held [s].
    """

    status: PlanStatus
    states: FloatArray
    inputs: FloatArray
    parent: IntArray
    node: int
    dt: float

    @property
    def trajectory(self) -> TimedPath | None:
        """The states from start to goal with their times; None if there are none."""
        if self.node < 0:
            return None
        nodes = trace_parents(self.parent, self.node)
        return TimedPath(
            times=self.dt * np.arange(len(nodes), dtype=np.float64),
            points=self.states[nodes],
        )

    @property
    def controls(self) -> FloatArray:
        """The inputs along the trajectory, shape (k - 1, m)."""
        return self.inputs[trace_parents(self.parent, max(self.node, 0))[1:]]


def plan_kinodynamic_rrt(
    flow: Flow,
    start: ArrayLike,
    goal: ArrayLike,
    *,
    inputs: ArrayLike,
    lower: ArrayLike,
    upper: ArrayLike,
    are_free: Callable[[FloatArray], BoolArray],
    tolerance: float,
    dt: float,
    rng: np.random.Generator,
    scale: ArrayLike | None = None,
    goal_bias: float = 0.1,
    samples: int = 3000,
    substeps: int = 4,
) -> KinodynamicResult:
    """Grow a tree by x_new = x_near + integral of f(x, u) over dt.

    SELECT_INPUT takes, of a fixed set, the input whose outcome comes nearest to the
    sample. Both tests that the listing of the course leaves out are made: the motion
    must be free, and the search ends in the goal region.

    Args:
        flow: f, from states (k, n) and inputs (k, m) to rates (k, n).
        start: State, shape (n,).
        goal: State, shape (n,).
        inputs: Inputs to choose from, shape (k, m).
        lower: Smallest state, shape (n,).
        upper: Largest, shape (n,).
        are_free: Tells for states (..., n) whether they collide with nothing.
        tolerance: Scaled distance to the goal at which the search ends.
        dt: Time for which an input is held [s].
        rng: Source of samples.
        scale: Weights of the coordinates in distances, shape (n,); by default
            1 / (upper - lower).
        goal_bias: Share of samples that are the goal.
        samples: Largest number of samples.
        substeps: Runge-Kutta steps, and collision tests, within dt.
    """
    low, high = np.asarray(lower, dtype=float), np.asarray(upper, dtype=float)
    n = len(low)
    x0, x1 = as_finite("start", start, (n,)), as_finite("goal", goal, (n,))
    u = np.asarray(inputs, dtype=float)
    u = u.reshape(len(u), -1)
    if not (dt > 0.0 and len(u)):
        raise ConfigError("`dt` must be positive, and there must be `inputs`")
    weight = 1.0 / (high - low) if scale is None else np.asarray(scale, dtype=float)
    states, used = np.empty((samples + 1, n)), np.zeros((samples + 1, u.shape[1]))
    parent = np.full(samples + 1, -1)
    states[0] = x0
    tried = np.zeros((samples + 1, len(u)), dtype=np.bool_)
    count, node = 1, -1
    for _ in range(samples):
        target = x1 if rng.random() < goal_bias else rng.uniform(low, high)
        gaps = (states[:count] - target) * weight
        order = (gaps * gaps).sum(axis=1) + np.where(tried[:count].all(axis=1), 1e9, 0)
        near = int(order.argmin())
        ends, valid = _outcomes(
            flow, states[near], u, dt / substeps, substeps, low, high, are_free
        )
        far = (((ends - target) * weight) ** 2).sum(axis=1)
        far[~valid | tried[near]] = np.inf
        best = int(far.argmin())
        tried[near, best] = True  # the same input again would give the same state
        if not np.isfinite(far[best]):
            tried[near] = True
            continue
        states[count], used[count], parent[count] = ends[best], u[best], near
        count += 1
        if np.linalg.norm((ends[best] - x1) * weight) <= tolerance:
            node = count - 1
            break
    return KinodynamicResult(
        status=PlanStatus.FOUND if node >= 0 else PlanStatus.GAVE_UP,
        states=states[:count],
        inputs=used[:count],
        parent=parent[:count],
        node=node,
        dt=dt,
    )


def integrate_held_input(
    flow: Flow, x: FloatArray, u: FloatArray, h: float
) -> FloatArray:
    """Return states after h [s] with inputs held, by one Runge-Kutta step of order 4.

    Args:
        flow: f.
        x: States, shape (k, n).
        u: Inputs, shape (k, m).
        h: Step [s].
    """
    k1 = flow(x, u)
    k2 = flow(x + 0.5 * h * k1, u)
    k3 = flow(x + 0.5 * h * k2, u)
    k4 = flow(x + h * k3, u)
    return x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


def _outcomes(
    flow: Flow,
    x: FloatArray,
    u: FloatArray,
    h: float,
    steps: int,
    low: FloatArray,
    high: FloatArray,
    are_free: Callable[[FloatArray], BoolArray],
) -> tuple[FloatArray, BoolArray]:
    """Return where each input leads, and whether the path is free."""
    ends = np.tile(x, (len(u), 1))
    valid = np.ones(len(u), dtype=np.bool_)
    for _ in range(steps):
        ends = integrate_held_input(flow, ends, u, h)
        valid &= ((ends >= low) & (ends <= high)).all(axis=1) & are_free(ends)
    return ends, valid
