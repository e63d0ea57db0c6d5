"""Arrays over memory that belongs to the engine, inside compiled functions.

An address is an int. Nothing here checks it: addresses come from `layout` alone.
"""

# pyright: reportPrivateImportUsage=false
from __future__ import annotations

from typing import Any

import numba
from numba import types
from numba.extending import intrinsic

from gelenk.kernels.compile import kernel


def _pointer_to(element: Any) -> Any:
    @intrinsic
    def as_pointer(typing_context: Any, address: Any) -> Any:
        signature = types.CPointer(element)(types.intp)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(sig.return_type))

        return signature, generate

    return as_pointer


_floats = _pointer_to(types.float64)
_ints = _pointer_to(types.int32)
_bytes = _pointer_to(types.uint8)
_longs = _pointer_to(types.int64)


@kernel
def floats_at(address: int, rows: int, columns: int) -> Any:
    """Return a (rows, columns) float64 array over the memory at `address`."""
    return numba.carray(_floats(address), (rows, columns))


@kernel
def ints_at(address: int, rows: int, columns: int) -> Any:
    """Return a (rows, columns) int32 array over the memory at `address`."""
    return numba.carray(_ints(address), (rows, columns))


@kernel
def bytes_at(address: int, count: int) -> Any:
    """Return a (count,) uint8 array over the memory at `address`."""
    return numba.carray(_bytes(address), (count,))


@kernel
def address_at(address: int) -> int:
    """Return the pointer stored at `address`."""
    return numba.carray(_longs(address), (1,))[0]
