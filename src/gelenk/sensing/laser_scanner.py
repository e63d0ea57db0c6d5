"""Laser scanners and optical range sensors: time of flight, phase, triangulation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from scipy.constants import speed_of_light

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.navigation.planar import points_in_world
from gelenk.planning.world import PolygonWorld, cast_rays
from gelenk.typing import ArrayLike, FloatArray
from gelenk.vision.depth_cameras import distance_from_time


@dataclass(frozen=True, slots=True, kw_only=True)
class LaserScanner:
    """A beam on a turning mirror.

    Attributes:
        angle_min: Bearing of the first beam [rad].
        increment: Angle between beams [rad].
        count: Number of beams.
        max_range: Reading of a beam that meets nothing [m].
        noise: Standard deviation of a range [m].

    Example:
        >>> from gelenk.sensing import LaserScanner
        >>> fan = LaserScanner(angle_min=-0.5, increment=0.5, count=3)
        >>> print(fan.bearings)
        [-0.5  0.   0.5]
    """

    angle_min: float = -np.pi / 2
    increment: float = np.pi / 180
    count: int = 181
    max_range: float = 30.0
    noise: float = 0.0

    def __post_init__(self) -> None:
        if self.count < 1 or not (self.max_range > 0.0 and self.noise >= 0.0):
            raise ConfigError(f"a scanner needs beams, a range > 0, noise >= 0: {self}")

    @property
    def bearings(self) -> FloatArray:
        """Of all beams, from the scanner's axis [rad], shape (count,)."""
        return self.angle_min + self.increment * np.arange(self.count, dtype=np.float64)


def simulate_scan(
    scanner: LaserScanner,
    world: PolygonWorld,
    pose: ArrayLike,
    *,
    discs: ArrayLike = (),
    rng: np.random.Generator | None = None,
) -> FloatArray:
    """Return the ranges of one turn of the mirror [m], shape (count,).

    Args:
        scanner: Fan and noise.
        world: Obstacles and walls.
        pose: Pose (x, y, θ) of the scanner, shape (3,).
        discs: Round things that stand about: x, y, radius [m], shape (m, 3).
        rng: Source of the noise; None for no noise.

    Example:
        >>> import numpy as np
        >>> from gelenk.planning.world import PolygonWorld
        >>> from gelenk.sensing import LaserScanner, simulate_scan
        >>> room = PolygonWorld([], [0, 0], [4, 2])
        >>> three = LaserScanner(increment=np.pi / 2, count=3)
        >>> print(simulate_scan(three, room, [1, 1, 0]))
        [1. 3. 1.]
    """
    x, y, heading = as_finite("pose", pose, (3,))
    beams = scanner.bearings + heading
    ranges = cast_rays(world, [x, y], beams, scanner.max_range)
    round_things = np.asarray(discs, dtype=np.float64).reshape(-1, 3)
    if len(round_things):
        ranges = np.minimum(ranges, _to_discs(round_things - [x, y, 0.0], beams))
    if rng is not None and scanner.noise > 0.0:
        is_hit = ranges < scanner.max_range
        noisy = ranges + rng.normal(0.0, scanner.noise, len(ranges)) * is_hit
        ranges = np.clip(noisy, 0.0, scanner.max_range)
    return ranges


def _to_discs(discs: FloatArray, headings: FloatArray) -> FloatArray:
    """Return how far rays from the origin go to the first disc [m]; else infinite."""
    c, s = np.cos(headings)[:, None], np.sin(headings)[:, None]
    ahead = c * discs[:, 0] + s * discs[:, 1]
    aside = c * discs[:, 1] - s * discs[:, 0]
    half = np.sqrt(np.maximum(discs[:, 2] ** 2 - aside**2, 0.0))
    is_met = (np.abs(aside) < discs[:, 2]) & (ahead + half > 0.0)
    return np.where(is_met, np.maximum(ahead - half, 0.0), np.inf).min(axis=1)


