"""Convex hulls of points and meshes, and meshes taken apart into convex pieces."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gelenk.errors import ConfigError, ShapeError
from gelenk.geometry._mesh_cache import digest_of, load_arrays, save_arrays
from gelenk.geometry.mesh import Mesh
from gelenk.typing import ArrayLike, FloatArray, IntArray

_WORTH_KEEPING = 5_000  # points; hulls of fewer are made faster than found on disk
_FEWEST = 4  # corners of a tetrahedron


def convex_hull(shape: Mesh | ArrayLike, *, max_vertices: int | None = None) -> Mesh:
    """Return the convex hull of a mesh or of points; its faces look outwards.

    The hull of points that lie in a plane, on a line or in one place is that flat
    figure, seen from both sides.

    Args:
        shape: Mesh, or points [m], shape (n, 3).
        max_vertices: Largest number of corners, at least 5. Such a hull is made of
            the points farthest out and lies inside the exact one. None: exact.

    Raises:
        ConfigError: If there is no point, or one is not finite.

    Example:
        >>> from gelenk.geometry import convex_hull
        >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]]
        >>> len(convex_hull(corners).vertices)
        4
    """
    points = shape.vertices if isinstance(shape, Mesh) else np.asarray(shape, float)
    if points.ndim != 2 or points.shape[1] != 3:
        raise ShapeError("shape", expected="(n, 3)", actual=points.shape)
    if not len(points) or not np.isfinite(points).all():
        raise ConfigError("`shape` needs at least one point, all of them finite")
    if max_vertices is not None and max_vertices <= _FEWEST:
        raise ConfigError(f"`max_vertices` must be at least 5, got {max_vertices}")
    if len(points) < _WORTH_KEEPING:
        return _hull(points, max_vertices)
    name = digest_of(f"hull 1 {max_vertices}", points)
    found = load_arrays(name)
    if found is not None:
        return Mesh(vertices=found["vertices"], faces=found["faces"])
    hull = _hull(points, max_vertices)
    save_arrays(name, {"vertices": hull.vertices, "faces": hull.faces})
    return hull


def _hull(points: FloatArray, max_vertices: int | None) -> Mesh:
    from scipy.spatial import ConvexHull, QhullError  # slow to import: when needed

    try:
        hull = ConvexHull(points)
        if max_vertices is not None and len(hull.vertices) > max_vertices:
            # Four corners of the first tetrahedron, then so many points more.
            count = max_vertices - _FEWEST
            hull = ConvexHull(points, qhull_options=f"Qt TA{count}")
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
    from scipy.spatial import ConvexHull, QhullError

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


def decompose(
    mesh: Mesh, *, threshold: float = 0.05, max_pieces: int | None = None, seed: int = 0
) -> tuple[Mesh, ...]:
    """Return convex pieces that together are about the body that a mesh bounds.

    It takes seconds to minutes; pieces that were made before are found on disk. The
    work is done by CoACD, which `pip install gelenk[decompose]` installs.

    Args:
        mesh: Surface of the body.
        threshold: Concavity that a piece may keep, 0.01 (many pieces) to 1 (few); about
            its depth, for a body of size 2.
        max_pieces: Largest number of pieces, None for as many as it takes.
        seed: Seed of the search.

    Raises:
        ConfigError: If an option is out of range, or CoACD is not installed.

    Example:
        >>> from gelenk.geometry import convex_hull, decompose
        >>> body = convex_hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
        >>> decompose(body, threshold=2.0)
        Traceback (most recent call last):
        gelenk.errors.ConfigError: `threshold` must be from 0.01 to 1, got 2.0
    """
    if not 0.01 <= threshold <= 1.0:
        raise ConfigError(f"`threshold` must be from 0.01 to 1, got {threshold}")
    if max_pieces is not None and max_pieces < 1:
        raise ConfigError(f"`max_pieces` must be at least 1, got {max_pieces}")
    options = f"pieces 1 {threshold!r} {max_pieces} {seed}"
    name = digest_of(options, mesh.vertices, mesh.faces)
    found = load_arrays(name)
    if found is None:
        found = _pieces(mesh, threshold, max_pieces, seed)
        save_arrays(name, found)
    count = len(found) // 2
    return tuple(
        Mesh(vertices=found[f"v{i}"], faces=found[f"f{i}"]) for i in range(count)
    )


def _pieces(
    mesh: Mesh, threshold: float, max_pieces: int | None, seed: int
) -> dict[str, NDArray[Any]]:
    """Return corners `v0`, ... and faces `f0`, ... of the pieces of a mesh."""
    try:
        coacd: Any = importlib.import_module("coacd")
    except ImportError:
        raise ConfigError(
            "`decompose` needs CoACD, which is not installed; "
            "run: pip install gelenk[decompose]"
        ) from None
    coacd.set_log_level("error")
    found: list[Any] = coacd.run_coacd(
        coacd.Mesh(mesh.vertices, mesh.faces.astype(np.int32)),
        threshold=threshold,
        max_convex_hull=-1 if max_pieces is None else max_pieces,
        seed=seed,
    )
    out: dict[str, NDArray[Any]] = {}
    for i, piece in enumerate(found):
        hull = _hull(np.asarray(piece[0], dtype=np.float64), None)
        out[f"v{i}"], out[f"f{i}"] = hull.vertices, hull.faces
    return out
