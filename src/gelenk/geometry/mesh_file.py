"""Reader of mesh files."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gelenk.errors import FileFormatError
from gelenk.geometry.mesh import Mesh


def read_mesh(path: str | Path) -> Mesh:
    """Return the triangles of a mesh file.

    Args:
        path: File of the mesh.

    Raises:
        FileFormatError: If the file cannot be read as a mesh.
    """
    path = Path(path)
    if path.suffix.lower() != ".stl":
        raise FileFormatError(path, f"no reader for {path.suffix!r}")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileFormatError(path, f"cannot be read: {error.strerror}") from error
    count = int.from_bytes(data[80:84], "little")
    kind = np.dtype([("n", "<f4", 3), ("p", "<f4", (3, 3)), ("a", "<u2")])
    if len(data) < 84 + count * kind.itemsize:
        raise FileFormatError(path, f"ends before its {count} triangles do")
    corners = np.frombuffer(data, kind, count, 84)["p"].astype(np.float64)
    vertices, faces = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    return Mesh(vertices=vertices, faces=faces.reshape(-1, 3).astype(np.int64))
