"""The few equations that all closed solutions are made of.

Angles travel as (cos, sin): no inverse function is needed before the end, and none of
its branches can be missed.
"""

from __future__ import annotations

import math

from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import cross, dot, scaled, sub
from gelenk.typing import Vec3

FREE = 1e-11  # coefficients below leave the unknown free [m], [m^2] or without unit
FREE_GAP = 1e-8  # the rest that such an equation may leave before it is a contradiction
NOISE = 1e-12  # overshoot that rounding alone may cause [m], [m^2] or without unit
CLIP = 1e-7  # relative overshoot of a cosine that counts as 1; the pose check decides


@kernel
def rotated(z: Vec3, c: float, s: float, v: Vec3) -> Vec3:
    """Return v turned about the unit axis z by the angle with cosine c and sine s."""
    d = (1.0 - c) * (z[0] * v[0] + z[1] * v[1] + z[2] * v[2])
    return (
        c * v[0] + s * (z[1] * v[2] - z[2] * v[1]) + d * z[0],
        c * v[1] + s * (z[2] * v[0] - z[0] * v[2]) + d * z[1],
        c * v[2] + s * (z[0] * v[1] - z[1] * v[0]) + d * z[2],
    )


@kernel
def across(z: Vec3, v: Vec3) -> Vec3:
    """Return the part of v perpendicular to the unit axis z."""
    return sub(v, scaled(dot(z, v), z))


@kernel
def turn_from_to(z: Vec3, v: Vec3, w: Vec3) -> tuple[bool, float, float]:
    """Return whether the angle is determined and (cos, sin) of the turn from v to w.

    Only the parts perpendicular to z count; they are formed first because the products
    of the whole vectors would cancel where v is almost parallel to z.
    """
    a, b = across(z, v), across(z, w)
    if dot(a, a) <= FREE * FREE or dot(b, b) <= FREE * FREE:
        return False, 1.0, 0.0
    c, s = dot(a, b), dot(z, cross(a, b))
    i = 1.0 / math.sqrt(c * c + s * s)
    return True, c * i, s * i


@kernel
def solve_cosine(
    a: float, b: float, k: float
) -> tuple[int, float, float, float, float]:
    """Solve a cos x + b sin x = k.

    Returns:
        Number of solutions (2, 0, or -1 if every angle is one), then (cos, sin) twice.
    """
    r2 = a * a + b * b
    if r2 <= FREE * FREE:
        return (-1 if abs(k) <= FREE_GAP else 0), 1.0, 0.0, 1.0, 0.0
    r = math.sqrt(r2)
    gap = (r - k) * (r + k)
    if gap < 0.0:
        if abs(k) > r + CLIP * r + NOISE:
            return 0, 1.0, 0.0, 1.0, 0.0
        k, gap = math.copysign(r, k), 0.0
    i, root = 1.0 / r2, math.sqrt(gap)
    ak, bk, ar, br = a * k * i, b * k * i, a * root * i, b * root * i
    return 2, ak - br, bk + ar, ak + br, bk - ar


@kernel
def solve_quadratic(
    a: float, b: float, k: float
) -> tuple[int, float, float, float, float]:
    """Solve a x + b x^2 = k.

    Returns:
        Number of solutions (2, 1, 0, or -1 if every x is one), then (x, x^2) twice.
    """
    if abs(b) <= FREE:
        if abs(a) <= FREE:
            return (-1 if abs(k) <= FREE_GAP else 0), 0.0, 0.0, 0.0, 0.0
        x = k / a
        return 1, x, x * x, x, x * x
    gap = a * a + 4.0 * b * k
    if gap < 0.0:
        if gap < -CLIP * a * a - NOISE:
            return 0, 0.0, 0.0, 0.0, 0.0
        gap = 0.0
    h = -0.5 * (a + math.copysign(math.sqrt(gap), a))
    x = h / b
    y = -k / h if h != 0.0 else x
    return 2, x, x * x, y, y * y


@kernel
def solve_end(
    kind: float, a: float, b: float, k: float
) -> tuple[int, float, float, float, float]:
    """Solve for a joint: by its (cos, sin) if revolute, by (x, x^2) if prismatic."""
    if kind != 0.0:
        return solve_cosine(a, b, k)
    return solve_quadratic(a, b, k)


@kernel
def solve_cone(
    h: Vec3, z: Vec3, y: Vec3, n: Vec3, kappa_minus: float, kappa_plus: float
) -> tuple[int, float, float, float, float]:
    """Find the turns about z that give y the angle to h that n has to h; all unit.

    With alpha = angle(h, z), beta = angle(z, y), gamma = angle(h, n), solutions exist
    while |alpha - beta| <= gamma <= alpha + beta. The discriminant is a product of
    two half-angle factors; written with |n - h| and |n + h| they keep full precision
    where gamma tends to 0 or pi, which is where wrists become singular. `kappa_minus`
    is cos(alpha - beta) - 1, `kappa_plus` is -cos(alpha + beta) - 1.

    Returns:
        Number of solutions (2, 0, or -1 if every angle is one), then (cos, sin) twice.
    """
    hz, zy = dot(h, z), dot(z, y)
    a = dot(h, y) - hz * zy
    b = dot(h, cross(z, y))
    r2 = a * a + b * b
    k = dot(h, n) - hz * zy
    if r2 <= FREE * FREE:
        return (-1 if abs(k) <= FREE_GAP else 0), 1.0, 0.0, 1.0, 0.0
    d = sub(n, h)
    e = (n[0] + h[0], n[1] + h[1], n[2] + h[2])
    gap = (kappa_minus + 0.5 * dot(d, d)) * (kappa_plus + 0.5 * dot(e, e))
    if gap < 0.0:
        if gap < -CLIP * r2:
            return 0, 1.0, 0.0, 1.0, 0.0
        gap = 0.0
    root = math.sqrt(gap)
    # k and root are r cos and r sin of one angle up to rounding: make them so.
    i = 1.0 / math.sqrt(r2 * (k * k + gap))
    ak, bk, ar, br = a * k * i, b * k * i, a * root * i, b * root * i
    return 2, ak - br, bk + ar, ak + br, bk - ar
