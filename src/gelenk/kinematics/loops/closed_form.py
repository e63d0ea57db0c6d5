"""Compiled closures of the patterns: sphere, line and circle intersections.

`pack` in `patterns` lays out what these kernels read. A segment is the part of a chain
between two places, as rows [R, p, kind, coordinate, scale, offset] of joints in their
order and a last row that is a constant pose.
"""

from __future__ import annotations

import math

from gelenk.kernels.chain import IDENTITY
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import (
    add,
    chained,
    cross,
    dot,
    norm,
    rot,
    scaled,
    sub,
    turn,
    turn_back,
    turned_about_z,
    vec,
    z_axis,
)
from gelenk.typing import FloatArray, IntArray, Mat3, Vec3

# Kinds of patterns, and what a closure ends with.
TRIPOD, TIGHT_LEN, TIGHT_ROT, TIGHT_PSEUDO = 0, 1, 2, 3
CLOSED, OUT_OF_REACH, NO_ROTATION, DEGENERATE = 0, 1, 2, 3

# Columns of a plan, one row per pattern.
PLAN_KIND = 0
PLAN_BRANCH = 1
PLAN_COORD = 2  # 6: tree coordinates of the passive joints, see the solvers
PLAN_START = 8  # 7: first row of each segment, and the end of the last
PLAN_COLS = 15

ROOT_TOL = 1e-12
"""How far below zero a squared length, relative to the lengths it came from, is zero.

At the edge of reach the difference of squares is rounding noise of 1e-16; the gap that
this tolerance hides is below 1e-12 of the arm's size.
"""
FLAT_TOL = 1e-9  # relative; nearer to a line or an axis than this has no direction


@kernel
def segment_pose(
    rows: FloatArray, start: int, stop: int, q: FloatArray
) -> tuple[Mat3, Vec3]:
    """Return rotation and position at the end of a segment, in its first frame."""
    R, p = IDENTITY, (0.0, 0.0, 0.0)
    for i in range(start, stop - 1):
        p = add(p, turn(R, vec(rows, i, 9)))
        R = chained(R, rot(rows, i, 0))
        value = rows[i, 14] * q[int(rows[i, 13])] + rows[i, 15]
        if rows[i, 12] != 0.0:
            R = turned_about_z(R, value)
        else:
            p = add(p, scaled(value, z_axis(R)))
    last = stop - 1
    return chained(R, rot(rows, last, 0)), add(p, turn(R, vec(rows, last, 9)))


@kernel
def plan_pose(
    plan: IntArray, k: int, segment: int, rows: FloatArray, q: FloatArray
) -> tuple[Mat3, Vec3]:
    """Return rotation and position at the end of a segment of pattern k."""
    column = PLAN_START + segment
    return segment_pose(rows, plan[k, column], plan[k, column + 1], q)


@kernel
def wrapped(angle: float) -> float:
    """Return an angle in [-pi, pi)."""
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)


@kernel
def aim(a: Vec3, b: Vec3) -> tuple[float, float, bool]:
    """Return (xy, xz, is_possible): the turns in x-y, then in x-z, that point a at b.

    Solution 1 of Roth 2021, ArmBot §7.2: x is not negative between the two turns. If it
    is impossible, the turns bring a as near as they can.
    """
    length = norm(b)
    if length == 0.0:
        return 0.0, 0.0, norm(a) == 0.0
    b = scaled(norm(a) / length, b)
    square = a[0] * a[0] + a[1] * a[1] - b[1] * b[1]
    is_possible = square >= -ROOT_TOL * dot(a, a)
    x = math.sqrt(max(square, 0.0))
    xy = math.atan2(b[1], x) - math.atan2(a[1], a[0])
    xz = math.atan2(b[2], b[0]) - math.atan2(a[2], x)
    return wrapped(xy), wrapped(xz), is_possible


@kernel
def aimed(a: Vec3, xy: float, xz: float) -> Vec3:
    """Return a after the turn in x-y and the turn in x-z."""
    c, s = math.cos(xy), math.sin(xy)
    x, y = c * a[0] - s * a[1], s * a[0] + c * a[1]
    c, s = math.cos(xz), math.sin(xz)
    return (c * x - s * a[2], y, s * x + c * a[2])


