"""Base class of objects that hold resources until they are closed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Closing(ABC):
    """Object closed at the end of a `with` block; derive from it and write `close`.

    Example:
        >>> class Door(Closing):
        ...     is_open = True
        ...     def close(self):
        ...         self.is_open = False
        >>> with Door() as door:
        ...     print(door.is_open)
        True
        >>> door.is_open
        False
    """

    __slots__ = ()

    @abstractmethod
    def close(self) -> None:
        """Free all resources; a second call does nothing."""

    def __enter__(self) -> Self:
        """Return the object itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the object, whatever happened."""
        self.close()
