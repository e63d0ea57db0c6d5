"""Radar: distance, speed and angle by radio waves, through smoke.

A frequency-modulated radar (FMCW) sweeps B in T_c; mixed with what it sends, an echo
from d is a tone f_b = 2 d S / c, S = B / T_c. From sweep to sweep its phase turns by
4π v T_c / λ.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.constants import speed_of_light

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Radar:
    """A frequency-modulated radar.

    Attributes:
        carrier: Frequency [Hz].
        bandwidth: Bandwidth B of a sweep [Hz].
        sweep: Duration T_c of a sweep [s].
        sample_rate: Sample rate F_s of its converter [Hz].

    Example:
        >>> from gelenk.sensing import Radar
        >>> radar = Radar(bandwidth=1.5e9)
        >>> round(radar.resolution, 4)  # [m]
        0.0999
    """

    carrier: float = 77e9
    bandwidth: float = 1e9
    sweep: float = 50e-6
    sample_rate: float = 20e6

    def __post_init__(self) -> None:
        if min(self.carrier, self.bandwidth, self.sweep, self.sample_rate) <= 0.0:
            raise ConfigError(f"all numbers of a radar must be > 0, got {self}")

    @property
    def slope(self) -> float:
        """S = B / T_c [Hz/s]."""
        return self.bandwidth / self.sweep

    @property
    def wavelength(self) -> float:
        """λ [m]."""
        return speed_of_light / self.carrier

    @property
    def resolution(self) -> float:
        """C / 2B: nearer things are one [m]."""
        return speed_of_light / (2.0 * self.bandwidth)

    @property
    def max_range(self) -> float:
        """F_s c / 4S: beyond, the tone is too fast for the converter [m]."""
        return self.sample_rate * speed_of_light / (4.0 * self.slope)

    @property
    def max_speed(self) -> float:
        """λ / 4T_c: faster, the phase turns by more than half a turn [m/s]."""
        return self.wavelength / (4.0 * self.sweep)


def distance_from_beat(radar: Radar, beat: ArrayLike) -> FloatArray:
    """Return d = c f_b / 2S [m].

    Example:
        >>> slow = Radar(bandwidth=1e9, sweep=1e-3)
        >>> round(float(distance_from_beat(slow, 100e3)), 6)
        14.989623
    """
    return speed_of_light * np.asarray(beat, np.float64) / (2.0 * radar.slope)


def doppler_shift(radar: Radar, speed: ArrayLike) -> FloatArray:
    """Return 2 v / λ [Hz].

    Example:
        >>> round(float(doppler_shift(Radar(), 3.0)), 3)
        1541.066
    """
    return 2.0 * np.asarray(speed, np.float64) / radar.wavelength


def speed_from_phase(radar: Radar, step: ArrayLike) -> FloatArray:
    """Return v = λ Δφ / 4π T_c from the phase step between sweeps [m/s]."""
    turned = np.asarray(step, np.float64)
    return radar.wavelength * turned / (4.0 * np.pi * radar.sweep)


def angle_from_phase(radar: Radar, step: ArrayLike, *, spacing: float) -> FloatArray:
    """Return the direction from the phase between two antennas [rad].

    sin α = λ Δφ / 2π d_a.

    Example:
        >>> radar = Radar()
        >>> half = angle_from_phase(radar, np.pi / 2, spacing=radar.wavelength / 2)
        >>> round(float(np.degrees(half)), 6)
        30.0
    """
    share = radar.wavelength * np.asarray(step, np.float64) / (2 * np.pi * spacing)
    return np.arcsin(np.clip(share, -1.0, 1.0))


def beat_signal(
    radar: Radar,
    distance: ArrayLike,
    speed: ArrayLike = 0.0,
    *,
    cross_section: ArrayLike = 1.0,
    num_sweeps: int = 64,
    noise: float = 0.0,
    rng: np.random.Generator | None = None,
) -> FloatArray:
    """Return the mixed signal of several targets, shape (num_sweeps, samples).

    The amplitude falls with d² (power with d⁴) and grows with √σ. Smoke does nothing:
    its grains are far smaller than the wave.

    Args:
        radar: The sensor.
        distance: Distances of the targets [m], shape (k,).
        speed: Away from the radar [m/s], shape (k,).
        cross_section: Radar cross sections σ of the targets [m^2], shape (k,).
        num_sweeps: Sweeps one after another.
        noise: Standard deviation of each sample.
        rng: Source of the noise.
    """
    d, v, area = np.broadcast_arrays(
        np.atleast_1d(as_finite("distance", distance, ())),
        np.asarray(speed, np.float64),
        np.asarray(cross_section, np.float64),
    )
    t = np.arange(round(radar.sweep * radar.sample_rate)) / radar.sample_rate
    sweep = radar.sweep * np.arange(num_sweeps)[:, None]
    total = np.zeros((num_sweeps, len(t)))
    for d_k, v_k, area_k in zip(d, v, area, strict=True):
        beat = 2.0 * d_k * radar.slope / speed_of_light
        phase = 4.0 * np.pi * (d_k + v_k * sweep) / radar.wavelength
        total += np.sqrt(area_k) / d_k**2 * np.cos(2.0 * np.pi * beat * t + phase)
    if rng is not None and noise > 0.0:
        total += rng.normal(0.0, noise, total.shape)
    return total


def range_doppler(radar: Radar, signal: ArrayLike) -> tuple[float, float]:
    """Return distance [m] and speed [m/s] of the strongest target.

    A Fourier transform over each sweep finds the distance, one over the sweeps the
    speed; parabolas through the peak refine both.

    Args:
        radar: The sensor.
        signal: Beat signal of `beat_signal`, shape (m, n).

    Example:
        >>> from gelenk.sensing import Radar, range_doppler
        >>> from gelenk.sensing.radar import beat_signal
        >>> radar = Radar()
        >>> distance, speed = range_doppler(radar, beat_signal(radar, [12.0], [3.0]))
        >>> round(distance, 1), round(speed, 1)
        (12.0, 3.0)
    """
    s = np.asarray(signal, np.float64)
    m, n = s.shape
    window = np.hanning(m)[:, None] * np.hanning(n)
    spectrum = np.fft.fft(np.fft.rfft(s * window, axis=1), axis=0)
    power = np.abs(spectrum)
    power[:, 0] = 0.0  # what does not change is no echo
    row, column = np.unravel_index(int(np.argmax(power)), power.shape)
    fast = column + _top(power[row], int(column))
    slow = row + _top(power[:, column], int(row))
    beat = fast * radar.sample_rate / n
    turn = 2.0 * np.pi * (slow if slow <= m / 2 else slow - m) / m
    return float(distance_from_beat(radar, beat)), float(speed_from_phase(radar, turn))


def _top(power: FloatArray, k: int) -> float:
    """Return where between samples a peak is, from log-parabola through three."""
    if len(power) < 3:
        return 0.0
    left, middle, right = np.log(
        np.maximum(power.take([k - 1, k, k + 1], mode="wrap"), 1e-300)
    )
    bend = left - 2.0 * middle + right
    return float(0.5 * (left - right) / bend) if bend < 0.0 else 0.0
