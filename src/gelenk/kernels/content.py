"""Digest of what the compiled code of a kernel depends on.

Numba compiles the bytecode of a function and freezes the globals it reads. The digest
is taken of just that: of the bytecode and of the values of the globals, among which
kernels, functions and closures are followed by the same rule. Comments, docstrings,
annotations, line numbers, and the places of files and modules are no part of it.
"""

from __future__ import annotations

import ast
import builtins
import dis
import enum
import hashlib
import inspect
import sys
from collections.abc import Sequence
from functools import cache
from types import CodeType, FunctionType, ModuleType, NoneType
from typing import Any, cast

import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic
from numba.core.types import Type
from numpy.typing import NDArray

# Types of which the printed form is the content.
_PLAIN: tuple[type, ...] = (
    *(bool, int, float, complex, str, bytes, NoneType),
    *(np.generic, np.dtype, Type),
)
_FOREIGN = sys.stdlib_module_names | {"llvmlite", "numba", "numpy", "scipy"}

TupleName = tuple[str, tuple[str, ...]]
"""Name and field names of a class of named tuples, which are all numba sees of it."""


class UntraceableError(Exception):
    """Raised for a kernel that depends on something whose content cannot be told."""


def tuple_name(value: object) -> TupleName | None:
    """Return the name of a class of named tuples; None for anything else."""
    if isinstance(value, type) and tuple in value.__mro__:
        fields: tuple[str, ...] | None = getattr(value, "_fields", None)
        if fields is not None:
            return value.__name__, tuple(fields)
    return None


class Content:
    """Content of a kernel, as found when it is asked for the first time.

    Attributes:
        digest: Hexadecimal SHA-256 of the content.
        tuples: Classes of named tuples met in the content.
    """

    def __init__(self, kernel: Dispatcher) -> None:
        self.tuples: dict[TupleName, type] = {}
        self._hash = hashlib.sha256()
        self._seen: dict[int, int] = {}
        self._add(kernel)
        self.digest = self._hash.hexdigest()

    def _write(self, *words: object) -> None:
        self._hash.update(f"{words!r};".encode())

    def _add(self, value: object) -> None:
        """Add a value that a kernel reads."""
        kind: type = type(value)
        if isinstance(value, tuple | list):
            items = cast("Sequence[object]", value)
            self._write(kind.__name__, len(items))
            self._add_tuple_class(kind)
            for item in items:
                self._add(item)
        elif isinstance(value, np.ndarray):
            array = cast("NDArray[np.generic]", value)
            order = array.flags.c_contiguous, array.flags.f_contiguous
            self._write("array", array.dtype, array.shape, order, array.tobytes())
        elif isinstance(value, _PLAIN):
            self._write(kind.__name__, value)
        elif isinstance(value, Dispatcher):
            self._write("kernel", sorted(value.targetoptions.items(), key=str))
            self._add_function(cast("Any", value).py_func)  # numba has no types
        elif isinstance(value, _Intrinsic):
            self._write("intrinsic")
            self._add_function(cast("Any", value)._defn)
        elif name := _foreign_name(value):
            self._write("foreign", name)
        elif isinstance(value, FunctionType):
            self._add_function(value)
        elif isinstance(value, type):
            self._add_class(value)
        else:
            raise UntraceableError(f"{type(value).__name__} {value!r}")

    def _add_function(self, function: FunctionType) -> None:
        """Add bytecode, defaults, closure and globals of a function, once."""
        is_known = id(function) in self._seen
        self._write("function", self._seen.setdefault(id(function), len(self._seen)))
        if is_known:
            return
        text, names, attributes = _read_code(function.__code__)
        self._write(text)
        self._add(function.__defaults__ or ())
        for key, value in sorted((function.__kwdefaults__ or {}).items()):
            self._write(key)
            self._add(value)
        for cell in function.__closure__ or ():
            self._add(cell.cell_contents)
        for name in names:
            self._write(name)
            known = function.__globals__
            value = known[name] if name in known else getattr(builtins, name, None)
            if isinstance(value, ModuleType) and not _is_foreign(value.__name__):
                self._add_module(value, attributes)
            else:
                self._add(value)

    def _add_module(self, module: ModuleType, attributes: tuple[str, ...]) -> None:
        """Add what a function may read from a module by attribute."""
        for name in attributes:
            if hasattr(module, name):
                self._write(name)
                self._add(getattr(module, name))

    def _add_class(self, value: type[object]) -> None:
        if issubclass(value, enum.Enum):
            self._write("enum", value.__name__, [(m.name, m.value) for m in value])
        elif tuple_name(value):
            self._add_tuple_class(value)
        else:
            self._add_other_class(value)

    def _add_tuple_class(self, value: type[object]) -> None:
        name = tuple_name(value)
        if name is None:
            return
        if self.tuples.setdefault(name, value) is not value:
            raise UntraceableError(f"two classes of named tuples called {name[0]}")
        self._write(name)
        self._add(tuple(getattr(value, "_field_defaults", {}).items()))

    def _add_other_class(self, value: type[object]) -> None:
        """Add a class that numba knows by what its module has registered for it."""
        try:
            tree = ast.parse(inspect.getsource(sys.modules[value.__module__]))
        except (OSError, TypeError, KeyError) as error:
            raise UntraceableError(f"{value!r}, whose source is missing") from error
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                node.value.value = ""  # a docstring
        name = value.__module__, value.__qualname__
        self._write("class", *name, ast.dump(tree))


def _is_foreign(module: str) -> bool:
    """Whether a module belongs to the language or to a library below the kernels."""
    return module.partition(".")[0] in _FOREIGN


def _foreign_name(value: object) -> str | None:
    """Return the name of an object of a library; None if it is none."""
    if isinstance(value, ModuleType):
        return value.__name__ if _is_foreign(value.__name__) else None
    module = getattr(value, "__module__", None) or type(value).__module__
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    return f"{module}.{name}" if name and _is_foreign(module) else None


@cache
def _read_code(code: CodeType) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Return the text of a code object, the globals it reads, and all its names."""
    text: list[object] = [
        (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount),
        (code.co_varnames, code.co_flags & 0xFF, code.co_exceptiontable),
    ]
    names: dict[str, None] = {}
    attributes = dict.fromkeys(code.co_names)
    # A docstring is no operand of any instruction, so it is not met.
    for instruction in dis.get_instructions(code):
        operand = instruction.argval
        if isinstance(operand, CodeType):
            inner = _read_code(operand)
            names |= dict.fromkeys(inner[1])
            attributes |= dict.fromkeys(inner[2])
            operand = inner[0]
        elif instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            names[operand] = None
        elif isinstance(operand, frozenset):
            operand = sorted(cast("frozenset[object]", operand), key=repr)
        text.append((instruction.opname, operand))
    return repr(text), tuple(names), tuple(attributes)
