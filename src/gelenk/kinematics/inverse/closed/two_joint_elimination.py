"""Elimination of the joint between two others: two equations in two joints.

Each equation is a sum of one term per joint, A(x) + B(y) = 0. The term of a revolute
joint is a cos x + b sin x + g, that of a prismatic one a x + b x^2 + g. A joint's six
coefficients (a, b, g of row 0, then of row 1) are called its end; (cos, sin) and
(x, x^2) are explained in `joint_terms`.

Coupled turns end in a trigonometric polynomial of degree two, which the tangent of the
half angle turns into a quartic. Its real roots are found between the extrema,
which are found between the inflections: every bracket holds one root of a monotone
function, so none is missed and no complex number appears.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.kinematics.inverse.closed.joint_terms import (
    FREE,
    KIND,
    solve_end,
    solve_quadratic,
    wished_state,
)
from gelenk.typing import FloatArray, Vec6

SQRT_HALF = math.sqrt(0.5)
TOUCH = 1e-9  # an extremum this close to zero, relative, counts as a double root
FLAT = 1e-13  # relative size of the second harmonic below which there is none
STEPS = 60  # of the bracketed Newton iteration; bisection alone would need 55
CLOSE = 4e-16  # relative step at which it ends


@kernel
def quartic(p: tuple[float, float, float, float, float], t: float) -> float:
    """Return ((p4 t + p3) t + p2) t + p1) t + p0 for p = (p4, p3, p2, p1, p0)."""
    return (((p[0] * t + p[1]) * t + p[2]) * t + p[3]) * t + p[4]


@kernel
def bracketed_root(
    p: tuple[float, float, float, float, float], low: float, high: float
) -> float:
    """Return the root of a quartic in [low, high], where it changes its sign once."""
    rising = quartic(p, high) > 0.0
    t = 0.5 * (low + high)
    for _ in range(STEPS):
        f = quartic(p, t)
        if (f > 0.0) == rising:
            high = t
        else:
            low = t
        slope = ((4.0 * p[0] * t + 3.0 * p[1]) * t + 2.0 * p[2]) * t + p[3]
        new = t - f / slope if slope != 0.0 else high
        if not low < new < high:
            new = 0.5 * (low + high)
        if abs(new - t) <= CLOSE * (1.0 + abs(t)):
            return new
        t = new
    return t


@kernel
def real_roots(p: tuple[float, float, float, float, float], roots: FloatArray) -> int:
    """Write the real roots of a quartic with p4 not 0; return their number, 0 to 4.

    A root that is only touched is given once. `roots` has room for eight numbers: the
    extrema are kept behind the roots.
    """
    bound = 1.0 + max(abs(p[1]), abs(p[2]), abs(p[3]), abs(p[4])) / abs(p[0])
    # Inflections: 6 p4 t^2 + 3 p3 t + p2 = 0
    a, b, c = 6.0 * p[0], 1.5 * p[1], p[2]
    gap = b * b - a * c
    left = right = bound
    if gap > 0.0:
        h = -(b + math.copysign(math.sqrt(gap), b))
        first, second = h / a, (c / h if h != 0.0 else 0.0)
        left, right = min(first, second), max(first, second)
    slope = (0.0, 4.0 * p[0], 3.0 * p[1], 2.0 * p[2], p[3])
    num = 0
    low = -bound
    for i in range(3):
        high = left if i == 0 else (right if i == 1 else bound)
        if low < high <= bound:
            if (quartic(slope, low) > 0.0) != (quartic(slope, high) > 0.0):
                roots[4 + num] = bracketed_root(slope, low, high)
                num += 1
            low = high
    count = 0
    low = -bound
    for i in range(num + 1):
        high = bound if i == num else roots[4 + i]
        value, new = quartic(p, low), quartic(p, high)
        if (value > 0.0) != (new > 0.0):
            roots[count] = bracketed_root(p, low, high)
            count += 1
        elif i < num:
            # The next bracket may still cross; a touch without one is a double root.
            behind = quartic(p, bound if i == num - 1 else roots[5 + i])
            size = (abs(p[0]), abs(p[1]), abs(p[2]), abs(p[3]), abs(p[4]))
            is_zero = abs(new) <= TOUCH * quartic(size, abs(high))
            if is_zero and (new > 0.0) == (behind > 0.0):
                roots[count] = high
                count += 1
        low = high
    return count


@kernel
def trigonometric_zeros(
    k0: float, kc: float, ks: float, lc: float, ls: float, roots: FloatArray
) -> int:
    """Solve k0 + kc cos x + ks sin x + lc cos 2x + ls sin 2x = 0.

    `roots` receives rows (cos, sin); shape (6, 4), the last two rows are work space.
    Returns the number of solutions, 0 to 4.
    """
    if abs(lc) + abs(ls) <= FLAT * (abs(k0) + abs(kc) + abs(ks)):
        r2 = kc * kc + ks * ks
        gap = r2 - k0 * k0
        if r2 == 0.0 or gap < -TOUCH * r2:
            return 0
        root = math.sqrt(max(gap, 0.0))
        for i in range(2):
            roots[i, 0] = (-kc * k0 - ks * root) / r2
            roots[i, 1] = (-ks * k0 + kc * root) / r2
            root = -root
        return 2
    # Put the infinity of the half-angle tangent where the function is farthest from 0.
    c, s, best, cw, sw = 1.0, 0.0, -1.0, 1.0, 0.0
    for _ in range(8):
        value = k0 + kc * c + ks * s + lc * (c * c - s * s) + 2.0 * ls * c * s
        if abs(value) > best:
            best, cw, sw = abs(value), c, s
        c, s = SQRT_HALF * (c - s), SQRT_HALF * (s + c)
    c, s = -cw, -sw  # the middle of the new range, opposite to infinity
    c2, s2 = c * c - s * s, 2.0 * c * s
    kc, ks = kc * c + ks * s, ks * c - kc * s
    lc, ls = lc * c2 + ls * s2, ls * c2 - lc * s2
    p = (
        k0 - kc + lc,
        2.0 * ks - 4.0 * ls,
        2.0 * k0 - 6.0 * lc,
        2.0 * ks + 4.0 * ls,
        k0 + kc + lc,
    )
    flat = roots[4:].reshape(8)
    count = real_roots(p, flat)
    for i in range(count):
        t = flat[i]
        n = 1.0 / (1.0 + t * t)
        ct, st = (1.0 - t * t) * n, 2.0 * t * n
        roots[i, 0], roots[i, 1] = c * ct - s * st, s * ct + c * st
    return count


# Columns of a pair: state of the first end, state of the second, bits of free joints
NEAR_FREE, FAR_FREE = 1, 2
PAIR_COLS = 5


@kernel
def decoupled_pairs(
    K: FloatArray, ra: int, A: Vec6, rb: int, B: Vec6, q0: FloatArray, pairs: FloatArray
) -> int:
    """Solve row 0 for A alone, then row 1 for B; return the number of pairs, 0 to 4.

    The joints in rows `ra` and `rb` of K have the ends A and B. Where an equation
    leaves a joint free, its state is that of q0. `pairs` receives rows (state of A,
    state of B, free bits).
    """
    count = 0
    m, x0, x1, y0, y1 = solve_end(K[ra, KIND], A[0], A[1], -(A[2] + B[2]))
    free = 0.0
    if m < 0:
        m, free = 1, 1.0
        x0, x1 = wished_state(K, ra, q0)
    for i in range(m):
        if i == 1:
            x0, x1 = y0, y1
        k = -(A[3] * x0 + A[4] * x1 + A[5] + B[5])
        n, u0, u1, v0, v1 = solve_end(K[rb, KIND], B[3], B[4], k)
        free_b = 0.0
        if n < 0:
            n, free_b = 1, 2.0
            u0, u1 = wished_state(K, rb, q0)
        for j in range(n):
            if j == 1:
                u0, u1 = v0, v1
            pairs[count, 0], pairs[count, 1] = x0, x1
            pairs[count, 2], pairs[count, 3] = u0, u1
            pairs[count, 4] = free + free_b
            count += 1
    return count


@kernel
def sharpness(end: Vec6) -> float:
    """Return how well the two rows determine a revolute end's state, 0 to 1."""
    size = math.sqrt(
        (end[0] * end[0] + end[1] * end[1]) * (end[3] * end[3] + end[4] * end[4])
    )
    return abs(end[0] * end[4] - end[1] * end[3]) / size if size > 0.0 else 0.0


