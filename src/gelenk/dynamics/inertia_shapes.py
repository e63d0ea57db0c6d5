"""Inertia of solid shapes: closed forms, and any closed surface of triangles.

Shapes stand in their own frame: centre of mass in the origin, axis along z.
"""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_finite
from gelenk.dynamics.inertia import BodyInertia, transform_body
from gelenk.errors import ConfigError
from gelenk.models.link import Geometry
from gelenk.typing import ArrayLike, FloatArray, IntArray


def box_inertia(
    size: ArrayLike, *, mass: float | None = None, density: float | None = None
) -> BodyInertia:
    """Return the inertia of a box: m/12 (b^2 + c^2) and so on.

    Args:
        size: Full edge lengths [m], shape (3,).
        mass: Mass [kg]; exclusive with `density`.
        density: Density [kg/m^3]; exclusive with `mass`.

    Example:
        >>> print(box_inertia([0.2, 0.3, 0.4], mass=12.0).inertia.diagonal())
        [0.25 0.2  0.13]
    """
    square = np.square(_lengths("size", size, 3))
    mass = _mass(float(np.prod(_lengths("size", size, 3))), mass, density)
    return _centred(mass, mass / 12.0 * (square.sum() - square))


def sphere_inertia(
    radius: float, *, mass: float | None = None, density: float | None = None
) -> BodyInertia:
    """Return the inertia of a ball: 2/5 m r^2.

    Args:
        radius: Radius [m].
        mass: Mass [kg]; exclusive with `density`.
        density: Density [kg/m^3]; exclusive with `mass`.
    """
    return ellipsoid_inertia([radius] * 3, mass=mass, density=density)


def ellipsoid_inertia(
    radii: ArrayLike, *, mass: float | None = None, density: float | None = None
) -> BodyInertia:
    """Return the inertia of an ellipsoid: m/5 (b^2 + c^2) and so on.

    Args:
        radii: Semi-axes [m], shape (3,).
        mass: Mass [kg]; exclusive with `density`.
        density: Density [kg/m^3]; exclusive with `mass`.
    """
    radii = _lengths("radii", radii, 3)
    mass = _mass(4.0 / 3.0 * np.pi * float(np.prod(radii)), mass, density)
    square = np.square(radii)
    return _centred(mass, mass / 5.0 * (square.sum() - square))


def cylinder_inertia(
    radius: float,
    length: float,
    *,
    mass: float | None = None,
    density: float | None = None,
) -> BodyInertia:
    """Return the inertia of a cylinder along z.

    Args:
        radius: Radius [m].
        length: Length [m].
        mass: Mass [kg]; exclusive with `density`.
        density: Density [kg/m^3]; exclusive with `mass`.
    """
    r, h = _lengths("radius and length", [radius, length], 2)
    mass = _mass(np.pi * r**2 * h, mass, density)
    side = mass * (h**2 / 12.0 + r**2 / 4.0)
    return _centred(mass, np.array([side, side, mass * r**2 / 2.0]))


def capsule_inertia(
    radius: float,
    length: float,
    *,
    mass: float | None = None,
    density: float | None = None,
) -> BodyInertia:
    """Return the inertia of a cylinder along z with half a ball on either end.

    Args:
        radius: Radius [m].
        length: Length of the cylinder, without the caps [m].
        mass: Mass [kg]; exclusive with `density`.
        density: Density [kg/m^3]; exclusive with `mass`.
    """
    r, h = _lengths("radius and length", [radius, length], 2)
    tube, caps = np.pi * r**2 * h, 4.0 / 3.0 * np.pi * r**3
    mass = _mass(tube + caps, mass, density)
    m_tube, m_caps = mass * tube / (tube + caps), mass * caps / (tube + caps)
    # Half a ball has its centre of mass 3/8 r above its cut: Steiner from the cut to
    # that centre and on to the middle of the capsule.
    own = 0.4 * r**2 - (0.375 * r) ** 2
    side = m_tube * (h**2 / 12.0 + r**2 / 4.0)
    side += m_caps * (own + (h / 2.0 + 0.375 * r) ** 2)
    axial = m_tube * r**2 / 2.0 + m_caps * 0.4 * r**2
    return _centred(mass, np.array([side, side, axial]))


