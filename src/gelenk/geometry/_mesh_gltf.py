"""Reader of glTF files, text (.gltf) and binary (.glb).

The file's axes are kept as they are: no turn from the format's "y is up".
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from typing import Any, cast

import numpy as np

from gelenk.geometry._mesh_source import MeshPiece, MeshSource, placed
from gelenk.typing import ByteArray, FloatArray, IntArray

_JSON, _BIN = 0x4E4F534A, 0x004E4942  # kinds of chunks
_KINDS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_MAX_NODES, _MAX_DEPTH = 20_000, 200
_MAX_VALUES = 1_000_000  # of the text, outside of the buffers
_SQUEEZED = ("KHR_draco_mesh_compression", "EXT_meshopt_compression")


def read_gltf(source: MeshSource) -> list[MeshPiece]:
    """Return the triangles of a glTF file, placed by its scene."""
    text, blob = source.data, b""
    if text[:4] == b"glTF":
        text, blob = _chunks(source)
    if sum(text.count(mark) for mark in (b"[", b"{", b",")) > _MAX_VALUES:
        raise source.error(f"has more than {_MAX_VALUES} values")
    try:
        document: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise source.error(f"is no glTF file: {error}") from None
    if not isinstance(document, dict):
        raise source.error("is no glTF file: it holds no object")
    try:
        return _GltfReader(source, cast("dict[str, Any]", document), blob).pieces()
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, type(source.error(""))):
            raise
        kind = type(error).__name__
        raise source.error(f"is no whole glTF file: {kind}: {error}") from None


def _chunks(source: MeshSource) -> tuple[bytes, bytes]:
    """Return the text and the binary chunk of a GLB file."""
    text, blob, at = b"", b"", 12
    while at + 8 <= len(source.data):
        size = int.from_bytes(source.data[at : at + 4], "little")
        kind = int.from_bytes(source.data[at + 4 : at + 8], "little")
        if at + 8 + size > len(source.data):
            raise source.error("ends before a chunk does")
        chunk = source.data[at + 8 : at + 8 + size]
        if kind == _JSON and not text:
            text = chunk
        elif kind == _BIN and not blob:
            blob = chunk
        at += 8 + size
    return text, blob


def _whole(value: Any, most: int = 1 << 31) -> int:
    """Return a whole number from 0; anything else raises ValueError."""
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(f"expected a whole number from 0 to {most}, got {value!r:.40}")
    return value


def _row(value: Any, count: int) -> FloatArray:
    """Return so many finite numbers; anything else raises ValueError."""
    if not isinstance(value, list) or len(cast("list[Any]", value)) != count:
        raise ValueError(f"expected {count} numbers, got {value!r:.40}")
    row = np.array([float(x) for x in cast("list[Any]", value)])
    if not (np.abs(row) < 1e12).all():
        raise ValueError(f"expected finite numbers, got {value!r:.40}")
    return row


class _GltfReader:
    """The parts of a document."""

    def __init__(
        self, source: MeshSource, document: dict[str, Any], blob: bytes
    ) -> None:
        self.source, self.document, self.blob = source, document, blob
        self._buffers: dict[int, bytes] = {}
        self._meshes: dict[int, list[tuple[MeshPiece, int]]] = {}
        self._looks: dict[int, tuple[FloatArray | None, ByteArray | None]] = {}
        self._images: dict[int, ByteArray | None] = {}
        self._tables: dict[int, FloatArray] = {}
        self._visits = self._faces = self._rows = 0

    def _items(self, name: str) -> list[dict[str, Any]]:
        return self.document.get(name, [])

    def pieces(self) -> list[MeshPiece]:
        """Return all triangles, placed by the scene."""
        used = self.document.get("extensionsRequired", [])
        squeezed = [name for name in _SQUEEZED if name in used]
        if squeezed:
            raise self.source.error(
                f"is compressed with {squeezed[0]}, which is not read"
            )
        out: list[MeshPiece] = []
        scenes, nodes = self._items("scenes"), self._items("nodes")
        if scenes:
            roots = scenes[_whole(self.document.get("scene", 0))].get("nodes", [])
        else:
            inner = {child for node in nodes for child in node.get("children", [])}
            roots = [i for i in range(len(nodes)) if i not in inner]
        if not nodes:
            for i in range(len(self._items("meshes"))):
                self._place(i, np.eye(4), out)
        for root in roots:
            self._walk(_whole(root), np.eye(4), out, 0)
        return out

    def _walk(
        self, index: int, T: FloatArray, out: list[MeshPiece], depth: int
    ) -> None:
        self._visits += 1
        if self._visits > _MAX_NODES or depth > _MAX_DEPTH:
            raise self.source.error(
                "the scene has too many nodes, or they are too deep"
            )
        node = self._items("nodes")[index]
        T = T @ _pose(node)
        if "mesh" in node:
            self._place(_whole(node["mesh"]), T, out)
        for child in node.get("children", []):
            self._walk(_whole(child), T, out, depth + 1)

    def _place(self, index: int, T: FloatArray, out: list[MeshPiece]) -> None:
        if index not in self._meshes:
            shapes = self._items("meshes")[index].get("primitives", [])
            read = [self._primitive(shape) for shape in shapes]
            self._meshes[index] = [item for item in read if item is not None]
        for piece, material in self._meshes[index]:
            self._faces += len(piece.faces)
            self.source.check_count(self._faces)
            out.append(placed(piece, T, *self._look(material)))

    def _primitive(self, shape: dict[str, Any]) -> tuple[MeshPiece, int] | None:
        """Return the triangles of a primitive and the number of its material, or -1."""
        mode = shape.get("mode", _TRIANGLES)
        if mode not in (_TRIANGLES, _STRIP, _FAN):
            return None  # points or lines
        if any(name in shape.get("extensions", {}) for name in _SQUEEZED):
            raise self.source.error("is compressed, which is not read")
        parts: dict[str, Any] = shape["attributes"]
        vertices = self._accessor(_whole(parts["POSITION"]), 3)
        if "indices" in shape:
            index = self._accessor(_whole(shape["indices"]), 1)[:, 0].astype(np.int64)
        else:
            index = np.arange(len(vertices), dtype=np.int64)
        faces = _faces(index, mode)
        self.source.check_count(len(faces))
        if len(faces) and faces.max() >= len(vertices):
            raise self.source.error(
                f"a face names corner {faces.max()}, there are {len(vertices)}"
            )
        columns: dict[str, FloatArray] = {}
        for name, width in (("NORMAL", 3), ("TEXCOORD_0", 2)):
            if name in parts:
                rows = self._accessor(_whole(parts[name]), width)
                if len(rows) == len(vertices) and (np.abs(rows) < 1e6).all():
                    columns[name] = rows
        uv = columns.get("TEXCOORD_0")
        if uv is not None:
            uv = np.stack([uv[:, 0], 1.0 - uv[:, 1]], axis=1)  # there from upper left
        color: FloatArray | None = None
        if "COLOR_0" in parts:
            rows = self._accessor(_whole(parts["COLOR_0"]), 0)
            if len(rows) == len(vertices) and rows.shape[1] in (3, 4):
                color = np.ones((len(faces), 4))
                color[:, : rows.shape[1]] = np.nan_to_num(rows)[faces].mean(axis=1)
                color = _shown(np.clip(color, 0.0, 1.0))
        normals = columns.get("NORMAL")
        if len(vertices) > 3 * len(faces):  # corners of other primitives too
            used, places = np.unique(faces, return_inverse=True)
            faces, vertices = places.reshape(-1, 3), vertices[used]
            normals = None if normals is None else normals[used]
            uv = None if uv is None else uv[used]
        piece = MeshPiece(vertices, faces, normals, color, uv)
        material = shape.get("material")
        return piece, -1 if material is None else _whole(material)

    def _accessor(self, index: int, width: int) -> FloatArray:
        """Return the rows of an accessor; `width` 0 allows any."""
        if index not in self._tables:
            self._tables[index] = self._read_accessor(index)
        table = self._tables[index]
        if width and table.shape[1] != width:
            raise ValueError(f"accessor {index} has {table.shape[1]} columns")
        return table

    def _read_accessor(self, index: int) -> FloatArray:
        about = self._items("accessors")[index]
        count, kind = _whole(about["count"]), np.dtype(_KINDS[about["componentType"]])
        columns = _WIDTHS[about["type"]]
        self._rows += count
        self.source.check_rows(self._rows // 4, "rows of each kind")
        if "sparse" in about:
            raise self.source.error("has a sparse accessor, which is not read")
        if "bufferView" not in about:
            return np.zeros((count, columns))
        data, stride = self._view(_whole(about["bufferView"]))
        size = kind.itemsize * columns
        stride = stride or size
        start = _whole(about.get("byteOffset", 0))
        end = start + max(count - 1, 0) * stride + size
        if (count and end > len(data)) or stride < size:
            raise ValueError(f"accessor {index} reaches beyond its buffer")
        if not count:
            return np.zeros((0, columns))
        table = np.ndarray(
            (count, columns), kind, data, start, (stride, kind.itemsize)
        ).astype(np.float64)
        if about.get("normalized") and kind.kind in "iu":
            table = np.maximum(table / np.iinfo(kind).max, -1.0)
        return table

    def _view(self, index: int) -> tuple[bytes, int]:
        """Return the bytes of a buffer view, and the stride or 0."""
        view = self._items("bufferViews")[index]
        data = self._buffer(_whole(view["buffer"]))
        start, size = _whole(view.get("byteOffset", 0)), _whole(view["byteLength"])
        if start + size > len(data):
            raise ValueError(f"buffer view {index} reaches beyond its buffer")
        return data[start : start + size], _whole(view.get("byteStride", 0), 4096)

    def _buffer(self, index: int) -> bytes:
        if index not in self._buffers:
            uri = self._items("buffers")[index].get("uri")
            data = self.blob if uri is None else self._resource(uri, "the buffer")
            if data is None:
                raise self.source.error(f"its buffer {uri!r:.80} cannot be read")
            self._buffers[index] = data
        return self._buffers[index]

    def _resource(self, uri: Any, what: str) -> bytes | None:
        """Return what a URI holds: data in itself, or a file beside the mesh."""
        if not isinstance(uri, str):
            raise ValueError("a URI must be a text")
        if uri.startswith("data:"):
            try:
                return base64.b64decode(uri.partition(",")[2], validate=True)
            except binascii.Error:
                raise ValueError("a data URI is damaged") from None
        if "://" in uri:
            self.source.warn(f"{what} {uri!r:.80} is not a file; it is not read")
            return None
        return self.source.read_beside(uri, what)

    # -- materials -----------------------------------------------------------------

    def _look(self, index: int) -> tuple[FloatArray | None, ByteArray | None]:
        if index < 0:
            return None, None
        if index not in self._looks:
            about = self._items("materials")[index].get("pbrMetallicRoughness", {})
            factor = _row(about.get("baseColorFactor", [1.0] * 4), 4)
            color = _shown(np.clip(factor, 0.0, 1.0))
            if self._items("materials")[index].get("alphaMode", "OPAQUE") == "OPAQUE":
                color[3] = 1.0
            link = about.get("baseColorTexture")
            image = None if link is None else self._image(_whole(link["index"]))
            self._looks[index] = color, image
        return self._looks[index]

    def _image(self, texture: int) -> ByteArray | None:
        index = self._items("textures")[texture].get("source")
        if index is None:
            return None
        index = _whole(index)
        if index not in self._images:
            about = self._items("images")[index]
            if "bufferView" in about:
                data: bytes | None = self._view(_whole(about["bufferView"]))[0]
            else:
                data = self._resource(about.get("uri"), "the texture")
            self._images[index] = self.source.image(data, f"number {index}")
        return self._images[index]


def _pose(node: dict[str, Any]) -> FloatArray:
    """Return the transform of a scene node, shape (4, 4)."""
    if "matrix" in node:
        return _row(node["matrix"], 16).reshape(4, 4).T
    T = np.eye(4)
    x, y, z, w = _row(node.get("rotation", [0.0, 0.0, 0.0, 1.0]), 4)
    length = math.sqrt(x * x + y * y + z * z + w * w)
    if length > 0.0:
        x, y, z, w = x / length, y / length, z / length, w / length
        K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        T[:3, :3] += 2.0 * (w * K + K @ K)
    T[:3, :3] *= _row(node.get("scale", [1.0] * 3), 3)
    T[:3, 3] = _row(node.get("translation", [0.0] * 3), 3)
    return T


def _faces(index: IntArray, mode: int) -> IntArray:
    """Return the triangles of a list, a strip or a fan of corners, shape (m, 3)."""
    if mode == _TRIANGLES:
        return index[: len(index) // 3 * 3].reshape(-1, 3)
    count = max(len(index) - 2, 0)
    step = np.arange(count)[:, None]
    if mode == _FAN:
        return index[np.concatenate([0 * step, step + 1, step + 2], axis=1)]
    corners = step + np.arange(3)
    corners[1::2] = corners[1::2][:, [1, 0, 2]]
    return index[corners]


def _shown(color: FloatArray) -> FloatArray:
    """Return linear light as the values of a picture (sRGB); opacity stays."""
    out = np.array(color)
    light = out[..., :3]
    low, high = 12.92 * light, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055
    out[..., :3] = np.where(light <= 0.0031308, low, high)
    return out
