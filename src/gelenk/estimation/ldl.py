"""Symmetric systems by L D L^T with diagonal pivoting, compiled."""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_kernel_array
from gelenk.errors import ShapeError
from gelenk.kernels.compile import kernel
from gelenk.typing import ArrayLike, FloatArray, IntArray

NOTHING = 1e-14  # of its diagonal entry: a pivot that is only rounding


@kernel
def ldl_solve_inplace(A: FloatArray, x: FloatArray, order: IntArray) -> int:
    """Solve A x = b for a symmetric positive semi-definite A; both are overwritten.

    The next pivot is the diagonal entry that has kept most of its size, so that units
    do not matter. Directions without a pivot get 0, so that a parameter without effect
    stays where it is.

    Returns:
        The number of pivots used: the rank.
    """
    n = x.shape[0]
    size = np.empty(n)
    for i in range(n):
        order[i] = i
        size[i] = A[i, i] if A[i, i] > 0.0 else 1.0
    rank = n
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if A[i, i] * size[best] > A[best, best] * size[i]:
                best = i
        if best != k:
            for j in range(n):
                A[k, j], A[best, j] = A[best, j], A[k, j]
            for i in range(n):
                A[i, k], A[i, best] = A[i, best], A[i, k]
            x[k], x[best] = x[best], x[k]
            size[k], size[best] = size[best], size[k]
            order[k], order[best] = order[best], order[k]
        pivot = A[k, k]
        if not pivot > NOTHING * size[k]:
            rank = k
            break
        inverse = 1.0 / pivot
        for i in range(k + 1, n):
            factor = A[i, k] * inverse
            for j in range(k + 1, n):
                A[i, j] -= factor * A[k, j]
            x[i] -= factor * x[k]
    for k in range(rank, n):
        x[k] = 0.0
    for k in range(rank - 1, -1, -1):
        s = x[k]
        for j in range(k + 1, rank):
            s -= A[k, j] * x[j]
        x[k] = s / A[k, k]
    for k in range(n):
        A[0, order[k]] = x[k]
    for k in range(n):
        x[k] = A[0, k]
    return rank


def solve_ldl(A: ArrayLike, b: ArrayLike) -> FloatArray:
    """Return x with A x = b for a symmetric positive semi-definite A.

    Unlike an inversion this neither squares the condition of A nor fails if A is
    singular: directions that A says nothing about get 0.

    Args:
        A: Shape (n, n).
        b: Shape (n,).

    Example:
        >>> print(solve_ldl([[4.0, 2.0], [2.0, 3.0]], [2.0, 5.0]))
        [-0.5  2. ]
    """
    matrix = np.array(as_kernel_array(A))
    x = np.array(as_kernel_array(b))
    if matrix.shape != (x.size, x.size):
        raise ShapeError("A", expected=f"({x.size}, {x.size})", actual=matrix.shape)
    ldl_solve_inplace(matrix, x, np.empty(x.size, dtype=np.int64))
    return x
