"""Bounds of how far points of a robot move per unit of its coordinates.

What counts for a pair of groups is only how they move against each other: joints that
carry both count nothing. A joint between them turns one group against the other about
its axis; seen along the line between their nearest points both have the same lever
arm, so that the group whose points stay nearer to the axis gives the bound.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.collision._tables import (
    BASE_ROW,
    BODY0,
    FLOATS,
    GROUP_ROW,
    Q0,
    SceneTables,
)
from gelenk.kernels.compile import kernel
from gelenk.kernels.tree import PRISMATIC
from gelenk.models.compiled import (
    COL_OFFSET,
    COL_P,
    COL_R,
    COL_SCALE,
    TOP_INDEX,
    TOP_KIND,
    TOP_PARENT,
)
from gelenk.typing import FloatArray, IntArray

LEAST = 1e-3  # [m]: a joint that moves nothing still has a length, for metrics


def coordinate_reach(tables: SceneTables, ranges: FloatArray) -> FloatArray:
    """Return a bound of the motion of any point per unit of each coordinate.

    Args:
        tables: Tables of a scene.
        ranges: Largest magnitude of each coordinate [rad] or [m], shape (n,), for what
            slides.

    Returns:
        Bounds [m/rad] or [m/m], shape (n,); infinite for bases that float.
    """
    out = np.zeros((len(tables.groups), len(ranges)))
    _group_reaches(tables, ranges, out)
    reach = np.maximum(out.max(axis=0, initial=0.0), LEAST)
    for robot in tables.robots.tolist():
        if robot[FLOATS]:
            reach[robot[Q0] : robot[Q0] + 7] = np.inf
    return reach


def pair_reach(tables: SceneTables, ranges: FloatArray) -> FloatArray:
    """Return by how much the distance of each pair may change per unit of coordinates.

    Args:
        tables: Tables of a scene.
        ranges: Largest magnitude of each coordinate [rad] or [m], shape (n,), for what
            slides.

    Returns:
        Bounds [m/rad] or [m/m], shape (pairs, n); 0 for the bases that float, which
        must stand still.
    """
    out = np.zeros((len(tables.pairs), len(ranges)))
    _pair_reaches(tables, ranges, out)
    return out


@kernel
def _slide(
    body: FloatArray, topology: IntArray, q0: int, ranges: FloatArray, b: int
) -> float:
    """Return how far a joint may slide its body [m]."""
    if topology[b, TOP_KIND] != PRISMATIC:
        return 0.0
    slide = abs(body[b, COL_SCALE]) * ranges[q0 + topology[b, TOP_INDEX]]
    return slide + abs(body[b, COL_OFFSET])


@kernel
def _offset(body: FloatArray, b: int) -> float:
    """Return how far a body's origin is from its parent's at joint value 0 [m]."""
    x, y, z = body[b, COL_P], body[b, COL_P + 1], body[b, COL_P + 2]
    return math.sqrt(x * x + y * y + z * z)


@kernel
def _add_joints(
    body: FloatArray,
    topology: IntArray,
    q0: int,
    ranges: FloatArray,
    start: int,
    stop: int,
    sphere: FloatArray,
    other: FloatArray,
    other_reach: float,
    is_on_stop: bool,
    out: FloatArray,
) -> None:
    """Add what the joints from a group's body up to another body do to it.

    Args:
        body: Bodies of one robot.
        topology: Parents and joints of its bodies.
        q0: First coordinate of its joints.
        ranges: Largest magnitudes of the coordinates.
        start: Body of the group, -1 for the base.
        stop: Body at which the way ends, its own joint left out.
        sphere: Centre and radius of the group, in its body.
        other: The same of the group on the other side of the joints.
        other_reach: Distance of the other's points from the origin of `stop` [m].
        is_on_stop: Whether `stop` carries the other group.
        out: Bounds by coordinate.
    """
    to_stop, b = 0.0, start
    while b != stop:
        to_stop += _offset(body, b) + _slide(body, topology, q0, ranges, b)
        b = topology[b, TOP_PARENT]
    x, y, z, radius = sphere[0], sphere[1], sphere[2], sphere[3]
    across = math.sqrt(x * x + y * y) + radius  # from the axis of a body
    extent = math.sqrt(x * x + y * y + z * z) + radius  # from its origin
    b = start
    while b != stop:
        kind, scale = topology[b, TOP_KIND], abs(body[b, COL_SCALE])
        index = q0 + topology[b, TOP_INDEX]
        parent = topology[b, TOP_PARENT]
        slide = _slide(body, topology, q0, ranges, b)
        if kind == PRISMATIC:
            out[index] += scale
        else:
            lever = min(across, to_stop + other_reach)
            if parent == stop and is_on_stop:
                u = other[0] - body[b, COL_P]
                v = other[1] - body[b, COL_P + 1]
                w = other[2] - body[b, COL_P + 2]
                ax, ay, az = body[b, COL_R + 2], body[b, COL_R + 5], body[b, COL_R + 8]
                along = u * ax + v * ay + w * az
                far = u * u + v * v + w * w - along * along
                lever = min(lever, math.sqrt(max(far, 0.0)) + other[3])
            out[index] += scale * lever
        to_stop -= _offset(body, b) + slide
        x, y = body[b, COL_P], body[b, COL_P + 1]
        across = math.sqrt(x * x + y * y) + extent + slide
        extent += _offset(body, b) + slide
        b = parent


@kernel
def _reach_from(
    body: FloatArray,
    topology: IntArray,
    q0: int,
    ranges: FloatArray,
    start: int,
    stop: int,
    sphere: FloatArray,
) -> float:
    """Return the distance of a group's points from the origin of a body below it."""
    x, y, z = sphere[0], sphere[1], sphere[2]
    extent, b = math.sqrt(x * x + y * y + z * z) + sphere[3], start
    while b != stop:
        extent += _offset(body, b) + _slide(body, topology, q0, ranges, b)
        b = topology[b, TOP_PARENT]
    return extent


