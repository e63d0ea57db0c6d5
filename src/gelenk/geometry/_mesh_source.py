"""Base of the mesh readers: limits, files beside a mesh, images, pieces of a mesh."""

from __future__ import annotations

import logging
import struct
import urllib.parse
import warnings
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath

import numpy as np

from gelenk.errors import FileFormatError
from gelenk.geometry._mesh_text import count_words, read_numbers
from gelenk.geometry.mesh import Mesh
from gelenk.typing import ByteArray, FloatArray, IntArray

logger = logging.getLogger(__name__)

MAX_COORDINATE = 1e9  # [m]
MAX_NUMBERS = 30_000_000  # of a text
MAX_PIXELS = 4096 * 4096  # of a texture
_MAX_SIDE = 2048  # [px], of a texture that is kept
_MAX_BESIDE = 64 * 1024 * 1024  # [byte], of a file that a mesh names
_MAX_PIECES = 20_000
_WHITE = np.full(4, 255, dtype=np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class MeshPiece:
    """Part of a mesh with one material.

    Attributes:
        vertices: Corners [m], shape (n, 3).
        faces: Corners of each triangle, shape (m, 3).
        normals: Unit normals at the corners, shape (n, 3), or None.
        color: Red, green, blue and opacity in [0, 1], or one row per face, or None.
        uv: Places of the corners in the texture, from its lower left, (n, 2), or None.
        texture: Image (height, width, 3 or 4), or None.
    """

    vertices: FloatArray
    faces: IntArray
    normals: FloatArray | None = None
    color: FloatArray | None = None
    uv: FloatArray | None = None
    texture: ByteArray | None = None


@dataclass(slots=True, eq=False)
class MeshSource:
    """File of a mesh while it is read.

    Attributes:
        path: File of the mesh.
        data: Content of the file.
        max_faces: Largest number of triangles.
        folder: Folder outside of which nothing is read.
        has_warned: True if something was left out with a warning.
        beside: Files that the mesh names and that were looked for.
    """

    path: Path
    data: bytes
    max_faces: int
    folder: Path
    has_warned: bool = False
    beside: list[Path] = field(default_factory=list[Path])

    def error(
        self, problem: str, *, element: str = "", line: int | None = None
    ) -> FileFormatError:
        """Return the error that names the file; the caller raises it."""
        return FileFormatError(
            self.path,
            problem,
            element=element,
            line=line,
            remedy="export the mesh anew, or convert it with another program",
        )

    def line_of(self, byte: int) -> int:
        """Return the number of the line of a byte, from 1."""
        return self.data.count(b"\n", 0, byte) + 1

    def warn(self, message: str) -> None:
        """Tell what is left out."""
        self.has_warned = True
        warnings.warn(f"{self.path}: {message}", stacklevel=2)

    def check_rows(self, rows: int, what: str) -> None:
        """Raise FileFormatError if there is more of something than a mesh can need."""
        most = 3 * self.max_faces + 1000
        if rows > most:
            raise self.error(f"has {rows} {what}, at most {most} are read")

    def check_count(self, faces: int) -> None:
        """Raise FileFormatError if there are more triangles than allowed."""
        if faces > self.max_faces:
            raise FileFormatError(
                self.path,
                f"has {faces} triangles, at most {self.max_faces} are allowed",
                remedy="thin it in a mesh editor, or pass a larger `max_faces`",
            )

    def numbers(self, text: bytes, count: int, element: str) -> FloatArray:
        """Return the numbers of a text, exactly as many as there must be."""
        data = np.frombuffer(text, dtype=np.uint8)
        found = int(count_words(data))
        if found != count:
            raise self.error(f"needs {count} numbers, got {found}", element=element)
        out = np.empty(count)
        if read_numbers(data, out) != count:
            raise self.error("holds a word that is no number", element=element)
        return out

    def all_numbers(self, text: bytes) -> FloatArray:
        """Return the numbers of a text, however many there are."""
        count = int(count_words(np.frombuffer(text, dtype=np.uint8)))
        if count > MAX_NUMBERS:
            raise self.error(f"holds {count} numbers, at most {MAX_NUMBERS} are read")
        return self.numbers(text, count, "")

    def read_beside(self, name: str, what: str) -> bytes | None:
        """Return a file that the mesh names; None without one.

        Args:
            name: Path relative to the mesh, or a file URI.
            what: Kind of file, with an article.
        """
        path = self._place_of(name)
        if path is None:
            self.warn(f"{what} {name!r:.120} is outside {self.folder}; it is not read")
            return None
        self.beside.append(path)
        try:
            if not path.is_file():
                raise OSError
            with path.open("rb") as stream:
                data = stream.read(_MAX_BESIDE + 1)
        except OSError:  # common: many a mesh comes without
            logger.info("%s: %s %r cannot be read", self.path, what, name[:120])
            return None
        if len(data) > _MAX_BESIDE:
            self.warn(f"{what} {name!r:.120} is too large; it is left out")
            return None
        return data

    def _place_of(self, name: str) -> Path | None:
        """Return where a named file must be, None if that is outside the folder."""
        if name.startswith("file://"):
            name = name.removeprefix("file://")
        name = urllib.parse.unquote(name)
        if "\x00" in name or len(name) > 1024:
            return None
        if "\\" in name or (len(name) > 1 and name[1] == ":"):
            name = (
                PureWindowsPath(name).name if ":" in name else name.replace("\\", "/")
            )
        if PurePosixPath(name).is_absolute():
            name = PurePosixPath(name).name
        try:
            path = (self.path.parent / name).resolve()
        except (OSError, ValueError, RuntimeError):
            return None
        return path if self.holds(path) else None

    def holds(self, path: Path) -> bool:
        """Return whether a file is in the folder that may be read."""
        try:
            return path.resolve().is_relative_to(self.folder.resolve())
        except (OSError, ValueError, RuntimeError):
            return False

    def image(self, data: bytes | None, name: str) -> ByteArray | None:
        """Return an image, red first; None, and a warning, if it is none."""
        if data is None:
            return None
        pixels = decode_image(data)
        if pixels is None:
            self.warn(f"texture {name!r:.120} is no image that can be read")
        return pixels


def decode_image(data: bytes) -> ByteArray | None:
    """Return the pixels of a PNG, JPEG or BMP file, shape (height, width, 3 or 4).

    Larger images than the renderer needs come smaller. None if it is none of these, or
    damaged, or has more than `MAX_PIXELS`.

    Args:
        data: Bytes of the file.
    """
    size = _image_size(data)
    if size is None or not 0 < size[0] * size[1] <= MAX_PIXELS:
        return None
    import cv2

    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error:
        return None
    if pixels is None or pixels.size == 0:
        return None
    if pixels.dtype != np.uint8:
        pixels = (pixels / 257).astype(np.uint8)
    if max(pixels.shape[:2]) > _MAX_SIDE:
        scale = _MAX_SIDE / max(pixels.shape[:2])
        pixels = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=3)
    if pixels.ndim == 2:
        pixels = np.repeat(pixels[:, :, None], 3, axis=2)
    order = [2, 1, 0, 3] if pixels.shape[2] == 4 else [2, 1, 0]
    return np.ascontiguousarray(pixels[:, :, order], dtype=np.uint8)


