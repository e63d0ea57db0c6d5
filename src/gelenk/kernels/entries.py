"""Compiled kernels on disk: one file per kernel and signature, named by its content.

A file is found by the digest of all its machine code depends on, so that it is never
stale, and serves a kernel wherever its module moves.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import pickle
import sys
import tempfile
import time
import uuid
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numba
from numba.core import caching, config, environment
from numba.core.compiler import CompileResult
from numba.core.serialize import NumbaPickler
from numba.misc.appdirs import AppDirs

from gelenk.kernels.announce import logger, tell
from gelenk.kernels.content import Content, TupleName, UntraceableError, tuple_name

if TYPE_CHECKING:
    _BasePickler = pickle.Pickler  # from which numba's is derived, without types
else:
    _BasePickler = NumbaPickler

SUFFIX = ".kernel"
_MAX_UNUSED = 30 * 86400.0  # [s] after which an entry is deleted
_CHECKSUM_SIZE = 32  # [bytes]


@cache
def cache_folder() -> Path | None:
    """Return the folder of compiled kernels; None if none can be written.

    It is where `NUMBA_CACHE_DIR` points, else in the package, else in the user's cache.
    """
    users: Any = AppDirs("gelenk", appauthor=False)
    folders = [
        Path(__file__).parents[1] / "__pycache__" / "kernels",
        Path(str(users.user_cache_dir)) / "kernels",
    ]
    if chosen := getattr(config, "CACHE_DIR", ""):
        folders.insert(0, Path(chosen) / "gelenk")
    for folder in folders:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        return folder
    tell("gelenk: compiled kernels are not kept: no folder for them can be written")
    return None


class KernelEntries(caching.NullCache):
    """The entries of one kernel, in the form in which numba asks for them."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel

    @cached_property
    def _content(self) -> Content | None:
        try:
            return Content(self._kernel)
        except UntraceableError as error:
            name = self._kernel.__name__
            logger.info("gelenk: kernel %s is not kept: it reads %s", name, error)
            return None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the kernel compiled for a signature; None if there is no entry."""
        target_context.refresh()
        try:
            return self._load(sig, target_context)
        except (pickle.PickleError, ImportError, AttributeError):
            return None  # classes of then and now do not match

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Keep the kernel compiled for a signature."""
        try:
            path = self._path(sig, cres.codegen)
            if path is None or not _can_be_kept(cres):
                return
            # Code that returns a named tuple to Python names the module of its class.
            modules = _modules_of(cres.signature.return_type)
            buffer = io.BytesIO()
            _Pickler(buffer).dump((modules, cres._reduce()))
            delete_unused(path.parent)
            write_entry(path, buffer.getvalue())
        except (pickle.PickleError, OSError) as error:
            logger.info("gelenk: kernel %s not kept: %s", self._kernel.__name__, error)

    def _load(self, sig: Any, target_context: Any) -> Any:
        path = self._path(sig, target_context.codegen())
        data = None if path is None else read_entry(path)
        if data is None or self._content is None:
            return None
        tuples = self._content.tuples | _tuples_in(sig)
        modules, state = _Unpickler(data, tuples).load()
        _, function, _, signature, *_ = state
        if modules != _modules_of(signature.return_type):
            return None
        function.modname = self._kernel.py_func.__module__
        return cast("Any", CompileResult)._rebuild(target_context, *state)

    def _path(self, sig: Any, codegen: Any) -> Path | None:
        """Return the file of a signature; None if it cannot be kept."""
        folder = cache_folder()
        name = str(sig)
        if folder is None or self._content is None or " at 0x" in name:
            return None
        machine = codegen.magic_tuple(), sys.implementation.cache_tag, sys.abiflags
        key = (
            self._content.digest,
            name,
            list(_tuples_in(sig)),
            machine,
            numba.__version__,
        )
        digest = hashlib.sha256(repr(key).encode()).hexdigest()
        return folder / f"{self._kernel.__name__}-{digest[:32]}{SUFFIX}"


class _Pickler(_BasePickler):
    """Writes named tuples by name instead of module, and no globals."""

    def __init__(self, buffer: io.BytesIO) -> None:
        super().__init__(buffer, protocol=4)
        self.tuples: dict[TupleName, type] = {}

    def persistent_id(self, obj: Any) -> TupleName | None:
        name = tuple_name(obj)
        if name is not None and self.tuples.setdefault(name, obj) is not obj:
            raise pickle.PicklingError(f"two classes of named tuples called {name[0]}")
        return name

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, environment.Environment):
            known = cast("Any", obj)  # numba has no types
            rebuild = cast("Any", environment)._rebuild_env
            return rebuild, (__name__, known.consts, known.env_name)
        return super().reducer_override(obj)


class _Unpickler(pickle.Unpickler):
    """Reads what `_Pickler` wrote, with the classes of named tuples of today."""

    def __init__(self, data: bytes, tuples: dict[TupleName, type]) -> None:
        super().__init__(io.BytesIO(data))
        self._tuples = tuples

    def persistent_load(self, pid: TupleName) -> type:
        if pid not in self._tuples:
            raise pickle.UnpicklingError(f"no class of named tuples {pid}")
        return self._tuples[pid]


def _tuples_in(types: Any) -> dict[TupleName, type]:
    """Return the classes of named tuples in types, in the order of their occurrence."""
    pickler = _Pickler(io.BytesIO())
    pickler.dump(types)
    return pickler.tuples


def _modules_of(types: Any) -> list[str]:
    return [f"{c.__module__}.{c.__qualname__}" for c in _tuples_in(types).values()]


def _can_be_kept(result: Any) -> bool:
    """Whether compiled code holds no addresses of this process."""
    return not (
        result.lifted
        or result.library.has_dynamic_globals
        or result.fndesc.global_dict
        or not result.environment.can_cache()
    )


def read_entry(path: Path) -> bytes | None:
    """Return the data of an entry; None if there is none. A damaged one is deleted."""
    try:
        whole = path.read_bytes()
        data = whole[_CHECKSUM_SIZE:]
        if hashlib.sha256(data).digest() != whole[:_CHECKSUM_SIZE]:
            path.unlink(missing_ok=True)
            return None
    except OSError:
        return None
    with contextlib.suppress(OSError):  # a file of another user
        os.utime(path)
    return data


def write_entry(path: Path, data: bytes) -> None:
    """Write an entry in one piece, whoever else writes or reads it."""
    new = path.with_name(f"{path.name}.{uuid.uuid4().hex}.new")
    try:
        new.write_bytes(hashlib.sha256(data).digest() + data)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


@cache
def delete_unused(folder: Path) -> None:
    """Delete the entries that nobody has read for long, once per process."""
    for path in folder.iterdir():
        try:
            if path.stat().st_mtime < time.time() - _MAX_UNUSED:
                path.unlink()
        except OSError:
            continue  # another process was faster
