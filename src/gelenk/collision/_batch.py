"""Compiled loops over configurations: forward kinematics, broad and narrow phase."""

from __future__ import annotations

import math

import numpy as np

from gelenk.collision._pair import relative_pose, shape_distance, shapes_are_apart
from gelenk.collision._support import (
    EXTENT,
    HALF_SPACE,
    INT_COLS,
    KIND,
    PLACE,
    REACH,
    ROW,
    SHAPE_COLS,
)
from gelenk.collision._tables import (
    BASE_ROW,
    BODY0,
    BODY1,
    CELL_X,
    CELL_Y,
    CELLS_X,
    CELLS_Y,
    CORNER_X,
    CORNER_Y,
    FLOATS,
    GROUP_FIELD,
    GROUP_ROW,
    Q0,
    Q1,
    SHAPE0,
    SHAPE1,
    SceneTables,
    SceneWork,
)
from gelenk.kernels.compile import kernel
from gelenk.kernels.tree import body_poses
from gelenk.kernels.tuples import (
    add,
    chained,
    dot,
    put,
    rot,
    sub,
    turn,
    vec,
)
from gelenk.kernels.unowned import unowned
from gelenk.typing import BoolArray, FloatArray, IntArray


@kernel
def tables_view(t: SceneTables) -> SceneTables:
    """Return the tables without owners, see `kernels.unowned`."""
    return SceneTables(
        unowned(t.body),
        unowned(t.topology),
        unowned(t.robots),
        unowned(t.bases),
        unowned(t.row_robot),
        unowned(t.data),
        unowned(t.ints),
        unowned(t.places),
        unowned(t.groups),
        unowned(t.spheres),
        unowned(t.fields),
        unowned(t.pairs),
        unowned(t.margins),
        unowned(t.num_carried),
    )


@kernel
def work_view(w: SceneWork) -> SceneWork:
    """Return the room to work in without owners."""
    return SceneWork(
        unowned(w.poses),
        unowned(w.places),
        unowned(w.centers),
        unowned(w.S),
        unowned(w.V),
        unowned(w.F),
        unowned(w.N),
        unowned(w.Q),
    )


@kernel
def place_robots(tables: SceneTables, q: FloatArray, poses: FloatArray) -> None:
    """Write the poses of all rows in the world."""
    robots = tables.robots
    for k in range(robots.shape[0]):
        first, row = robots[k, BODY0], robots[k, BASE_ROW]
        rows = robots[k, BODY1] - first + 1
        own = poses[row : row + rows]
        body_poses(
            tables.body[first : robots[k, BODY1]],
            tables.topology[first : robots[k, BODY1]],
            robots[k, FLOATS] != 0,
            q[robots[k, Q0] : robots[k, Q1]],
            own,
        )
        R_base, p_base = rot(tables.bases, k, 0), vec(tables.bases, k, 9)
        for i in range(rows):
            p = add(p_base, turn(R_base, vec(own, i, 9)))
            put(own, i, 0, chained(R_base, rot(own, i, 0)))
            put(own, i, 9, p)


@kernel
def _place_shapes(tables: SceneTables, work: SceneWork) -> None:
    """Write the poses of the shapes that move, and the centres of their groups."""
    poses, places, data, index = work.poses, work.places, tables.data, tables.ints
    for i in range(tables.num_carried[0]):
        row = index[i * INT_COLS + ROW]
        if row == 0:  # on a base that stands
            continue
        R = rot(poses, row, 0)
        k = i * SHAPE_COLS + PLACE
        own = (
            data[k], data[k + 1], data[k + 2],
            data[k + 3], data[k + 4], data[k + 5],
            data[k + 6], data[k + 7], data[k + 8],
        )  # fmt: skip
        put(places, i, 0, chained(R, own))
        at = (data[k + 9], data[k + 10], data[k + 11])
        put(places, i, 9, add(vec(poses, row, 9), turn(R, at)))
    groups, spheres, centers = tables.groups, tables.spheres, work.centers
    for g in range(groups.shape[0]):
        row = groups[g, GROUP_ROW]
        if row > 0:
            center = turn(rot(poses, row, 0), vec(spheres, g, 0))
            put(centers, g, 0, add(vec(poses, row, 9), center))


@kernel
def place_scene(tables: SceneTables, q: FloatArray, work: SceneWork) -> None:
    """Write where everything is at a configuration."""
    place_robots(tables, q, work.poses)
    _place_shapes(tables, work)


