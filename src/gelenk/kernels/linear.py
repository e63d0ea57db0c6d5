"""Small linear systems inside kernels."""

from __future__ import annotations

import math

from gelenk.kernels.compile import kernel
from gelenk.typing import FloatArray, Mat3, Vec3, Vec6

TINY = 1e-300  # a pivot lost to rounding; the shift keeps true ones far above


@kernel
def solve_spd(K: FloatArray, x: FloatArray) -> bool:
    """Solve K x = b in place for a symmetric positive definite K, by Cholesky.

    Args:
        K: Matrix; its lower triangle is overwritten with the factor.
        x: Right-hand side on entry, solution on return.

    Returns:
        False if K is not positive definite (x is then meaningless).
    """
    n = x.shape[0]
    for j in range(n):
        d = K[j, j]
        for k in range(j):
            d -= K[j, k] * K[j, k]
        if not d > 0.0:
            return False
        d = math.sqrt(d)
        K[j, j] = d
        inverse = 1.0 / d
        for i in range(j + 1, n):
            s = K[i, j]
            for k in range(j):
                s -= K[i, k] * K[j, k]
            K[i, j] = s * inverse
    for i in range(n):
        s = x[i]
        for k in range(i):
            s -= K[i, k] * x[k]
        x[i] = s / K[i, i]
    for i in range(n - 1, -1, -1):
        s = x[i]
        for k in range(i + 1, n):
            s -= K[k, i] * x[k]
        x[i] = s / K[i, i]
    return True


@kernel
def solve_spd6(
    A: Vec6, B: Mat3, C: Vec6, shift: float, f: Vec3, g: Vec3
) -> tuple[Vec3, Vec3]:
    """Solve ([[A, B], [B^T, C]] + shift) [x; y] = [f; g] by an unrolled L D L^T.

    A and C are symmetric (xx, xy, xz, yy, yz, zz), B is row-major, shift > 0.

    Returns:
        x and y.
    """
    # Column j: u_ij = a_ij - sum_k l_ik u_jk, then l_ij = u_ij / d_j.
    i0 = 1.0 / (A[0] + shift)
    u10, u20, u30, u40, u50 = A[1], A[2], B[0], B[1], B[2]
    l10, l20, l30, l40, l50 = u10 * i0, u20 * i0, u30 * i0, u40 * i0, u50 * i0
    i1 = 1.0 / max(A[3] + shift - l10 * u10, TINY)
    u21, u31 = A[4] - l20 * u10, B[3] - l30 * u10
    u41, u51 = B[4] - l40 * u10, B[5] - l50 * u10
    l21, l31, l41, l51 = u21 * i1, u31 * i1, u41 * i1, u51 * i1
    i2 = 1.0 / max(A[5] + shift - l20 * u20 - l21 * u21, TINY)
    u32 = B[6] - l30 * u20 - l31 * u21
    u42 = B[7] - l40 * u20 - l41 * u21
    u52 = B[8] - l50 * u20 - l51 * u21
    l32, l42, l52 = u32 * i2, u42 * i2, u52 * i2
    i3 = 1.0 / max(C[0] + shift - l30 * u30 - l31 * u31 - l32 * u32, TINY)
    u43 = C[1] - l40 * u30 - l41 * u31 - l42 * u32
    u53 = C[2] - l50 * u30 - l51 * u31 - l52 * u32
    l43, l53 = u43 * i3, u53 * i3
    d4 = C[3] + shift - l40 * u40 - l41 * u41 - l42 * u42 - l43 * u43
    i4 = 1.0 / max(d4, TINY)
    u54 = C[4] - l50 * u40 - l51 * u41 - l52 * u42 - l53 * u43
    l54 = u54 * i4
    d5 = C[5] + shift - l50 * u50 - l51 * u51 - l52 * u52 - l53 * u53 - l54 * u54
    i5 = 1.0 / max(d5, TINY)
    # Forward substitution, division by D, backward substitution.
    y0 = f[0]
    y1 = f[1] - l10 * y0
    y2 = f[2] - l20 * y0 - l21 * y1
    y3 = g[0] - l30 * y0 - l31 * y1 - l32 * y2
    y4 = g[1] - l40 * y0 - l41 * y1 - l42 * y2 - l43 * y3
    y5 = g[2] - l50 * y0 - l51 * y1 - l52 * y2 - l53 * y3 - l54 * y4
    x5 = y5 * i5
    x4 = y4 * i4 - l54 * x5
    x3 = y3 * i3 - l43 * x4 - l53 * x5
    x2 = y2 * i2 - l32 * x3 - l42 * x4 - l52 * x5
    x1 = y1 * i1 - l21 * x2 - l31 * x3 - l41 * x4 - l51 * x5
    x0 = y0 * i0 - l10 * x1 - l20 * x2 - l30 * x3 - l40 * x4 - l50 * x5
    return (x0, x1, x2), (x3, x4, x5)
