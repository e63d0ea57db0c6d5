"""Depth cameras: structured light, and time of flight by clock, phase or shutter.

Stripes in Gray code tell each pixel which column of the projector lights it, W columns
by ceil(log2 W) patterns. Shifted waves I_n = A + B cos(phi + 2 pi n / N) tell it more
finely, within one period:

    phi = atan2(-sum I_n sin(2 pi n / N), sum I_n cos(2 pi n / N))

The camera's ray d then meets the plane of that column, X = d (n^T t) / (n^T d).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.constants import speed_of_light

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray
from gelenk.vision.camera import Intrinsics, unproject


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Projector:
    """A projector with vertical stripes.

    Attributes:
        columns: W, columns of its pattern.
        focal: Focal length [px].
        center: Column of its optical axis [px].
        T_camera_projector: Pose of the projector in the camera, shape (4, 4).
    """

    columns: int
    focal: float
    center: float
    T_camera_projector: FloatArray

    def __post_init__(self) -> None:
        if self.columns < 2 or not self.focal > 0.0:
            raise ConfigError("a projector needs two columns and a focal length > 0")
        T = as_finite("T_camera_projector", self.T_camera_projector, (4, 4))
        object.__setattr__(self, "T_camera_projector", T)


def gray_code(number: ArrayLike) -> IntArray:
    """Return g = b xor (b >> 1): neighbours differ in one bit, shape (...).

    Example:
        >>> format(int(gray_code(437)), "010b")
        '0101101111'
    """
    b = np.asarray(number, dtype=np.int64)
    return b ^ (b >> 1)


def number_from_gray(code: ArrayLike) -> IntArray:
    """Return the number of a Gray code, b = g xor (g >> 1) xor (g >> 2) ..., (...)."""
    b = np.array(code, dtype=np.int64)
    shift = 1
    while shift < 64:
        b ^= b >> shift
        shift *= 2
    return b


def gray_patterns(columns: int) -> BoolArray:
    """Return which columns are lit, coarse stripes first, shape (bits, columns)."""
    if columns < 2:
        raise ConfigError(f"`columns` must be at least 2, got {columns}")
    bits = math.ceil(math.log2(columns))
    code = gray_code(np.arange(columns))
    return np.stack([(code >> k) & 1 for k in range(bits - 1, -1, -1)]).astype(bool)


def decode_gray(
    images: ArrayLike, inverted: ArrayLike, *, min_contrast: float
) -> tuple[IntArray, BoolArray]:
    """Return which column lights each pixel, and where that is known.

    A bit is 1 where the pattern is brighter than its inverse: no threshold depends on
    the surface.

    Args:
        images: Image of each pattern, coarse stripes first, shape (bits, ...).
        inverted: Image of each inverted pattern, same shape.
        min_contrast: Difference that every bit of a pixel needs [gray levels].

    Returns:
        Columns, -1: unknown, and whether they are known, shape (...) each.
    """
    difference = as_finite("images", images, ()) - as_finite("inverted", inverted, ())
    code = np.zeros(difference.shape[1:], dtype=np.int64)
    for bit in difference > 0.0:
        code = (code << 1) | bit
    is_known = np.asarray((np.abs(difference) >= min_contrast).all(axis=0))
    return np.where(is_known, number_from_gray(code), -1), is_known


def wave_patterns(columns: int, *, periods: float, count: int = 4) -> FloatArray:
    """Return (1 + cos(2 pi f u / W + 2 pi n / N)) / 2, shape (count, columns)."""
    if count < 3:
        raise ConfigError(f"a phase needs three shifts, got {count}")
    phase = 2.0 * np.pi * periods * np.arange(columns) / columns
    shift = 2.0 * np.pi * np.arange(count) / count
    return 0.5 * (1.0 + np.cos(phase + shift[:, None]))


def decode_phase(images: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return the phase, -pi to pi [rad], and the modulation B, shape (...) each.

    Args:
        images: I_n = A + B cos(phi + 2 pi n / N), N >= 3, shape (N, ...).

    Example:
        >>> phase, b = decode_phase(
        ...     [5.0 + 3.0 * np.cos(-1.2 + 2 * np.pi * n / 3) for n in range(3)])
        >>> round(float(phase), 9), round(float(b), 9)
        (-1.2, 3.0)
    """
    I = as_finite("images", images, ())  # noqa: E741
    if I.ndim < 1 or len(I) < 3:
        raise ShapeError("images", expected="(N, ...) with N >= 3", actual=I.shape)
    shift = 2.0 * np.pi * np.arange(len(I)) / len(I)
    sine = np.tensordot(-np.sin(shift), I, axes=1)
    cosine = np.tensordot(np.cos(shift), I, axes=1)
    return np.arctan2(sine, cosine), 2.0 / len(I) * np.hypot(sine, cosine)


