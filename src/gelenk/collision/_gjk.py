"""Distance of two convex cores by the method of Gilbert, Johnson and Keerthi (1988).

The point of the difference A - B that is nearest to the origin is found by simplices of
its support points. Points nearest to the origin are computed from the projection onto
the plane of a triangle, which keeps its precision for small triangles far away.
"""

from __future__ import annotations

import math

from gelenk.collision._support import support
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import add, cross, dot, scaled, sub, turn, turn_back, vec
from gelenk.typing import FloatArray, IntArray, Mat3, Vec3

APART, NEAR, OVERLAP = 0, 1, 2

MOST_STEPS = 200
GAP_TOL = 1e-12  # relative gap between the bounds of a distance
ROUNDING = 1e-15  # relative error of a support point, in units of its length
SIGN_TOL = 1e-14  # relative error that the sign of a volume must exceed
FLAT = 1e-26  # squared sine below which a triangle is a line

# Columns of a simplex: point of the difference, of A, of B, weight; a row a vertex.
W, ON_A, ON_B, WEIGHT = 0, 3, 6, 9
SIMPLEX_COLS = 10


@kernel
def _on_segment(a: Vec3, b: Vec3) -> tuple[Vec3, float]:
    """Return the point of a segment nearest to the origin, and its share of b."""
    ab = sub(b, a)
    length = dot(ab, ab)
    if not length > 0.0:
        return a, 0.0
    t = -dot(a, ab) / length
    if t <= 0.0:
        return a, 0.0
    if t >= 1.0:
        return b, 1.0
    return add(a, scaled(t, ab)), t


@kernel
def _on_triangle(a: Vec3, b: Vec3, c: Vec3) -> tuple[Vec3, Vec3]:
    """Return the point of a triangle nearest to the origin, and its weights."""
    ab, ac = sub(b, a), sub(c, a)
    n = cross(ab, ac)
    n2 = dot(n, n)
    if n2 > FLAT * dot(ab, ab) * dot(ac, ac):
        foot = scaled(dot(a, n) / n2, n)
        pa, pb, pc = sub(a, foot), sub(b, foot), sub(c, foot)
        u, v, w = dot(n, cross(pb, pc)), dot(n, cross(pc, pa)), dot(n, cross(pa, pb))
        if u >= 0.0 and v >= 0.0 and w >= 0.0:
            total = 1.0 / (u + v + w)
            return foot, (u * total, v * total, w * total)
    # All edges: of a thin triangle the signs above may be wrong.
    point, t = _on_segment(a, b)
    best, weights = dot(point, point), (1.0 - t, t, 0.0)
    p, t = _on_segment(a, c)
    square = dot(p, p)
    if square < best:
        best, point, weights = square, p, (1.0 - t, 0.0, t)
    p, t = _on_segment(b, c)
    square = dot(p, p)
    if square < best:
        best, point, weights = square, p, (0.0, 1.0 - t, t)
    return point, weights


@kernel
def _keep(S: FloatArray, n: int) -> int:
    """Drop the vertices without weight; return how many stay."""
    kept = 0
    for k in range(n):
        if S[k, WEIGHT] > 0.0:
            if k != kept:
                for c in range(SIMPLEX_COLS):
                    S[kept, c] = S[k, c]
            kept += 1
    return kept


