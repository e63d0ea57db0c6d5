"""Compiled proof that pieces of joint paths are free, and the room that it needs.

A piece is a polynomial of the joints that move. Around the middle of an interval, no
pair of a scene comes nearer than the sum over the joints of rate times reach times half
the interval. Pairs that are farther apart than that are done with; for those that are
not, and do not touch, the interval is halved. So a piece of some decimetres takes about
ten looks, most of them at one or two pairs, and is proved free in between as well.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gelenk.collision._batch import (
    are_free,
    is_pair_apart,
    place_scene,
    tables_view,
    work_view,
)
from gelenk.collision._tables import SceneTables, SceneWork, new_work
from gelenk.kernels.compile import kernel
from gelenk.kernels.unowned import unowned
from gelenk.typing import BoolArray, FloatArray, IntArray

FINEST = 2e-4  # [m]: motion about a look that is taken as free with it
WIDE = 64  # intervals that are looked at in the order in which they were cut
SLOTS = WIDE + 128  # intervals that wait


class SearchSpace(NamedTuple):
    """Tables of a search, and the room of its one thread.

    Attributes:
        tables: Tables of the scene.
        work: Room of the scene's kernels.
        row: All coordinates of the scene, (1, n); those that move are overwritten.
        active: Indices of the coordinates that move, (k,).
        reach: Motion of any point of the robots per unit of each, for metrics, (k,).
        pair_reach: Change of each pair's distance per unit of each, (p, k).
        lower, upper: Bounds of samples, (k,).
        out: Scratch, (1,).
        point: Scratch, (k,).
        lengths: Scratch, bound of each pair per unit of a piece's parameter, (p,).
        spans: First and last parameter of intervals that wait, (SLOTS, 2).
        kept: Pairs that are to be looked at in each, (SLOTS, p).
        sizes: Numbers of these pairs, (SLOTS,).
        queue: Numbers of the slots that wait, and of those that are free, (2, SLOTS).
        counts: Looks taken; nodes of both trees, (3,).
    """

    tables: SceneTables
    work: SceneWork
    row: FloatArray
    active: IntArray
    reach: FloatArray
    pair_reach: FloatArray
    lower: FloatArray
    upper: FloatArray
    out: BoolArray
    point: FloatArray
    lengths: FloatArray
    spans: FloatArray
    kept: IntArray
    sizes: IntArray
    queue: IntArray
    counts: IntArray


def new_space(
    tables: SceneTables,
    q: FloatArray,
    active: IntArray,
    reach: FloatArray,
    pair_reach: FloatArray,
    bounds: tuple[FloatArray, FloatArray],
) -> SearchSpace:
    """Return the tables of a search with room to work in.

    Args:
        tables: Tables of the scene.
        q: All its coordinates, shape (n,).
        active: Indices of those that move, shape (k,).
        reach: See `SearchSpace`, of all coordinates, shape (n,).
        pair_reach: See `SearchSpace`, of all coordinates, shape (p, n).
        bounds: Smallest and largest values of samples, shape (k,) each.
    """
    pairs = len(tables.pairs)
    return SearchSpace(
        tables=tables,
        work=new_work(tables),
        row=np.array(q[None]),
        active=active,
        reach=np.ascontiguousarray(reach[active]),
        pair_reach=np.ascontiguousarray(pair_reach[:, active]),
        lower=np.array(bounds[0]),
        upper=np.array(bounds[1]),
        out=np.empty(1, dtype=np.bool_),
        point=np.empty(len(active)),
        lengths=np.empty(pairs),
        spans=np.empty((SLOTS, 2)),
        kept=np.empty((SLOTS, pairs), dtype=np.int64),
        sizes=np.empty(SLOTS, dtype=np.int64),
        queue=np.empty((2, SLOTS), dtype=np.int64),
        counts=np.zeros(3, dtype=np.int64),
    )


@kernel
def space_view(s: SearchSpace) -> SearchSpace:
    """Return the tables of a search without owners, see `kernels.unowned`."""
    return SearchSpace(
        tables_view(s.tables),
        work_view(s.work),
        unowned(s.row),
        unowned(s.active),
        unowned(s.reach),
        unowned(s.pair_reach),
        unowned(s.lower),
        unowned(s.upper),
        unowned(s.out),
        unowned(s.point),
        unowned(s.lengths),
        unowned(s.spans),
        unowned(s.kept),
        unowned(s.sizes),
        unowned(s.queue),
        unowned(s.counts),
    )


@kernel
def is_point_free(space: SearchSpace, point: FloatArray) -> bool:
    """Return whether a configuration keeps all margins.

    Args:
        space: Tables of the search.
        point: Values of the joints that move, (k,).
    """
    for i in range(space.active.shape[0]):
        space.row[0, space.active[i]] = point[i]
    space.counts[0] += 1
    are_free(space.tables, space.work, space.row, space.out)
    return space.out[0]


@kernel
def is_line_free(space: SearchSpace, a: FloatArray, b: FloatArray) -> bool:
    """Return whether a straight line is free, its ends included.

    Args:
        space: Tables of the search.
        a: Values of the joints that move at the start, (k,).
        b: The same at the end.
    """
    k = a.shape[0]
    piece, rate = np.empty((2, k)), np.empty(k)
    for i in range(k):
        piece[0, i], piece[1, i] = a[i], b[i] - a[i]
        rate[i] = abs(piece[1, i])
    return is_piece_free(space, piece, 1.0, rate)


@kernel
def is_piece_free(
    space: SearchSpace, piece: FloatArray, width: float, rate: FloatArray
) -> bool:
    """Return whether a polynomial piece of a path is free, its ends included.

    Args:
        space: Tables of the search.
        piece: Coefficients of u^0, u^1, ... of the joints that move, (d, k).
        width: Largest u; the smallest is 0.
        rate: Largest magnitudes of the derivatives by u, (k,).
    """
    pairs = space.lengths.shape[0]
    margins, lengths = space.tables.margins, space.lengths
    waiting, unused = space.queue[0], space.queue[1]
    for p in range(pairs):
        total = 0.0
        for i in range(rate.shape[0]):
            total += rate[i] * space.pair_reach[p, i]
        lengths[p] = total
        space.kept[0, p] = p
    for i in range(SLOTS):
        unused[i] = SLOTS - 1 - i
    num_unused = SLOTS - 1
    space.spans[0, 0], space.spans[0, 1], space.sizes[0] = 0.0, width, pairs
    waiting[0] = 0
    first, count = 0, 1  # of a ring
    while count > 0:
        if count < WIDE:
            slot = waiting[first]
            first = (first + 1) % SLOTS
        else:
            slot = waiting[(first + count - 1) % SLOTS]
        count -= 1
        begin, end = space.spans[slot, 0], space.spans[slot, 1]
        middle, half = 0.5 * (begin + end), 0.5 * (end - begin)
        _place(space, piece, middle)
        left = 0
        for m in range(space.sizes[slot]):
            p = space.kept[slot, m]
            margin, bound = float(margins[p]), float(lengths[p]) * half
            if is_pair_apart(space.tables, space.work, p, margin + bound):
                continue
            if not is_pair_apart(space.tables, space.work, p, margin):
                return False
            if bound > FINEST:
                space.kept[slot, left] = p
                left += 1
        if left == 0:
            unused[num_unused] = slot
            num_unused += 1
            continue
        num_unused -= 1
        other = unused[num_unused]
        for m in range(left):
            space.kept[other, m] = space.kept[slot, m]
        space.sizes[slot] = space.sizes[other] = left
        space.spans[slot, 1] = middle
        space.spans[other, 0], space.spans[other, 1] = middle, end
        waiting[(first + count) % SLOTS] = slot
        waiting[(first + count + 1) % SLOTS] = other
        count += 2
    return True


@kernel
def _place(space: SearchSpace, piece: FloatArray, u: float) -> None:
    """Put the scene where a piece is at u."""
    last = piece.shape[0] - 1
    for i in range(piece.shape[1]):
        value = piece[last, i]
        for power in range(last - 1, -1, -1):
            value = value * u + piece[power, i]
        space.row[0, space.active[i]] = value
    space.counts[0] += 1
    place_scene(space.tables, space.row[0], space.work)
