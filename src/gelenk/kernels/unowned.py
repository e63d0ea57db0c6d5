"""Views of arrays that compiled functions pass on without counting references.

Every call of a compiled function that is not inlined counts the references to its
arrays up and down, in atomic operations: 10 ns for two arrays. An innermost function of
20 ns notices. A view is for arrays that outlive the call.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar, cast

from llvmlite import ir
from numba.extending import intrinsic

_A = TypeVar("_A")


def _view(typing_context: Any, array: Any) -> Any:
    """Return signature and code of a view of an array without an owner."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, args[0])
        view.meminfo = ir.Constant(view.meminfo.type, None)
        return view._getvalue()

    return array(array), generate


class _Unowned(Protocol):
    def __call__(self, array: _A) -> _A: ...


unowned = cast("_Unowned", cast("Any", intrinsic)(_view))
