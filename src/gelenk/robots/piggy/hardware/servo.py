"""Servo drivers, and their RS-485 bus behind a USB adapter."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Protocol

import numpy as np

from gelenk.errors import ConfigError, GelenkError

HIGHEST_COUNT = 4095  # of the absolute position, over 251 degrees


class ServoError(GelenkError, RuntimeError):
    """A servo did not answer, or was asked what its mode does not offer."""


class ServoMode(StrEnum):
    """How a servo takes commands; after power-on always POSITION."""

    POSITION = "position"
    TORQUE = "torque"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServoSettings:
    """What a servo keeps in its own memory.

    Attributes:
        baud_rate: Of the bus [bit/s].
        return_delay: Before it answers [s].
        lowest, highest: Allowed absolute positions [count].
        max_torque: Share of its torque that it may use.
        hottest: Temperature at which it switches itself off [K].
    """

    baud_rate: int = 1_000_000
    return_delay: float = 0.0
    lowest: int = 0
    highest: int = HIGHEST_COUNT
    max_torque: float = 1.0
    hottest: float = 353.15


def differing(wanted: ServoSettings, stored: ServoSettings) -> tuple[str, ...]:
    """Return the names of the settings that are not as wanted."""
    return tuple(
        field.name
        for field in fields(wanted)
        if getattr(wanted, field.name) != getattr(stored, field.name)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ServoStatus:
    """Slow values, refreshed by the servo every 100 ms.

    Attributes:
        time: When they were taken [s].
        voltage: At its terminals [V].
        temperature: [K].
        speed: [rad/s].
        current: [A].
    """

    time: float
    voltage: float
    temperature: float
    speed: float
    current: float


class Servo(Protocol):
    """A servo on its bus; another motor type replaces only this."""

    @property
    def mode(self) -> ServoMode:
        """How it takes commands now."""
        ...

    def open(self) -> None:
        """Connect. Raises `ServoError` if nobody answers."""
        ...

    def close(self) -> None:
        """Disconnect; closing twice does no harm. The servo goes on as it is."""
        ...

    def initialise(self, settings: ServoSettings) -> tuple[str, ...]:
        """Compare stored settings, write those that differ, return their names."""
        ...

    def set_mode(self, mode: ServoMode) -> None:
        """Switch; to POSITION holds where it is, to TORQUE begins without torque."""
        ...

    def read_absolute(self) -> int:
        """Return the position [count], 0 to 4095; in position mode only."""
        ...

    def read_relative(self) -> int:
        """Return the counts of 0.06 degrees since the last read; in torque mode."""
        ...

    def write_torque(self, share: float) -> None:
        """Set a share of the full torque, -1 to 1; it stays until the next write."""
        ...

    def write_position(self, position: int, max_speed: float) -> None:
        """Run to a position [count] at up to `max_speed` [rad/s]; position mode."""
        ...

    def read_status(self) -> ServoStatus:
        """Return the slow values."""
        ...


BITS_PER_BYTE = 10  # start, eight, stop


@dataclass(frozen=True, slots=True, kw_only=True)
class BusCfg:
    """Timing of the bus.

    Attributes:
        baud_rate: [bit/s].
        request, answer: Lengths of a read's messages [byte].
        processing: By the servo [s].
        adapter: USB and operating system, per transaction [s]; chosen.
        jitter: Mean of a further delay, exponentially distributed [s]; chosen.
        loss: Probability that a transaction gets no answer.
        timeout: After which a lost one is given up [s].
    """

    baud_rate: int = 1_000_000
    request: int = 8
    answer: int = 8
    processing: float = 0.0003
    adapter: float = 0.0018
    jitter: float = 0.0001
    loss: float = 0.0
    timeout: float = 0.005

    def __post_init__(self) -> None:
        if self.baud_rate <= 0:
            raise ConfigError(f"`baud_rate` must be positive, got {self.baud_rate}")
        if not 0.0 <= self.loss <= 1.0:
            raise ConfigError(f"`loss` must lie in 0..1, got {self.loss}")
        least = min(self.processing, self.adapter, self.jitter, self.timeout)
        if least < 0.0:
            raise ConfigError(f"times of the bus must not be negative, got {self}")

    @property
    def transaction(self) -> float:
        """Of one request with its answer, without jitter [s]."""
        wire = (self.request + self.answer) * BITS_PER_BYTE / self.baud_rate
        return wire + self.processing + self.adapter

    def cycle(self, servos: int) -> float:
        """Return the time to read and command so many servos once [s]."""
        return 2.0 * servos * self.transaction


class Bus:
    """Keeps the time that transactions take, and loses some.

    Half duplex: a transaction begins when the one before has ended.

    Args:
        cfg: Timing.
        rng: Of jitter and losses.
    """

    def __init__(
        self, cfg: BusCfg | None = None, *, rng: np.random.Generator | None = None
    ) -> None:
        self.cfg = cfg or BusCfg()
        self._rng = rng or np.random.default_rng(0)
        self.free_at = 0.0
        self.losses = 0
        self.is_cut = False

    def transact(self, now: float) -> float:
        """Carry one request and its answer; return when it is done [s].

        Args:
            now: Simulated time [s].

        Raises:
            ServoError: If there is no answer.
        """
        begin = max(now, self.free_at)
        if self.is_cut or (self.cfg.loss and self._rng.random() < self.cfg.loss):
            self.losses += 1
            self.free_at = begin + self.cfg.timeout
            raise ServoError(f"no answer within {1e3 * self.cfg.timeout:.0f} ms")
        delay = self._rng.exponential(self.cfg.jitter) if self.cfg.jitter else 0.0
        self.free_at = begin + self.cfg.transaction + delay
        return self.free_at
