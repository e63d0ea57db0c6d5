"""Compiled errors of poses and directions with their derivatives."""

from __future__ import annotations

import math

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.typing import FloatArray

SMALL = 1e-4  # [rad]: below, series instead of quotients
NEAR_PI = 1e-6  # [rad]: nearer to half a turn, the axis comes from R + R^T


def pose_error(
    T: FloatArray, J: FloatArray, target: FloatArray, weight: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the weighted error of a pose, frame axes, and its derivative.

    The error e = log(T^-1 target) changes with the motion by -Jl^-1(e) J_body.

    Args:
        T: Pose of the frame in the base, shape (4, 4).
        J: Jacobian [v; omega] of its origin, base axes, shape (6, n).
        target: Wanted pose in the base, shape (4, 4).
        weight: Weights of the six components, shape (6,).
    """
    error, derivative = np.empty(6), np.empty(J.shape)
    _pose_error(T, J, target, weight, error, derivative)
    return error, derivative


@kernel
def _pose_error(
    T: FloatArray,
    J: FloatArray,
    target: FloatArray,
    weight: FloatArray,
    error: FloatArray,
    derivative: FloatArray,
) -> None:
    E, p = np.empty((3, 3)), np.empty(3)  # T^-1 target
    for i in range(3):
        p[i] = 0.0
        for k in range(3):
            p[i] += T[k, i] * (target[k, 3] - T[k, 3])
        for j in range(3):
            E[i, j] = 0.0
            for k in range(3):
                E[i, j] += T[k, i] * target[k, j]
    w = np.empty(3)
    angle = _rotation_vector(E, w)
    # Jl^-1(w) = 1 - w^ / 2 + c w^ w^; log of the translation: Jl^-1(w) p
    c = _quotient(angle)
    inv = np.empty((3, 3))
    _left_inverse(w, c, inv)
    for i in range(3):
        error[i] = inv[i, 0] * p[0] + inv[i, 1] * p[1] + inv[i, 2] * p[2]
        error[3 + i] = w[i]
    v = error[:3].copy()
    # Jl^-1 of the twist: [inv, B; 0, inv] with B = -inv Q inv
    Q = np.empty((3, 3))
    _coupling(v, w, angle, Q)
    B = np.empty((3, 3))
    half = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            half[i, j] = 0.0
            for k in range(3):
                half[i, j] += Q[i, k] * inv[k, j]
    for i in range(3):
        for j in range(3):
            B[i, j] = 0.0
            for k in range(3):
                B[i, j] -= inv[i, k] * half[k, j]
    for col in range(J.shape[1]):
        # body axes
        v0 = T[0, 0] * J[0, col] + T[1, 0] * J[1, col] + T[2, 0] * J[2, col]
        v1 = T[0, 1] * J[0, col] + T[1, 1] * J[1, col] + T[2, 1] * J[2, col]
        v2 = T[0, 2] * J[0, col] + T[1, 2] * J[1, col] + T[2, 2] * J[2, col]
        o0 = T[0, 0] * J[3, col] + T[1, 0] * J[4, col] + T[2, 0] * J[5, col]
        o1 = T[0, 1] * J[3, col] + T[1, 1] * J[4, col] + T[2, 1] * J[5, col]
        o2 = T[0, 2] * J[3, col] + T[1, 2] * J[4, col] + T[2, 2] * J[5, col]
        for i in range(3):
            linear = inv[i, 0] * v0 + inv[i, 1] * v1 + inv[i, 2] * v2
            linear += B[i, 0] * o0 + B[i, 1] * o1 + B[i, 2] * o2
            angular = inv[i, 0] * o0 + inv[i, 1] * o1 + inv[i, 2] * o2
            derivative[i, col] = -weight[i] * linear
            derivative[3 + i, col] = -weight[3 + i] * angular
    for i in range(6):
        error[i] *= weight[i]


@kernel
def _rotation_vector(R: FloatArray, w: FloatArray) -> float:
    """Write the rotation vector of R; return its length."""
    x, y, z = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    sine = 0.5 * math.sqrt(x * x + y * y + z * z)
    cosine = 0.5 * (R[0, 0] + R[1, 1] + R[2, 2] - 1.0)
    angle = math.atan2(sine, cosine)
    if sine > NEAR_PI or cosine > 0.0:
        factor = 0.5 * (angle / sine if sine > 1e-12 else 1.0)
        w[0], w[1], w[2] = factor * x, factor * y, factor * z
        return angle
    # half a turn: (R + 1) / 2 is the product of the axis with itself
    k = 0
    if R[1, 1] > R[k, k]:
        k = 1
    if R[2, 2] > R[k, k]:
        k = 2
    length = 0.0
    for i in range(3):
        w[i] = 0.5 * (R[i, k] + R[k, i])
        if i == k:
            w[i] += 1.0
        length += w[i] * w[i]
    length = math.sqrt(length)
    sign = 1.0 if x * w[0] + y * w[1] + z * w[2] >= 0.0 else -1.0
    for i in range(3):
        w[i] *= sign * angle / length
    return angle


@kernel
def _quotient(angle: float) -> float:
    """Return (1 - angle / 2 cot(angle / 2)) / angle^2."""
    if angle < SMALL:
        return 1.0 / 12.0 + angle * angle / 720.0
    half = 0.5 * angle
    return (1.0 - half * math.cos(half) / math.sin(half)) / (angle * angle)


@kernel
def _left_inverse(w: FloatArray, c: float, out: FloatArray) -> None:
    """Write 1 - w^ / 2 + c w^ w^."""
    x, y, z = w[0], w[1], w[2]
    square = x * x + y * y + z * z
    for i in range(3):
        for j in range(3):
            out[i, j] = c * w[i] * w[j]
        out[i, i] += 1.0 - c * square
    out[0, 1] += 0.5 * z
    out[0, 2] -= 0.5 * y
    out[1, 0] -= 0.5 * z
    out[1, 2] += 0.5 * x
    out[2, 0] += 0.5 * y
    out[2, 1] -= 0.5 * x


@kernel
def _coupling(v: FloatArray, w: FloatArray, angle: float, out: FloatArray) -> None:
    """Write Q of the left Jacobian of a twist [v; w] (Barfoot, Furgale 2014)."""
    V, W = np.zeros((3, 3)), np.zeros((3, 3))
    for M, u in ((V, v), (W, w)):
        M[0, 1], M[0, 2], M[1, 2] = -u[2], u[1], -u[0]
        M[1, 0], M[2, 0], M[2, 1] = u[2], -u[1], u[0]
    a2 = angle * angle
    if angle < 0.02:  # the quotients below lose digits
        f1 = 1.0 / 6.0 - a2 / 120.0 + a2 * a2 / 5040.0
        f2 = 1.0 / 24.0 - a2 / 720.0 + a2 * a2 / 40320.0
        f3 = 1.0 / 120.0 - a2 / 2520.0
    else:
        sine, cosine = math.sin(angle), math.cos(angle)
        f1 = (angle - sine) / (a2 * angle)
        f2 = (a2 + 2.0 * cosine - 2.0) / (2.0 * a2 * a2)
        f3 = (2.0 * angle - 3.0 * sine + angle * cosine) / (2.0 * a2 * a2 * angle)
    WV, VW = W @ V, V @ W
    WVW = WV @ W
    out[:, :] = (
        0.5 * V
        + f1 * (WV + VW + WVW)
        + f2 * (W @ WV + VW @ W - 3.0 * WVW)
        + f3 * (WVW @ W + W @ WVW)
    )


def look_error(
    T: FloatArray, J: FloatArray, point: FloatArray, axis: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the rotation that turns an axis towards a point, and its derivative.

    The error is the rotation vector in base axes, without turns about the axis.

    Args:
        T: Pose of the frame in the base, shape (4, 4).
        J: Jacobian [v; omega], base axes, shape (6, n).
        point: Place to be looked at, base axes [m], shape (3,).
        axis: Unit direction of sight, frame axes, shape (3,).
    """
    a = T[:3, :3] @ axis
    way = point - T[:3, 3]
    distance = math.sqrt(float(way @ way))
    d = way / distance
    turn = np.cross(a, d)
    sine = math.sqrt(float(turn @ turn))
    angle = math.atan2(sine, float(a @ d))
    factor = angle / sine if sine > 1e-9 else 1.0
    # first order: the direction of sight turns with the frame, that of the point with
    # the frame's place
    away = np.eye(3) - np.outer(a, a)
    moves = -np.cross(d, J[:3].T / distance).T
    return factor * turn, away @ (moves - J[3:])