def mesh_inertia(
    vertices: ArrayLike,
    faces: ArrayLike,
    *,
    mass: float | None = None,
    density: float | None = None,
) -> BodyInertia:
    """Return the inertia of the solid inside a closed surface of triangles.

    The solid is the sum of the tetrahedra between the origin and each triangle, those
    seen from behind counting negative.

    Args:
        vertices: Corners [m], shape (n, 3).
        faces: Indices of the corners of each triangle, anticlockwise from outside,
            shape (m, 3).
        mass: Mass [kg]; exclusive with `density`.
        density: Density [kg/m^3]; exclusive with `mass`.

    Raises:
        ConfigError: If the surface is not closed or its triangles point inwards.

    Example:
        >>> from gelenk.dynamics import mesh_inertia
        >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
        >>> body = mesh_inertia(corners, faces, density=600.0)
        >>> print(round(float(body.mass), 6), body.com)
        100.0 [0.25 0.25 0.25]
    """
    vertices = as_finite("vertices", vertices, (3,)).reshape(-1, 3)
    index = np.asarray(faces, dtype=np.int64).reshape(-1, 3)
    _check_closed(index)
    # Integrals of 1, x and x x^T over tetrahedra (0, a, b, c) with unit density.
    corners = vertices[index]  # (m, 3 corners, 3)
    volumes = np.linalg.det(corners) / 6.0
    volume = float(volumes.sum())
    if not volume > 0.0:
        raise ConfigError(
            f"the surface encloses {volume:.4g} m^3; turn its triangles so that their "
            "corners run anticlockwise seen from outside"
        )
    total = corners.sum(axis=1)
    com = np.einsum("m,mi->i", volumes, total) / (4.0 * volume)
    second = np.einsum("m,mki,mkj->ij", volumes, corners, corners)
    second += np.einsum("m,mi,mj->ij", volumes, total, total)
    second = second / (20.0 * volume) - np.outer(com, com)
    mass = _mass(volume, mass, density)
    inertia = mass * (np.trace(second) * np.eye(3) - second)
    return BodyInertia(mass=np.array(mass), com=com, inertia=inertia)


def geometry_inertia(geometry: Geometry, *, density: float) -> BodyInertia:
    """Return the inertia of a shape of a link, in the link's frame.

    Args:
        geometry: Solid shape; a mesh needs its triangles, see `mesh_inertia`.
        density: Density [kg/m^3].

    Raises:
        ConfigError: If the shape is a mesh.
    """
    match geometry.kind:
        case "box":
            body = box_inertia(geometry.size, density=density)
        case "sphere":
            body = sphere_inertia(geometry.size[0], density=density)
        case "cylinder":
            body = cylinder_inertia(*geometry.size, density=density)
        case "capsule":
            body = capsule_inertia(*geometry.size, density=density)
        case "ellipsoid":
            body = ellipsoid_inertia(geometry.size, density=density)
        case "mesh":
            raise ConfigError(
                f"the mesh {geometry.mesh!r} has no size of its own; load its "
                "triangles and use `mesh_inertia`"
            )
    return transform_body(geometry.T_link_geometry, body)


def _centred(mass: float, moments: FloatArray) -> BodyInertia:
    return BodyInertia(mass=np.array(mass), com=np.zeros(3), inertia=np.diag(moments))


def _lengths(name: str, value: ArrayLike, count: int) -> FloatArray:
    lengths = as_finite(name, value, (count,))
    if not (lengths >= 0.0).all():
        raise ConfigError(f"`{name}` must be >= 0 m, got {lengths.tolist()}")
    return lengths


def _mass(volume: float, mass: float | None, density: float | None) -> float:
    if (mass is None) == (density is None):
        raise ConfigError("give either `mass` or `density`")
    value = mass if mass is not None else volume * (density or 0.0)
    if not value >= 0.0:
        raise ConfigError(f"the mass must be >= 0 kg, got {value}")
    return float(value)


def _check_closed(faces: IntArray) -> None:
    """Raise ConfigError unless every edge is run through once in each direction."""
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    there = {(int(a), int(b)) for a, b in edges}
    if len(there) != len(edges) or any((b, a) not in there for a, b in there):
        raise ConfigError(
            "the surface is not closed: some edge does not join exactly two triangles "
            "of the same orientation"
        )
