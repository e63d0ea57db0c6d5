"""Paths: natural splines through points, followed cycle by cycle."""

from __future__ import annotations

import math

import numpy as np
from scipy.interpolate import CubicSpline

from gelenk.errors import ConfigError
from gelenk.robots.amee.config import HIP_SPACING
from gelenk.typing import ArrayLike, FloatArray

SAMPLES = 400


class SplinePath:
    """A natural spline through points on the ground.

    Args:
        points: First to last [m], (n, 2), n >= 2; seen from the start, x ahead, y left.

    Attributes:
        length: [m].
    """

    def __init__(self, points: ArrayLike) -> None:
        given = np.asarray(points, dtype=np.float64)
        if given.ndim != 2 or given.shape[1] != 2 or len(given) < 2:
            raise ConfigError(
                f"a path needs 2 points or more, (n, 2), got {given.shape}"
            )
        chords = np.linalg.norm(np.diff(given, axis=0), axis=1)
        if not (chords > 1e-6).all():
            raise ConfigError("two points of a path that follow each other are one")
        knots = np.concatenate([[0.0], np.cumsum(chords)])
        self.spline = CubicSpline(knots, given, bc_type="natural")
        self._at = np.linspace(0.0, knots[-1], SAMPLES)
        self._points: FloatArray = self.spline(self._at)
        ways = np.linalg.norm(np.diff(self._points, axis=0), axis=1)
        self._ways: FloatArray = np.concatenate([[0.0], np.cumsum(ways)])
        self.length = float(self._ways[-1])

    def point(self, way: float) -> FloatArray:
        """Return the place after a way along the path [m], (2,)."""
        return np.asarray(self.spline(np.interp(way, self._ways, self._at)))

    def heading(self, way: float) -> float:
        """Return the direction of the path after a way [rad]."""
        dx, dy = self.spline(np.interp(way, self._ways, self._at), 1).tolist()
        return math.atan2(dy, dx)

    def nearest(self, x: float, y: float) -> float:
        """Return the way along the path to its point nearest to a place [m]."""
        d = np.hypot(self._points[:, 0] - x, self._points[:, 1] - y)
        return float(self._ways[int(np.argmin(d))])

    def footholds(self, step: float) -> FloatArray:
        """Return points alternately right and left of the path, (n, 2) [m].

        Args:
            step: Way along the path from one to the next [m].
        """
        found: list[FloatArray] = []
        for k in range(int(self.length / step) + 1):
            heading = self.heading(k * step)
            side = -0.5 if k % 2 == 0 else 0.5
            left = np.array([-math.sin(heading), math.cos(heading)])
            found.append(self.point(k * step) + side * HIP_SPACING[1] * left)
        return np.array(found)
