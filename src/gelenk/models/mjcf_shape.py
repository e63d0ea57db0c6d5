"""Shapes of links from the geoms of a compiled MJCF file."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from gelenk.geometry.mesh import Mesh
from gelenk.models.link import Geometry, GeometryKind
from gelenk.models.mjcf_engine import (
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    HFIELD,
    MESH,
    PLACEHOLDER,
    PLANE,
    RGB_ROLE,
    SDF,
    SPHERE,
    TEXTURE_2D,
    XYAXES,
    CompiledFile,
)
from gelenk.models.mjcf_text import MjcfText
from gelenk.spatial.quaternion import matrix_from_quaternion
from gelenk.spatial.se3 import inverse, pose_from_rotation_translation
from gelenk.typing import ArrayLike, ByteArray, FloatArray, IntArray

_KINDS: dict[int, GeometryKind] = {
    BOX: "box",
    SPHERE: "sphere",
    CYLINDER: "cylinder",
    CAPSULE: "capsule",
    ELLIPSOID: "ellipsoid",
    MESH: "mesh",
}
_WITHOUT_SHAPE = {PLANE: "plane", HFIELD: "height field", SDF: "distance field"}
_GREY = np.array([0.5, 0.5, 0.5, 1.0], dtype=np.float32)  # MuJoCo's colour of no colour
_ROUNDING = 4e-15  # of the products of unit vectors
_FITTING = 0.99  # of the normals lie on the outer side of their triangle
_SAME = 1e-12  # the file's digits and the compiled ones are one number


@dataclass(slots=True, eq=False)
class ShapeReader:
    """Reads the geoms of bodies; meshes are shared between the shapes that show them.

    Attributes:
        compiled: The compiled file.
        text: The text that was compiled, with the names of the files.
        skipped: Kinds of geoms that no model can hold, with their bodies.
    """

    compiled: CompiledFile
    text: MjcfText
    skipped: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    _paired: set[int] = field(init=False)
    _meshes: dict[tuple[int, int], Mesh] = field(init=False)

    def __post_init__(self) -> None:
        model = self.compiled.model
        self._paired = {*model.pair_geom1.tolist(), *model.pair_geom2.tolist()}
        self._meshes = {}

    def of_body(self, index: int) -> tuple[Geometry, ...]:
        """Return the shapes of one body, in the order of the file."""
        model = self.compiled.model
        first, count = int(model.body_geomadr[index]), int(model.body_geomnum[index])
        shapes = (self._shape(k, index) for k in range(first, first + count))
        return tuple(shape for shape in shapes if shape is not None)

    def _shape(self, k: int, body: int) -> Geometry | None:
        model = self.compiled.model
        kind = int(model.geom_type[k])
        if kind not in _KINDS:
            if body:
                word = _WITHOUT_SHAPE.get(kind, "shape")
                self.skipped.append((word, self.compiled.bodies[body].name))
            return None
        geom = self.compiled.geoms[k]
        touches = model.geom_contype[k] or model.geom_conaffinity[k]
        T = compiled_pose(model.geom_pos[k], model.geom_quat[k])
        shape = Geometry(
            kind=_KINDS[kind],
            size=_size(kind, model.geom_size[k]),
            role="collision" if touches or k in self._paired else "visual",
            name=str(geom.name),
            rgba=self._colour(k),
        )
        if kind == MESH:
            return self._with_mesh(shape, k, T, geom)
        return replace(shape, T_link_geometry=as_stated(T, geom))

    def _with_mesh(
        self, shape: Geometry, k: int, T: FloatArray, geom: Any
    ) -> Geometry | None:
        """Return a shape with the mesh as its file has it: not scaled, not recentred.

        MuJoCo moves the origin of a mesh to its centre of mass and turns its axes to
        the principal ones. A stated reference pose cannot be told from that by file
        and scale, so it stays in the corners.
        """
        model = self.compiled.model
        m = int(model.geom_dataid[k])
        spec = self.compiled.meshes[m]
        T_mesh = compiled_pose(model.mesh_pos[m], model.mesh_quat[m])
        T = as_stated(T @ inverse(T_mesh), geom)
        file = str(spec.file)
        if file == PLACEHOLDER:
            data, path = None, None
            stated = self.text.meshes.get(str(spec.name), str(spec.name))
        else:
            data = self._mesh(m, T_mesh, self._texture_of(k))
            path = self.text.files.get(file)
            stated = self.text.stated.get(file, str(spec.name))
        is_moved = np.any(spec.refpos) or np.any(np.array(spec.refquat)[1:])
        return replace(
            shape,
            size=tuple(float(x) for x in spec.scale),
            T_link_geometry=T,
            mesh=stated,
            path=None if is_moved else path,
            data=data,
        )

    def _mesh(self, m: int, T_mesh: FloatArray, texture: tuple[int, int]) -> Mesh:
        key = (m, texture[0])
        if key not in self._meshes:
            self._meshes[key] = self._read_mesh(m, T_mesh, texture)
        return self._meshes[key]

    def _read_mesh(self, m: int, T_mesh: FloatArray, texture: tuple[int, int]) -> Mesh:
        model = self.compiled.model
        faces = _rows(model.mesh_face, model.mesh_faceadr[m], model.mesh_facenum[m])
        columns = [faces.astype(np.int64).ravel()]
        columns.append(_corners(model.mesh_facenormal, model, m))
        has_uv = int(model.mesh_texcoordadr[m]) >= 0
        if has_uv:
            columns.append(_corners(model.mesh_facetexcoord, model, m))
        index, picked = _shared_corners(columns)
        vertices = _rows(model.mesh_vert, model.mesh_vertadr[m], model.mesh_vertnum[m])
        normals = _rows(
            model.mesh_normal, model.mesh_normaladr[m], model.mesh_normalnum[m]
        )
        R, p = T_mesh[:3, :3], T_mesh[:3, 3]
        scale = np.array(model.mesh_scale[m])
        points = (vertices.astype(np.float64) @ R.T + p) / scale
        turned = (normals.astype(np.float64) @ R.T) * scale
        length = np.linalg.norm(turned, axis=1, keepdims=True)
        turned /= np.where(length > 0.0, length, 1.0)
        uv = None
        if has_uv:
            rows = _rows(
                model.mesh_texcoord, model.mesh_texcoordadr[m],
                model.mesh_texcoordnum[m],
            )  # fmt: skip
            uv = rows.astype(np.float64)[picked[2]]
            uv[:, 1] = 1.0 - uv[:, 1]  # MuJoCo counts from the upper edge
            if texture[1] >= 0:
                uv *= model.mat_texrepeat[texture[1]]
        triangles = index.reshape(-1, 3)
        if np.prod(scale) < 0.0:  # the compiler has turned them round
            triangles = triangles[:, ::-1].copy()
        corners, normals = points[picked[0]], turned[picked[1]]
        return Mesh(
            vertices=corners,
            faces=triangles,
            normals=normals if _fit(normals, corners, triangles) else None,
            uv=uv,
            texture=self._image(texture[0]) if has_uv else None,
        )

    def _texture_of(self, k: int) -> tuple[int, int]:
        """Return the indices of a geom's picture and of its material, -1 for none."""
        model = self.compiled.model
        material = int(model.geom_matid[k])
        if material < 0:
            return -1, -1
        texture = int(model.mat_texid[material, RGB_ROLE])
        if texture < 0 or int(model.tex_type[texture]) != TEXTURE_2D:
            return -1, -1
        return texture, material

    def _image(self, texture: int) -> ByteArray | None:
        if texture < 0:
            return None
        model = self.compiled.model
        height, width = int(model.tex_height[texture]), int(model.tex_width[texture])
        channels, start = int(model.tex_nchannel[texture]), int(model.tex_adr[texture])
        if channels not in (3, 4):
            return None
        pixels = model.tex_data[start : start + height * width * channels]
        return np.array(pixels, dtype=np.uint8).reshape(height, width, channels)

    def _colour(self, k: int) -> tuple[float, float, float, float] | None:
        model = self.compiled.model
        rgba, material = model.geom_rgba[k], int(model.geom_matid[k])
        if (rgba == _GREY).all():
            if material < 0:
                return None
            rgba = model.mat_rgba[material]
        # The shortest decimals that give these single-precision numbers.
        r, g, b, a = (min(max(float(str(x)), 0.0), 1.0) for x in rgba)
        return r, g, b, a


