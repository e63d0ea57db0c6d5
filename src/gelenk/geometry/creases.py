"""Normals of triangle meshes for drawing: smooth faces between sharp edges."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from gelenk.geometry.mesh import Mesh
from gelenk.typing import BoolArray, FloatArray, IntArray

CREASE = 0.6  # [rad]; flatter edges are drawn round
GRID = 2**20  # places along the longest edge that are told apart
MAX_OPEN = 0.005  # share of edges without a neighbour that a closed mesh may have


class Creased(NamedTuple):
    """Triangles with a normal at each of their corners.

    Attributes:
        faces: Corners of each triangle, anticlockwise from outside, shape (m, 3).
        normals: Unit normals, shape (k, 3).
        normal_ids: Normal at each corner of each triangle, shape (m, 3).
        is_closed: Whether nobody can look at the inner side of the surface.
    """

    faces: IntArray
    normals: FloatArray
    normal_ids: IntArray
    is_closed: bool


def crease(mesh: Mesh, angle: float = CREASE) -> Creased:
    """Return the triangles of a mesh with normals that are smooth but at sharp edges.

    Normals that the mesh brings are kept where they can be used; else triangles that
    meet at less than an angle share the mean of their normals. Closed parts that are
    turned inside out are turned back.

    Args:
        mesh: The mesh; all numbers are finite, and it has a triangle.
        angle: Angle between two triangles from which on their edge is sharp [rad].
    """
    faces, own = mesh.faces, mesh.normals
    edges = _pair_edges(_weld(mesh.vertices)[faces])
    flat = _face_normals(mesh.vertices, faces)
    is_closed = _is_closed(edges, len(faces))
    if own is not None and float(np.linalg.norm(own, axis=1).min()) > 0.5:
        agrees = np.einsum("ij,ij->i", flat, own[faces].sum(axis=1)) >= 0.0
        faces = np.where(agrees[:, None], faces, faces[:, ::-1])
        return Creased(faces, own, faces, is_closed)
    turned = _inside_out(mesh.vertices, faces, edges)[:, None]
    flat = np.where(turned, -flat, flat)
    label = _smooth_corners(len(faces), edges, flat, angle)
    weights = _corner_angles(mesh.vertices, faces)
    parts = (weights[..., None] * flat[:, None]).reshape(-1, 3)
    normals = np.stack([np.bincount(label, part) for part in parts.T], axis=1)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    ids = label.reshape(-1, 3)
    return Creased(
        faces=np.where(turned, faces[:, ::-1], faces),
        normals=normals / np.where(length > 0.0, length, 1.0),
        normal_ids=np.where(turned, ids[:, ::-1], ids),
        is_closed=is_closed,
    )


class _Edges(NamedTuple):
    """Pairs of half edges that lie on one edge; half edge 3 f + k goes from corner k.

    Attributes:
        one, other: Numbers of half edges, shape (e,).
        is_opposed: Whether they run against each other, as on a surface with one
            outside, shape (e,).
    """

    one: IntArray
    other: IntArray
    is_opposed: BoolArray


def _face_normals(vertices: FloatArray, faces: IntArray) -> FloatArray:
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return normals / np.where(length > 0.0, length, 1.0)


def _corner_angles(vertices: FloatArray, faces: IntArray) -> FloatArray:
    """Return the angle of each triangle at each of its corners [rad], shape (m, 3)."""
    points = vertices[faces]
    ahead = np.roll(points, -1, axis=1) - points
    back = np.roll(points, 1, axis=1) - points
    sine = np.linalg.norm(np.cross(ahead, back), axis=2)
    return np.arctan2(sine, np.einsum("ijk,ijk->ij", ahead, back))


def _weld(vertices: FloatArray) -> IntArray:
    """Return a number for each corner, the same for those in one place."""
    low = vertices.min(axis=0)
    size = max(float((vertices.max(axis=0) - low).max()), 1e-12)
    cells = np.rint((vertices - low) * (GRID / size)).astype(np.int64)
    key = (cells[:, 0] * (2 * GRID) + cells[:, 1]) * (2 * GRID) + cells[:, 2]
    return np.unique(key, return_inverse=True)[1].reshape(-1)


def _pair_edges(welded: IntArray) -> _Edges:
    """Return the half edges that lie side by side; of more than two, neighbours."""
    start = welded.ravel()
    end = np.roll(welded, -1, axis=1).ravel()
    low, high = np.minimum(start, end), np.maximum(start, end)
    key = low * (int(high.max()) + 1) + high
    order = np.argsort(key, kind="stable")
    first, second = order[:-1], order[1:]
    alike = (key[first] == key[second]) & (low[first] != high[first])
    one, other = first[alike], second[alike]
    return _Edges(one, other, start[one] == end[other])


def _is_closed(edges: _Edges, num_faces: int) -> bool:
    met = np.zeros(3 * num_faces, dtype=bool)
    met[edges.one[edges.is_opposed]] = True
    met[edges.other[edges.is_opposed]] = True
    return float(np.mean(~met)) <= MAX_OPEN


def _inside_out(vertices: FloatArray, faces: IntArray, edges: _Edges) -> BoolArray:
    """Return which triangles are of a closed part with a negative volume, (m,)."""
    m = len(faces)
    links = (np.ones(len(edges.one), bool), (edges.one // 3, edges.other // 3))
    count, part = connected_components(coo_array(links, shape=(m, m)), directed=False)
    # about the middle of the part, so that a gap hardly counts
    points = vertices[faces]
    size = np.maximum(np.bincount(part, minlength=count), 1)
    middle = np.stack(
        [np.bincount(part, points[..., k].mean(axis=1)) / size for k in range(3)],
        axis=1,
    )
    a, b, c = (points[:, k] - middle[part] for k in range(3))
    volume = np.bincount(part, np.einsum("ij,ij->i", a, np.cross(b, c)))
    opposed = np.bincount(part[edges.one // 3], edges.is_opposed, minlength=count)
    is_closed = 2.0 * opposed >= (1.0 - MAX_OPEN) * 3.0 * size
    return (is_closed & (volume < 0.0))[part]


def _smooth_corners(
    num_faces: int, edges: _Edges, flat: FloatArray, angle: float
) -> IntArray:
    """Return a number for each corner of a triangle, one for those with one normal."""
    i, j = edges.one, edges.other
    cosine = np.einsum("ij,ij->i", flat[i // 3], flat[j // 3])
    is_smooth = edges.is_opposed & (cosine > np.cos(angle))
    i, j = i[is_smooth], j[is_smooth]
    i_end, j_end = _next(i), _next(j)
    rows, columns = np.concatenate([i, i_end]), np.concatenate([j_end, j])
    n = 3 * num_faces
    links = coo_array((np.ones(len(rows), bool), (rows, columns)), shape=(n, n))
    return connected_components(links, directed=False)[1].astype(np.int64)


def _next(half_edge: IntArray) -> IntArray:
    """Return the half edge that begins where one ends."""
    return half_edge - half_edge % 3 + (half_edge + 1) % 3
