"""The compiled pass over all sights: residuals, normal equations, exact derivatives.

Whatever moves, a view sees only the twist between camera and target. So each point adds
to one small matrix per sight, over six twists and the unknowns of the lens, and the
columns of all parameters are combinations of its rows: the cost per point does not
depend on their number. Reading errors are unknowns of a sight or of a group of sights
and are eliminated on the way.

Residuals are prediction - observation. All twists are in axes of the root link, at its
origin.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gelenk.core.calibration.tables import (
    BASIS,
    HEAD_BASIS,
    HEAD_CAMERA,
    HEAD_CAMERA_MOVES,
    HEAD_EFFECT,
    HEAD_EFFECTS,
    HEAD_EYE,
    HEAD_TARGET,
    HEAD_TARGET_MOVES,
    TWISTS,
)
from gelenk.core.estimation.robust import loss_terms
from gelenk.core.kernels.compile import kernel
from gelenk.core.kernels.tuples import (
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
from gelenk.core.typing import FloatArray, IntArray

NEAREST = 1e-6  # [m]; points closer than this to the camera's plane are not seen
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


class Views(NamedTuple):
    """All sights as arrays, sorted by group.

    route, group (S,); q (S, nq); first (S + 1,): of its points; point (N, 3) [m];
    pixel (N, 2); load (S, L); slot (G, shared): where a group keeps a reading error,
    -1 if nothing of it shows; size (G,): how many it keeps.
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


class Unknowns(NamedTuple):
    """Values: parameters (P,), reading errors of groups (G, d) and of sights (S, e)."""

    x: FloatArray
    shared: FloatArray
    single: FloatArray


class Prior(NamedTuple):
    """1 / sigma^2 of the reading errors, shared and single."""

    shared: FloatArray
    single: FloatArray


