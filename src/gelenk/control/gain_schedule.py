"""Linear models around operating points, and gains scheduled over them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from gelenk.checks import as_finite
from gelenk.control.tuning import place_poles
from gelenk.dynamics.aba import forward_dynamics
from gelenk.errors import ConfigError, ModelError, ShapeError
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray

Dynamics: TypeAlias = Callable[[FloatArray, FloatArray], ArrayLike]

STEP = float(np.finfo(np.float64).eps ** (1.0 / 3.0))  # best for central differences


def linearize(
    dynamics: Dynamics, x: ArrayLike, u: ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Return A = ∂f/∂x and B = ∂f/∂u of ẋ = f(x, u) by central differences.

    What is left out is of second order: halve the distance and the error of the linear
    model falls to a quarter.

    Args:
        dynamics: Function f(x, u) of ẋ = f(x, u), from (n,) and (m,) to (n,).
        x: State of the operating point, shape (n,).
        u: Input there, shape (m,).

    Returns:
        Shapes (n, n) and (n, m).

    Example:
        A pendulum of 1 m that stands upright falls with e^{3.132 t}.

        >>> A, B = linearize(
        ...     lambda x, u: [x[1], -9.81 * np.sin(x[0]) + u[0]], [np.pi, 0.0], [0.0]
        ... )
        >>> print(np.sort(np.linalg.eigvals(A)).round(4))
        [-3.1321  3.1321]
    """
    x, u = np.atleast_1d(as_finite("x", x, ())), np.atleast_1d(as_finite("u", u, ()))
    point = np.concatenate([x, u])
    columns = np.empty((len(x), len(point)))
    for k, value in enumerate(point):
        h = STEP * max(1.0, abs(value))
        ahead, back = point.copy(), point.copy()
        ahead[k], back[k] = value + h, value - h
        rise = np.asarray(dynamics(ahead[: len(x)], ahead[len(x) :]), np.float64)
        rise = rise - np.asarray(dynamics(back[: len(x)], back[len(x) :]), np.float64)
        columns[:, k] = rise / (ahead[k] - back[k])
    return columns[:, : len(x)], columns[:, len(x) :]


def linearize_robot(
    model: RobotModel, q: ArrayLike, qd: ArrayLike, tau: ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Return A and B of a robot's state [q; q̇] under joint torques.

    Args:
        model: Robot with a fixed base and no loops.
        q: Joint values of the operating point, shape (n,).
        qd: Joint velocities, shape (n,).
        tau: Torques, shape (n,).

    Returns:
        Shapes (2n, 2n) and (2n, n).

    Raises:
        ModelError: If the base floats: q̇ is then no derivative of q.

    Example:
        >>> import numpy as np
        >>> from gelenk.control import linearize_robot
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> A, B = linearize_robot(arm, [-np.pi / 2, 0.0], [0.0, 0.0], [0.0, 0.0])
        >>> bool(np.linalg.eigvals(A).real.max() < 1e-6)  # it hangs, and swings
        True
    """
    if model.has_floating_base:
        raise ModelError(f"robot {model.name!r} floats; fix its base to linearise it")
    n = model.nv

    def dynamics(x: FloatArray, u: FloatArray) -> FloatArray:
        return np.concatenate([x[n:], forward_dynamics(model, x[:n], x[n:], u)])

    state = np.concatenate([model.check_q("q", q), model.check_v("qd", qd)])
    return linearize(dynamics, state, model.check_v("tau", tau))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GainSchedule:
    """States of rest, their inputs and their gains over one scheduling variable.

    Attributes:
        points: Values of the scheduling variable, increasing, shape (k,).
        states: Rest state of each, shape (k, n).
        inputs: Input that holds it, shape (k,).
        gains: Gains K of u = u_0 - K (x - x_0), shape (k, n).
    """

    points: FloatArray
    states: FloatArray
    inputs: FloatArray
    gains: FloatArray

    def __post_init__(self) -> None:
        k = len(self.points)
        for name in ("points", "states", "inputs", "gains"):
            array = np.array(getattr(self, name), dtype=np.float64)
            if len(array) != k:
                raise ShapeError(name, expected=f"({k}, ...)", actual=array.shape)
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        if k < 1 or np.any(np.diff(self.points) <= 0.0):
            raise ConfigError("`points` of a schedule must be increasing")


def design_schedule(
    dynamics: Dynamics,
    points: ArrayLike,
    rest: Callable[[float], tuple[ArrayLike, float]],
    *,
    poles: ArrayLike,
) -> GainSchedule:
    """Return the schedule that gives each linear model the same poles.

    Args:
        dynamics: Function f(x, u) of ẋ = f(x, u), with one input.
        points: Values of the scheduling variable, increasing, shape (k,).
        rest: State and input of rest, as a function of the scheduling variable.
        poles: Wanted poles [1/s], shape (n,).

    Example:
        >>> def pendulum(x, u):
        ...     return [x[1], -9.81 * np.sin(x[0]) + u[0]]
        >>> schedule = design_schedule(
        ...     pendulum,
        ...     [0.0, np.pi],
        ...     lambda angle: ([angle, 0.0], 9.81 * np.sin(angle)),
        ...     poles=[-4.0, -4.0],
        ... )
        >>> print(schedule.gains.round(3))  # hanging, the weight helps; upright not
        [[ 6.19  8.  ]
         [25.81  8.  ]]
    """
    points = np.asarray(points, np.float64)
    found = [rest(float(value)) for value in points]
    states = np.array([np.asarray(x, np.float64) for x, _ in found])
    inputs = np.array([u for _, u in found], np.float64)
    gains = []
    for x, u in zip(states, inputs, strict=True):
        A, B = linearize(dynamics, x, u)
        gains.append(place_poles(A, B, poles)[0])
    return GainSchedule(
        points=points, states=states, inputs=inputs, gains=np.array(gains)
    )


def scheduled_input(schedule: GainSchedule, x: ArrayLike, wanted: float) -> float:
    """Return u = u_0 - K (x - x_0), all interpolated at the wanted operating point.

    Outside the schedule its ends hold.

    Args:
        schedule: Operating points and gains.
        x: State, shape (n,).
        wanted: Value of the scheduling variable that is asked for.

    Example:
        >>> schedule = GainSchedule(
        ...     points=[0.0, 1.0],
        ...     states=[[0.0], [1.0]],
        ...     inputs=[0.0, 2.0],
        ...     gains=[[1.0], [3.0]],
        ... )
        >>> scheduled_input(schedule, [0.0], 0.5)
        2.0
    """
    s = schedule
    at = float(np.clip(wanted, s.points[0], s.points[-1]))
    if len(s.points) == 1:
        k, share = 0, 0.0
    else:
        k = int(np.clip(np.searchsorted(s.points, at) - 1, 0, len(s.points) - 2))
        share = (at - s.points[k]) / (s.points[k + 1] - s.points[k])

    def blend(table: FloatArray) -> FloatArray:
        last = table[min(k + 1, len(table) - 1)]
        return (1.0 - share) * table[k] + share * last

    gap = np.asarray(x, np.float64) - blend(s.states)
    return float(blend(s.inputs) - blend(s.gains) @ gap)
