"""Elastic drives: springs in series, in parallel, and of variable stiffness.

A spring in series (SEA) measures torque, takes blows and stores energy; one in parallel
(PEA) carries part of the torque. Variable stiffness (VSA) and variable impedance (VIA)
make both a command.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray


def series_torque(
    motor: ArrayLike, joint: ArrayLike, *, stiffness: float, ratio: float = 1.0
) -> FloatArray:
    """Return τ = k (θ/N - q), the torque that a series spring shows [N m].

    Example:
        >>> float(series_torque(0.05, 0.0, stiffness=200.0))
        10.0
    """
    theta = np.asarray(motor, np.float64) / ratio
    return stiffness * (theta - np.asarray(joint, np.float64))


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesDrive:
    """A motor behind a spring.

    Attributes:
        inertia: Inertia J of the motor, behind its gear [kg m^2].
        stiffness: Stiffness k of the spring [N m/rad].
        damping: Damping b of the motor [N m s/rad].

    Example:
        >>> from gelenk.actuation import SeriesDrive
        >>> SeriesDrive(inertia=0.1, stiffness=300.0).damping
        0.0
    """

    inertia: float
    stiffness: float
    damping: float = 0.0

    def __post_init__(self) -> None:
        if min(self.inertia, self.stiffness) <= 0.0 or self.damping < 0.0:
            raise ConfigError(f"inertia and stiffness must be > 0, got {self}")


def torque_loop(
    drive: SeriesDrive, *, proportional: float, damping_ratio: float
) -> tuple[float, float]:
    """Return ω_n [rad/s] and the gain k_d [s] of a torque loop with locked output.

    τ_m = τ_d + k_p (τ_d - τ) + k_d (τ̇_d - τ̇) gives ω_n = √(k (1 + k_p) / J) and
    ζ = (b + k k_d) / 2√(J k (1 + k_p)).

    Args:
        drive: Motor and spring.
        proportional: Proportional gain k_p.
        damping_ratio: Wanted ζ.

    Example:
        >>> drive = SeriesDrive(inertia=0.01, stiffness=200.0, damping=0.1)
        >>> omega, k_d = torque_loop(drive, proportional=4.0, damping_ratio=0.7)
        >>> print(round(omega, 6), round(k_d, 6))
        316.227766 0.021636
    """
    product = drive.inertia * drive.stiffness * (1.0 + proportional)
    k_d = (2.0 * damping_ratio * math.sqrt(product) - drive.damping) / drive.stiffness
    return math.sqrt(product) / drive.inertia, k_d


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveDemand:
    """Torque and power that a periodic motion asks of a motor.

    Attributes:
        peak_torque: Peak torque [N m].
        peak_power: Peak power [W].
        energy: Mechanical energy that the motor puts in and takes out per cycle [J].
    """

    peak_torque: float
    peak_power: float
    energy: float


def cyclic_demand(
    angle: ArrayLike,
    torque: ArrayLike,
    *,
    period: float,
    series: float | None = None,
    parallel: float = 0.0,
    rest: float = 0.0,
) -> DriveDemand:
    """Return what a motor must do for one period of joint motion.

    A series spring turns the motor by τ/k more: θ̇ = q̇ + τ̇/k. A parallel one carries
    k_p (q_0 - q): τ_m = τ - k_p (q_0 - q).

    Args:
        angle: q over one period, even samples, without the repeated end [rad], (k,).
        torque: τ at the joint [N m], (k,).
        period: Period [s].
        series: Stiffness of a series spring [N m/rad]; None: rigid.
        parallel: Stiffness of a parallel spring [N m/rad].
        rest: q_0, angle at which the parallel spring is relaxed [rad].

    Example:
        A mass that swings at its resonance needs no torque at all.

        >>> t = np.arange(200) / 200
        >>> q = np.cos(2 * np.pi * t)
        >>> tau = -0.5 * (2 * np.pi) ** 2 * q
        >>> best = 0.5 * (2 * np.pi) ** 2
        >>> demand = cyclic_demand(q, tau, period=1.0, parallel=best)
        >>> round(demand.peak_torque, 9)
        0.0
    """
    q, tau = np.asarray(angle, np.float64), np.asarray(torque, np.float64)
    load = tau - parallel * (rest - q)
    theta = q if series is None else q + load / series
    speed = _periodic_rate(theta, period)
    power = load * speed
    dt = period / len(q)
    return DriveDemand(
        peak_torque=float(np.abs(load).max()),
        peak_power=float(np.abs(power).max()),
        energy=float(np.abs(power).sum() * dt),
    )


def antagonist_torque(
    motors: ArrayLike, joint: ArrayLike, *, constant: float
) -> tuple[FloatArray, FloatArray]:
    """Return torque [N m] and stiffness [N m/rad] of two quadratic springs.

    τ = c [(θ_1 - q)² - (θ_2 + q)²], K = 2 c (θ_1 + θ_2): what both pull together is
    stiffness, what they pull apart is position. Springs only pull: θ_1 > q, θ_2 > -q.

    Args:
        motors: Motor angles (θ_1, θ_2) [rad], shape (..., 2).
        joint: Joint angle q [rad], shape (...).
        constant: Constant c of the springs [N m/rad^2].

    Example:
        >>> tau, K = antagonist_torque([0.75, 0.25], 0.2, constant=50.0)
        >>> print(round(float(tau), 9), float(K))
        5.0 100.0
    """
    one, two = np.moveaxis(np.asarray(motors, np.float64), -1, 0)
    q = np.asarray(joint, np.float64)
    pull_1, pull_2 = np.maximum(one - q, 0.0), np.maximum(two + q, 0.0)
    return constant * (pull_1**2 - pull_2**2), 2.0 * constant * (pull_1 + pull_2)


def antagonist_command(
    joint: float, torque: float, stiffness: float, *, constant: float
) -> FloatArray:
    """Return the motor angles for position, torque and stiffness at once [rad], (2,).

    θ_1 = K/4c + q + τ/K, θ_2 = K/4c - q - τ/K, feasible for |τ| ≤ K²/4c.

    Raises:
        ConfigError: If a spring would have to push.

    Example:
        >>> print(antagonist_command(0.2, 5.0, 100.0, constant=50.0))
        [0.75 0.25]
    """
    if not stiffness > 0.0 or abs(torque) > stiffness**2 / (4.0 * constant):
        raise ConfigError(
            f"{torque} N m need a stiffness of at least "
            f"{2.0 * math.sqrt(constant * abs(torque)):.4g} N m/rad, got {stiffness}"
        )
    half, lean = stiffness / (4.0 * constant), joint + torque / stiffness
    return np.array([half + lean, half - lean])


def lever_torque(
    twist: ArrayLike, *, spring: float, lever: float, arm: float, tension: float
) -> FloatArray:
    """Return the torque of a spring on a lever (MACCEPA) [N m].

    τ = k B C sin α (1 + (P - |C - B|) / √(B² + C² - 2 B C cos α)); its stiffness at
    rest is k B C P / |C - B|: set by the tension P.

    Args:
        twist: Twist α = θ - q [rad].
        spring: Stiffness k of the spring [N/m].
        lever: Length B of the lever [m].
        arm: Length C of the arm [m].
        tension: Stretch P of the spring at α = 0 [m].

    Example:
        >>> size = dict(spring=1000.0, lever=0.03, arm=0.12, tension=0.02)
        >>> round(float(lever_torque(np.radians(20), **size)), 6)
        0.298296
    """
    alpha = np.asarray(twist, np.float64)
    both = 2.0 * lever * arm * np.cos(alpha)
    length = np.sqrt(lever**2 + arm**2 - both)
    grip = 1.0 + (tension - abs(arm - lever)) / length
    return spring * lever * arm * np.sin(alpha) * grip


def variable_impedance(
    deflection: ArrayLike,
    rate: ArrayLike,
    *,
    stiffness: float,
    inertia: float,
    damping_ratio: float,
    max_damping: float = math.inf,
) -> tuple[FloatArray, float]:
    """Return the torque [N m] of a drive with commanded damping, and D [N m s/rad].

    τ = K (θ - q) + D (θ̇ - q̇), D = 2 ζ √(K I); a semi-active damper has 0 ≤ D ≤ D_max.

    Example:
        >>> _, D = variable_impedance(
        ...     0.1, 0.0, stiffness=100.0, inertia=0.25, damping_ratio=0.7
        ... )
        >>> round(D, 9)
        7.0
    """
    D = min(max(2.0 * damping_ratio * math.sqrt(stiffness * inertia), 0.0), max_damping)
    spring = stiffness * np.asarray(deflection, np.float64)
    return spring + D * np.asarray(rate, np.float64), D


def stiffening_work(change: float, deflection: float) -> float:
    """Return the work to stiffen a deflected spring [J]: ½ ΔK Δ²."""
    return 0.5 * change * deflection**2


def biarticular_torques(
    joints: ArrayLike, *, arms: ArrayLike, stiffness: float, slack: float = 0.0
) -> tuple[FloatArray, FloatArray]:
    """Return joint torques [N m] and stiffness [N m/rad] of a spring over two joints.

    l = l_0 - r_1 q_1 - r_2 q_2, so τ = -(∂l/∂q) F = (r_1, r_2) F and the stiffness is
    k r rᵀ: it couples the joints, as the calf muscle couples knee and ankle.

    Args:
        joints: Joint angles q [rad], shape (n,).
        arms: Lever arms r [m], shape (n,).
        stiffness: Stiffness k of the spring [N/m].
        slack: l_0 - l_s: stretch of the spring at q = 0 [m]; it only pulls.

    Example:
        >>> tau, K = biarticular_torques(
        ...     [-0.2, 0.0], arms=[0.05, 0.03], stiffness=1e4
        ... )
        >>> print(tau.round(9), K.round(9).tolist())
        [5. 3.] [[25.0, 15.0], [15.0, 9.0]]
    """
    q, r = np.asarray(joints, np.float64), np.asarray(arms, np.float64)
    stretch = slack - float(r @ q)
    if stretch <= 0.0:
        return np.zeros_like(r), np.zeros((len(r), len(r)))
    return r * stiffness * stretch, stiffness * np.outer(r, r)


def _periodic_rate(values: FloatArray, period: float) -> FloatArray:
    """Return the derivative of one period of a smooth function, by Fourier series."""
    n = len(values)
    wave = np.fft.rfftfreq(n, period / n) * 2.0 * np.pi
    return np.fft.irfft(1j * wave * np.fft.rfft(values), n)
