"""A linear model around an operating point: Δẋ = A Δx + B Δu, valid nearby."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from gelenk.checks import as_finite
from gelenk.dynamics.aba import forward_dynamics
from gelenk.errors import ModelError
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
        dynamics: f, from (n,) and (m,) to (n,).
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
