"""Kalman filter of a thrown ball: where it flies, and how surely.

Without air the flight is linear in the state x = (p, v), so that the filter is exact:
what it says about its errors is true, which its tests check by statistics.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gelenk.typing import ArrayLike, FloatArray

GRAVITY = np.array([0.0, 0.0, -9.81])  # [m/s^2]
UNKNOWN_SPEED = 10.0  # [m/s], standard deviation before anything was measured


class Estimate(NamedTuple):
    """Knowledge of a flying ball.

    Attributes:
        mean: Position [m] and velocity [m/s], shape (6,).
        covariance: Covariance of position and velocity, shape (6, 6).
        num_measured: Measurements so far.
    """

    mean: FloatArray
    covariance: FloatArray
    num_measured: int


class FlightPrediction(NamedTuple):
    """The flight to come.

    Attributes:
        times: Times from now [s], shape (n,).
        points: Positions [m], shape (n, 3).
        sigmas: Standard deviation in the worst direction [m], shape (n,).
    """

    times: FloatArray
    points: FloatArray
    sigmas: FloatArray


def begin(measured: ArrayLike, sigma: float) -> Estimate:
    """Return what the first measurement of a position says.

    Args:
        measured: Position [m], shape (3,).
        sigma: Its standard deviation in each axis [m].
    """
    mean = np.concatenate([np.asarray(measured, dtype=np.float64), np.zeros(3)])
    variances = np.repeat([sigma**2, UNKNOWN_SPEED**2], 3)
    return Estimate(mean, np.diag(variances), 1)


def advance(estimate: Estimate, dt: float) -> Estimate:
    """Return an estimate some time later [s], without a measurement."""
    F = transition(dt)
    mean = F @ estimate.mean
    mean[:3] += 0.5 * dt**2 * GRAVITY
    mean[3:] += dt * GRAVITY
    return estimate._replace(mean=mean, covariance=F @ estimate.covariance @ F.T)


def correct(estimate: Estimate, measured: ArrayLike, sigma: float) -> Estimate:
    """Return an estimate after a measurement of the position, as of `begin`."""
    P = estimate.covariance
    S = P[:3, :3] + sigma**2 * np.eye(3)
    K = np.linalg.solve(S, P[:3]).T  # gain, (6, 3)
    mean = estimate.mean + K @ (np.asarray(measured) - estimate.mean[:3])
    # Joseph's form stays symmetric and positive.
    A = np.eye(6)
    A[:, :3] -= K
    covariance = A @ P @ A.T + sigma**2 * K @ K.T
    return Estimate(mean, covariance, estimate.num_measured + 1)


def transition(dt: float) -> FloatArray:
    """Return how position and velocity carry on over a time [s], shape (6, 6)."""
    F = np.eye(6)
    F[:3, 3:] = dt * np.eye(3)
    return F


def predict(estimate: Estimate, height: float, *, count: int = 24) -> FlightPrediction:
    """Return the flight until the ball comes down to a height [m].

    Args:
        estimate: Estimate of this moment.
        height: Height of the middle of the ball where it lands [m].
        count: Points of the prediction.
    """
    end = time_to_land(estimate, height)
    times = np.linspace(0.0, end, count)
    later = [advance(estimate, float(t)) for t in times]
    points = np.array([item.mean[:3] for item in later])
    worst = [np.linalg.eigvalsh(item.covariance[:3, :3])[-1] for item in later]
    return FlightPrediction(times, points, np.sqrt(np.maximum(worst, 0.0)))


def time_to_land(estimate: Estimate, height: float) -> float:
    """Return when the ball comes down to a height, from now [s]; 0 if it is below."""
    g, drop, speed = -GRAVITY[2], estimate.mean[2] - height, estimate.mean[5]
    root = speed**2 + 2.0 * g * drop
    return max((speed + math.sqrt(max(root, 0.0))) / g, 0.0)


def aim(start: ArrayLike, target: ArrayLike, peak: float) -> FloatArray:
    """Return the velocity that brings a ball to a target over a peak [m/s], (3,).

    Args:
        start: Point where the ball is let go [m], shape (3,).
        target: Point where the ball lands [m], shape (3,).
        peak: Highest point of the flight [m], above both.

    Example:
        >>> print(aim([0.0, 0.0, 1.0], [2.0, 0.0, 1.0], 1.0 + 9.81 / 8.0))
        [2.    0.    4.905]
    """
    p0, p1 = np.asarray(start, dtype=np.float64), np.asarray(target, dtype=np.float64)
    g = -GRAVITY[2]
    up, down = math.sqrt(2.0 * (peak - p0[2]) / g), math.sqrt(2.0 * (peak - p1[2]) / g)
    velocity = (p1 - p0) / (up + down)
    velocity[2] = g * up
    return velocity
