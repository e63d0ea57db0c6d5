"""Triggers: texts sent to numbers, none lost, each exactly one tick under way.

A trigger is like a wire that is pulled: the receiver's handler runs, and the sender
learns nothing unless it asks for a receipt. What is sent during one control tick is
delivered at the start of the next, by receiver number and, for one receiver, in the
order of sending. The number -1 means all controllers. Several receivers may share a
number; all of them are served.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from gelenk.errors import ConfigError
from gelenk.runtime.clock import Clock
from gelenk.runtime.events import TriggerEvent

BROADCAST = -1


class Receipt:
    """Whether a trigger was handled, for a sender who wants to know.

    Attributes:
        num_receivers: Number of receivers.
        num_handled: Number of receivers that have handled the trigger without an
            exception.
        num_failed: Number of handlers that ended with an exception.
    """

    def __init__(self) -> None:
        self.num_receivers = self.num_handled = self.num_failed = 0

    def note(self, *, is_handled: bool) -> None:
        """Count a receiver that is done with the trigger."""
        self.num_handled += is_handled
        self.num_failed += not is_handled

    @property
    def is_settled(self) -> bool:
        """Whether every receiver is done with it."""
        return self.num_handled + self.num_failed == self.num_receivers

    @property
    def is_confirmed(self) -> bool:
        """Whether there are receivers and all of them have handled it."""
        return self.num_handled == self.num_receivers > 0


class Receiver(NamedTuple):
    """Somebody who gets triggers.

    Attributes:
        number: Number of the receiver.
        deliver: Function that takes the text, and a receipt if the sender wants one; it
            must neither block nor raise.
        is_controller: Whether -1 reaches the receiver.
    """

    number: int
    deliver: Callable[[str, Receipt | None], None]
    is_controller: bool


class Pending(NamedTuple):
    """A trigger under way: when it was sent, to whom, what it says, its receipt."""

    tick: int
    receiver: int
    text: str
    receipt: Receipt | None = None


class TriggerBoard:
    """Takes triggers and delivers them one control tick later.

    Args:
        clock: Clock of the run.
        record: Function that gets a message for every trigger sent.
    """

    def __init__(self, clock: Clock, record: Callable[[TriggerEvent], None]) -> None:
        self._clock, self._record = clock, record
        self._receivers: list[Receiver] = []
        self._pending: tuple[Pending, ...] = ()
        self._new: list[Pending] = []

    def register(
        self,
        number: int,
        deliver: Callable[[str, Receipt | None], None],
        *,
        is_controller: bool = False,
    ) -> None:
        """Add a receiver; receivers with one number are served in this order.

        Raises:
            ConfigError: If the number is negative.
        """
        if number < 0:
            raise ConfigError(
                f"a receiver's number must be 0 or more, got {number}; "
                f"{BROADCAST} is the address of all controllers"
            )
        self._receivers.append(Receiver(number, deliver, is_controller))
        # Stable: those who share a number stay in the order they came.
        self._receivers.sort(key=lambda receiver: receiver.number)

    def send(
        self,
        receiver: int,
        text: str,
        *,
        sender: str,
        time: float | None = None,
        receipt: Receipt | None = None,
    ) -> None:
        """Send a trigger; it never blocks and is never lost.

        Args:
            receiver: Number of the receiver, or -1 for all controllers.
            text: Text of the trigger, possibly empty.
            sender: Name of the sender.
            time: Simulated time of the cause [s]; now unless said.
            receipt: Receipt that learns what becomes of the trigger, if the sender
                wants one.

        Raises:
            ConfigError: If the receiver is no number or the text is no text.
        """
        if not isinstance(text, str) or isinstance(receiver, bool | float | str):
            raise ConfigError(
                f"a trigger is a text for a number, got {text!r} for {receiver!r}"
            )
        reached = sum(_reaches(receiver, item) for item in self._receivers)
        self._record(
            TriggerEvent(
                time=self._clock.time if time is None else time,
                sender=sender,
                receiver=int(receiver),
                text=text,
                num_receivers=reached,
            )
        )
        if receipt is not None:
            receipt.num_receivers = reached
        if reached:
            self._new.append(Pending(self._clock.tick, int(receiver), text, receipt))

    def deliver(self) -> None:
        """Deliver what was sent before this tick."""
        waiting = (*self._pending, *self._new)
        tick = self._clock.tick
        due = [item for item in waiting if item.tick < tick]
        self._pending = tuple(item for item in waiting if item.tick >= tick)
        self._new = []
        if due:
            for receiver in self._receivers:
                for item in due:
                    if _reaches(item.receiver, receiver):
                        receiver.deliver(item.text, item.receipt)

    def clear(self) -> None:
        """Forget triggers under way."""
        self._pending, self._new = (), []

    def snapshot(self) -> tuple[Pending, ...]:
        """Return the triggers under way."""
        return (*self._pending, *self._new)

    def restore(self, snapshot: tuple[Pending, ...]) -> None:
        """Go back to a snapshot."""
        self._pending, self._new = snapshot, []


def _reaches(number: int, receiver: Receiver) -> bool:
    if number == BROADCAST:
        return receiver.is_controller
    return number == receiver.number


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneTrigger:
    """Trigger that a zone of the world sends when it notices something.

    Attributes:
        zone: Name of the zone.
        receiver: Number of the receiver; -1 for all controllers.
        text: Text of the trigger.

    Example:
        >>> from gelenk.runtime import ZoneTrigger
        >>> ZoneTrigger(zone="gate", receiver=0, text="part has come").receiver
        0
    """

    zone: str
    receiver: int
    text: str


class ZoneTriggers:
    """Turns what the zones of a world have noticed into triggers."""

    def __init__(self, items: Iterable[ZoneTrigger]) -> None:
        self._by_zone: dict[str, list[ZoneTrigger]] = {}
        for item in items:
            self._by_zone.setdefault(item.zone, []).append(item)

    def send(self, world: Any, board: TriggerBoard) -> None:
        """Send a trigger for every event since the last call, in their order.

        Args:
            world: World with `zone_events()`; only asked if there is something to send.
            board: Board that takes the triggers.
        """
        if not self._by_zone:
            return
        for event in world.zone_events():
            for item in self._by_zone.get(event.zone, ()):
                sender = f"{event.zone} ({event.item})"
                board.send(item.receiver, item.text, sender=sender, time=event.time)