@kernel
def _sphere_gap(
    data: FloatArray, index: IntArray, places: FloatArray, i: int, j: int
) -> float:
    """Return a lower bound of the distance of two shapes, by their spheres [m]."""
    d = sub(vec(places, i, 9), vec(places, j, 9))
    reach = data[i * SHAPE_COLS + REACH]
    if index[j * INT_COLS + KIND] == HALF_SPACE:
        return dot(d, (places[j, 2], places[j, 5], places[j, 8])) - reach
    return math.sqrt(dot(d, d)) - reach - data[j * SHAPE_COLS + REACH]


@kernel
def _cells(
    data: FloatArray,
    places: FloatArray,
    fields: FloatArray,
    field: int,
    i: int,
    margin: float,
) -> tuple[int, int, int, int]:
    """Return first and last cells of a field, x and y, that a shape may touch."""
    R, p = relative_pose(
        rot(fields, field, 0),
        vec(fields, field, 9),
        rot(places, i, 0),
        vec(places, i, 9),
    )
    k = i * SHAPE_COLS + EXTENT
    a, b, c = data[k], data[k + 1], data[k + 2]
    half_x = abs(R[0]) * a + abs(R[1]) * b + abs(R[2]) * c + margin
    half_y = abs(R[3]) * a + abs(R[4]) * b + abs(R[5]) * c + margin
    x, y = p[0] - fields[field, CORNER_X], p[1] - fields[field, CORNER_Y]
    width, depth = fields[field, CELL_X], fields[field, CELL_Y]
    last_x, last_y = fields[field, CELLS_X] - 1.0, fields[field, CELLS_Y] - 1.0
    # Clamped as floats: a half-length may be infinite.
    return (
        int(min(max(np.floor((x - half_x) / width), 0.0), last_x + 1.0)),
        int(max(min(np.floor((x + half_x) / width), last_x), -1.0)),
        int(min(max(np.floor((y - half_y) / depth), 0.0), last_y + 1.0)),
        int(max(min(np.floor((y + half_y) / depth), last_y), -1.0)),
    )


@kernel
def _two_are_apart(
    data: FloatArray,
    index: IntArray,
    places: FloatArray,
    S: FloatArray,
    i: int,
    j: int,
    margin: float,
) -> bool:
    """Return whether two shapes are farther apart than a margin."""
    if _sphere_gap(data, index, places, i, j) > margin:
        return True
    R, p = relative_pose(
        rot(places, i, 0), vec(places, i, 9), rot(places, j, 0), vec(places, j, 9)
    )
    return shapes_are_apart(data, index, i, j, R, p, margin, S)


@kernel
def _is_over_field(
    tables: SceneTables, work: SceneWork, g: int, h: int, margin: float
) -> bool:
    """Return whether a group is farther from a height field than a margin."""
    data, index, places, S = tables.data, tables.ints, work.places, work.S
    groups, fields = tables.groups, tables.fields
    field, first = groups[h, GROUP_FIELD], groups[h, SHAPE0]
    columns = int(fields[field, CELLS_X])
    for i in range(groups[g, SHAPE0], groups[g, SHAPE1]):
        x0, x1, y0, y1 = _cells(data, places, fields, field, i, margin)
        for y in range(y0, y1 + 1):
            start = first + 2 * (y * columns + x0)
            for j in range(start, start + 2 * (x1 + 1 - x0)):
                if not _two_are_apart(data, index, places, S, i, j, margin):
                    return False
    return True


@kernel
def is_pair_apart(tables: SceneTables, work: SceneWork, k: int, margin: float) -> bool:
    """Return whether pair k is farther apart than a margin [m].

    What is not a number counts as touching.
    """
    data, index, places, S = tables.data, tables.ints, work.places, work.S
    groups, spheres, centers = tables.groups, tables.spheres, work.centers
    g, h = tables.pairs[k, 0], tables.pairs[k, 1]
    d = sub(vec(centers, g, 0), vec(centers, h, 0))
    reach = spheres[g, 3] + spheres[h, 3] + margin
    if dot(d, d) > reach * reach:
        return True
    if groups[h, GROUP_FIELD] >= 0:
        return _is_over_field(tables, work, g, h, margin)
    for i in range(groups[g, SHAPE0], groups[g, SHAPE1]):
        for j in range(groups[h, SHAPE0], groups[h, SHAPE1]):
            if not _two_are_apart(data, index, places, S, i, j, margin):
                return False
    return True


@kernel
def _first_touching(tables: SceneTables, work: SceneWork, start: int) -> int:
    """Return the first pair from `start` on that does not keep its margin, or -1."""
    for k in range(start, tables.pairs.shape[0]):
        if not is_pair_apart(tables, work, k, tables.margins[k]):
            return k
    return -1


