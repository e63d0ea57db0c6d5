"""Messages that get lost, come late or come twice, as a fault schedule says.

Whether a message is hit depends on the seed, its topic and its number on that topic,
and on nothing else: other topics, threads and the number of workers change nothing.
Every hit is itself a message on the topic `faults`, which no fault touches.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from gelenk.errors import NameNotFoundError
from gelenk.runtime.clock import span_ns

if TYPE_CHECKING:
    from gelenk.sim.faults import Fault

FAULT_TOPIC = "faults"
MESSAGE_FAULT_KINDS = ("message_lost", "message_delayed", "message_doubled")


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultEvent:
    """A fault begins, ends, or hits a message.

    Attributes:
        kind: One of `gelenk.sim.faults.FAULT_KINDS`.
        target: Name of the joint, sensor, topic, controller or robot with the fault.
        phase: Occasion: "start" and "end" once per fault, "hit" for each message.
        time: Simulated time of the occasion, exact [s]; the message about it comes
            later.
        amount: Size of the fault as in `Fault.amount`; its unit depends on the kind.
        number: Number of the message on its topic, counted from 0; None if no
            message is meant.
        sender: Sender of the message that was hit, if any.

    Example:
        >>> from gelenk.runtime import FaultEvent
        >>> FaultEvent(kind="message_lost", target="pose", phase="hit", number=4).number
        4
    """

    kind: str
    target: str
    phase: Literal["start", "hit", "end"] = "start"
    time: float = field(default=0.0, metadata={"unit": "s"})
    amount: float = 0.0
    number: int | None = None
    sender: str = ""


class MessageFate(NamedTuple):
    """Fate of one message.

    Attributes:
        copies: Number of deliveries: 0, 1 or 2.
        delay_ns: Delay of the delivery [ns].
        faults: Faults that hit the message.
    """

    copies: int
    delay_ns: int
    faults: tuple[Fault, ...]


UNHARMED = MessageFate(1, 0, ())


def uniform_draw(seed: int, topic: str, number: int, salt: str) -> float:
    """Return a number in [0, 1): a pure function of its arguments."""
    text = f"{seed}\0{topic}\0{number}\0{salt}"
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8)
    # 53 bits, so that the largest draw still rounds to less than 1.
    return (int.from_bytes(digest.digest(), "little") >> 11) * 2.0**-53


class MessageFaults:
    """The message faults of a run, by topic; faults of other kinds are left alone.

    Attributes:
        seed: Seed of the run.
        faults: The message faults.
        topics: Topics that some fault targets.

    Example:
        >>> from gelenk.runtime import MessageFaults
        >>> from gelenk.sim import Fault
        >>> fault = Fault(kind="message_lost", target="pose", start=0.0)
        >>> MessageFaults([fault], seed=7).judge("pose", 0, 10).copies
        0
    """

    def __init__(self, faults: Iterable[Fault], seed: int) -> None:
        self.seed = seed
        self.faults = tuple(f for f in faults if f.kind in MESSAGE_FAULT_KINDS)
        self._by_topic: dict[str, list[Fault]] = {}
        for fault in self.faults:
            self._by_topic.setdefault(fault.target, []).append(fault)

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(self._by_topic)

    def check_topics(self, declared: Iterable[str]) -> None:
        """Raise NameNotFoundError if a fault targets a topic that does not exist."""
        known = [topic for topic in declared if topic != FAULT_TOPIC]
        for topic in self._by_topic:
            if topic not in known:
                raise NameNotFoundError("topic to disturb", topic, known)

    def judge(self, topic: str, number: int, time_ns: int) -> MessageFate:
        """Return what becomes of a message.

        Delays add up; a lost message is neither late nor doubled.

        Args:
            topic: Topic of the message.
            number: Number of the message on its topic.
            time_ns: Simulated time of the publication [ns].
        """
        faults = self._by_topic.get(topic)
        if not faults:
            return UNHARMED
        active = [fault for fault in faults if _is_active(fault, time_ns)]
        lost = [
            fault
            for fault in active
            if fault.kind == "message_lost" and self._strikes(fault, topic, number)
        ]
        if lost:
            return MessageFate(0, 0, (lost[0],))
        delays = [fault for fault in active if fault.kind == "message_delayed"]
        doubled = [
            fault
            for fault in active
            if fault.kind == "message_doubled" and self._strikes(fault, topic, number)
        ][:1]
        delay_ns = sum(round(fault.amount * 1e9) for fault in delays)
        return MessageFate(1 + len(doubled), delay_ns, (*delays, *doubled))

    def _strikes(self, fault: Fault, topic: str, number: int) -> bool:
        probability = fault.amount or 1.0  # 0 means always
        salt = f"{fault.kind}\0{fault.start!r}"  # faults on one topic are independent
        return uniform_draw(self.seed, topic, number, salt) < probability


def _is_active(fault: Fault, time_ns: int) -> bool:
    start, end = span_ns(fault.start, fault.duration)
    return start <= time_ns < end