def _image_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height as the head of an image file states them."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        return struct.unpack(">II", data[16:24])
    if data[:2] == b"BM" and len(data) >= 26:
        width, height = struct.unpack("<ii", data[18:26])
        return abs(width), abs(height)
    if data[:2] != b"\xff\xd8":
        return None
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            return None
        kind = data[at + 1]
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def placed(
    piece: MeshPiece, T: FloatArray, color: FloatArray | None, texture: ByteArray | None
) -> MeshPiece:
    """Return a piece moved, with a material.

    Args:
        piece: Triangles.
        T: Affine transform, shape (4, 4); a mirror turns the faces round.
        color: Colour of the material, None keeps that of the piece.
        texture: Image of the material, or None.
    """
    A = T[:3, :3]
    is_mirror = np.linalg.det(A) < 0.0
    normals = piece.normals
    if normals is not None:
        # The matrix of cofactors: the inverse transposed, up to its scale.
        turn = np.stack(
            [np.cross(A[1], A[2]), np.cross(A[2], A[0]), np.cross(A[0], A[1])]
        )
        normals = normals @ turn.T * (-1.0 if is_mirror else 1.0)
        length = np.linalg.norm(normals, axis=1, keepdims=True)
        usable = np.isfinite(length).all() and (length > 0.0).all()
        normals = normals / length if usable else None
    return MeshPiece(
        vertices=piece.vertices @ A.T + T[:3, 3],
        faces=piece.faces[:, ::-1] if is_mirror else piece.faces,
        normals=normals,
        color=piece.color if color is None else color,
        uv=piece.uv,
        texture=texture if piece.uv is not None else None,
    )


