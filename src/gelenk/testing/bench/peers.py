"""Other libraries to compare with; each may be absent."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import os
import sys
from collections.abc import Iterator
from types import ModuleType

INSTALL = "pip install 'gelenk[bench]'"


def find_peer(module: str) -> ModuleType | None:
    """Return the module of another library, or None if it is not installed."""
    try:
        with _mute():
            return importlib.import_module(module)
    except ImportError:
        return None


@contextlib.contextmanager
def _mute() -> Iterator[None]:
    """Keep what a library prints while it loads out of our results (PyBullet does)."""
    sys.stdout.flush()
    try:
        kept = os.dup(1)
    except OSError:  # there is no standard output
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        with contextlib.suppress(AttributeError, OSError):
            ctypes.CDLL(None).fflush(None)  # what C has not written yet
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def missing_note(*names: str) -> str:
    """Return the note of a row whose peers are missing: which, and what to do.

    Example:
        >>> missing_note("Pinocchio")
        "not compared: Pinocchio is missing; pip install 'gelenk[bench]'"
    """
    verb = "is" if len(names) == 1 else "are"
    return f"not compared: {' and '.join(names)} {verb} missing; {INSTALL}"
