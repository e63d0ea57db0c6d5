"""Surfaces fused from depth images as truncated signed distances (TSDF).

Each voxel keeps the mean of the signed distances that depth images gave it, in units of
the truncation mu, positive in front of the surface:

    sdf = z_measured - z_voxel,  d = clip(sdf / mu, -1, 1),  D <- (W D + w d) / (W + w)

Voxels farther than mu behind a surface learn nothing. Where D is zero is the surface.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import permutations, product

import numpy as np

from gelenk.checks import as_array, as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.spatial import se3
from gelenk.typing import ArrayLike, FloatArray, IntArray
from gelenk.vision.camera import Intrinsics, project, unproject


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TriangleMesh:
    """Mesh of triangles that share corners.

    Attributes:
        vertices: Vertices [m], shape (n, 3).
        triangles: Numbers of the three vertices, anticlockwise from outside, (k, 3).
    """

    vertices: FloatArray
    triangles: IntArray


def iso_surface(
    values: ArrayLike, *, origin: ArrayLike = (0.0, 0.0, 0.0), cell: float = 1.0
) -> TriangleMesh:
    """Return the surface between negative (inside) and positive values.

    Args:
        values: Values at the corners of the grid, shape (nx, ny, nz); cubes with a NaN
            corner are passed over.
        origin: Place of values[0, 0, 0] [m].
        cell: Distance of the corners [m].

    Example:
        >>> import numpy as np
        >>> from gelenk.pointcloud import iso_surface
        >>> grid = np.indices((9, 9, 9)) - 4.0
        >>> ball = iso_surface(np.linalg.norm(grid, axis=0) - 3.0, origin=[-4, -4, -4])
        >>> size = np.linalg.norm(ball.vertices, axis=1)
        >>> bool(abs(size - 3.0).max() < 0.15)
        True
    """
    f = as_array("values", values, ())
    if f.ndim != 3 or min(f.shape) < 2:
        raise ShapeError("values", expected="(nx, ny, nz), 2 each", actual=f.shape)
    flat = f.ravel()
    base = np.arange(f.size).reshape(f.shape)[:-1, :-1, :-1].ravel()
    strides = np.array([f.shape[1] * f.shape[2], f.shape[2], 1])
    corners = base[:, None] + _CORNERS @ strides
    is_known = np.isfinite(flat[corners]).all(axis=1)
    negative = (flat[corners] < 0.0).sum(axis=1)
    corners = corners[is_known & (negative > 0) & (negative < 8)]
    edges: list[IntArray] = []
    for tetrahedron in _TETRAHEDRA:
        ends = corners[:, tetrahedron]
        code = (flat[ends] < 0.0) @ np.array([1, 2, 4, 8])
        for case in range(1, 15):
            chosen = ends[code == case]
            if len(chosen):
                edges += [chosen[:, t] for t in _cuts(tetrahedron, case)]
    pairs = np.concatenate(edges) if edges else np.zeros((0, 3, 2), dtype=np.int64)
    pairs = np.sort(pairs, axis=-1).reshape(-1, 2)
    unique, number = np.unique(pairs, axis=0, return_inverse=True)
    a, b = flat[unique[:, 0]], flat[unique[:, 1]]
    share = (a / (a - b))[:, None]
    places = np.stack(np.unravel_index(unique, f.shape), axis=-1).astype(float)
    vertices = places[:, 0] + share * (places[:, 1] - places[:, 0])
    return TriangleMesh(
        vertices=np.asarray(origin, dtype=float) + cell * vertices,
        triangles=number.reshape(-1, 3).astype(np.int64),
    )


_CORNERS = np.array([[k & 1, k >> 1 & 1, k >> 2 & 1] for k in range(8)])
# from corner 0 to corner 7 along the axes, in every order: six tetrahedra fill the cube
_TETRAHEDRA = tuple(
    (0, 1 << first, (1 << first) | (1 << second), 7)
    for first, second, _ in permutations(range(3))
)


def _cuts(tetrahedron: tuple[int, ...], case: int) -> list[list[list[int]]]:
    """Return triangles as edges of a tetrahedron, by which corners are inside.

    Args:
        tetrahedron: Numbers of its corners in the cube.
        case: Bit k: its corner k is inside.

    Returns:
        Three edges per triangle, each a pair of corners 0 to 3; seen from outside they
        run anticlockwise.
    """
    inside = [k for k in range(4) if case >> k & 1]
    outside = [k for k in range(4) if not case >> k & 1]
    if len(inside) == 2:
        (a, b), (c, d) = inside, outside
        square = [[a, c], [a, d], [b, d], [b, c]]
        cuts = [[square[0], square[1], square[2]], [square[0], square[2], square[3]]]
    else:
        cuts = [[[i, o] for i in inside for o in outside]]
    place = _CORNERS[list(tetrahedron)].astype(float)
    out = place[outside].mean(axis=0) - place[inside].mean(axis=0)
    found: list[list[list[int]]] = []
    for cut in cuts:
        p, q, r = (place[edge].mean(axis=0) for edge in cut)
        is_right = np.cross(q - p, r - p) @ out > 0.0
        found.append(cut if is_right else [cut[0], cut[2], cut[1]])
    return found


BLOCK = 8  # voxels along the edge of a block of the hashed volume
_SPAN = 1 << 20  # blocks per axis: three fit into 64 bits as one number
_HALF = _SPAN // 2


def fuse_distance(
    distance: ArrayLike,
    weight: ArrayLike,
    sdf: ArrayLike,
    *,
    truncation: float,
    w: float = 1.0,
) -> tuple[FloatArray, FloatArray]:
    """Return D and W after one more measurement, shape (...) each.

    Args:
        distance: D before, in units of the truncation, shape (...).
        weight: W before, shape (...).
        sdf: Measured signed distance [m], shape (...); NaN: none.
        truncation: Truncation distance mu [m].
        w: Weight of the measurement.

    Example:
        >>> D, W = 0.0, 0.0
        >>> for sample in (0.05, 0.03, -0.01, 0.04):
        ...     D, W = fuse_distance(D, W, sample, truncation=0.1)
        >>> round(float(D), 12), float(W)
        (0.275, 4.0)
    """
    if not (truncation > 0.0 and w > 0.0):
        raise ConfigError(f"`truncation` and `w` must be > 0, got {truncation}, {w}")
    D, W = np.asarray(distance, dtype=float), np.asarray(weight, dtype=float)
    s = np.asarray(sdf, dtype=float)
    with np.errstate(invalid="ignore"):
        is_new = s > -truncation  # NaN compares false
    d = np.clip(np.where(is_new, s, 0.0) / truncation, -1.0, 1.0)
    total = W + np.where(is_new, w, 0.0)
    mean = (W * D + w * d) / np.where(total > 0.0, total, 1.0)
    return np.where(is_new, mean, D), total


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TsdfVolume:
    """Truncated signed distances on the voxels of a box.

    Attributes:
        origin: Place of voxel (0, 0, 0) in the world [m], shape (3,).
        voxel: Distance of voxels [m].
        truncation: Truncation distance mu [m], some voxels.
        distance: Truncated signed distance D, shape (nx, ny, nz).
        weight: Weight W, 0 where never seen, shape (nx, ny, nz).

    Example:
        >>> from gelenk.pointcloud.tsdf import empty_volume
        >>> volume = empty_volume([0, 0, 0], [1, 1, 1], voxel=0.25, truncation=0.5)
        >>> volume.weight.any()
        np.False_
    """

    origin: FloatArray
    voxel: float
    truncation: float
    distance: FloatArray
    weight: FloatArray

    def points(self) -> FloatArray:
        """Return the places of the voxels in the world [m], shape (nx, ny, nz, 3)."""
        index = np.moveaxis(np.indices(self.distance.shape), 0, -1)
        return self.origin + self.voxel * index

    def mesh(self) -> TriangleMesh:
        """Return the surface, in cubes all of whose corners were seen."""
        seen = np.where(self.weight > 0.0, self.distance, np.nan)
        return iso_surface(seen, origin=self.origin, cell=self.voxel)


def empty_volume(
    lower: ArrayLike, upper: ArrayLike, voxel: float, *, truncation: float
) -> TsdfVolume:
    """Return voxels nobody has seen, from corner to corner [m]."""
    low, high = as_finite("lower", lower, (3,)), as_finite("upper", upper, (3,))
    if not (voxel > 0.0 and truncation > 0.0 and (low < high).all()):
        raise ConfigError(
            "`voxel`, `truncation` and the size of the box must be positive"
        )
    shape = tuple((np.floor((high - low) / voxel + 1e-9).astype(int) + 1).tolist())
    return TsdfVolume(
        origin=low,
        voxel=voxel,
        truncation=truncation,
        distance=np.zeros(shape),
        weight=np.zeros(shape),
    )


def with_depth(
    volume: TsdfVolume, depth: ArrayLike, camera: Intrinsics, T_world_camera: ArrayLike
) -> TsdfVolume:
    """Return the volume after one depth image.

    Args:
        volume: Volume before.
        depth: z along the optical axis [m], NaN or infinity: unknown, (rows, columns).
        camera: The camera.
        T_world_camera: Pose of the camera, shape (4, 4).
    """
    sdf = projected_distances(volume.points(), depth, camera, T_world_camera)
    D, W = fuse_distance(
        volume.distance, volume.weight, sdf, truncation=volume.truncation
    )
    return replace(volume, distance=D, weight=W)


def projected_distances(
    p_world: ArrayLike, depth: ArrayLike, camera: Intrinsics, T_world_camera: ArrayLike
) -> FloatArray:
    """Return sdf = z_measured - z of points by the pixel they fall into [m], (...).

    NaN outside of the image, behind the camera and where the depth is unknown.
    """
    z_seen = np.asarray(depth, dtype=float)
    if z_seen.shape != (camera.height, camera.width):
        expected = f"({camera.height}, {camera.width})"
        raise ShapeError("depth", expected=expected, actual=z_seen.shape)
    p = se3.transform_point(se3.inverse(T_world_camera), p_world)
    pixels = project(camera, p)
    with np.errstate(invalid="ignore"):
        is_seen = np.isfinite(pixels).all(axis=-1) & camera.contains(pixels)
    nearest = np.round(np.where(is_seen[..., None], pixels, 0.0)).astype(int)
    sdf = z_seen[nearest[..., 1], nearest[..., 0]] - p[..., 2]
    return np.where(is_seen & np.isfinite(sdf), sdf, np.nan)


class HashedTsdf:
    """A volume that has voxels only near surfaces: blocks of 8 x 8 x 8 in a hash table.

    Args:
        voxel: Distance of voxels [m].
        truncation: Truncation distance mu [m].

    Attributes:
        blocks: D and W by the block's place in blocks, shape (8, 8, 8) each.
    """

    def __init__(self, voxel: float, *, truncation: float) -> None:
        if not (voxel > 0.0 and truncation > 0.0):
            raise ConfigError("`voxel` and `truncation` must be positive")
        self.voxel, self.truncation = voxel, truncation
        self.blocks: dict[tuple[int, int, int], tuple[FloatArray, FloatArray]] = {}

    def integrate(
        self, depth: ArrayLike, camera: Intrinsics, T_world_camera: ArrayLike
    ) -> None:
        """Add a depth image, as `with_depth` does; new blocks where it saw surfaces."""
        inner = np.moveaxis(np.indices((BLOCK,) * 3), 0, -1)
        for key in self._touched(depth, camera, T_world_camera):
            D, W = self.blocks.get(key) or (np.zeros(inner.shape[:3]),) * 2
            points = self.voxel * (inner + BLOCK * np.array(key))
            sdf = projected_distances(points, depth, camera, T_world_camera)
            D, W = fuse_distance(D, W, sdf, truncation=self.truncation)
            if W.any():
                self.blocks[key] = D, W

    def volume(self) -> TsdfVolume:
        """Return the box around all blocks as a plain volume.

        Raises:
            ConfigError: If there is none yet.
        """
        if not self.blocks:
            raise ConfigError("nothing was integrated yet")
        keys = np.array(list(self.blocks))
        low = keys.min(axis=0)
        shape = tuple((BLOCK * (keys.max(axis=0) - low + 1)).tolist())
        D, W = np.zeros(shape), np.zeros(shape)
        for key, (d, w) in self.blocks.items():
            i, j, k = BLOCK * (np.array(key) - low)
            D[i : i + BLOCK, j : j + BLOCK, k : k + BLOCK] = d
            W[i : i + BLOCK, j : j + BLOCK, k : k + BLOCK] = w
        return TsdfVolume(
            origin=self.voxel * BLOCK * low.astype(float),
            voxel=self.voxel,
            truncation=self.truncation,
            distance=D,
            weight=W,
        )

    def _touched(
        self, depth: ArrayLike, camera: Intrinsics, T_world_camera: ArrayLike
    ) -> list[tuple[int, int, int]]:
        """Return the blocks within the truncation of what was seen."""
        z = np.asarray(depth, dtype=float)
        v, u = np.nonzero(np.isfinite(z))
        rays = unproject(camera, np.stack([u, v], axis=-1).astype(float))
        size = self.voxel * BLOCK
        steps = int(np.ceil(self.truncation / size)) + 1
        # a voxel off the ray may fall into the same pixel: half of one, a voxel at most
        corners = np.array(list(product((-self.voxel, self.voxel), repeat=3)))
        found: list[IntArray] = []
        for off in np.linspace(-self.truncation, self.truncation, 2 * steps + 1):
            p_camera = rays * (z[v, u] + off)[:, None]
            p_world = se3.transform_point(T_world_camera, p_camera)
            cells = np.floor((p_world[:, None] + corners) / size).astype(np.int64)
            found.append(np.unique((cells + _HALF) @ [_SPAN**2, _SPAN, 1]))
        keys = np.unique(np.concatenate(found))
        i, j, k = keys // _SPAN**2, keys // _SPAN % _SPAN, keys % _SPAN
        rows = np.stack([i, j, k], axis=-1) - _HALF
        return [(int(a), int(b), int(c)) for a, b, c in rows]