@kernel
def _group_reaches(tables: SceneTables, ranges: FloatArray, out: FloatArray) -> None:
    """Write how far points of each group move in the world, (groups, n)."""
    groups, robots, spheres = tables.groups, tables.robots, tables.spheres
    for g in range(groups.shape[0]):
        row = groups[g, GROUP_ROW]
        k = tables.row_robot[row]
        if k < 0:
            continue
        first = robots[k, BODY0]
        q0 = robots[k, Q0] + (7 if robots[k, FLOATS] != 0 else 0)
        _add_joints(
            tables.body[first:], tables.topology[first:], q0, ranges,
            row - robots[k, BASE_ROW] - 1, -1, spheres[g], spheres[g], math.inf, False,
            out[g],
        )  # fmt: skip


@kernel
def _in_base(base: FloatArray, sphere: FloatArray, out: FloatArray) -> None:
    """Write a sphere of the world in the frame of a base."""
    x, y, z = sphere[0] - base[9], sphere[1] - base[10], sphere[2] - base[11]
    for c in range(3):
        out[c] = base[c] * x + base[3 + c] * y + base[6 + c] * z
    out[3] = sphere[3]


@kernel
def _pair_reaches(tables: SceneTables, ranges: FloatArray, out: FloatArray) -> None:
    """Write how much the distance of each pair may change, (pairs, n)."""
    groups, robots, spheres = tables.groups, tables.robots, tables.spheres
    in_world, sphere = np.zeros((groups.shape[0], ranges.shape[0])), np.empty(4)
    _group_reaches(tables, ranges, in_world)
    for p in range(tables.pairs.shape[0]):
        g, h = tables.pairs[p, 0], tables.pairs[p, 1]
        if tables.row_robot[groups[g, GROUP_ROW]] < 0:
            g, h = h, g
        k = tables.row_robot[groups[g, GROUP_ROW]]
        other = tables.row_robot[groups[h, GROUP_ROW]]
        stands = k >= 0 and other < 0 and robots[k, FLOATS] == 0
        if not stands and (k < 0 or k != other):
            out[p] = in_world[g] + in_world[h]
            continue
        first, base = robots[k, BODY0], robots[k, BASE_ROW]
        body, topology = tables.body[first:], tables.topology[first:]
        q0 = robots[k, Q0] + (7 if robots[k, FLOATS] != 0 else 0)
        i = groups[g, GROUP_ROW] - base - 1
        if stands:  # as if it were carried by the base
            _in_base(tables.bases[k], spheres[h], sphere)
            reach_h = _reach_from(body, topology, q0, ranges, -1, -1, sphere)
            _add_joints(
                body, topology, q0, ranges, i, -1, spheres[g], sphere, reach_h, True,
                out[p],
            )  # fmt: skip
            continue
        j = groups[h, GROUP_ROW] - base - 1
        a, b = i, j
        while a != b:  # parents have smaller numbers
            if a > b:
                a = topology[a, TOP_PARENT]
            else:
                b = topology[b, TOP_PARENT]
        reach_g = _reach_from(body, topology, q0, ranges, i, a, spheres[g])
        reach_h = _reach_from(body, topology, q0, ranges, j, a, spheres[h])
        _add_joints(
            body, topology, q0, ranges, i, a, spheres[g], spheres[h], reach_h, j == a,
            out[p],
        )  # fmt: skip
        _add_joints(
            body, topology, q0, ranges, j, a, spheres[h], spheres[g], reach_g, i == a,
            out[p],
        )  # fmt: skip
