"""Reader of mesh files: STL, OBJ, DAE, glTF and PLY, cached in memory and on disk.

What a mesh file names (materials, textures) is read only from the folder of the mesh
and below; the rest is left out with a warning.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from gelenk.errors import FileFormatError
from gelenk.geometry._mesh_cache import MeshStore
from gelenk.geometry._mesh_dae import read_dae
from gelenk.geometry._mesh_gltf import read_gltf
from gelenk.geometry._mesh_kept import find_kept, keep
from gelenk.geometry._mesh_obj import read_obj_file
from gelenk.geometry._mesh_ply import read_ply
from gelenk.geometry._mesh_source import MeshPiece, MeshSource, join_pieces
from gelenk.geometry._mesh_stl import read_stl
from gelenk.geometry.mesh import Mesh

MAX_FACES = 2_000_000
MAX_BYTES = 128 * 1024 * 1024

_READERS: dict[str, Callable[[MeshSource], list[MeshPiece]]] = {
    ".stl": read_stl,
    ".obj": read_obj_file,
    ".dae": read_dae,
    ".glb": read_gltf,
    ".gltf": read_gltf,
    ".ply": read_ply,
}
_THREADS = 8
_meshes = MeshStore(512 * 1024 * 1024)


def read_mesh(
    path: str | Path,
    *,
    max_faces: int = MAX_FACES,
    max_bytes: int = MAX_BYTES,
    folder: str | Path | None = None,
) -> Mesh:
    """Return the triangles of a mesh file, with colours and texture where it has them.

    Known are STL and PLY (binary and text), OBJ with its materials, DAE (COLLADA) with
    scene, unit and materials, and glTF (.glb, .gltf). Coordinates are taken as the file
    has them, in metres where it states a unit; no axis is turned up. A file that was
    read before and has not changed comes from memory, or from the disk.

    Args:
        path: File of the mesh.
        max_faces: Largest number of triangles that is read.
        max_bytes: Largest size of the file that is read [byte].
        folder: Folder outside of which no material or texture is read; by default that
            of the mesh.

    Raises:
        FileFormatError: If there is no such file, it is no whole mesh, or too large.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from gelenk.geometry import read_mesh
        >>> with TemporaryDirectory() as name:
        ...     file = Path(name) / "plate.obj"
        ...     lines = "v 0 0 0", "v 1 0 0", "v 1 1 0", "v 0 1 0", "f 1 2 3 4"
        ...     _ = file.write_text(chr(10).join(lines))
        ...     len(read_mesh(file).faces)
        2
    """
    path = Path(path)
    home = path.parent if folder is None else Path(folder)
    key = (_stamp(path), max_faces, max_bytes, str(home))
    found = _meshes.get(key)
    if found is not None and all(_stamp(item) == stamp for item, stamp in found[1]):
        return found[0]
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        known = ", ".join(_READERS)
        raise FileFormatError(
            path, f"no reader for {path.suffix!r:.20}", remedy=f"known are {known}"
        )
    source = MeshSource(path, _read(path, max_bytes), max_faces, home)
    mesh = find_kept(source)
    if mesh is None:
        with np.errstate(all="ignore"):  # of damaged files; the checks find them
            mesh = join_pieces(reader(source), source)
        keep(source, mesh)
    _meshes.put(key, (mesh, [(item, _stamp(item)) for item in source.beside]), mesh)
    return mesh


def read_meshes(paths: Sequence[str | Path]) -> list[Mesh | FileFormatError]:
    """Return the meshes of several files, read in parallel.

    Args:
        paths: Files of the meshes.

    Returns:
        One entry per file: the mesh, or the error that `read_mesh` would raise.
    """

    def read(path: str | Path) -> Mesh | FileFormatError:
        try:
            return read_mesh(path)
        except FileFormatError as error:
            return error

    unique = list(dict.fromkeys(paths))
    if len(unique) < 2:
        return [read(path) for path in paths]
    count = min(len(unique), _THREADS, os.cpu_count() or 1)
    with ThreadPoolExecutor(count) as pool:
        found = dict(zip(unique, pool.map(read, unique), strict=True))
    return [found[path] for path in paths]


def _read(path: Path, max_bytes: int) -> bytes:
    """Return what a file holds."""
    try:
        if not path.is_file():
            problem = "is no file" if path.exists() else "does not exist"
            raise FileFormatError(path, problem, remedy="correct the name of the mesh")
        with path.open("rb") as stream:
            data = stream.read(max_bytes + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, FileFormatError):
            raise
        raise FileFormatError(path, f"cannot be read: {error}") from None
    if len(data) > max_bytes:
        raise FileFormatError(
            path,
            f"is larger than {max_bytes} bytes",
            remedy="thin it in a mesh editor, or pass a larger `max_bytes`",
        )
    return data


def _stamp(path: Path) -> tuple[str, int, int]:
    """Return what changes when a file changes."""
    try:
        about = path.stat()
    except (OSError, ValueError):
        return str(path), -1, -1
    return str(path.absolute()), about.st_mtime_ns, about.st_size
