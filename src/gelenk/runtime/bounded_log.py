"""`BoundedLog`: the latest items of a stream, bounded in number and in bytes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

T = TypeVar("T")

ITEM_BYTES = 300  # of a line without its text: the object, its numbers, its names


def text_bytes(item: Any) -> int:
    """Return about how much memory something takes whose length is in its `text`."""
    return ITEM_BYTES + len(getattr(item, "text", ""))


class BoundedLog(Generic[T]):
    """The latest items; the oldest go when there are too many or they are too large.

    The newest one stays, however large it is.

    Args:
        count: How many are kept at most.
        budget: How many bytes all of them may take; None: as many as it takes.
        size_of: Bytes of an item.

    Example:
        >>> kept = Kept(3)
        >>> kept.extend(range(5))
        >>> list(kept)
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
        """About what the items take [bytes]."""
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
