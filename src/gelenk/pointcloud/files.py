"""Point clouds in PLY files, text or binary."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gelenk.errors import FileFormatError
from gelenk.pointcloud.cloud import PointCloud
from gelenk.typing import FloatArray

_PLACES, _COLORS = ("x", "y", "z"), ("red", "green", "blue")
_TYPES = {
    "char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1",
    "short": "i2", "int16": "i2", "ushort": "u2", "uint16": "u2",
    "int": "i4", "int32": "i4", "uint": "u4", "uint32": "u4",
    "float": "f4", "float32": "f4", "double": "f8", "float64": "f8",
}  # fmt: skip
_ORDERS = {"binary_little_endian": "<", "binary_big_endian": ">", "ascii": "="}


def save_cloud(cloud: PointCloud, path: str | Path, *, is_binary: bool = True) -> None:
    """Write a cloud as PLY: places as double [m], colours in 8 bits.

    Args:
        cloud: The points.
        path: File to write.
        is_binary: Little-endian numbers, else text with 17 digits; both keep places
            to the last bit.

    Example:
        >>> import numpy as np
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from gelenk.pointcloud import PointCloud, load_cloud, save_cloud
        >>> cloud = PointCloud(points=np.eye(3))
        >>> with TemporaryDirectory() as folder:
        ...     save_cloud(cloud, Path(folder) / "cloud.ply")
        ...     again = load_cloud(Path(folder) / "cloud.ply")
        >>> again.points.shape
        (3, 3)
    """
    fields = [(name, "<f8") for name in _PLACES]
    header = ["ply", f"format {'binary_little_endian' if is_binary else 'ascii'} 1.0"]
    header += [f"element vertex {len(cloud)}"]
    header += [f"property double {name}" for name in _PLACES]
    if cloud.colors is not None:
        fields += [(name, "u1") for name in _COLORS]
        header += [f"property uchar {name}" for name in _COLORS]
    rows = np.zeros(len(cloud), dtype=fields)
    for k, name in enumerate(_PLACES):
        rows[name] = cloud.points[:, k]
    if cloud.colors is not None:
        for k, name in enumerate(_COLORS):
            rows[name] = np.round(255.0 * cloud.colors[:, k])
    text = "\n".join([*header, "end_header", ""])
    if is_binary:
        body = rows.tobytes()
    else:
        lines = (" ".join(repr(value.item()) for value in row) for row in rows)
        body = "".join(f"{line}\n" for line in lines).encode()
    Path(path).write_bytes(text.encode() + body)


def load_cloud(path: str | Path) -> PointCloud:
    """Return the vertices of a PLY file, with their colours if they have some.

    Other properties and elements after the vertices are passed over.

    Args:
        path: Path of the file.

    Raises:
        FileFormatError: If it is no PLY file, or has no places.

    Example:
        >>> import numpy as np
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from gelenk.pointcloud import PointCloud, load_cloud, save_cloud
        >>> cloud = PointCloud(points=np.eye(3))
        >>> with TemporaryDirectory() as folder:
        ...     save_cloud(cloud, Path(folder) / "cloud.ply")
        ...     again = load_cloud(Path(folder) / "cloud.ply")
        >>> again.points.shape
        (3, 3)
    """
    data = Path(path).read_bytes()
    mark = b"end_header"
    end = data.find(mark)
    if not data.startswith(b"ply") or end < 0:
        raise FileFormatError(path, "is no PLY file: `ply` ... `end_header` is missing")
    header = data[:end].decode("ascii", errors="replace").splitlines()
    body = data[data.index(b"\n", end) + 1 :]
    order, count, fields = _read_header(header, path)
    names = [name for name, _ in fields]
    if not all(name in names for name in _PLACES):
        raise FileFormatError(path, "has no x, y and z", element="element vertex")
    if order == "=":
        lines = body.decode("ascii", errors="replace").splitlines()[:count]
        rows = np.array([line.split()[: len(names)] for line in lines], dtype=float)
        table = dict(zip(names, rows.reshape(count, len(names)).T, strict=True))
    else:
        kind = np.dtype([(name, order + code) for name, code in fields])
        if len(body) < count * kind.itemsize:
            raise FileFormatError(path, f"ends before its {count} vertices do")
        rows = np.frombuffer(body, dtype=kind, count=count)
        table = {name: rows[name].astype(float) for name in names}
    colors: FloatArray | None = None
    if all(name in names for name in _COLORS):
        full = 255.0 if dict(fields)["red"] == "u1" else 1.0
        colors = np.column_stack([table[name] for name in _COLORS]) / full
    points = np.column_stack([table[name] for name in _PLACES])
    return PointCloud(points=points, colors=colors)


def _read_header(
    lines: list[str], path: str | Path
) -> tuple[str, int, list[tuple[str, str]]]:
    """Return byte order ("=": text), number of vertices, and name and type of each."""
    order, count, fields, element = "", -1, [], ""
    for number, line in enumerate(lines, start=1):
        words = line.split()
        if words[:1] == ["format"]:
            order = _ORDERS.get(words[1] if len(words) > 1 else "", "")
        elif words[:1] == ["element"] and len(words) == 3:
            if not element and words[1] != "vertex":
                raise FileFormatError(path, "vertices must come first", line=number)
            element = words[1]
            count = int(words[2]) if element == "vertex" else count
        elif words[:1] == ["property"] and element == "vertex":
            if words[1] not in _TYPES:
                problem = f"a vertex cannot have a {words[1]!r}"
                raise FileFormatError(path, problem, line=number)
            fields.append((words[-1], _TYPES[words[1]]))
    if not order or count < 0:
        raise FileFormatError(path, "names no format that is known, or no vertices")
    return order, count, fields