@kernel
def eliminated(kind_b: float, A: Vec6, B: Vec6) -> Vec6:
    """Return B's state as a function of the revolute A.

    Both numbers of the state are g + p cos + r sin; returned are (g, p, r) twice. A
    revolute B follows from both rows, a prismatic one from row 0.
    """
    if kind_b == 0.0:
        i = -1.0 / B[0]
        return (A[2] + B[2]) * i, A[0] * i, A[1] * i, 0.0, 0.0, 0.0
    det = B[0] * B[4] - B[1] * B[3]
    i = -1.0 / det if abs(det) > FREE * FREE else 0.0
    k0, k1 = A[2] + B[2], A[5] + B[5]
    return (
        (B[4] * k0 - B[1] * k1) * i,
        (B[4] * A[0] - B[1] * A[3]) * i,
        (B[4] * A[1] - B[1] * A[4]) * i,
        (B[0] * k1 - B[3] * k0) * i,
        (B[0] * A[3] - B[3] * A[0]) * i,
        (B[0] * A[4] - B[3] * A[1]) * i,
    )


@kernel
def coupled_pairs(
    K: FloatArray, ra: int, A: Vec6, rb: int, B: Vec6, q0: FloatArray, pairs: FloatArray
) -> int:
    """Solve two equations that both contain both joints, A revolute; 0 to 4 pairs.

    With B's state put in, what remains of A is a polynomial of degree two in cos and
    sin: for a revolute B its cos^2 + sin^2 = 1, for a prismatic one row 1.
    """
    roots = np.empty((6, 4))
    kind_b = K[rb, KIND]
    g, p, r, h, u, v = eliminated(kind_b, A, B)
    if kind_b != 0.0 and abs(A[0]) + abs(A[1]) + abs(A[3]) + abs(A[4]) <= FREE:
        pairs[0, 0], pairs[0, 1] = wished_state(K, ra, q0)
        pairs[0, 2], pairs[0, 3], pairs[0, 4] = g, h, 1.0
        return 1
    if kind_b != 0.0:
        k = g * g + h * h - 1.0
        e, f = 2.0 * (g * p + h * u), 2.0 * (g * r + h * v)
        a, b, d = p * p + u * u, 2.0 * (p * r + u * v), r * r + v * v
    else:
        w = B[4]
        k = A[5] + B[5] + B[3] * g + w * g * g
        e, f = A[3] + B[3] * p + 2.0 * w * g * p, A[4] + B[3] * r + 2.0 * w * g * r
        a, b, d = w * p * p, 2.0 * w * p * r, w * r * r
    count = trigonometric_zeros(k + 0.5 * (a + d), e, f, 0.5 * (a - d), 0.5 * b, roots)
    for j in range(count):
        c, s = roots[j, 0], roots[j, 1]
        x, y = g + p * c + r * s, h + u * c + v * s
        if kind_b == 0.0:
            y = x * x
        pairs[j, 0], pairs[j, 1] = c, s
        pairs[j, 2], pairs[j, 3], pairs[j, 4] = x, y, 0.0
    return count


