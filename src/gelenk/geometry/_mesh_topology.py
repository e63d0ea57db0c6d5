"""Kernels on which corners and triangles of a mesh belong together."""

from __future__ import annotations

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.typing import FloatArray, IntArray


@kernel
def merge_rows(rows: IntArray) -> tuple[IntArray, IntArray]:
    """Return which rows differ, and of each row its number among these.

    Args:
        rows: Whole numbers, or the bits of others (n, k).

    Returns:
        Index of the first of each set of equal rows (m,), number of each row (n,).
    """
    n, width = rows.shape
    size = 16
    while size < 2 * n:
        size *= 2
    table = np.full(size, -1, dtype=np.int64)
    firsts = np.empty(n, dtype=np.int64)
    number = np.empty(n, dtype=np.int64)
    count = 0
    for i in range(n):
        h = np.uint64(1469598103934665603)
        for k in range(width):
            h = (h ^ np.uint64(rows[i, k])) * np.uint64(0x9E3779B97F4A7C15)
            h = h ^ (h >> np.uint64(29))
        slot = np.int64(h & np.uint64(size - 1))
        while True:
            j = table[slot]
            if j < 0:
                table[slot] = count
                firsts[count] = i
                number[i] = count
                count += 1
                break
            is_same = True
            for k in range(width):
                is_same = is_same and rows[firsts[j], k] == rows[i, k]
            if is_same:
                number[i] = j
                break
            slot = (slot + 1) & (size - 1)
    return firsts[:count].copy(), number


@kernel
def corner_normals(
    vertices: FloatArray, faces: IntArray, crease: float, out: FloatArray
) -> None:
    """Give each corner of each triangle a normal: smooth, but not across an edge.

    Args:
        vertices: Corners (n, 3).
        faces: Triangles (m, 3).
        crease: Cosine of the angle between faces from which on there is an edge.
        out: Unit normals, changed (m, 3, 3).
    """
    n, m = vertices.shape[0], faces.shape[0]
    flat = np.empty((m, 3))
    area = np.empty(m)
    start = np.zeros(n + 1, dtype=np.int64)
    for t in range(m):
        a, b, c = vertices[faces[t, 0]], vertices[faces[t, 1]], vertices[faces[t, 2]]
        ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
        vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
        x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        length = np.sqrt(x * x + y * y + z * z)
        area[t] = length
        scale = 1.0 / length if length > 0.0 else 0.0
        flat[t, 0], flat[t, 1], flat[t, 2] = x * scale, y * scale, z * scale
        for k in range(3):
            start[faces[t, k] + 1] += 1
    for i in range(n):
        start[i + 1] += start[i]
    place = start[:n].copy()
    around = np.empty(3 * m, dtype=np.int64)
    for t in range(m):
        for k in range(3):
            around[place[faces[t, k]]] = t
            place[faces[t, k]] += 1
    for t in range(m):
        for k in range(3):
            x, y, z = 0.0, 0.0, 0.0
            v = faces[t, k]
            count = min(start[v + 1] - start[v], 64)  # else hubs of fans take long
            for j in range(start[v], start[v] + count):
                o = around[j]
                along = (
                    flat[t, 0] * flat[o, 0]
                    + flat[t, 1] * flat[o, 1]
                    + flat[t, 2] * flat[o, 2]
                )
                if along >= crease:
                    x += area[o] * flat[o, 0]
                    y += area[o] * flat[o, 1]
                    z += area[o] * flat[o, 2]
            length = np.sqrt(x * x + y * y + z * z)
            if length > 0.0:
                out[t, k, 0], out[t, k, 1], out[t, k, 2] = (
                    x / length,
                    y / length,
                    z / length,
                )
            else:
                out[t, k] = flat[t]
