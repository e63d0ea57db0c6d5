"""Meshes with fewer triangles."""

from __future__ import annotations

import numpy as np

from gelenk.errors import ConfigError
from gelenk.geometry._mesh_topology import merge_rows
from gelenk.geometry.mesh import Mesh
from gelenk.geometry.solids import box_mesh
from gelenk.typing import FloatArray, IntArray

_FEWEST = 12  # triangles, those of a box
_STEPS = 12  # of the search for the size of the cells


def simplify(mesh: Mesh, max_faces: int) -> Mesh:
    """Return a mesh of about the same surface with at most so many triangles.

    Corners in one cell of a grid become one, where it changes the surface least
    (quadric error), so that the surface moves by a cell at most. It needs no closed or
    clean mesh. A texture becomes colours of triangles. A small mesh comes back as is.

    Args:
        mesh: Triangles.
        max_faces: Largest number of triangles, at least 12.

    Raises:
        ConfigError: If `max_faces` is below 12.

    Example:
        >>> from gelenk.geometry import simplify
        >>> from gelenk.geometry.solids import ellipsoid_mesh
        >>> len(simplify(ellipsoid_mesh((1.0, 1.0, 1.0)), 100).faces) <= 100
        True
    """
    if max_faces < _FEWEST:
        raise ConfigError(f"`max_faces` must be at least {_FEWEST}, got {max_faces}")
    if len(mesh.faces) <= max_faces:
        return mesh
    firsts, number = merge_rows((mesh.vertices + 0.0).view(np.int64))
    points, faces = mesh.vertices[firsts], number[mesh.faces]
    low, high = 0.0, 1.01 * float(np.ptp(mesh.bounds, axis=0).max())
    start = points.min(axis=0) - 1e-9 * high
    # The number of cells grows with the square of how fine they are, about.
    cell = high * min(1.0, 1.5 / np.sqrt(max_faces))
    kept, cells = _clustered(points, faces, start, cell)
    for _ in range(_STEPS):
        count = len(kept)
        if 0.95 * max_faces <= count <= max_faces:
            break
        if count > max_faces:
            low = cell
        else:
            high = cell
        guess = cell * np.sqrt(max(count, 1) / (0.98 * max_faces))
        cell = float(guess if low < guess < high else 0.5 * (low + high))
        kept, cells = _clustered(points, faces, start, cell)
    if len(kept) > max_faces:
        cell = high
        kept, cells = _clustered(points, faces, start, cell)
    if not len(kept):  # a shape of a few long triangles
        low_end, high_end = mesh.bounds
        box = box_mesh((high_end - low_end).tolist())
        return Mesh(vertices=box.vertices + 0.5 * (low_end + high_end), faces=box.faces)
    triangles = cells[faces[kept]]
    vertices = _representatives(points, faces, cells, cell)
    used, places = np.unique(triangles, return_inverse=True)
    colors = _face_colors(mesh)
    return Mesh(
        vertices=vertices[used],
        faces=places.reshape(-1, 3).astype(np.int64),
        face_colors=None if colors is None else colors[kept],
    )


def _clustered(
    points: FloatArray, faces: IntArray, start: FloatArray, cell: float
) -> tuple[IntArray, IntArray]:
    """Return the triangles that stay, and the cell of each point.

    A triangle goes if two of its corners are in one cell, or another joins the same
    three cells.

    Args:
        points: Corners [m], shape (n, 3).
        faces: Triangles, shape (m, 3).
        start: Corner of the grid [m], shape (3,).
        cell: Edge length of a cell [m].
    """
    _, cells = merge_rows(np.floor((points - start) / cell).astype(np.int64))
    joined = cells[faces]
    kept = np.flatnonzero((joined != joined[:, [1, 2, 0]]).all(axis=1))
    firsts, _ = merge_rows(np.sort(joined[kept], axis=1))
    return kept[firsts], cells


def _representatives(
    points: FloatArray, faces: IntArray, cells: IntArray, cell: float
) -> FloatArray:
    """Return for each cell the point nearest to the planes of its triangles, (k, 3)."""
    count = int(cells.max()) + 1

    def total(values: FloatArray, owner: IntArray) -> FloatArray:
        flat = values.reshape(len(values), -1)
        out = np.empty((count, flat.shape[1]))
        for k in range(flat.shape[1]):
            out[:, k] = np.bincount(owner, flat[:, k], count)
        return out.reshape(count, *values.shape[1:])

    mean = total(points, cells) / np.bincount(cells, minlength=count)[:, None]
    a, b, c = (points[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)  # as long as twice the area
    length = np.linalg.norm(normals, axis=1)
    normals /= np.sqrt(np.where(length > 0.0, length, 1.0))[:, None]
    matrix, vector = np.zeros((count, 3, 3)), np.zeros((count, 3))
    for k in range(3):
        owner = cells[faces[:, k]]
        height = np.einsum("ij,ij->i", normals, a - mean[owner])
        matrix += total(normals[:, :, None] * normals[:, None, :], owner)
        vector += total(normals * height[:, None], owner)
    # Where the planes leave a direction free the mean of the corners decides.
    ease = 1e-3 * np.trace(matrix, axis1=1, axis2=2) + 1e-300
    matrix += ease[:, None, None] * np.eye(3)
    step = np.asarray(np.linalg.solve(matrix, vector[:, :, None]), np.float64)
    return mean + np.clip(step[:, :, 0], -0.5 * cell, 0.5 * cell)


def _face_colors(mesh: Mesh) -> FloatArray | None:
    """Return one colour per triangle, that of the texture in its middle, or None."""
    if mesh.texture is None or mesh.uv is None:
        return mesh.face_colors
    place = mesh.uv[mesh.faces].mean(axis=1) % 1.0
    height, width, channels = mesh.texture.shape
    column = np.minimum((place[:, 0] * width).astype(np.int64), width - 1)
    row = np.minimum(((1.0 - place[:, 1]) * height).astype(np.int64), height - 1)
    colors = np.ones((len(mesh.faces), 4))
    colors[:, :channels] = mesh.texture[row, column] / 255.0
    return colors if mesh.face_colors is None else colors * mesh.face_colors