@kernel
def line_pairs(A: Vec6, B: Vec6, pairs: FloatArray) -> int:
    """Solve for two prismatic ends, B linear in row 0; return 0 to 2 pairs."""
    i = -1.0 / B[0]
    g, p = (A[2] + B[2]) * i, A[0] * i
    n, x, xx, y, yy = solve_quadratic(
        A[3] + B[3] * p + 2.0 * B[4] * g * p,
        A[4] + B[4] * p * p,
        -(A[5] + B[5] + B[3] * g + B[4] * g * g),
    )
    for j in range(n):
        if j == 1:
            x, xx = y, yy
        u = g + p * x
        pairs[j, 0], pairs[j, 1], pairs[j, 2], pairs[j, 3] = x, xx, u, u * u
        pairs[j, 4] = 0.0
    return max(n, 0)


@kernel
def refine_pair(
    kind: float, A: Vec6, kind_b: float, B: Vec6, pairs: FloatArray, j: int
) -> None:
    """Put a pair on its circles and improve it by Newton steps on its equations."""
    for _ in range(3):
        x, y, u, v = pairs[j, 0], pairs[j, 1], pairs[j, 2], pairs[j, 3]
        if kind_b != 0.0:
            i = 1.0 / math.sqrt(u * u + v * v)
            u, v = u * i, v * i
        f = A[0] * x + A[1] * y + A[2] + B[0] * u + B[1] * v + B[2]
        g = A[3] * x + A[4] * y + A[5] + B[3] * u + B[4] * v + B[5]
        # Derivative of a state: (-sin, cos) or (1, 2x)
        p, r = (-y, x) if kind != 0.0 else (1.0, 2.0 * x)
        s, w = (-v, u) if kind_b != 0.0 else (1.0, 2.0 * u)
        fa, ga = A[0] * p + A[1] * r, A[3] * p + A[4] * r
        fb, gb = B[0] * s + B[1] * w, B[3] * s + B[4] * w
        det = fa * gb - fb * ga
        da, db = (fb * g - gb * f) / det, (ga * f - fa * g) / det
        size = (abs(fa) + abs(fb)) * (abs(ga) + abs(gb))
        if not (abs(det) > 1e-9 * size and abs(da) + abs(db) < 0.1):
            da = db = 0.0
        x, y, u, v = x + p * da, y + r * da, u + s * db, v + w * db
        if kind != 0.0:
            i = 1.0 / math.sqrt(x * x + y * y)
            x, y = x * i, y * i
        else:
            y = x * x
        if kind_b != 0.0:
            i = 1.0 / math.sqrt(u * u + v * v)
            u, v = u * i, v * i
        else:
            v = u * u
        pairs[j, 0], pairs[j, 1], pairs[j, 2], pairs[j, 3] = x, y, u, v


