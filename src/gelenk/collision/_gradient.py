"""Derivatives of distances by the velocities of the robots."""

from __future__ import annotations

import math

from gelenk.collision._batch import place_robots, tables_view, work_view
from gelenk.collision._tables import (
    BASE_ROW,
    BODY0,
    FLOATS,
    GROUP_ROW,
    V0,
    SceneTables,
    SceneWork,
)
from gelenk.kernels.compile import kernel
from gelenk.kernels.tree import PRISMATIC
from gelenk.kernels.tuples import cross, dot, rot, sub, turn_back, vec, z_axis
from gelenk.kernels.unowned import unowned
from gelenk.typing import FloatArray, Vec3


@kernel
def _add_point(
    tables: SceneTables,
    poses: FloatArray,
    row: int,
    n: Vec3,
    x: Vec3,
    sign: float,
    gradient: FloatArray,
) -> None:
    """Add sign * n^T J of a point x that a row carries."""
    k = tables.row_robot[row]
    if k < 0:
        return
    robots, topology, body = tables.robots, tables.topology, tables.body
    base_row, first, column = robots[k, BASE_ROW], robots[k, BODY0], robots[k, V0]
    if robots[k, FLOATS] != 0:
        R_base = rot(tables.bases, k, 0)
        force = turn_back(R_base, n)
        moment = turn_back(R_base, cross(sub(x, vec(poses, base_row, 9)), n))
        for c in range(3):
            gradient[column + c] += sign * force[c]
            gradient[column + 3 + c] += sign * moment[c]
        column += 6
    i = row - base_row - 1
    while i >= 0:
        at = base_row + 1 + i
        z = z_axis(rot(poses, at, 0))
        if topology[first + i, 1] != PRISMATIC:
            z = cross(z, sub(x, vec(poses, at, 9)))
        value = sign * body[first + i, 22] * dot(n, z)
        gradient[column + topology[first + i, 3]] += value
        i = topology[first + i, 0]


@kernel
def gradients(
    tables: SceneTables,
    work: SceneWork,
    q: FloatArray,
    found: FloatArray,
    out: FloatArray,
) -> None:
    """Write the derivative of each distance by the velocities, shape (b, p, nv).

    `found` is what `distances` wrote; where it has no distance, the result is NaN.
    """
    tables, work, q = tables_view(tables), work_view(work), unowned(q)
    pairs, groups = tables.pairs, tables.groups
    for b in range(q.shape[0]):
        place_robots(tables, q[b], work.poses)
        for k in range(pairs.shape[0]):
            row = found[b, k]
            if row[0] == math.inf:
                out[b, k] = math.nan
                continue
            out[b, k] = 0.0
            n = (row[1], row[2], row[3])
            a, x = groups[pairs[k, 0], GROUP_ROW], (row[4], row[5], row[6])
            _add_point(tables, work.poses, a, n, x, -1.0, out[b, k])
            a, x = groups[pairs[k, 1], GROUP_ROW], (row[7], row[8], row[9])
            _add_point(tables, work.poses, a, n, x, 1.0, out[b, k])
