"""Angle sensors: encoders, resolvers, potentiometers, and speeds derived from them.

Differences of positions amplify noise, filters delay; both have a price.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.signal import lfilter, savgol_filter

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.kernels.compile import kernel
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray
from gelenk.vision.depth_cameras import gray_code, number_from_gray

# Step of the count between two states of the tracks, 2 A + B; 2: both changed at once.
_STEPS = np.array([[0, -1, 1, 2], [1, 0, 2, -1], [-1, 2, 0, 1], [2, 1, -1, 0]])


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EncoderTracks:
    """Signals of an incremental encoder's light barriers; arrays of one shape.

    Attributes:
        a: First track.
        b: Second track, a quarter of a line later; tells the direction.
        index: Third track: once per turn.
    """

    a: BoolArray
    b: BoolArray
    index: BoolArray


def encoder_tracks(angle: ArrayLike, lines: int) -> EncoderTracks:
    """Return the tracks of an encoder disc at angles [rad], any shape.

    Args:
        angle: Angle of the disc [rad].
        lines: Number of lines per turn.
    """
    if lines < 1:
        raise ConfigError(f"an encoder needs at least one line, got {lines}")
    quarter = np.floor(np.asarray(angle, np.float64) * 4 * lines / (2 * np.pi))
    state = np.mod(quarter, 4)
    return EncoderTracks(
        a=np.asarray((state == 1) | (state == 2)),
        b=np.asarray((state == 2) | (state == 3)),
        index=np.asarray(np.mod(quarter, 4 * lines) == 0),
    )


def count_single_track(a: ArrayLike) -> IntArray:
    """Return the edges counted so far on one track, shape (k,): no direction.

    Example:
        >>> print(count_single_track([False, True, True, False, True]))
        [0 1 1 2 3]
    """
    track = np.asarray(a, np.bool_)
    return np.concatenate([[0], np.cumsum(track[1:] != track[:-1])]).astype(np.int64)


def count_quadrature(a: ArrayLike, b: ArrayLike) -> tuple[IntArray, BoolArray]:
    """Return the signed count of two tracks, four per line, and which steps are wrong.

    Both tracks changing at once cannot happen: a sample was missed. It counts as none.

    Args:
        a: First track, shape (k,).
        b: Second track, shape (k,).

    Example:
        >>> from gelenk.sensing import count_quadrature
        >>> a, b = [0, 1, 1, 0, 0, 0], [0, 0, 1, 1, 0, 1]
        >>> counts, wrong = count_quadrature(a, b)
        >>> print(counts, wrong.any())
        [0 1 2 3 4 3] False
    """
    state = 2 * np.asarray(a, np.int64) + np.asarray(b, np.int64)
    step = _STEPS[state[:-1], state[1:]]
    wrong = np.concatenate([[False], step == 2])
    step = np.where(step == 2, 0, step)
    return np.concatenate([[0], np.cumsum(step)]).astype(np.int64), wrong


def encoder_resolution(lines: int, *, tracks: int = 2) -> float:
    """Return the smallest step [rad]: four counts per line, two with one track.

    Example:
        >>> round(float(np.degrees(encoder_resolution(1024))), 6)
        0.087891
    """
    if tracks not in (1, 2, 3):
        raise ConfigError(f"`tracks` must be 1, 2 or 3, got {tracks}")
    return 2.0 * np.pi / (lines * (2 if tracks == 1 else 4))


def home_count(counts: ArrayLike, index: ArrayLike) -> int | None:
    """Return the count at the index mark: where zero is; None if it was not passed.

    An incremental encoder knows no start; it must be driven over its mark once. The
    mark is met at its edge with the smaller count, from whichever side one comes.
    """
    marks = np.flatnonzero(np.asarray(index, np.bool_))
    return int(np.asarray(counts)[marks].min()) if len(marks) else None


def encoder_word(angle: ArrayLike, bits: int) -> IntArray:
    """Return the Gray code of an absolute encoder, shape (...).

    Neighbours differ in one bit: a disc between two positions reads one of them, never
    a third.

    Example:
        >>> [format(int(w), "03b") for w in encoder_word(np.arange(4) * np.pi / 4, 3)]
        ['000', '001', '011', '010']
    """
    share = np.mod(np.asarray(angle, np.float64) / (2.0 * np.pi), 1.0)
    return gray_code(np.floor(share * 2**bits + 1e-9).astype(np.int64) % 2**bits)


def angle_from_word(word: ArrayLike, bits: int) -> FloatArray:
    """Return the middle of the step that a code word means [rad], shape (...)."""
    return (number_from_gray(word) + 0.5) * (2.0 * np.pi / 2**bits)


def resolver_signals(
    angle: ArrayLike, t: ArrayLike, *, carrier: float, amplitude: float = 1.0
) -> FloatArray:
    """Return (U_s, U_c) = U (sin θ, cos θ) sin ωt of a resolver [V], shape (..., 2).

    Args:
        angle: Angle θ of the shaft [rad], shape (...).
        t: Times [s], shape (...).
        carrier: Frequency of the excitation [Hz].
        amplitude: Amplitude U of the supply [V].
    """
    theta = np.asarray(angle, np.float64)
    wave = amplitude * np.sin(2.0 * np.pi * carrier * np.asarray(t, np.float64))
    return np.stack([np.sin(theta) * wave, np.cos(theta) * wave], axis=-1)


def resolver_angle(signals: ArrayLike, t: ArrayLike, *, carrier: float) -> float:
    """Return the angle that samples of whole carrier periods show [rad].

    Multiplied by the carrier and summed, both windings become numbers: θ = atan2.

    Args:
        signals: Signals (U_s, U_c), shape (k, 2).
        t: Times of the signals [s], shape (k,).
        carrier: Frequency of the carrier [Hz].

    Example:
        >>> t = np.arange(40) / 40e3
        >>> signals = resolver_signals(0.7, t, carrier=4e3)
        >>> round(resolver_angle(signals, t, carrier=4e3), 9)
        0.7
    """
    wave = np.sin(2.0 * np.pi * carrier * np.asarray(t, np.float64))
    sine, cosine = wave @ np.asarray(signals, np.float64)
    return float(np.arctan2(sine, cosine))


def track_resolver(
    sine: ArrayLike, cosine: ArrayLike, *, dt: float, bandwidth: float
) -> tuple[FloatArray, FloatArray]:
    """Return angle [rad] and rate [rad/s] by a tracking loop, shapes (k,).

    The error sin θ cos θ̂ - cos θ sin θ̂ = sin(θ - θ̂) drives two integrators,
    critically damped: no lag at constant speed.

    Args:
        sine: Demodulated sin θ, shape (k,).
        cosine: Demodulated cos θ, shape (k,).
        dt: Time between samples [s].
        bandwidth: Bandwidth of the loop [rad/s].
    """
    s, c = np.asarray(sine, np.float64), np.asarray(cosine, np.float64)
    angle, rate = float(np.arctan2(s[0], c[0])), 0.0
    angles, rates = np.empty(len(s)), np.empty(len(s))
    for k in range(len(s)):
        error = float(s[k] * np.cos(angle) - c[k] * np.sin(angle))
        angles[k], rates[k] = angle, rate
        rate += dt * bandwidth**2 * error
        angle += dt * (rate + 2.0 * bandwidth * error)
    return angles, rates


@kernel
def quantised(value: float, step: float) -> float:
    """Return the multiple of `step` nearest to a value; ties go up.

    Example:
        >>> quantised(0.37, 0.25)
        0.25
    """
    return step * np.floor(value / step + 0.5)


@kernel
def saturated(value: float, low: float, high: float) -> float:
    """Return a value clipped to what a converter can express."""
    return np.minimum(np.maximum(value, low), high)


@kernel
def wiper_share(angle: float, low: float, high: float, load_ratio: float) -> float:
    """Return the share of the supply voltage at the wiper of a potentiometer.

    Unloaded it is (angle - low) / (high - low); a load of R_load draws current through
    the track and pulls the voltage down by the factor 1 / (1 + x (1 - x) R / R_load).

    Args:
        angle: Angle [rad].
        low: Angle at which the wiper reaches 0 V [rad].
        high: Angle at which it reaches the supply voltage [rad].
        load_ratio: R / R_load; 0: no load.

    Example:
        >>> round(wiper_share(1.0, 0.0, 4.0, 0.0), 3)
        0.25
    """
    share = saturated((angle - low) / (high - low), 0.0, 1.0)
    return share / (1.0 + share * (1.0 - share) * load_ratio)


def filtered_rate(
    positions: ArrayLike, *, dt: float, smoothing: float = 0.8
) -> FloatArray:
    """Return v_k = α v_{k-1} + (1 - α) (q_k - q_{k-1}) / T, shape (k,).

    Args:
        positions: Positions q at even times [rad] or [m], shape (k,).
        dt: Time T between samples [s].
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
        smoothing: Smoothing factor α.
        dt: Time T between samples [s].
        noise: Standard deviation σ of each position.

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
        counts: Counts at each sample, shape (k,).
        times: Time of the last edge before each sample [s], shape (k,).
        resolution: Angle of one count [rad].

    Example:
        >>> print(counted_rate([0, 2, 5], [0.0, 0.1, 0.25], resolution=0.01))
        [0.2 0.2]
    """
    passed = np.diff(np.asarray(counts, np.float64)) * resolution
    gap = np.diff(as_finite("times", times, ()))
    return np.where(passed == 0.0, 0.0, passed / np.where(gap > 0.0, gap, 1.0))
