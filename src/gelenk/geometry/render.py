"""Pictures of meshes, drawn by the processor alone, without display or graphics card.

A depth buffer decides what is in front, a second one from the main light what lies in
the shade. Several samples per pixel smooth the edges.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gelenk.errors import ConfigError, ShapeError
from gelenk.geometry import _raster as raster
from gelenk.geometry._mesh_cache import MeshStore
from gelenk.geometry._mesh_topology import corner_normals, merge_rows
from gelenk.geometry._raster import GroundPlane, Lights, RasterView, Soup, Textures
from gelenk.geometry.mesh import Mesh
from gelenk.typing import ArrayLike, ByteArray, FloatArray, IntArray
from gelenk.vision.camera import Intrinsics

MAX_SIDE = 8192  # [px]
MAX_SAMPLES = 4
SKY = ((0.62, 0.69, 0.78), (0.94, 0.955, 0.97))  # top and bottom of the picture
GREY = (0.72, 0.73, 0.75)  # of a mesh without colour
_GROUND = 0.78
_SUN = (0.38, -0.44, 0.82)  # towards the main light
_OTHER = (-0.7, 0.5, 0.35)  # towards the light from the other side
_SHADOW_SIZE = 1024  # [texels], of a side of the shadow map
_NEAR = 1e-4  # of the size of the scene; what is nearer to the eye is cut away
_CREASE = math.cos(math.radians(35.0))  # between faces that meet in an edge
_SOLID = 0.995  # opacity from which on nothing shines through
_normals = MeshStore(256 * 1024 * 1024)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MeshInstance:
    """Mesh at a place.

    Attributes:
        mesh: Triangles, with colours or texture or without.
        T_world_mesh: Pose in the world, shape (4, 4).
        color: Red, green, blue, and opacity if that is not 1, each in [0, 1]; None
            takes the colours of the mesh, or grey.

    Example:
        >>> import numpy as np
        >>> from gelenk.geometry import MeshInstance, convex_hull
        >>> mesh = convex_hull(np.vstack([np.eye(3), np.zeros(3)]))
        >>> MeshInstance(mesh=mesh, color=(1.0, 0.5, 0.0)).color
        (1.0, 0.5, 0.0)
    """

    mesh: Mesh
    T_world_mesh: ArrayLike = field(default_factory=lambda: np.eye(4))
    color: Sequence[float] | None = None

    def __post_init__(self) -> None:
        shape = np.shape(self.T_world_mesh)
        if shape != (4, 4):
            raise ShapeError("T_world_mesh", expected="(4, 4)", actual=shape)
        if self.color is not None and len(self.color) not in (3, 4):
            actual = (len(self.color),)
            raise ShapeError("color", expected="(3,) or (4,)", actual=actual)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RenderedImage:
    """Picture and what it shows.

    Attributes:
        color: Red, green, blue of each pixel, shape (height, width, 3).
        depth: Distance along the optical axis [m], infinite where nothing is; ground
            and what shines through do not count, shape (height, width).
        segments: Number of the instance that is seen, -1 for none, (height, width).
    """

    color: ByteArray
    depth: FloatArray
    segments: IntArray


def render_meshes(
    instances: Sequence[MeshInstance],
    camera: Intrinsics,
    T_world_camera: ArrayLike,
    *,
    samples: int = 2,
    floor: float | None = None,
) -> RenderedImage:
    """Return a picture of meshes, drawn without display or graphics card.

    Args:
        instances: Meshes and where they are.
        camera: Size and focal lengths of the picture; its distortion is not drawn.
        T_world_camera: Pose of the camera: x right, y down, z forward, shape (4, 4).
        samples: Samples per side of a pixel, 1 to 4.
        floor: Height of level ground [m], None for no ground.

    Raises:
        ConfigError: If the picture is too large, or `samples` out of range.

    Example:
        >>> import numpy as np
        >>> from gelenk.geometry import MeshInstance, convex_hull, render_meshes
        >>> from gelenk.vision import Intrinsics
        >>> wide = Intrinsics.from_field_of_view(width=64, height=48, horizontal=1.0)
        >>> corners = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (4, 6)]
        >>> cube = MeshInstance(mesh=convex_hull(corners))
        >>> image = render_meshes([cube], wide, np.eye(4))
        >>> image.color.shape, float(image.depth[24, 32].round(6))
        ((48, 64, 3), 4.0)
    """
    if max(camera.width, camera.height) > MAX_SIDE:
        raise ConfigError(
            f"a picture has at most {MAX_SIDE} pixels per side, got "
            f"{camera.width} x {camera.height}"
        )
    if not 1 <= samples <= MAX_SAMPLES:
        raise ConfigError(f"`samples` must be 1 to {MAX_SAMPLES}, got {samples}")
    T = np.asarray(T_world_camera, dtype=np.float64)
    if T.shape != (4, 4):
        raise ShapeError("T_world_camera", expected="(4, 4)", actual=T.shape)
    view = RasterView(
        fx=camera.fx * samples,
        fy=camera.fy * samples,
        cu=(camera.cx + 0.5) * samples - 0.5,
        cv=(camera.cy + 0.5) * samples - 0.5,
        eye=np.ascontiguousarray(T[:3, 3]),
        axes=np.ascontiguousarray(T[:3, :3]),
    )
    soup, textures, part = _gather(instances)
    is_solid = soup.colors[:, 3] >= _SOLID
    lights, ground = _lit(soup, is_solid, floor)
    depth = np.zeros((camera.height * samples, camera.width * samples))
    owner = np.full(depth.shape, -1, dtype=np.int64)
    screen, inverse, faces, number = _on_screen(view, soup)
    solid = is_solid[number]
    raster.fill(screen, inverse, faces[solid], number[solid], depth, owner)
    image = _background(camera.height, camera.width)
    raster.paint(view, soup, textures, lights, ground, depth, owner, image)
    if not solid.all():
        far = np.flatnonzero(~solid)
        far = far[np.argsort(inverse[faces[far]].mean(axis=1), kind="stable")]
        raster.lay_over(
            screen, inverse, faces[far], number[far], view, soup, textures, lights,
            depth, image,
        )  # fmt: skip
    middle = samples // 2
    seen = owner[middle::samples, middle::samples]
    near = depth[middle::samples, middle::samples]
    return RenderedImage(
        color=_developed(image),
        depth=np.where(near > 0.0, 1.0 / np.where(near > 0.0, near, 1.0), np.inf),
        segments=np.where(seen >= 0, part[seen], -1) if len(part) else seen.copy(),
    )


def _gather(
    instances: Sequence[MeshInstance],
) -> tuple[Soup, Textures, IntArray]:
    """Return the triangles of all instances in the world, and whose they are."""
    vertices: list[FloatArray] = [np.zeros((0, 3))]
    faces: list[IntArray] = [np.zeros((0, 3), dtype=np.int64)]
    normals: list[FloatArray] = [np.zeros((0, 3, 3))]
    colors: list[FloatArray] = [np.zeros((0, 4))]
    places: list[FloatArray] = [np.zeros((0, 3, 2))]
    images: list[ByteArray] = []
    number: list[int] = []
    start = 0
    for item in instances:
        mesh, T = item.mesh, np.asarray(item.T_world_mesh, dtype=np.float64)
        count = len(mesh.faces)
        vertices.append(mesh.vertices @ T[:3, :3].T + T[:3, 3])
        faces.append(mesh.faces + start)
        start += len(mesh.vertices)
        normals.append(_shading_normals(mesh) @ T[:3, :3].T)
        color = np.ones(4)
        if item.color is not None:
            color[: len(item.color)] = item.color
        elif mesh.face_colors is None and mesh.texture is None:
            color[:3] = GREY
        elif mesh.face_colors is not None:
            color = mesh.face_colors
        colors.append(np.broadcast_to(color, (count, 4)))
        has_image = item.color is None and mesh.uv is not None
        if has_image and mesh.texture is not None and mesh.uv is not None:
            number.append(_index_of(mesh.texture, images))
            places.append(mesh.uv[mesh.faces])
        else:
            number.append(-1)
            places.append(np.zeros((count, 3, 2)))
    counts = [len(item.mesh.faces) for item in instances]
    linear = np.array(np.concatenate(colors))
    linear[:, :3] = _light(np.clip(linear[:, :3], 0.0, 1.0))
    soup = Soup(
        vertices=np.concatenate(vertices),
        faces=np.concatenate(faces),
        normals=np.concatenate(normals),
        colors=linear,
        uv=np.concatenate(places),
        texture=np.repeat(np.array(number, dtype=np.int64), counts),
    )
    part = np.repeat(np.arange(len(instances), dtype=np.int64), counts)
    return soup, _textures(images), part


def _index_of(image: ByteArray, images: list[ByteArray]) -> int:
    for i, other in enumerate(images):
        if other is image:
            return i
    images.append(image)
    return len(images) - 1


def _textures(images: list[ByteArray]) -> Textures:
    table = np.zeros((len(images), 3), dtype=np.int64)
    start = 0
    for i, image in enumerate(images):
        table[i] = start, image.shape[1], image.shape[0]
        start += image.shape[0] * image.shape[1]
    parts = [image[:, :, :3].reshape(-1, 3) for image in images]
    return Textures(
        texels=np.concatenate([np.zeros((0, 3), dtype=np.uint8), *parts]),
        table=table,
        light=_light(np.arange(256) / 255.0),
    )


def _shading_normals(mesh: Mesh) -> FloatArray:
    """Return unit normals at the corners of each triangle, shape (m, 3, 3)."""
    found = _normals.get(mesh)
    if found is not None:
        return found
    if mesh.normals is not None:
        out = mesh.normals[mesh.faces]
    else:
        # Corners in one place are one, however often the file has them.
        firsts, number = merge_rows((mesh.vertices + 0.0).view(np.int64))
        out = np.empty((len(mesh.faces), 3, 3))
        corner_normals(mesh.vertices[firsts], number[mesh.faces], _CREASE, out)
    _normals.put(mesh, out, mesh, mesh)
    return out


def _on_screen(
    view: RasterView, soup: Soup
) -> tuple[FloatArray, FloatArray, IntArray, IntArray]:
    """Return corners on the screen, their nearness, triangles, and their numbers.

    Triangles that reach behind the eye are cut; the pieces have the same number.
    """
    seen = (soup.vertices - view.eye) @ view.axes
    z = seen[:, 2]
    near = _NEAR * max(float(np.abs(seen).max(initial=0.0)), 1e-6)
    faces, number = soup.faces, np.arange(len(soup.faces), dtype=np.int64)
    is_behind = (z < near)[faces] if len(faces) else np.zeros((0, 3), dtype=bool)
    crossing = np.flatnonzero(is_behind.any(axis=1) & ~is_behind.all(axis=1))
    added: list[FloatArray] = []
    pieces: list[tuple[int, int, int]] = []
    owners: list[int] = []
    for t in crossing.tolist():
        ring: list[int] = []
        for k in range(3):
            a, b = int(faces[t, k]), int(faces[t, (k + 1) % 3])
            if z[a] >= near:
                ring.append(a)
            if (z[a] >= near) != (z[b] >= near):
                share = (near - z[a]) / (z[b] - z[a])
                ring.append(len(seen) + len(added))
                added.append(seen[a] + share * (seen[b] - seen[a]))
        fan = [(ring[0], ring[i], ring[i + 1]) for i in range(1, len(ring) - 1)]
        pieces += fan
        owners += [t] * len(fan)
    whole = ~is_behind.any(axis=1)
    faces, number = faces[whole], number[whole]
    if pieces:
        seen = np.concatenate([seen, np.array(added).reshape(-1, 3)])
        faces = np.concatenate([faces, np.array(pieces, dtype=np.int64)])
        number = np.concatenate([number, np.array(owners, dtype=np.int64)])
    depth = np.maximum(seen[:, 2], 0.5 * near)
    scale = np.array([view.fx, view.fy])
    screen = scale * seen[:, :2] / depth[:, None] + np.array([view.cu, view.cv])
    return screen, 1.0 / depth, faces, number


def _lit(
    soup: Soup, is_solid: NDArray[np.bool_], height: float | None
) -> tuple[Lights, GroundPlane]:
    """Return the lights with their shadows, and the ground."""
    key, other = (np.array(v) / np.linalg.norm(v) for v in (_SUN, _OTHER))
    x = np.cross([0.0, 1.0, 0.0], key)
    x /= np.linalg.norm(x)
    axes = np.stack([x, np.cross(key, x), key])
    if not len(soup.vertices):
        lights = Lights(key, other, np.zeros((8, 8)), axes, np.zeros(3))
        return lights, GroundPlane(height or 0.0, 0.0, 0.0, 0.0, 0.0)
    seen = soup.vertices @ axes.T
    low, high = seen.min(axis=0), seen.max(axis=0)
    scale = (_SHADOW_SIZE - 16) / max(float((high - low)[:2].max()), 1e-9)
    axes[:2] *= scale
    lift = 1e-3 * max(float(high[2] - low[2]), 1e-9)
    origin = np.array([scale * low[0] - 8.0, scale * low[1] - 8.0, low[2] - lift])
    nearness = np.zeros((_SHADOW_SIZE, _SHADOW_SIZE))
    seen = soup.vertices @ axes.T - origin
    faces = soup.faces[is_solid]
    raster.fill(
        np.ascontiguousarray(seen[:, :2]), np.ascontiguousarray(seen[:, 2]), faces,
        np.zeros(len(faces), dtype=np.int64), nearness,
        np.empty(nearness.shape, dtype=np.int64),
    )  # fmt: skip
    lights = Lights(key, other, nearness, np.ascontiguousarray(axes), origin)
    if height is None:
        return lights, GroundPlane(0.0, 0.0, 0.0, 0.0, 0.0)
    low, high = soup.vertices.min(axis=0), soup.vertices.max(axis=0)
    middle, radius = 0.5 * (low + high), 2.2 * float(np.linalg.norm(high - low))
    shade = float(_light(np.array(_GROUND)))
    return lights, GroundPlane(
        height, float(middle[0]), float(middle[1]), radius, shade
    )


def _background(rows: int, columns: int) -> NDArray[np.float32]:
    share = np.linspace(0.0, 1.0, rows)[:, None]
    top, bottom = (_light(np.array(color)) for color in SKY)
    column = ((1.0 - share) * top + share * bottom).astype(np.float32)
    return np.ascontiguousarray(np.broadcast_to(column[:, None], (rows, columns, 3)))


def _light(values: FloatArray) -> FloatArray:
    """Return the linear light of values of a picture."""
    return np.asarray(values, dtype=np.float64) ** 2.2


def _developed(image: NDArray[np.float32]) -> ByteArray:
    """Return linear light as values of a picture, 0 to 255."""
    table = np.rint(255.0 * (np.arange(4096) / 4095.0) ** (1.0 / 2.2)).astype(np.uint8)
    return table[np.rint(4095.0 * np.clip(image, 0.0, 1.0)).astype(np.int64)]
