"""Memory that is not needed any more, handed back to the system."""

from __future__ import annotations

import ctypes
import gc
import sys
from functools import cache
from typing import Any


@cache
def _trim() -> Any:
    """Return glibc's `malloc_trim`; None elsewhere."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        return ctypes.CDLL("libc.so.6").malloc_trim
    except (OSError, AttributeError):
        return None


def tidy_up() -> None:
    """Free what only rings of references hold, and what the allocator keeps.

    A closed scene is such a ring: worlds, controllers and callbacks know each other.
    Takes some ten milliseconds.
    """
    gc.collect()
    if (trim := _trim()) is not None:
        trim(0)
