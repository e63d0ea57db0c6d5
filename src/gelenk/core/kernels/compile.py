"""`@kernel`: compile a function once per machine, keep it, and say so.

Kernels are numba functions with an on-disk cache. Numba alone notices a change in the
file of a cached function but not in the functions it calls; here the cache is stamped
with all sources of `gelenk.core`, so a stale kernel cannot survive.
"""

from __future__ import annotations

import hashlib
import logging
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import event

logger = logging.getLogger(__name__)

_F = TypeVar("_F", bound=Callable[..., Any])
_CORE = Path(__file__).parents[1]


def kernel(function: _F) -> _F:
    """Return `function` compiled on its first call, released from the GIL, cached.

    Of the floating-point rules one is relaxed: a product and a sum may be fused, which
    rounds once instead of twice.
    """
    compiled: Any = numba.njit(
        cache=True, nogil=True, error_model="numpy", fastmath={"contract"}
    )(function)
    # Private since numba has no public hook; a test watches that it keeps working.
    compiled._cache._cache_file._source_stamp = _sources_stamp()
    return compiled


@cache
def _sources_stamp() -> str:
    """Return a fingerprint of all source files a kernel may be made of."""
    digest = hashlib.sha256()
    for path in sorted(_CORE.rglob("*.py")):
        stat = path.stat()
        digest.update(f"{path.name}:{stat.st_size}:{stat.st_mtime_ns};".encode())
    return digest.hexdigest()


class _Announcer(event.Listener):
    """Tells the user, once per process, that the first call compiles."""

    def __init__(self) -> None:
        self._told = False

    def on_start(self, event: event.Event) -> None:
        if not self._told:
            self._told = True
            message = (
                "gelenk: compiling kernels for this machine; this happens once, "
                "takes seconds, and is remembered"
            )
            if sys.stderr is not None and sys.stderr.isatty():
                sys.stderr.write(message + "\n")
            else:
                logger.info(message)

    def on_end(self, event: event.Event) -> None:
        pass


event.register("numba:compile", _Announcer())
