"""Meshes and textures as a page fetches them: binary, thinned, each content once.

    offset  type             what
    0       4 bytes          "GLM1"
    4       uint32           flags: 1 colours, 2 places in a texture, 4 open surface
    8       uint32           n, number of corners
    12      uint32           m, number of triangles
    16      float32, n x 3   corners [m]
            float32, n x 2   places in the texture, from its lower left; with flag 2
            int8, n x 4      normals times 127, and 0
            uint8, n x 4     red, green, blue, 255; with flag 1
            uint32, m x 3    corners of the triangles, anticlockwise from outside

Little endian. The name of an asset is a digest of its bytes: what was fetched once is
good for ever.
"""

from __future__ import annotations

import hashlib
import struct
import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gelenk.errors import GelenkError
from gelenk.geometry.creases import crease
from gelenk.geometry.mesh import Mesh
from gelenk.geometry.simplification import simplify
from gelenk.typing import BoolArray, ByteArray, IntArray
from gelenk.ui.images import compress

MAGIC: Final = b"GLM1"
HEADER: Final = struct.Struct("<4sIII")
HAS_COLORS, HAS_UV, IS_OPEN = 1, 2, 4
MAX_FACES = 20_000  # of one mesh
MIN_FACES = 100  # of one mesh, however many there are
MAX_ROBOT_FACES = 300_000  # of all meshes of a robot; of a scene's objects together
COARSE_FACES = 2_500  # of one mesh for those who draw without a graphics card
COARSE_ROBOT_FACES = 30_000
MAX_TEXTURE = 1024  # [px] of an edge
MAX_BYTES = 256 * 2**20  # of all assets of a scene together
MAX_KEPT = 64 * 2**20  # [bytes] of meshes that were made and may be wanted again
SOLID = 0.995  # opacity from which on nothing shines through


@dataclass(frozen=True, slots=True, kw_only=True)
class MeshAsset:
    """A part of a mesh with one opacity.

    Attributes:
        name: Name under which a page fetches it.
        data: Bytes of the mesh.
        coarse: Name of the same with few triangles; empty where it has few already.
        coarse_data: Bytes of that.
        bounds: Lowest and highest corner [m], x, y, z, x, y, z.
        opacity: Opacity of its triangles, 0 to 1.
        texture: Name of its texture, empty if it has none.
        picture: Bytes of the texture.
    """

    name: str
    data: bytes
    coarse: str = ""
    coarse_data: bytes = b""
    bounds: tuple[float, ...]
    opacity: float = 1.0
    texture: str = ""
    picture: bytes = b""

    @property
    def files(self) -> tuple[tuple[str, bytes], ...]:
        """Name and bytes of all that a page may fetch of it."""
        all_of_them = (
            (self.name, self.data),
            (self.coarse, self.coarse_data),
            (self.texture, self.picture),
        )
        return tuple(item for item in all_of_them if item[0])


class FaceLimits(NamedTuple):
    """Numbers of triangles to which a mesh is thinned."""

    fine: int = MAX_FACES
    coarse: int = COARSE_FACES


USUAL: Final = FaceLimits()


class AssetStore:
    """Assets of one scene by name; read from any thread once it is filled.

    Attributes:
        is_full: Whether meshes were left out for want of memory.
    """

    def __init__(self) -> None:
        self._assets: dict[str, bytes] = {}
        self._size = 0
        self.is_full = False

    def __len__(self) -> int:
        return len(self._assets)

    def add(self, mesh: Mesh, limits: FaceLimits = USUAL) -> tuple[MeshAsset, ...]:
        """Return a mesh as assets, one for each opacity, which can be fetched now.

        Args:
            mesh: The mesh.
            limits: Numbers of triangles to which it is thinned.

        Returns:
            Nothing for a mesh without triangles, and when the store is full.
        """
        parts = make_assets(mesh, limits)
        new = {
            name: data
            for part in parts
            for name, data in part.files
            if name not in self._assets
        }
        size = sum(len(data) for data in new.values())
        if self._size + size > MAX_BYTES:
            self.is_full = True
            return ()
        self._assets |= new
        self._size += size
        return parts

    def find(self, name: str) -> bytes | None:
        """Return the bytes of an asset; None if there is none of this name."""
        return self._assets.get(name)


