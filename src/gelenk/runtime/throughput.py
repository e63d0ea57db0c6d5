"""How many messages a bus carries, and how long they take: counted and measured."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.runtime.bus import Bus
from gelenk.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Payload:
    """A message of numbers.

    Attributes:
        number: Counted from 0.
        values: Shape (n,).
    """

    number: int
    values: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Throughput:
    """What was measured.

    Attributes:
        rate: Messages per second of processor time [1/s].
        latency: From publishing to the callback, each message [s], shape (n,).
        received: Messages that arrived.
    """

    rate: float
    latency: FloatArray
    received: int

    def histogram(self, edges: FloatArray) -> IntArray:
        """Return how many latencies lie between edges [s], the last bin open above."""
        counts, _ = np.histogram(self.latency, np.append(edges[:-1], np.inf))
        return counts

    def quantile(self, share: float) -> float:
        """Return the latency that a share of the messages stays below [s]."""
        return float(np.quantile(self.latency, share))


def measure_bus(
    count: int = 2000, *, size: int = 16, batch: int = 50, subscribers: int = 1
) -> Throughput:
    """Return rate and latencies of a bus in this process.

    Args:
        count: Messages.
        size: Numbers in each of them.
        batch: Messages per tick.
        subscribers: Callbacks.

    Example:
        >>> found = measure_bus(100, size=4)
        >>> found.received, found.rate > 0.0
        (100, True)
    """
    if min(count, size, batch, subscribers) < 1:
        raise ConfigError("all counts must be at least 1")
    bus = Bus({"numbers": Payload})
    sent, latency = np.zeros(count), np.zeros(count)
    received = 0

    def arrive(message: Payload) -> None:
        nonlocal received
        latency[message.number] = time.perf_counter() - sent[message.number]
        received += 1

    for _ in range(subscribers):
        bus.subscribe("numbers", arrive)
    values = np.zeros(size)
    values.setflags(write=False)
    start, tick = time.process_time(), 0
    for number in range(count):
        sent[number] = time.perf_counter()
        bus.publish("numbers", Payload(number=number, values=values))
        if (number + 1) % batch == 0 or number + 1 == count:
            tick += 1
            bus.advance(tick)
    spent = max(time.process_time() - start, 1e-9)
    return Throughput(
        rate=count / spent, latency=latency, received=received // subscribers
    )
