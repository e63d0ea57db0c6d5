"""Periodic gaits and their stability: passive walking, spring-mass running.

A return map leads from one step to the next; its fixed point is a gait, the eigenvalues
of its Jacobian (Floquet multipliers) say whether the gait is stable. The models are the
simplest walker (two massless legs, point feet, driven by a slope alone) and a mass on a
massless spring (SLIP).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import root

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, BoolArray, FloatArray

StepMap = Callable[[FloatArray], FloatArray | None]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GaitCycle:
    """Fixed point of a gait's step map, and its stability.

    Attributes:
        state: Fixed point of the step map, shape (n,).
        jacobian: Jacobian of the step map at the fixed point, shape (n, n).
        multipliers: Floquet multipliers: eigenvalues of the Jacobian, largest first,
            shape (n,).
        residual: Distance |P(x) - x| from a perfect fixed point.
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


def find_cycle(step: StepMap, guess: ArrayLike, *, h: float = 1e-6) -> GaitCycle | None:
    """Return the periodic gait near a guess; None if there is none.

    Args:
        step: Step map P from the state at one instant of a step to that of the next;
            None means a fall.
        guess: First guess of the state, shape (n,).
        h: Step of the finite differences.

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
    return GaitCycle(
        state=found.x,
        jacobian=J,
        multipliers=values[np.argsort(-np.abs(values))],
        residual=residual,
    )


def find_basin(
    step: StepMap, states: ArrayLike, goal: ArrayLike, *, num_steps: int, radius: float
) -> BoolArray:
    """Return which states lead to a gait within some steps, shape (k,).

    Args:
        step: P; None: it fell.
        states: Initial states, shape (k, n).
        goal: Fixed point, shape (n,).
        num_steps: Number of steps to walk.
        radius: Distance from the fixed point that counts as arrived.
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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WalkerStep:
    """One step of the walker.

    Attributes:
        t: Time since the last strike [√(l/g)], shape (k,).
        state: States (θ, θ̇, φ, φ̇) [rad], [rad/s], shape (k, 4).
        after: State (θ, θ̇) after the strike at the end; None after a fall.
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
        start: State (θ, θ̇) after a strike, shape (2,).
        slope: Slope γ of the ground, > 0 downhill [rad].
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
    if not run.t_events or not len(run.t_events[0]) or abs(gap) > 1e-6:
        return WalkerStep(t=run.t, state=run.y.T, after=None)
    theta, theta_d = run.y[:2, -1]
    after = np.array([-theta, math.cos(2.0 * theta) * theta_d])
    return WalkerStep(t=run.t, state=run.y.T, after=after)


def walker_energy(state: ArrayLike, slope: float) -> float:
    """Return ½ θ̇² + cos(θ - γ), constant during a step [m g l]."""
    theta, theta_d = np.asarray(state, np.float64)[..., :2]
    return float(0.5 * theta_d**2 + math.cos(theta - slope))


GRAVITY = 9.81  # [m/s^2]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpringMass:
    """Spring-mass runner: a point mass on a leg that is a spring.

    Attributes:
        mass: Mass m [kg].
        stiffness: Stiffness k of the leg [N/m].
        leg: Length l₀ of the leg at rest [m].
        attack: Angle of the leg against the ground at touch-down [rad].
    """

    mass: float = 80.0
    stiffness: float = 20_000.0
    leg: float = 1.0
    attack: float = math.radians(68.0)

    def __post_init__(self) -> None:
        if min(self.mass, self.stiffness, self.leg) <= 0.0:
            raise ConfigError(f"mass, stiffness and leg must be > 0, got {self}")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Stance:
    """Stance phase of a runner: its time on the ground.

    Attributes:
        t: Times [s], shape (k,).
        polar: Polar state (r, φ, ṙ, φ̇) about the foot, shape (k, 4).
        fell: Whether the mass hit the ground before the leg was long again.
    """

    t: FloatArray
    polar: FloatArray
    fell: bool

    @property
    def place(self) -> FloatArray:
        """Of the mass, from the foot [m], shape (k, 2)."""
        r, phi = self.polar[:, 0], self.polar[:, 1]
        return np.stack([r * np.cos(phi), r * np.sin(phi)], axis=-1)

    @property
    def velocity(self) -> FloatArray:
        """Of the mass [m/s], shape (k, 2)."""
        r, phi, rd, phid = self.polar.T
        c, s = np.cos(phi), np.sin(phi)
        return np.stack([rd * c - r * phid * s, rd * s + r * phid * c], axis=-1)


def stance_rate(runner: SpringMass, polar: ArrayLike) -> FloatArray:
    """Return the rates of (r, φ, ṙ, φ̇), shape (4,)."""
    r, phi, rd, phid = np.asarray(polar, np.float64)
    push = runner.stiffness / runner.mass * (runner.leg - r)
    radial = push + r * phid**2 - GRAVITY * math.sin(phi)
    turn = (-2.0 * rd * phid - GRAVITY * math.cos(phi)) / r
    return np.array([rd, phid, radial, turn])


def run_stance(runner: SpringMass, velocity: ArrayLike) -> Stance:
    """Return the time on the ground from touch-down to take-off.

    Args:
        runner: Mass, spring, attack angle.
        velocity: Velocity at touch-down, forward and up [m/s], shape (2,).

    Example:
        >>> stance = run_stance(SpringMass(), [5.0, -0.5])
        >>> print(round(stance.t[-1], 6), stance.velocity[-1].round(6))
        0.151801 [4.992799 0.528798]
    """
    vx, vz = np.asarray(velocity, np.float64)
    phi = math.pi - runner.attack
    c, s = math.cos(phi), math.sin(phi)
    start = [runner.leg, phi, vx * c + vz * s, (vz * c - vx * s) / runner.leg]
    if start[2] >= 0.0:
        raise ConfigError("the mass moves away from the foot: there is no touch-down")

    def long_again(_t: float, p: FloatArray) -> float:
        return p[0] - runner.leg

    def fallen(_t: float, p: FloatArray) -> float:
        return p[0] * math.sin(p[1]) - 0.05 * runner.leg

    long_again.terminal, long_again.direction = True, 1.0  # type: ignore[attr-defined]
    fallen.terminal = True  # type: ignore[attr-defined]
    run = solve_ivp(
        lambda _t, p: stance_rate(runner, p),
        (0.0, 5.0),
        start,
        method="DOP853",
        rtol=1e-10,
        atol=1e-11,
        max_step=0.01,
        events=(long_again, fallen),
    )
    return Stance(
        t=run.t, polar=run.y.T, fell=not run.t_events or not len(run.t_events[0])
    )


def spring_mass_energy(runner: SpringMass, stance: Stance) -> FloatArray:
    """Return kinetic, weight and spring energy together [J], shape (k,)."""
    m, v = runner.mass, stance.velocity
    squeeze = runner.leg - stance.polar[:, 0]
    return (
        0.5 * m * np.sum(v * v, axis=-1)
        + m * GRAVITY * stance.place[:, 1]
        + 0.5 * runner.stiffness * squeeze**2
    )


def apex_map(runner: SpringMass, height: float, energy: float) -> float | None:
    """Return the height of the next apex [m]; None if the runner falls.

    Between stances it flies. With constant energy one number, the height of the apex,
    says everything: the map is a stride.

    Args:
        runner: Mass, spring, attack angle.
        height: Height of the present apex [m].
        energy: Total [J].
    """
    landing = runner.leg * math.sin(runner.attack)
    square = 2.0 * (energy / runner.mass - GRAVITY * height)
    if height < landing or square <= 0.0:
        return None
    fall = math.sqrt(2.0 * GRAVITY * (height - landing))
    stance = run_stance(runner, [math.sqrt(square), -fall])
    if stance.fell:
        return None
    vx, vz = stance.velocity[-1]
    if vz <= 0.0 or vx <= 0.0:
        return None
    return float(stance.place[-1, 1] + vz**2 / (2.0 * GRAVITY))


def vertical_bounce(runner: SpringMass, speed: float) -> tuple[float, float]:
    """Return time on the ground [s] and deepest compression [m] of a hop on the spot.

    T = (2/ω) (π - atan(v ω / g)), Δ = mg/k + √((mg/k)² + m v²/k).

    Example:
        >>> duration, depth = vertical_bounce(SpringMass(), 1.0)
        >>> print(round(duration, 6), round(depth, 6))
        0.268934 0.11367
    """
    omega = math.sqrt(runner.stiffness / runner.mass)
    sag = GRAVITY / omega**2
    duration = 2.0 / omega * (math.pi - math.atan(speed * omega / GRAVITY))
    return duration, sag + math.sqrt(sag**2 + (speed / omega) ** 2)
