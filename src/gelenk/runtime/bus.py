"""The bus: typed messages on named topics, delivered exactly one tick later.

What is published during tick k arrives at the start of tick k + 1, ordered by the
declaration of the topics and, on one topic, by publication. So it does not matter who
runs first within a tick.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.message_faults import FAULT_TOPIC, FaultEvent, MessageFaults
from gelenk.runtime.messages import Codec, MessageError, codec_for


class Delivery(NamedTuple):
    """A message as it arrives.

    Attributes:
        topic: Topic of the message.
        message: The message; nobody can change it any more.
        sender: Name of the publisher; empty if unknown.
        number: Number of the message on its topic, counted from 0.
        publish_time_ns: Simulated time of the tick in which it was published [ns].
        time_ns: Simulated time at which it is delivered [ns].

    Example:
        >>> from gelenk.runtime import Bus, FaultEvent
        >>> bus = Bus({"faults": FaultEvent})
        >>> event = FaultEvent(kind="power_gone", target="arm")
        >>> bus.publish("faults", event, sender="me")
        >>> _ = bus.advance(1_000_000)
        >>> delivery = bus.latest_delivery("faults")
        >>> delivery.sender, delivery.number, delivery.time_ns
        ('me', 0, 1000000)
    """

    topic: str
    message: Any
    sender: str
    number: int
    publish_time_ns: int
    time_ns: int


Callback: TypeAlias = Callable[[Any], None]
DeliveryCallback: TypeAlias = Callable[[Delivery], None]
TickCallback: TypeAlias = Callable[[int], None]


class _Pending(NamedTuple):
    """A message under way; `due_ns` is None until the first tick after publication."""

    order: int
    delivery: Delivery
    delay_ns: int
    due_ns: int | None


class _Topic:
    """One topic: its type, its place in the order, and who listens."""

    __slots__ = ("callbacks", "codec", "latest", "name", "number", "order")

    def __init__(self, name: str, codec: Codec, order: int) -> None:
        self.name, self.codec, self.order = name, codec, order
        self.callbacks: tuple[Callback, ...] = ()
        self.latest: Delivery | None = None
        self.number = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BusSnapshot:
    """The state of a bus between two ticks; messages are shared, not copied."""

    time_ns: int
    numbers: Mapping[str, int]
    latest: Mapping[str, Delivery | None]
    pending: tuple[_Pending, ...]


class Bus:
    """Carries messages from tick to tick; safe to use from several threads.

    Args:
        topics: Message types by topic; their order is the order of delivery. More
            can be declared later.
        faults: Messages to lose, delay or double.

    Example:
        >>> from dataclasses import dataclass
        >>> from gelenk.runtime import Bus
        >>> @dataclass(frozen=True)
        ... class Count:
        ...     value: int
        >>> bus = Bus({"count": Count})
        >>> bus.publish("count", Count(3))
        >>> bus.latest("count") is None
        True
        >>> _ = bus.advance(1_000_000)
        >>> bus.latest("count")
        Count(value=3)
    """

    def __init__(
        self,
        topics: Mapping[str, type] | None = None,
        *,
        faults: MessageFaults | None = None,
    ) -> None:
        self._lock = threading.RLock()
        self._topics: dict[str, _Topic] = {}
        self._listeners: tuple[DeliveryCallback, ...] = ()
        self._tick_listeners: tuple[TickCallback, ...] = ()
        self._pending: list[_Pending] = []
        self._time_ns = -1  # nothing has been delivered yet
        self._faults: MessageFaults | None = None
        self._are_faults_checked = True
        for topic, message_type in (topics or {}).items():
            self.declare(topic, message_type)
        if faults is not None:
            self.disturb(faults)

    @property
    def time_ns(self) -> int:
        """Simulated time of the present tick [ns]."""
        return max(self._time_ns, 0)

    @property
    def topics(self) -> dict[str, type]:
        """Message types by topic, in order of declaration."""
        with self._lock:
            return {t.name: t.codec.message_type for t in self._topics.values()}

    def declare(self, topic: str, message_type: type) -> None:
        """Add a topic; declaring it again with the same type changes nothing.

        Raises:
            ConfigError: If the name is empty, the type cannot travel, or the topic
                exists with another type.
        """
        if not (isinstance(topic, str) and topic and topic.isprintable()):
            raise ConfigError(f"a topic needs a printable name, got {topic!r}")
        codec = codec_for(message_type)
        with self._lock:
            known = self._topics.get(topic)
            if known is None:
                self._topics[topic] = _Topic(topic, codec, len(self._topics))
            elif known.codec.message_type is not message_type:
                raise ConfigError(
                    f"topic {topic!r} carries {known.codec.message_type.__qualname__}, "
                    f"it cannot carry {message_type.__qualname__} as well; "
                    "use another topic"
                )

    @property
    def faults(self) -> MessageFaults | None:
        """What disturbs the messages, None if nothing does."""
        return self._faults

    def disturb(self, faults: MessageFaults) -> None:
        """Lose, delay or double messages from now on; no faults change nothing.

        Raises:
            ConfigError: If the bus has other faults already.
        """
        old = self._faults
        if not faults.faults:
            return
        if old is not None and (old.seed, old.faults) != (faults.seed, faults.faults):
            raise ConfigError(
                f"the bus has faults of its own already, on {', '.join(old.topics)} "
                f"with seed {old.seed}; further ones, on {', '.join(faults.topics)} "
                f"with seed {faults.seed}, do not fit: name all of them in one place"
            )
        self._faults, self._are_faults_checked = faults, False
        self.declare(FAULT_TOPIC, FaultEvent)

    def publish(self, topic: str, message: object, *, sender: str = "") -> None:
        """Hand over a message; it arrives at the start of the next tick.

        Arrays and dicts in it are copied unless they are read-only already.

        Raises:
            NameNotFoundError: If the topic was not declared.
            MessageError: If the message has another type than the topic, or a field
                that holds a wrong array.
        """
        entry = self._get(topic)
        expected = entry.codec.message_type
        if type(message) is not expected:
            raise MessageError(
                f"expected {expected.__qualname__}, got {type(message).__qualname__}"
                + (f" from {sender!r}" if sender else ""),
                topic=topic,
            )
        message = entry.codec.freeze(message, topic=topic)
        with self._lock:
            self._enqueue(entry, message, sender)

    def _enqueue(self, entry: _Topic, message: object, sender: str) -> None:
        number, time_ns = entry.number, self.time_ns
        entry.number = number + 1
        delivery = Delivery(entry.name, message, sender, number, time_ns, time_ns)
        copies, delay_ns = 1, 0
        if self._faults is not None and entry.name != FAULT_TOPIC:
            copies, delay_ns, hits = self._faults.judge(entry.name, number, time_ns)
            for fault in hits:
                event = FaultEvent(
                    kind=fault.kind,
                    target=entry.name,
                    phase="hit",
                    time=time_ns / 10**9,
                    amount=fault.amount,
                    number=number,
                    sender=sender,
                )
                self._enqueue(self._topics[FAULT_TOPIC], event, "bus")
        for _ in range(copies):
            self._pending.append(_Pending(entry.order, delivery, delay_ns, None))

    def subscribe(self, topic: str, callback: Callback) -> Callable[[], None]:
        """Call `callback(message)` for every message; returns how to stop that.

        Callbacks run inside `advance`, in order of subscription. What they publish
        arrives one tick later.

        Raises:
            NameNotFoundError: If the topic was not declared.
        """
        entry = self._get(topic)
        with self._lock:
            entry.callbacks = (*entry.callbacks, callback)

        def unsubscribe() -> None:
            with self._lock:
                entry.callbacks = _without(entry.callbacks, callback)

        return unsubscribe

    def subscribe_all(self, callback: DeliveryCallback) -> Callable[[], None]:
        """Call `callback(delivery)` for every message of every topic, before others.

        Topics declared later are included. Returns how to stop that.
        """
        with self._lock:
            self._listeners = (*self._listeners, callback)

        def unsubscribe() -> None:
            with self._lock:
                self._listeners = _without(self._listeners, callback)

        return unsubscribe

    def subscribe_ticks(self, callback: TickCallback) -> Callable[[], None]:
        """Call `callback(time_ns)` at the end of every `advance`, messages or not."""
        with self._lock:
            self._tick_listeners = (*self._tick_listeners, callback)

        def unsubscribe() -> None:
            with self._lock:
                self._tick_listeners = _without(self._tick_listeners, callback)

        return unsubscribe

    def latest(self, topic: str) -> Any:
        """Return the newest message that has arrived on a topic, None if none has.

        Raises:
            NameNotFoundError: If the topic was not declared.
        """
        delivery = self._get(topic).latest
        return None if delivery is None else delivery.message

    def latest_delivery(self, topic: str) -> Delivery | None:
        """Return the newest message with its times and sender, as `latest` does."""
        return self._get(topic).latest

    def advance(self, time_ns: int) -> tuple[Delivery, ...]:
        """Begin the tick at `time_ns` [ns]: deliver what the last tick published.

        First every `latest` is renewed, then the callbacks are called.

        Returns:
            What was delivered, in order.

        Raises:
            ConfigError: If time does not move forward.
            NameNotFoundError: If a fault targets a topic that was never declared.
        """
        with self._lock:
            if time_ns <= self._time_ns:
                raise ConfigError(
                    f"time must move forward: the bus is at {self._time_ns} ns, "
                    f"`time_ns` is {time_ns}; restore a snapshot to go back"
                )
            self._check_faults()
            self._time_ns = int(time_ns)
            arriving = self._take_due()
            for delivery in arriving:
                self._topics[delivery.topic].latest = delivery
            listeners = self._listeners
            callbacks = [self._topics[d.topic].callbacks for d in arriving]
        # Not under the lock: a callback may wait for a thread that publishes.
        for delivery, receivers in zip(arriving, callbacks, strict=True):
            for listener in listeners:
                listener(delivery)
            for receiver in receivers:
                receiver(delivery.message)
        for tick_listener in self._tick_listeners:
            tick_listener(time_ns)
        return arriving

    def _check_faults(self) -> None:
        if not self._are_faults_checked and self._faults is not None:
            self._are_faults_checked = True  # to say it once is enough
            self._faults.check_topics(self._topics)

    def _take_due(self) -> tuple[Delivery, ...]:
        time_ns = self._time_ns
        due: list[_Pending] = []
        waiting: list[_Pending] = []
        for item in self._pending:
            due_ns = time_ns + item.delay_ns if item.due_ns is None else item.due_ns
            if due_ns <= time_ns:
                due.append(item)
            else:
                waiting.append(item._replace(due_ns=due_ns))
        self._pending = waiting
        due.sort(key=_topic_order)  # stable: within a topic, by publication
        return tuple(item.delivery._replace(time_ns=time_ns) for item in due)

    def snapshot(self) -> BusSnapshot:
        """Return the state between two ticks, to go back to it with `restore`."""
        with self._lock:
            return BusSnapshot(
                time_ns=self._time_ns,
                numbers={t.name: t.number for t in self._topics.values()},
                latest={t.name: t.latest for t in self._topics.values()},
                pending=tuple(self._pending),
            )

    def restore(self, snapshot: BusSnapshot) -> None:
        """Go back to a snapshot; subscriptions stay, newer topics become empty."""
        with self._lock:
            self._time_ns = snapshot.time_ns
            self._pending = list(snapshot.pending)
            for topic in self._topics.values():
                topic.number = snapshot.numbers.get(topic.name, 0)
                topic.latest = snapshot.latest.get(topic.name)

    def _get(self, topic: str) -> _Topic:
        try:
            return self._topics[topic]
        except KeyError:
            raise NameNotFoundError("topic", topic, self._topics) from None


def _topic_order(item: _Pending) -> int:
    return item.order


def _without(callbacks: tuple[Any, ...], callback: object) -> tuple[Any, ...]:
    """Return the callbacks with one occurrence of `callback` taken out."""
    kept = list(callbacks)
    if callback in kept:
        kept.remove(callback)
    return tuple(kept)