@kernel
def set_ball(
    R: Mat3, p: Vec3, a: Vec3, union: Vec3, q: FloatArray, xz_coord: int, xy_coord: int
) -> tuple[Vec3, bool]:
    """Turn a ball joint towards the union; return its chain's end and the success."""
    xy, xz, is_possible = aim(a, turn_back(R, sub(union, p)))
    q[xz_coord], q[xy_coord] = xz, xy
    return add(p, turn(R, aimed(a, xy, xz))), is_possible


@kernel
def three_spheres(
    P1: Vec3, P2: Vec3, P3: Vec3, r1: float, r2: float, r3: float, branch: float
) -> tuple[Vec3, int]:
    """Return (point, status) common to three spheres, on the side of the branch."""
    e = sub(P2, P1)
    w = sub(P3, P1)
    d = norm(e)
    size = max(d, norm(w))
    if d <= FLAT_TOL * size or size == 0.0:
        return P1, DEGENERATE
    ex = scaled(1.0 / d, e)
    i = dot(ex, w)
    across = sub(w, scaled(i, ex))
    j = norm(across)
    if j <= FLAT_TOL * size:
        return P1, DEGENERATE
    ey = scaled(1.0 / j, across)
    x = (r1 * r1 - r2 * r2 + d * d) / (2.0 * d)
    y = (r1 * r1 - r3 * r3 + i * i + j * j) / (2.0 * j) - (i / j) * x
    square = r1 * r1 - x * x - y * y
    status = CLOSED if square >= -ROOT_TOL * r1 * r1 else OUT_OF_REACH
    z = branch * math.sqrt(max(square, 0.0))
    point = add(P1, add(scaled(x, ex), scaled(y, ey)))
    return add(point, scaled(z, cross(ex, ey))), status


@kernel
def line_and_sphere(m: Vec3, u: Vec3, r: float, branch: int) -> tuple[float, int]:
    """Return (s, status) with |m + s u| = r for a unit vector u."""
    along = dot(u, m)
    square = along * along - dot(m, m) + r * r
    status = CLOSED if square >= -ROOT_TOL * (dot(m, m) + r * r) else OUT_OF_REACH
    return branch * math.sqrt(max(square, 0.0)) - along, status


@kernel
def circle_and_sphere(
    start: Vec3, centre: Vec3, r: float, branch: int
) -> tuple[float, int]:
    """Return (angle, status): `start`, turned about z by the angle, is r from `centre`.

    A cos(angle) + B sin(angle) = D, the law of cosines in the plane of the circle.
    """
    rho = math.hypot(start[0], start[1])
    reach = math.hypot(centre[0], centre[1])
    size = max(norm(start), norm(centre))
    if rho <= FLAT_TOL * size or reach <= FLAT_TOL * size:
        return 0.0, DEGENERATE
    height = start[2] - centre[2]
    # Cosine and sine of the angle from `start` to the centre, times rho reach.
    A = start[0] * centre[0] + start[1] * centre[1]
    B = start[0] * centre[1] - start[1] * centre[0]
    D = 0.5 * (rho * rho + reach * reach + height * height - r * r)
    square = A * A + B * B - D * D
    status = CLOSED if square >= -ROOT_TOL * (A * A + B * B) else OUT_OF_REACH
    opening = math.atan2(math.sqrt(max(square, 0.0)), D)
    # The centre lies on the other side of the axis in Roth's d = K - C, which turns
    # the middle by pi and the opening into pi - opening: the signs swap.
    return wrapped(math.atan2(B, A) - branch * opening), status


@kernel
def close_tripod(
    plan: IntArray, k: int, rows: FloatArray, q: FloatArray
) -> tuple[int, float]:
    """Close three chains on ball joints; return (status, gap).

    Coordinates: (xz, xy) of each chain. Segments: to the ball joint and from it to the
    end, for each chain.
    """
    R1, P1 = plan_pose(plan, k, 0, rows, q)
    _, a1 = plan_pose(plan, k, 1, rows, q)
    R2, P2 = plan_pose(plan, k, 2, rows, q)
    _, a2 = plan_pose(plan, k, 3, rows, q)
    R3, P3 = plan_pose(plan, k, 4, rows, q)
    _, a3 = plan_pose(plan, k, 5, rows, q)
    union, status = three_spheres(
        P1, P2, P3, norm(a1), norm(a2), norm(a3), plan[k, PLAN_BRANCH]
    )
    c = PLAN_COORD
    E1, ok1 = set_ball(R1, P1, a1, union, q, plan[k, c], plan[k, c + 1])
    E2, ok2 = set_ball(R2, P2, a2, union, q, plan[k, c + 2], plan[k, c + 3])
    E3, ok3 = set_ball(R3, P3, a3, union, q, plan[k, c + 4], plan[k, c + 5])
    gap = max(norm(sub(E1, E2)), norm(sub(E1, E3)), norm(sub(E2, E3)))
    if status == CLOSED and not (ok1 and ok2 and ok3):
        status = NO_ROTATION
    return status, gap


