"""Paths of joints: curves through configurations, without time.

A path is a piecewise polynomial q(s) over its length parameter s. Straight pieces
through waypoints get rounded corners, so that an arm need not stop in them; a spline
passes through all waypoints.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import factorial
from typing import TYPE_CHECKING, Literal

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.trajectory.spline import fit_cubic_spline
from gelenk.typing import ArrayLike, BoolArray, FloatArray

if TYPE_CHECKING:
    from gelenk.models.tree import RobotModel
    from gelenk.trajectory.limits import JointLimits
    from gelenk.trajectory.trajectory import Trajectory

BLEND_RISE = 3.0 / 16.0  # gap of a rounded corner, in reach times change of direction
SAME_DIRECTION = 1e-6  # jump of q', in parts of its size, that is none
SAME_POINT = 1e-9  # [rad] or [m]: waypoints nearer than this are one


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class JointPath:
    """A curve q(s) of joint values, piecewise polynomial, continuous in direction.

    Attributes:
        breaks: Values of s where pieces meet, from 0, increasing, shape (k + 1,).
        coefficients: Coefficients of (s - break)^0, ^1, ... of each piece, shape
            (k, degree + 1, n).

    Example:
        >>> from gelenk.trajectory import round_corners
        >>> path = round_corners([[0, 0], [1, 0], [1, 1]], tolerance=0.02)
        >>> path.sample(path.length).tolist()
        [1.0, 1.0]
    """

    breaks: FloatArray
    coefficients: FloatArray

    def __post_init__(self) -> None:
        for array in (self.breaks, self.coefficients):
            array.setflags(write=False)

    @property
    def length(self) -> float:
        """Largest value of s."""
        return float(self.breaks[-1])

    @property
    def num_joints(self) -> int:
        return self.coefficients.shape[2]

    def sample(self, s: ArrayLike, derivative: int = 0) -> FloatArray:
        """Return q, or a derivative of it by s, shape (..., n).

        Args:
            s: Places on the path, shape (...); outside, the path stands still.
            derivative: Order of the derivative; 0 for the values.
        """
        places = np.clip(np.asarray(s, np.float64), 0.0, self.length)
        piece = np.searchsorted(self.breaks, places, "right") - 1
        piece = np.clip(piece, 0, len(self.breaks) - 2)
        return self.sample_pieces(piece, places - self.breaks[piece], derivative)

    def sample_pieces(
        self, piece: ArrayLike, offset: ArrayLike, derivative: int = 0
    ) -> FloatArray:
        """Return q, or a derivative, at offsets from the starts of pieces, (..., n).

        Args:
            piece: Numbers of the pieces, shape (...).
            offset: Values of s from the start of the piece, shape (...).
            derivative: Order of the derivative; 0 for the values.
        """
        rows = self.coefficients[np.asarray(piece)]
        u = np.asarray(offset, np.float64)[..., None]
        degree = rows.shape[-2] - 1
        value = np.zeros(rows.shape[:-2] + rows.shape[-1:])
        for power in range(degree, derivative - 1, -1):
            factor = factorial(power) / factorial(power - derivative)
            value = value * u + factor * rows[..., power, :]
        return value

    def timed(
        self, limits: JointLimits | None = None, *, model: RobotModel | None = None
    ) -> Trajectory:
        """Return the fastest motion along the path, from rest to rest.

        With limits of jerk it is smooth, and a little slower.

        Args:
            limits: Limits of the joints; None: those of the model.
            model: Robot whose efforts are limited; None leaves them out.

        Raises:
            ConfigError: If limits are missing, or cannot hold the robot.
        """
        from gelenk.trajectory.smooth_timing import timed

        return timed(self, limits, model=model)

    def jumps(self) -> BoolArray:
        """Return whether the direction jumps at each break; never at the ends."""
        widths = np.diff(self.breaks)
        rows = np.arange(len(widths))
        arriving = self.sample_pieces(rows, widths, 1)
        leaving = self.sample_pieces(rows, np.zeros(len(widths)), 1)
        jumps = np.zeros(len(self.breaks), dtype=np.bool_)
        gap = np.abs(leaving[1:] - arriving[:-1]).max(axis=1, initial=0.0)
        jumps[1:-1] = gap > SAME_DIRECTION * np.abs(leaving).max()
        return jumps

    def stretches(self) -> tuple[JointPath, ...]:
        """Return the parts of the path between jumps of its direction."""
        ends = [0, *np.flatnonzero(self.jumps()).tolist(), len(self.breaks) - 1]
        return tuple(
            JointPath(
                breaks=self.breaks[i : j + 1] - self.breaks[i],
                coefficients=self.coefficients[i:j],
            )
            for i, j in pairwise(ends)
        )

    def then(self, other: JointPath) -> JointPath:
        """Return this path followed by another that begins where it ends."""
        if other.num_joints != self.num_joints:
            expected = f"a path of {self.num_joints} joints"
            raise ShapeError("other", expected=expected, actual=(other.num_joints,))
        gap = np.abs(self.sample(self.length) - other.sample(0.0)).max()
        if gap > 1e-6:
            raise ConfigError(
                f"`other` must begin where the path ends, it begins {gap:.3g} rad (or "
                "m) beside that; plan from the end of the first"
            )
        degree = max(self.coefficients.shape[1], other.coefficients.shape[1])
        rows = [_raised(path.coefficients, degree) for path in (self, other)]
        breaks = np.concatenate([self.breaks, self.length + other.breaks[1:]])
        return JointPath(breaks=breaks, coefficients=np.concatenate(rows))


def round_corners(
    waypoints: ArrayLike, *, tolerance: float | ArrayLike = 0.0
) -> JointPath:
    """Return straight lines through waypoints, with corners rounded.

    s is the distance along the corners in joint space. A corner is replaced by a
    polynomial of fourth degree that leaves the lines without a jump in curvature.

    Args:
        waypoints: Configurations [rad] or [m], shape (k, n), k >= 2.
        tolerance: Largest distance of the path from each waypoint, Euclidean over the
            joints [rad] or [m]; a number, or one per inner waypoint, shape (k - 2,).
            With 0 the corners stay, and a motion stops in them.

    Raises:
        ConfigError: If fewer than two different waypoints are given.

    Example:
        >>> from gelenk.trajectory import round_corners
        >>> path = round_corners([[0, 0], [1, 0], [1, 1]], tolerance=0.05)
        >>> round(float(abs(path.sample(path.length / 2) - [1, 0]).max()), 4)
        0.0354
    """
    points = _waypoints(waypoints)
    steps = np.diff(points, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    directions = steps / lengths[:, None]
    turn = np.linalg.norm(np.diff(directions, axis=0), axis=1)
    allowed = as_finite("tolerance", tolerance, ())
    if allowed.ndim > 1 or (allowed < 0.0).any():
        raise ConfigError("`tolerance` must be numbers >= 0")
    allowed = np.broadcast_to(allowed, turn.shape) if allowed.ndim == 0 else allowed
    if allowed.shape != turn.shape:
        raise ShapeError("tolerance", expected=f"{turn.shape}", actual=allowed.shape)
    reach = np.full(len(turn), np.inf)
    np.divide(allowed, BLEND_RISE * turn, out=reach, where=turn > 1e-12)
    reach = np.minimum(reach, 0.5 * np.minimum(lengths[:-1], lengths[1:]))
    reach[turn <= 1e-12] = 0.0
    ends = np.concatenate([[0.0], reach, [0.0]])

    breaks, rows = [0.0], list[FloatArray]()
    for i, direction in enumerate(directions):
        straight = lengths[i] - ends[i] - ends[i + 1]
        if straight > 1e-12 * lengths[i] or (ends[i] == ends[i + 1] == 0.0):
            row = np.zeros((5, points.shape[1]))
            row[0], row[1] = points[i] + ends[i] * direction, direction
            rows.append(row)
            breaks.append(breaks[-1] + straight)
        if ends[i + 1] > 0.0:
            row = _corner(points[i + 1], direction, directions[i + 1], ends[i + 1])
            rows.append(row)
            breaks.append(breaks[-1] + 2.0 * ends[i + 1])
    return JointPath(breaks=np.array(breaks), coefficients=np.array(rows))


def spline_path(
    waypoints: ArrayLike, *, ends: Literal["natural", "clamped"] = "natural"
) -> JointPath:
    """Return a cubic spline through waypoints, s the distance between them.

    Args:
        waypoints: Configurations [rad] or [m], shape (k, n), k >= 2.
        ends: "natural": no curvature at the ends; "clamped": no speed in s there.

    Example:
        >>> from gelenk.trajectory import spline_path
        >>> path = spline_path([[0.0, 0.0], [1.0, 0.5], [2.0, 0.0]])
        >>> path.sample(0.5 * path.length).round(6).tolist()
        [1.0, 0.5]
    """
    points = _waypoints(waypoints)
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    knots = np.concatenate([[0.0], np.cumsum(lengths)])
    spline = fit_cubic_spline(knots, points, ends=ends)
    h = lengths[:, None]
    a, rise = points[:-1], np.diff(points, axis=0)
    m, n = spline.slopes[:-1], spline.slopes[1:]
    c = (3.0 * rise / h - 2.0 * m - n) / h
    d = (m + n - 2.0 * rise / h) / h**2
    return JointPath(breaks=knots, coefficients=np.stack([a, m, c, d], axis=1))


def _waypoints(waypoints: ArrayLike) -> FloatArray:
    points = as_finite("waypoints", waypoints, ())
    if points.ndim != 2 or len(points) < 2:
        raise ShapeError("waypoints", expected="(k >= 2, n)", actual=points.shape)
    is_new = np.abs(np.diff(points, axis=0)).max(axis=1) > SAME_POINT
    points = points[np.concatenate([[True], is_new])]
    if len(points) < 2:
        raise ConfigError(
            "`waypoints` are all at one place; give at least two different ones"
        )
    return np.array(points)


def _corner(
    point: FloatArray, before: FloatArray, after: FloatArray, reach: float
) -> FloatArray:
    """Return the coefficients of a corner, straight at both ends.

    The change of direction enters by g(x) = x^3 - x^4 / 2 with x = u / (2 reach): g, g'
    and g'' vanish at 0, at 1 they are 1/2, 1 and 0.
    """
    width = 2.0 * reach
    change = after - before
    row = np.zeros((5, len(point)))
    row[0], row[1] = point - reach * before, before
    row[3], row[4] = change / width**2, -0.5 * change / width**3
    return row


def _raised(coefficients: FloatArray, count: int) -> FloatArray:
    """Return coefficients with zeros for higher powers, shape (k, count, n)."""
    missing = count - coefficients.shape[1]
    return np.pad(coefficients, ((0, 0), (0, missing), (0, 0)))