class Work(NamedTuple):
    """Room for one sight and one group; see `make_work`."""

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
    """What back-substitution needs: blocks of the reading errors.

    Of a group: K (G, d, d) its own block, factored; B (G, d, P) against parameters;
    h (G, d). Of a sight: k (S, e, e), b (S, e, P + d), g (S, e).
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
def unknown(X, V, s, number):
    """Return the value of an unknown for sight s: parameter or reading error."""
    count = X.x.shape[0]
    if number < count:
        return X.x[number]
    number -= count
    if number < V.slot.shape[1]:
        g = V.group[s]
        return X.shared[g, V.slot[g, number]]
    return X.single[s, number - V.slot.shape[1]]


@kernel
def set_moves(T, V, X, W, s):
    """Write the values of all moves of sight s, and its lens."""
    head = T.header[V.route[s]]
    moves = head[HEAD_CAMERA_MOVES]
    for i in range(moves + head[HEAD_TARGET_MOVES]):
        row = head[HEAD_CAMERA] + i
        if i >= moves:
            row = head[HEAD_TARGET] + i - moves
        index = int(T.chain[row, 13])
        W.value[i] = T.chain[row, 15]
        if index >= 0:
            W.value[i] += T.chain[row, 14] * V.q[s, index]
    for k in range(9):
        W.lens[k] = T.lens[head[HEAD_EYE], k]
    for e in range(head[HEAD_EFFECT], head[HEAD_EFFECT] + head[HEAD_EFFECTS]):
        factor = T.factor[e]
        if T.place[e, 2] >= 0:
            factor *= V.load[s, T.place[e, 2]]
        change = factor * unknown(X, V, s, T.place[e, 3])
        place = T.place[e, 0]
        if place >= 0:
            W.value[place] += change
        elif place == -1:
            W.lens[0] += change * T.lens[head[HEAD_EYE], 0]
            W.lens[1] += change * T.lens[head[HEAD_EYE], 1]
        else:
            W.lens[-place] += change


@kernel
def walk(chain, first, moves, W, start, sign):
    """Return the pose at the end of a chain; write the twist of each of its moves."""
    R, p = IDENTITY, (0.0, 0.0, 0.0)
    for i in range(moves):
        row = first + i
        value = W.value[start + i]
        p = add(p, turn(R, vec(chain, row, 9)))
        if chain[row, 12] != 0.0:
            R = chained(R, turned_about_z(rot(chain, row, 0), value))
            z = z_axis(R)
            v, omega = cross(p, z), z
        else:
            R = chained(R, rot(chain, row, 0))
            v, omega = z_axis(R), (0.0, 0.0, 0.0)
            p = add(p, scaled(value, v))
        for c in range(3):
            W.twist[start + i, c] = sign * v[c]
            W.twist[start + i, 3 + c] = sign * omega[c]
    row = first + moves
    return chained(R, rot(chain, row, 0)), add(p, turn(R, vec(chain, row, 9)))


@kernel
def poses(T, V, X, W, s):
    """Return the poses of camera and target in the root for sight s."""
    set_moves(T, V, X, W, s)
    head = T.header[V.route[s]]
    moves = head[HEAD_CAMERA_MOVES]
    R_c, p_c = walk(T.chain, head[HEAD_CAMERA], moves, W, 0, -1.0)
    R_t, p_t = walk(T.chain, head[HEAD_TARGET], head[HEAD_TARGET_MOVES], W, moves, 1.0)
    return R_c, p_c, R_t, p_t


@kernel
def distorted(lens, x, y):
    """Return the point at unit distance after the lens."""
    r2 = x * x + y * y
    radial = 1.0 + r2 * (lens[4] + r2 * (lens[5] + r2 * lens[8]))
    return (
        x * radial + 2.0 * lens[6] * x * y + lens[7] * (r2 + 2.0 * x * x),
        y * radial + lens[6] * (r2 + 2.0 * y * y) + 2.0 * lens[7] * x * y,
    )


@kernel
def pixel_rows(lens, R_c, pc, p, basis, rows):
    """Return the pixel of a point, and write its derivatives by twist and lens.

    pc is the point in camera axes, p in axes of the root.
    """
    iz = 1.0 / pc[2]
    x, y = pc[0] * iz, pc[1] * iz
    xd, yd = distorted(lens, x, y)
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
    for c in range(3):
        rows[0, c], rows[1, c] = mu[c], mv[c]
        rows[0, 3 + c], rows[1, 3 + c] = hu[c], hv[c]
    if basis > TWISTS:
        fx, fy = lens[0], lens[1]
        rows[0, 6], rows[1, 6] = xd, yd  # times the nominal focal length, see columns
        rows[0, 7], rows[1, 7] = 1.0, 0.0
        rows[0, 8], rows[1, 8] = 0.0, 1.0
        rows[0, 9], rows[1, 9] = fx * x * r2, fy * y * r2
        rows[0, 10], rows[1, 10] = fx * x * r2 * r2, fy * y * r2 * r2
        rows[0, 11], rows[1, 11] = fx * 2.0 * x * y, fy * (r2 + 2.0 * y * y)
        rows[0, 12], rows[1, 12] = fx * (r2 + 2.0 * x * x), fy * 2.0 * x * y
        rows[0, 13], rows[1, 13] = fx * x * r2 * r2 * r2, fy * y * r2 * r2 * r2
    return lens[0] * xd + lens[2], lens[1] * yd + lens[3]


@kernel
def columns(T, V, W, s):
    """Write each local column as a combination of the basis; return their number."""
    r = V.route[s]
    head = T.header[r]
    count = T.counts[r, 0] + T.counts[r, 1] + T.counts[r, 2]
    basis = head[HEAD_BASIS]
    for c in range(count):
        for k in range(basis):
            W.C[c, k] = 0.0
    for e in range(head[HEAD_EFFECT], head[HEAD_EFFECT] + head[HEAD_EFFECTS]):
        factor = T.factor[e]
        if T.place[e, 2] >= 0:
            factor *= V.load[s, T.place[e, 2]]
        place, c = T.place[e, 0], T.place[e, 1]
        if place >= 0:
            for k in range(TWISTS):
                W.C[c, k] += factor * W.twist[place, k]
        else:
            W.C[c, TWISTS - 1 - place] += factor
    return count


@kernel
def predict_all(T, V, X, W, out):
    """Write the predicted pixel of every point; NaN if it is not before the camera."""
    for s in range(V.route.shape[0]):
        R_c, p_c, R_t, p_t = poses(T, V, X, W, s)
        lens = W.lens
        for i in range(V.first[s], V.first[s + 1]):
            p = add(p_t, turn(R_t, vec(V.point, i, 0)))
            pc = turn_back(R_c, sub(p, p_c))
            if pc[2] > NEAREST:
                xd, yd = distorted(lens, pc[0] / pc[2], pc[1] / pc[2])
                out[i, 0] = lens[0] * xd + lens[2]
                out[i, 1] = lens[1] * yd + lens[3]
            else:
                out[i, 0] = np.nan
                out[i, 1] = np.nan


@kernel
def jacobian_all(T, V, X, W, out, J):
    """Write predicted pixels and their derivatives by the parameters, J (2 N, P)."""
    for s in range(V.route.shape[0]):
        R_c, p_c, R_t, p_t = poses(T, V, X, W, s)
        columns(T, V, W, s)
        r = V.route[s]
        head = T.header[r]
        basis = head[HEAD_BASIS]
        for i in range(V.first[s], V.first[s + 1]):
            p = add(p_t, turn(R_t, vec(V.point, i, 0)))
            pc = turn_back(R_c, sub(p, p_c))
            u, v = pixel_rows(W.lens, R_c, pc, p, basis, W.rows)
            out[i, 0], out[i, 1] = u, v
            scale_focal(T, head, W.rows, basis)
            for c in range(T.counts[r, 0]):
                du, dv = 0.0, 0.0
                for k in range(basis):
                    du += W.C[c, k] * W.rows[0, k]
                    dv += W.C[c, k] * W.rows[1, k]
                J[2 * i, T.columns[r, c]] = du
                J[2 * i + 1, T.columns[r, c]] = dv


@kernel
def scale_focal(T, head, rows, basis):
    """Turn the derivative by pixels of focal length into one by its relative error."""
    if basis > TWISTS:
        rows[0, 6] *= T.lens[head[HEAD_EYE], 0]
        rows[1, 6] *= T.lens[head[HEAD_EYE], 1]


@kernel
def sight_moments(T, V, X, W, s, code, tuning, noise, boost, out, terms):
    """Gather A = sum w G^T G and b = sum w G^T r of one sight; return its cost.

    Residuals go to `out`, squared length, weight and slope of each point to `terms`.
    """
    R_c, p_c, R_t, p_t = poses(T, V, X, W, s)
    head = T.header[V.route[s]]
    basis = head[HEAD_BASIS]
    A, b, rows = W.A, W.b, W.rows
    for k in range(basis):
        b[k] = 0.0
        for j in range(basis):
            A[k, j] = 0.0
    cost = 0.0
    per = 1.0 / (noise * noise)
    for i in range(V.first[s], V.first[s + 1]):
        p = add(p_t, turn(R_t, vec(V.point, i, 0)))
        pc = turn_back(R_c, sub(p, p_c))
        if not pc[2] > NEAREST:
            return np.inf
        u, v = pixel_rows(W.lens, R_c, pc, p, basis, rows)
        ru, rv = u - V.pixel[i, 0], v - V.pixel[i, 1]
        out[i, 0], out[i, 1] = ru, rv
        u2 = (ru * ru + rv * rv) * per
        rho, weight, slope = loss_terms(code, tuning, u2)
        terms[i, 0], terms[i, 1], terms[i, 2] = u2, weight, slope
        cost += rho
        w = weight * per * boost
        if w == 0.0:
            continue
        scale_focal(T, head, rows, basis)
        for k in range(basis):
            gu, gv = w * rows[0, k], w * rows[1, k]
            b[k] += gu * ru + gv * rv
            for j in range(k, basis):
                A[k, j] += gu * rows[0, j] + gv * rows[1, j]
    return cost


@kernel
def sight_normal(T, V, W, s):
    """Write H = C A C^T and g = C b over the local columns; return their number."""
    count = columns(T, V, W, s)
    basis = T.header[V.route[s], HEAD_BASIS]
    A, C, M = W.A, W.C, W.M
    for k in range(basis):
        for j in range(k):
            A[k, j] = A[j, k]
    for c in range(count):
        total = 0.0
        for k in range(basis):
            total += C[c, k] * W.b[k]
            product = 0.0
            for j in range(basis):
                product += A[k, j] * C[c, j]
            M[c, k] = product
        W.g[c] = total
    for c in range(count):
        for d in range(c + 1):
            total = 0.0
            for k in range(basis):
                total += C[c, k] * M[d, k]
            W.H[c, d] = total
            W.H[d, c] = total
    return count