@kernel
def close_tight(
    plan: IntArray, k: int, rows: FloatArray, q: FloatArray
) -> tuple[int, float]:
    """Close a chain with one slide or hinge against one on a ball joint.

    Coordinates: slide or hinge, then (xz, xy). Segments: to the slide or hinge, from it
    to the end, to the ball joint, from it to the end.
    """
    R1, P1 = plan_pose(plan, k, 0, rows, q)
    _, a1 = plan_pose(plan, k, 1, rows, q)
    R2, P2 = plan_pose(plan, k, 2, rows, q)
    _, a2 = plan_pose(plan, k, 3, rows, q)
    branch = plan[k, PLAN_BRANCH]
    if plan[k, PLAN_KIND] == TIGHT_LEN:
        u = z_axis(R1)
        m = sub(add(P1, turn(R1, a1)), P2)
        value, status = line_and_sphere(m, u, norm(a2), branch)
        union = add(P2, add(m, scaled(value, u)))
    else:
        centre = turn_back(R1, sub(P2, P1))
        value, status = circle_and_sphere(a1, centre, norm(a2), branch)
        cosine, sine = math.cos(value), math.sin(value)
        x = cosine * a1[0] - sine * a1[1]
        y = sine * a1[0] + cosine * a1[1]
        union = add(P1, turn(R1, (x, y, a1[2])))
    c = PLAN_COORD
    q[plan[k, c]] = value
    end, is_possible = set_ball(R2, P2, a2, union, q, plan[k, c + 1], plan[k, c + 2])
    if status == CLOSED and not is_possible:
        status = NO_ROTATION
    return status, norm(sub(end, union))


@kernel
def close_pseudo(
    plan: IntArray, k: int, rows: FloatArray, q: FloatArray
) -> tuple[int, float]:
    """Close a chain that hangs loosely on the end of one without passive parts.

    Coordinates: (xz, xy) and the slide. Segments: to the first chain's end, to the ball
    joint, from it to the slide, from the slide to the end.
    """
    _, union = plan_pose(plan, k, 0, rows, q)
    R, P = plan_pose(plan, k, 1, rows, q)
    R_ball_slide, p_ball_slide = plan_pose(plan, k, 2, rows, q)
    _, p_slide_end = plan_pose(plan, k, 3, rows, q)
    a = add(p_ball_slide, turn(R_ball_slide, p_slide_end))
    u = z_axis(R_ball_slide)
    r = norm(sub(union, P))
    value, status = line_and_sphere(a, u, r, plan[k, PLAN_BRANCH])
    a = add(a, scaled(value, u))
    c = PLAN_COORD
    end, is_possible = set_ball(R, P, a, union, q, plan[k, c], plan[k, c + 1])
    q[plan[k, c + 2]] = value
    if status == CLOSED and not is_possible:
        status = NO_ROTATION
    return status, norm(sub(end, union))


@kernel
def close_pattern(
    plan: IntArray, k: int, rows: FloatArray, q: FloatArray
) -> tuple[int, float]:
    """Set the passive coordinates of pattern k in q; return (status, gap)."""
    kind = plan[k, PLAN_KIND]
    if kind == TRIPOD:
        return close_tripod(plan, k, rows, q)
    if kind == TIGHT_PSEUDO:
        return close_pseudo(plan, k, rows, q)
    return close_tight(plan, k, rows, q)


@kernel
def close_one(
    plan: IntArray, rows: FloatArray, q: FloatArray, status: IntArray, gap: FloatArray
) -> None:
    """Set the passive coordinates in q; write status and gap of each pattern."""
    for k in range(plan.shape[0]):
        status[k], gap[k] = close_pattern(plan, k, rows, q)


@kernel
def close_many(
    plan: IntArray, rows: FloatArray, q: FloatArray, status: IntArray, gap: FloatArray
) -> None:
    """Close each row of q."""
    for b in range(q.shape[0]):
        close_one(plan, rows, q[b], status[b], gap[b])
