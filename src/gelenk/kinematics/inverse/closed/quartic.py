"""Real zeros of a trigonometric polynomial of degree two.

The tangent of the half angle turns it into a quartic. Its real roots are found between
the extrema, which are found between the inflections: every bracket holds one root of a
monotone function, so none is missed and no complex number appears.
"""

from __future__ import annotations

import math

from gelenk.kernels.compile import kernel
from gelenk.typing import FloatArray

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
