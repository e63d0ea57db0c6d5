"""How the torso lies, from its inertial unit alone.

Turning rates carry the vertical along from sample to sample; the pull of gravity, on
the long run, sets it right. Nothing but the turning rate tells the heading, so its
zero is watched whenever the robot rests.
"""

from __future__ import annotations

import math

from gelenk.core.typing import FloatArray

GRAVITY = 9.81  # [m/s^2]
LEVEL_TIME = 0.5  # [s], after which gravity has the better of the turning rates
REST_TIME = 4.0  # [s], memory of the turning rates' zero
REST_RATE = 0.05  # [rad/s], faster than this is no rest
SHAKEN = 2.0  # [m/s^2], off from gravity: no time to look where down is


class Attitude:
    """The vertical and the heading of a torso.

    Attributes:
        up: Unit vector to the sky, torso's axes.
        heading: Turned to the left since the start [rad].
        shake: How far the last specific force was from gravity [m/s^2].
    """

    __slots__ = ("_bias", "_last", "_num_rests", "heading", "shake", "up")

    def __init__(self) -> None:
        self.up = (0.0, 0.0, 1.0)
        self.heading = self.shake = 0.0
        self._bias = (0.0, 0.0, 0.0)
        self._last = -1.0
        self._num_rests = 0

    @property
    def pitch(self) -> float:
        """Nose up [rad]."""
        return math.atan2(self.up[0], self.up[2])

    @property
    def roll(self) -> float:
        """Left side up [rad]."""
        return math.atan2(self.up[1], self.up[2])

    @property
    def tilt(self) -> float:
        """Angle of the torso's z axis to the vertical [rad]."""
        return math.acos(min(max(self.up[2], -1.0), 1.0))

    def update(self, now: float, imu: FloatArray, *, is_resting: bool) -> None:
        """Take a sample.

        Args:
            now: Time [s].
            imu: Specific force [m/s^2] and turning rate [rad/s], torso's axes, (6,).
            is_resting: Whether no leg that stands is on its way.
        """
        fx, fy, fz, *rates = imu.tolist()
        if math.isnan(fx):
            return
        force = math.sqrt(fx * fx + fy * fy + fz * fz)
        self.shake = abs(force - GRAVITY)
        if self._last < 0.0:
            if self.shake > SHAKEN:
                return
            self._last = now
            self.up = (fx / force, fy / force, fz / force)
            return
        step, self._last = now - self._last, now
        if is_resting and max(abs(rate) for rate in rates) < REST_RATE:
            self._learn_zero(rates, step)
        wx, wy, wz = (rate - bias for rate, bias in zip(rates, self._bias, strict=True))
        ux, uy, uz = self.up
        self.heading += step * (wx * ux + wy * uy + wz * uz)
        # the sky turns against the torso
        ux, uy, uz = (
            ux - step * (wy * uz - wz * uy),
            uy - step * (wz * ux - wx * uz),
            uz - step * (wx * uy - wy * ux),
        )
        if self.shake < SHAKEN:
            share = min(step / LEVEL_TIME, 1.0)
            ux += share * (fx / force - ux)
            uy += share * (fy / force - uy)
            uz += share * (fz / force - uz)
        norm = math.sqrt(ux * ux + uy * uy + uz * uz)
        self.up = (ux / norm, uy / norm, uz / norm)

    def _learn_zero(self, rates: list[float], step: float) -> None:
        """Let the zero follow; the first second of rest counts fully."""
        self._num_rests += 1
        share = max(1.0 / self._num_rests, min(step / REST_TIME, 1.0))
        self._bias = (
            self._bias[0] + share * (rates[0] - self._bias[0]),
            self._bias[1] + share * (rates[1] - self._bias[1]),
            self._bias[2] + share * (rates[2] - self._bias[2]),
        )
