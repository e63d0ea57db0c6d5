"""The final simulation: candidates with their true pose, normal and bat velocity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import norm, sub
from gelenk.robots.piggy.planner.lookup import find_candidates
from gelenk.robots.piggy.planner.path import path_at
from gelenk.robots.piggy.planner.rating import fraction
from gelenk.robots.piggy.planner.refine import refine
from gelenk.robots.piggy.planner.strike import (
    Setting,
    meet,
    printed_meeting,
    strike,
    tangential_rates,
    wanted_at,
)
from gelenk.robots.piggy.surface import height_of
from gelenk.typing import FloatArray, IntArray, Vec2, Vec3

if TYPE_CHECKING:
    from gelenk.robots.piggy.planner.lookup import TableArrays
    from gelenk.robots.piggy.planner.nodes import NodeArrays
    from gelenk.robots.piggy.planner.rating import Limits


COLUMNS = 19  # rating, error, time, q, qd, n_c, v_in, v_s, v_out
ROUNDS = 12  # of the refinement


@kernel
def best_strokes(
    tables: TableArrays,
    nodes: NodeArrays,
    setting: Setting,
    segment: int,
    posed: tuple[Vec3, Vec3],
    cosines: Vec2,
    limits: Limits,
    lookup: tuple[float, int],
    is_printed: bool,
    out: FloatArray,
) -> int:
    """Fill rows with the strokes of a segment; return how many.

    `posed` is v_in and the normal if the pose is given, `lookup` tolerance and spread.
    """
    flight = setting.flight
    span = span_of(segment, setting)
    v_in, normal = posed
    if not setting.is_posed:
        middle = 0.5 * (flight[segment, 0] + flight[segment + 1, 0])
        p, v_in = path_at(flight, middle)
        normal = height_of(p, setting.unit)[1]
        wanted = wanted_at(middle, setting)
    else:
        wanted = wanted_at(0.0, setting)
    rows, entry = np.empty((len(out), 10)), np.empty(len(out), dtype=np.int64)
    found = find_candidates(
        tables, nodes, (v_in, wanted, normal), cosines, limits, lookup, rows, entry,
    )  # fmt: skip
    count = 0
    for i in range(found):
        v_s, n_c = (rows[i, 1], rows[i, 2], rows[i, 3]), (
            rows[i, 4], rows[i, 5], rows[i, 6])  # fmt: skip
        if is_printed and not setting.is_posed:
            is_met, t, q, v, n_c = printed_meeting(n_c, segment, setting)
            fixed = _posed(setting, q, v)
            rates = tangential_rates(v_s, q, setting)
            is_good, _, q, v, v_s, v_out = strike(n_c, rates, span, fixed)
            is_good = is_good and is_met
        else:
            is_met, t, q, v = meet(n_c, span, setting)
            rates = tangential_rates(v_s, q, setting)
            is_good, t, q, v, v_s, v_out = strike(n_c, rates, span, setting)
        if is_good:
            off = norm(sub(v_out, wanted_at(t, setting)))
            _store(out, count, off, limits.v_out, (t, q, rates), (n_c, v, v_s, v_out))
            count += 1
    return count


@kernel
def refine_strokes(
    rows: FloatArray,
    segments: IntArray,
    setting: Setting,
    limit: float,
    method: tuple[int, int, float],
) -> None:
    """Refine rows in order until enough of them are as good as wanted.

    `method`: how many to refine to the goal, how many to try, the goal.
    """
    enough, tried, goal = method
    reached = 0
    for i in range(min(len(rows), tried)):
        if reached >= enough:
            break
        span = span_of(segments[i], setting)
        n_c, rates = (rows[i, 7], rows[i, 8], rows[i, 9]), (rows[i, 5], rows[i, 6])
        n_c, rates, off = refine(n_c, rates, span, setting, goal, ROUNDS)
        if off < 0.0:
            continue
        _, t, q, v, v_s, v_out = strike(n_c, rates, span, setting)
        _store(rows, i, off, limit, (t, q, rates), (n_c, v, v_s, v_out))
        reached += off <= goal


@kernel
def span_of(segment: int, setting: Setting) -> Vec2:
    """Return the times between which a segment's strokes may meet the ball."""
    last = len(setting.flight) - 1
    first, end = max(segment - 1, 0), min(segment + 2, last)
    return setting.flight[first, 0], setting.flight[end, 0]


@kernel
def _posed(setting: Setting, q: Vec2, v_in: Vec3) -> Setting:
    """Return the setting with a given pose."""
    return Setting(
        setting.flight,
        setting.wanted,
        True,
        q,
        v_in,
        setting.spin,
        setting.rate_limit,
        setting.lowest,
        setting.unit,
        setting.contact,
    )


@kernel
def _store(
    out: FloatArray,
    i: int,
    off: float,
    limit: float,
    motion: tuple[float, Vec2, Vec2],
    vectors: tuple[Vec3, Vec3, Vec3, Vec3],
) -> None:
    t, q, rates = motion
    out[i, 0], out[i, 1], out[i, 2] = fraction(off, limit), off, t
    out[i, 3], out[i, 4], out[i, 5], out[i, 6] = q[0], q[1], rates[0], rates[1]
    for j in range(4):
        for k in range(3):
            out[i, 7 + 3 * j + k] = vectors[j][k]
