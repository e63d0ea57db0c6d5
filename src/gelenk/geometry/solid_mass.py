"""Mass, centre and inertia of closed meshes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.geometry._mesh_topology import merge_rows
from gelenk.geometry.mesh import Mesh
from gelenk.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MassProperties:
    """Mass of a body and how it is spread.

    Attributes:
        volume: Volume [m^3].
        mass: Mass [kg].
        com: Centre of mass in the frame of the mesh [m], shape (3,).
        inertia: Inertia about the centre of mass, in axes of the mesh [kg m^2], shape
            (3, 3).
    """

    volume: float
    mass: float
    com: FloatArray
    inertia: FloatArray


def mass_properties(mesh: Mesh, *, density: float = 1000.0) -> MassProperties:
    """Return the mass properties of a body of even density that a closed mesh bounds.

    Args:
        mesh: Closed surface; each edge belongs to two triangles that are anticlockwise
            from the same side. Where they are clockwise, the body is turned inside out
            first.
        density: Density of the body [kg/m^3].

    Raises:
        ConfigError: If the surface is open or encloses no volume.

    Example:
        >>> from gelenk.geometry import convex_hull, mass_properties
        >>> corners = [[x, y, z] for x in (0, 1) for y in (0, 2) for z in (0, 3)]
        >>> body = mass_properties(convex_hull(corners), density=10.0)
        >>> round(body.mass, 9), body.com.round(9).tolist()
        (60.0, [0.5, 1.0, 1.5])
    """
    if not (math.isfinite(density) and density > 0.0):
        raise ConfigError(f"`density` must be finite and above 0, got {density}")
    count = open_edges(mesh)
    if count:
        raise ConfigError(
            f"`mesh` must be closed, got {count} edges that do not have one triangle "
            "on each side; take its `convex_hull`, or repair it"
        )
    middle = mesh.bounds.mean(axis=0)
    corners = (mesh.vertices - middle)[mesh.faces]
    # Tetrahedra from the middle to each triangle, their volumes with signs.
    volumes = np.asarray(np.linalg.det(corners), np.float64) / 6.0
    volume = float(volumes.sum())
    width, depth, height = (mesh.bounds[1] - mesh.bounds[0]).tolist()
    extent = width * depth * height
    if not abs(volume) > 1e-9 * extent:
        raise ConfigError(f"`mesh` must enclose a volume, got {volume} m^3")
    total = corners.sum(axis=1)
    com = np.einsum("i,ij->j", volumes, total) / (4.0 * volume)
    # Integral of x x^T over a tetrahedron with one corner in the origin.
    second = np.einsum("i,ikj,ikl->jl", volumes, corners, corners)
    second = (second + np.einsum("i,ij,il->jl", volumes, total, total)) / 20.0
    second = second / volume - np.outer(com, com)
    mass = density * abs(volume)
    inertia = mass * (np.trace(second) * np.eye(3) - second)
    return MassProperties(
        volume=abs(volume), mass=mass, com=com + middle, inertia=inertia
    )


def open_edges(mesh: Mesh) -> int:
    """Return the number of edges without just one triangle on each side.

    Args:
        mesh: Surface; corners in the same place count as one.
    """
    _, number = merge_rows((mesh.vertices + 0.0).view(np.int64))
    faces = number[mesh.faces]
    is_flat = (faces == faces[:, [1, 2, 0]]).any(axis=1)
    faces = faces[~is_flat]
    start, end = faces.reshape(-1), faces[:, [1, 2, 0]].reshape(-1)
    low, high = np.minimum(start, end), np.maximum(start, end)
    _, edge = merge_rows(np.stack([low, high], axis=1))
    balance = np.bincount(edge, weights=np.where(start < end, 1.0, -1.0))
    return int(np.count_nonzero(balance))
