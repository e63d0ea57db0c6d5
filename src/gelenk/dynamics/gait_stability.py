"""Stability of whole gaits: return maps, Floquet multipliers, basins, sensitivity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import root

from gelenk.typing import ArrayLike, BoolArray, FloatArray

StepMap = Callable[[FloatArray], FloatArray | None]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Cycle:
    """A periodic gait.

    Attributes:
        state: Fixed point of the step map, shape (n,).
        jacobian: Of the map there, shape (n, n).
        multipliers: Its eigenvalues (Floquet), largest first, shape (n,).
        residual: |P(x) - x|.
    """

    state: FloatArray
    jacobian: FloatArray
    multipliers: np.ndarray
    residual: float

    @property
    def is_stable(self) -> bool:
        """All multipliers lie inside the unit circle."""
        return bool(np.abs(self.multipliers).max() < 1.0)


def map_jacobian(step: StepMap, state: ArrayLike, *, h: float = 1e-6) -> FloatArray:
    """Return ∂P/∂x of a step map by central differences, shape (n, n).

    NaN where a disturbed step does not exist.
    """
    x = np.asarray(state, np.float64)
    J = np.full((len(x), len(x)), np.nan)
    for k in range(len(x)):
        move = h * np.eye(len(x))[k]
        ahead, back = step(x + move), step(x - move)
        if ahead is not None and back is not None:
            J[:, k] = (ahead - back) / (2.0 * h)
    return J


def find_cycle(step: StepMap, guess: ArrayLike, *, h: float = 1e-6) -> Cycle | None:
    """Return the periodic gait near a guess; None if there is none.

    Args:
        step: P: state at one instant of a step to that of the next; None: it fell.
        guess: Shape (n,).
        h: Step of the differences.

    Example:
        >>> cycle = find_cycle(lambda x: 0.5 * np.cos(x), [0.4])
        >>> print(cycle.state.round(6), cycle.is_stable)
        [0.450184] True
    """

    def miss(x: FloatArray) -> FloatArray:
        after = step(np.asarray(x, np.float64))
        return np.full(len(x), 1e3) if after is None else after - x

    found = root(miss, np.asarray(guess, np.float64), method="hybr", tol=1e-12)
    residual = float(np.linalg.norm(miss(found.x)))
    if residual > 1e-7:
        return None
    J = map_jacobian(step, found.x, h=h)
    values = np.linalg.eigvals(J)
    return Cycle(
        state=found.x,
        jacobian=J,
        multipliers=values[np.argsort(-np.abs(values))],
        residual=residual,
    )


def basin(
    step: StepMap, states: ArrayLike, goal: ArrayLike, *, num_steps: int, radius: float
) -> BoolArray:
    """Return which states lead to a gait within some steps, shape (k,).

    Args:
        step: P; None: it fell.
        states: Shape (k, n).
        goal: Fixed point, shape (n,).
        num_steps: How long to walk.
        radius: How near counts as there.
    """
    found: list[bool] = []
    for start in np.asarray(states, np.float64):
        x: FloatArray | None = start
        for _ in range(num_steps):
            x = step(x) if x is not None else None
        near = x is not None and float(np.linalg.norm(x - np.asarray(goal))) < radius
        found.append(near)
    return np.array(found, dtype=np.bool_)


def sensitivity_norm(A: ArrayLike, B: ArrayLike, C: ArrayLike) -> float:
    """Return the gait sensitivity norm: how much disturbances shake an indicator.

    x⁺ = A x + B w, y = C x; the H₂ norm √tr(C X Cᵀ) with X = A X Aᵀ + B Bᵀ.

    Args:
        A: Jacobian of the step map, stable, shape (n, n).
        B: Effect of disturbances, shape (n, m).
        C: Indicators of falling, shape (k, n).

    Example:
        >>> round(sensitivity_norm([[0.6]], [[1.0]], [[1.0]]), 6)
        1.25
    """
    from scipy.linalg import solve_discrete_lyapunov

    a, b, c = (np.atleast_2d(np.asarray(part, np.float64)) for part in (A, B, C))
    X = solve_discrete_lyapunov(a, b @ b.T)
    return float(np.sqrt(np.trace(c @ X @ c.T)))
