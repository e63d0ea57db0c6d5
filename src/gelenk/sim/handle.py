"""Banks that stay on the compiled side between calls.

Handing a world's hundred arrays to a compiled function costs more than ten ticks of a
small world. A handle is handed over as one pointer; it shares the arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numba import types
from numba.experimental import structref

from gelenk.kernels.compile import kernel
from gelenk.sim.step import run_ticks
from gelenk.typing import IntArray

if TYPE_CHECKING:
    from gelenk.sim.step import Banks


@structref.register
class _HandleType(types.StructRef):
    """Compiled type of a `Handle`."""

    def preprocess_fields(self, fields: Any) -> Any:
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


class Handle(structref.StructRefProxy):
    """A world's table of addresses and its banks; make it with `hold`."""


structref.define_proxy(Handle, _HandleType, ["table", "banks"])


@kernel
def hold(table: IntArray, banks: Banks):
    """Return a handle of a world's arrays."""
    return Handle(table, banks)


@kernel
def run_held(handle, h: float, count: int) -> int:
    """Advance a world by up to `count` ticks, see `run_ticks`."""
    return run_ticks(handle.table, handle.banks, h, count)
