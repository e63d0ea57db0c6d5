"""Sine and cosine together, without a library call.

Two calls into the C library per joint cost more than the joint's matrix product. One
reduction to [-pi/4, pi/4] and two short polynomials give both values, in code the
compiler can inline. The absolute error stays below 2e-16 for |x| < LARGE_ANGLE; beyond,
the C library takes over.
"""

from __future__ import annotations

import math

from gelenk.kernels.compile import kernel
from gelenk.typing import Vec2

LARGE_ANGLE = 1.0e5  # [rad]; the multiple of pi/2 then still fits the split below
TWO_OVER_PI = 0.6366197723675814
# pi/2 in three parts; the first two have 33 bits, so small multiples are exact
# (Cody and Waite, Software Manual for the Elementary Functions, 1980).
PI_2_A = 1.57079632673412561417
PI_2_B = 6.07710050630396597660e-11
PI_2_C = 2.02226624879595063154e-21
# Minimax polynomials on [-pi/4, pi/4]; coefficients as published with FDLIBM 5.3.
S1, S2, S3 = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
)
S4, S5, S6 = (
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)
C1, C2, C3 = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
)
C4, C5, C6 = (
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)


@kernel
def sin_cos(x: float) -> Vec2:
    """Return (sin x, cos x)."""
    if not abs(x) < LARGE_ANGLE:
        return math.sin(x), math.cos(x)
    n = math.floor(x * TWO_OVER_PI + 0.5)
    r = ((x - n * PI_2_A) - n * PI_2_B) - n * PI_2_C
    z = r * r
    s = r + r * z * (S1 + z * (S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)))))
    half = 0.5 * z
    w = 1.0 - half
    tail = z * z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * C6)))))
    c = w + (((1.0 - w) - half) + tail)
    # Odd quadrants swap the two; the upper half turns signs. Selections, not branches:
    # the quadrant of a random angle cannot be predicted.
    quadrant = int(n)
    swap = (quadrant & 1) != 0
    sine = c if swap else s
    cosine = s if swap else c
    return (
        -sine if (quadrant & 2) != 0 else sine,
        -cosine if ((quadrant + 1) & 2) != 0 else cosine,
    )
