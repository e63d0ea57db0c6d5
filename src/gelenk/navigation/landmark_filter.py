"""Kalman filters, extended and unscented, of a unicycle that sees known landmarks.

Motion of a unicycle, x⁻ = x + (v cos θ, v sin θ, ω) dt, P⁻ = A P Aᵀ + Q with A at the
old mean; measurement of landmark m, h = (|m - p|, atan2(m_y - y, m_x - x) - θ). The
loop over steps and landmarks is compiled.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gelenk.checks import as_array, as_finite, as_kernel_array
from gelenk.errors import ConfigError, ShapeError
from gelenk.estimation.kalman import Belief
from gelenk.estimation.unscented import (
    KAPPA,
    correct_by_points,
    gather_points,
    spread_points,
)
from gelenk.kernels.compile import kernel
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, FloatArray


@kernel
def _near(angle: float, reference: float) -> float:
    """Return the angle plus whole turns, at most half a turn from a reference."""
    two_pi = 2.0 * math.pi
    return angle - two_pi * math.floor((angle - reference) / two_pi + 0.5)


@kernel
def extended_track(
    x: FloatArray,
    P: FloatArray,
    controls: FloatArray,
    dt: float,
    Q: FloatArray,
    landmarks: FloatArray,
    readings: FloatArray,
    R: FloatArray,
    gate: float,
    means: FloatArray,
    covariances: FloatArray,
    nis: FloatArray,
) -> None:
    """Run the extended filter along a whole path.

    Args:
        x: First mean (x, y, θ), shape (3,); changed.
        P: First covariance, shape (3, 3); changed.
        controls: v [m/s], ω [rad/s] of each step, shape (T, 2).
        dt: Time of a step [s].
        Q: Covariance of a step's noise, shape (3, 3).
        landmarks: Known places [m], shape (m, 2).
        readings: Range [m] and bearing [rad], NaN: not seen, shape (T, m, 2).
        R: Covariance of a reading, shape (2, 2).
        gate: Largest nis that is believed.
        means: Written, shape (T, 3).
        covariances: Written, shape (T, 3, 3).
        nis: Written, NaN where nothing was seen, shape (T, m).
    """
    for t in range(controls.shape[0]):
        way = controls[t, 0] * dt
        c, s = way * math.cos(x[2]), way * math.sin(x[2])
        x[0] += c
        x[1] += s
        x[2] += controls[t, 1] * dt
        # P <- A P A^T + Q with A = 1 but for A[0, 2] = -s and A[1, 2] = c.
        p02, p12, p22 = P[0, 2], P[1, 2], P[2, 2]
        P[0, 0] += -2.0 * s * p02 + s * s * p22 + Q[0, 0]
        P[0, 1] += c * p02 - s * p12 - s * c * p22 + Q[0, 1]
        P[1, 1] += 2.0 * c * p12 + c * c * p22 + Q[1, 1]
        P[0, 2] = p02 - s * p22 + Q[0, 2]
        P[1, 2] = p12 + c * p22 + Q[1, 2]
        P[2, 2] = p22 + Q[2, 2]
        P[1, 0], P[2, 0], P[2, 1] = P[0, 1], P[0, 2], P[1, 2]
        for k in range(landmarks.shape[0]):
            nis[t, k] = math.nan
            if not math.isnan(readings[t, k, 0]):
                nis[t, k] = _extended_correct(
                    x, P, landmarks[k], readings[t, k], R, gate
                )
        means[t] = x
        covariances[t] = P


@kernel
def _extended_correct(
    x: FloatArray,
    P: FloatArray,
    landmark: FloatArray,
    z: FloatArray,
    R: FloatArray,
    gate: float,
) -> float:
    """Correct by one range and bearing; return the nis."""
    dx, dy = landmark[0] - x[0], landmark[1] - x[1]
    q = dx * dx + dy * dy
    r = math.sqrt(q)
    h00, h01 = -dx / r, -dy / r
    h10, h11 = dy / q, -dx / q  # and -1 for the heading
    e0 = z[0] - r
    e1 = _near(z[1] - math.atan2(dy, dx) + x[2], 0.0)
    a0, b0 = np.empty(3), np.empty(3)
    for i in range(3):  # P H^T, one column for each number of the reading
        a0[i] = P[i, 0] * h00 + P[i, 1] * h01
        b0[i] = P[i, 0] * h10 + P[i, 1] * h11 - P[i, 2]
    s00 = h00 * a0[0] + h01 * a0[1] + R[0, 0]
    s01 = h00 * b0[0] + h01 * b0[1] + R[0, 1]
    s11 = h10 * b0[0] + h11 * b0[1] - b0[2] + R[1, 1]
    det = s00 * s11 - s01 * s01
    i00, i01, i11 = s11 / det, -s01 / det, s00 / det
    nis = e0 * (i00 * e0 + i01 * e1) + e1 * (i01 * e0 + i11 * e1)
    if not nis <= gate:
        return nis
    K = np.empty((3, 2))
    for i in range(3):
        K[i, 0] = a0[i] * i00 + b0[i] * i01
        K[i, 1] = a0[i] * i01 + b0[i] * i11
        x[i] += K[i, 0] * e0 + K[i, 1] * e1
    # Joseph's form written out: P - K D^T - D K^T + K S K^T, D = P H^T.
    for i in range(3):
        for j in range(i + 1):
            P[i, j] += (
                -K[i, 0] * a0[j]
                - K[i, 1] * b0[j]
                - a0[i] * K[j, 0]
                - b0[i] * K[j, 1]
                + K[i, 0] * (s00 * K[j, 0] + s01 * K[j, 1])
                + K[i, 1] * (s01 * K[j, 0] + s11 * K[j, 1])
            )
            P[j, i] = P[i, j]
    return nis


@kernel
def unscented_track(
    x: FloatArray,
    P: FloatArray,
    controls: FloatArray,
    dt: float,
    Q: FloatArray,
    landmarks: FloatArray,
    readings: FloatArray,
    R: FloatArray,
    gate: float,
    means: FloatArray,
    covariances: FloatArray,
    nis: FloatArray,
    kappa: float,
) -> bool:
    """Run the unscented filter along a whole path; arguments as `extended_track`.

    Returns:
        Whether all covariances had a root.
    """
    L, points, seen = np.empty((3, 3)), np.empty((7, 3)), np.empty((7, 2))
    z, residual, S = np.empty(2), np.empty(2), np.empty((2, 2))
    for t in range(controls.shape[0]):
        if not spread_points(x, P, kappa, L, points):
            return False
        for k in range(7):
            heading = points[k, 2]
            points[k, 0] += controls[t, 0] * dt * math.cos(heading)
            points[k, 1] += controls[t, 0] * dt * math.sin(heading)
            points[k, 2] += controls[t, 1] * dt
        gather_points(points, kappa, Q, x, P)
        for m in range(landmarks.shape[0]):
            nis[t, m] = math.nan
            if math.isnan(readings[t, m, 0]):
                continue
            if not spread_points(x, P, kappa, L, points):
                return False
            for k in range(7):
                dx = landmarks[m, 0] - points[k, 0]
                dy = landmarks[m, 1] - points[k, 1]
                seen[k, 0] = math.sqrt(dx * dx + dy * dy)
                bearing = math.atan2(dy, dx) - points[k, 2]
                seen[k, 1] = bearing if k == 0 else _near(bearing, seen[0, 1])
            z[0], z[1] = readings[t, m, 0], _near(readings[t, m, 1], seen[0, 1])
            fit = correct_by_points(x, P, L, seen, z, R, kappa, residual, S, gate)
            nis[t, m] = fit[0]
        means[t] = x
        covariances[t] = P
    return True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LandmarkTrack:
    """A pose along its path, after each step and its measurements.

    Attributes:
        mean: Poses (x [m], y [m], θ [rad]), shape (..., T, 3).
        covariance: Covariances of the poses, shape (..., T, 3, 3).
        nis: Normalised innovation squared of each measurement, NaN where nothing was
            seen, shape (..., T, m).
    """

    mean: FloatArray
    covariance: FloatArray
    nis: FloatArray


def track_landmarks(
    belief: Belief,
    controls: ArrayLike,
    readings: ArrayLike,
    landmarks: ArrayLike,
    *,
    dt: float,
    Q: ArrayLike,
    R: ArrayLike,
    gate: float = math.inf,
    method: Literal["extended", "unscented"] = "extended",
) -> LandmarkTrack:
    """Return the poses of a robot from its commands and measured landmarks.

    Args:
        belief: Belief before the first step.
        controls: v [m/s] and ω [rad/s] of each step, shape (..., T, 2).
        readings: Range [m] and bearing [rad]; NaN: not seen, shape (..., T, m, 2).
        landmarks: Known places [m], shape (m, 2).
        dt: Time of a step [s].
        Q: Covariance of the noise of a step, shape (3, 3).
        R: Covariance of the noise of a reading, shape (2, 2).
        gate: Largest nis that is believed, see `kalman.chi2_gate`.
        method: Kind of Kalman filter.

    Example:
        >>> from gelenk.navigation import track_landmarks
        >>> from gelenk.estimation import Belief
        >>> start = Belief(mean=[1, 2, np.pi / 6], covariance=np.diag([.01, .01, .005]))
        >>> track = track_landmarks(
        ...     start, [[0.5, 0.2]], [[[3.7, 0.05]]], [[4.0, 5.0]], dt=1.0,
        ...     Q=np.diag([1e-3, 1e-3, 5e-4]), R=np.diag([0.01, 0.0025]),
        ... )
        >>> print(track.mean[0].round(6), track.nis.round(6))
        [1.437873 2.292336 0.752227] [[0.371505]]
    """
    places = as_kernel_array(as_finite("landmarks", landmarks, (2,)))
    u = as_finite("controls", controls, (2,))
    z = as_array("readings", readings, (len(places), 2))
    if z.shape[:-2] != u.shape[:-1]:
        expected = f"{(*u.shape[:-1], len(places), 2)}"
        raise ShapeError("readings", expected=expected, actual=z.shape)
    if belief.mean.shape != (3,):
        raise ShapeError("belief.mean", expected="(3,)", actual=belief.mean.shape)
    steps = u.shape[-2]
    motion = as_kernel_array(as_finite("Q", Q, (3, 3)))
    sight = as_kernel_array(as_finite("R", R, (2, 2)))
    runs_u, runs_z = u.reshape(-1, steps, 2), z.reshape(-1, steps, len(places), 2)
    means = np.empty((len(runs_u), steps, 3))
    covariances = np.empty((len(runs_u), steps, 3, 3))
    nis = np.empty((len(runs_u), steps, len(places)))
    for k in range(len(runs_u)):
        arguments = (
            np.array(belief.mean), np.array(belief.covariance),
            as_kernel_array(runs_u[k]), float(dt), motion, places,
            as_kernel_array(runs_z[k]), sight, float(gate),
            means[k], covariances[k], nis[k],
        )  # fmt: skip
        if method == "extended":
            extended_track(*arguments)
        elif not unscented_track(*arguments, KAPPA):
            raise ConfigError("a covariance is not positive definite; is Q or R zero?")
    means[..., 2] = wrap_angle(means[..., 2])
    lead = u.shape[:-2]
    return LandmarkTrack(
        mean=means.reshape(*lead, steps, 3),
        covariance=covariances.reshape(*lead, steps, 3, 3),
        nis=nis.reshape(*lead, steps, len(places)),
    )
