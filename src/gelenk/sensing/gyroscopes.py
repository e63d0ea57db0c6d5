"""Gyroscopes: spinning rotors that keep or precess, and forks that Coriolis bends."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

EARTH_RATE = 7.292115e-5  # [rad/s], against the stars


class GyroGrade(StrEnum):
    """How good a mechanical gyroscope is."""

    AIRCRAFT = "aircraft"
    """1.85 km per hour: one nautical mile."""
    HIGH_END = "high end"
    """0.1 % of the way travelled."""


def drift(grade: GyroGrade, *, hours: float, distance: float = 0.0) -> float:
    """Return how far a position is off after a journey [m].

    Args:
        grade: Of the gyroscopes.
        hours: Duration [h].
        distance: Way travelled [m].

    Example:
        >>> drift(GyroGrade.AIRCRAFT, hours=8.0)
        14800.0
        >>> drift(GyroGrade.HIGH_END, hours=8.0, distance=6e6)
        6000.0
    """
    match grade:
        case GyroGrade.AIRCRAFT:
            return 1850.0 * hours
        case GyroGrade.HIGH_END:
            return 1e-3 * distance


def precession(torque: ArrayLike, momentum: ArrayLike) -> FloatArray:
    """Return the rate at which a torque turns a spinning rotor [rad/s], shape (..., 3).

    dL/dt = τ: Ω = L × τ / |L|², across both, not along the torque.

    Args:
        torque: On the rotor [N m], shape (..., 3).
        momentum: L = I ω of its spin [kg m^2/s], shape (..., 3).

    Example:
        >>> print(precession([0.0, 0.1, 0.0], [2.0, 0.0, 0.0]))
        [0.   0.   0.05]
    """
    tau, L = np.asarray(torque, np.float64), np.asarray(momentum, np.float64)
    return np.cross(L, tau) / np.sum(L * L, axis=-1, keepdims=True) + 0.0


def apparent_turn(latitude: float) -> FloatArray:
    """Return the rate at which the ground turns under a free gyroscope [rad/s], (3,).

    In axes east, north, up: (0, Ω cos λ, Ω sin λ). The northward part shows north to a
    gyrocompass; the upward part turns the plane of a pendulum.

    Example:
        >>> print((apparent_turn(np.radians(49.9)) * 1e5).round(3))
        [0.    4.697 5.578]
    """
    return EARTH_RATE * np.array([0.0, math.cos(latitude), math.sin(latitude)])


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningFork:
    """A micro-mechanical gyroscope: two tines that swing against each other.

    The drive mode runs at its resonance; the sense mode, at another frequency, takes
    the Coriolis force 2 m Ω × v.

    Attributes:
        drive_frequency: ω_d [rad/s].
        sense_frequency: ω_s [rad/s].
        amplitude: Of the driven swing [m].
        quality: Q of the sense mode.
    """

    drive_frequency: float = 2 * math.pi * 10e3
    sense_frequency: float = 2 * math.pi * 11e3
    amplitude: float = 5e-6
    quality: float = 100.0

    def __post_init__(self) -> None:
        if min(self.drive_frequency, self.sense_frequency, self.quality) <= 0.0:
            raise ConfigError(f"frequencies and quality must be > 0, got {self}")


def coriolis_amplitude(fork: TuningFork, rate: ArrayLike) -> FloatArray:
    """Return how far the sense mode swings at a rate of turn [m].

    y = 2 Ω A ω_d / √((ω_s² - ω_d²)² + (ω_s ω_d / Q)²): proportional to Ω.

    Args:
        fork: Frequencies, amplitude, quality.
        rate: Ω about the axis of the fork [rad/s].

    Example:
        >>> fork = TuningFork()
        >>> slow, fast = coriolis_amplitude(fork, [0.1, 0.2])
        >>> bool(np.isclose(fast, 2.0 * slow))
        True
    """
    d, s = fork.drive_frequency, fork.sense_frequency
    size = math.hypot(s * s - d * d, s * d / fork.quality)
    return 2.0 * np.asarray(rate, np.float64) * fork.amplitude * d / size


def rate_from_amplitude(fork: TuningFork, amplitude: ArrayLike) -> FloatArray:
    """Return the rate of turn that a swing of the sense mode means [rad/s]."""
    return np.asarray(amplitude, np.float64) / coriolis_amplitude(fork, 1.0)


def demodulate_fork(
    sense: ArrayLike, t: ArrayLike, fork: TuningFork, *, phase: float | None = None
) -> float:
    """Return the rate of turn, with its sign, from samples of the sense mode [rad/s].

    Multiplied by the carrier in the answer's phase and averaged over whole periods.

    Args:
        sense: y of one tine, whose drive is A sin ω_d t [m], shape (k,).
        t: [s], shape (k,), whole periods of the drive.
        fork: Parameters.
        phase: Of the sense mode's answer behind the Coriolis force [rad]; by default
            that of the model.
    """
    d, s = fork.drive_frequency, fork.sense_frequency
    lag = math.atan2(s * d / fork.quality, s * s - d * d) if phase is None else phase
    carrier = np.cos(d * np.asarray(t, np.float64) - lag)
    return -float(rate_from_amplitude(fork, 2.0 * np.mean(np.asarray(sense) * carrier)))