def join_pieces(pieces: list[MeshPiece], source: MeshSource) -> Mesh:
    """Return pieces as one mesh, their textures side by side in one image.

    Raises:
        FileFormatError: If a corner is not finite or out of range, or a face names a
            corner that is not there, or there are too many.
    """
    pieces = [piece for piece in pieces if len(piece.faces)]
    if not pieces:
        raise source.error("holds no triangle")
    if len(pieces) > _MAX_PIECES:
        raise source.error(f"has {len(pieces)} parts, at most {_MAX_PIECES} are read")
    source.check_count(sum(len(piece.faces) for piece in pieces))
    for piece in pieces:
        low, high = int(piece.faces.min()), int(piece.faces.max())
        if low < 0 or high >= len(piece.vertices):
            wrong = low if low < 0 else high
            count = len(piece.vertices)
            raise source.error(f"a face names corner {wrong}, there are {count}")
        if not (np.abs(piece.vertices) <= MAX_COORDINATE).all():
            raise source.error(
                f"a corner is not finite or farther than {MAX_COORDINATE:g} m"
            )
    pieces = _with_one_texture(pieces)
    counts = [len(piece.faces) for piece in pieces]
    starts = np.cumsum([0, *(len(piece.vertices) for piece in pieces)])
    normals = [piece.normals for piece in pieces if piece.normals is not None]
    colors: FloatArray | None = None
    if any(piece.color is not None for piece in pieces):
        default = np.array([0.7, 0.7, 0.7, 1.0])
        colors = np.concatenate(
            [
                np.broadcast_to(default if p.color is None else p.color, (k, 4))
                for p, k in zip(pieces, counts, strict=True)
            ]
        )
    textures = [piece.texture for piece in pieces if piece.texture is not None]
    uv = [piece.uv for piece in pieces if piece.uv is not None]
    return Mesh(
        vertices=np.concatenate([piece.vertices for piece in pieces]),
        faces=np.concatenate(
            [piece.faces + k for piece, k in zip(pieces, starts, strict=False)]
        ),
        normals=np.concatenate(normals) if len(normals) == len(pieces) else None,
        face_colors=colors,
        uv=np.concatenate(uv) if len(uv) == len(pieces) else None,
        texture=textures[0] if textures else None,
    )


def _with_one_texture(pieces: list[MeshPiece]) -> list[MeshPiece]:
    """Return pieces that share one texture, each with places in it, or none."""
    images: list[ByteArray] = []
    used: list[int] = []
    for piece in pieces:
        k = -1
        if piece.texture is not None and piece.uv is not None:
            same = [i for i, image in enumerate(images) if image is piece.texture]
            k = same[0] if same else len(images)
            images += [] if same else [piece.texture]
        used.append(k)
    if not images or (len(images) == 1 and min(used) == 0):
        return [
            piece if k >= 0 else _replaced(piece, piece.uv, None)
            for piece, k in zip(pieces, used, strict=True)
        ]
    # One above the other, all as wide as the widest, and a white strip at the end.
    import cv2

    width = max(image.shape[1] for image in images)
    rows: list[ByteArray] = []
    for image in images:
        if image.shape[2] == 3:
            full = np.full((*image.shape[:2], 1), 255, dtype=np.uint8)
            image = np.concatenate([image, full], axis=2)
        height = max(
            min(image.shape[0], _MAX_SIDE * _MAX_SIDE // (len(images) * width)), 1
        )
        rows.append(np.asarray(cv2.resize(image, (width, height)), dtype=np.uint8))
    rows.append(np.broadcast_to(_WHITE, (4, width, 4)).copy())
    whole = np.concatenate(rows)
    ends = np.cumsum([len(row) for row in rows])
    out: list[MeshPiece] = []
    for piece, k in zip(pieces, used, strict=True):
        if k < 0 or piece.uv is None:
            place = np.array([0.5, 2.0 / len(whole)])
            uv = np.broadcast_to(place, (len(piece.vertices), 2)).copy()
            out.append(_replaced(piece, uv, whole))
            continue
        piece = _within_image(piece)
        top = ends[k] - len(rows[k])
        inside = 0.5 + (1.0 - np.asarray(piece.uv)[:, 1]) * (len(rows[k]) - 1)
        v = 1.0 - (top + inside) / len(whole)
        uv = np.stack([np.asarray(piece.uv)[:, 0], v], axis=1)
        out.append(_replaced(piece, uv, whole))
    return out


def _replaced(
    piece: MeshPiece, uv: FloatArray | None, texture: ByteArray | None
) -> MeshPiece:
    return MeshPiece(
        piece.vertices, piece.faces, piece.normals, piece.color, uv, texture
    )


def _within_image(piece: MeshPiece) -> MeshPiece:
    """Return a piece whose places lie in [0, 1]: each face moved by whole images."""
    uv = np.asarray(piece.uv)
    if len(uv) == 0 or (uv.min() >= 0.0 and uv.max() <= 1.0):
        return piece
    corners = piece.faces.reshape(-1)
    places = uv[corners].reshape(-1, 3, 2)
    places = places - np.floor(places.mean(axis=1, keepdims=True))
    return MeshPiece(
        vertices=piece.vertices[corners],
        faces=np.arange(len(corners), dtype=np.int64).reshape(-1, 3),
        normals=None if piece.normals is None else piece.normals[corners],
        color=piece.color,
        uv=np.clip(places, 0.0, 1.0).reshape(-1, 2),
        texture=piece.texture,
    )
