"""Simulated time in whole ticks and nanoseconds, and how wall time follows it.

Durations in seconds are rounded to nanoseconds once and then counted in integers, so
that nothing is ever early or late by a rounding error.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from gelenk.errors import ConfigError

MAX_LAG = 0.1  # [s] of wall time that a paced run makes good; more is given up


def nanoseconds(seconds: float) -> int:
    """Return a duration in whole nanoseconds, rounded."""
    if not math.isfinite(seconds):
        raise ConfigError(f"a duration must be finite, got {seconds} s")
    return round(seconds * 1e9)


def span_ns(start: float, duration: float) -> tuple[int, float]:
    """Return when something begins and is over [ns], the end infinite if it is [s].

    Example:
        >>> span_ns(0.1, 0.2)
        (100000000, 300000000)
    """
    begin = nanoseconds(start)
    if math.isinf(duration):
        return begin, math.inf
    return begin, begin + max(nanoseconds(duration), 1)


class Clock:
    """The time of a run: physics ticks, and control ticks every `stride` of them.

    Attributes:
        tick: Number of physics ticks done.
        stride: Physics ticks between two control ticks.
        step_ns: Length of a physics tick [ns].

    Args:
        step: Length of a physics tick [s], a whole number of nanoseconds.
        period: Time between two control ticks [s], a multiple of `step`.
        tick: Physics ticks that were done before.
    """

    def __init__(self, *, step: float, period: float, tick: int = 0) -> None:
        self.step_ns = nanoseconds(step)
        if self.step_ns < 1 or abs(self.step_ns - step * 1e9) > 1e-3:
            raise ConfigError(
                f"physics step must be a whole number of nanoseconds, got {step} s"
            )
        self.stride = self.ticks_in(period, what="control period")
        self.tick = tick

    @property
    def time_ns(self) -> int:
        """Simulated time [ns]."""
        return self.tick * self.step_ns

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.tick * self.step_ns / 10**9  # ints: correctly rounded

    @property
    def period(self) -> float:
        """Time between two control ticks [s]."""
        return self.stride * self.step_ns / 10**9

    def ticks_in(self, period: float, *, what: str = "period") -> int:
        """Return the physics ticks in a period [s].

        Raises:
            ConfigError: If it is not a whole multiple of the physics step.
        """
        ns = nanoseconds(period)
        ticks = ns // self.step_ns
        if ns < 1 or ns % self.step_ns != 0:
            choice = " or ".join(
                f"{n * self.step_ns / 1e9:g}" for n in (ticks, ticks + 1) if n > 0
            )
            raise ConfigError(
                f"{what} {period:g} s is not a whole multiple of the physics step "
                f"{self.step_ns / 1e9:g} s; use {choice}"
            )
        return ticks

    def tick_after(self, seconds: float) -> int:
        """Return the first tick not before now + `seconds`, and not before the next."""
        ticks = -(-nanoseconds(seconds) // self.step_ns)
        return self.tick + max(ticks, 1)


class Pacer:
    """Holds simulated time back to a multiple of wall time.

    A run that falls behind by more than `MAX_LAG` gives the lost time up instead of
    racing after it.

    Args:
        pace: Simulated seconds per second of wall time; None: no holding back.
        clock: Monotonic wall clock [s].
        sleep: Waits for some wall time [s].
    """

    def __init__(
        self,
        pace: float | None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._clock, self._sleep = clock, sleep
        self.pace = pace

    @property
    def pace(self) -> float | None:
        """Simulated seconds per second of wall time."""
        return self._pace

    @pace.setter
    def pace(self, pace: float | None) -> None:
        if pace is not None and not (math.isfinite(pace) and pace > 0.0):
            raise ConfigError(f"`pace` must be above 0 or None, got {pace}")
        self._pace = pace
        self.restart()

    def restart(self) -> None:
        """Count from the next `wait` on: after a hold, a jump in time, a new pace."""
        self._origin: tuple[float, float] | None = None

    def wait(self, sim_time: float) -> float:
        """Wait until wall time has come as far as `sim_time` [s].

        Returns:
            The wall time by which the run is behind [s]; 0 if it is not.
        """
        if self._pace is None:
            return 0.0
        now = self._clock()
        if self._origin is None:
            self._origin = (now, sim_time)
        wall, sim = self._origin
        ahead = wall + (sim_time - sim) / self._pace - now
        if ahead > 0.0:
            self._sleep(ahead)
        elif ahead < -MAX_LAG:
            self._origin = (now, sim_time)
        return max(-ahead, 0.0)