def share_faces(counts: Iterable[int], total: int, most: int = MAX_FACES) -> int:
    """Return to how many triangles each mesh is thinned so that all keep to a total.

    Args:
        counts: Triangles of the meshes.
        total: Number of triangles that all may have together.
        most: Number of triangles that one may have.

    Example:
        >>> share_faces([10, 500, 900], 610, 1000)
        300
    """
    sizes = sorted(counts)
    left = total
    for i, size in enumerate(sizes):
        even = left // (len(sizes) - i)
        if size > even:
            return max(min(even, most), MIN_FACES)
        left -= size
    return most


_kept: OrderedDict[tuple[bytes, FaceLimits], tuple[MeshAsset, ...]] = OrderedDict()
_lock = threading.Lock()


def make_assets(mesh: Mesh, limits: FaceLimits) -> tuple[MeshAsset, ...]:
    """Return a mesh as assets, one for each opacity of its triangles.

    What was made lately is made only once.

    Args:
        mesh: The mesh.
        limits: Numbers of triangles to which it is thinned.
    """
    key = (_digest_mesh(mesh), limits)
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    made = tuple(_make(mesh, limits))
    with _lock:
        _kept[key] = made
        size = sum(_size(parts) for parts in _kept.values())
        while size > MAX_KEPT and len(_kept) > 1:
            size -= _size(_kept.popitem(last=False)[1])
    return made


def _size(parts: tuple[MeshAsset, ...]) -> int:
    return sum(len(data) for part in parts for _, data in part.files)


def _digest_mesh(mesh: Mesh) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    fields = (mesh.vertices, mesh.faces, mesh.normals, mesh.face_colors)
    for array in (*fields, mesh.uv, mesh.texture):
        digest.update(b"-" if array is None else repr(array.shape).encode())
        if array is not None:
            digest.update(np.ascontiguousarray(array).data)
    return digest.digest()


def _make(mesh: Mesh, limits: FaceLimits) -> Iterable[MeshAsset]:
    """Yield the assets of a mesh: clean, thinned, one for each opacity."""
    mesh = _clean(mesh)
    if not len(mesh.faces):
        return
    texture = None if mesh.uv is None else mesh.texture
    # What is thinned has colours instead of its texture.
    is_thinned = len(mesh.faces) > limits.fine
    name, picture = ("", b"")
    if texture is not None and not is_thinned:
        name, picture = _picture(texture)
    colors = mesh.face_colors
    opacity = np.ones(len(mesh.faces)) if colors is None else colors[:, 3]
    opacity = np.where(opacity >= SOLID, 1.0, np.round(opacity, 2))
    for alpha in np.unique(opacity[opacity > 0.0]):
        part = mesh if (opacity == alpha).all() else _take(mesh, opacity == alpha)
        share = len(part.faces) / len(mesh.faces)
        fine = _thinned(part, share * limits.fine)
        data = _pack(fine, has_texture=bool(name))
        coarse = b""
        if not name and len(fine.faces) > share * limits.coarse:
            coarse = _pack(_thinned(fine, share * limits.coarse), has_texture=False)
        yield MeshAsset(
            name=_digest(data),
            data=data,
            coarse=_digest(coarse),
            coarse_data=coarse,
            bounds=tuple(np.round(part.bounds, 6).ravel().tolist()),
            opacity=float(alpha),
            texture=name,
            picture=picture,
        )


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32] if data else ""


def _thinned(mesh: Mesh, max_faces: float) -> Mesh:
    """Return a mesh with about so many triangles at most, but not none."""
    if len(mesh.faces) <= max_faces:
        return mesh
    thin = _clean(simplify(mesh, max(int(max_faces), MIN_FACES)))
    return thin if len(thin.faces) else mesh


def _clean(mesh: Mesh) -> Mesh:
    """Return a mesh without triangles that cannot be drawn."""
    good: BoolArray = np.asarray(np.isfinite(mesh.vertices).all(axis=1))
    if mesh.uv is not None:
        good &= np.isfinite(mesh.uv).all(axis=1)
    faces = mesh.faces
    fits: BoolArray = np.asarray(((faces >= 0) & (faces < len(good))).all(axis=1))
    fits[fits] &= good[faces[fits]].all(axis=1)
    a, b, c = faces.T
    fits &= (a != b) & (b != c) & (c != a)
    is_whole = bool(fits.all() and good.all())
    return mesh if is_whole else _take(mesh, fits)