def _size(kind: int, size: FloatArray) -> tuple[float, ...]:
    a, b, c = (float(x) for x in size)
    if kind == BOX:
        return 2.0 * a, 2.0 * b, 2.0 * c
    if kind in (CYLINDER, CAPSULE):
        return a, 2.0 * b
    return (a,) if kind == SPHERE else (a, b, c)


def _rows(array: Any, start: int, count: int) -> Any:
    return array[int(start) : int(start) + int(count)]


def _corners(array: Any, model: Any, m: int) -> Any:
    rows = _rows(array, model.mesh_faceadr[m], model.mesh_facenum[m])
    return rows.astype(np.int64).ravel()


def _shared_corners(columns: list[Any]) -> tuple[Any, list[Any]]:
    """Return the corner of each triangle's corner, and what each corner consists of.

    Args:
        columns: Indices of point, normal and, if any, place in the texture of the
            corners of all triangles, each of shape (3 m,).
    """
    first = columns[0]
    if all(np.array_equal(first, column) for column in columns[1:]):
        count = int(first.max(initial=-1)) + 1
        return first, [np.arange(count)] * len(columns)
    key = np.zeros(len(first), dtype=np.int64)
    for column in columns:
        key = key * (int(column.max(initial=0)) + 1) + column
    _, places, index = np.unique(key, return_index=True, return_inverse=True)
    return index.astype(np.int64), [column[places] for column in columns]


