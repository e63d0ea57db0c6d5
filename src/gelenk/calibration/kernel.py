"""Kernels of the pass over all observations: predictions and exact derivatives.

Moves of the camera and of the target are twists in axes of the root link, at its
origin; those of the camera count negative. `moments` makes normal equations of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import (
    add,
    chained,
    cross,
    rot,
    scaled,
    sub,
    turn,
    turn_back,
    turned_about_z,
    vec,
    z_axis,
)
from gelenk.typing import FloatArray, IntArray, Mat3, Vec2, Vec3, Vec6

if TYPE_CHECKING:
    from gelenk.calibration.tables import ProblemTables


# Columns of a chain row; the layout of `kinematics.chain`, index -1: no joint reads.
ROW_R, ROW_P, ROW_TURNS, ROW_INDEX, ROW_SCALE, ROW_OFFSET = 0, 9, 12, 13, 14, 15
ROW_COLS = 16
# Columns of a header row.
HEAD_CAMERA, HEAD_CAMERA_MOVES, HEAD_TARGET, HEAD_TARGET_MOVES = 0, 1, 2, 3
HEAD_EFFECT, HEAD_EFFECTS, HEAD_LENS, HEAD_BASIS = 4, 5, 6, 7
TWISTS = 6  # the basis of a rigid view: twists of the camera against the target
BASIS = 14  # and of a lens: focal, cx, cy, k1, k2, p1, p2, k3


NEAREST = 1e-6  # [m]; points closer than this to the camera's plane are not seen
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


class Views(NamedTuple):
    """All observations as arrays, sorted by group.

    route, group (S,); q (S, nq); first (S + 1,): of its points; point (N, 3) [m];
    pixel (N, 2); load (S, L); slot (G, shared): where a group keeps a reading error,
    -1 if nothing of it shows; size (G,): how many it keeps; trust (S,): 0 where a drive
    hangs loose in its gap, else 1.
    """

    route: IntArray
    group: IntArray
    q: FloatArray
    first: IntArray
    point: FloatArray
    pixel: FloatArray
    load: FloatArray
    slot: IntArray
    size: IntArray
    trust: FloatArray


class Unknowns(NamedTuple):
    """Parameters (P,), reading errors of groups (G, d) and of observations (S, e)."""

    x: FloatArray
    shared: FloatArray
    single: FloatArray


class Prior(NamedTuple):
    """1 / sigma^2 of the reading errors, shared and single."""

    shared: FloatArray
    single: FloatArray


class Work(NamedTuple):
    """Room for one observation and one group; see `make_work`."""

    value: FloatArray
    twist: FloatArray
    lens: FloatArray
    rows: FloatArray
    A: FloatArray
    b: FloatArray
    C: FloatArray
    M: FloatArray
    H: FloatArray
    g: FloatArray
    F: FloatArray
    f: FloatArray


class Eliminated(NamedTuple):
    """Blocks of the reading errors for back-substitution.

    Of a group: K (G, d, d) its own block, factored; B (G, d, P) against parameters;
    h (G, d). Of an observation: k (S, e, e), b (S, e, P + d), g (S, e).
    """

    K: FloatArray
    B: FloatArray
    h: FloatArray
    k: FloatArray
    b: FloatArray
    g: FloatArray


def make_work(moves: int, columns: int, parameters: int, slots: int) -> Work:
    """Return room for the largest route and group."""
    n = parameters + slots
    return Work(
        value=np.empty(moves),
        twist=np.empty((moves, 6)),
        lens=np.empty(9),
        rows=np.empty((2, BASIS)),
        A=np.empty((BASIS, BASIS)),
        b=np.empty(BASIS),
        C=np.empty((columns, BASIS)),
        M=np.empty((columns, BASIS)),
        H=np.empty((columns, columns)),
        g=np.empty(columns),
        F=np.empty((n, n)),
        f=np.empty(n),
    )


@kernel
def set_moves(
    tables: ProblemTables,
    views: Views,
    X: Unknowns,
    s: int,
    value: FloatArray,
    lens: FloatArray,
) -> None:
    """Write the values of all moves of observation s, and its lens."""
    chain, header, place = tables.chain, tables.header, tables.place
    r, g = views.route[s], views.group[s]
    q, load, slot = views.q, views.load, views.slot
    moves = header[r, HEAD_CAMERA_MOVES]
    for i in range(moves + header[r, HEAD_TARGET_MOVES]):
        row = header[r, HEAD_CAMERA] + i
        if i >= moves:
            row = header[r, HEAD_TARGET] + i - moves
        index = int(chain[row, 13])
        value[i] = chain[row, 15]
        if index >= 0:
            value[i] += chain[row, 14] * q[s, index]
    camera = header[r, HEAD_LENS]
    for k in range(9):
        lens[k] = tables.lens[camera, k]
    count, shared = X.x.shape[0], slot.shape[1]
    first = header[r, HEAD_EFFECT]
    for e in range(first, first + header[r, HEAD_EFFECTS]):
        number = place[e, 3]
        if number < count:
            change = X.x[number]
        elif number < count + shared:
            change = X.shared[g, slot[g, number - count]]
        else:
            change = X.single[s, number - count - shared]
        change *= tables.factor[e]
        if place[e, 2] >= 0:
            change *= load[s, place[e, 2]]
        if place[e, 0] >= 0:
            value[place[e, 0]] += change
        elif place[e, 0] == -1:
            lens[0] += change * tables.lens[camera, 0]
            lens[1] += change * tables.lens[camera, 1]
        else:
            lens[-place[e, 0]] += change


@kernel
def walk(
    chain: FloatArray, first: int, moves: int, value: FloatArray, start: int
) -> tuple[Mat3, Vec3]:
    """Return the pose at the end of a chain."""
    R, p = IDENTITY, (0.0, 0.0, 0.0)
    for i in range(moves):
        row = first + i
        p = add(p, turn(R, vec(chain, row, 9)))
        if chain[row, 12] != 0.0:
            R = chained(R, turned_about_z(rot(chain, row, 0), value[start + i]))
        else:
            R = chained(R, rot(chain, row, 0))
            p = add(p, scaled(value[start + i], z_axis(R)))
    row = first + moves
    return chained(R, rot(chain, row, 0)), add(p, turn(R, vec(chain, row, 9)))


@kernel
def walk_twists(
    chain: FloatArray,
    first: int,
    moves: int,
    value: FloatArray,
    start: int,
    sign: float,
    twist: FloatArray,
) -> tuple[Mat3, Vec3]:
    """Return the pose at the end of a chain; write the twist of each of its moves."""
    R, p = IDENTITY, (0.0, 0.0, 0.0)
    for i in range(moves):
        row = first + i
        p = add(p, turn(R, vec(chain, row, 9)))
        if chain[row, 12] != 0.0:
            R = chained(R, turned_about_z(rot(chain, row, 0), value[start + i]))
            z = z_axis(R)
            v, omega = cross(p, z), z
        else:
            R = chained(R, rot(chain, row, 0))
            v, omega = z_axis(R), (0.0, 0.0, 0.0)
            p = add(p, scaled(value[start + i], v))
        for c in range(3):
            twist[start + i, c] = sign * v[c]
            twist[start + i, 3 + c] = sign * omega[c]
    row = first + moves
    return chained(R, rot(chain, row, 0)), add(p, turn(R, vec(chain, row, 9)))


@kernel
def distorted(lens: Mat3, x: float, y: float) -> Vec2:
    """Return the point at unit distance after the lens."""
    r2 = x * x + y * y
    radial = 1.0 + r2 * (lens[4] + r2 * (lens[5] + r2 * lens[8]))
    return (
        x * radial + 2.0 * lens[6] * x * y + lens[7] * (r2 + 2.0 * x * x),
        y * radial + lens[6] * (r2 + 2.0 * y * y) + 2.0 * lens[7] * x * y,
    )


@kernel
def lens_tuple(lens: FloatArray) -> Mat3:
    """Return fx, fy, cx, cy, k1, k2, p1, p2, k3 as a tuple."""
    return (
        lens[0], lens[1], lens[2], lens[3], lens[4], lens[5], lens[6], lens[7], lens[8]
    )  # fmt: skip


@kernel
def pixel_twists(lens: Mat3, R_c: Mat3, pc: Vec3, p: Vec3) -> tuple[Vec2, Vec6, Vec6]:
    """Return the pixel of a point and its derivatives by a twist, for u and for v.

    pc is the point in camera axes, p in axes of the root.
    """
    iz = 1.0 / pc[2]
    x, y = pc[0] * iz, pc[1] * iz
    r2 = x * x + y * y
    k1, k2, p1, p2, k3 = lens[4], lens[5], lens[6], lens[7], lens[8]
    radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
    slope = 2.0 * (k1 + r2 * (2.0 * k2 + r2 * 3.0 * k3))
    xx = radial + slope * x * x + 2.0 * p1 * y + 6.0 * p2 * x
    yy = radial + slope * y * y + 6.0 * p1 * y + 2.0 * p2 * x
    xy = slope * x * y + 2.0 * p1 * x + 2.0 * p2 * y
    fu, fv = lens[0] * iz, lens[1] * iz
    mu = turn(R_c, (fu * xx, fu * xy, -fu * (xx * x + xy * y)))
    mv = turn(R_c, (fv * xy, fv * yy, -fv * (xy * x + yy * y)))
    hu, hv = cross(p, mu), cross(p, mv)
    xd, yd = distorted(lens, x, y)
    return (
        (lens[0] * xd + lens[2], lens[1] * yd + lens[3]),
        (mu[0], mu[1], mu[2], hu[0], hu[1], hu[2]),
        (mv[0], mv[1], mv[2], hv[0], hv[1], hv[2]),
    )


@kernel
def lens_rows(
    lens: Mat3, fx: float, fy: float, x: float, y: float, rows: FloatArray
) -> None:
    """Write the derivatives of a pixel by relative focal length, centre, distortion.

    fx and fy are the nominal focal lengths.
    """
    xd, yd = distorted(lens, x, y)
    r2 = x * x + y * y
    u, v = lens[0], lens[1]
    rows[0, 6], rows[1, 6] = fx * xd, fy * yd
    rows[0, 7], rows[1, 7] = 1.0, 0.0
    rows[0, 8], rows[1, 8] = 0.0, 1.0
    rows[0, 9], rows[1, 9] = u * x * r2, v * y * r2
    rows[0, 10], rows[1, 10] = u * x * r2 * r2, v * y * r2 * r2
    rows[0, 11], rows[1, 11] = u * 2.0 * x * y, v * (r2 + 2.0 * y * y)
    rows[0, 12], rows[1, 12] = u * (r2 + 2.0 * x * x), v * 2.0 * x * y
    rows[0, 13], rows[1, 13] = u * x * r2 * r2 * r2, v * y * r2 * r2 * r2


@kernel
def set_columns(
    tables: ProblemTables,
    load: FloatArray,
    s: int,
    r: int,
    twist: FloatArray,
    C: FloatArray,
) -> int:
    """Write each local column as a combination of the basis; return their number."""
    header, place = tables.header, tables.place
    count = tables.counts[r, 0] + tables.counts[r, 1] + tables.counts[r, 2]
    for c in range(count):
        for k in range(header[r, HEAD_BASIS]):
            C[c, k] = 0.0
    first = header[r, HEAD_EFFECT]
    for e in range(first, first + header[r, HEAD_EFFECTS]):
        factor = tables.factor[e]
        if place[e, 2] >= 0:
            factor *= load[s, place[e, 2]]
        move, c = place[e, 0], place[e, 1]
        if move >= 0:
            for k in range(TWISTS):
                C[c, k] += factor * twist[move, k]
        else:
            C[c, TWISTS - 1 - move] += factor
    return count


@kernel
def predict_all(
    tables: ProblemTables, views: Views, X: Unknowns, work: Work, out: FloatArray
) -> None:
    """Write the predicted pixel of every point; NaN if it is not before the camera."""
    chain, header = tables.chain, tables.header
    first, point, value = views.first, views.point, work.value
    for s in range(views.route.shape[0]):
        set_moves(tables, views, X, s, value, work.lens)
        r = views.route[s]
        moves = header[r, HEAD_CAMERA_MOVES]
        R_c, p_c = walk(chain, header[r, HEAD_CAMERA], moves, value, 0)
        R_t, p_t = walk(
            chain, header[r, HEAD_TARGET], header[r, HEAD_TARGET_MOVES], value, moves
        )
        lens = lens_tuple(work.lens)
        for i in range(first[s], first[s + 1]):
            p = add(p_t, turn(R_t, vec(point, i, 0)))
            pc = turn_back(R_c, sub(p, p_c))
            out[i, 0] = np.nan
            out[i, 1] = np.nan
            if pc[2] > NEAREST:
                iz = 1.0 / pc[2]
                xd, yd = distorted(lens, pc[0] * iz, pc[1] * iz)
                out[i, 0] = lens[0] * xd + lens[2]
                out[i, 1] = lens[1] * yd + lens[3]


@kernel
def see(
    tables: ProblemTables, views: Views, X: Unknowns, s: int, work: Work
) -> tuple[Mat3, Vec3, Mat3, Vec3]:
    """Return the poses of camera and target in the root; write moves and twists."""
    header = tables.header
    r = views.route[s]
    set_moves(tables, views, X, s, work.value, work.lens)
    moves = header[r, HEAD_CAMERA_MOVES]
    R_c, p_c = walk_twists(
        tables.chain, header[r, HEAD_CAMERA], moves, work.value, 0, -1.0, work.twist
    )
    R_t, p_t = walk_twists(
        tables.chain,
        header[r, HEAD_TARGET],
        header[r, HEAD_TARGET_MOVES],
        work.value,
        moves,
        1.0,
        work.twist,
    )
    return R_c, p_c, R_t, p_t


@kernel
def jacobian_all(
    tables: ProblemTables,
    views: Views,
    X: Unknowns,
    work: Work,
    out: FloatArray,
    J: FloatArray,
) -> None:
    """Write predicted pixels and their derivatives by the parameters, J (2 N, P)."""
    header, rows, C = tables.header, work.rows, work.C
    for s in range(views.route.shape[0]):
        R_c, p_c, R_t, p_t = see(tables, views, X, s, work)
        r = views.route[s]
        set_columns(tables, views.load, s, r, work.twist, C)
        basis, camera = header[r, HEAD_BASIS], header[r, HEAD_LENS]
        lens = lens_tuple(work.lens)
        for i in range(views.first[s], views.first[s + 1]):
            p = add(p_t, turn(R_t, vec(views.point, i, 0)))
            pc = turn_back(R_c, sub(p, p_c))
            uv, a, b = pixel_twists(lens, R_c, pc, p)
            out[i, 0], out[i, 1] = uv
            for k in range(TWISTS):
                rows[0, k], rows[1, k] = a[k], b[k]
            if basis > TWISTS:
                fx, fy = tables.lens[camera, 0], tables.lens[camera, 1]
                lens_rows(lens, fx, fy, pc[0] / pc[2], pc[1] / pc[2], rows)
            for c in range(tables.counts[r, 0]):
                du, dv = 0.0, 0.0
                for k in range(basis):
                    du += C[c, k] * rows[0, k]
                    dv += C[c, k] * rows[1, k]
                J[2 * i, tables.columns[r, c]] = du
                J[2 * i + 1, tables.columns[r, c]] = dv
