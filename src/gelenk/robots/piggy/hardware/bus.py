"""RS-485 behind a USB adapter: one transaction after the other, on a virtual clock.

Request, processing, answer, and what USB and operating system add. Two servos are read
one after the other, which limits the rate of control to about 100 Hz.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.robots.piggy.hardware.servo import ServoError

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
        self.transactions = 0
        self.losses = 0
        self.is_cut = False

    def transact(self, now: float) -> float:
        """Carry one request and its answer; return when it is done [s].

        Args:
            now: Simulated time [s].

        Raises:
            ServoError: If there is no answer.
        """
        self.transactions += 1
        begin = max(now, self.free_at)
        if self.is_cut or (self.cfg.loss and self._rng.random() < self.cfg.loss):
            self.losses += 1
            self.free_at = begin + self.cfg.timeout
            raise ServoError(f"no answer within {1e3 * self.cfg.timeout:.0f} ms")
        delay = self._rng.exponential(self.cfg.jitter) if self.cfg.jitter else 0.0
        self.free_at = begin + self.cfg.transaction + delay
        return self.free_at
