"""Sampling: what a sampled signal can show, and how often to sample."""

from __future__ import annotations

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray


def apparent_frequency(frequency: ArrayLike, sampling: float) -> FloatArray:
    """Return the frequency [Hz] at which a sine appears after sampling.

    Frequencies fold at half the sampling rate: |F - F_s round(F / F_s)|.

    Args:
        frequency: F of the sine [Hz], shape (...).
        sampling: F_s [Hz].

    Example:
        >>> print(apparent_frequency([1.0, 4.0, 6.0, 9.0, 11.0], 10.0))
        [1. 4. 4. 1. 1.]
    """
    if not sampling > 0.0:
        raise ConfigError(f"`sampling` must be > 0 Hz, got {sampling}")
    f = np.asarray(frequency, np.float64)
    return np.abs(f - sampling * np.round(f / sampling))


def is_alias_free(frequency: ArrayLike, sampling: float) -> np.ndarray:
    """Return whether F_s > 2 F, so that the samples determine the sine.

    Example:
        >>> print(is_alias_free([4.9, 5.0], 10.0))
        [ True False]
    """
    return 2.0 * np.abs(np.asarray(frequency, np.float64)) < sampling


def recommended_period(rise_time: float) -> tuple[float, float]:
    """Return shortest and longest sensible sampling period: a tenth, a fifth of a rise.

    The course says sampling *frequency* (§8.1.9): it is the period.

    Args:
        rise_time: Of the closed loop's step response [s].

    Example:
        >>> recommended_period(0.5)
        (0.05, 0.1)
    """
    if not rise_time > 0.0:
        raise ConfigError(f"`rise_time` must be > 0 s, got {rise_time}")
    return rise_time / 10.0, rise_time / 5.0


def guard_sampling(sampling: float, *, highest: float, rise_time: float) -> None:
    """Raise if a loop samples too rarely for its signals or for its own speed.

    Args:
        sampling: F_s [Hz].
        highest: Highest frequency in the measured signal, after its filter [Hz].
        rise_time: Of the closed loop's step response [s].

    Raises:
        ConfigError: With the rate that is needed.

    Example:
        >>> guard_sampling(100.0, highest=20.0, rise_time=0.1)
    """
    longest = recommended_period(rise_time)[1]
    needed = max(2.0 * highest, 1.0 / longest)
    if sampling <= 2.0 * highest or sampling < 1.0 / longest * (1.0 - 1e-12):
        raise ConfigError(
            f"sampling at {sampling} Hz is too slow: {highest} Hz would appear at "
            f"{float(apparent_frequency(highest, sampling)):g} Hz, and a rise in "
            f"{rise_time} s needs a period of at most {longest} s; use more than "
            f"{needed:g} Hz"
        )
