"""Speed from positions: differences amplify noise, filters delay; both have a price."""

from __future__ import annotations

import math

import numpy as np
from scipy.signal import lfilter, savgol_filter

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray


def filtered_rate(
    positions: ArrayLike, *, dt: float, smoothing: float = 0.8
) -> FloatArray:
    """Return v_k = α v_{k-1} + (1 - α) (q_k - q_{k-1}) / T, shape (k,).

    Args:
        positions: q, even samples [rad] or [m], shape (k,).
        dt: T [s].
        smoothing: α in [0, 1): more is smoother and later.

    Example:
        >>> print(filtered_rate([0.0, 1.0, 2.0, 3.0], dt=1.0, smoothing=0.5))
        [0.    0.5   0.75  0.875]
    """
    if not 0.0 <= smoothing < 1.0:
        raise ConfigError(f"`smoothing` must lie in [0, 1), got {smoothing}")
    q = as_finite("positions", positions, ())
    raw = np.diff(q, prepend=q[0]) / dt
    return np.asarray(lfilter([1.0 - smoothing], [1.0, -smoothing], raw))


def rate_price(smoothing: float, *, dt: float, noise: float) -> tuple[float, float]:
    """Return noise and lag of `filtered_rate`: standard deviation [1/s], delay [s].

    σ_v = (σ / T) (1 - α) √(2 / (1 + α)); delay T/2 of the difference plus
    α T / (1 - α) of the filter.

    Args:
        smoothing: α.
        dt: T [s].
        noise: σ of each position.

    Example:
        >>> sigma, delay = rate_price(0.8, dt=1e-3, noise=1e-4)
        >>> print(round(sigma, 6), round(delay, 6))
        0.021082 0.0045
    """
    sigma = noise / dt * (1.0 - smoothing) * math.sqrt(2.0 / (1.0 + smoothing))
    return sigma, 0.5 * dt + smoothing * dt / (1.0 - smoothing)


def local_polynomial_rate(
    positions: ArrayLike, *, dt: float, window: int = 11, order: int = 3
) -> FloatArray:
    """Return the slope of polynomials fitted to windows (Savitzky-Golay), shape (k,).

    Exact for polynomials up to its order; looks half a window ahead, so in real time
    it is late by that.
    """
    q = as_finite("positions", positions, ())
    return np.asarray(savgol_filter(q, window, order, deriv=1, delta=dt))


def counted_rate(
    counts: ArrayLike, times: ArrayLike, *, resolution: float
) -> FloatArray:
    """Return speeds by counts over exact times (M/T method) [rad/s], shape (k - 1,).

    Between two samples: counts passed, divided by the time between their last edges.
    Good at high speed as counting is, and at low speed as timing is.

    Args:
        counts: At each sample, shape (k,).
        times: Of the last edge before each sample [s], shape (k,).
        resolution: Angle of one count [rad].

    Example:
        >>> print(counted_rate([0, 2, 5], [0.0, 0.1, 0.25], resolution=0.01))
        [0.2 0.2]
    """
    passed = np.diff(np.asarray(counts, np.float64)) * resolution
    gap = np.diff(as_finite("times", times, ()))
    return np.where(passed == 0.0, 0.0, passed / np.where(gap > 0.0, gap, 1.0))
