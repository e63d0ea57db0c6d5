"""Kernels of the unscented filter of a ball.

State: position (3) [m], velocity (3) [m/s], ln drag [ln 1/m], lift (3) [1/s] (lift
factor times spin), then wind (3) [m/s] if `wind`, then the displacement (u, v) of the
image of each camera [px] if `bias` >= 0, where `bias` is their place.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.dynamics.flight import air_acceleration, flight_leap
from gelenk.dynamics.flight_crossing import first_crossing, surface_slope
from gelenk.estimation.unscented import (
    correct_by_points,
    gather_points,
    spread_points,
)
from gelenk.kernels.compile import kernel
from gelenk.kernels.linear import solve_spd
from gelenk.typing import FloatArray, Vec2, Vec3
from gelenk.vision.sphere import see_sphere

DRAG, LIFT, WIND = 6, 7, 10  # places in the state


@kernel
def _air(x: FloatArray, k: int, wind: bool) -> tuple[float, Vec3, Vec3]:
    """Return drag, lift and wind of the state in row k."""
    lift = (x[k, LIFT], x[k, LIFT + 1], x[k, LIFT + 2])
    air = (0.0, 0.0, 0.0)
    if wind:
        air = (x[k, WIND], x[k, WIND + 1], x[k, WIND + 2])
    return math.exp(x[k, DRAG]), lift, air


@kernel
def ball_predict(
    x: FloatArray,
    P: FloatArray,
    dt: float,
    wind: bool,
    gravity: Vec3,
    density: tuple[float, float, float, float],
    kappa: float,
    max_step: float,
) -> bool:
    """Carry x and P over dt [s]; return whether P was positive definite.

    `density`: of white noise in acceleration, ln drag, lift and wind [unit^2/s].
    """
    n = x.shape[0]
    L, points, Q = np.empty((n, n)), np.empty((2 * n + 1, n)), np.zeros((n, n))
    if not spread_points(x, P, kappa, L, points):
        return False
    for k in range(2 * n + 1):
        drag, lift, air = _air(points, k, wind)
        p = (points[k, 0], points[k, 1], points[k, 2])
        v = (points[k, 3], points[k, 4], points[k, 5])
        p, v = flight_leap(p, v, gravity, drag, lift, air, dt, max_step)
        for i in range(3):
            points[k, i], points[k, 3 + i] = p[i], v[i]
    t = abs(dt)
    for i in range(3):
        Q[i, i] = density[0] * t * t * t / 3.0
        Q[i, 3 + i] = Q[3 + i, i] = density[0] * t * dt / 2.0
        Q[3 + i, 3 + i] = density[0] * t
        Q[LIFT + i, LIFT + i] = density[2] * t
        if wind:
            Q[WIND + i, WIND + i] = density[3] * t
    Q[DRAG, DRAG] = density[1] * t
    gather_points(points, kappa, Q, x, P)
    return True


@kernel
def _sights(
    points: FloatArray,
    camera: FloatArray,
    c: int,
    radius: float,
    bias: int,
    seen: FloatArray,
) -> bool:
    """Write what camera c would see of every point; return whether all are visible."""
    for k in range(points.shape[0]):
        p = (points[k, 0], points[k, 1], points[k, 2])
        u, v, r = see_sphere(camera, c, p, radius)
        if math.isnan(u):
            return False
        if bias >= 0:
            u += points[k, bias + 2 * c]
            v += points[k, bias + 2 * c + 1]
        seen[k, 0], seen[k, 1], seen[k, 2] = u, v, r
    return True


@kernel
def ball_expect(
    x: FloatArray,
    P: FloatArray,
    camera: FloatArray,
    c: int,
    radius: float,
    bias: int,
    R: FloatArray,
    kappa: float,
    z: FloatArray,
    S: FloatArray,
) -> bool:
    """Write the circle expected in camera c and its covariance; or return False."""
    n = x.shape[0]
    L, points, seen = (
        np.empty((n, n)),
        np.empty((2 * n + 1, n)),
        np.empty((2 * n + 1, 3)),
    )
    if not spread_points(x, P, kappa, L, points):
        return False
    if not _sights(points, camera, c, radius, bias, seen):
        return False
    gather_points(seen, kappa, R, z, S)
    return True


@kernel
def ball_update(
    x: FloatArray,
    P: FloatArray,
    circle: FloatArray,
    camera: FloatArray,
    c: int,
    radius: float,
    bias: int,
    R: FloatArray,
    tail: Vec2,
    kappa: float,
    gate: float,
) -> Vec2:
    """Correct x and P by a circle (u, v, r) of camera c.

    `tail`: share of bad numbers and how many times larger their errors are. With a
    tail every number is believed to be good and to be bad at once, each as likely as
    the residual says, and both outcomes are merged.

    Returns:
        nis (with a tail: of bad numbers) and log-likelihood; NaN if the ball may be
        behind the camera.
    """
    n = x.shape[0]
    L, points, seen = (
        np.empty((n, n)),
        np.empty((2 * n + 1, n)),
        np.empty((2 * n + 1, 3)),
    )
    residual, S = np.empty(3), np.empty((3, 3))
    if not spread_points(x, P, kappa, L, points):
        return math.nan, math.nan
    if not _sights(points, camera, c, radius, bias, seen):
        return math.nan, math.nan
    if tail[0] <= 0.0:
        return correct_by_points(x, P, L, seen, circle, R, kappa, residual, S, gate)
    z, D, wide = np.empty(3), np.empty((n, 3)), R * (tail[1] * tail[1])
    gather_points(seen, kappa, wide, z, S)
    w = 0.5 / math.sqrt(n + kappa)
    for i in range(3):
        residual[i] = circle[i] - z[i]
        for k in range(n):
            D[k, i] = w * (seen[1 + k, i] - seen[1 + n + k, i])
    bent = np.diag(S) - np.diag(wide) - np.sum(D * D, axis=0)
    y = residual.copy()
    if not solve_spd(S, y):
        return math.nan, math.nan
    nis = np.dot(residual, y)
    if not nis <= gate:
        return nis, -math.inf
    return nis, _believe_both(x, P, L, D, residual, bent, R, tail)


@kernel
def _believe_both(
    x: FloatArray,
    P: FloatArray,
    L: FloatArray,
    D: FloatArray,
    residual: FloatArray,
    bent: FloatArray,
    R: FloatArray,
    tail: Vec2,
) -> float:
    """Correct x and P number by number; return the log-likelihood.

    In the coordinates of the root the belief is a unit ball, and a number looks along
    a column of D. Merging two corrections along one direction changes the covariance
    along this direction only. `bent`: variance that the curvature of the sight adds.
    """
    n = x.shape[0]
    mean, M = np.zeros(n), np.eye(n)
    total = 0.0
    for i in range(3):
        d = D[:, i].copy()
        Md = np.dot(M, d)
        known = np.dot(d, Md) + max(bent[i], 0.0)
        r = residual[i] - np.dot(d, mean)
        narrow, wide = known + R[i, i], known + R[i, i] * tail[1] * tail[1]
        good = math.log((1.0 - tail[0]) / math.sqrt(narrow)) - 0.5 * r * r / narrow
        bad = math.log(tail[0] / math.sqrt(wide)) - 0.5 * r * r / wide
        top = max(good, bad)
        share = math.exp(good - top) / (math.exp(good - top) + math.exp(bad - top))
        total += top + math.log(math.exp(good - top) + math.exp(bad - top))
        gain = share / narrow + (1.0 - share) / wide
        gap = r * (1.0 / narrow - 1.0 / wide)
        shrink = gain - share * (1.0 - share) * gap * gap
        for a in range(n):
            mean[a] += Md[a] * gain * r
            for b in range(n):
                M[a, b] -= shrink * Md[a] * Md[b]
    x += np.dot(L, mean)
    outer = np.dot(np.dot(L, M), L.T)
    for a in range(n):
        for b in range(n):
            P[a, b] = 0.5 * (outer[a, b] + outer[b, a])
    return total - 1.5 * math.log(2.0 * math.pi)


@kernel
def ball_meet(
    x: FloatArray,
    P: FloatArray,
    surface: FloatArray,
    wind: bool,
    gravity: Vec3,
    density: tuple[float, float, float, float],
    kappa: float,
    horizon: float,
    h: float,
    mean: FloatArray,
    covariance: FloatArray,
) -> float:
    """Write mean and covariance of (t, p, v), where and when the ball meets a surface.

    `density`: of the noise until then, as in `ball_predict`.

    Returns:
        The weight of the points that meet it at all; 0 if the mean does not.
    """
    n = x.shape[0]
    L, points = np.empty((n, n)), np.empty((2 * n + 1, n))
    if not spread_points(x, P, kappa, L, points):
        return 0.0
    met, weight = np.empty((2 * n + 1, 7)), np.zeros(2 * n + 1)
    for k in range(2 * n + 1):
        drag, lift, air = _air(points, k, wind)
        p = (points[k, 0], points[k, 1], points[k, 2])
        v = (points[k, 3], points[k, 4], points[k, 5])
        found, t, p, v = first_crossing(
            surface, 1.0, p, v, gravity, drag, lift, air, horizon, h
        )
        if found:
            weight[k] = kappa / (n + kappa) if k == 0 else 0.5 / (n + kappa)
            met[k, 0] = t
            for i in range(3):
                met[k, 1 + i], met[k, 4 + i] = p[i], v[i]
        elif k == 0:
            return 0.0
    total = weight.sum()
    mean[:] = 0.0
    covariance[:] = 0.0
    for k in range(2 * n + 1):
        if weight[k] > 0.0:
            mean += weight[k] / total * met[k]
    for k in range(2 * n + 1):
        if weight[k] > 0.0:
            for i in range(7):
                for j in range(7):
                    covariance[i, j] += (
                        weight[k]
                        / total
                        * (met[k, i] - mean[i])
                        * (met[k, j] - mean[j])
                    )
    _add_noise(x, surface, wind, gravity, density, mean, covariance)
    return total


@kernel
def _add_noise(
    x: FloatArray,
    surface: FloatArray,
    wind: bool,
    gravity: Vec3,
    density: tuple[float, float, float, float],
    mean: FloatArray,
    covariance: FloatArray,
) -> None:
    """Add to the covariance of (t, p, v) what noise does until the ball arrives.

    Wind and lift that stray by q [unit^2/s] stray the acceleration by B q B^T; over a
    time T a place strays by T^5/20 of that, a velocity by T^3/3, both by T^4/8.
    """
    T = mean[0]
    drag, lift, air = _air(x.reshape(1, -1), 0, wind)
    u = np.empty(3)
    for i in range(3):  # half-way there
        u[i] = 0.5 * (x[3 + i] + mean[4 + i]) - air[i]
    speed = math.sqrt(np.dot(u, u))
    A = np.zeros((3, 3))
    for i in range(3):
        for j in range(3):
            like = 1.0 if i == j else 0.0
            if wind and speed > 0.0:
                # B = drag (|u| + u u^T / |u|), and B B^T:
                square = speed * speed * like + 3.0 * u[i] * u[j]
                A[i, j] += density[3] * drag * drag * square
            A[i, j] += density[2] * (speed * speed * like - u[i] * u[j])
    p, v = (mean[1], mean[2], mean[3]), (mean[4], mean[5], mean[6])
    slope = surface_slope(surface, p, v)
    if slope == 0.0:
        return
    pull = air_acceleration(v, gravity, drag, lift, air)
    # What strays across the surface arrives at another time: J of (t, p, v) by (p, v).
    J = np.zeros((7, 6))
    for j in range(3):
        x_axis, y_axis = 1.0 if j == 0 else 0.0, 1.0 if j == 1 else 0.0
        axis = (x_axis, y_axis, 1.0 if j == 2 else 0.0)
        late = -surface_slope(surface, p, axis) / slope
        J[0, j] = late
        for i in range(3):
            J[1 + i, j] = v[i] * late + axis[i]
            J[4 + i, j] = pull[i] * late
        J[4 + j, 3 + j] = 1.0
    N = np.zeros((6, 6))
    for i in range(3):
        for j in range(3):
            N[i, j] = A[i, j] * T**5 / 20.0
            N[i, 3 + j] = N[3 + i, j] = A[i, j] * T**4 / 8.0
            N[3 + i, 3 + j] = A[i, j] * T**3 / 3.0
        N[i, i] += density[0] * T**3 / 3.0
        N[i, 3 + i] += density[0] * T**2 / 2.0
        N[3 + i, i] += density[0] * T**2 / 2.0
        N[3 + i, 3 + i] += density[0] * T
    covariance += np.dot(J, np.dot(N, J.T))
