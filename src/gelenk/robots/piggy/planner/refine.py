"""The grid's error removed: Gauss-Newton on the four numbers of a stroke.

Three equations, v_out as wanted, in four unknowns: of all corrections the smallest is
taken, damped after Levenberg where the contact is not linear. Rates stop at their
limit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import add, cross, dot, norm, scaled, sub
from gelenk.robots.piggy.planner.strike import strike, wanted_at
from gelenk.typing import Vec2, Vec3

if TYPE_CHECKING:
    from gelenk.robots.piggy.planner.strike import Setting


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
