"""The native renderer: pictures from triangles, without any graphics library.

A depth buffer decides what is in front, a second one from the light what lies in the
shade. Several samples per pixel smooth the edges.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gelenk.errors import ConfigError
from gelenk.robots.armbot.view import raster
from gelenk.robots.armbot.view.camera import OrbitCamera
from gelenk.robots.armbot.view.parts import Drawable
from gelenk.typing import FloatArray, IntArray

GAMMA = 2.2
NEAR = 0.01  # [m]; what is nearer to the eye is cut away
MAX_SIDE = 8192  # [px]
MAX_SAMPLES = 4
SUN = np.array([0.42, -0.38, 0.82]) / np.linalg.norm([0.42, -0.38, 0.82])
SHADOW_SIZE = 2048  # [texels], of a side of the shadow map
SKY = ((0.60, 0.67, 0.76), (0.92, 0.94, 0.96))  # top and bottom of the picture
SOLID = 0.995  # alpha from which on nothing shines through


class Soup(NamedTuple):
    """Triangles of many parts in the world.

    Attributes:
        points: Corners of each triangle (m, 3, 3).
        normals: At the corners (m, 3, 3).
        colors: Linear light (m, 3).
        alphas: (m,).
        has_shadow: (m,).
        part: Number of the part it belongs to (m,).
    """

    points: FloatArray
    normals: FloatArray
    colors: FloatArray
    alphas: FloatArray
    has_shadow: NDArray[np.bool_]
    part: IntArray

    def where(self, mask: NDArray[Any]) -> Soup:
        """Return some of the triangles, by mask or by number."""
        fields: tuple[Any, ...] = tuple(self)
        return Soup(*(np.ascontiguousarray(field[mask]) for field in fields))


def render(
    drawn: Sequence[Drawable],
    camera: OrbitCamera,
    *,
    width: int = 960,
    height: int = 720,
    samples: int = 2,
) -> NDArray[np.uint8]:
    """Return a picture, shape (height, width, 3), RGB.

    Args:
        drawn: What is to be seen.
        camera: From where.
        width: Of the picture [px].
        height: [px].
        samples: Samples per side of a pixel.

    Raises:
        ConfigError: If the picture has no possible size.
    """
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise ConfigError(
            f"a picture needs 1 to {MAX_SIDE} pixels per side, got {width} x {height}"
        )
    if not 1 <= samples <= MAX_SAMPLES:
        raise ConfigError(f"`samples` must be 1 to {MAX_SAMPLES}, got {samples}")
    rows, columns = height * samples, width * samples
    soup = gather(drawn)
    is_solid = soup.alphas >= SOLID
    shadow = _shadow_map(soup.where(is_solid & soup.has_shadow))
    screen = _Screen(camera, rows, columns)
    image = _background(height, width)
    solid = screen.cut(soup.where(is_solid))
    depth = np.zeros((rows, columns))
    owner = np.full((rows, columns), -1, dtype=np.int64)
    at, inverse = screen.project(solid.points)
    corners = np.arange(3 * len(solid.points), dtype=np.int64).reshape(-1, 3)
    number = np.arange(len(solid.points), dtype=np.int64)
    raster.fill(at, inverse, corners, number, depth, owner)
    raster.paint(
        screen.view, solid.points, solid.normals, solid.colors, SUN, shadow, depth,
        owner, image,
    )  # fmt: skip
    _lay_over(image, depth, screen, soup.where(~is_solid), shadow)
    return _developed(image)


def gather(drawn: Sequence[Drawable]) -> Soup:
    """Return the triangles of all parts, in the world."""
    points: list[FloatArray] = [np.zeros((0, 3, 3))]
    normals: list[FloatArray] = [np.zeros((0, 3, 3))]
    counts: list[int] = []
    for item in drawn:
        mesh, T = item.part.mesh, item.T_world_part
        A = T[:3, :3]
        world = mesh.points @ A.T + T[:3, 3]
        # Columns are orthogonal, stretched or not: the inverse transposed is simple.
        turned = mesh.normals @ (A / np.sum(A * A, axis=0)).T
        turned /= np.linalg.norm(turned, axis=1, keepdims=True) + 1e-300
        points.append(world[mesh.triangles])
        normals.append(turned[mesh.triangles])
        counts.append(len(mesh.triangles))
    colors = np.array([item.color for item in drawn], dtype=np.float64).reshape(-1, 3)
    alphas = np.array([item.part.alpha for item in drawn], dtype=np.float64)
    shadows = np.array([item.part.has_shadow for item in drawn], dtype=bool)
    return Soup(
        points=np.concatenate(points),
        normals=np.concatenate(normals),
        colors=np.repeat((colors / 255.0) ** GAMMA, counts, axis=0),
        alphas=np.repeat(alphas, counts),
        has_shadow=np.repeat(shadows, counts),
        part=np.repeat(np.arange(len(drawn), dtype=np.int64), counts),
    )


class _Screen:
    """A camera over a grid of samples."""

    def __init__(self, camera: OrbitCamera, rows: int, columns: int) -> None:
        self.eye = np.ascontiguousarray(camera.eye)
        self.axes = np.ascontiguousarray(camera.axes)
        focal = 0.5 * rows / math.tan(0.5 * camera.view)
        self.lens = (focal, 0.5 * (columns - 1), 0.5 * (rows - 1))
        self.view = (*self.lens, self.eye, self.axes)

    def cut(self, soup: Soup) -> Soup:
        """Return the triangles in front of the eye, cut where they reach behind it."""
        z = (soup.points - self.eye) @ self.axes[:, 2]
        is_behind = z < NEAR
        whole = soup.where(np.logical_not(is_behind.any(axis=1)))
        crossing = np.flatnonzero(is_behind.any(axis=1) & ~is_behind.all(axis=1))
        pieces = [whole]
        for t in crossing:
            pieces += _cut_one(soup, int(t), z[t])
        return Soup(*(np.concatenate(fields) for fields in zip(*pieces, strict=True)))

    def project(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return places on the screen (n, 2) and 1 / z (n,) of triangles' corners."""
        seen = (points.reshape(-1, 3) - self.eye) @ self.axes
        inverse = 1.0 / seen[:, 2]
        focal, cu, cv = self.lens
        at = focal * seen[:, :2] * inverse[:, None] + [cu, cv]
        return at, inverse