def _fit(normals: FloatArray, corners: FloatArray, triangles: IntArray) -> bool:
    """Return whether normals belong to the triangles.

    Where a file has none, the compiler takes means over all edges, however sharp.
    """
    a, b, c = corners[triangles.T]
    across = np.cross(b - a, c - a)
    cosines = np.einsum("fkc,fc->fk", normals[triangles], across)
    return bool((cosines >= 0.0).mean() >= _FITTING) if len(triangles) else False


def compiled_pose(position: ArrayLike, quaternion: ArrayLike) -> FloatArray:
    """Return a compiled pose, shape (4, 4); right angles are exact.

    Args:
        position: Place [m], shape (3,).
        quaternion: Unit quaternion (w, x, y, z), shape (4,).
    """
    R = matrix_from_quaternion(quaternion)
    whole = np.round(R)
    R = np.where(np.abs(R - whole) < 1e-15, whole, R)
    return pose_from_rotation_translation(R, cast("FloatArray", position))


def as_stated(T: FloatArray, element: Any) -> FloatArray:
    """Return a compiled pose with the digits of the file where they say the same.

    Args:
        T: Pose in the compiled model, shape (4, 4).
        element: Body, site or geom of the spec.
    """
    result = T.copy()
    position = np.array(element.pos)
    if np.allclose(position, T[:3, 3], rtol=0.0, atol=_SAME):
        result[:3, 3] = position
    if int(element.alt.type) == XYAXES:
        x, y = np.array(element.alt.xyaxes).reshape(2, 3)
        defect = max(abs(x @ x - 1.0), abs(y @ y - 1.0), abs(x @ y))
        R = np.stack([x, y, np.cross(x, y)], axis=1)
        if defect <= _ROUNDING and np.allclose(R, T[:3, :3], rtol=0.0, atol=_SAME):
            result[:3, :3] = R
    return result
