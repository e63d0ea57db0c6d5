"""How the torso lies, from its inertial unit alone.

Turning rates carry the vertical along from sample to sample; the pull of gravity, on
the long run, sets it right. Nothing but the turning rate tells the heading, so its
zero is watched whenever the robot rests.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gelenk.typing import FloatArray

GRAVITY = 9.81  # [m/s^2]
FIRST_LEVEL_TIME = 0.5  # [s], `AttitudeCfg.level_time` of the first samples
REST_RATE = 0.05  # [rad/s], faster than this is no rest
NUM_FIRST_RESTS = 100  # samples after which the zero is roughly known
SHAKEN = 2.0  # [m/s^2], off from gravity: no time to look where down is


@dataclass(frozen=True, slots=True, kw_only=True)
class AttitudeCfg:
    """How much turning rates and gravity are believed.

    Attributes:
        level_time: After which gravity has the better of the turning rates [s].
        rest_time: Memory of the turning rates' zero [s].
        still_rate: Off the zero, faster than this nothing is learnt of it [rad/s].
    """

    level_time: float = 0.5
    rest_time: float = 4.0
    still_rate: float = math.inf


# Legs that stop and start jerk the torso: in 300 s over stones the vertical that quick
# settings give is off by 0.40 degrees (root mean square, 3.0 at most), with these by
# 0.08 (0.4 at most), a constant error of the unit aside.
STEADY = AttitudeCfg(level_time=4.0, rest_time=60.0, still_rate=0.02)


class Attitude:
    """The vertical and the heading of a torso.

    Args:
        cfg: How much turning rates and gravity are believed.

    Attributes:
        cfg: Likewise.
        up: Unit vector to the sky, torso's axes.
        heading: Turned to the left since the start [rad].
        shake: How far the last specific force was from gravity [m/s^2].
    """

    __slots__ = (
        "_bias",
        "_last",
        "_num_rests",
        "_num_samples",
        "cfg",
        "heading",
        "shake",
        "up",
    )

    def __init__(self, cfg: AttitudeCfg | None = None) -> None:
        self.cfg = cfg or AttitudeCfg()
        self.up = (0.0, 0.0, 1.0)
        self.heading = self.shake = 0.0
        self._bias = (0.0, 0.0, 0.0)
        self._last = -1.0
        self._num_rests = self._num_samples = 0

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
        if is_resting and self._is_still(rates):
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
            self._num_samples += 1
            first = min(step / FIRST_LEVEL_TIME, 1.0 / self._num_samples)
            share = min(max(step / self.cfg.level_time, first), 1.0)
            ux += share * (fx / force - ux)
            uy += share * (fy / force - uy)
            uz += share * (fz / force - uz)
        norm = math.sqrt(ux * ux + uy * uy + uz * uz)
        self.up = (ux / norm, uy / norm, uz / norm)

    def _is_still(self, rates: list[float]) -> bool:
        """Return whether what the unit feels may be its zero."""
        if max(abs(rate) for rate in rates) >= REST_RATE:
            return False
        offs = (abs(rate - bias) for rate, bias in zip(rates, self._bias, strict=True))
        return self._num_rests < NUM_FIRST_RESTS or max(offs) < self.cfg.still_rate

    def _learn_zero(self, rates: list[float], step: float) -> None:
        """Let the zero follow; the first second of rest counts fully."""
        self._num_rests += 1
        share = max(1.0 / self._num_rests, min(step / self.cfg.rest_time, 1.0))
        self._bias = (
            self._bias[0] + share * (rates[0] - self._bias[0]),
            self._bias[1] + share * (rates[1] - self._bias[1]),
            self._bias[2] + share * (rates[2] - self._bias[2]),
        )
