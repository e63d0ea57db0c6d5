"""Distance by light: travel time, triangulation, phase of a modulated beam.

Time of flight and phase themselves are in `gelenk.vision.time_of_flight`; here is
what goes wrong with them, and the geometry of a beam seen from the side.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from scipy.constants import speed_of_light

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray
from gelenk.vision.time_of_flight import distance_from_time


class Surface(StrEnum):
    """What a beam meets."""

    MATT = "matt"
    """Scatters: some light returns."""
    BLACK = "black"
    """Absorbs: nothing returns."""
    MIRROR = "mirror"
    """Sends the beam elsewhere; what it meets there answers."""


def flight_reading(
    distances: ArrayLike, surfaces: tuple[Surface, ...], *, max_range: float
) -> float | None:
    """Return what a time-of-flight sensor reads along a folded beam [m].

    The beam goes on after each mirror; the first matt surface answers, the whole way.
    So a mirror makes things behind it appear, and never nearer than they are.

    Args:
        distances: Way from the sensor or the last mirror to each surface [m], (k,).
        surfaces: What it meets there, k of them.
        max_range: Longer ways do not return [m].

    Returns:
        None: nothing returns.

    Example:
        >>> flight_reading([2.0, 1.5], (Surface.MIRROR, Surface.MATT), max_range=10.0)
        3.5
    """
    ways = as_finite("distances", distances, ()).ravel()
    if len(ways) != len(surfaces):
        raise ConfigError("every surface needs one distance")
    total = np.cumsum(ways)
    for way, surface in zip(total, surfaces, strict=True):
        if surface is Surface.MIRROR:
            continue
        seen = surface is Surface.MATT and way <= max_range
        time = 2.0 * float(way) / speed_of_light
        return float(distance_from_time(time)) if seen else None
    return None


def multipath_distance(
    direct: ArrayLike, detours: ArrayLike, strengths: ArrayLike, *, frequency: float
) -> FloatArray:
    """Return what a phase sensor reads when light also comes by detours [m].

    Phasors add: the reading is that of the sum, longer than the direct way as long as
    detours are shorter than half the unambiguous range.

    Args:
        direct: True distances [m], shape (...).
        detours: What each other way is longer, one way [m], shape (k,).
        strengths: Amplitude of each against the direct light, shape (k,).
        frequency: Of the modulation [Hz].
    """
    d = as_finite("direct", direct, ())
    wave = 4.0 * np.pi * frequency / speed_of_light
    extra = np.asarray(strengths) * np.exp(
        1j * wave * as_finite("detours", detours, ())
    )
    shift = np.angle(1.0 + extra.sum())
    return d + shift / wave


def spot_place(distance: ArrayLike, *, base: float, focal: float) -> FloatArray:
    """Return where the spot of a beam parallel to the axis appears: x = b f / z [m]."""
    return base * focal / np.asarray(distance, np.float64)


def triangulated_distance(
    spot: ArrayLike, *, base: float, focal: float, beam_angle: float = np.pi / 2
) -> FloatArray:
    """Return z = b / (x/f + cot α) of a spot seen beside its beam [m].

    Args:
        spot: x in the image, away from the emitter's side is negative [m].
        base: b between emitter and lens [m].
        focal: f [m].
        beam_angle: α of the beam against the base; π/2: parallel to the axis [rad].

    Example:
        >>> round(float(triangulated_distance(0.002, base=0.1, focal=0.02)), 9)
        1.0
    """
    slope = np.asarray(spot, np.float64) / focal + 1.0 / np.tan(beam_angle)
    if np.any(slope <= 0.0):
        raise ConfigError("rays that do not meet in front of the sensor")
    return base / slope


def triangulation_error(
    distance: ArrayLike, *, base: float, focal: float, spot_error: float
) -> FloatArray:
    """Return z² δx / (b f) [m]: grows with the square of distance."""
    return np.asarray(distance, np.float64) ** 2 * spot_error / (base * focal)
