"""Kernels for the normal equations of one observation: moments over twists, columns.

Whatever moves, a view sees only the twist between camera and target. So each point adds
to one small matrix per observation, over six twists and the unknowns of the lens, and
the columns of all parameters are combinations of its rows: the cost per point does not
depend on their number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gelenk.calibration.kernel import (
    BASIS,
    HEAD_BASIS,
    HEAD_LENS,
    NEAREST,
    TWISTS,
    lens_rows,
    lens_tuple,
    pixel_twists,
    see,
)
from gelenk.estimation.robust import loss_terms
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import add, sub, turn, turn_back, vec
from gelenk.typing import FloatArray, Mat3, Vec2, Vec3, Vec6

if TYPE_CHECKING:
    from gelenk.calibration.kernel import Unknowns, Views, Work
    from gelenk.calibration.tables import ProblemTables


@kernel
def rank_two(
    S: tuple[
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
    ],
    u: float,
    a: Vec6,
    v: float,
    b: Vec6,
) -> tuple[
    float,
    float,
    float,
    float,
    float,
    float,
    float,
    float,
    float,
    float,
    float,
    float,
    float,
    float,
    float,
    float,
    float,
    float,
    float,
    float,
    float,
]:
    """Return S + u a a^T + v b b^T, upper triangle of a 6 x 6 by rows."""
    u0, u1, u2, u3, u4, u5 = u * a[0], u * a[1], u * a[2], u * a[3], u * a[4], u * a[5]
    v0, v1, v2, v3, v4, v5 = v * b[0], v * b[1], v * b[2], v * b[3], v * b[4], v * b[5]
    return (
        S[0] + u0 * a[0] + v0 * b[0], S[1] + u0 * a[1] + v0 * b[1],
        S[2] + u0 * a[2] + v0 * b[2], S[3] + u0 * a[3] + v0 * b[3],
        S[4] + u0 * a[4] + v0 * b[4], S[5] + u0 * a[5] + v0 * b[5],
        S[6] + u1 * a[1] + v1 * b[1], S[7] + u1 * a[2] + v1 * b[2],
        S[8] + u1 * a[3] + v1 * b[3], S[9] + u1 * a[4] + v1 * b[4],
        S[10] + u1 * a[5] + v1 * b[5], S[11] + u2 * a[2] + v2 * b[2],
        S[12] + u2 * a[3] + v2 * b[3], S[13] + u2 * a[4] + v2 * b[4],
        S[14] + u2 * a[5] + v2 * b[5], S[15] + u3 * a[3] + v3 * b[3],
        S[16] + u3 * a[4] + v3 * b[4], S[17] + u3 * a[5] + v3 * b[5],
        S[18] + u4 * a[4] + v4 * b[4], S[19] + u4 * a[5] + v4 * b[5],
        S[20] + u5 * a[5] + v5 * b[5],
    )  # fmt: skip


@kernel
def combined(t: Vec6, u: float, a: Vec6, v: float, b: Vec6) -> Vec6:
    """Return t + u a + v b of vectors of six."""
    return (
        t[0] + u * a[0] + v * b[0], t[1] + u * a[1] + v * b[1],
        t[2] + u * a[2] + v * b[2], t[3] + u * a[3] + v * b[3],
        t[4] + u * a[4] + v * b[4], t[5] + u * a[5] + v * b[5],
    )  # fmt: skip


@kernel
def rigid_moments(
    lens: Mat3,
    R_c: Mat3,
    p_c: Vec3,
    R_t: Mat3,
    p_t: Vec3,
    first: int,
    last: int,
    point: FloatArray,
    pixel: FloatArray,
    law: tuple[int, float, float, float],
    out: FloatArray,
    terms: FloatArray,
) -> tuple[
    float,
    tuple[
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
        float,
    ],
    Vec6,
]:
    """Return cost, A = sum w G^T G and b = sum w G^T r over the six twists.

    law is (code, tuning, 1 / noise^2, boost). Residuals go to `out`; squared length,
    weight and slope of each point to `terms`.
    """
    code, tuning, per, boost = law
    zero = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    A = (
        0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
        0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    )  # fmt: skip
    t = zero
    cost = 0.0
    for i in range(first, last):
        p = add(p_t, turn(R_t, vec(point, i, 0)))
        pc = turn_back(R_c, sub(p, p_c))
        if not pc[2] > NEAREST:
            return np.inf, A, t
        uv, a, b = pixel_twists(lens, R_c, pc, p)
        ru, rv = uv[0] - pixel[i, 0], uv[1] - pixel[i, 1]
        out[i, 0], out[i, 1] = ru, rv
        u2 = (ru * ru + rv * rv) * per
        rho, weight, slope = loss_terms(code, tuning, u2)
        terms[i, 0], terms[i, 1], terms[i, 2] = u2, weight, slope
        cost += rho
        w = weight * per * boost
        A = rank_two(A, w, a, w, b)
        t = combined(t, w * ru, a, w * rv, b)
    return cost, A, t


@kernel
def lens_moments(
    lens: Mat3, focal: Vec2, R_c: Mat3, p_c: Vec3, R_t: Mat3, p_t: Vec3, first: int,
    last: int, point: FloatArray, pixel: FloatArray, law: tuple[int, float, float,
    float], out: FloatArray, terms: FloatArray, rows: FloatArray, A: FloatArray, t:
    FloatArray,
) -> float:  # fmt: skip
    """Write A and b as `rigid_moments`, with the lens in the basis; return the cost."""
    code, tuning, per, boost = law
    A[:, :] = 0.0
    t[:] = 0.0
    cost = 0.0
    for i in range(first, last):
        p = add(p_t, turn(R_t, vec(point, i, 0)))
        pc = turn_back(R_c, sub(p, p_c))
        if not pc[2] > NEAREST:
            return np.inf
        uv, a, b = pixel_twists(lens, R_c, pc, p)
        for k in range(TWISTS):
            rows[0, k], rows[1, k] = a[k], b[k]
        lens_rows(lens, focal[0], focal[1], pc[0] / pc[2], pc[1] / pc[2], rows)
        ru, rv = uv[0] - pixel[i, 0], uv[1] - pixel[i, 1]
        out[i, 0], out[i, 1] = ru, rv
        u2 = (ru * ru + rv * rv) * per
        rho, weight, slope = loss_terms(code, tuning, u2)
        terms[i, 0], terms[i, 1], terms[i, 2] = u2, weight, slope
        cost += rho
        w = weight * per * boost
        for k in range(BASIS):
            gu, gv = w * rows[0, k], w * rows[1, k]
            t[k] += gu * ru + gv * rv
            for j in range(k, BASIS):
                A[k, j] += gu * rows[0, j] + gv * rows[1, j]
    return cost


@kernel
def observation_moments(
    tables: ProblemTables,
    views: Views,
    X: Unknowns,
    work: Work,
    s: int,
    law: tuple[int, float, float, float],
    out: FloatArray,
    terms: FloatArray,
) -> float:
    """Write A and b of one observation over its basis; return its cost."""
    R_c, p_c, R_t, p_t = see(tables, views, X, s, work)
    r = views.route[s]
    lens = lens_tuple(work.lens)
    first, last = views.first[s], views.first[s + 1]
    trust = views.trust[s]
    law = (law[0], law[1], law[2], law[3] * trust)
    if tables.header[r, HEAD_BASIS] > TWISTS:
        camera = tables.header[r, HEAD_LENS]
        focal = (tables.lens[camera, 0], tables.lens[camera, 1])
        return trust * lens_moments(
            lens, focal, R_c, p_c, R_t, p_t, first, last, views.point, views.pixel, law,
            out, terms, work.rows, work.A, work.b,
        )  # fmt: skip
    cost, A, t = rigid_moments(
        lens, R_c, p_c, R_t, p_t, first, last, views.point, views.pixel, law, out, terms
    )
    k = 0
    for i in range(TWISTS):
        work.b[i] = t[i]
        for j in range(i, TWISTS):
            work.A[i, j] = A[k]
            k += 1
    return trust * cost


@kernel
def dot_six(a: FloatArray, i: int, b: FloatArray, j: int) -> float:
    """Return the product of the first six entries of rows i and j, added in pairs."""
    return (
        (a[i, 0] * b[j, 0] + a[i, 1] * b[j, 1])
        + (a[i, 2] * b[j, 2] + a[i, 3] * b[j, 3])
        + (a[i, 4] * b[j, 4] + a[i, 5] * b[j, 5])
    )


@kernel
def rigid_normal(
    A: FloatArray,
    b: FloatArray,
    C: FloatArray,
    M: FloatArray,
    H: FloatArray,
    g: FloatArray,
    count: int,
) -> None:
    """Write H = C A C^T and g = C b over the local columns, A by its upper half."""
    for k in range(TWISTS):
        for j in range(k):
            A[k, j] = A[j, k]
    for c in range(count):
        total = 0.0
        for k in range(TWISTS):
            total += C[c, k] * b[k]
            M[c, k] = dot_six(A, k, C, c)
        g[c] = total
    for c in range(count):
        for d in range(c + 1):
            total = dot_six(C, c, M, d)
            H[c, d] = total
            H[d, c] = total


@kernel
def lens_normal(
    A: FloatArray,
    b: FloatArray,
    C: FloatArray,
    M: FloatArray,
    H: FloatArray,
    g: FloatArray,
    count: int,
) -> None:
    """Write what `rigid_normal` writes, with the lens in the basis."""
    for k in range(BASIS):
        for j in range(k):
            A[k, j] = A[j, k]
    for c in range(count):
        total = 0.0
        for k in range(BASIS):
            total += C[c, k] * b[k]
            product = 0.0
            for j in range(BASIS):
                product += A[k, j] * C[c, j]
            M[c, k] = product
        g[c] = total
    for c in range(count):
        for d in range(c + 1):
            total = 0.0
            for k in range(BASIS):
                total += C[c, k] * M[d, k]
            H[c, d] = total
            H[d, c] = total
