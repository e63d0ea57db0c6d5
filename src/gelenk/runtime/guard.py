"""A guard over user code that is called directly, without a thread of its own.

A change of thread costs more than most steps do, so pure steps run in the thread of the
loop. A second thread watches them: a step beyond its budget is interrupted by an
exception, in the main thread by a signal as well, which also ends waits outside Python.
What can not be interrupted at all (a foreign thread blocked outside Python) is reported
with its place; code of that kind belongs into a process.
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
from typing import Any

from gelenk.runtime.strand import (
    MERCY,
    OverrunError,
    Runaway,
    is_compiling,
    raise_in_thread,
)

logger = logging.getLogger(__name__)

_SIGNAL = getattr(signal, "SIGUSR2", None)
_PATIENCE = 0.05  # [s] between two exceptions sent to a runaway
_OFF = float("inf")


class Guard:
    """Calls functions and interrupts those that take too long.

    Args:
        budget: Wall time that a call may take [s]; None: as long as it wants.
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

    def call(self, name: str, function: Callable[[], Any]) -> BaseException | None:
        """Call a function; return the exception that ended it, if any.

        Args:
            name: Whose function it is, for messages.
            function: What to call.
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
        except Runaway:
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
            target=self._watch, name="gelenk guard", daemon=True
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
            raise_in_thread(self._ident, Runaway)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._overrun is not None and self._since != _OFF:
            raise Runaway
