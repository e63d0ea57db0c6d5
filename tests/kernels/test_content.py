"""The digest of a kernel follows what is compiled, and nothing else."""

from __future__ import annotations

import builtins
import dis
import importlib
import itertools
import pkgutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, ModuleType

import pytest
from numba.core.dispatcher import Dispatcher

import gelenk
from gelenk.kernels.content import Content, UntraceableError

LIMITS = """
import numpy as np
HALF = 1.5
LIMIT = 2.0 * HALF
TABLE = np.arange(3.0)
"""
INNER = """
from typing import NamedTuple
from gelenk.kernels.compile import kernel
from parts.limits import LIMIT, TABLE

class Pair(NamedTuple):
    first: float
    second: float

def plain(x):
    return x + 1.0

@kernel
def inner(x):
    return plain(x) + LIMIT + TABLE[1]
"""
OUTER = """
from __future__ import annotations
from gelenk.kernels.compile import kernel
from parts.inner import Pair, inner

@kernel
def outer(x: float, scale: float = 10.0) -> float:
    '''Return something.'''
    # The reason of it.
    pair = Pair(x, scale)
    return pair.second * inner(pair.first)
"""
Digest = Callable[..., str]


@pytest.fixture
def digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Digest:
    """Return a function that writes a package and gives the digest of its kernel.

    Args of the function: path of a module to text that replaces its usual one.
    """
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def write(files: dict[str, str] | None = None, module: str = "parts.outer") -> str:
        usual = {"limits": LIMITS, "inner": INNER, "outer": OUTER}
        for name, text in (usual | (files or {})).items():
            path = tmp_path / f"parts/{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        for name in [name for name in sys.modules if name.startswith("parts")]:
            del sys.modules[name]
        importlib.invalidate_caches()
        return Content(vars(importlib.import_module(module))["outer"]).digest

    return write


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("'''Return something.'''", "'''Return something else.'''"),
        ("    '''Return something.'''\n", ""),
        ("# The reason of it.", "# Another reason.\n"),
        ("x: float,", "x: int,"),
        (") -> float:", "):"),
        ("@kernel", "\n\n@kernel"),
        ("import Pair, inner", "import Pair, inner, plain"),
    ],
)
def test_words_for_readers_do_not_count(digest: Digest, old: str, new: str) -> None:
    assert old in OUTER
    assert digest({"outer": OUTER.replace(old, new)}) == digest()


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("limits", "HALF = 1.5", "HALF = 2.5"),
        ("limits", "2.0 * HALF", "3.0 * HALF"),
        ("limits", "arange(3.0)", "arange(4.0)"),
        ("inner", "x + 1.0", "x + 2.0"),
        ("inner", "x + 1.0", "x - 1.0"),
        ("inner", "+ LIMIT", "- LIMIT"),
        ("inner", "@kernel", "import numba\n@numba.njit"),
        ("inner", "first: float\n    second: float", "second: float\n    first: float"),
        ("outer", "= 10.0", "= 11.0"),
        ("outer", "pair.second *", "pair.first *"),
    ],
)
def test_what_is_compiled_counts(digest: Digest, file: str, old: str, new: str) -> None:
    text = {"limits": LIMITS, "inner": INNER, "outer": OUTER}[file]
    assert old in text
    assert digest({file: text.replace(old, new)}) != digest()


def test_equal_values_are_equal_however_computed(digest: Digest) -> None:
    assert digest({"limits": LIMITS.replace("2.0 * HALF", "3.0")}) == digest()


def test_the_place_of_a_module_does_not_count(digest: Digest) -> None:
    before = digest()
    outer = OUTER.replace("parts.inner", "parts.deep.core")
    moved = {"deep/core": INNER.replace("parts.limits", "parts.deep.facts")}
    moved |= {"deep/facts": LIMITS, "deep/ends": outer}

    assert digest(moved, "parts.deep.ends") == before


