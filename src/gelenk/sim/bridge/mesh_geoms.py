"""Meshes of robot models as geoms of MuJoCo: drawn as they are, touched as hulls."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from gelenk.geometry.mesh import Mesh
from gelenk.models.link import Geometry
from gelenk.models.shapes import hull_of, mesh_of
from gelenk.spatial.quaternion import quaternion_from_matrix
from gelenk.typing import FloatArray, IntArray

# pyright: reportAttributeAccessIssue=false


THICKNESS = 2e-4  # [m] that a flat mesh gets, since MuJoCo needs a volume
_GRAY = (0.6, 0.6, 0.6, 1.0)


def add_mesh_geom(
    spec: Any, body: Any, name: str, shape: Geometry, *, is_touched: bool
) -> Any:
    """Add a mesh shape to a body.

    Args:
        spec: Specification that gets the mesh.
        body: Body of the specification.
        name: Name of the mesh and of the geom.
        shape: The shape, whose mesh can be read.
        is_touched: Whether it touches things; then MuJoCo takes its convex hull.
    """
    mesh = mesh_of(shape)
    assert mesh is not None
    is_unseen = is_touched and shape.role != "visual"
    hull = hull_of(shape) if is_unseen else None
    corners, faces = _solid(hull or mesh)
    spec.add_mesh(
        name=name,
        uservert=corners.ravel(),
        userface=faces.ravel(),
        inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
    )
    T = np.asarray(shape.T_link_geometry, dtype=np.float64)
    return body.add_geom(
        name=name,
        type=mujoco.mjtGeom.mjGEOM_MESH,
        meshname=name,
        mass=0.0,
        pos=T[:3, 3],
        quat=quaternion_from_matrix(T[:3, :3]),
        rgba=_color(shape, mesh),
    )


def _color(shape: Geometry, mesh: Mesh) -> tuple[float, ...]:
    """Return the colour of a shape; of a mesh with many colours their mean."""
    if shape.rgba is not None:
        return shape.rgba
    if mesh.face_colors is not None and len(mesh.face_colors):
        return tuple(np.clip(mesh.face_colors.mean(axis=0), 0.0, 1.0).tolist())
    return _GRAY


def _solid(mesh: Mesh) -> tuple[FloatArray, IntArray]:
    """Return corners and faces of a mesh; a flat one becomes a thin plate."""
    corners, faces = np.asarray(mesh.vertices), np.asarray(mesh.faces)
    middle = corners.mean(axis=0)
    _, _, axes = np.linalg.svd(corners - middle, full_matrices=False)
    spread = np.ptp((corners - middle) @ axes.T, axis=0)
    if len(spread) == 3 and spread[2] >= THICKNESS:
        return corners, faces
    thin = [axis for axis, size in zip(axes, spread, strict=True) if size < THICKNESS]
    if len(corners) <= 2 or len(spread) < 3:
        thin = list(np.eye(3))
    for axis in thin:
        shift = 0.5 * THICKNESS * axis
        faces = np.concatenate([faces, faces[:, ::-1] + len(corners)])
        corners = np.concatenate([corners + shift, corners - shift])
    return corners, faces
