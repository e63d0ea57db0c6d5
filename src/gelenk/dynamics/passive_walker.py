"""The simplest walker: two massless legs, point feet, driven by a slope alone.

θ is the stance leg from the normal of the slope, φ the angle between the legs; time is
counted in √(l/g): θ̈ = sin(θ - γ), φ̈ = θ̈ + θ̇² sin φ - cos(θ - γ) sin φ. The foot
strikes where φ = 2θ; there the legs change their parts and energy is lost: θ⁺ = -θ,
θ̇⁺ = cos 2θ θ̇, φ⁺ = -2θ, φ̇⁺ = cos 2θ (1 - cos 2θ) θ̇ (Garcia 1998).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WalkerStep:
    """One step of the walker.

    Attributes:
        t: Since the last strike [√(l/g)], shape (k,).
        state: (θ, θ̇, φ, φ̇), shape (k, 4).
        after: (θ, θ̇) after the strike at the end; None: it fell.
    """

    t: FloatArray
    state: FloatArray
    after: FloatArray | None


def walker_rate(state: ArrayLike, slope: float) -> FloatArray:
    """Return the rates of (θ, θ̇, φ, φ̇), shape (4,)."""
    theta, theta_d, phi, phi_d = np.asarray(state, np.float64)
    acc = math.sin(theta - slope)
    swing = theta_d**2 * math.sin(phi) - math.cos(theta - slope) * math.sin(phi)
    return np.array([theta_d, acc, phi_d, acc + swing])


def walker_step(start: ArrayLike, slope: float, *, longest: float = 12.0) -> WalkerStep:
    """Return one step of the passive walker.

    Directly after a strike φ = 2θ and φ̇ = (1 - cos 2θ) θ̇: two numbers say everything.

    Args:
        start: (θ, θ̇) after a strike, shape (2,).
        slope: γ, > 0 downhill [rad].
        longest: A step that takes longer has failed [√(l/g)].

    Example:
        >>> step = walker_step([0.2003109, -0.1998325], 0.009)
        >>> print(round(step.t[-1], 5), step.after.round(6))
        3.88246 [ 0.200311 -0.199833]
    """
    theta, theta_d = np.asarray(start, np.float64)
    y0 = [theta, theta_d, 2.0 * theta, (1.0 - math.cos(2.0 * theta)) * theta_d]

    def strike(_t: float, y: FloatArray) -> float:
        # Legs also pass each other near θ = 0, where a foot without knee scuffs: that
        # and the start itself do not count.
        return y[2] - 2.0 * y[0] if y[0] < -0.02 else -1.0

    def fallen(_t: float, y: FloatArray) -> float:
        return 0.5 * math.pi - abs(y[0])

    strike.terminal, strike.direction = True, 1.0  # type: ignore[attr-defined]
    fallen.terminal = True  # type: ignore[attr-defined]
    run = solve_ivp(
        lambda _t, y: walker_rate(y, slope),
        (0.0, longest),
        y0,
        method="DOP853",
        rtol=1e-10,
        atol=1e-12,
        events=(strike, fallen),
    )
    gap = float(run.y[2, -1] - 2.0 * run.y[0, -1])
    if not len(run.t_events[0]) or abs(gap) > 1e-6:
        return WalkerStep(t=run.t, state=run.y.T, after=None)
    theta, theta_d = run.y[:2, -1]
    after = np.array([-theta, math.cos(2.0 * theta) * theta_d])
    return WalkerStep(t=run.t, state=run.y.T, after=after)


def walker_energy(state: ArrayLike, slope: float) -> float:
    """Return ½ θ̇² + cos(θ - γ), constant during a step [m g l]."""
    theta, theta_d = np.asarray(state, np.float64)[..., :2]
    return float(0.5 * theta_d**2 + math.cos(theta - slope))
