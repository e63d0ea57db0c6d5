"""Monitor of a bus: newest values, rates, and the throughput of messages."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.bus import Bus, Delivery
from gelenk.runtime.field_paths import parse_path
from gelenk.typing import FloatArray, IntArray

KEPT = 50  # deliveries of each topic, for its rate


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicView:
    """One topic as it is now.

    Attributes:
        topic: Name of the topic.
        value: Newest message.
        sender: Name of its publisher.
        count: Number of messages so far.
        rate: Rate of the latest messages in simulated time [1/s]; 0: fewer than two.
        age: Simulated time since the newest message [s].
    """

    topic: str
    value: Any
    sender: str
    count: int
    rate: float
    age: float


class Monitor:
    """Listens to everything on a bus.

    Args:
        bus: Bus to listen to; topics may be declared later.

    Example:
        >>> from gelenk.runtime.bus_monitor import Payload
        >>> import numpy as np
        >>> bus = Bus({"numbers": Payload})
        >>> monitor = Monitor(bus)
        >>> for tick in range(1, 4):
        ...     bus.publish("numbers", Payload(number=tick, values=np.ones(2)))
        ...     _ = bus.advance(tick * 100_000_000)
        >>> monitor.value("numbers.number"), monitor.topic("numbers").rate
        (3, 10.0)
    """

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._heard: dict[str, deque[Delivery]] = {}
        self._counts: dict[str, int] = {}
        self._stop: Callable[[], None] = bus.subscribe_all(self._hear)

    def _hear(self, delivery: Delivery) -> None:
        self._heard.setdefault(delivery.topic, deque(maxlen=KEPT)).append(delivery)
        self._counts[delivery.topic] = self._counts.get(delivery.topic, 0) + 1

    def topic(self, name: str) -> TopicView:
        """Return one topic as it is now.

        Raises:
            NameNotFoundError: If nothing has come on it yet.
        """
        if name not in self._heard:
            raise NameNotFoundError("topic with messages", name, self._heard)
        heard = self._heard[name]
        last = heard[-1]
        span = (last.time_ns - heard[0].time_ns) * 1e-9
        return TopicView(
            topic=name,
            value=last.message,
            sender=last.sender,
            count=self._counts[name],
            rate=(len(heard) - 1) / span if span > 0.0 else 0.0,
            age=(self._bus.time_ns - last.time_ns) * 1e-9,
        )

    def topics(self) -> tuple[TopicView, ...]:
        """Return all topics that carry messages, by name."""
        return tuple(self.topic(name) for name in sorted(self._heard))

    def value(self, path: str) -> Any:
        """Return a newest value by topic and field, such as "pose.position[2]"."""
        name, *steps = parse_path(path)
        found = self.topic(str(name)).value
        for step in steps:
            found = found[step] if isinstance(step, int) else getattr(found, step)
        return found

    def close(self) -> None:
        """Listen no longer."""
        self._stop()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Payload:
    """A message of numbers.

    Attributes:
        number: Number of the message, counted from 0.
        values: Any numbers, shape (n,).
    """

    number: int
    values: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BusThroughput:
    """Result of a measurement of a bus.

    Attributes:
        rate: Messages per second of processor time [1/s].
        latency: Time from publishing to the callback, one per message [s], shape (n,).
        received: Number of messages that arrived.
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
) -> BusThroughput:
    """Return rate and latencies of a bus in this process.

    Args:
        count: Number of messages.
        size: Count of numbers in each message.
        batch: Number of messages per tick.
        subscribers: Number of callbacks.

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
    return BusThroughput(
        rate=count / spent, latency=latency, received=received // subscribers
    )
