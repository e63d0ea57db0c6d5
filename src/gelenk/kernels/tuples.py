"""Vectors, rotations and trigonometry in tuples of floats, for use inside kernels.

A vector is (x, y, z), a rotation its nine entries by rows, a symmetric matrix
(xx, xy, xz, yy, yz, zz). The compiler keeps tuples in registers, so these read like
algebra and cost nothing. Stored values are addressed as (array, row, column): slicing
a row first would cost more than reading it. Sine and cosine come together, without a
call into the C library.
"""

from __future__ import annotations

import math

from gelenk.kernels.compile import kernel
from gelenk.typing import FloatArray, Mat3, Vec2, Vec3, Vec6

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


@kernel
def vec(a: FloatArray, i: int, j: int) -> Vec3:
    """Return the vector stored in row i at a[i, j : j + 3]."""
    return (a[i, j], a[i, j + 1], a[i, j + 2])


@kernel
def rot(a: FloatArray, i: int, j: int) -> Mat3:
    """Return the rotation stored in row i at a[i, j : j + 9], row-major."""
    return (
        a[i, j], a[i, j + 1], a[i, j + 2],
        a[i, j + 3], a[i, j + 4], a[i, j + 5],
        a[i, j + 6], a[i, j + 7], a[i, j + 8],
    )  # fmt: skip


@kernel
def sym(a: FloatArray, i: int, j: int) -> Vec6:
    """Return the symmetric matrix stored in row i at a[i, j : j + 6]."""
    return (
        a[i, j], a[i, j + 1], a[i, j + 2], a[i, j + 3], a[i, j + 4], a[i, j + 5]
    )  # fmt: skip


@kernel
def put(out: FloatArray, i: int, j: int, v: tuple[float, ...]) -> None:
    """Store a tuple in row i at out[i, j : ...]."""
    for k in range(len(v)):
        out[i, j + k] = v[k]


@kernel
def add(a: Vec3, b: Vec3) -> Vec3:
    """Return a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@kernel
def sub(a: Vec3, b: Vec3) -> Vec3:
    """Return a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@kernel
def scaled(s: float, a: Vec3) -> Vec3:
    """Return s * a."""
    return (s * a[0], s * a[1], s * a[2])


@kernel
def dot(a: Vec3, b: Vec3) -> float:
    """Return the inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a: Vec3, b: Vec3) -> Vec3:
    """Return a x b."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@kernel
def norm(a: Vec3) -> float:
    """Return the length of a."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@kernel
def turn(R: Mat3, v: Vec3) -> Vec3:
    """Return R v."""
    return (
        R[0] * v[0] + R[1] * v[1] + R[2] * v[2],
        R[3] * v[0] + R[4] * v[1] + R[5] * v[2],
        R[6] * v[0] + R[7] * v[1] + R[8] * v[2],
    )


@kernel
def turn_back(R: Mat3, v: Vec3) -> Vec3:
    """Return R^T v."""
    return (
        R[0] * v[0] + R[3] * v[1] + R[6] * v[2],
        R[1] * v[0] + R[4] * v[1] + R[7] * v[2],
        R[2] * v[0] + R[5] * v[1] + R[8] * v[2],
    )


@kernel
def chained(A: Mat3, B: Mat3) -> Mat3:
    """Return the product A B of two rotations."""
    return (
        A[0] * B[0] + A[1] * B[3] + A[2] * B[6],
        A[0] * B[1] + A[1] * B[4] + A[2] * B[7],
        A[0] * B[2] + A[1] * B[5] + A[2] * B[8],
        A[3] * B[0] + A[4] * B[3] + A[5] * B[6],
        A[3] * B[1] + A[4] * B[4] + A[5] * B[7],
        A[3] * B[2] + A[4] * B[5] + A[5] * B[8],
        A[6] * B[0] + A[7] * B[3] + A[8] * B[6],
        A[6] * B[1] + A[7] * B[4] + A[8] * B[7],
        A[6] * B[2] + A[7] * B[5] + A[8] * B[8],
    )


@kernel
def turned_about_z(R: Mat3, angle: float) -> Mat3:
    """Return R Rz(angle)."""
    s, c = sin_cos(angle)
    return (
        R[0] * c + R[1] * s, R[1] * c - R[0] * s, R[2],
        R[3] * c + R[4] * s, R[4] * c - R[3] * s, R[5],
        R[6] * c + R[7] * s, R[7] * c - R[6] * s, R[8],
    )  # fmt: skip


@kernel
def z_axis(R: Mat3) -> Vec3:
    """Return the third column of R."""
    return (R[2], R[5], R[8])


@kernel
def sym_times(S: Vec6, v: Vec3) -> Vec3:
    """Return S v of a symmetric matrix."""
    return (
        S[0] * v[0] + S[1] * v[1] + S[2] * v[2],
        S[1] * v[0] + S[3] * v[1] + S[4] * v[2],
        S[2] * v[0] + S[4] * v[1] + S[5] * v[2],
    )


@kernel
def sym_turned(R: Mat3, S: Vec6) -> Vec6:
    """Return R S R^T of a symmetric matrix."""
    x = sym_times(S, (R[0], R[1], R[2]))
    y = sym_times(S, (R[3], R[4], R[5]))
    z = sym_times(S, (R[6], R[7], R[8]))
    return (
        R[0] * x[0] + R[1] * x[1] + R[2] * x[2],
        R[0] * y[0] + R[1] * y[1] + R[2] * y[2],
        R[0] * z[0] + R[1] * z[1] + R[2] * z[2],
        R[3] * y[0] + R[4] * y[1] + R[5] * y[2],
        R[3] * z[0] + R[4] * z[1] + R[5] * z[2],
        R[6] * z[0] + R[7] * z[1] + R[8] * z[2],
    )
