"""Vectors and rotations as tuples of floats, for use inside kernels.

A vector is (x, y, z), a rotation its nine entries by rows, a symmetric matrix
(xx, xy, xz, yy, yz, zz). The compiler keeps tuples in registers, so these read like
algebra and cost nothing. Stored values are addressed as (array, row, column): slicing
a row first would cost more than reading it.
"""

from __future__ import annotations

import math

from gelenk.kernels.compile import kernel
from gelenk.kernels.trig import sin_cos
from gelenk.typing import FloatArray, Mat3, Vec3, Vec6


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
