"""Elementary motions of vehicles: lines, arcs and cubics for (x, y, θ).

Paths run over u in [0, 1]; θ is the heading, counter-clockwise from x.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.spatial.angles import angle_difference
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LinePath:
    """A straight line; the heading turns evenly, the short way.

    Only a vehicle that can move sideways follows it, unless the heading stays along it.

    Attributes:
        start: Start pose (x, y, θ) [m], [rad], shape (3,).
        end: End pose (x, y, θ) [m], [rad], shape (3,).
    """

    start: FloatArray
    end: FloatArray

    @property
    def length(self) -> float:
        """[m]."""
        return float(np.linalg.norm((self.end - self.start)[:2]))

    @property
    def is_drivable(self) -> bool:
        """Whether a vehicle that cannot move sideways follows it, forward or back."""
        way = (self.end - self.start)[:2]
        aside = np.array([-np.sin(self.start[2]), np.cos(self.start[2])])
        turn = float(angle_difference(self.end[2], self.start[2]))
        return abs(float(way @ aside)) <= 1e-9 * max(self.length, 1.0) and (
            abs(turn) <= 1e-9
        )

    def pose(self, u: ArrayLike) -> FloatArray:
        """Return (x, y, θ) at parameters, shape (..., 3)."""
        s = np.asarray(u, np.float64)[..., None]
        way = self.end - self.start
        way = np.append(way[:2], angle_difference(self.end[2], self.start[2]))
        return self.start + s * way


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ArcPath:
    """A circular arc, tangent to the heading; a line if the curvature is 0.

    Attributes:
        start: Start pose (x, y, θ) [m], [rad], shape (3,).
        curvature: κ [1/m], > 0 turns left.
        length: Length of the arc [m]; negative drives backwards.
    """

    start: FloatArray
    curvature: float
    length: float

    @property
    def end(self) -> FloatArray:
        """(x, y, θ) at the end, shape (3,)."""
        return self.pose(1.0)

    def pose(self, u: ArrayLike) -> FloatArray:
        """Return (x, y, θ) at parameters, shape (..., 3)."""
        s = np.asarray(u, np.float64) * self.length
        half = 0.5 * self.curvature * s
        chord = s * np.sinc(half / np.pi)  # s sin(h)/h, smooth at κ = 0
        x, y, heading = self.start
        return np.stack(
            [
                x + chord * np.cos(heading + half),
                y + chord * np.sin(heading + half),
                heading + 2.0 * half,
            ],
            axis=-1,
        )


def arc_to_point(start: ArrayLike, goal: ArrayLike) -> ArcPath:
    """Return the arc from a pose, tangent to its heading, to a point.

    At bearing β and distance d: κ = 2 sin β / d, length d β / sin β; the heading turns
    by 2β.

    Args:
        start: Start pose (x, y, θ) [m], [rad], shape (3,).
        goal: Goal (x, y), not the start, shape (2,).

    Example:
        A quarter of a circle to the left.

        >>> from gelenk.trajectory import arc_to_point
        >>> arc = arc_to_point([0, 0, 0], [1, 1])
        >>> print(round(arc.curvature, 9), arc.end.round(6))
        1.0 [1.       1.       1.570796]
    """
    pose, p = as_finite("start", start, (3,)), as_finite("goal", goal, (2,))
    way = p - pose[:2]
    d = float(np.linalg.norm(way))
    if d == 0.0:
        raise ConfigError("`goal` is where the vehicle stands")
    bearing = float(angle_difference(np.arctan2(way[1], way[0]), pose[2]))
    if np.pi - abs(bearing) < 1e-9:
        raise ConfigError("`goal` lies straight behind: no arc leads there forwards")
    return ArcPath(
        start=pose,
        curvature=2.0 * np.sin(bearing) / d,
        length=d / float(np.sinc(bearing / np.pi)),
    )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CubicPath:
    """A cubic in x and y whose tangents at the ends are the headings.

    Attributes:
        coefficients: Coefficients of 1, u, u², u³ for x and y, shape (4, 2).
    """

    coefficients: FloatArray

    def pose(self, u: ArrayLike) -> FloatArray:
        """Return (x, y, θ) at parameters, θ along the path, shape (..., 3)."""
        p, rate, _ = self._derivatives(u)
        heading = np.arctan2(rate[..., 1], rate[..., 0])
        return np.concatenate([p, heading[..., None]], axis=-1)

    def speed(self, u: ArrayLike) -> FloatArray:
        """Return way per parameter [m], shape (...)."""
        return np.linalg.norm(self._derivatives(u)[1], axis=-1)

    def curvature(self, u: ArrayLike) -> FloatArray:
        """Return κ = (x' y'' - y' x'') / |p'|³ [1/m], shape (...)."""
        _, rate, bend = self._derivatives(u)
        turn = rate[..., 0] * bend[..., 1] - rate[..., 1] * bend[..., 0]
        return turn / np.linalg.norm(rate, axis=-1) ** 3

    @property
    def length(self) -> float:
        """[m], by Gauss-Legendre quadrature."""
        nodes, weights = np.polynomial.legendre.leggauss(40)
        return float(0.5 * weights @ self.speed(0.5 * (nodes + 1.0)))

    def _derivatives(self, u: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
        s = np.asarray(u, np.float64)[..., None]
        a, b, c, d = self.coefficients
        p = a + s * (b + s * (c + s * d))
        return p, b + s * (2.0 * c + 3.0 * s * d), 2.0 * c + 6.0 * s * d


def cubic_to_pose(
    start: ArrayLike, end: ArrayLike, *, strength: float | None = None
) -> CubicPath:
    """Return the cubic that leaves one pose along its heading and enters another.

    Args:
        start: Start pose (x, y, θ) [m], [rad], shape (3,).
        end: End pose (x, y, θ) [m], [rad], shape (3,).
        strength: Length of the tangents [m]; by default the distance. Short ones make
            sharp ends, long ones wide bows.

    Example:
        >>> from gelenk.trajectory import cubic_to_pose
        >>> path = cubic_to_pose([0, 0, 0], [1, 1, 0])
        >>> print(path.pose(0.5)[:2])
        [0.5 0.5]
    """
    a, b = as_finite("start", start, (3,)), as_finite("end", end, (3,))
    size = float(np.linalg.norm((b - a)[:2])) if strength is None else strength
    if not size > 0.0:
        raise ConfigError(f"tangents must be longer than 0 m, got {size}")
    m = size * np.array([np.cos(a[2]), np.sin(a[2])])
    n = size * np.array([np.cos(b[2]), np.sin(b[2])])
    rise = (b - a)[:2]
    rows = [a[:2], m, 3.0 * rise - 2.0 * m - n, m + n - 2.0 * rise]
    return CubicPath(coefficients=np.stack(rows))
