"""Pool of services of robots, which run aside so that nothing waits for them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from gelenk.errors import GelenkError

TIME_LIMIT = 20.0  # [s] of wall time until the one who asked is told
MAX_BUSY = 4  # services at a time, those that overran included

logger = logging.getLogger(__name__)


class ServiceError(GelenkError, RuntimeError):
    """A service cannot be had now."""


class ServicePool:
    """Does work in threads of its own.

    Args:
        time_limit: Wall time until the one who asked is told that it takes too long
            [s]; what a thread does cannot be broken off, only its answer is dropped.
        max_busy: Largest number of services at work at a time.
    """

    def __init__(
        self, *, time_limit: float = TIME_LIMIT, max_busy: int = MAX_BUSY
    ) -> None:
        self._time_limit, self._max_busy = time_limit, max_busy
        self._lock = threading.Lock()
        self._num_busy = 0

    def do(
        self,
        name: str,
        work: Callable[[], Any],
        done: Callable[[Any, Exception | None], None],
    ) -> None:
        """Do some work and hand over its result or its exception, exactly once.

        Args:
            name: Name in messages.
            work: Function to call.
            done: Called from another thread.

        Raises:
            ServiceError: If too many work already.
        """
        with self._lock:
            if self._num_busy >= self._max_busy:
                raise ServiceError(
                    f"{self._num_busy} services are at work already; try again later"
                )
            self._num_busy += 1
        is_answered = threading.Lock()

        def answer(value: Any, error: Exception | None) -> None:
            if is_answered.acquire(blocking=False):
                done(value, error)

        def give_up() -> None:
            text = f"{name} takes longer than {self._time_limit:g} s"
            answer(None, ServiceError(text))

        timer = threading.Timer(self._time_limit, give_up)
        timer.daemon = True

        def run() -> None:
            value, failure = None, None
            try:
                value = work()
            except Exception as error:  # the one who asked is told
                failure = error
                if not isinstance(error, GelenkError):
                    logger.exception("%s failed", name)
            finally:
                timer.cancel()
                with self._lock:
                    self._num_busy -= 1
            answer(value, failure)

        timer.start()
        threading.Thread(target=run, name=f"service {name}", daemon=True).start()
