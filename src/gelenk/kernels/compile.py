"""`@kernel`: compile a function once per machine, keep it, and say so.

Kernels are numba functions with an on-disk cache. Numba alone notices a change in the
file of a cached function but not in the functions it calls; here the cache is stamped
with all sources a kernel draws on, so a stale one cannot survive.
"""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import caching

from gelenk.kernels.announce import announce_compiling
from gelenk.kernels.sources import sources_stamp

_F = TypeVar("_F", bound=Callable[..., Any])


def kernel(function: _F) -> _F:
    """Return `function` compiled on its first call, released from the GIL, cached.

    Of the floating-point rules one is relaxed: a product and a sum may be fused, which
    rounds once instead of twice.
    """
    compiled: Any = numba.njit(
        cache=True,
        nogil=True,
        error_model="numpy",
        fastmath={"contract"},
    )(function)
    # Private since numba has no public hook; a test watches that it keeps working.
    files = compiled._cache._cache_file
    files._source_stamp = sources_stamp(function.__code__.co_filename)
    files.__class__ = _CacheFiles
    return compiled


class _CacheFiles(caching.IndexDataCacheFile):
    """Files of one kernel that several processes may write at once.

    Numba numbers its data files and names one in the index before it exists: two
    processes may choose the same number for different signatures, and a third may find
    the file of an older source under it. Here a data file is named by what it holds and
    written before the index; what a race can lose is an entry, which compiles again.
    """

    def save(self, key: Any, data: Any) -> None:
        digest = hashlib.sha256(f"{self._source_stamp}{key!r}".encode()).hexdigest()
        name = self._index_name.removesuffix(".nbi") + f".{digest[:16]}.nbc"
        if not self._load_index():
            self._remove_old()
        self._save_data(name, data)
        overloads = self._load_index()
        overloads[key] = name
        self._save_index(overloads)

    def _load_index(self) -> dict[Any, str]:
        """Return the entries; none if they speak of types that are gone by now."""
        try:
            return super()._load_index()
        except (ImportError, AttributeError):
            return {}

    def _remove_old(self) -> None:
        """Delete data files of older sources; nobody who runs now asks for them."""
        base = self._index_name.removesuffix(".nbi")
        for path in Path(self._cache_path).glob(f"{glob.escape(base)}.*.nbc"):
            path.unlink(missing_ok=True)


announce_compiling()
