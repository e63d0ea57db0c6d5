"""Convex hulls of points and meshes."""

from __future__ import annotations

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from gelenk.errors import ConfigError, ShapeError
from gelenk.geometry.mesh import Mesh
from gelenk.typing import ArrayLike, FloatArray, IntArray


def convex_hull(shape: Mesh | ArrayLike) -> Mesh:
    """Return the convex hull of a mesh or of points; its faces look outwards.

    The hull of points that lie in a plane, on a line or in one place is that flat
    figure, seen from both sides.

    Args:
        shape: Mesh, or points [m], shape (n, 3).

    Raises:
        ConfigError: If there is no point, or one is not finite.
    """
    points = shape.vertices if isinstance(shape, Mesh) else np.asarray(shape, float)
    if points.ndim != 2 or points.shape[1] != 3:
        raise ShapeError("shape", expected="(n, 3)", actual=points.shape)
    if not len(points) or not np.isfinite(points).all():
        raise ConfigError("`shape` needs at least one point, all of them finite")
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):
        return _flat_hull(points)
    faces = np.asarray(hull.simplices, dtype=np.int64)
    corners = points[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    is_inward = np.einsum("ij,ij->i", normals, hull.equations[:, :3]) < 0.0
    faces[is_inward] = faces[is_inward][:, ::-1]
    return _compact(points, faces)


def _flat_hull(points: FloatArray) -> Mesh:
    """Return the hull of points without volume, seen from both sides."""
    middle = points.mean(axis=0)
    _, spread, axes = np.linalg.svd(points - middle, full_matrices=False)
    flat = (points - middle) @ axes[:2].T
    try:
        outline = ConvexHull(flat).vertices
    except (QhullError, ValueError):  # on a line, or in one place
        along = flat[:, 0] if spread[0] > 0.0 else np.zeros(len(points))
        outline = np.array([along.argmin(), along.argmax(), along.argmax()])
    fan = [(outline[0], outline[i], outline[i + 1]) for i in range(1, len(outline) - 1)]
    one_side = np.array(fan, dtype=np.int64).reshape(-1, 3)
    return _compact(points, np.concatenate([one_side, one_side[:, ::-1]]))


def _compact(points: FloatArray, faces: IntArray) -> Mesh:
    """Return a mesh of the points that its faces use."""
    used, places = np.unique(faces, return_inverse=True)
    return Mesh(vertices=points[used].copy(), faces=places.reshape(-1, 3))
