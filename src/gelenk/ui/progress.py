"""Progress of a scene that is being built, told to those who wait for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

PERIOD = 0.2  # [s] of wall time between two messages

Teller = Callable[[str], None]
_teller: ContextVar[Teller | None] = ContextVar("teller", default=None)


@contextmanager
def telling(tell: Teller) -> Iterator[None]:
    """Hand what is told within to somebody; what he raises ends the building."""
    last = [0.0]

    def slowly(text: str) -> None:
        now = time.monotonic()
        if now >= last[0] + PERIOD:
            last[0] = now
            tell(text)

    token = _teller.set(slowly)
    try:
        yield
    finally:
        _teller.reset(token)


def tell_progress(text: str) -> None:
    """Say how far the building of a scene is; may be called often."""
    teller = _teller.get()
    if teller is not None:
        teller(text)
