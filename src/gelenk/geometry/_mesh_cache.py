"""Meshes that were made before: in memory, and on disk by content."""

from __future__ import annotations

import hashlib
import io
import threading
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gelenk.geometry.mesh import Mesh
from gelenk.kernels.entries import (
    cache_folder,
    delete_unused,
    read_entry,
    write_entry,
)

SUFFIX = ".mesh"


class MeshStore:
    """Values kept in memory until together they are too large; the oldest go first.

    Args:
        max_bytes: Size of all meshes together [byte].
    """

    def __init__(self, max_bytes: int) -> None:
        self._max = max_bytes
        self._size = 0
        self._values: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Any:
        """Return a value, None if it is not kept."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: Hashable, value: Any, *meshes: Mesh) -> None:
        """Keep a value.

        Args:
            key: Name of the value.
            value: Value to keep.
            meshes: Meshes it holds, for its size.
        """
        size = sum(size_of(mesh) for mesh in meshes)
        with self._lock:
            self._size += size - self._values.pop(key, (None, 0))[1]
            self._values[key] = value, size
            while self._size > self._max and self._values:
                self._size -= self._values.popitem(last=False)[1][1]


def size_of(mesh: Mesh) -> int:
    """Return the memory of a mesh [byte]."""
    arrays = (
        mesh.vertices,
        mesh.faces,
        mesh.normals,
        mesh.face_colors,
        mesh.uv,
        mesh.texture,
    )
    return sum(array.nbytes for array in arrays if array is not None)


def digest_of(what: str, *arrays: NDArray[Any]) -> str:
    """Return a name that is another one for other contents.

    Args:
        what: Words that tell how the result is made, with all options.
        arrays: Arrays that it is made from.
    """
    digest = hashlib.sha256(what.encode())
    for array in arrays:
        digest.update(f"{array.dtype.str}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()[:40]


def load_arrays(name: str) -> dict[str, NDArray[Any]] | None:
    """Return arrays kept on disk; None if there are none, or they are damaged."""
    path = _place(name)
    data = None if path is None else read_entry(path)
    if data is None:
        return None
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            return {key: file[key] for key in file.files}
    except (OSError, ValueError, KeyError):
        return None


def save_arrays(name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Keep arrays on disk, where a folder can be written."""
    path = _place(name)
    if path is None:
        return
    buffer = io.BytesIO()
    named: dict[str, Any] = {key: np.asarray(value) for key, value in arrays.items()}
    np.savez(buffer, **named)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _tidy(path.parent)
        write_entry(path, buffer.getvalue())
    except OSError:
        return


@cache
def _tidy(folder: Path) -> None:
    delete_unused(folder)


def _place(name: str) -> Path | None:
    folder = cache_folder()
    return None if folder is None else folder / "meshes" / f"{name}{SUFFIX}"
