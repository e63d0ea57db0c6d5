"""Muscle and tendon after Hill: activation, force curves, equilibrium, lever arms.

Lengths are divided by the optimal fibre length, speeds by v_max of it per second;
shortening is negative. F_M = F_max (a f_l f_v + f_PE) acts along the fibre; the
pennation angle α enters once, in the balance with the tendon F_T = F_M cos α.
Parameters scatter between people; fatigue and history are left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import root_scalar

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

WIDTH = 0.45  # of the force-length curve
CURVATURE = 0.25  # k of the force-velocity curve, shortening
ECCENTRIC = 1.5  # f_e, most force while being stretched
STRETCH = (ECCENTRIC - 1.0) / (1.0 + 1.0 / CURVATURE)  # k_e: the slope is continuous
LEAST_ACTIVATION = 0.01  # the equilibrium divides by it


@dataclass(frozen=True, slots=True, kw_only=True)
class Muscle:
    """A muscle with its tendon.

    Attributes:
        max_force: F_max [N].
        fibre_length: l_opt [m].
        slack_length: Slack length l_s of the tendon [m].
        pennation: α₀ at the optimal length [rad].
        max_speed: v_max [1/s], fibre lengths per second.
        tendon_strain: Strain of the tendon at F_max.
    """

    max_force: float
    fibre_length: float
    slack_length: float
    pennation: float = 0.0
    max_speed: float = 10.0
    tendon_strain: float = 0.04

    def __post_init__(self) -> None:
        if min(self.max_force, self.fibre_length, self.slack_length) <= 0.0:
            raise ConfigError(f"a muscle needs positive force and lengths, got {self}")


def force_length(length: ArrayLike) -> FloatArray:
    """Return f_l = exp(-((l̃ - 1) / 0.45)²): most force at the optimal length.

    Example:
        >>> round(float(force_length(0.8)), 6)
        0.820755
    """
    return np.exp(-(((np.asarray(length, np.float64) - 1.0) / WIDTH) ** 2))


def force_velocity(speed: ArrayLike) -> FloatArray:
    """Return f_v: a hyperbola from 0 at full shortening speed over 1 towards 1.5.

    Example:
        >>> print(force_velocity([-1.0, -0.5, 0.0, 0.1]).round(6))
        [0.       0.166667 1.       1.25    ]
    """
    v = np.maximum(np.asarray(speed, np.float64), -1.0)
    short = np.minimum(v, 0.0)
    long = np.maximum(v, 0.0)
    return np.where(
        v <= 0.0,
        (1.0 + short) / (1.0 - short / CURVATURE),
        1.0 + (ECCENTRIC - 1.0) * long / (long + STRETCH),
    )


def velocity_of_force(factor: ArrayLike) -> FloatArray:
    """Return the speed at which f_v takes a value; saturates just below f_e."""
    y = np.minimum(np.asarray(factor, np.float64), ECCENTRIC - 1e-3)
    low, high = np.clip(y, 0.0, 1.0), np.maximum(y, 1.0)
    return np.where(
        y <= 1.0,
        (low - 1.0) / (1.0 + low / CURVATURE),
        STRETCH * (high - 1.0) / (ECCENTRIC - high),
    )


def passive_force(length: ArrayLike) -> FloatArray:
    """Return f_PE of the stretched fibre, 1 at l̃ = 1.6, 0 below 1.

    Example:
        >>> round(float(passive_force(1.3)), 6)
        0.075858
    """
    stretch = np.maximum(np.asarray(length, np.float64) - 1.0, 0.0)
    return np.expm1(5.0 * stretch / 0.6) / math.expm1(5.0)


def tendon_force(muscle: Muscle, length: ArrayLike) -> FloatArray:
    """Return F_T = F_max (ε / 0.04)² of a tendon of a length [m]; slack: 0 [N]."""
    strain = np.asarray(length, np.float64) / muscle.slack_length - 1.0
    return muscle.max_force * (np.maximum(strain, 0.0) / muscle.tendon_strain) ** 2


def activation_rate(
    activation: ArrayLike,
    excitation: ArrayLike,
    *,
    rise: float = 0.01,
    fall: float = 0.04,
) -> FloatArray:
    """Return ȧ = (u - a) / τ [1/s], τ = `rise` if u > a, else `fall` [s].

    Example:
        >>> print(activation_rate([0.2, 0.2], [1.0, 0.0]).round(6))
        [80. -5.]
    """
    a, u = np.asarray(activation, np.float64), np.asarray(excitation, np.float64)
    return (u - a) / np.where(u > a, rise, fall)


def fibre_angle(muscle: Muscle, fibre: ArrayLike) -> FloatArray:
    """Return the pennation α [rad]: the muscle keeps its thickness, l sin α = const."""
    height = muscle.fibre_length * math.sin(muscle.pennation)
    return np.arcsin(np.clip(height / np.asarray(fibre, np.float64), 0.0, 1.0))


def fibre_speed(
    muscle: Muscle, fibre: ArrayLike, *, total: ArrayLike, activation: ArrayLike
) -> FloatArray:
    """Return dl_M/dt of the fibre [m/s] at which muscle and tendon are in balance.

    Args:
        muscle: Parameters.
        fibre: Fibre length l_M [m].
        total: Length l_MT of muscle and tendon together [m].
        activation: a in [0, 1], kept above 0.01.
    """
    l_m = np.asarray(fibre, np.float64)
    alpha = fibre_angle(muscle, l_m)
    pull = tendon_force(muscle, np.asarray(total) - l_m * np.cos(alpha))
    a = np.maximum(np.asarray(activation, np.float64), LEAST_ACTIVATION)
    length = l_m / muscle.fibre_length
    share = pull / (muscle.max_force * np.cos(alpha)) - passive_force(length)
    speed = velocity_of_force(share / (a * force_length(length)))
    return speed * muscle.max_speed * muscle.fibre_length


def isometric_equilibrium(
    muscle: Muscle, *, total: float, activation: float
) -> tuple[float, float]:
    """Return fibre length [m] and tendon force [N] of a muscle that does not move.

    Example:
        >>> biceps = Muscle(max_force=1000.0, fibre_length=0.1, slack_length=0.2)
        >>> fibre, force = isometric_equilibrium(biceps, total=0.3, activation=1.0)
        >>> print(round(fibre, 6), round(force, 3))
        0.092122 969.814
    """
    a = max(activation, LEAST_ACTIVATION)

    def excess(fibre: float) -> float:
        length = fibre / muscle.fibre_length
        push = a * force_length(length) + passive_force(length)
        alpha = fibre_angle(muscle, fibre)
        tendon = tendon_force(muscle, total - fibre * np.cos(alpha))
        return float(muscle.max_force * push * np.cos(alpha) - tendon)

    shortest = muscle.fibre_length * max(0.2, math.sin(muscle.pennation) + 1e-6)
    longest = max(total - 0.5 * muscle.slack_length, 2.0 * shortest)
    if excess(shortest) > 0.0:
        raise ConfigError(
            f"a total length of {total} m leaves the tendon slack at every fibre length"
        )
    found = root_scalar(excess, bracket=(shortest, longest), xtol=1e-14)
    fibre = float(found.root)
    alpha = fibre_angle(muscle, fibre)
    return fibre, float(tendon_force(muscle, total - fibre * np.cos(alpha)))


def hinge_path(
    angle: ArrayLike, *, origin: float, insertion: float
) -> tuple[FloatArray, FloatArray]:
    """Return length [m] and lever arm [m] of a straight muscle over a hinge.

    l = √(d_o² + d_i² + 2 d_o d_i cos q), r = -∂l/∂q = d_o d_i sin q / l; q = 0 is the
    stretched joint. Torque is r F.

    Args:
        angle: Joint angle q [rad].
        origin: d_o from the joint [m].
        insertion: d_i from the joint [m].

    Example:
        >>> length, arm = hinge_path(np.pi / 2, origin=0.3, insertion=0.05)
        >>> print(round(float(length), 6), round(float(arm), 6))
        0.304138 0.04932
    """
    q = np.asarray(angle, np.float64)
    both = 2.0 * origin * insertion * np.cos(q)
    length = np.sqrt(origin**2 + insertion**2 + both)
    return length, origin * insertion * np.sin(q) / length


def share_load(
    torque: ArrayLike, arms: ArrayLike, *, strength: ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Return activations and forces [N] that carry a torque with the least Σ a².

    More muscles than joints: some assumption must choose. Muscles cannot push.

    Args:
        torque: Wanted at each joint [N m], shape (m,).
        arms: Lever arms, joints by muscles [m], shape (m, n).
        strength: F_max of each muscle [N], shape (n,).

    Raises:
        ConfigError: If the muscles are too weak.
    """
    from scipy.optimize import lsq_linear

    tau = np.atleast_1d(np.asarray(torque, np.float64))
    F = np.asarray(strength, np.float64)
    A = np.atleast_2d(np.asarray(arms, np.float64)) * F
    weight = 1e4 / max(float(np.abs(A).max()), 1e-12)  # the torque first, then small a
    found = lsq_linear(
        np.vstack([weight * A, np.eye(len(F))]),
        np.concatenate([weight * tau, np.zeros(len(F))]),
        bounds=(0.0, 1.0),
        method="bvls",
    )
    a = np.clip(found.x, 0.0, 1.0)
    if np.linalg.norm(A @ a - tau) > 1e-4 * max(1.0, float(np.linalg.norm(tau))):
        raise ConfigError(f"the muscles cannot give the torque {tau.tolist()} N m")
    return a, a * F
