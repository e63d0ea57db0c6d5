"""TimedPath optimisation: optimal control by direct transcription, smooth arm paths.

Minimise J = Phi(x(T), T) + integral of L(x, u) dt over x' = f(x, u), two-sided bounds
u_min <= u <= u_max (the course writes only the upper one), constraints g(x, u) >= 0,
start and end. States and inputs at the nodes of N equal intervals are the unknowns;
with a free end time h = T / N is unknown too.

Arm paths minimise sum |q_k+1 - 2 q_k + q_k-1|^2 + w sum max(0, margin - d(q))^2 over
all configurations between the ends (in the manner of CHOMP). A local method: it needs a
first path that passes obstacles on the right side, such as one from a random tree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, cast

import numpy as np
from scipy.optimize import minimize

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.planning.concepts import Path
from gelenk.planning.scene import ConvexScene, clearance_at
from gelenk.typing import FloatArray

Flow = Callable[[FloatArray, FloatArray], FloatArray]
Rule = Literal["trapezoid", "hermite-simpson"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OptimalControlProblem:
    """An optimal control problem: dynamics, ends, bounds and cost.

    Attributes:
        flow: f, from states (k, n) and inputs (k, m) to rates (k, n).
        start: x(0), shape (n,).
        end: x(T), shape (n,); NaN: that coordinate is free.
        lower: u_min, shape (m,).
        upper: u_max, shape (m,).
        running: L, from (k, n) and (k, m) to (k,); None: 0.
        time_weight: rho_t of Phi = rho_t T.
        constraint: g, from (k, n) and (k, m) to (k, c), >= 0 at all nodes.
        duration: T [s]; None: free.

    Example:
        >>> from gelenk.planning import OptimalControlProblem
        >>> cart = OptimalControlProblem(
        ...     flow=lambda x, u: np.stack([x[:, 1], u[:, 0]], axis=1),
        ...     start=[0, 0], end=[1, 0], lower=[-5], upper=[5],
        ...     running=lambda x, u: u[:, 0] ** 2, duration=2.0,
        ... )
        >>> cart.duration
        2.0
    """

    flow: Flow
    start: FloatArray
    end: FloatArray
    lower: FloatArray
    upper: FloatArray
    running: Callable[[FloatArray, FloatArray], FloatArray] | None = None
    time_weight: float = 0.0
    constraint: Callable[[FloatArray, FloatArray], FloatArray] | None = None
    duration: float | None = None

    def __post_init__(self) -> None:
        for name in ("start", "end", "lower", "upper"):
            value = np.asarray(getattr(self, name), dtype=np.float64)
            object.__setattr__(self, name, value)
        as_finite("start", self.start, ())
        if not (self.lower < self.upper).all():
            raise ConfigError("`lower` must be below `upper`")
        if self.duration is not None and not self.duration > 0.0:
            raise ConfigError(f"`duration` must be positive, got {self.duration}")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ControlSolution:
    """A trajectory with its inputs.

    Attributes:
        times: Nodes [s], shape (N + 1,).
        states: States at the nodes, shape (N + 1, n).
        inputs: Inputs at the nodes, shape (N + 1, m).
        cost: J.
        converged: Whether the solver met its tolerances.
        residual: Largest violation of the dynamics at the nodes.
        iterations: Number of iterations of the solver.
    """

    times: FloatArray
    states: FloatArray
    inputs: FloatArray
    cost: float
    converged: bool
    residual: float
    iterations: int


def solve_control(
    problem: OptimalControlProblem,
    *,
    intervals: int = 20,
    rule: Rule = "trapezoid",
    guess_duration: float = 1.0,
    max_iterations: int = 300,
) -> ControlSolution:
    """Solve an optimal control problem by collocation and sequential programming.

    Trapezoid: x_k+1 - x_k = h / 2 (f_k + f_k+1). Hermite-Simpson: with the midpoint
    x_c = (x_k + x_k+1) / 2 + h / 8 (f_k - f_k+1), u_c the mean,
    x_k+1 - x_k = h / 6 (f_k + 4 f_c + f_k+1). The first guess is a straight line.

    Args:
        problem: Dynamics, bounds and cost.
        intervals: N.
        rule: Integration rule that the dynamics must fulfil.
        guess_duration: First guess of a free T [s].
        max_iterations: Largest number of iterations of the solver.

    Example:
        A cart, one metre in two seconds with the least effort: u = 1.5 (1 - t).

        >>> from gelenk.planning import OptimalControlProblem, solve_control
        >>> cart = OptimalControlProblem(
        ...     flow=lambda x, u: np.stack([x[:, 1], u[:, 0]], axis=1),
        ...     start=[0, 0], end=[1, 0], lower=[-5], upper=[5],
        ...     running=lambda x, u: u[:, 0] ** 2, duration=2.0,
        ... )
        >>> round(solve_control(cart, intervals=20).cost, 4)
        1.5146
    """
    if intervals < 2:
        raise ConfigError(f"`intervals` must be at least 2, got {intervals}")
    n, m = len(problem.start), len(problem.lower)
    nodes = intervals + 1
    free_time = problem.duration is None
    total = problem.duration if problem.duration is not None else guess_duration
    known = np.isfinite(problem.end)
    end = np.where(known, problem.end, problem.start)
    line = np.linspace(problem.start, end, nodes)
    middle = np.clip(0.0, problem.lower, problem.upper)
    z0 = np.concatenate([line.ravel(), np.tile(middle, nodes), [total]])

    def parts(z: FloatArray) -> tuple[FloatArray, FloatArray, float]:
        x, u = z[: nodes * n].reshape(nodes, n), z[nodes * n : -1].reshape(nodes, m)
        return x, u, float(z[-1])

    def cost(z: FloatArray) -> float:
        x, u, T = parts(z)
        return _cost(problem, x, u, T / intervals) + problem.time_weight * T

    def equalities(z: FloatArray) -> FloatArray:
        x, u, T = parts(z)
        gaps = _defects(problem.flow, x, u, T / intervals, rule)
        return np.concatenate(
            [gaps.ravel(), x[0] - problem.start, (x[-1] - end)[known]]
        )

    constraints: list[dict[str, Any]] = [
        {"type": "eq", "fun": equalities, "jac": partial(_slopes, equalities)}
    ]
    if problem.constraint is not None:
        g = problem.constraint

        def inequalities(z: FloatArray) -> FloatArray:
            x, u, _ = parts(z)
            return g(x, u).ravel()

        constraints.append(
            {
                "type": "ineq",
                "fun": inequalities,
                "jac": partial(_slopes, inequalities),
            }
        )
    span = (1e-3, None) if free_time else (total, total)
    limits = list(zip(problem.lower, problem.upper, strict=True)) * nodes
    found: Any = minimize(
        cost,
        z0,
        jac=lambda z: _slopes(lambda y: np.array([cost(y)]), z)[0],
        bounds=[(None, None)] * (nodes * n) + limits + [span],
        constraints=cast("Any", constraints),
        method="SLSQP",
        options={"maxiter": max_iterations, "ftol": 1e-10},
    )
    x, u, T = parts(found.x)
    return ControlSolution(
        times=np.linspace(0.0, T, nodes),
        states=x,
        inputs=u,
        cost=float(found.fun),
        converged=bool(found.success),
        residual=float(np.abs(equalities(found.x)).max()),
        iterations=int(found.nit),
    )


def double_integrator(
    distance: float,
    *,
    criterion: Literal["time", "energy", "combined"],
    limit: float = 10.0,
    duration: float | None = None,
    weights: tuple[float, float] = (1.0, 1.0),
) -> OptimalControlProblem:
    """Return the rest-to-rest problem x'' = u with one of the goals of the course.

    Time: J = T, |u| <= limit. Energy: J = integral of u^2, T given. Combined:
    J = rho_1 T + rho_2 integral of u^2, T free.

    Args:
        distance: Distance to travel [m].
        criterion: Quantity to minimise.
        limit: Largest |u| [m/s^2].
        duration: T of the energy problem [s].
        weights: rho_1 and rho_2 of the combined one.

    Example:
        >>> problem = double_integrator(1.0, criterion="energy", duration=1.0)
        >>> found = solve_control(problem)
        >>> round(found.cost)  # exactly 12 d^2 / T^3
        12
    """
    if criterion == "energy" and duration is None:
        raise ConfigError("the energy problem needs a `duration`: slower is cheaper")
    share = {"time": (1.0, 0.0), "energy": (0.0, 1.0), "combined": weights}[criterion]

    def effort(x: FloatArray, u: FloatArray) -> FloatArray:
        return share[1] * u[:, 0] ** 2

    return OptimalControlProblem(
        flow=lambda x, u: np.stack([x[:, 1], u[:, 0]], axis=1),
        start=np.zeros(2),
        end=np.array([distance, 0.0]),
        lower=np.array([-limit]),
        upper=np.array([limit]),
        running=effort,
        time_weight=share[0],
        duration=duration if criterion == "energy" else None,
    )


def _cost(
    problem: OptimalControlProblem, x: FloatArray, u: FloatArray, h: float
) -> float:
    """Return the integral of L with trapezoidal weights."""
    if problem.running is None:
        return 0.0
    L = problem.running(x, u)
    return float(h * (L.sum() - 0.5 * (L[0] + L[-1])))


def _defects(
    flow: Flow, x: FloatArray, u: FloatArray, h: float, rule: Rule
) -> FloatArray:
    f = flow(x, u)
    if rule == "trapezoid":
        return x[1:] - x[:-1] - 0.5 * h * (f[:-1] + f[1:])
    middle = 0.5 * (x[:-1] + x[1:]) + h / 8.0 * (f[:-1] - f[1:])
    f_c = flow(middle, 0.5 * (u[:-1] + u[1:]))
    return x[1:] - x[:-1] - h / 6.0 * (f[:-1] + 4.0 * f_c + f[1:])


def _slopes(function: Callable[[FloatArray], FloatArray], z: FloatArray) -> FloatArray:
    """Return the Jacobian by central differences, shape (k, len(z))."""
    columns: list[FloatArray] = []
    for k in range(len(z)):
        step = 1e-6 * max(1.0, abs(z[k]))
        e = np.zeros(len(z))
        e[k] = step
        columns.append((function(z + e) - function(z - e)) / (2.0 * step))
    return np.stack(columns, axis=1)


def simulate_control(
    problem: OptimalControlProblem, solution: ControlSolution, *, substeps: int = 20
) -> FloatArray:
    """Return the states when the inputs, straight in between, are integrated again.

    Args:
        problem: Problem whose dynamics are integrated.
        solution: Solution whose inputs are applied.
        substeps: Runge-Kutta steps per interval.

    Returns:
        Shape (N + 1, n).
    """

    def input_at(t: float) -> FloatArray:
        columns: list[FloatArray] = [
            np.interp(t, solution.times, c) for c in solution.inputs.T
        ]
        return np.stack(columns, axis=-1).reshape(1, -1)

    x = solution.states[:1]
    out = [x[0]]
    for t0, t1 in zip(solution.times[:-1], solution.times[1:], strict=True):
        h = (t1 - t0) / substeps
        for t in t0 + h * np.arange(substeps):
            k1 = problem.flow(x, input_at(t))
            k2 = problem.flow(x + 0.5 * h * k1, input_at(t + 0.5 * h))
            k3 = problem.flow(x + 0.5 * h * k2, input_at(t + 0.5 * h))
            k4 = problem.flow(x + h * k3, input_at(t + h))
            x = x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        out.append(x[0])
    return np.array(out)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SmoothPath:
    """The path of an arm after smoothing.

    Attributes:
        path: Configurations, the ends unchanged.
        bend: Sum of squared second differences [rad^2].
        clearance: Least distance to obstacles at the configurations [m].
        is_free: Whether all motions between them are free.
        iterations: Number of iterations of the solver.
    """

    path: Path
    bend: float
    clearance: float
    is_free: bool
    iterations: int


def smooth_arm_path(
    scene: ConvexScene,
    path: Path,
    *,
    count: int = 30,
    margin: float = 0.05,
    weight: float = 100.0,
    max_iterations: int = 100,
) -> SmoothPath:
    """Return a smoother path between the same ends.

    Args:
        scene: Obstacles and arm.
        path: First path, free.
        count: Configurations of the result.
        margin: Distance to obstacles below which they push [m].
        weight: Weight of that push against smoothness [rad^2/m^2].
        max_iterations: Largest number of iterations (L-BFGS-B, within the joint
            limits).

    Example:
        >>> import gelenk
        >>> from gelenk.planning.scene import arm_scene
        >>> arm = gelenk.load("planar2r")
        >>> box = [5, 5, 5, 6, 6, 6]  # far away
        >>> scene = arm_scene(arm, lower=[-3, -3], upper=[3, 3], boxes=[box])
        >>> bend = Path(points=np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
        >>> found = smooth_arm_path(scene, bend, count=12)
        >>> bool(found.path.length < bend.length)
        True
    """
    if count < 4:
        raise ConfigError(f"`count` must be at least 4, got {count}")
    first = path.at(np.linspace(0.0, path.length, count))
    n = first.shape[1]
    ends = (first[:1], first[-1:])

    def cost(z: FloatArray) -> tuple[float, FloatArray]:
        q = np.concatenate([ends[0], z.reshape(-1, n), ends[1]])
        second = q[2:] - 2.0 * q[1:-1] + q[:-2]
        slope = np.zeros_like(q)
        slope[2:] += 2.0 * second
        slope[1:-1] -= 4.0 * second
        slope[:-2] += 2.0 * second
        value = float((second**2).sum())
        for k in range(1, count - 1):
            push, push_slope = _push(scene, q[k], margin)
            value += weight * push
            slope[k] += weight * push_slope
        return value, slope[1:-1].ravel()

    limits = list(zip(scene.lower, scene.upper, strict=True)) * (count - 2)
    found = minimize(
        cost,
        first[1:-1].ravel(),
        jac=True,
        bounds=limits,
        method="L-BFGS-B",
        options={"maxiter": max_iterations},
    )
    q = np.concatenate([ends[0], found.x.reshape(-1, n), ends[1]])
    return SmoothPath(
        path=Path(points=q),
        bend=path_bend(q),
        clearance=min(float(sphere_gaps(scene, row).min()) for row in q),
        is_free=bool(scene.are_free_between(q[:-1], q[1:]).all()),
        iterations=int(found.nit),
    )


def path_bend(points: FloatArray) -> float:
    """Return the sum of squared second differences of configurations, shape (k, n)."""
    second = points[2:] - 2.0 * points[1:-1] + points[:-2]
    return float((second**2).sum())


def sphere_gaps(scene: ConvexScene, q: FloatArray) -> FloatArray:
    """Return the distance of each ball on the arm to the nearest obstacle [m]."""
    centers = scene.cladding_centers(q)
    gaps = [clearance_at(center, *scene.obstacles) for center in centers]
    return np.array(gaps) - scene.cladding[:, 4]


def _push(scene: ConvexScene, q: FloatArray, margin: float) -> tuple[float, FloatArray]:
    """Return sum max(0, margin - d)^2 over the balls, and its slope over q."""
    gaps = sphere_gaps(scene, q)
    lack = np.maximum(margin - gaps, 0.0)
    slope = np.zeros(len(q))
    if lack.any():
        step = 1e-6
        for j in range(len(q)):
            e = np.zeros(len(q))
            e[j] = step
            rate = (sphere_gaps(scene, q + e) - sphere_gaps(scene, q - e)) / (
                2.0 * step
            )
            slope[j] = float(-2.0 * (lack * rate).sum())
    return float((lack**2).sum()), slope
