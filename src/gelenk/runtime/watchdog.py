"""Watchdogs: deadlines in simulated time, and a wall-time limit on pure steps.

A watchdog barks at the first control tick that is later than its last feeding plus its
deadline, once, and again only after it was fed. Times are whole nanoseconds, so a
watchdog fed exactly at its deadline never barks.
"""

from __future__ import annotations

import contextlib
import logging
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import NamedTuple

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.clock import Clock, nanoseconds
from gelenk.runtime.coroutine_thread import (
    MERCY,
    OverrunError,
    OverrunInterrupt,
    is_compiling,
    raise_in_thread,
)
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
        clock: Clock of the run.
        record: Function that gets a message whenever a watchdog barks.
        call: Function that calls a callback for its owner, by name, and guards against
            its errors.
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
            name: Name in messages.
            deadline: Longest time between two feedings [s], above 0.
            on_bark: Function to call when the watchdog was not fed in time.

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


logger = logging.getLogger(__name__)

_SIGNAL = getattr(signal, "SIGUSR2", None)
_PATIENCE = 0.05  # [s] between two exceptions sent to a call that has overrun
_OFF = float("inf")


class StepWatchdog:
    """Calls functions and interrupts those that take too long.

    Args:
        budget: Wall time that a call may take [s]; None: no limit.
    """

    def __init__(self, budget: float | None) -> None:
        self._budget = budget
        self._lock = threading.Lock()
        self._name, self._ident = "", 0
        self._since = _OFF
        self._overrun: OverrunError | None = None
        self._watcher: threading.Thread | None = None
        self._is_closed = threading.Event()
        self._has_signal = False

    def call(self, name: str, function: Callable[[], object]) -> BaseException | None:
        """Call a function; return the exception that ended it, if any.

        Args:
            name: Name of the function's owner, for messages.
            function: Function to call.
        """
        if self._budget is not None and self._watcher is None:
            self._start()
        error: BaseException | None = None
        try:
            try:
                self._name, self._ident = name, threading.get_ident()
                self._since = time.monotonic()
                function()
            finally:
                with self._lock:
                    self._since = _OFF
        except OverrunInterrupt:
            pass  # `_overrun` says more
        except (Exception, SystemExit) as raised:
            error = raised
        return self._settle() or error if self._overrun is not None else error

    def close(self) -> None:
        """End the watching thread and give the signal back."""
        self._is_closed.set()
        if self._has_signal and _SIGNAL is not None:
            self._has_signal = False
            with contextlib.suppress(ValueError):  # closed by another thread
                signal.signal(_SIGNAL, signal.SIG_DFL)

    def _start(self) -> None:
        is_main = threading.current_thread() is threading.main_thread()
        if is_main and _SIGNAL and signal.getsignal(_SIGNAL) is signal.SIG_DFL:
            signal.signal(_SIGNAL, self._on_signal)
            self._has_signal = True
        self._watcher = threading.Thread(
            target=self._watch, name="gelenk step watchdog", daemon=True
        )
        self._watcher.start()

    def _settle(self) -> OverrunError | None:
        """Take back an exception that has not arrived; return what was found."""
        with self._lock:
            self._since = _OFF
            raise_in_thread(threading.get_ident(), None)
            overrun, self._overrun = self._overrun, None
        return overrun

    def _watch(self) -> None:
        assert self._budget is not None
        pause = self._budget / 4.0
        while not self._is_closed.wait(pause):
            with self._lock:
                is_late = time.monotonic() - self._since > self._budget
                if is_late:
                    self._interrupt(self._budget)
            pause = _PATIENCE if is_late else self._budget / 4.0

    def _interrupt(self, budget: float) -> None:
        """Send an exception to a late call; called under the lock, while it is late."""
        frame = sys._current_frames().get(self._ident)
        if is_compiling(frame):
            self._since = time.monotonic()
            return
        if self._overrun is None:
            self._overrun = OverrunError(self._name, budget, frame)
        elif (
            not self._overrun.is_abandoned
            and time.monotonic() - self._since > budget + MERCY
        ):
            self._overrun.is_abandoned = True  # said once
            logger.critical("%s; it cannot be interrupted", self._overrun)
        is_main = self._ident == threading.main_thread().ident
        if self._has_signal and is_main and _SIGNAL is not None:
            signal.pthread_kill(self._ident, _SIGNAL)
        else:
            raise_in_thread(self._ident, OverrunInterrupt)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._overrun is not None and self._since != _OFF:
            raise OverrunInterrupt