def scan_points(scanner: LaserScanner, ranges: ArrayLike) -> FloatArray:
    """Return where beams ended, in the scanner's axes [m], shape (k, 2).

    Beams that met nothing are left out.
    """
    r = as_finite("ranges", ranges, (scanner.count,))
    is_hit = r < scanner.max_range
    angle = scanner.bearings[is_hit]
    return r[is_hit, None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def merge_scans(
    scanner: LaserScanner, poses: ArrayLike, scans: Sequence[ArrayLike]
) -> FloatArray:
    """Return the points of scans from a moving vehicle in the world [m], (k, 2).

    Args:
        scanner: Scanner of all scans.
        poses: Poses (x, y, θ) at which the scans were taken [m], [rad], shape (n, 3).
        scans: Ranges of each scan [m], n of them.
    """
    places = as_finite("poses", poses, (3,))
    if len(places) != len(scans):
        raise ConfigError(f"{len(scans)} scans need as many poses, got {len(places)}")
    parts = [
        points_in_world(pose, scan_points(scanner, ranges))
        for pose, ranges in zip(places, scans, strict=True)
    ]
    return np.concatenate(parts) if parts else np.zeros((0, 2))


class BeamSurface(StrEnum):
    """Kind of surface that a beam meets."""

    MATT = "matt"
    """Scatters: some light returns."""
    BLACK = "black"
    """Absorbs: nothing returns."""
    MIRROR = "mirror"
    """Sends the beam elsewhere; what it meets there answers."""


def flight_reading(
    distances: ArrayLike, surfaces: tuple[BeamSurface, ...], *, max_range: float
) -> float | None:
    """Return what a time-of-flight sensor reads along a folded beam [m].

    The beam goes on after each mirror; the first matt surface answers, the whole path.
    So a mirror makes things behind it appear, and never nearer than they are.

    Args:
        distances: Way from the sensor or the last mirror to each surface [m], (k,).
        surfaces: Surfaces along the beam, k of them.
        max_range: Longest path; longer ones do not return [m].

    Returns:
        Distance read [m]; None if nothing returns.

    Example:
        >>> surfaces = (BeamSurface.MIRROR, BeamSurface.MATT)
        >>> flight_reading([2.0, 1.5], surfaces, max_range=10.0)
        3.5
    """
    lengths = as_finite("distances", distances, ()).ravel()
    if len(lengths) != len(surfaces):
        raise ConfigError("every surface needs one distance")
    total = np.cumsum(lengths)
    for path_length, surface in zip(total, surfaces, strict=True):
        if surface is BeamSurface.MIRROR:
            continue
        seen = surface is BeamSurface.MATT and path_length <= max_range
        time = 2.0 * float(path_length) / speed_of_light
        return float(distance_from_time(time)) if seen else None
    return None


def multipath_distance(
    direct: ArrayLike, detours: ArrayLike, strengths: ArrayLike, *, frequency: float
) -> FloatArray:
    """Return what a phase sensor reads when light also comes by detours [m].

    Phasors add: the reading is that of the sum, longer than the direct path as long as
    detours are shorter than half the unambiguous range.

    Args:
        direct: True distances [m], shape (...).
        detours: Extra length of each other path, one direction [m], shape (k,).
        strengths: Amplitude of each against the direct light, shape (k,).
        frequency: Frequency of the modulation [Hz].
    """
    d = as_finite("direct", direct, ())
    wave = 4.0 * np.pi * frequency / speed_of_light
    extra = np.asarray(strengths) * np.exp(
        1j * wave * as_finite("detours", detours, ())
    )
    shift = np.angle(1.0 + extra.sum())
    return d + shift / wave


def spot_position(distance: ArrayLike, *, base: float, focal: float) -> FloatArray:
    """Return where the spot of a beam parallel to the axis appears: x = b f / z [m]."""
    return base * focal / np.asarray(distance, np.float64)


def triangulated_distance(
    spot: ArrayLike, *, base: float, focal: float, beam_angle: float = np.pi / 2
) -> FloatArray:
    """Return z = b / (x/f + cot α) of a spot seen beside its beam [m].

    Args:
        spot: x in the image, away from the emitter's side is negative [m].
        base: b between emitter and lens [m].
        focal: Focal length f [m].
        beam_angle: Angle α of the beam against the base; π/2 is parallel to the axis
            [rad].

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
