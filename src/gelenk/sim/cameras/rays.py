"""Rays and primitive shapes: exact distances where a drawing has flat facets.

A renderer draws round bodies with facets and knows the middles of its samples only.
Once it has said which geoms a pixel may show, a few lines of geometry say where its ray
meets the true shapes.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import mujoco
import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.typing import FloatArray, IntArray, Vec2

PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX = (
    int(getattr(mujoco.mjtGeom, f"mjGEOM_{kind}"))
    for kind in ("PLANE", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX")
)
EDGE = 1e-6  # [m], by which a ray may miss a face


class DrawnSamples(NamedTuple):
    """Samples of a drawing, first row on top.

    Attributes:
        geoms: Geom of each sample, -1 for none, (rows, columns).
        inverse: Inverse depth of each sample [1/m], (rows, columns).
        kinds: Kind of each geom, MuJoCo's number, (ngeom,).
        sizes: Sizes of the geoms as MuJoCo counts them [m], (ngeom, 3).
        Ts_camera_geom: Poses of the geoms in the camera, (ngeom, 4, 4).
    """

    geoms: IntArray
    inverse: FloatArray
    kinds: IntArray
    sizes: FloatArray
    Ts_camera_geom: FloatArray


@kernel
def cast_pixels(
    drawn: DrawnSamples,
    nodes: FloatArray,
    rays: FloatArray,
    limits: Vec2,
    depths: FloatArray,
    geoms: IntArray,
) -> None:
    """Write the depth and the geom that the ray of each pixel meets first.

    Only geoms that were drawn at the nearest sample or beside it are tried. Those that
    are no primitive shapes have the depth that was drawn; on a plane its inverse is
    linear in the image, so that it is interpolated between samples of one geom.

    Args:
        drawn: Samples of the drawing.
        nodes: Column and row among the samples where each pixel looks, (n, 2).
        rays: Direction of each pixel with z = 1, camera axes, (n, 3).
        limits: Least and largest depth that is seen [m].
        depths: Depths [m], infinite for nothing, (n,), written.
        geoms: Geoms, -1 for nothing, (n,), written.
    """
    rows, columns = drawn.geoms.shape
    o, d = np.empty(3), np.empty(3)
    for k in range(rays.shape[0]):
        x = min(max(nodes[k, 0], 0.0), columns - 1.0)
        y = min(max(nodes[k, 1], 0.0), rows - 1.0)
        row, column = int(np.floor(y + 0.5)), int(np.floor(x + 0.5))
        nearest = drawn.geoms[row, column]
        depth, found, is_edge, tried = math.inf, -1, nearest < 0, -1
        if nearest >= 0 and not _is_primitive(drawn.kinds[nearest]):
            depth, found = _drawn_depth(drawn, x, y, row, column), nearest
        for j in range(max(row - 1, 0), min(row + 2, rows)):
            for i in range(max(column - 1, 0), min(column + 2, columns)):
                geom = drawn.geoms[j, i]
                is_edge = is_edge or geom < 0
                if geom < 0 or geom == tried or not _is_primitive(drawn.kinds[geom]):
                    continue
                tried = geom
                _to_geom(drawn.Ts_camera_geom[geom], rays[k], o, d)
                t = _meet(drawn.kinds[geom], drawn.sizes[geom], o, d)
                if limits[0] <= t <= limits[1] and t < depth:
                    depth, found = t, geom
        if found < 0 and not is_edge:  # a gap between facets
            depth, found = 1.0 / drawn.inverse[row, column], nearest
        depths[k], geoms[k] = depth, found


@kernel
def _is_primitive(kind: Any) -> bool:
    return kind in (PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX)


@kernel
def _drawn_depth(
    drawn: DrawnSamples, x: float, y: float, row: int, column: int
) -> float:
    """Return the depth at a place between samples."""
    i = max(min(int(x), drawn.geoms.shape[1] - 2), 0)
    j = max(min(int(y), drawn.geoms.shape[0] - 2), 0)
    a, b, total = x - i, y - j, 0.0
    for down in range(2):
        for right in range(2):
            if drawn.geoms[j + down, i + right] != drawn.geoms[row, column]:
                return 1.0 / drawn.inverse[row, column]
            weight = (b if down else 1.0 - b) * (a if right else 1.0 - a)
            total += weight * drawn.inverse[j + down, i + right]
    return 1.0 / total


@kernel
def _to_geom(T: FloatArray, ray: FloatArray, o: FloatArray, d: FloatArray) -> None:
    """Write start and direction of a ray from the camera in the frame of a geom."""
    for i in range(3):
        o[i] = d[i] = 0.0
        for j in range(3):
            o[i] -= T[j, i] * T[j, 3]
            d[i] += T[j, i] * ray[j]


@kernel
def _meet(kind: Any, size: FloatArray, o: Any, d: Any) -> float:
    """Return the least positive t at which o + t d is on a shape; else infinity."""
    found = math.inf
    if kind == PLANE:
        found = _nearer(found, -o[2] / d[2]) if d[2] != 0.0 else found
    elif kind == SPHERE:
        for side in (-1.0, 1.0):
            t = _sphere(o, d, size[0], size[0], size[0], 0.0, side)
            found = _nearer(found, t)
    elif kind == ELLIPSOID:
        for side in (-1.0, 1.0):
            t = _sphere(o, d, size[0], size[1], size[2], 0.0, side)
            found = _nearer(found, t)
    elif kind == BOX:
        for i in range(3):
            found = _nearer(found, _face(o, d, size, i, -size[i]))
            found = _nearer(found, _face(o, d, size, i, size[i]))
    elif kind in (CAPSULE, CYLINDER):
        radius, half = size[0], size[1]
        for side in (-1.0, 1.0):
            t = _tube(o, d, radius, side)
            if abs(o[2] + t * d[2]) <= half + EDGE:
                found = _nearer(found, t)
            if kind == CAPSULE:
                for end in (-half, half):
                    t = _sphere(o, d, radius, radius, radius, end, side)
                    if (o[2] + t * d[2]) * end >= end * end:
                        found = _nearer(found, t)
            elif d[2] != 0.0:
                t = (side * half - o[2]) / d[2]
                x, y = o[0] + t * d[0], o[1] + t * d[1]
                if x * x + y * y <= (radius + EDGE) ** 2:
                    found = _nearer(found, t)
    return found


@kernel
def _nearer(best: float, t: float) -> float:
    return t if 0.0 < t < best else best


@kernel
def _root(a: float, b: float, c: float, side: float) -> float:
    """Return a root of a t^2 + 2 b t + c, the smaller one for side -1; nan for none."""
    under = b * b - a * c
    if under < 0.0 or a == 0.0:
        return math.nan
    return (-b + side * math.sqrt(under)) / a


@kernel
def _sphere(
    o: Any, d: Any, rx: float, ry: float, rz: float, z: float, side: float
) -> float:
    """Return where a ray meets an ellipsoid about (0, 0, z)."""
    ox, oy, oz = o[0] / rx, o[1] / ry, (o[2] - z) / rz
    dx, dy, dz = d[0] / rx, d[1] / ry, d[2] / rz
    a, b = dx * dx + dy * dy + dz * dz, ox * dx + oy * dy + oz * dz
    return _root(a, b, ox * ox + oy * oy + oz * oz - 1.0, side)


@kernel
def _tube(o: Any, d: Any, radius: float, side: float) -> float:
    """Return where a ray meets an endless cylinder about z."""
    a, b = d[0] * d[0] + d[1] * d[1], o[0] * d[0] + o[1] * d[1]
    return _root(a, b, o[0] * o[0] + o[1] * o[1] - radius * radius, side)


@kernel
def _face(o: Any, d: Any, half: FloatArray, axis: int, level: float) -> float:
    """Return where a ray meets a face of a box; nan beside it."""
    if d[axis] == 0.0:
        return math.nan
    t = (level - o[axis]) / d[axis]
    for i in range(3):
        if i != axis and abs(o[i] + t * d[i]) > half[i] + EDGE:
            return math.nan
    return t
