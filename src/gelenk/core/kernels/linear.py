"""Small linear systems inside kernels."""

from __future__ import annotations

import math

from gelenk.core.kernels.compile import kernel


@kernel
def solve_spd(K, x):
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
