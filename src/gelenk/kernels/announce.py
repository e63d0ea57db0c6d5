"""Announcement of kernels that are being compiled, for those who wait."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, cast

from numba.core import event

logger = logging.getLogger(__name__)

_COMPILING = "numba:compile"  # numba's name of the event; not for kernels in its cache


def tell(message: str) -> None:
    """Print a line for the user of a terminal; log it for anybody else."""
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(message + "\n")
    else:
        logger.info(message)


class _Announcer(event.Listener):
    """Tells the user, once per process, that the first call compiles."""

    def __init__(self) -> None:
        self._told = False

    def on_start(self, event: event.Event) -> None:
        if not self._told:
            self._told = True
            message = (
                "gelenk: compiling kernels for this machine; this happens once, "
                "takes some seconds, for a world a minute, and is remembered"
            )
            tell(message)

    def on_end(self, event: event.Event) -> None:
        pass


class _Counter(event.Listener):
    """Tells how many kernels were begun."""

    def __init__(self, tell: Callable[[int], None]) -> None:
        self._tell = tell
        self._num_begun = 0

    def on_start(self, event: event.Event) -> None:
        self._num_begun += 1
        self._tell(self._num_begun)

    def on_end(self, event: event.Event) -> None:
        pass


@contextmanager
def counting_kernels(tell: Callable[[int], None]) -> Generator[None, None, None]:
    """Tell the number of kernels compiled within; those from the cache do not count."""
    numba: Any = event
    with numba.install_listener(_COMPILING, _Counter(tell)):
        yield


def announce_compiling() -> None:
    """Tell the user, once, when a kernel is compiled from now on.

    Importing `gelenk.kernels.kernel` does so already.

    Example:
        >>> from gelenk.kernels import announce_compiling
        >>> announce_compiling()
    """
    cast("Any", event).register(_COMPILING, _Announcer())
