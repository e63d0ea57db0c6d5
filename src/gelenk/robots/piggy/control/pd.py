"""PD control of both joints with a filtered derivative, and gains to stay at rest."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from gelenk.errors import ConfigError
from gelenk.robots.piggy.config import CONTROL_RATE
from gelenk.typing import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class PdGains:
    """Gains of both joints.

    Attributes:
        kp: Roll and tilt [N m/rad].
        kd: Roll and tilt [N m s/rad].
        filter_frequency: Corner of the low-pass on the derivative [Hz]; inf: none. Just
            below the oscillation inside the play, about 24 Hz.
        period: Of control [s].
        derivative: Of the error, which kicks at every new setpoint, of the measurement
            alone, or of the bat as it is believed behind the play, unfiltered. A motor
            inside the play has a thirtieth of the inertia that k_d is made for: damped
            by its own speed it circles there, by the bat's it does not.
        soft_error: Errors beyond this count less and less, as the root [rad]: long
            moves brake in time with gains that are quick for short ones; inf: all
            count fully.
    """

    kp: tuple[float, float]
    kd: tuple[float, float]
    filter_frequency: float = 20.0
    period: float = 1.0 / CONTROL_RATE
    derivative: Literal["error", "measurement", "bat"] = "error"
    soft_error: float = math.inf

    def __post_init__(self) -> None:
        if min(*self.kp, *self.kd) < 0.0:
            raise ConfigError(
                f"gains must not be negative, got kp {self.kp} and kd {self.kd}"
            )
        if not min(self.filter_frequency, self.period, self.soft_error) > 0.0:
            raise ConfigError(
                "`filter_frequency`, `period` and `soft_error` must be positive, got "
                f"{self.filter_frequency} Hz, {self.period} s, {self.soft_error} rad"
            )

    @property
    def pole(self) -> float:
        """Of the filter: the share of the old derivative that is kept."""
        return math.exp(-2.0 * math.pi * self.filter_frequency * self.period)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PdState:
    """What the controller remembers.

    Attributes:
        error: Of the last cycle [rad], (2,); None: there was none.
        measured: Angles of the last cycle [rad], (2,).
        derivative: Filtered [rad/s], (2,).
    """

    error: FloatArray | None = None
    measured: FloatArray | None = None
    derivative: FloatArray = field(default_factory=lambda: np.zeros(2))


def pd_step(
    gains: PdGains,
    state: PdState,
    setpoint: FloatArray,
    measured: FloatArray,
    share: FloatArray | float = 1.0,
    bat_speed: FloatArray | None = None,
) -> tuple[FloatArray, PdState]:
    """Return the torques k_p e + k_d d [N m], (2,), and what to remember.

    Args:
        gains: Of both joints.
        state: Of the last cycle.
        setpoint: [rad], (2,).
        measured: [rad], (2,).
        share: Of the gains to use, (2,) or one for both.
        bat_speed: As it is believed [rad/s], (2,); needed by a derivative of the bat.
    """
    error = setpoint - measured
    slope = np.zeros(2)
    if state.error is not None and state.measured is not None:
        change = error - state.error
        if gains.derivative == "measurement":
            change = state.measured - measured
        slope = change / gains.period
    pole = gains.pole
    derivative = pole * state.derivative + (1.0 - pole) * slope
    if gains.derivative == "bat":
        derivative = -bat_speed if bat_speed is not None else np.zeros(2)
    pull = np.array(gains.kp) * softened(error, gains.soft_error)
    torque = share * (pull + np.array(gains.kd) * derivative)
    return torque, PdState(error=error, measured=measured, derivative=derivative)


def softened(error: FloatArray, bend: float) -> FloatArray:
    """Return errors that grow as their root beyond `bend` [rad], same shape."""
    if math.isinf(bend):
        return error
    return np.sign(error) * bend * (np.sqrt(1.0 + 2.0 * np.abs(error) / bend) - 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RestCfg:
    """When a joint rests, and what it gets then.

    Attributes:
        near: Largest error of a joint that may rest [rad]; more than the play, or an
            oscillation in it would pass for motion.
        after: How long the error must have been so small [s].
        share: Of the gains at rest.
    """

    near: float = 0.105
    after: float = 0.25
    share: float = 0.6

    def __post_init__(self) -> None:
        if not (min(self.near, self.after) >= 0.0 and 0.0 < self.share <= 1.0):
            raise ConfigError(
                "`near` and `after` must not be negative and `share` in (0, 1], got "
                f"{self.near} rad, {self.after} s and {self.share}"
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RestState:
    """How long the errors of both joints have been small [s], (2,)."""

    small_for: FloatArray = field(default_factory=lambda: np.zeros(2))


def rest_step(
    cfg: RestCfg, state: RestState, error: FloatArray, period: float
) -> tuple[FloatArray, RestState]:
    """Return the share of the gains to use, (2,), and what to remember.

    Args:
        cfg: When a joint rests.
        state: Of the last cycle.
        error: Of both joints [rad], (2,).
        period: Of control [s].
    """
    small = np.where(np.abs(error) < cfg.near, state.small_for + period, 0.0)
    share = np.where(small > cfg.after, cfg.share, 1.0)
    return share, RestState(small_for=small)
