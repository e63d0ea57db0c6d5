"""`Tape`: items from any thread, counted from 0 without end, told once to all.

What is new is fetched once per round and sent to all; who comes later gets what is
kept.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from gelenk.runtime.bounded_log import BoundedLog

T = TypeVar("T")

TAPE_BYTES = 2 * 2**20  # of the lines of a window, of all events
MAX_BATCH = 500  # items of one message


class Tape(Generic[T]):
    """Items in the order in which they came, the oldest forgotten.

    Args:
        kept: How many are kept.
        budget: Bytes that all of them may take; then fewer are kept.
    """

    def __init__(self, kept: int, budget: int | None = TAPE_BYTES) -> None:
        self._lock = threading.Lock()
        self._items: BoundedLog[T] = BoundedLog(kept, budget=budget)
        self._count = 0
        self._told = 0

    @property
    def count(self) -> int:
        """How many items ever came."""
        return self._count

    def append(self, item: T) -> None:
        """Add an item."""
        with self._lock:
            self._items.append(item)
            self._count += 1

    def everything(self) -> tuple[int, tuple[T, ...]]:
        """Return all items that are kept and were told, and the number of the first."""
        with self._lock:
            items = tuple(self._items)
            untold = min(self._count - self._told, len(items))
            told = items[: len(items) - untold]
            return self._told - len(told), told

    def news(self, limit: int = MAX_BATCH) -> tuple[int, tuple[T, ...]]:
        """Return what came since the last call, and the number of the first of it.

        Args:
            limit: At most so many; the rest comes with the next call.
        """
        with self._lock:
            if self._told == self._count:
                return self._count, ()
            first = self._count - len(self._items)  # number of the oldest that is kept
            start = max(self._told, first)
            items = tuple(self._items)[start - first : start - first + limit]
            self._told = start + len(items)
            return start, items

    def cut(self, is_kept: Callable[[T], bool]) -> None:
        """Forget what no longer happened; counting begins anew at what is left."""
        with self._lock:
            kept = [item for item in self._items if is_kept(item)]
            self._items.clear()
            self._items.extend(kept)
            self._count, self._told = len(kept), 0
