"""Triangle meshes of simple solids: box, ellipsoid, cylinder, capsule.

Corners of round parts lie on the surface, those of edges stand twice, so that normals
show which is which.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gelenk.geometry.mesh import Mesh
from gelenk.typing import FloatArray

SIDES = 32  # of round solids, around the axis


def box_mesh(size: Sequence[float]) -> Mesh:
    """Return a box around the origin.

    Args:
        size: Full edge lengths [m].
    """
    signs = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    vertices: list[FloatArray] = []
    normals: list[FloatArray] = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            corners = np.empty((4, 3))
            corners[:, axis] = sign
            corners[:, [(axis + 1) % 3, (axis + 2) % 3]] = signs[:: int(sign)]
            vertices.append(corners)
            normals.append(np.tile(sign * np.eye(3)[axis], (4, 1)))
    first = 4 * np.arange(6)[:, None, None]
    faces = (first + np.array([[0, 1, 2], [0, 2, 3]])).reshape(-1, 3)
    points = np.concatenate(vertices) * (0.5 * np.asarray(size, dtype=np.float64))
    return Mesh(vertices=points, faces=faces, normals=np.concatenate(normals))


def ellipsoid_mesh(radii: Sequence[float]) -> Mesh:
    """Return an ellipsoid around the origin; three equal radii give a sphere.

    Args:
        radii: Half axes along x, y and z [m].
    """
    rows = _arc(-0.5 * math.pi, 0.5 * math.pi, SIDES // 2)
    ball = _turned([(rows, rows)])
    scale = np.asarray(radii, dtype=np.float64)
    return Mesh(
        vertices=ball.vertices * scale,
        faces=ball.faces,
        normals=_unit(np.asarray(ball.normals) * scale[[1, 2, 0]] * scale[[2, 0, 1]]),
    )


def cylinder_mesh(radius: float, length: float) -> Mesh:
    """Return a cylinder along z around the origin.

    Args:
        radius: Radius [m].
        length: Length along z [m].
    """
    r, h = float(radius), 0.5 * float(length)
    down, out, up = np.array([0.0, -1.0]), np.array([1.0, 0.0]), np.array([0.0, 1.0])
    return _turned(
        [
            (np.array([[0.0, -h], [r, -h]]), np.array([down, down])),
            (np.array([[r, -h], [r, h]]), np.array([out, out])),
            (np.array([[r, h], [0.0, h]]), np.array([up, up])),
        ]
    )


def capsule_mesh(radius: float, length: float) -> Mesh:
    """Return a cylinder along z with half balls at its ends.

    Args:
        radius: Radius [m].
        length: Length of the cylinder without the half balls [m].
    """
    low, high = (_arc(-0.5 * math.pi, 0.0, 8), _arc(0.0, 0.5 * math.pi, 8))
    shift = np.array([0.0, 0.5 * float(length)])
    r = float(radius)
    profile = np.concatenate([r * low - shift, r * high + shift])
    return _turned([(profile, np.concatenate([low, high]))])


def _arc(start: float, end: float, steps: int) -> FloatArray:
    """Return points of the unit circle (distance from the axis, z), shape (k, 2)."""
    angles = np.linspace(start, end, steps + 1)
    points = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points[np.abs(points) < 1e-15] = 0.0
    return points


def _turned(bands: Sequence[tuple[FloatArray, FloatArray]]) -> Mesh:
    """Return what profiles sweep when they turn about z.

    Args:
        bands: Points (distance from the axis, z) from below upwards along the outside,
            and normals there, shape (k, 2) both.
    """
    angles = 2.0 * math.pi * np.arange(SIDES) / SIDES
    around = np.stack([np.cos(angles), np.sin(angles), np.zeros(SIDES)], axis=1)

    def swept(rows: FloatArray) -> FloatArray:
        high = rows[:, 1, None, None] * np.array([0.0, 0.0, 1.0])
        return (rows[:, 0, None, None] * around + high).reshape(-1, 3)

    faces: list[np.ndarray] = []
    first = 0
    for points, _ in bands:
        i, j = np.meshgrid(np.arange(len(points) - 1), np.arange(SIDES), indexing="ij")
        here = first + i * SIDES + j
        beside = first + i * SIDES + (j + 1) % SIDES
        is_closed_below, is_closed_above = points[:-1, 0] == 0.0, points[1:, 0] == 0.0
        low = np.stack([here, beside, beside + SIDES], axis=-1)[~is_closed_below]
        high = np.stack([here, beside + SIDES, here + SIDES], axis=-1)[~is_closed_above]
        faces += [low.reshape(-1, 3), high.reshape(-1, 3)]
        first += len(points) * SIDES
    return Mesh(
        vertices=np.concatenate([swept(points) for points, _ in bands]),
        faces=np.concatenate(faces).astype(np.int64),
        normals=np.concatenate([swept(normals) for _, normals in bands]),
    )


def _unit(vectors: FloatArray) -> FloatArray:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(length > 0.0, length, 1.0)
