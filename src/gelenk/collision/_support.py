"""Support points of convex shapes: how far a shape reaches in a direction.

A shape is a convex core and a radius that is added all around: a sphere is a point with
a radius, a capsule a segment. The frame of a shape is that of its bounding box, which
is centred at the origin.

All shapes stand in two flat arrays, since every further argument of a kernel costs as
much as a support point: `data` has SHAPE_COLS columns of each shape and then the
corners of hulls, `index` INT_COLS columns of each shape and then the edges of hulls.
"""

from __future__ import annotations

import math

from gelenk.kernels.compile import kernel
from gelenk.typing import FloatArray, IntArray, Vec3

# Columns of a shape in `data`.
PLACE = 0  # 12: rotation, row-major, and position in the frame that carries the shape
RADIUS = 12  # added to the core [m]
PARAMS = 13  # 3: box, ellipsoid: half lengths; cylinder: radius, half length; segment:
# half length last; field: see `_field`
EXTENT = 16  # 3: half lengths of the bounding box, radius included [m]
REACH = 19  # radius of the bounding sphere about the origin [m]
SHAPE_COLS = 20

# Columns of a shape in `index`: kind, place of the corners in `data`, their number,
# place of the edges in `index` or -1, row of the pose that carries the shape.
KIND, FIRST, COUNT, GRAPH, ROW = 0, 1, 2, 3, 4
INT_COLS = 5

POINT, SEGMENT, BOX, CYLINDER, ELLIPSOID, HULL, HALF_SPACE, FIELD = range(8)

# A hull with a graph begins its climb at the best vertex of one of CELLS x CELLS
# directions on each side of a cube.
CELLS = 8
NUM_STARTS = 6 * CELLS * CELLS


@kernel
def direction_cell(x: float, y: float, z: float) -> int:
    """Return the cell of a cube's surface that a direction points into."""
    ax, ay, az = abs(x), abs(y), abs(z)
    if ax >= ay and ax >= az:
        side, major, u, v = (0 if x > 0.0 else 1), ax, y, z
    elif ay >= az:
        side, major, u, v = (2 if y > 0.0 else 3), ay, x, z
    else:
        side, major, u, v = (4 if z > 0.0 else 5), az, x, y
    if not major > 0.0:
        return 0
    scale = 0.5 * CELLS / major
    i = min(int(u * scale + 0.5 * CELLS), CELLS - 1)
    j = min(int(v * scale + 0.5 * CELLS), CELLS - 1)
    return (side * CELLS + i) * CELLS + j


@kernel
def _climb(data: FloatArray, index: IntArray, first: int, start: int, d: Vec3) -> Vec3:
    """Return the farthest vertex, found uphill over the edges of a hull.

    Args:
        data: Shapes.
        index: Whole numbers of the shapes.
        first: Place of the first vertex in `data`.
        start: Place in `index` of the first vertex of each cell of directions; behind
            it are the place of the first neighbour of each vertex, and the neighbours.
        d: Direction.
    """
    x, y, z = d
    best = int(index[start + direction_cell(x, y, z)])
    k = first + 3 * best
    top = data[k] * x + data[k + 1] * y + data[k + 2] * z
    lists = start + NUM_STARTS
    while True:
        here = best
        for e in range(index[lists + here], index[lists + here + 1]):
            k = first + 3 * int(index[e])
            height = data[k] * x + data[k + 1] * y + data[k + 2] * z
            if height > top:
                top, best = height, int(index[e])
        if best == here:
            k = first + 3 * best
            return (data[k], data[k + 1], data[k + 2])


@kernel
def _farthest(data: FloatArray, first: int, count: int, d: Vec3) -> Vec3:
    """Return the farthest of some vertices."""
    x, y, z = d
    best, top = first, -math.inf
    for k in range(first, first + 3 * count, 3):
        height = data[k] * x + data[k + 1] * y + data[k + 2] * z
        if height > top:
            top, best = height, k
    return (data[best], data[best + 1], data[best + 2])


@kernel
def support(
    data: FloatArray,
    index: IntArray,
    i: int,
    d: Vec3,
) -> Vec3:
    """Return a point of a core that is farthest along d, in the frame of the shape."""
    kind = index[i * INT_COLS + KIND]
    if kind == HULL:
        k = i * INT_COLS
        first, start = int(index[k + FIRST]), int(index[k + GRAPH])
        if start >= 0:
            return _climb(data, index, first, start, d)
        return _farthest(data, first, int(index[k + COUNT]), d)
    k = i * SHAPE_COLS + PARAMS
    a, b, c = data[k], data[k + 1], data[k + 2]
    x, y, z = d
    if kind == ELLIPSOID:
        u, v, w = a * x, b * y, c * z
        length = math.sqrt(u * u + v * v + w * w)
        if not length > 0.0:
            return (a, 0.0, 0.0)
        return (a * u / length, b * v / length, c * w / length)
    if kind == CYLINDER:
        side = math.sqrt(x * x + y * y)
        h = c if z >= 0.0 else -c
        if not side > 0.0:
            return (0.0, 0.0, h)
        return (a * x / side, a * y / side, h)
    # Box, segment (0, 0, c) and point (0, 0, 0) alike.
    return (math.copysign(a, x), math.copysign(b, y), math.copysign(c, z))
