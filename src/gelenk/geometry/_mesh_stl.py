"""Reader of STL files, binary and text.

Colours that some programs hide in the tags of triangles are left aside: robot files are
made with tools that do not show them, and hold leftovers.
"""

from __future__ import annotations

import numpy as np

from gelenk.geometry._mesh_source import MeshPiece, MeshSource
from gelenk.geometry._mesh_text import read_stl_text
from gelenk.geometry._mesh_topology import merge_rows
from gelenk.typing import FloatArray, IntArray

_HEAD = 84  # [byte]
_FEW = 3000  # corners
_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("tag", "<u2")])


def read_stl(source: MeshSource) -> list[MeshPiece]:
    """Return the triangles of an STL file; equal corners are one."""
    data = source.data
    count = int.from_bytes(data[80:_HEAD], "little")
    whole = _HEAD + count * _TRIANGLE.itemsize
    # Many binary files begin with "solid" as text does; their length gives them away.
    if len(data) >= _HEAD and whole == len(data):
        corners = _binary(source, count)
    elif data[:1024].lstrip()[:5].lower() == b"solid" and b"facet" in data[:4096]:
        corners = _text(source)
    elif len(data) > whole >= _HEAD:  # some programs add bytes at the end
        corners = _binary(source, count)
    else:
        raise source.error(
            f"is no STL file: its head tells of {count} triangles, {whole} bytes, but "
            f"it has {len(data)}"
        )
    if not np.isfinite(corners).all():
        raise source.error("a corner is not finite")
    firsts, number = _merged((corners + 0.0).view(np.int64))  # no -0.0
    return [MeshPiece(vertices=corners[firsts], faces=number.reshape(-1, 3))]


def _merged(rows: IntArray) -> tuple[IntArray, IntArray]:
    """Return the result of `merge_rows`; that of few rows without compiled code.

    Most shapes to collide with are small: a process that reads only such, and larger
    ones that were kept, never starts the compiler, which takes as long as all the rest.
    """
    if len(rows) > _FEW:
        return merge_rows(rows)
    data, size = rows.tobytes(), 8 * rows.shape[1]
    keys = [data[i : i + size] for i in range(0, len(data), size)]
    firsts: dict[bytes, int] = {}
    for i, key in enumerate(keys):
        firsts.setdefault(key, i)
    places = {key: k for k, key in enumerate(firsts)}
    number = np.array([places[key] for key in keys], dtype=np.int64)
    return np.array(list(firsts.values()), dtype=np.int64), number


def _binary(source: MeshSource, count: int) -> FloatArray:
    source.check_count(count)
    table = np.frombuffer(source.data, _TRIANGLE, count, _HEAD)
    return table["corners"].astype(np.float64).reshape(-1, 3)


def _text(source: MeshSource) -> FloatArray:
    data = np.frombuffer(source.data, dtype=np.uint8)
    # "vertex", the shortest triple of numbers, and the gaps between them.
    out = np.empty((len(data) // 13 + 1, 3))
    count = read_stl_text(data, out)
    if count < 0:
        line = source.line_of(-1 - count)
        raise source.error("`vertex` needs three numbers", line=line)
    if count % 3:
        raise source.error(f"has {count} corners, which is no multiple of three")
    source.check_count(count // 3)
    return out[:count].copy()
