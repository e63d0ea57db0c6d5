"""Reader of OBJ files with their materials."""

from __future__ import annotations

import numpy as np

from gelenk.geometry._mesh_source import MeshPiece, MeshSource
from gelenk.geometry._mesh_text import count_obj, read_obj
from gelenk.geometry._mesh_topology import merge_rows
from gelenk.typing import ByteArray, FloatArray, IntArray

_MAX_MATERIALS = 10_000


def read_obj_file(source: MeshSource) -> list[MeshPiece]:
    """Return the triangles of an OBJ file, one piece per material."""
    text = source.data
    if b"\\\n" in text or b"\\\r\n" in text:
        text = text.replace(b"\\\r\n", b"   ").replace(b"\\\n", b"  ")
    data = np.frombuffer(text, dtype=np.uint8)
    k, places, n, m, o = count_obj(data)
    if not k:
        raise source.error("is no OBJ file: there is no line with `v`")
    source.check_count(m)
    source.check_rows(max(k, places, n), "corners")
    source.check_rows(o, "lines of other kinds")
    corners, uv, normals = np.empty((k, 3)), np.zeros((places, 2)), np.empty((n, 3))
    triangles = np.empty((m, 3, 3), dtype=np.int64)
    others = np.empty((o, 2), dtype=np.int64)
    wrong = int(read_obj(data, corners, uv, normals, triangles, others))
    if wrong >= 0:
        words = text[wrong : wrong + 60].split(b"\n")[0].decode(errors="replace")
        raise source.error(f"cannot read {words!r}", line=source.line_of(wrong))
    for i, (name, count) in enumerate(
        (("corner", k), ("texture", places), ("normal", n))
    ):
        largest = int(triangles[:, :, i].max(initial=-1))
        if largest >= count:
            raise source.error(
                f"a face names {name} {largest + 1}, but there are {count}"
            )
    materials, spans = _materials(source, text, others, m)
    pieces: list[MeshPiece] = []
    for name, chosen in spans.items():
        color, texture = materials.get(name, (None, None))
        rows = triangles[chosen]
        pieces.append(_piece(corners, uv, normals, rows, color, texture))
    return pieces


def _piece(
    corners: FloatArray,
    uv: FloatArray,
    normals: FloatArray,
    rows: IntArray,
    color: FloatArray | None,
    texture: ByteArray | None,
) -> MeshPiece:
    """Return the triangles of one material; a corner is one if all of it is equal."""
    rows = rows.reshape(-1, 3)
    has_uv = len(rows) > 0 and bool((rows[:, 1] >= 0).all())
    has_normals = len(rows) > 0 and bool((rows[:, 2] >= 0).all())
    columns = [0, *([1] if has_uv else []), *([2] if has_normals else [])]
    firsts, number = merge_rows(np.ascontiguousarray(rows[:, columns]))
    used = rows[firsts]
    directions: FloatArray | None = None
    if has_normals:
        directions = normals[used[:, 2]]
        length = np.linalg.norm(directions, axis=1, keepdims=True)
        is_usable = np.isfinite(length).all() and (length > 1e-12).all()
        directions = directions / length if is_usable else None
    places = uv[used[:, 1]] if has_uv else None
    if places is not None and not (np.abs(places) < 1e6).all():
        places = None
    return MeshPiece(
        vertices=corners[used[:, 0]],
        faces=number.reshape(-1, 3).astype(np.int64),
        normals=directions,
        color=color,
        uv=places,
        texture=texture if has_uv else None,
    )


_Material = tuple[FloatArray | None, ByteArray | None]


def _materials(
    source: MeshSource, text: bytes, others: IntArray, count: int
) -> tuple[dict[str, _Material], dict[str, IntArray]]:
    """Return the materials by name, and the triangles that each of them covers."""
    found: dict[str, _Material] = {}
    changes: list[tuple[int, str]] = [(0, "")]
    libraries: list[str] = []
    for start, triangle in others.tolist():
        if text[start : start + 7] not in (
            b"usemtl ",
            b"usemtl\t",
            b"mtllib ",
            b"mtllib\t",
        ):
            continue
        stop = text.find(b"\n", start, start + 1024)
        line = text[start + 7 : stop if stop >= 0 else start + 1024]
        name = line.decode(errors="replace").strip()
        if text[start : start + 6] == b"usemtl":
            changes.append((triangle, name))
        elif name not in libraries and len(libraries) < 32:
            libraries.append(name)
    for library in libraries:
        data = source.read_beside(library, "the material file")
        if data is not None:
            found |= _read_mtl(source, data)
    which: dict[str, int] = {}
    label = np.empty(count, dtype=np.int64)
    for (first, name), (last, _) in zip(
        changes, [*changes[1:], (count, "")], strict=True
    ):
        label[first:last] = which.setdefault(name, len(which))
        if len(which) > _MAX_MATERIALS:
            raise source.error(f"uses more than {_MAX_MATERIALS} materials")
    order = np.argsort(label, kind="stable")
    ends = np.searchsorted(label[order], np.arange(len(which) + 1))
    spans = {name: order[ends[i] : ends[i + 1]] for name, i in which.items()}
    return found, {name: chosen for name, chosen in spans.items() if len(chosen)}


def _read_mtl(source: MeshSource, data: bytes) -> dict[str, _Material]:
    """Return colour and texture of the materials of an MTL file."""
    colors: dict[str, FloatArray] = {}
    names: dict[str, str] = {}
    name = ""
    for line in data.decode(errors="replace").splitlines():
        words = line.split()
        if len(words) < 2:
            continue
        key, values = words[0].lower(), words[1:]
        if key == "newmtl":
            name = line.split(None, 1)[1].strip()
            if len(colors) >= _MAX_MATERIALS:
                break
            colors.setdefault(name, np.array([0.8, 0.8, 0.8, 1.0]))
        elif name and key == "kd":
            numbers = [_share(word) for word in values[:3]]
            if len(numbers) == 3:
                colors[name][:3] = numbers
        elif name and key == "d":
            colors[name][3] = _share(values[-1])
        elif name and key == "tr":
            colors[name][3] = 1.0 - _share(values[-1], 0.0)
        elif name and key == "map_kd":
            names[name] = _texture_name(line.split(None, 1)[1].strip())
    images: dict[str, ByteArray | None] = {}
    out: dict[str, _Material] = {}
    for name, color in colors.items():
        if color[3] == 0.0:  # written by programs that mean the opposite
            color[3] = 1.0
        file = names.get(name, "")
        if file and file not in images and len(images) < 64:
            data_of = source.read_beside(file, "the texture")
            images[file] = source.image(data_of, file)
        texture = images.get(file)
        if texture is not None:
            color[:3] = 1.0
        out[name] = (color, texture)
    return out


def _texture_name(words: str) -> str:
    """Return the file of a `map_Kd` without its options."""
    parts = words.split()
    i = 0
    while i < len(parts) - 1 and parts[i].startswith("-"):
        i += 1
        while i < len(parts) - 1 and (
            parts[i] in ("on", "off")
            or parts[i].lstrip("+-").replace(".", "", 1).isdigit()
        ):
            i += 1
    return " ".join(parts[i:]) if parts[0].startswith("-") else words


def _share(word: str, default: float = 0.8) -> float:
    try:
        value = float(word)
    except ValueError:
        return default
    return min(max(value, 0.0), 1.0) if value == value else default