def test_what_is_read_through_a_module_counts(digest: Digest) -> None:
    outer = OUTER.replace("import Pair, inner", "import Pair\nfrom parts import inner")
    outer = outer.replace("* inner(", "* inner.inner(")
    changed = {"outer": outer, "limits": LIMITS.replace("1.5", "2.5")}

    assert digest({"outer": outer}) != digest(changed)


def test_kernels_may_call_themselves_and_one_another(digest: Digest) -> None:
    body = "@kernel\ndef other(x):\n    return outer(x - 1.0) if x > 0.0 else 1.0\n"
    again = OUTER + body + "\n" + OUTER[OUTER.index("@kernel") :]
    again = again.replace("inner(pair.first)", "other(outer(pair.first))")

    assert digest({"outer": again}) == digest({"outer": again}) != digest()


def test_a_class_of_another_kind_counts_with_its_module(digest: Digest) -> None:
    """Numba knows such a class by calls that its module makes, as for a `structref`."""
    inner = 'class Kind:\n    """Docstring."""\nregister = 1\n' + INNER
    inner = inner.replace("+ LIMIT", "+ (Kind is None)")
    registered = inner.replace("register = 1", "register = 2")
    described = inner.replace("Docstring.", "Another.\n") + "# remark\n"

    assert digest({"inner": registered}) != digest({"inner": inner})
    assert digest({"inner": described}) == digest({"inner": inner})


def test_what_cannot_be_told_is_refused(digest: Digest) -> None:
    with pytest.raises(UntraceableError, match="object"):
        digest({"limits": LIMITS.replace("2.0 * HALF", "object()")})


@pytest.mark.slow
def test_no_kernel_of_the_package_reads_a_global_that_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each global that the interpreter's disassembler finds is replaced in turn."""
    kernels = list(all_kernels())
    missed = []
    for kernel in kernels:
        Content(kernel)  # refuses none
        known = kernel.py_func.__globals__
        names = global_names(kernel.py_func.__code__)
        for module, name in attributes_of_modules(kernel):
            before = Content(kernel).digest
            with monkeypatch.context() as patch:
                patch.setattr(module, name, "other")
                if Content(kernel).digest == before:
                    missed.append((kernel.__module__, kernel.__name__, name))
        with monkeypatch.context() as patch:
            for name in names:  # by something small, for speed
                assert name in known or hasattr(builtins, name)
                patch.setitem(known, name, "one")
            before = Content(kernel).digest
            for name in names:
                patch.setitem(known, name, "other")
                if Content(kernel).digest == before:
                    missed.append((kernel.__module__, kernel.__name__, name))
                patch.setitem(known, name, "one")

    assert len(kernels) > 600
    assert missed == []


def all_kernels() -> Iterator[Dispatcher]:
    """Yield the compiled functions of all modules of the package."""
    found = {}
    for module in pkgutil.walk_packages(gelenk.__path__, "gelenk."):
        if not module.name.endswith("__main__"):
            for value in vars(importlib.import_module(module.name)).values():
                if isinstance(value, Dispatcher):
                    found[id(value)] = value
    yield from found.values()


def global_names(code: CodeType) -> set[str]:
    """Return the globals that a code object and those within it read."""
    names = {i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL"}
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            names |= global_names(inner)
    return names


def attributes_of_modules(kernel: Dispatcher) -> Iterator[tuple[ModuleType, str]]:
    """Yield modules of the package that a kernel reads from, and what it reads."""
    known = kernel.py_func.__globals__
    pairs = itertools.pairwise(dis.get_instructions(kernel.py_func.__code__))
    for first, second in pairs:
        if first.opname == "LOAD_GLOBAL":
            module = known.get(first.argval)
            if isinstance(module, ModuleType) and module.__name__.startswith("gelenk"):
                assert second.opname in ("LOAD_ATTR", "LOAD_METHOD")
                yield module, second.argval
