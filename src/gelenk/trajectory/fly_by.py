"""Fly-by: via points are rounded by parabolas instead of stopped at.

The velocity changes by Δv at constant acceleration, centred at the time of the corner:
t_b = |Δv| / a. The path misses the corner by |Δv| t_b / 8.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, FloatArray


def blend_time(change: ArrayLike, acceleration: float) -> FloatArray:
    """Return t_b = |Δv| / a [s].

    Args:
        change: Δv [m/s], a number or (..., n) with n >= 2.
        acceleration: a [m/s²], > 0.

    Example:
        >>> print(blend_time(-0.5 - 1.0, 2.0))
        0.75
    """
    return _size(change) / acceleration


def corner_deviation(change: ArrayLike, acceleration: float) -> FloatArray:
    """Return |Δv| t_b / 8 [m]: how far the rounded path stays off its via point.

    Example:
        >>> print(corner_deviation(-0.5 - 1.0, 2.0))
        0.140625
    """
    size = _size(change)
    return size * size / (8.0 * acceleration)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FlyBy:
    """A motion along straight lines with parabolas at the corners, from rest to rest.

    Attributes:
        points: Via points, shape (k, n).
        corners: Time of each, shape (k,) [s]; the motion starts at 0.
        velocities: Before, between and after the points, shape (k + 1, n).
        blends: Time of each parabola, shape (k,) [s].
    """

    points: FloatArray
    corners: FloatArray
    velocities: FloatArray
    blends: FloatArray

    @property
    def duration(self) -> float:
        """From rest to rest [s]."""
        return float(self.corners[-1] + 0.5 * self.blends[-1])

    @property
    def deviations(self) -> FloatArray:
        """Distance of the path from each point at its time, shape (k,)."""
        return _size(np.diff(self.velocities, axis=0)) * self.blends / 8.0

    def sample(self, time: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return position, velocity, acceleration at times, each (..., n)."""
        t = np.asarray(time, np.float64)[..., None]
        begin = self.corners - 0.5 * self.blends
        # Each corner adds its change of velocity along its own ramp.
        change = np.diff(self.velocities, axis=0)  # (k, n)
        into = np.clip(t - begin, 0.0, self.blends)
        width = np.where(self.blends > 0.0, self.blends, 1.0)
        share = np.where(self.blends > 0.0, into / width, (t >= begin) * 1.0)
        beyond = np.maximum(t - begin - self.blends, 0.0)
        position = self.points[0] + (0.5 * into * share + beyond) @ change
        inside = (t >= begin) & (t < begin + self.blends)
        return position, share @ change, (inside / width) @ change


def plan_fly_by(
    points: ArrayLike,
    *,
    speed: ArrayLike,
    acceleration: float,
    zone: float = np.inf,
) -> FlyBy:
    """Return the motion past via points without stopping.

    Args:
        points: Start, via points, end; places or joint values, shape (k, n), k >= 2.
        speed: Along each line, a number or (k - 1,), > 0.
        acceleration: Of the parabolas, > 0.
        zone: Largest distance from an inner via point; where a parabola would leave it,
            all speeds are reduced together.

    Raises:
        ConfigError: If a line is too short for the parabolas at its ends.

    Example:
        >>> motion = plan_fly_by([[0, 0], [1, 0], [1, 1]], speed=0.5, acceleration=1.0)
        >>> print(round(motion.duration, 6), motion.deviations[1].round(6))
        4.5 0.0625
    """
    p = as_finite("points", points, ())
    if p.ndim != 2 or len(p) < 2:
        raise ShapeError("points", expected="(k >= 2, n)", actual=p.shape)
    v = np.broadcast_to(np.asarray(speed, np.float64), (len(p) - 1,))
    if not (np.all(v > 0.0) and acceleration > 0.0 and zone > 0.0):
        raise ConfigError("`speed`, `acceleration` and `zone` must be > 0")
    way = np.diff(p, axis=0)
    length = np.linalg.norm(way, axis=1)
    if not np.all(length > 0.0):
        raise ConfigError("two via points in a row are the same; leave one out")
    lines = way / length[:, None] * v[:, None]
    turns = np.linalg.norm(np.diff(lines, axis=0), axis=1)
    widest = float(turns.max(initial=0.0))
    factor = min(1.0, np.sqrt(8.0 * acceleration * zone) / widest) if widest else 1.0
    velocities = np.zeros((len(p) + 1, p.shape[1]))
    velocities[1:-1] = factor * lines
    blends = np.linalg.norm(np.diff(velocities, axis=0), axis=1) / acceleration
    times = length / (factor * v)
    tight = 0.5 * (blends[:-1] + blends[1:]) > times * (1.0 + 1e-9)
    if tight.any():
        k = int(np.argmax(tight))
        raise ConfigError(
            f"line {k + 1} takes {times[k]:.3g} s, less than the parabolas at its ends "
            f"({0.5 * (blends[k] + blends[k + 1]):.3g} s); lower its speed or raise "
            "the acceleration"
        )
    corners = 0.5 * blends[0] + np.concatenate([[0.0], np.cumsum(times)])
    return FlyBy(points=p, corners=corners, velocities=velocities, blends=blends)


def _size(change: ArrayLike) -> FloatArray:
    change = np.asarray(change, np.float64)
    return np.abs(change) if change.ndim == 0 else np.linalg.norm(change, axis=-1)
