"""`ThreadLog`: the stacks of all threads, again and again, to find what hangs."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from collections.abc import Callable
from datetime import datetime
from typing import TextIO

logger = logging.getLogger(__name__)


class ThreadLog:
    """Writes all stacks to a file, now and then every period, from a thread of its own.

    It looks on also while the simulation is stuck: wall time counts.

    Args:
        file: Where to write.
        sim_time: Says the simulated time [s].
        period: Wall time between two looks [s].
    """

    def __init__(
        self, file: TextIO, sim_time: Callable[[], float], *, period: float
    ) -> None:
        self._file, self._sim_time, self._period = file, sim_time, period
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._main, name="thread log")
        self._thread.daemon = True
        self._thread.start()

    def close(self) -> None:
        """End the thread; the file stays open."""
        self._is_over.set()
        self._thread.join()

    def _main(self) -> None:
        try:
            self._write_on()
        except OSError:  # a full disk must not end the run
            logger.exception("the thread log cannot be written any more")

    def _write_on(self) -> None:
        while True:
            now = datetime.now().astimezone().isoformat(timespec="milliseconds")
            self._file.write(
                f"==== {now}, simulated {self._sim_time():.3f} s\n{describe_threads()}"
            )
            if self._is_over.wait(self._period):
                return


def describe_threads() -> str:
    """Return the stacks of all threads but the one that asks, innermost call last."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    own = threading.get_ident()
    parts: list[str] = []
    for ident, frame in sys._current_frames().items():
        if ident != own:
            parts.append(
                f"-- {names.get(ident, 'a thread that Python did not start')}\n"
            )
            parts += traceback.format_stack(frame)
    return "".join(parts)