@kernel
def are_free(
    tables: SceneTables, work: SceneWork, q: FloatArray, out: BoolArray
) -> None:
    """Write whether each row of q keeps all margins."""
    tables, work, q = tables_view(tables), work_view(work), unowned(q)
    for b in range(q.shape[0]):
        place_scene(tables, q[b], work)
        out[b] = _first_touching(tables, work, 0) < 0


@kernel
def count_touching(
    tables: SceneTables, work: SceneWork, q: FloatArray, counts: IntArray
) -> None:
    """Add to each pair's count in how many rows of q it does not keep its margin."""
    tables, work, q = tables_view(tables), work_view(work), unowned(q)
    for b in range(q.shape[0]):
        place_scene(tables, q[b], work)
        k = _first_touching(tables, work, 0)
        while k >= 0:
            counts[k] += 1
            k = _first_touching(tables, work, k + 1)


@kernel
def _nearer(
    tables: SceneTables, work: SceneWork, i: int, j: int, best: float, out: FloatArray
) -> float:
    """Return the smaller of `best` and the distance of two shapes; write it, too.

    `out`: distance, normal, points of i and j, in the world, shape (10,).
    """
    data, index, places = tables.data, tables.ints, work.places
    far = max(best, 0.0)
    if _sphere_gap(data, index, places, i, j) > far:
        return best
    R_i, p_i = rot(places, i, 0), vec(places, i, 9)
    R, p = relative_pose(R_i, p_i, rot(places, j, 0), vec(places, j, 9))
    found, normal, on_i, on_j = shape_distance(
        data, index, i, j, R, p, far, work.S, work.V, work.F, work.N, work.Q
    )
    if not found < best:
        return best
    out[0] = found
    out[1], out[2], out[3] = turn(R_i, normal)
    out[4], out[5], out[6] = add(p_i, turn(R_i, on_i))
    out[7], out[8], out[9] = add(p_i, turn(R_i, on_j))
    return found


@kernel
def _near_field(
    tables: SceneTables,
    work: SceneWork,
    i: int,
    h: int,
    best: float,
    out: FloatArray,
) -> float:
    """Do as `_nearer` for a shape and all pieces of a height field."""
    data, fields, places = tables.data, tables.fields, work.places
    field, first = tables.groups[h, GROUP_FIELD], tables.groups[h, SHAPE0]
    columns, rows = int(fields[field, CELLS_X]), int(fields[field, CELLS_Y])
    # A first bound from the cell in the middle below the shape.
    x0, x1, y0, y1 = _cells(data, places, fields, field, i, 0.0)
    x = min(max((x0 + x1) // 2, 0), columns - 1)
    y = min(max((y0 + y1) // 2, 0), rows - 1)
    for t in range(2):
        j = first + 2 * (y * columns + x) + t
        best = _nearer(tables, work, i, j, best, out)
    x0, x1, y0, y1 = _cells(data, places, fields, field, i, max(best, 0.0))
    for y in range(y0, y1 + 1):
        start = first + 2 * (y * columns + x0)
        for j in range(start, start + 2 * (x1 + 1 - x0)):
            best = _nearer(tables, work, i, j, best, out)
    return best


@kernel
def distances(
    tables: SceneTables, work: SceneWork, q: FloatArray, limit: float, out: FloatArray
) -> None:
    """Write the distance of each pair for each row of q, shape (b, p, 10).

    Distance, normal, points of both sides; inf and NaN beyond the limit.
    """
    tables, work, q = tables_view(tables), work_view(work), unowned(q)
    pairs, groups, spheres = tables.pairs, tables.groups, tables.spheres
    centers = work.centers
    for b in range(q.shape[0]):
        place_scene(tables, q[b], work)
        for k in range(pairs.shape[0]):
            row = out[b, k]
            row[0] = math.inf
            for c in range(1, 10):
                row[c] = math.nan
            g, h, best = pairs[k, 0], pairs[k, 1], limit
            d = sub(vec(centers, g, 0), vec(centers, h, 0))
            if math.sqrt(dot(d, d)) > spheres[g, 3] + spheres[h, 3] + limit:
                continue
            for i in range(groups[g, SHAPE0], groups[g, SHAPE1]):
                if groups[h, GROUP_FIELD] >= 0:
                    best = _near_field(tables, work, i, h, best, row)
                    continue
                for j in range(groups[h, SHAPE0], groups[h, SHAPE1]):
                    best = _nearer(tables, work, i, j, best, row)
