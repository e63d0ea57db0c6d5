"""Vectors of three components: products, lengths, angles, and the cross-product matrix.

Damken 2023 §2.1 and §4.1. Products are written out by components: `np.cross` spends
more time on its bookkeeping than on a vector of three numbers.
"""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_array
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray


def _unit_vector(index: int) -> FloatArray:
    vector = np.zeros(3)
    vector[index] = 1.0
    vector.setflags(write=False)
    return vector


E_X = _unit_vector(0)
E_Y = _unit_vector(1)
E_Z = _unit_vector(2)


def cross(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Return the vector product a x b.

    Args:
        a: Left factor, shape (..., 3).
        b: Right factor, shape (..., 3).

    Returns:
        The product, shape (..., 3), batch axes broadcast.

    Example:
        >>> print(cross(E_X, E_Y))
        [0. 0. 1.]
    """
    a, b = as_array("a", a, (3,)), as_array("b", b, (3,))
    a_x, a_y, a_z = a[..., 0], a[..., 1], a[..., 2]
    b_x, b_y, b_z = b[..., 0], b[..., 1], b[..., 2]
    product = np.empty(np.broadcast_shapes(a.shape, b.shape))
    product[..., 0] = a_y * b_z - a_z * b_y
    product[..., 1] = a_z * b_x - a_x * b_z
    product[..., 2] = a_x * b_y - a_y * b_x
    return product


def norm(v: ArrayLike) -> FloatArray:
    """Return the Euclidean length of vectors of three components, shape (...)."""
    v = as_array("v", v, (3,))
    return np.sqrt(np.vecdot(v, v))


def normalize(v: ArrayLike) -> FloatArray:
    """Return the unit vectors along `v`, shape (..., 3).

    The largest component is divided out first, so neither 1e-300 nor 1e300 is lost
    when it is squared.

    Raises:
        ConfigError: If a vector is zero and has no direction.

    Example:
        >>> print(normalize([0.0, 3e-300, 4e-300]))
        [0.  0.6 0.8]
    """
    v = as_array("v", v, (3,))
    largest = np.abs(v).max(axis=-1, keepdims=True)
    if not largest.all():
        raise ConfigError("`v` must not be zero: a zero vector has no direction")
    scaled = v / largest
    return scaled / np.sqrt(np.vecdot(scaled, scaled))[..., None]


def angle_between(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Return the angle [rad] in [0, pi] between two vectors.

    atan2(|a x b|, a . b), which keeps its digits where the arc cosine of the dot
    product loses half of them: next to 0 and next to pi.

    Args:
        a: First vectors, shape (..., 3).
        b: Second vectors, shape (..., 3).

    Returns:
        The angles, shape (...); 0 if one of the vectors is zero.

    Example:
        >>> print(angle_between([1.0, 0.0, 0.0], [1.0, 1e-9, 0.0]))
        1e-09
    """
    a, b = as_array("a", a, (3,)), as_array("b", b, (3,))
    return np.arctan2(norm(cross(a, b)), np.vecdot(a, b))


def skew(v: ArrayLike) -> FloatArray:
    """Return the matrix B(v) with B(v) x = v x x, shape (..., 3, 3).

    Args:
        v: Vectors, shape (..., 3).

    Example:
        >>> print(skew([1.0, 2.0, 3.0]))
        [[ 0. -3.  2.]
         [ 3.  0. -1.]
         [-2.  1.  0.]]
    """
    v = as_array("v", v, (3,))
    B = np.zeros((*v.shape, 3))
    B[..., 2, 1] = v[..., 0]
    B[..., 0, 2] = v[..., 1]
    B[..., 1, 0] = v[..., 2]
    # 0 - v and not -v, which would make -0.0 of zero.
    B[..., 1, 2] = 0.0 - v[..., 0]
    B[..., 2, 0] = 0.0 - v[..., 1]
    B[..., 0, 1] = 0.0 - v[..., 2]
    return B


def unskew(B: ArrayLike) -> FloatArray:
    """Return the vector of the antisymmetric part of `B`, the inverse of `skew`.

    The symmetric part, which is rounding when `B` comes from a product, is dropped.

    Args:
        B: Matrices, shape (..., 3, 3).

    Returns:
        Vectors, shape (..., 3).

    Example:
        >>> print(unskew(skew([1.0, 2.0, 3.0])))
        [1. 2. 3.]
    """
    B = as_array("B", B, (3, 3))
    v = np.empty(B.shape[:-1])
    v[..., 0] = 0.5 * (B[..., 2, 1] - B[..., 1, 2])
    v[..., 1] = 0.5 * (B[..., 0, 2] - B[..., 2, 0])
    v[..., 2] = 0.5 * (B[..., 1, 0] - B[..., 0, 1])
    return v


def skew_polynomial(v: ArrayLike, a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Return E + a B(v) + b B(v)^2 with B the cross-product matrix.

    Rodrigues' formula, the matrix of a quaternion, the exponential map and its
    Jacobians are this polynomial with different coefficients.

    Args:
        v: Vectors, shape (..., 3).
        a: Coefficients of B, shape (...).
        b: Coefficients of B^2, shape (...).

    Returns:
        Matrices, shape (..., 3, 3), batch axes broadcast.

    Example:
        >>> print(skew_polynomial([0.0, 0.0, 1.0], 0.5, 0.25))
        [[ 0.75 -0.5   0.  ]
         [ 0.5   0.75  0.  ]
         [ 0.    0.    1.  ]]
    """
    v = as_array("v", v, (3,))
    a, b = as_array("a", a, ()), as_array("b", b, ())
    x, y, z = v[..., 0], v[..., 1], v[..., 2]
    a_x, a_y, a_z = a * x, a * y, a * z
    b_x, b_y, b_z = b * x, b * y, b * z
    matrix = np.empty((*np.broadcast_shapes(a_x.shape, b_x.shape), 3, 3))
    matrix[..., 0, 0] = 1.0 - (b_y * y + b_z * z)
    matrix[..., 1, 1] = 1.0 - (b_x * x + b_z * z)
    matrix[..., 2, 2] = 1.0 - (b_x * x + b_y * y)
    matrix[..., 0, 1] = b_x * y - a_z
    matrix[..., 1, 0] = b_x * y + a_z
    matrix[..., 0, 2] = b_x * z + a_y
    matrix[..., 2, 0] = b_x * z - a_y
    matrix[..., 1, 2] = b_y * z - a_x
    matrix[..., 2, 1] = b_y * z + a_x
    return matrix