def _cut_one(soup: Soup, t: int, z: FloatArray) -> list[Soup]:
    """Return what is in front of the eye of a triangle with depths `z`."""
    corners: list[tuple[FloatArray, FloatArray]] = []
    for i in range(3):
        k = (i + 1) % 3
        if z[i] >= NEAR:
            corners.append((soup.points[t, i], soup.normals[t, i]))
        if (z[i] >= NEAR) != (z[k] >= NEAR):
            s = (NEAR - z[i]) / (z[k] - z[i])
            point = (1.0 - s) * soup.points[t, i] + s * soup.points[t, k]
            normal = (1.0 - s) * soup.normals[t, i] + s * soup.normals[t, k]
            corners.append((point, normal))
    rest: tuple[Any, ...] = tuple(field[t : t + 1] for field in soup[2:])
    return [
        Soup(
            np.stack([corners[j][0] for j in (0, i, i + 1)])[None],
            np.stack([corners[j][1] for j in (0, i, i + 1)])[None],
            *rest,
        )
        for i in range(1, len(corners) - 1)
    ]


def _shadow_map(soup: Soup) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return what the light sees: nearness to it, axes of the map, its origin."""
    x = np.cross([0.0, 1.0, 0.0], SUN)
    x /= np.linalg.norm(x)
    # Mirrored, so that what the light sees is clockwise, as on a screen.
    axes = np.stack([x, -np.cross(SUN, x), SUN])
    points = soup.points.reshape(-1, 3)
    if not len(points):
        return np.zeros((8, 8)), axes, np.zeros(3)
    seen = points @ axes.T
    low, high = seen.min(axis=0), seen.max(axis=0)
    scale = (SHADOW_SIZE - 16) / max(float((high - low)[:2].max()), 1e-3)
    axes[:2] *= scale
    origin = np.array([scale * low[0] - 8.0, scale * low[1] - 8.0, low[2] - 1.0])
    seen = points @ axes.T - origin
    depth = np.zeros((SHADOW_SIZE, SHADOW_SIZE))
    owner = np.empty((SHADOW_SIZE, SHADOW_SIZE), dtype=np.int64)
    corners = np.arange(len(points), dtype=np.int64).reshape(-1, 3)
    raster.fill(
        np.ascontiguousarray(seen[:, :2]), np.ascontiguousarray(seen[:, 2]),
        corners, corners[:, 0].copy(), depth, owner,
    )  # fmt: skip
    return depth, np.ascontiguousarray(axes), origin


def _lay_over(
    image: NDArray[np.float32],
    depth: FloatArray,
    screen: _Screen,
    soup: Soup,
    shadow: tuple[FloatArray, FloatArray, FloatArray],
) -> None:
    """Draw what is transparent, the farthest first."""
    soup = screen.cut(soup)
    if not len(soup.points):
        return
    at, inverse = screen.project(soup.points)
    soup, groups = _sheets(soup, at, inverse)
    at, inverse = screen.project(soup.points)
    raster.glaze(
        at, inverse, screen.view, soup[:4], groups, SUN, shadow, depth,
        np.zeros(image.shape[:2], dtype=np.int64), np.zeros(image.shape[:2]), image,
    )  # fmt: skip


def _sheets(soup: Soup, at: FloatArray, inverse: FloatArray) -> tuple[Soup, IntArray]:
    """Return triangles in sheets, the farthest first, and where each sheet begins.

    A sheet is what one part shows of its front or of its back.
    """
    corners = at.reshape(-1, 3, 2)
    e1, e2 = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    is_front = e1[:, 0] * e2[:, 1] - e1[:, 1] * e2[:, 0] < 0.0
    _, sheet = np.unique(2 * soup.part + is_front, return_inverse=True)
    distance = 1.0 / inverse.reshape(-1, 3).mean(axis=1)
    mean = np.bincount(sheet, distance) / np.bincount(sheet)
    order = np.lexsort((sheet, -mean[sheet]))
    changes = np.flatnonzero(np.diff(sheet[order])) + 1
    groups = np.concatenate([[0], changes, [len(order)]]).astype(np.int64)
    sheets = soup.where(order)
    # A sheet is lit as if it were flat.
    sheets.normals[groups[:-1]] = sheets.normals[groups[:-1], :1]
    return sheets, groups


def _background(rows: int, columns: int) -> NDArray[np.float32]:
    share = np.linspace(0.0, 1.0, rows)[:, None]
    top, bottom = (np.array(color) ** GAMMA for color in SKY)
    column = ((1.0 - share) * top + share * bottom).astype(np.float32)
    return np.ascontiguousarray(np.broadcast_to(column[:, None], (rows, columns, 3)))


def _developed(image: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return linear light as people's screens want it."""
    levels = 255.0 * np.clip(image, 0.0, 1.0) ** (1.0 / GAMMA)
    return np.rint(levels).astype(np.uint8)
