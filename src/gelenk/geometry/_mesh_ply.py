"""Reader of PLY meshes, text and binary, with colours."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gelenk.geometry._mesh_source import MAX_NUMBERS, MeshPiece, MeshSource
from gelenk.geometry._mesh_text import read_ply_lists
from gelenk.typing import ByteArray, FloatArray, IntArray

_TYPES = {
    "char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1",
    "short": "i2", "int16": "i2", "ushort": "u2", "uint16": "u2",
    "int": "i4", "int32": "i4", "uint": "u4", "uint32": "u4",
    "float": "f4", "float32": "f4", "double": "f8", "float64": "f8",
}  # fmt: skip
_ORDERS = {"binary_little_endian": "<", "binary_big_endian": ">", "ascii": "="}
_COLORS = ("red", "green", "blue")
_PLACES = (("s", "t"), ("u", "v"), ("texture_u", "texture_v"))
_WANTED = {
    "x",
    "y",
    "z",
    "alpha",
    *_COLORS,
    *(name for pair in _PLACES for name in pair),
}
_MAX_HEAD = 64 * 1024  # [byte]


@dataclass(slots=True, eq=False)
class _Element:
    """Rows of a PLY file: name, count, and (name, type, type of a list's length)."""

    name: str
    count: int
    fields: list[tuple[str, str, str]] = field(
        default_factory=list[tuple[str, str, str]]
    )


def read_ply(source: MeshSource) -> list[MeshPiece]:
    """Return the triangles of a PLY file; polygons become fans."""
    order, elements, at = _read_head(source)
    body = source.data[at:]
    if order == "=":
        return _from_tables(source, elements, *_text_tables(source, elements, body))
    return _from_tables(
        source, elements, *_binary_tables(source, elements, body, order)
    )


def _read_head(source: MeshSource) -> tuple[str, list[_Element], int]:
    """Return byte order ("=": text), elements, and where the rows begin."""
    head = source.data[:_MAX_HEAD]
    end = head.find(b"end_header")
    after = head.find(b"\n", end) + 1
    if not head.startswith(b"ply") or end < 0 or after <= 0:
        raise source.error("is no PLY file: `ply` ... `end_header` is missing")
    order = ""
    elements: list[_Element] = []
    lines = head[:end].decode("ascii", errors="replace").splitlines()
    for number, line in enumerate(lines, start=1):
        match line.split():
            case ["format", name, *_]:
                order = _ORDERS.get(name, "")
            case ["element", name, count] if count.isascii() and count.isdigit():
                if len(count) > 10 or int(count) > len(source.data):
                    problem = f"{count} rows cannot be in a file of this size"
                    raise source.error(problem, line=number)
                source.check_rows(int(count), "rows")
                elements.append(_Element(name, int(count)))
            case ["property", "list", length, kind, name] if elements:
                if length in _TYPES and kind in _TYPES and _TYPES[length][0] != "f":
                    row = (name, _TYPES[kind], _TYPES[length])
                    elements[-1].fields.append(row)
                    continue
                raise source.error(f"cannot read {line!r:.80}", line=number)
            case ["property", kind, name] if elements and kind in _TYPES:
                elements[-1].fields.append((name, _TYPES[kind], ""))
            case ["element" | "property", *_]:
                raise source.error(f"cannot read {line!r:.80}", line=number)
            case _:
                continue
    if not order:
        raise source.error("names no format that is known")
    names = [element.name for element in elements]
    if "vertex" not in names or "face" not in names:
        raise source.error("has no corners or no faces")
    return order, elements, after


_Tables = tuple[dict[str, dict[str, FloatArray]], IntArray, IntArray]


def _binary_tables(
    source: MeshSource, elements: list[_Element], body: bytes, order: str
) -> _Tables:
    """Return columns by element, triangles, and the face that each belongs to."""
    tables: dict[str, dict[str, FloatArray]] = {}
    triangles, owners = np.empty((0, 3), np.int64), np.empty(0, np.int64)
    data = np.frombuffer(body, dtype=np.uint8)
    at = 0
    for element in elements:
        lists = [row for row in element.fields if row[2]]
        if not lists:
            kind = np.dtype(
                [
                    (f"{i}", order + code)
                    for i, (_, code, _) in enumerate(element.fields)
                ]
            )
            size = element.count * kind.itemsize
            if len(body) - at < size:
                raise source.error(f"ends before its {element.count} rows do")
            rows = np.frombuffer(body, kind, element.count, at)
            tables[element.name] = {
                name: rows[f"{i}"].astype(np.float64)
                for i, (name, _, _) in enumerate(element.fields)
                if name in _WANTED
            }
            at += size
        elif element.name != "vertex":
            found = _binary_lists(source, element, data, at, order)
            columns, corners, owner, at = found
            if element.name == "face":
                tables["face"], triangles, owners = columns, corners, owner
        else:
            raise source.error("a corner cannot have a list", element="vertex")
    return tables, triangles, owners


def _binary_lists(
    source: MeshSource, element: _Element, data: ByteArray, at: int, order: str
) -> tuple[dict[str, FloatArray], IntArray, IntArray, int]:
    """Return columns, triangles, their faces, and where the rows end."""
    index = [i for i, row in enumerate(element.fields) if row[2]]
    faces = [i for i in index if element.fields[i][0].startswith("vertex_ind")]
    chosen = faces[0] if faces else index[0]
    table = np.array(
        [
            (_code(length) if length else -1, _code(kind), i == chosen)
            for i, (_, kind, length) in enumerate(element.fields)
        ],
        dtype=np.int64,
    )
    size = (min(len(data), source.max_faces + 1), 3)
    triangles, owners = np.empty(size, np.int64), np.empty(size[0], np.int64)
    if element.count * len(element.fields) > MAX_NUMBERS:
        raise source.error("has more values than are read", element=element.name)
    plain = np.zeros((element.count, len(element.fields)))
    is_swapped = order == ">"
    count, after = read_ply_lists(
        data, at, element.count, table, is_swapped, triangles, owners, plain
    )
    if count < 0:
        raise source.error("a face is wrong, or the file ends before its rows do")
    source.check_count(int(count))
    columns = {
        name: plain[:, i]
        for i, (name, _, length) in enumerate(element.fields)
        if not length
    }
    return columns, triangles[:count].copy(), owners[:count].copy(), int(after)


def _code(kind: str) -> int:
    return ("i1", "u1", "i2", "u2", "i4", "u4", "f4", "f8").index(kind)


def _text_tables(source: MeshSource, elements: list[_Element], body: bytes) -> _Tables:
    """Return columns by element, triangles, and the face that each belongs to."""
    tables: dict[str, dict[str, FloatArray]] = {}
    triangles, owners = np.empty((0, 3), np.int64), np.empty(0, np.int64)
    numbers = source.all_numbers(body)
    at = 0
    for element in elements:
        width = len(element.fields)
        lists = [i for i, row in enumerate(element.fields) if row[2]]
        if not lists:
            rows = numbers[at : at + element.count * width]
            if len(rows) < element.count * width:
                raise source.error(f"ends before its {element.count} rows do")
            rows = rows.reshape(element.count, width)
            names = [name for name, _, _ in element.fields]
            tables[element.name] = {name: rows[:, i] for i, name in enumerate(names)}
            at += rows.size
            continue
        # The same rows as doubles: the reader of binary lists serves both.
        double = _Element(
            element.name,
            element.count,
            [
                (name, "f8", "f8" if length else "")
                for name, _, length in element.fields
            ],
        )
        found = _binary_lists(source, double, numbers[at:].view(np.uint8), 0, "<")
        columns, corners, owner, size = found
        at += size // 8
        if element.name == "face":
            tables["face"], triangles, owners = columns, corners, owner
    return tables, triangles, owners


def _from_tables(
    source: MeshSource,
    elements: list[_Element],
    tables: dict[str, dict[str, FloatArray]],
    triangles: IntArray,
    owners: IntArray,
) -> list[MeshPiece]:
    corners = tables["vertex"]
    if not all(name in corners for name in ("x", "y", "z")):
        raise source.error("has no x, y and z", element="vertex")
    vertices = np.stack([corners[name] for name in ("x", "y", "z")], axis=1)
    if len(triangles) and not (0 <= triangles.min() <= triangles.max() < len(vertices)):
        raise source.error(f"a face names a corner that is not among {len(vertices)}")
    kinds = {(e.name, name): kind for e in elements for name, kind, _ in e.fields}
    color: FloatArray | None = None
    if all(name in tables.get("face", {}) for name in _COLORS):
        color = _colors(tables["face"], kinds["face", "red"])[owners]
    elif all(name in corners for name in _COLORS):
        color = _colors(corners, kinds["vertex", "red"])[triangles].mean(axis=1)
    uv: FloatArray | None = None
    for names in _PLACES:
        if all(name in corners for name in names):
            uv = np.stack([corners[name] for name in names], axis=1)
            uv = uv if (np.abs(uv) < 1e6).all() else None
    return [MeshPiece(vertices=vertices, faces=triangles, color=color, uv=uv)]


def _colors(columns: dict[str, FloatArray], kind: str) -> FloatArray:
    full = {"u1": 255.0, "u2": 65535.0}.get(kind, 1.0)
    parts = [columns[name] / full for name in _COLORS]
    parts.append(
        columns["alpha"] / full if "alpha" in columns else np.ones(len(parts[0]))
    )
    return np.nan_to_num(np.clip(np.stack(parts, axis=1), 0.0, 1.0))
