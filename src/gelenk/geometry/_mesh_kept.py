"""Mesh files that were read before, kept on disk by their content.

An entry is found by the bytes of the file and by the text of its readers, so that it is
never stale, and serves a file wherever it moves. Files that the mesh names are compared
before the entry is used.
"""

from __future__ import annotations

import hashlib
import json
import os
from functools import cache
from pathlib import Path

import numpy as np

from gelenk.errors import GelenkError
from gelenk.geometry._mesh_cache import digest_of, load_arrays, save_arrays, size_of
from gelenk.geometry._mesh_source import MeshSource
from gelenk.geometry.mesh import Mesh

_WORTH_KEEPING = 50_000  # [byte]; smaller files are read faster than found
_LARGEST = 64 * 1024 * 1024  # [byte], of a mesh that is kept
_FIELDS = ("vertices", "faces", "normals", "face_colors", "uv", "texture")


def find_kept(source: MeshSource) -> Mesh | None:
    """Return the mesh of a file that was read before; None if there is none.

    The files beside that it was made of are added to `source.beside`.

    Args:
        source: File of the mesh.
    """
    if len(source.data) < _WORTH_KEEPING:
        return None
    found = load_arrays(_name_of(source))
    if found is None:
        return None
    try:
        beside: list[tuple[str, str]] = json.loads(bytes(found.pop("beside")))
        paths = [source.path.parent / name for name, _ in beside]
        for path, (_, digest) in zip(paths, beside, strict=True):
            if not source.holds(path) or _digest(path) != digest:
                return None
        mesh = Mesh(**{key: found[key] for key in _FIELDS if key in found})
    except (KeyError, TypeError, ValueError, GelenkError):
        return None
    source.beside += paths
    return mesh


def keep(source: MeshSource, mesh: Mesh) -> None:
    """Keep what a file held, unless something of it was left out with a warning.

    Args:
        source: File of the mesh after it was read.
        mesh: Its triangles.
    """
    if (
        len(source.data) < _WORTH_KEEPING
        or source.has_warned
        or size_of(mesh) > _LARGEST
    ):
        return
    try:
        start = source.path.parent.resolve()
        beside = [
            (os.path.relpath(path, start), _digest(path)) for path in source.beside
        ]
    except ValueError:  # on another drive
        return
    arrays = {key: getattr(mesh, key) for key in _FIELDS}
    named = {key: array for key, array in arrays.items() if array is not None}
    text = json.dumps(beside).encode()
    save_arrays(_name_of(source), {**named, "beside": np.frombuffer(text, np.uint8)})


def _name_of(source: MeshSource) -> str:
    words = f"mesh {_readers()} {source.path.suffix.lower()} {source.max_faces}"
    return digest_of(words, np.frombuffer(source.data, np.uint8))


@cache
def _readers() -> str:
    """Return a digest of the text of the modules that read meshes."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*mesh*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _digest(path: Path) -> str:
    """Return a digest of a file, empty if it cannot be read."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return ""
