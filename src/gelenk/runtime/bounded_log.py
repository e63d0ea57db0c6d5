"""Logs of bounded size: the latest items of a stream, by number and by bytes.

A `BoundedLog` belongs to one thread. A `SharedLog` takes items from any thread, counts
them from 0 without end, and tells readers what is new.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")

ITEM_BYTES = 300  # of a line without its text: the object, its numbers, its names
KEPT = 20_000  # lines; a window that shows more is read by nobody
BUDGET = 8 * 2**20  # [bytes] of the lines of a window
MAX_BATCH = 500  # items of one message

logger = logging.getLogger(__name__)


def text_bytes(item: object) -> int:
    """Estimate the memory of an item whose length is in its `text` [bytes]."""
    return ITEM_BYTES + len(getattr(item, "text", ""))


class BoundedLog(Generic[T]):
    """Log that drops its oldest items when they are too many or too large.

    The newest item stays, however large it is.

    Args:
        count: Largest number of items.
        budget: Largest size of all items together [bytes]; None: no limit.
        size_of: Size of an item [bytes].

    Example:
        >>> log = BoundedLog(3)
        >>> log.extend(range(5))
        >>> list(log)
        [2, 3, 4]
    """

    def __init__(
        self,
        count: int,
        *,
        budget: int | None = None,
        size_of: Callable[[T], int] = text_bytes,
    ) -> None:
        self._count, self._budget, self._size_of = count, budget, size_of
        self._items: deque[T] = deque()
        self._num_bytes = 0

    @property
    def num_bytes(self) -> int:
        """Estimated size of all items [bytes]."""
        return self._num_bytes

    def append(self, item: T) -> None:
        """Add an item."""
        self._items.append(item)
        self._num_bytes += self._size_of(item)
        while len(self._items) > 1 and self._is_full():
            self._num_bytes -= self._size_of(self._items.popleft())

    def _is_full(self) -> bool:
        is_large = self._budget is not None and self._num_bytes > self._budget
        return is_large or len(self._items) > self._count

    def extend(self, items: Iterable[T]) -> None:
        """Add items one after the other."""
        for item in items:
            self.append(item)

    def clear(self) -> None:
        """Forget everything."""
        self._items.clear()
        self._num_bytes = 0

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[T]:
        return iter(self._items)


class SharedLog(Generic[T]):
    """Bounded log that any thread may write and read; items are counted from 0 on.

    Args:
        kept: Largest number of items.
        budget: Largest size of all items together [bytes]; None: no limit.
    """

    def __init__(self, kept: int = KEPT, budget: int | None = BUDGET) -> None:
        self._lock = threading.Lock()
        self._items: BoundedLog[T] = BoundedLog(kept, budget=budget)
        self._count = self._told = 0
        self._listeners: tuple[Callable[[T], object], ...] = ()

    @property
    def items(self) -> tuple[T, ...]:
        """All items that are kept, oldest first."""
        with self._lock:
            return tuple(self._items)

    @property
    def count(self) -> int:
        """Number of items that ever came."""
        return self._count

    def append(self, item: T) -> None:
        """Add an item, and tell the listeners."""
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

    def since(self, number: int) -> tuple[T, ...]:
        """Return the items from a number on, as far as they are kept.

        Args:
            number: Value of `count` when the caller last looked.
        """
        with self._lock:
            return tuple(self._items)[max(number - self._first, 0) :]

    def news(self, limit: int = MAX_BATCH) -> tuple[int, tuple[T, ...]]:
        """Return what came since the last call, and the number of the first of it.

        Args:
            limit: Largest number of items; the rest comes with the next call.
        """
        with self._lock:
            if self._told == self._count:
                return self._count, ()
            start = max(self._told, self._first)
            items = tuple(self._items)[start - self._first :][:limit]
            self._told = start + len(items)
            return start, items

    def everything(self) -> tuple[int, tuple[T, ...]]:
        """Return all kept items that `news` has told, and the number of the first."""
        with self._lock:
            told = tuple(self._items)[: max(self._told - self._first, 0)]
            return self._told - len(told), told

    def listen(self, listener: Callable[[T], object]) -> Callable[[], None]:
        """Call a function with every new item, in the thread that adds it.

        Returns:
            Function that ends it.
        """
        with self._lock:
            self._listeners = (*self._listeners, listener)
        return lambda: self._remove(listener)

    def clear(self) -> None:
        """Forget all items; the count goes on."""
        with self._lock:
            self._items.clear()

    def cut(self, is_kept: Callable[[T], bool]) -> None:
        """Forget what no longer happened; counting begins anew at what is left."""
        with self._lock:
            kept = [item for item in self._items if is_kept(item)]
            self._items.clear()
            self._items.extend(kept)
            self._count, self._told = len(kept), 0

    @property
    def _first(self) -> int:
        """Number of the oldest item that is kept."""
        return self._count - len(self._items)

    def _remove(self, listener: Callable[[T], object]) -> None:
        with self._lock:
            self._listeners = tuple(x for x in self._listeners if x is not listener)
