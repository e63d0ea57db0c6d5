"""`Scroll`: lines that come one after the other, kept for those who look later.

Lines are counted from 0 without end; the oldest are forgotten when there are too many.
Anybody may add and look from any thread.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from gelenk.runtime.bounded_log import BoundedLog

T = TypeVar("T")

KEPT = 20_000  # lines; a window that shows more is read by nobody
BUDGET = 8 * 2**20  # of the lines of a window [bytes]

logger = logging.getLogger(__name__)


class Scroll(Generic[T]):
    """Lines in the order in which they came.

    Args:
        kept: How many are kept.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self._lock = threading.Lock()
        self._items: BoundedLog[T] = BoundedLog(kept, budget=BUDGET)
        self._count = 0
        self._listeners: tuple[Callable[[T], object], ...] = ()

    @property
    def items(self) -> tuple[T, ...]:
        """All lines that are kept, oldest first."""
        with self._lock:
            return tuple(self._items)

    @property
    def count(self) -> int:
        """How many lines ever came."""
        return self._count

    def since(self, number: int) -> tuple[T, ...]:
        """Return the lines from a number on, as far as they are kept.

        Args:
            number: What `count` was when the caller last looked.
        """
        with self._lock:
            wanted = min(max(self._count - number, 0), len(self._items))
            return tuple(self._items)[len(self._items) - wanted :]

    def append(self, item: T) -> None:
        """Add a line, and tell those who listen."""
        with self._lock:
            self._items.append(item)
            self._count += 1
            listeners = self._listeners
        for listener in listeners:
            try:
                listener(item)
            except Exception:  # a broken window must not take its writer down
                logger.exception("a listener failed and hears nothing any more")
                self._remove(listener)

    def listen(self, listener: Callable[[T], object]) -> Callable[[], None]:
        """Have every new line told, in the thread that adds it; returns how to stop."""
        with self._lock:
            self._listeners = (*self._listeners, listener)
        return lambda: self._remove(listener)

    def clear(self) -> None:
        """Forget all lines; the count goes on."""
        with self._lock:
            self._items.clear()

    def _remove(self, listener: Callable[[T], object]) -> None:
        with self._lock:
            self._listeners = tuple(x for x in self._listeners if x is not listener)
