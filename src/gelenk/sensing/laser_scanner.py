"""Laser scanners: a fan of ranges, and the map that many fans make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.navigation.planar import points_in_world
from gelenk.planning.world import PolygonWorld, cast_rays
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class LaserScanner:
    """A beam on a turning mirror.

    Attributes:
        angle_min: Bearing of the first beam [rad].
        increment: Between beams [rad].
        count: Number of beams.
        max_range: What a beam reads that meets nothing [m].
        noise: Standard deviation of a range [m].
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


def scan(
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
        pose: (x, y, θ) of the scanner, shape (3,).
        discs: Round things that stand about: x, y, radius [m], shape (m, 3).
        rng: For the noise; None: none.

    Example:
        >>> room = PolygonWorld([], [0, 0], [4, 2])
        >>> three = LaserScanner(increment=np.pi / 2, count=3)
        >>> print(scan(three, room, [1, 1, 0]))
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
        scanner: The same for all.
        poses: Where each scan was taken, shape (n, 3).
        scans: Ranges of each, n of them.
    """
    places = as_finite("poses", poses, (3,))
    if len(places) != len(scans):
        raise ConfigError(f"{len(scans)} scans need as many poses, got {len(places)}")
    parts = [
        points_in_world(pose, scan_points(scanner, ranges))
        for pose, ranges in zip(places, scans, strict=True)
    ]
    return np.concatenate(parts) if parts else np.zeros((0, 2))