def _take(mesh: Mesh, wanted: BoolArray) -> Mesh:
    """Return some triangles of a mesh with the corners that they use."""
    used, places = np.unique(mesh.faces[wanted], return_inverse=True)
    return replace(
        mesh,
        vertices=mesh.vertices[used],
        faces=places.reshape(-1, 3),
        normals=None if mesh.normals is None else mesh.normals[used],
        face_colors=None if mesh.face_colors is None else mesh.face_colors[wanted],
        uv=None if mesh.uv is None else mesh.uv[used],
    )


class _Corners(NamedTuple):
    """Corners as they are sent, and what they are made of."""

    vertex: IntArray
    normal: IntArray
    color: IntArray
    faces: IntArray


def _pack(mesh: Mesh, *, has_texture: bool) -> bytes:
    """Return the bytes of a mesh."""
    shaded = crease(mesh)
    colors, color_ids = _palette(mesh)
    corners = _unite(shaded.faces, shaded.normal_ids, color_ids)
    normals = np.nan_to_num(shaded.normals[corners.normal])
    flags = IS_OPEN * (not shaded.is_closed)
    blocks: list[NDArray[Any]] = [mesh.vertices[corners.vertex].astype("<f4")]
    if has_texture and mesh.uv is not None:
        flags |= HAS_UV
        blocks.append(mesh.uv[corners.vertex].astype("<f4"))
    blocks.append(_padded(np.rint(127.0 * normals).astype(np.int8), 0))
    if colors is not None:
        flags |= HAS_COLORS
        blocks.append(_padded(colors[corners.color], 255))
    blocks.append(corners.faces.astype("<u4"))
    head = HEADER.pack(MAGIC, flags, len(corners.vertex), len(corners.faces))
    return b"".join([head, *(block.tobytes() for block in blocks)])


def _palette(mesh: Mesh) -> tuple[ByteArray | None, IntArray]:
    """Return the colours of a mesh, and the number of each triangle's colour."""
    if mesh.face_colors is None:
        return None, np.zeros(len(mesh.faces), dtype=np.int64)
    shares = np.clip(np.nan_to_num(mesh.face_colors[:, :3]), 0.0, 1.0)
    levels = np.rint(255.0 * shares).astype(np.uint8)
    colors, ids = np.unique(levels, axis=0, return_inverse=True)
    return colors, ids.reshape(-1)


def _unite(faces: IntArray, normal_ids: IntArray, color_ids: IntArray) -> _Corners:
    """Return the corners that differ in place, normal or colour."""
    vertex, normal = faces.ravel(), normal_ids.ravel()
    color = np.repeat(color_ids, 3)
    order = np.lexsort((vertex, normal, color))
    rows = np.stack([vertex[order], normal[order], color[order]])
    is_new = np.ones(len(order), dtype=bool)
    is_new[1:] = (rows[:, 1:] != rows[:, :-1]).any(axis=0)
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.cumsum(is_new) - 1
    vertex, normal, color = rows[:, is_new]
    return _Corners(vertex, normal, color, number.reshape(-1, 3))


def _padded(triples: NDArray[Any], value: int) -> NDArray[Any]:
    """Return rows of three numbers with a fourth."""
    fourth = np.full((len(triples), 1), value, dtype=triples.dtype)
    return np.concatenate([triples, fourth], axis=1)


def _picture(texture: ByteArray) -> tuple[str, bytes]:
    """Return name and bytes of a texture; both empty if it cannot be sent."""
    import cv2

    height, width = texture.shape[:2]
    if not height or not width:
        return "", b""
    image = np.ascontiguousarray(texture[..., :3])
    share = MAX_TEXTURE / max(height, width)
    if share < 1.0:
        size = (max(round(share * width), 1), max(round(share * height), 1))
        resized = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        image = np.asarray(resized, dtype=np.uint8)
    try:
        kind, data = compress(image)
    except GelenkError:
        return "", b""
    ending = {"image/png": ".png", "image/jpeg": ".jpg"}[kind]
    return _digest(data) + ending, data
