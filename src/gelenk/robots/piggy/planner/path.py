"""A predicted flight: samples in time, smooth in between, and where it is in reach."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import dot, scaled, sub
from gelenk.robots.piggy.surface import height_of, is_valid_pose, pose_near
from gelenk.typing import BoolArray, FloatArray, IntArray, Vec2, Vec3

if TYPE_CHECKING:
    from gelenk.robots.piggy.surface import UnitParams


ROOT_TOL = 1e-12  # [m], of the distance from the workspace


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BallPath:
    """Flight of a ball's centre in the world.

    Attributes:
        time: Growing [s], (n,), n >= 2.
        position: [m], (n, 3).
        velocity: [m/s], (n, 3). Between samples the path is the cubic that has both.
        spin: Angular velocity [rad/s], (3,).
    """

    time: FloatArray
    position: FloatArray
    velocity: FloatArray
    spin: FloatArray = field(default_factory=lambda: np.zeros(3))

    def __post_init__(self) -> None:
        n = len(np.atleast_1d(self.time))
        for name, shape in (
            ("time", (n,)), ("position", (n, 3)), ("velocity", (n, 3)), ("spin", (3,))
        ):  # fmt: skip
            array = np.array(as_finite(name, getattr(self, name), shape))
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        if n < 2 or not (np.diff(self.time) > 0.0).all():
            raise ConfigError(
                "`time` must grow over at least two samples, got "
                f"{self.time[:6].tolist()}"
            )

    @property
    def rows(self) -> FloatArray:
        """Time, position and velocity of all samples, (n, 7)."""
        return np.column_stack([self.time, self.position, self.velocity])

    def at(self, time: float) -> tuple[FloatArray, FloatArray]:
        """Return position and velocity at a time within the path."""
        p, v = path_at(self.rows, float(time))
        return np.array(p), np.array(v)


@kernel
def path_at(flight: FloatArray, t: float) -> tuple[Vec3, Vec3]:
    """Return position and velocity at time t by the cubic of its segment."""
    k = int(np.searchsorted(flight[:, 0], t, side="right")) - 1
    k = min(max(k, 0), len(flight) - 2)
    a, b = flight[k], flight[k + 1]
    h = b[0] - a[0]
    s = (t - a[0]) / h
    s2, s3 = s * s, s * s * s
    w = (2 * s3 - 3 * s2 + 1, (s3 - 2 * s2 + s) * h, 3 * s2 - 2 * s3, (s3 - s2) * h)
    d = (6 * (s2 - s) / h, 3 * s2 - 4 * s + 1, 6 * (s - s2) / h, 3 * s2 - 2 * s)
    p = (
        w[0] * a[1] + w[1] * a[4] + w[2] * b[1] + w[3] * b[4],
        w[0] * a[2] + w[1] * a[5] + w[2] * b[2] + w[3] * b[5],
        w[0] * a[3] + w[1] * a[6] + w[2] * b[3] + w[3] * b[6],
    )
    v = (
        d[0] * a[1] + d[1] * a[4] + d[2] * b[1] + d[3] * b[4],
        d[0] * a[2] + d[1] * a[5] + d[2] * b[2] + d[3] * b[5],
        d[0] * a[3] + d[1] * a[6] + d[2] * b[3] + d[3] * b[6],
    )
    return p, v


@kernel
def touch_time(
    flight: FloatArray, n_c: Vec3, radius: float, span: Vec2, unit: UnitParams
) -> tuple[bool, float]:
    """Return whether and when the bat's centre, `radius` n_c off the ball, is in reach.

    Root of the distance of p(t) - radius n_c from the workspace within the time span,
    by Newton's method kept inside the bracket.
    """
    low, high = span
    shift = scaled(radius, n_c)
    g_low = height_of(sub(path_at(flight, low)[0], shift), unit)[0]
    g_high = height_of(sub(path_at(flight, high)[0], shift), unit)[0]
    if g_low * g_high > 0.0:
        return False, low
    t = 0.5 * (low + high)
    for _ in range(60):
        p, v = path_at(flight, t)
        g, n = height_of(sub(p, shift), unit)
        if abs(g) < ROOT_TOL:
            break
        if (g > 0.0) == (g_low > 0.0):
            low = t
        else:
            high = t
        slope = dot(n, v)
        t = t - g / slope if slope != 0.0 else low
        if not low < t < high:
            t = 0.5 * (low + high)
    return True, t


def reachable_segments(
    flight: FloatArray, radius_sum: float, unit: UnitParams
) -> tuple[IntArray, FloatArray]:
    """Return the segments in which the ball can be touched, and its heights there.

    Args:
        flight: Rows of the path, (n, 7).
        radius_sum: Of ball and bat [m].
        unit: `UnitParams`.

    Returns:
        Numbers of the segments, (k,), and the ball's signed distances from the
        workspace at both of their ends [m], (k, 2).
    """
    heights, is_valid = np.empty(len(flight)), np.empty(len(flight), dtype=np.bool_)
    _heights(flight, unit, heights, is_valid)
    ends = np.stack([heights[:-1], heights[1:]], axis=1)
    in_reach = (ends.min(axis=1) <= radius_sum) & (ends.max(axis=1) >= -radius_sum)
    found = np.flatnonzero(in_reach & (is_valid[:-1] | is_valid[1:]))
    return found, ends[found]


@kernel
def _heights(
    flight: FloatArray, unit: UnitParams, heights: FloatArray, is_valid: BoolArray
) -> None:
    for i in range(len(flight)):
        p = (flight[i, 1], flight[i, 2], flight[i, 3])
        heights[i] = height_of(p, unit)[0]
        is_valid[i] = is_valid_pose(pose_near(p, unit), unit)
