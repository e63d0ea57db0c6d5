"""Angle sensors: incremental and absolute encoders, resolvers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray
from gelenk.vision.structured_light import gray_code, number_from_gray

# Step of the count between two states of the tracks, 2 A + B; 2: both changed at once.
_STEPS = np.array([[0, -1, 1, 2], [1, 0, 2, -1], [-1, 2, 0, 1], [2, 1, -1, 0]])


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EncoderTracks:
    """What the light barriers of an incremental encoder see; arrays of one shape.

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
        angle: Of the disc.
        lines: Per turn.
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
        angle: θ of the shaft [rad], shape (...).
        t: [s], shape (...).
        carrier: Frequency of the excitation [Hz].
        amplitude: U [V].
    """
    theta = np.asarray(angle, np.float64)
    wave = amplitude * np.sin(2.0 * np.pi * carrier * np.asarray(t, np.float64))
    return np.stack([np.sin(theta) * wave, np.cos(theta) * wave], axis=-1)


def resolver_angle(signals: ArrayLike, t: ArrayLike, *, carrier: float) -> float:
    """Return the angle that samples of whole carrier periods show [rad].

    Multiplied by the carrier and summed, both windings become numbers: θ = atan2.

    Args:
        signals: (U_s, U_c), shape (k, 2).
        t: Their times [s], shape (k,).
        carrier: [Hz].

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
        dt: Between samples [s].
        bandwidth: Of the loop [rad/s].
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
