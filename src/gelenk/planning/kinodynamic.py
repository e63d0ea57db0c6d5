"""Random trees under dynamics: every edge is an input held for a while."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.planning.graph import traced
from gelenk.planning.terms import PlanStatus, Trajectory
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray

Flow = Callable[[FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KinodynamicResult:
    """A tree of states and the inputs between them.

    Attributes:
        status: How it ended.
        states: Shape (k, n).
        inputs: Input that led to each state, shape (k, m); of the root: 0.
        parent: State before, shape (k,); -1: root.
        node: State in the goal region; -1: none.
        dt: How long each input is held [s].
    """

    status: PlanStatus
    states: FloatArray
    inputs: FloatArray
    parent: IntArray
    node: int
    dt: float

    @property
    def trajectory(self) -> Trajectory | None:
        """The states from start to goal with their times; None if there are none."""
        if self.node < 0:
            return None
        nodes = traced(self.parent, self.node)
        return Trajectory(
            times=self.dt * np.arange(len(nodes), dtype=np.float64),
            points=self.states[nodes],
        )

    @property
    def controls(self) -> FloatArray:
        """The inputs along the trajectory, shape (k - 1, m)."""
        return self.inputs[traced(self.parent, max(self.node, 0))[1:]]


def kinodynamic_rrt(
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
        dt: How long an input is held [s].
        rng: Source of samples.
        scale: Weights of the coordinates in distances, shape (n,); by default
            1 / (upper - lower).
        goal_bias: Share of samples that are the goal.
        samples: How many to try.
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


def held_input(flow: Flow, x: FloatArray, u: FloatArray, h: float) -> FloatArray:
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
    """Return where each input leads, and whether the way is free."""
    ends = np.tile(x, (len(u), 1))
    valid = np.ones(len(u), dtype=np.bool_)
    for _ in range(steps):
        ends = held_input(flow, ends, u, h)
        valid &= ((ends >= low) & (ends <= high)).all(axis=1) & are_free(ends)
    return ends, valid
