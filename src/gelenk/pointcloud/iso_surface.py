"""The surface where a function on a grid is zero, as triangles.

Each cube of the grid is cut into six tetrahedra around its diagonal; a tetrahedron
whose corners have different signs is crossed by one triangle or two, with corners where
the function, linear along an edge, is zero. Neighbouring cubes cut their common face
the same way, so the surface has no cracks.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from gelenk.checks import as_array
from gelenk.errors import ShapeError
from gelenk.typing import ArrayLike, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TriangleMesh:
    """Triangles that share corners.

    Attributes:
        vertices: [m], shape (n, 3).
        triangles: Numbers of their corners, anticlockwise from outside, shape (k, 3).
    """

    vertices: FloatArray
    triangles: IntArray


def iso_surface(
    values: ArrayLike, *, origin: ArrayLike = (0.0, 0.0, 0.0), cell: float = 1.0
) -> TriangleMesh:
    """Return the surface between negative (inside) and positive values.

    Args:
        values: At the corners of the grid, shape (nx, ny, nz); cubes with a NaN corner
            are passed over.
        origin: Place of values[0, 0, 0] [m].
        cell: Distance of the corners [m].

    Example:
        >>> grid = np.indices((9, 9, 9)) - 4.0
        >>> ball = iso_surface(np.linalg.norm(grid, axis=0) - 3.0, origin=[-4, -4, -4])
        >>> size = np.linalg.norm(ball.vertices, axis=1)
        >>> bool(abs(size - 3.0).max() < 0.15)
        True
    """
    f = as_array("values", values, ())
    if f.ndim != 3 or min(f.shape) < 2:
        raise ShapeError("values", expected="(nx, ny, nz), 2 each", actual=f.shape)
    flat = f.ravel()
    base = np.arange(f.size).reshape(f.shape)[:-1, :-1, :-1].ravel()
    strides = np.array([f.shape[1] * f.shape[2], f.shape[2], 1])
    corners = base[:, None] + _CORNERS @ strides
    is_known = np.isfinite(flat[corners]).all(axis=1)
    negative = (flat[corners] < 0.0).sum(axis=1)
    corners = corners[is_known & (negative > 0) & (negative < 8)]
    edges = []
    for tetrahedron in _TETRAHEDRA:
        ends = corners[:, tetrahedron]
        code = (flat[ends] < 0.0) @ np.array([1, 2, 4, 8])
        for case in range(1, 15):
            chosen = ends[code == case]
            if len(chosen):
                edges += [chosen[:, t] for t in _cuts(tetrahedron, case)]
    pairs = np.concatenate(edges) if edges else np.zeros((0, 3, 2), dtype=np.int64)
    pairs = np.sort(pairs, axis=-1).reshape(-1, 2)
    unique, number = np.unique(pairs, axis=0, return_inverse=True)
    a, b = flat[unique[:, 0]], flat[unique[:, 1]]
    share = (a / (a - b))[:, None]
    places = np.stack(np.unravel_index(unique, f.shape), axis=-1).astype(float)
    vertices = places[:, 0] + share * (places[:, 1] - places[:, 0])
    return TriangleMesh(
        vertices=np.asarray(origin, dtype=float) + cell * vertices,
        triangles=number.reshape(-1, 3).astype(np.int64),
    )


_CORNERS = np.array([[k & 1, k >> 1 & 1, k >> 2 & 1] for k in range(8)])
# from corner 0 to corner 7 along the axes, in every order: six tetrahedra fill the cube
_TETRAHEDRA = tuple(
    (0, 1 << first, (1 << first) | (1 << second), 7)
    for first, second, _ in permutations(range(3))
)


def _cuts(tetrahedron: tuple[int, ...], case: int) -> list[list[list[int]]]:
    """Return triangles as edges of a tetrahedron, by which corners are inside.

    Args:
        tetrahedron: Numbers of its corners in the cube.
        case: Bit k: its corner k is inside.

    Returns:
        Per triangle three edges, each a pair of corners 0 to 3; seen from outside they
        run anticlockwise.
    """
    inside = [k for k in range(4) if case >> k & 1]
    outside = [k for k in range(4) if not case >> k & 1]
    if len(inside) == 2:
        (a, b), (c, d) = inside, outside
        square = [[a, c], [a, d], [b, d], [b, c]]
        cuts = [[square[0], square[1], square[2]], [square[0], square[2], square[3]]]
    else:
        cuts = [[[i, o] for i in inside for o in outside]]
    place = _CORNERS[list(tetrahedron)].astype(float)
    out = place[outside].mean(axis=0) - place[inside].mean(axis=0)
    found = []
    for cut in cuts:
        p, q, r = (place[edge].mean(axis=0) for edge in cut)
        is_right = np.cross(q - p, r - p) @ out > 0.0
        found.append(cut if is_right else [cut[0], cut[2], cut[1]])
    return found
