"""Services that all parts of a run share: world, time, bus, triggers, watchdogs, log.

They also call user code: on a thread of its own, so that what raises is reported, what
hangs is ended, and neither takes the run down.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple, Protocol

from gelenk.runtime.bus import Bus
from gelenk.runtime.clock import Clock
from gelenk.runtime.controller import View
from gelenk.runtime.coroutine_thread import CoThread, Scheduler, describe
from gelenk.runtime.events import (
    LOG_TOPIC,
    TOPICS,
    TRIGGER_TOPIC,
    WATCHDOG_TOPIC,
    LogEvent,
    TriggerEvent,
)
from gelenk.runtime.triggers import TriggerBoard
from gelenk.runtime.watchdog import StepWatchdog, Watchdogs

logger = logging.getLogger(__name__)

_LEVELS = {"info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


class SteppedWorld(Protocol):
    """World as a run needs it.

    Attributes:
        tick: Number of physics ticks done.
    """

    @property
    def tick(self) -> int: ...

    def step(self, n: int = 1, /) -> object: ...

    def snapshot(self) -> object: ...

    def restore(self, snapshot: Any, /) -> None: ...


class CallResult(NamedTuple):
    """Result of a call of user code: its value, or the exception that ended it."""

    value: Any = None
    error: BaseException | None = None


class Services:
    """Shared by all executors of a run.

    Attributes:
        world: Simulated world.
        clock: Clock of simulated time.
        bus: Bus for messages.
        scheduler: Scheduler of the coroutine threads.
        triggers: Board of the triggers under way.
        watchdogs: Named deadlines.
        step_watchdog: Watchdog over pure steps.
    """

    def __init__(
        self, world: SteppedWorld, clock: Clock, bus: Bus, *, budget: float | None
    ) -> None:
        self.world, self.clock, self.bus = world, clock, bus
        self.scheduler = Scheduler(budget=budget)
        for topic, message_type in TOPICS.items():
            bus.declare(topic, message_type)
        self.triggers = TriggerBoard(clock, self._record_trigger)
        self.watchdogs = Watchdogs(
            clock,
            lambda event: bus.publish(WATCHDOG_TOPIC, event, sender="runtime"),
            self.call_and_report,
        )
        self._thread = CoThread("runtime", self.scheduler)
        self.step_watchdog = StepWatchdog(budget)

    def view(self, name: str) -> View:
        """Return what `name` may look at and act on now."""
        return View(
            self.world,
            self.bus,
            self.clock.time,
            self.watchdogs,
            partial(self._send_for, name),
        )

    def _send_for(self, name: str, receiver: int, text: str) -> None:
        self.triggers.send(receiver, text, sender=name)

    def call(self, name: str, function: Callable[[], Any]) -> CallResult:
        """Call user code and return what became of it; it must not wait.

        Args:
            name: Name of the code's owner, for messages.
            function: Function to call.
        """
        self.scheduler.recover()
        if self._thread.is_busy:
            self._thread.end()
        result: list[Any] = []
        self._thread.name = name
        self._thread.give(lambda: result.append(function()))
        self.scheduler.run([self._thread])
        return CallResult(result[0] if result else None, self._thread.error)

    def is_own_thread(self) -> bool:
        """Whether this code runs inside `call`."""
        return self._thread.is_own_thread()

    def call_and_report(self, name: str, function: Callable[[], Any]) -> bool:
        """Call user code, log its failure, and return whether it went well."""
        error = self.call(name, function).error
        if error is not None:
            self.log("error", name, describe(error))
        return error is None

    def log(
        self, level: Literal["info", "warning", "error"], source: str, text: str
    ) -> None:
        """Say something to people: on the bus and in the log."""
        logger.log(_LEVELS[level], "%.3f s, %s: %s", self.clock.time, source, text)
        event = LogEvent(level=level, source=source, text=text)
        self.bus.publish(LOG_TOPIC, event, sender=source)

    def close(self) -> None:
        """End the thread for calls, and the step_watchdog."""
        self._thread.close()
        self.step_watchdog.close()

    def _record_trigger(self, event: TriggerEvent) -> None:
        self.bus.publish(TRIGGER_TOPIC, event, sender=event.sender)
        if event.num_receivers == 0:
            self.log(
                "warning",
                event.sender,
                f"trigger {event.text!r} was dropped: nobody has the number "
                f"{event.receiver}",
            )
