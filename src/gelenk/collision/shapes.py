"""Convex shapes of descriptions, as the kernels of collision take them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from gelenk.checks import as_finite
from gelenk.collision._support import (
    BOX,
    CELLS,
    CYLINDER,
    ELLIPSOID,
    HALF_SPACE,
    HULL,
    NUM_STARTS,
    POINT,
    SEGMENT,
)
from gelenk.errors import ConfigError
from gelenk.geometry.hull import decompose
from gelenk.geometry.mesh import Mesh
from gelenk.models.link import Geometry
from gelenk.models.shapes import hull_of, mesh_of
from gelenk.spatial.se3 import is_pose
from gelenk.typing import ArrayLike, FloatArray, IntArray

FEW = 20  # vertices of a hull up to which all are tried: a climb would cost more
MOST_HULLS = 512  # that are remembered

_EMPTY = np.empty((0, 3))
_NO_GRAPH = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ConvexShape:
    """A convex core with a radius around it, at a place.

    Attributes:
        kind: Kind of core, see `_support`.
        params: Half lengths of the core [m].
        radius: Radius that is added to the core [m].
        T: Pose in the link or the world; the bounding box is centred there.
        vertices: Corners of a hull in that frame [m], shape (n, 3).
        graph: Edges of a hull, see `_support`; empty: all vertices are tried.
        half: Half lengths of the bounding box [m], shape (3,).
        reach: Radius of the bounding sphere about the origin of the frame [m].
    """

    kind: int
    params: tuple[float, float, float] = (0.0, 0.0, 0.0)
    radius: float = 0.0
    T: FloatArray
    vertices: FloatArray = field(default_factory=lambda: _EMPTY)
    graph: IntArray = field(default_factory=lambda: _NO_GRAPH)
    half: FloatArray
    reach: float

    def moved(self, T: FloatArray) -> ConvexShape:
        """Return the shape carried along by a pose."""
        return replace(self, T=T @ self.T)


def convex_shapes(
    geometry: Geometry, *, is_apart: bool = False
) -> tuple[ConvexShape, ...]:
    """Return the convex pieces of a shape; none if it is a mesh without its file.

    Args:
        geometry: Shape.
        is_apart: Whether a mesh is taken apart into convex pieces; else it counts as
            its hull.

    Raises:
        ConfigError: If its size or its pose makes no sense.
    """
    T = as_finite("T_link_geometry", geometry.T_link_geometry, (4, 4))
    if not is_pose(T, tol=1e-6):
        raise ConfigError(f"the shape {geometry.name!r}: `T_link_geometry` is no pose")
    if geometry.kind == "mesh":
        return tuple(piece.moved(T) for piece in _mesh_pieces(geometry, is_apart))
    return (_primitive(geometry, T),)


def _primitive(geometry: Geometry, T: FloatArray) -> ConvexShape:
    size = np.asarray(geometry.size, dtype=np.float64)
    if not (np.isfinite(size).all() and (size >= 0.0).all()):
        raise ConfigError(
            f"the shape {geometry.name!r}: `size` must be >= 0 m, got {geometry.size}"
        )
    match geometry.kind:
        case "sphere":
            r = float(size[0])
            return ConvexShape(kind=POINT, radius=r, T=T, half=np.full(3, r), reach=r)
        case "capsule":
            r, h = float(size[0]), 0.5 * float(size[1])
            half = np.array([r, r, h + r])
            return ConvexShape(
                kind=SEGMENT,
                params=(0.0, 0.0, h),
                radius=r,
                T=T,
                half=half,
                reach=h + r,
            )
        case "cylinder":
            r, h = float(size[0]), 0.5 * float(size[1])
            reach = float(np.hypot(r, h))
            half = np.array([r, r, h])
            return ConvexShape(
                kind=CYLINDER, params=(r, 0.0, h), T=T, half=half, reach=reach
            )
        case "ellipsoid":
            kind, half, reach = ELLIPSOID, size.copy(), float(size.max())
        case _:
            kind, half = BOX, 0.5 * size
            reach = float(np.linalg.norm(half))
    a, b, c = half.tolist()
    return ConvexShape(kind=kind, params=(a, b, c), T=T, half=half, reach=reach)


def _mesh_pieces(geometry: Geometry, is_apart: bool) -> list[ConvexShape]:
    if is_apart:
        mesh = mesh_of(geometry)
        return [] if mesh is None else [hull_shape(one) for one in _apart(mesh)]
    hull = hull_of(geometry)
    return [] if hull is None else [hull_shape(hull)]


def half_space(T: ArrayLike) -> ConvexShape:
    """Return everything below the plane z = 0 of a pose."""
    T = as_finite("T", T, (4, 4))
    far = float("inf")
    return ConvexShape(kind=HALF_SPACE, T=T, half=np.full(3, far), reach=far)


# -- hulls --------------------------------------------------------------------------


@lru_cache(maxsize=MOST_HULLS)
def hull_shape(hull: Mesh) -> ConvexShape:
    """Return a convex mesh as a shape; flat ones are allowed."""
    corners = hull.vertices
    R = _box_axes(corners)
    low, high = (corners @ R).min(axis=0), (corners @ R).max(axis=0)
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, R @ (0.5 * (low + high))
    local = np.ascontiguousarray((corners - T[:3, 3]) @ R)
    graph = _graph(local, hull.faces) if len(local) > FEW else _NO_GRAPH
    reach = float(np.sqrt((local**2).sum(axis=1).max()))
    half = np.abs(local).max(axis=0)
    return ConvexShape(
        kind=HULL, T=T, vertices=local, graph=graph, half=half, reach=reach
    )


@lru_cache(maxsize=MOST_HULLS)
def _apart(mesh: Mesh) -> tuple[Mesh, ...]:
    return decompose(mesh)


def _box_axes(corners: FloatArray) -> FloatArray:
    """Return the axes of a small bounding box: of the frame, or principal axes."""
    centred = corners - corners.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    if np.linalg.det(axes) < 0.0:
        axes[:, 0] *= -1.0
    best, volume = np.eye(3), np.inf
    for R in (np.eye(3), axes):
        found = float((np.ptp(corners @ R, axis=0) + 1e-9).prod())
        if found < 0.95 * volume:  # as written where it makes no difference
            best, volume = R, found
    return best


def _graph(corners: FloatArray, triangles: IntArray) -> IntArray:
    """Return where climbs begin, and the neighbours of each vertex; see `_support`."""
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]]])
    edges = np.concatenate([edges, triangles[:, [2, 0]]])
    edges = np.unique(np.concatenate([edges, edges[:, ::-1]]), axis=0)
    starts = np.argmax(_cell_directions() @ corners.T, axis=1)
    first = NUM_STARTS + len(corners) + 1
    ends = first + np.searchsorted(edges[:, 0], np.arange(len(corners) + 1))
    return np.concatenate([starts, ends, edges[:, 1]]).astype(np.int64)


def _cell_directions() -> FloatArray:
    """Return the middle of each cell of directions, shape (NUM_STARTS, 3)."""
    middle = (np.arange(CELLS) + 0.5) * (2.0 / CELLS) - 1.0
    u, v = (part.ravel() for part in np.meshgrid(middle, middle, indexing="ij"))
    sides: list[FloatArray] = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            d = np.stack([u, v], axis=1)
            sides.append(np.insert(d, axis, sign, axis=1).astype(np.float64))
    return np.concatenate(sides)


def in_world(shapes: Iterable[ConvexShape], T: FloatArray) -> tuple[ConvexShape, ...]:
    """Return shapes carried along by a pose."""
    return tuple(shape.moved(T) for shape in shapes)