def column_from_phase(
    phase: ArrayLike, period: ArrayLike, *, periods: float, columns: int
) -> FloatArray:
    """Return u_p = W (phi + 2 pi k) / (2 pi f) [px], shape (...).

    Args:
        phase: Wrapped, of `periods` waves over the columns [rad], shape (...).
        period: k, whole turns, shape (...); see `period_from_phase`.
        periods: f.
        columns: W.
    """
    turns = np.asarray(phase, dtype=float) / (2.0 * np.pi) + np.asarray(period)
    return columns * turns / periods


def period_from_phase(phase: ArrayLike, unit: ArrayLike, *, periods: float) -> IntArray:
    """Return k = round((f phi_1 - phi) / 2 pi) by a wave of one period, shape (...).

    Args:
        phase: Wrapped, of `periods` waves [rad].
        unit: phi_1, of one wave over all columns, any turn [rad].
        periods: f.
    """
    whole = np.mod(np.asarray(unit, dtype=float), 2.0 * np.pi)
    turns = (periods * whole - np.asarray(phase, dtype=float)) / (2.0 * np.pi)
    return np.round(turns).astype(np.int64)


def period_from_column(
    phase: ArrayLike, column: ArrayLike, *, periods: float, columns: int
) -> IntArray:
    """Return k from a coarse column, that of the Gray code, shape (...)."""
    turns = np.asarray(column, dtype=float) * periods / columns
    return np.round(turns - np.asarray(phase, dtype=float) / (2.0 * np.pi)).astype(
        np.int64
    )


def triangulate_columns(
    camera: Intrinsics, projector: Projector, pixels: ArrayLike, columns: ArrayLike
) -> FloatArray:
    """Return where rays of pixels meet the planes of columns, in the camera [m].

    With n = R (1, 0, -(u_p - c_p) / f_p) the normal of the column's plane and t the
    projector's place: X = d (n^T t) / (n^T d).

    Args:
        camera: The camera.
        projector: The projector.
        pixels: Pixels (u, v), shape (..., 2).
        columns: u_p [px], shape (...); NaN: unknown.

    Returns:
        Shape (..., 3); NaN where a ray and a plane do not meet in front.
    """
    d = unproject(camera, pixels)
    slope = (np.asarray(columns, dtype=float) - projector.center) / projector.focal
    T = projector.T_camera_projector
    n = T[:3, 0] - slope[..., None] * T[:3, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        z = (n @ T[:3, 3]) / np.sum(n * d, axis=-1)
        return np.where((z > 0.0)[..., None], d * z[..., None], np.nan)


def projected_texture(
    columns_seen: ArrayLike, rows_seen: ArrayLike, pattern: ArrayLike
) -> FloatArray:
    """Return the light a projector throws on what a camera sees, between its pixels.

    For stereo with a pattern nobody needs to know the projector: it only adds texture
    that both cameras see on the same spot of the surface.

    Args:
        columns_seen: Column of the projector that lights each pixel, shape (...).
        rows_seen: Row of the projector, shape (...).
        pattern: Light of each projector pixel, shape (rows, columns), repeated beyond.

    Example:
        >>> print(projected_texture([0.0, 0.5, 1.0], [0.0, 0.0, 0.0], [[2.0, 6.0]]))
        [2. 4. 6.]
    """
    light = np.asarray(pattern, dtype=float)
    x, y = np.asarray(rows_seen, dtype=float), np.asarray(columns_seen, dtype=float)
    i, j = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    a, b = x - i, y - j
    rows, columns = light.shape

    def at(dx: int, dy: int) -> FloatArray:
        return light[(i + dx) % rows, (j + dy) % columns]

    near = (1.0 - b) * at(0, 0) + b * at(0, 1)
    far = (1.0 - b) * at(1, 0) + b * at(1, 1)
    return (1.0 - a) * near + a * far


def distance_from_time(time: ArrayLike) -> FloatArray:
    """Return d = c t / 2 [m] of each pixel of a flash camera, shape (...).

    Args:
        time: Time from flash to echo [s], shape (...).
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
        distance: Distances of the surface [m], shape (...).
        frequency: Frequency of the modulated light [Hz].
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
        distance: Distances of the surface [m], shape (...).
        pulse: T, length of the light pulse and of both shutters [s].
        energy: Energy of the echo, shape (...).
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
