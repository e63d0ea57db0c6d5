"""Cameras that measure how long light takes: by clock, by phase, by shutter."""

from __future__ import annotations

import numpy as np
from scipy.constants import speed_of_light

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, FloatArray


def distance_from_time(time: ArrayLike) -> FloatArray:
    """Return d = c t / 2 [m] of each pixel of a flash camera, shape (...).

    Args:
        time: From flash to echo [s], shape (...).
    """
    return 0.5 * speed_of_light * as_finite("time", time, ())


def unambiguous_range(frequency: float) -> float:
    """Return c / (2 f) [m]: farther things look as if they were nearer by that.

    Example:
        >>> round(unambiguous_range(20e6), 6)
        7.494811
    """
    if not frequency > 0.0:
        raise ConfigError(f"`frequency` must be > 0 [Hz], got {frequency}")
    return speed_of_light / (2.0 * frequency)


def phase_samples(
    distance: ArrayLike, *, frequency: float, amplitude: ArrayLike, offset: ArrayLike
) -> FloatArray:
    """Return A_k = O + A cos(phi + (k - 1) pi / 2), k = 1 to 4, shape (4, ...).

    Args:
        distance: [m], shape (...).
        frequency: Of the modulated light [Hz].
        amplitude: A, of the light that comes back, shape (...).
        offset: O, ambient light, shape (...).
    """
    d = as_finite("distance", distance, ())
    phase = 4.0 * np.pi * frequency * d / speed_of_light
    quarter = (np.arange(4) * np.pi / 2.0).reshape(-1, *(1,) * d.ndim)
    return np.asarray(offset) + np.asarray(amplitude) * np.cos(phase + quarter)


def phase_from_samples(samples: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return phase [rad, 0 to 2 pi], amplitude and offset of four samples, (...) each.

    phi = atan2(A4 - A2, A1 - A3), A = |(A4 - A2, A1 - A3)| / 2, O = mean. Ambient light
    and reflectance drop out of the phase.

    Args:
        samples: A_1 to A_4, a quarter period apart, shape (4, ...).
    """
    A = as_finite("samples", samples, ())
    if A.ndim < 1 or len(A) != 4:
        raise ShapeError("samples", expected="(4, ...)", actual=A.shape)
    sine, cosine = A[3] - A[1], A[0] - A[2]
    phase = np.mod(np.arctan2(sine, cosine), 2.0 * np.pi)
    return phase, 0.5 * np.hypot(sine, cosine), A.mean(axis=0)


def distance_from_phase(phase: ArrayLike, *, frequency: float) -> FloatArray:
    """Return d = c phi / (4 pi f) [m], below `unambiguous_range`, shape (...)."""
    turns = np.mod(as_finite("phase", phase, ()) / (2.0 * np.pi), 1.0)
    return unambiguous_range(frequency) * turns


def distance_from_two_phases(
    first: ArrayLike, second: ArrayLike, *, frequencies: tuple[float, float]
) -> FloatArray:
    """Return the distance two frequencies agree on [m], shape (...).

    Each frequency leaves d + k c / (2 f); the pair of k that agree best wins, up to
    the range of the difference of the frequencies, c / (2 |f1 - f2|).

    Args:
        first: Phase at the first frequency [rad], shape (...).
        second: Phase at the second [rad], shape (...).
        frequencies: f1 and f2 [Hz], not the same.
    """
    f1, f2 = frequencies
    if f1 == f2:
        raise ConfigError("two different frequencies are needed")
    reach = unambiguous_range(abs(f1 - f2))
    a = distance_from_phase(first, frequency=f1)[..., None]
    b = distance_from_phase(second, frequency=f2)[..., None]
    step_a, step_b = unambiguous_range(f1), unambiguous_range(f2)
    tries = a + step_a * np.arange(int(np.ceil(reach / step_a)))
    off = np.mod(tries - b + 0.5 * step_b, step_b) - 0.5 * step_b
    best = np.abs(off).argmin(axis=-1)[..., None]
    weight = f1**2 / (f1**2 + f2**2)  # the higher frequency measures more finely
    exact = tries - (1.0 - weight) * off
    return np.take_along_axis(exact, best, axis=-1)[..., 0]


def gated_charges(
    distance: ArrayLike, *, pulse: float, energy: ArrayLike = 1.0
) -> tuple[FloatArray, FloatArray]:
    """Return the light in a shutter open with the pulse, and in the one after it.

    Args:
        distance: [m], shape (...).
        pulse: T, length of the light pulse and of both shutters [s].
        energy: Of the echo, shape (...).
    """
    delay = 2.0 * as_finite("distance", distance, ()) / speed_of_light / pulse
    late = np.clip(delay, 0.0, 2.0)
    first = np.clip(1.0 - late, 0.0, 1.0)
    second = np.minimum(late, 2.0 - late)
    return np.asarray(energy) * first, np.asarray(energy) * second


def distance_from_gates(
    first: ArrayLike, second: ArrayLike, *, pulse: float
) -> FloatArray:
    """Return d = c T / 2 Q2 / (Q1 + Q2) [m], up to c T / 2, shape (...); NaN: no light.

    Args:
        first: Q1, light while the pulse is sent, shape (...).
        second: Q2, light in the equally long shutter after it, shape (...).
        pulse: T [s].

    Example:
        >>> round(float(distance_from_gates(0.7, 0.3, pulse=30e-9)), 6)
        1.349066
    """
    q1, q2 = as_finite("first", first, ()), as_finite("second", second, ())
    with np.errstate(invalid="ignore", divide="ignore"):
        return 0.5 * speed_of_light * pulse * q2 / (q1 + q2)