@kernel
def _is_beyond(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> bool:
    """Return whether the origin and d may lie on different sides of the plane a, b, c.

    What rounding leaves open counts: a thin tetrahedron has no inside.
    """
    ab, ac, ad = sub(b, a), sub(c, a), sub(d, a)
    n = cross(ab, ac)
    here, there = -dot(n, a), dot(n, ad)
    area = SIGN_TOL * SIGN_TOL * dot(ab, ab) * dot(ac, ac)
    if there * there <= area * dot(ad, ad) or here * here <= area * dot(a, a):
        return True
    return here * there < 0.0


@kernel
def _on_tetrahedron(S: FloatArray, is_outside: bool) -> tuple[bool, Vec3]:
    """Return whether the origin is inside, else the nearest point; set weights.

    `is_outside`: the origin is known to be outside.
    """
    a, b, c, d = vec(S, 0, W), vec(S, 1, W), vec(S, 2, W), vec(S, 3, W)
    best, point = math.inf, a
    k0 = k1 = k2 = 0
    weights = (1.0, 0.0, 0.0)
    if is_outside or _is_beyond(a, b, d, c):
        p, shares = _on_triangle(a, b, d)
        square = dot(p, p)
        if square < best:
            best, point, weights, k0, k1, k2 = square, p, shares, 0, 1, 3
    if is_outside or _is_beyond(a, c, d, b):
        p, shares = _on_triangle(a, c, d)
        square = dot(p, p)
        if square < best:
            best, point, weights, k0, k1, k2 = square, p, shares, 0, 2, 3
    if is_outside or _is_beyond(b, c, d, a):
        p, shares = _on_triangle(b, c, d)
        square = dot(p, p)
        if square < best:
            best, point, weights, k0, k1, k2 = square, p, shares, 1, 2, 3
    if is_outside or _is_beyond(a, b, c, d):
        p, shares = _on_triangle(a, b, c)
        square = dot(p, p)
        if square < best:
            best, point, weights, k0, k1, k2 = square, p, shares, 0, 1, 2
    if best == math.inf:
        return True, (0.0, 0.0, 0.0)
    for k in range(4):
        S[k, WEIGHT] = 0.0
    S[k0, WEIGHT], S[k1, WEIGHT], S[k2, WEIGHT] = weights
    return False, point


@kernel
def _nearest(S: FloatArray, n: int, is_outside: bool) -> tuple[int, Vec3]:
    """Return the number of vertices that the nearest point needs, and that point.

    4 vertices: the origin is inside. `is_outside`: it is known that it is not.
    """
    if n == 1:
        S[0, WEIGHT] = 1.0
        return 1, vec(S, 0, W)
    if n == 2:
        point, t = _on_segment(vec(S, 0, W), vec(S, 1, W))
        S[0, WEIGHT], S[1, WEIGHT] = 1.0 - t, t
    elif n == 3:
        point, shares = _on_triangle(vec(S, 0, W), vec(S, 1, W), vec(S, 2, W))
        S[0, WEIGHT], S[1, WEIGHT], S[2, WEIGHT] = shares
    else:
        is_inside, point = _on_tetrahedron(S, is_outside)
        if is_inside:
            return 4, point
    return _keep(S, n), point


@kernel
def put_support(
    data: FloatArray,
    index: IntArray,
    i: int,
    j: int,
    R: Mat3,
    p: Vec3,
    d: Vec3,
    S: FloatArray,
    row: int,
) -> Vec3:
    """Write the support point of A - B along d into a row; return it."""
    a = support(data, index, i, d)
    back = turn_back(R, d)
    b = support(data, index, j, (-back[0], -back[1], -back[2]))
    b = add(turn(R, b), p)
    w = sub(a, b)
    S[row, W], S[row, W + 1], S[row, W + 2] = w
    S[row, ON_A], S[row, ON_A + 1], S[row, ON_A + 2] = a
    S[row, ON_B], S[row, ON_B + 1], S[row, ON_B + 2] = b
    return w


@kernel
def core_distance(
    data: FloatArray,
    index: IntArray,
    i: int,
    j: int,
    R: Mat3,
    p: Vec3,
    near: float,
    far: float,
    S: FloatArray,
) -> tuple[int, int, Vec3, float]:
    """Return how two cores lie to each other.

    Args:
        data: Shapes, see `_support`.
        index: Whole numbers of the shapes.
        i: Number of shape A.
        j: Number of shape B.
        R: Rotation of B in the frame of A.
        p: Position of B in the frame of A [m].
        near: Distance at which the search may stop, they are taken to overlap [m].
        far: Distance beyond which the search may stop, they are taken apart [m].
        S: Room for simplices, the last simplex on return, shape (8, SIMPLEX_COLS).

    Returns:
        APART, NEAR or OVERLAP; number of vertices of the simplex; nearest point of
        A - B; lower bound of the distance [m].
    """
    v = (-p[0], -p[1], -p[2])
    if dot(v, v) == 0.0:
        v = (1.0, 0.0, 0.0)
    n, square, scale, lower = 0, math.inf, 0.0, 0.0
    is_first, n_old = True, 0
    for _ in range(MOST_STEPS):
        d = (-v[0], -v[1], -v[2])
        w = put_support(data, index, i, j, R, p, d, S, n)
        scale = max(scale, dot(w, w))
        length = math.sqrt(dot(v, v))
        reach = dot(v, w)
        lower = max(lower, reach / length)
        if lower > far:
            return APART, n, v, lower
        if not is_first:
            gap = square - reach
            if gap <= GAP_TOL * square + ROUNDING * length * math.sqrt(scale):
                return NEAR, n, v, lower
            for k in range(n):
                if w[0] == S[k, W] and w[1] == S[k, W + 1] and w[2] == S[k, W + 2]:
                    return NEAR, n, v, lower
            if gap < 1e-3 * square:  # so near the end a step may be lost to rounding
                for k in range(n):
                    for c in range(SIMPLEX_COLS):
                        S[4 + k, c] = S[k, c]
                n_old = n
        is_first = False
        n, v_new = _nearest(S, n + 1, lower > ROUNDING * math.sqrt(scale))
        if n == 4:
            return OVERLAP, 4, v_new, 0.0
        square_new = dot(v_new, v_new)
        if square_new >= square and n_old > 0:
            for k in range(n_old):
                for c in range(SIMPLEX_COLS):
                    S[k, c] = S[4 + k, c]
            return NEAR, n_old, v, lower
        if square_new <= (4.0 * ROUNDING) ** 2 * scale:
            return OVERLAP, n, v_new, 0.0
        v, square = v_new, square_new
        if near > 0.0 and square <= near * near:
            return OVERLAP, n, v, lower
    return NEAR, n, v, lower


@kernel
def simplex_points(S: FloatArray, n: int) -> tuple[Vec3, Vec3]:
    """Return the weighted points of A and of B of a simplex."""
    a = b = (0.0, 0.0, 0.0)
    for k in range(n):
        a = add(a, scaled(S[k, WEIGHT], vec(S, k, ON_A)))
        b = add(b, scaled(S[k, WEIGHT], vec(S, k, ON_B)))
    return a, b
