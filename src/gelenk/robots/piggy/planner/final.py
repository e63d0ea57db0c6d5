"""Final simulation of candidates with their true pose, refined by Gauss-Newton."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import add, cross, dot, norm, scaled, sub
from gelenk.robots.piggy.planner.lookup import find_candidates
from gelenk.robots.piggy.planner.path import path_at
from gelenk.robots.piggy.planner.rating import fraction
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


ANGLE_SCALE, RATE_SCALE = 0.1, 1.0  # [rad], [rad/s]: changes of equal price
ANGLE_STEP, RATE_STEP = 1e-3, 1e-2  # [rad], [rad/s], of the differences
MAX_TURN = 0.35  # [rad], largest correction of the contact's direction at once


@kernel
def error_of(n_c: Vec3, rates: Vec2, span: Vec2, setting: Setting) -> tuple[bool, Vec3]:
    """Return whether a stroke works, and v_out less what is wanted then."""
    is_good, t, _, _, _, v_out = strike(n_c, rates, span, setting)
    return is_good, sub(v_out, wanted_at(t, setting))


@kernel
def refine(
    n_c: Vec3, rates: Vec2, span: Vec2, setting: Setting, goal: float, rounds: int
) -> tuple[Vec3, Vec2, float]:
    """Return a better direction and rates, and the length of their error.

    Stops at an error of `goal` or after as many rounds. A stroke that does not work
    comes back with an error of -1.
    """
    is_good, r = error_of(n_c, rates, span, setting)
    if not is_good:
        return n_c, rates, -1.0
    size, damping = norm(r), 1e-3
    for _ in range(rounds):
        if size <= goal:
            break
        a, b = across(n_c)
        columns = _columns(n_c, rates, a, b, r, span, setting)
        is_better, moved, new_rates, new_r = False, n_c, rates, r
        for _attempt in range(6):
            step = _bounded_step(columns, r, damping, rates, setting.rate_limit)
            moved = add(n_c, add(scaled(step[0], a), scaled(step[1], b)))
            moved = scaled(1.0 / norm(moved), moved)
            limit = setting.rate_limit
            new_rates = (
                min(max(rates[0] + step[2], -limit), limit),
                min(max(rates[1] + step[3], -limit), limit),
            )
            is_good, new_r = error_of(moved, new_rates, span, setting)
            if is_good and norm(new_r) < size:
                is_better = True
                break
            damping = 10.0 * damping
        if not is_better:
            break
        n_c, rates, r = moved, new_rates, new_r
        size, damping = norm(r), 0.1 * damping
    return n_c, rates, size


@kernel
def across(n: Vec3) -> tuple[Vec3, Vec3]:
    """Return two unit vectors across n and each other."""
    x = (1.0, 0.0, 0.0) if abs(n[0]) < 0.6 else (0.0, 1.0, 0.0)
    a = sub(x, scaled(dot(x, n), n))
    a = scaled(1.0 / norm(a), a)
    return a, cross(n, a)


@kernel
def _columns(
    n_c: Vec3, rates: Vec2, a: Vec3, b: Vec3, r: Vec3, span: Vec2, setting: Setting
) -> tuple[Vec3, Vec3, Vec3, Vec3]:
    """Return the scaled derivatives of the error by both angles and both rates."""
    zero = (0.0, 0.0, 0.0)
    first, second, third, fourth = zero, zero, zero, zero
    for k in range(4):
        for sign in (1.0, -1.0):  # the other side if this one does not work
            h = sign * (ANGLE_STEP if k < 2 else RATE_STEP)
            n, w = n_c, rates
            if k < 2:
                n = add(n_c, scaled(h, a if k == 0 else b))
                n = scaled(1.0 / norm(n), n)
            else:
                w = (rates[0] + h * (k == 2), rates[1] + h * (k == 3))
            is_good, shifted = error_of(n, w, span, setting)
            if is_good:
                scale = ANGLE_SCALE if k < 2 else RATE_SCALE
                d = scaled(scale / h, sub(shifted, r))
                if k == 0:
                    first = d
                elif k == 1:
                    second = d
                elif k == 2:
                    third = d
                else:
                    fourth = d
                break
    return first, second, third, fourth


@kernel
def _bounded_step(
    columns: tuple[Vec3, Vec3, Vec3, Vec3],
    r: Vec3,
    damping: float,
    rates: Vec2,
    limit: float,
) -> tuple[float, float, float, float]:
    """Return the correction of angles and rates; rates at their limit stay there."""
    third, fourth = columns[2], columns[3]
    step = _least_step((columns[0], columns[1], third, fourth), r, damping)
    zero = (0.0, 0.0, 0.0)
    if abs(rates[0] + step[2]) > limit and abs(rates[0]) >= limit * (1.0 - 1e-9):
        third = zero
    if abs(rates[1] + step[3]) > limit and abs(rates[1]) >= limit * (1.0 - 1e-9):
        fourth = zero
    step = _least_step((columns[0], columns[1], third, fourth), r, damping)
    turn = max(abs(step[0]), abs(step[1]))
    s = min(1.0, MAX_TURN / max(turn, 1e-12))
    return (s * step[0], s * step[1], s * step[2], s * step[3])


@kernel
def _least_step(
    columns: tuple[Vec3, Vec3, Vec3, Vec3], r: Vec3, damping: float
) -> tuple[float, float, float, float]:
    """Return -S J^T (J J^T + damping trace)^-1 r with the scaled J."""
    c0, c1, c2, c3 = columns
    xx = c0[0] * c0[0] + c1[0] * c1[0] + c2[0] * c2[0] + c3[0] * c3[0]
    xy = c0[0] * c0[1] + c1[0] * c1[1] + c2[0] * c2[1] + c3[0] * c3[1]
    xz = c0[0] * c0[2] + c1[0] * c1[2] + c2[0] * c2[2] + c3[0] * c3[2]
    yy = c0[1] * c0[1] + c1[1] * c1[1] + c2[1] * c2[1] + c3[1] * c3[1]
    yz = c0[1] * c0[2] + c1[1] * c1[2] + c2[1] * c2[2] + c3[1] * c3[2]
    zz = c0[2] * c0[2] + c1[2] * c1[2] + c2[2] * c2[2] + c3[2] * c3[2]
    more = damping * (xx + yy + zz) + 1e-12
    rows = ((xx + more, xy, xz), (xy, yy + more, yz), (xz, yz, zz + more))
    pair = cross(rows[1], rows[2])
    determinant = dot(rows[0], pair)
    y = scaled(
        -1.0 / determinant,
        (
            dot(r, pair),
            dot(r, cross(rows[2], rows[0])),
            dot(r, cross(rows[0], rows[1])),
        ),
    )
    return (
        ANGLE_SCALE * dot(c0, y),
        ANGLE_SCALE * dot(c1, y),
        RATE_SCALE * dot(c2, y),
        RATE_SCALE * dot(c3, y),
    )


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
