"""Gains from wanted poles, where the model is known."""

from __future__ import annotations

import numpy as np

from gelenk.control.pid import PidGains
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray


def place_poles(A: ArrayLike, B: ArrayLike, poles: ArrayLike) -> FloatArray:
    """Return K of u = -K x that gives A - B K the wanted poles (Ackermann).

    K = [0 ... 0 1] [B, A B, ..., A^{n-1} B]^{-1} p(A), p the wanted polynomial.

    Args:
        A: Shape (n, n).
        B: Shape (n,) or (n, 1): one input.
        poles: Wanted [1/s], shape (n,), complex ones in conjugate pairs.

    Returns:
        Shape (1, n).

    Raises:
        ConfigError: If the input does not reach every state.

    Example:
        A unit mass, both poles at -4: k_p = 16, k_v = 8.

        >>> print(place_poles([[0, 1], [0, 0]], [0, 1], [-4, -4]))
        [[16.  8.]]
    """
    A = np.asarray(A, np.float64)
    b = np.asarray(B, np.float64).reshape(len(A))
    polynomial = np.poly(np.asarray(poles, np.complex128))
    if len(polynomial) != len(A) + 1 or np.abs(polynomial.imag).max() > 1e-9 * max(
        1.0, float(np.abs(polynomial).max())
    ):
        raise ConfigError(
            f"`poles` must be {len(A)} numbers, complex ones in conjugate pairs, got "
            f"{np.asarray(poles).tolist()}"
        )
    columns = [b]
    for _ in range(len(A) - 1):
        columns.append(A @ columns[-1])
    reach = np.stack(columns, axis=1)
    if np.linalg.matrix_rank(reach) < len(A):
        raise ConfigError(
            "the input does not reach every state: poles cannot be placed"
        )
    row = np.linalg.solve(reach.T, np.eye(len(A))[-1])
    p_of_A = np.zeros_like(A)
    for coefficient in polynomial.real:
        p_of_A = p_of_A @ A + coefficient * np.eye(len(A))
    return (row @ p_of_A).reshape(1, -1)


def pid_gains_from_poles(
    poles: ArrayLike, *, mass: float = 1.0, damping: float = 0.0, stiffness: float = 0.0
) -> PidGains:
    """Return the PID (three poles) or PD (two) gains of m ẍ + b ẋ + k x = f.

    By comparison of coefficients with m s³ + (b + k_v) s² + (k + k_p) s + k_i.

    Args:
        poles: Wanted [1/s], two or three, complex ones in conjugate pairs.
        mass: m of the plant [kg].
        damping: Its b [N s/m].
        stiffness: Its k [N/m].

    Example:
        >>> pid_gains_from_poles([-1.0, -1.0, -1.0])
        PidGains(kp=3.0, ki=1.0, kv=3.0)
    """
    polynomial = np.real_if_close(np.poly(np.asarray(poles, np.complex128)))
    if len(polynomial) not in (3, 4) or np.iscomplexobj(polynomial):
        raise ConfigError(
            "`poles` must be two or three numbers, complex ones in conjugate pairs, "
            f"got {np.asarray(poles).tolist()}"
        )
    c = mass * polynomial
    ki = float(c[3]) if len(c) == 4 else 0.0
    return PidGains(kp=float(c[2]) - stiffness, ki=ki, kv=float(c[1]) - damping)
