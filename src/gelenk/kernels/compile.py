"""`@kernel`: compile a function once per machine, keep it, and say so."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any, TypeVar

import numba

from gelenk.kernels.announce import announce_compiling
from gelenk.kernels.entries import KernelEntries

_F = TypeVar("_F", bound=Callable[..., Any])

_PROCESS = uuid.uuid4().hex


def kernel(function: _F) -> _F:
    """Return `function` compiled on its first call, released from the GIL, cached.

    Of the floating-point rules one is relaxed: a product and a sum may be fused, which
    rounds once instead of twice.

    Args:
        function: Function in the part of Python that numba compiles.

    Example:
        >>> from gelenk.kernels import kernel
        >>> @kernel
        ... def double(x: float) -> float:
        ...     return 2.0 * x
        >>> double(1.5)
        3.0
    """
    compiled: Any = numba.njit(
        nogil=True,
        error_model="numpy",
        fastmath={"contract"},
    )(function)
    # Symbols of machine code are named after this, the module and a count. Entries
    # outlive moves of modules, so a symbol must mean one thing in all processes.
    function.__qualname__ = f"{_PROCESS}.{function.__name__}"
    # Private since numba has no public hook; a test watches that it keeps working.
    compiled._cache = KernelEntries(compiled)
    return compiled


announce_compiling()