@kernel
def exchange(pairs: FloatArray, count: int) -> None:
    """Exchange the two ends in all pairs."""
    for j in range(count):
        x, y = pairs[j, 0], pairs[j, 1]
        pairs[j, 0], pairs[j, 1] = pairs[j, 2], pairs[j, 3]
        pairs[j, 2], pairs[j, 3] = x, y
        bits = int(pairs[j, 4])
        pairs[j, 4] = float(((bits & 1) << 1) | (bits >> 1))


@kernel
def solve_pairs(
    K: FloatArray,
    first: int,
    row: int,
    ra: int,
    A: Vec6,
    rb: int,
    B: Vec6,
    q0: FloatArray,
    pairs: FloatArray,
) -> int:
    """Solve A(x) + B(y) = 0 in two rows as the structure of the arm demands.

    If `first` is 0, the equation `row` contains A only; if 1, B only; if 2, both
    contain both. For the rest see `decoupled_pairs`.
    """
    kind, kind_b = K[ra, KIND], K[rb, KIND]
    is_exchanged = first == 1
    if first == 2:
        # The end that is eliminated must be well determined by its rows.
        if kind != 0.0 and kind_b != 0.0:
            is_exchanged = sharpness(B) < sharpness(A)
        elif kind == 0.0 and kind_b == 0.0:
            is_exchanged = abs(B[0]) < abs(A[0])
        else:
            is_exchanged = kind == 0.0
    if is_exchanged:
        ra, rb, A, B, kind, kind_b = rb, ra, B, A, kind_b, kind
    if row == 1:
        A = (A[3], A[4], A[5], A[0], A[1], A[2])
        B = (B[3], B[4], B[5], B[0], B[1], B[2])
    if first != 2:
        count = decoupled_pairs(K, ra, A, rb, B, q0, pairs)
    else:
        if kind == 0.0:
            count = line_pairs(A, B, pairs)
        else:
            count = coupled_pairs(K, ra, A, rb, B, q0, pairs)
        for j in range(count):
            refine_pair(kind, A, kind_b, B, pairs, j)
    if is_exchanged:
        exchange(pairs, count)
    return count
