"""Tracking a pose by landmarks of known place: extended or unscented Kalman filter.

Motion of a unicycle, x⁻ = x + (v cos θ, v sin θ, ω) dt, P⁻ = A P Aᵀ + Q with A at the
old mean; sight of landmark m, h = (|m - p|, atan2(m_y - y, m_x - x) - θ). The loop over
steps and landmarks is compiled.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gelenk.checks import as_array, as_finite, as_kernel_array
from gelenk.errors import ConfigError, ShapeError
from gelenk.estimation.kalman import Belief
from gelenk.estimation.unscented import KAPPA
from gelenk.navigation.landmark_kernels import extended_track, unscented_track
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LandmarkTrack:
    """A pose along its way, after each step and its sights.

    Attributes:
        mean: (x [m], y [m], θ [rad]), shape (..., T, 3).
        covariance: Shape (..., T, 3, 3).
        nis: Of each sight, NaN where nothing was seen, shape (..., T, m).
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
    """Return where a robot was, from its commands and what it saw.

    Args:
        belief: Before the first step.
        controls: v [m/s] and ω [rad/s] of each step, shape (..., T, 2).
        readings: Range [m] and bearing [rad]; NaN: not seen, shape (..., T, m, 2).
        landmarks: Known places [m], shape (m, 2).
        dt: Time of a step [s].
        Q: Covariance of the noise of a step, shape (3, 3).
        R: Covariance of the noise of a reading, shape (2, 2).
        gate: Largest nis that is believed, see `kalman.chi2_gate`.
        method: Which filter.

    Example:
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
