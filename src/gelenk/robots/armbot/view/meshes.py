"""Triangle meshes of simple solids, with normals: what a renderer draws.

Outlines are anticlockwise seen from outside. Corners are shared where a surface is
round and doubled where it has an edge, so that normals show which is which.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.geometry.polygon import convex_pieces, signed_area
from gelenk.typing import FloatArray, IntArray

SIDES = 28  # of round solids


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mesh:
    """Triangles.

    Attributes:
        points: Corners [m], shape (n, 3).
        normals: Unit normals at the corners, shape (n, 3).
        triangles: Indices of corners, shape (m, 3).
    """

    points: FloatArray
    normals: FloatArray
    triangles: IntArray

    def __post_init__(self) -> None:
        for array in (self.points, self.normals, self.triangles):
            array.setflags(write=False)


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """Return several meshes as one."""
    offsets = np.cumsum([0, *(len(mesh.points) for mesh in meshes)])
    return Mesh(
        points=np.concatenate([mesh.points for mesh in meshes]),
        normals=np.concatenate([mesh.normals for mesh in meshes]),
        triangles=np.concatenate(
            [m.triangles + k for m, k in zip(meshes, offsets[:-1], strict=True)]
        ),
    )


def flat(corners: FloatArray) -> Mesh:
    """Return a convex flat polygon, shape (n, 3), seen from where it is anticlockwise.

    Corners that fall together do no harm as long as an area is left.
    """
    # Newell's sum: exact for any flat polygon, however its corners lie.
    following = np.roll(corners, -1, axis=0)
    normal = np.cross(corners, following).sum(axis=0)
    normal = normal / max(float(np.linalg.norm(normal)), 1e-300)
    count = len(corners)
    fan = [(0, i, i + 1) for i in range(1, count - 1)]
    return Mesh(
        points=np.array(corners, dtype=np.float64),
        normals=np.tile(normal, (count, 1)),
        triangles=np.array(fan, dtype=np.int64).reshape(-1, 3),
    )


def plate(outline: FloatArray, height: float = 0.0) -> Mesh:
    """Return an area at a height, seen from above; outline shape (n, 2)."""
    pieces = convex_pieces(outline)
    return joined(
        [flat(_lifted(piece, np.full(len(piece), height))) for piece in pieces]
    )


def prism(outline: FloatArray, bottom: FloatArray, top: FloatArray) -> Mesh:
    """Return what stands over an outline between two slanting planes.

    Args:
        outline: Simple polygon in either sense [m], shape (n, 2).
        bottom: Plane as (a, b, c): height a + b x + c y [m].
        top: The same.
    """
    if signed_area(outline) < 0.0:
        outline = outline[::-1]
    faces: list[Mesh] = []
    for piece in convex_pieces(outline):
        faces.append(flat(_lifted(piece, _heights(piece, top))))
        faces.append(flat(_lifted(piece, _heights(piece, bottom))[::-1]))
    low = _lifted(outline, _heights(outline, bottom))
    high = _lifted(outline, _heights(outline, top))
    for i, k in enumerate(np.roll(np.arange(len(outline)), -1)):
        side = np.stack([low[i], low[k], high[k], high[i]])
        if np.ptp(side[:, 2]) > 0.0:
            faces.append(flat(side))
    return joined(faces)


def round_prism(center: FloatArray, radius: float, bottom: float, top: float) -> Mesh:
    """Return an upright cylinder between two heights [m]."""
    mesh = cylinder(radius, top - bottom)
    shift = np.array([center[0], center[1], 0.5 * (bottom + top)])
    return Mesh(
        points=mesh.points + shift, normals=mesh.normals, triangles=mesh.triangles
    )


def box(size: Sequence[float]) -> Mesh:
    """Return a box around the origin with full edge lengths [m]."""
    x, y, z = (0.5 * float(edge) for edge in size)
    outline = np.array([[-x, -y], [x, -y], [x, y], [-x, y]])
    return prism(outline, np.array([-z, 0.0, 0.0]), np.array([z, 0.0, 0.0]))


def sphere(radius: float) -> Mesh:
    """Return a ball around the origin."""
    return _turned(*_arc(-0.5 * math.pi, 0.5 * math.pi, radius, 0.0, SIDES // 2))


def capsule(radius: float, length: float) -> Mesh:
    """Return a cylinder along z with half balls at its ends; `length` without them."""
    low = _arc(-0.5 * math.pi, 0.0, radius, -0.5 * length, SIDES // 4)
    high = _arc(0.0, 0.5 * math.pi, radius, 0.5 * length, SIDES // 4)
    return _turned(*(np.concatenate(pair) for pair in zip(low, high, strict=True)))


def cylinder(radius: float, length: float) -> Mesh:
    """Return a cylinder along z around the origin."""
    half = 0.5 * length
    side = _turned(
        np.array([[radius, -half], [radius, half]]), np.array([[1.0, 0.0], [1.0, 0.0]])
    )
    ring = radius * circle(SIDES)
    top = flat(_lifted(ring, np.full(SIDES, half)))
    bottom = flat(_lifted(ring, np.full(SIDES, -half))[::-1])
    return joined([side, top, bottom])


def wall(radius: float, height: float) -> Mesh:
    """Return the side of an upright cylinder that stands on z = 0, from outside."""
    return _turned(
        np.array([[radius, 0.0], [radius, height]]), np.array([[1.0, 0.0], [1.0, 0.0]])
    )


def circle(count: int) -> FloatArray:
    """Return corners of a regular polygon on the unit circle, shape (n, 2)."""
    angles = 2.0 * math.pi * np.arange(count) / count
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _arc(
    start: float, end: float, radius: float, height: float, steps: int
) -> tuple[FloatArray, FloatArray]:
    """Return profile points (distance from the axis, z) of an arc, and normals."""
    angles = np.linspace(start, end, steps + 1)
    normals = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return radius * normals + [0.0, height], normals


def _turned(profile: FloatArray, slopes: FloatArray) -> Mesh:
    """Return what a profile sweeps when it turns about z, shape (k, 2) both."""
    ring, k = circle(SIDES), len(profile)
    around = np.concatenate([ring, np.zeros((SIDES, 1))], axis=1)  # (s, 3)
    up = np.array([0.0, 0.0, 1.0])

    def swept(rows: FloatArray) -> FloatArray:
        out = rows[:, 0, None, None] * around + rows[:, 1, None, None] * up
        return out.reshape(-1, 3)

    i, j = np.meshgrid(np.arange(k - 1), np.arange(SIDES), indexing="ij")
    here, beside = i * SIDES + j, i * SIDES + (j + 1) % SIDES
    quads = np.stack([here, beside, beside + SIDES, here + SIDES], axis=-1)
    triangles = np.concatenate([quads[..., [0, 1, 2]], quads[..., [0, 2, 3]]])
    return Mesh(
        points=swept(profile),
        normals=swept(slopes),
        triangles=triangles.reshape(-1, 3).astype(np.int64),
    )


def _lifted(outline: FloatArray, heights: FloatArray) -> FloatArray:
    return np.concatenate([outline, heights[:, None]], axis=1)


def _heights(outline: FloatArray, plane: FloatArray) -> FloatArray:
    return plane[0] + outline @ plane[1:]
