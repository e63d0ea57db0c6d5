"""Running reduced to a mass on a massless spring (SLIP).

Polar coordinates about the foot, φ from the ground in front of it:
m r̈ = k (l₀ - r) + m r φ̇² - m g sin φ, r φ̈ = -2 ṙ φ̇ - g cos φ. The foot lands ahead
of the mass, at φ = π - attack angle; the leg leaves the ground at its full length.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

GRAVITY = 9.81  # [m/s^2]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpringMass:
    """A runner.

    Attributes:
        mass: m [kg].
        stiffness: k of the leg [N/m].
        leg: l₀ at rest [m].
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
    """A time on the ground.

    Attributes:
        t: [s], shape (k,).
        polar: (r, φ, ṙ, φ̇) about the foot, shape (k, 4).
        fell: The mass came down to the ground before the leg was long again.
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
        velocity: At touch-down, forward and up [m/s], shape (2,).

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
    return Stance(t=run.t, polar=run.y.T, fell=len(run.t_events[0]) == 0)


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
        height: Of this apex [m].
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
