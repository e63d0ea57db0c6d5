"""Triangles and hulls of the shapes of a robot."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from gelenk.errors import GelenkError
from gelenk.geometry.hull import convex_hull
from gelenk.geometry.mesh import Mesh
from gelenk.geometry.mesh_file import read_mesh, read_meshes
from gelenk.geometry.solids import (
    box_mesh,
    capsule_mesh,
    cylinder_mesh,
    ellipsoid_mesh,
)
from gelenk.models.link import Geometry, GeometryKind


def mesh_of(geometry: Geometry) -> Mesh | None:
    """Return the triangles of a shape in its own frame [m], its scale applied.

    A mesh whose file is missing or broken gives None and one warning with its name.

    Args:
        geometry: Shape of a link.
    """
    if geometry.kind != "mesh":
        return _solid(geometry.kind, geometry.size)
    mesh = _unscaled(geometry)
    return None if mesh is None else _scaled(mesh, geometry.size or (1.0, 1.0, 1.0))


def hull_of(geometry: Geometry) -> Mesh | None:
    """Return the convex hull of a shape in its own frame [m]; faces look outwards.

    Args:
        geometry: Shape of a link.

    Returns:
        The hull; None where `mesh_of` gives None.
    """
    mesh = mesh_of(geometry)
    if mesh is None or not len(mesh.vertices):
        return None
    return _hull(mesh)


_told: set[Path | str] = set()


@lru_cache(maxsize=1024)
def _solid(kind: GeometryKind, size: tuple[float, ...]) -> Mesh:
    match kind:
        case "box":
            return box_mesh(size)
        case "sphere":
            return ellipsoid_mesh((size[0],) * 3)
        case "ellipsoid":
            return ellipsoid_mesh(size)
        case "cylinder":
            return cylinder_mesh(size[0], size[1])
        case _:
            return capsule_mesh(size[0], size[1])


def _unscaled(geometry: Geometry) -> Mesh | None:
    if geometry.data is not None:
        return geometry.data
    if geometry.path is None:
        name = geometry.mesh or geometry.name
        _tell_once(name, f"mesh {name!r} was not found; the shape is left out")
        return None
    try:
        return read_mesh(geometry.path)
    except GelenkError as error:
        _tell_once(geometry.path, f"{error}; the shape is left out")
        return None


@lru_cache(maxsize=512)
def _hull(mesh: Mesh) -> Mesh:
    return convex_hull(mesh)


@lru_cache(maxsize=512)
def _scaled(mesh: Mesh, size: tuple[float, ...]) -> Mesh:
    """Return a mesh stretched along its axes; a mirror image turns its faces round."""
    scale = np.array(size)
    if (scale == 1.0).all():
        return mesh
    faces = mesh.faces if np.prod(scale) > 0.0 else mesh.faces[:, ::-1].copy()
    normals = mesh.normals
    if normals is not None:
        turned = normals * scale[[1, 2, 0]] * scale[[2, 0, 1]] * np.sign(np.prod(scale))
        length = np.linalg.norm(turned, axis=1, keepdims=True)
        normals = turned / np.where(length > 0.0, length, 1.0)
    return Mesh(
        vertices=mesh.vertices * scale,
        faces=faces,
        normals=normals,
        face_colors=mesh.face_colors,
        uv=mesh.uv,
        texture=mesh.texture,
    )


def _tell_once(key: Path | str, message: str) -> None:
    if key not in _told:
        _told.add(key)
        warnings.warn(message, stacklevel=4)


def load_shapes(geometries: Sequence[Geometry]) -> None:
    """Read the mesh files of several shapes in parallel, for `mesh_of` to find them.

    Args:
        geometries: Shapes of links.
    """
    paths = [item.path for item in geometries if item.kind == "mesh" and not item.data]
    read_meshes([path for path in paths if path is not None])


def looks_of(geometry: Geometry, mesh: Mesh) -> tuple[float, ...] | None:
    """Return the one colour of a shape, or None if its mesh has colours that count.

    The colour that the description states counts unless the mesh has several colours,
    or a texture.

    Args:
        geometry: Shape of a link.
        mesh: Result of `mesh_of` for it.
    """
    if geometry.rgba is None or mesh.texture is not None:
        return None
    colors = mesh.face_colors
    if colors is not None and len(colors) and (colors != colors[0]).any():
        return None
    return geometry.rgba
