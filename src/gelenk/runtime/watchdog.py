"""Watchdogs: named deadlines in simulated time; fed in time, or they bark.

A watchdog barks at the first control tick that is later than its last feeding plus its
deadline, once, and again only after it was fed. Times are whole nanoseconds, so a
watchdog fed exactly at its deadline never barks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.clock import Clock, nanoseconds
from gelenk.runtime.events import WatchdogEvent

Bark = Callable[[WatchdogEvent], None]


class _Watch(NamedTuple):
    """State of one watchdog; `is_armed` is False after it barked, until it is fed."""

    deadline_ns: int
    fed_ns: int
    is_armed: bool


WatchdogSnapshot = dict[str, _Watch]


class Watchdogs:
    """All watchdogs of a run, in the order in which they were added.

    Args:
        clock: The time of the run.
        record: Gets a message whenever one barks.
        call: Calls a callback for its owner, by name; it guards against its errors.
    """

    def __init__(
        self,
        clock: Clock,
        record: Bark,
        call: Callable[[str, Callable[[], None]], object],
    ) -> None:
        self._clock, self._record, self._call = clock, record, call
        self._watches: WatchdogSnapshot = {}
        self._callbacks: dict[str, Bark | None] = {}

    def add(self, name: str, deadline: float, on_bark: Bark | None = None) -> None:
        """Add a watchdog; its time begins now. The same name replaces an older one.

        Args:
            name: Its name in messages.
            deadline: Longest time between two feedings [s], above 0.
            on_bark: Called when it was not fed in time.

        Raises:
            ConfigError: If the deadline is not above 0.
        """
        deadline_ns = nanoseconds(deadline)
        if deadline_ns <= 0:
            raise ConfigError(
                f"watchdog {name!r}: deadline must be above 0 s, got {deadline}"
            )
        self._watches[name] = _Watch(deadline_ns, self._clock.time_ns, True)
        self._callbacks[name] = on_bark

    def feed(self, name: str) -> None:
        """Begin the deadline anew.

        Raises:
            NameNotFoundError: If there is no such watchdog.
        """
        watch = self._get(name)
        fed_ns = self._clock.time_ns
        self._watches[name] = watch._replace(fed_ns=fed_ns, is_armed=True)

    def remove(self, name: str) -> None:
        """Take a watchdog away.

        Raises:
            NameNotFoundError: If there is no such watchdog.
        """
        self._get(name)
        del self._watches[name]

    def check(self) -> None:
        """Let those bark whose deadline has passed."""
        now = self._clock.time_ns
        late = [
            (name, watch)
            for name, watch in self._watches.items()
            if watch.is_armed and now - watch.fed_ns > watch.deadline_ns
        ]
        for name, watch in late:
            self._watches[name] = watch._replace(is_armed=False)
            event = WatchdogEvent(
                watchdog=name,
                deadline=watch.deadline_ns / 1e9,
                last_fed=watch.fed_ns / 1e9,
            )
            self._record(event)
            callback = self._callbacks[name]
            if callback is not None:
                self._call(f"watchdog {name}", lambda f=callback, e=event: f(e))

    def snapshot(self) -> WatchdogSnapshot:
        """Return the state of all."""
        return dict(self._watches)

    def restore(self, snapshot: WatchdogSnapshot) -> None:
        """Go back to a snapshot; watchdogs added since are taken away."""
        self._watches = dict(snapshot)

    def _get(self, name: str) -> _Watch:
        try:
            return self._watches[name]
        except KeyError:
            raise NameNotFoundError("watchdog", name, self._watches) from None
