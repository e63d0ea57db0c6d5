"""The law of one impact: Newton's restitution and Coulomb's friction at a point."""

from __future__ import annotations

import math

from gelenk.kernels.compile import kernel
from gelenk.typing import FloatArray, Vec2, Vec3

JAMMED = 0.05  # share of the normal inertia left where friction would stop the normal


@kernel
def contact_impulse(
    a: FloatArray, u_n: float, u_1: float, u_2: float, wanted: float, mu: float
) -> Vec3:
    """Return the impulse at a contact: along the normal and both tangents [N s].

    Args:
        a: Inverse inertia felt at the contact, J M^-1 J^T, symmetric, (3, 3) [1/kg].
        u_n: Relative velocity along the normal without the impulse [m/s].
        u_1: Relative velocity along the first tangent [m/s].
        u_2: Relative velocity along the second tangent [m/s].
        wanted: Normal velocity after it, >= 0 [m/s].
        mu: Coefficient of friction.
    """
    need = wanted - u_n
    if need <= 0.0 or a[0, 0] <= 0.0:
        return 0.0, 0.0, 0.0
    if mu <= 0.0:
        return need / a[0, 0], 0.0, 0.0
    p_n, p_1, p_2 = _solved(a, need, -u_1, -u_2)
    if p_n >= 0.0 and math.hypot(p_1, p_2) <= mu * p_n:
        return p_n, p_1, p_2  # it sticks
    s_1, s_2 = _slip_direction(a, u_1, u_2)
    felt = a[0, 0] - mu * (a[0, 1] * s_1 + a[0, 2] * s_2)
    if felt < JAMMED * a[0, 0]:
        return need / a[0, 0], 0.0, 0.0
    p_n = need / felt
    return p_n, -mu * p_n * s_1, -mu * p_n * s_2


@kernel
def _slip_direction(a: FloatArray, u_1: float, u_2: float) -> Vec2:
    """Return where a contact slips; at rest, where the normal impulse moves it."""
    slip = math.hypot(u_1, u_2)
    if slip > 0.0:
        return u_1 / slip, u_2 / slip
    side = math.hypot(a[1, 0], a[2, 0])
    if side > 0.0:
        return a[1, 0] / side, a[2, 0] / side
    return 0.0, 0.0


@kernel
def _solved(a: FloatArray, b_0: float, b_1: float, b_2: float) -> Vec3:
    """Return x with a x = b; nan, which no cone holds, if a is singular."""
    c_00 = a[1, 1] * a[2, 2] - a[1, 2] * a[2, 1]
    c_01 = a[1, 2] * a[2, 0] - a[1, 0] * a[2, 2]
    c_02 = a[1, 0] * a[2, 1] - a[1, 1] * a[2, 0]
    det = a[0, 0] * c_00 + a[0, 1] * c_01 + a[0, 2] * c_02
    c_10 = a[0, 2] * a[2, 1] - a[0, 1] * a[2, 2]
    c_11 = a[0, 0] * a[2, 2] - a[0, 2] * a[2, 0]
    c_12 = a[0, 1] * a[2, 0] - a[0, 0] * a[2, 1]
    c_20 = a[0, 1] * a[1, 2] - a[0, 2] * a[1, 1]
    c_21 = a[0, 2] * a[1, 0] - a[0, 0] * a[1, 2]
    c_22 = a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0]
    return (
        (c_00 * b_0 + c_10 * b_1 + c_20 * b_2) / det,
        (c_01 * b_0 + c_11 * b_1 + c_21 * b_2) / det,
        (c_02 * b_0 + c_12 * b_1 + c_22 * b_2) / det,
    )
