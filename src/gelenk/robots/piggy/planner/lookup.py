"""Candidates from the tables: cell by cell, those the workspace's normal allows.

A request is turned into its plane; the cell of its three numbers and the cells around
it hold the contacts that do nearly what is wanted. Of these, sets of sphere nodes leave
the ones whose bat velocity is nearly tangential, the contact-point check those that the
flight allows, and a heap the best. A request straight back has no plane of its own: it
is looked up in several, turned about the flight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import dot, turn, turn_back
from gelenk.robots.piggy.planner.nodes import WORDS, walk
from gelenk.robots.piggy.planner.rating import (
    RATING,
    RatingCfg,
    off_tangent,
    push,
    rate_all,
)
from gelenk.robots.piggy.planner.reduction import frame_of
from gelenk.robots.piggy.planner.tables import Tables
from gelenk.typing import FloatArray, IntArray, Mat3, Vec2, Vec3

if TYPE_CHECKING:
    from gelenk.robots.piggy.planner.nodes import NodeArrays
    from gelenk.robots.piggy.planner.rating import Limits


BEST = 100  # candidates kept, Hammer §4.4.7
PLANES = 12  # in which a request straight back is looked up
STRAIGHT = 0.1  # cells of c_z below which a request is straight


@dataclass(frozen=True, slots=True, kw_only=True)
class LookupCfg:
    """How candidates are looked up.

    Attributes:
        rating: Limits of the ratings.
        tolerance: Angle added to the extent of nodes [rad].
        spread: Cells read on each side of the request's: 0 reads one, 1 reads 27.
        best: How many candidates are kept.
    """

    rating: RatingCfg = RATING
    tolerance: float = 0.0
    spread: int = 1
    best: int = BEST


LOOKUP = LookupCfg()


class TableArrays(NamedTuple):
    """What the kernels need of `Tables`."""

    start: IntArray
    entry: FloatArray
    node_sets: np.ndarray
    lower: tuple[float, float, float]
    step: tuple[float, float, float]
    shape: tuple[int, int, int]


def table_arrays(tables: Tables) -> TableArrays:
    """Return the tables as the kernels take them."""
    a, b, c = tables.grid.cells
    return TableArrays(
        tables.start,
        tables.entry,
        tables.node_sets,
        (a.lower, b.lower, c.lower),
        (a.step, b.step, c.step),
        (a.num, b.num, c.num),
    )


@kernel
def find_candidates(
    tables: TableArrays,
    nodes: NodeArrays,
    request: tuple[Vec3, Vec3, Vec3],
    cosines: Vec2,
    limits: Limits,
    lookup: tuple[float, int],
    rows: FloatArray,
    entry: IntArray,
) -> int:
    """Fill rows with rating, v_s, n_c, v_out in the world, best first; return how many.

    `request` is v_in, v_out and the normal, `lookup` tolerance and spread.
    """
    tolerance, spread = lookup
    v_in, v_out, normal = request
    R = frame_of(v_in, v_out)
    wanted = turn(R, v_out)
    # Far below the size of a cell e_z says nothing: all planes are as good.
    planes = PLANES if wanted[2] < STRAIGHT * tables.step[2] else 1
    size = 0
    ratings, keys = np.empty(len(rows)), np.empty(len(rows), dtype=np.int64)
    words = np.empty(WORDS, dtype=np.uint64)
    for plane in range(planes):
        turned = _about_x(R, 2.0 * np.pi * plane / planes)
        n = turn(turned, normal)
        walk(n, tolerance, nodes, words)
        size = _search(
            tables,
            (turn(turned, v_in)[0], turn(turned, v_out), n),
            words,
            cosines,
            limits,
            spread,
            plane,
            (ratings, keys, size),
        )
    order = np.argsort(-ratings[:size])
    for i in range(size):
        key = int(keys[order[i]])
        k, plane = key // PLANES, key % PLANES
        turned = _about_x(R, 2.0 * np.pi * plane / planes)
        e = tables.entry[k]
        vectors = (
            turn_back(turned, (e[3], e[4], e[5])),
            turn_back(turned, (e[6], e[7], e[8])),
            turn_back(turned, (e[1], 0.0, e[2])),
        )
        rows[i, 0], entry[i] = ratings[order[i]], k
        for j in range(9):
            rows[i, 1 + j] = vectors[j // 3][j % 3]
    return size


@kernel
def _search(
    tables: TableArrays,
    request: tuple[float, Vec3, Vec3],
    words: NDArray[np.uint64],
    cosines: Vec2,
    limits: Limits,
    spread: int,
    plane: int,
    heap: tuple[FloatArray, IntArray, int],
) -> int:
    """Push the results of the request's cells into the heap and return its size."""
    speed, v_out, n = request
    ratings, keys, size = heap
    first, last = _cell_range((speed, v_out[0], v_out[2]), tables, spread)
    for i in range(first[0], last[0]):
        for j in range(first[1], last[1]):
            row = (i * tables.shape[1] + j) * tables.shape[2]
            begin, end = tables.start[row + first[2]], tables.start[row + last[2]]
            for k in range(begin, end):
                e, bits = tables.entry[k], tables.node_sets[k]
                if not (bits[0] & words[0] or bits[1] & words[1] or bits[2] & words[2]):
                    continue
                if plane > 0 and _is_round(e):
                    continue
                cosine = dot((e[6], e[7], e[8]), n)
                if cosine < cosines[0] or cosine > cosines[1]:
                    continue
                off = (
                    (e[1] - v_out[0]) ** 2 + v_out[1] ** 2 + (e[2] - v_out[2]) ** 2
                ) ** 0.5
                off_in = abs(e[0] - speed)
                worst = ratings[0] if size == len(ratings) else 0.0
                if rate_all(off_in, off, 0.0, limits) <= worst:
                    continue
                angle = off_tangent((e[3], e[4], e[5]), n)
                rating = rate_all(off_in, off, angle, limits)
                if rating > 0.0:
                    size = push(ratings, keys, size, rating, k * PLANES + plane)
    return size


@kernel
def _is_round(e: FloatArray) -> bool:
    """Return whether a result is the same in all planes: central, bat along x."""
    across = e[4] * e[4] + e[5] * e[5] + e[7] * e[7] + e[8] * e[8]
    return across < 1e-18


@kernel
def _cell_range(
    numbers: Vec3, tables: TableArrays, spread: int
) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Return the first cells and the cells after the last along the three axes."""
    k = (
        _cell(numbers[0], tables, 0),
        _cell(numbers[1], tables, 1),
        _cell(numbers[2], tables, 2),
    )
    count = tables.shape
    first = (max(k[0] - spread, 0), max(k[1] - spread, 0), max(k[2] - spread, 0))
    last = (
        min(k[0] + spread + 1, count[0]),
        min(k[1] + spread + 1, count[1]),
        min(k[2] + spread + 1, count[2]),
    )
    return first, last


@kernel
def _cell(number: float, tables: TableArrays, axis: int) -> int:
    k = int(np.floor((number - tables.lower[axis]) / tables.step[axis] + 0.5))
    return min(max(k, 0), tables.shape[axis] - 1)


@kernel
def _about_x(R: Mat3, angle: float) -> Mat3:
    """Return Rx(angle) R: the plane's frame turned about the flight."""
    c, s = np.cos(angle), np.sin(angle)
    return (
        R[0], R[1], R[2],
        c * R[3] - s * R[6], c * R[4] - s * R[7], c * R[5] - s * R[8],
        s * R[3] + c * R[6], s * R[4] + c * R[7], s * R[5] + c * R[8],
    )  # fmt: skip
