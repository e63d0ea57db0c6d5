"""Position from active beacons: ranges or bearings to known places, least squares.

Ranges: r_i = |b_i - p| - d_i, unknown p. Bearings: r_i = wrap(atan2(y_i - y, x_i - x)
- θ - β_i), unknown p and θ. Three beacons determine the plane; more are weighed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.estimation.least_squares import LeastSquaresCfg, solve
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fix:
    """A place found from beacons.

    Attributes:
        value: (x, y) or (x, y, θ) [m, rad], shape (2,) or (3,).
        covariance: Of the value, for the given or the estimated noise.
        cost: Half the weighted sum of squared residuals.
        converged: Whether the search ended at a minimum.
    """

    value: FloatArray
    covariance: FloatArray
    cost: float
    converged: bool


def position_from_ranges(
    beacons: ArrayLike,
    ranges: ArrayLike,
    *,
    sigma: ArrayLike = 1.0,
    guess: ArrayLike | None = None,
) -> Fix:
    """Return the place that explains ranges to beacons best.

    min_p ½ Σ ((|b_i - p| - d_i) / σ_i)²; the start is the linear solution of the
    differences of squared ranges.

    Args:
        beacons: Known places [m], shape (k, n), k > n, n = 2 or 3.
        ranges: d [m], shape (k,).
        sigma: Their standard deviations [m], shape (k,) or one for all.
        guess: Start of the search [m], shape (n,).

    Example:
        >>> beacons = [[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]]
        >>> fix = position_from_ranges(beacons, [5.1, 8.0, 6.8])
        >>> print(fix.value.round(6), round(fix.cost, 8))
        [3.119859 4.005559] 0.00190576
    """
    b, d, s = _data(beacons, ranges, sigma)
    if len(b) <= b.shape[1]:
        raise ConfigError(
            f"{len(b)} ranges leave {b.shape[1]} coordinates ambiguous; give at least "
            f"{b.shape[1] + 1}, or see `two_range_places`"
        )
    if guess is None:
        A = 2.0 * (b[1:] - b[0])
        right = (b[1:] ** 2).sum(1) - (b[0] ** 2).sum() - d[1:] ** 2 + d[0] ** 2
        at = np.linalg.lstsq(A, right, rcond=None)[0]
    else:
        at = as_finite("guess", guess, (b.shape[1],))

    def residuals(p: FloatArray) -> FloatArray:
        return (np.linalg.norm(b - p, axis=1) - d) / s

    def jacobian(p: FloatArray) -> FloatArray:
        gap = p - b
        return gap / np.linalg.norm(gap, axis=1)[:, None] / s[:, None]

    return _fixed(residuals, jacobian, at)


def pose_from_bearings(
    beacons: ArrayLike, bearings: ArrayLike, guess: ArrayLike, *, sigma: ArrayLike = 1.0
) -> Fix:
    """Return the pose that explains bearings to beacons best.

    Args:
        beacons: Known places [m], shape (k, 2), k >= 3.
        bearings: β, from the robot's heading [rad], shape (k,).
        guess: Start of the search (x, y, θ), shape (3,).
        sigma: Standard deviations [rad], shape (k,) or one for all.

    Example:
        >>> beacons = np.array([[4.0, 0.0], [0.0, 5.0], [-3.0, -2.0]])
        >>> pose = np.array([1.0, 1.0, 0.3])
        >>> d = beacons - pose[:2]
        >>> seen = np.arctan2(d[:, 1], d[:, 0]) - pose[2]
        >>> print(pose_from_bearings(beacons, seen, [0, 0, 0]).value.round(6))
        [1.  1.  0.3]
    """
    b, beta, s = _data(beacons, bearings, sigma)
    if len(b) < 3:
        raise ConfigError(f"a pose needs 3 bearings, got {len(b)}")

    def residuals(x: FloatArray) -> FloatArray:
        gap = b - x[:2]
        return wrap_angle(np.arctan2(gap[:, 1], gap[:, 0]) - x[2] - beta) / s

    def jacobian(x: FloatArray) -> FloatArray:
        gap = b - x[:2]
        square = (gap**2).sum(axis=1)
        rows = [gap[:, 1] / square, -gap[:, 0] / square, -np.ones(len(b))]
        return np.stack(rows, axis=1) / s[:, None]

    fix = _fixed(residuals, jacobian, as_finite("guess", guess, (3,)))
    value = np.append(fix.value[:2], wrap_angle(fix.value[2]))
    return Fix(
        value=value,
        covariance=fix.covariance,
        cost=fix.cost,
        converged=fix.converged,
    )


def two_range_places(beacons: ArrayLike, ranges: ArrayLike) -> FloatArray:
    """Return the two places, mirror images, that two ranges leave [m], shape (2, 2).

    Raises:
        ConfigError: If the circles do not meet.

    Example:
        >>> print(two_range_places([[0, 0], [6, 0]], [5.0, 5.0]))
        [[ 3.  4.]
         [ 3. -4.]]
    """
    b, d, _ = _data(beacons, ranges, 1.0)
    if b.shape != (2, 2):
        raise ShapeError("beacons", expected="(2, 2)", actual=b.shape)
    along = b[1] - b[0]
    length = math.hypot(*along)
    if not length > 0.0:
        raise ConfigError("two beacons at one place tell one range only")
    x = (d[0] ** 2 - d[1] ** 2 + length**2) / (2.0 * length)
    square = d[0] ** 2 - x**2
    if square < 0.0:
        raise ConfigError(f"circles of radius {d[0]} m and {d[1]} m do not meet")
    axis = along / length
    across = np.array([-axis[1], axis[0]]) * math.sqrt(square)
    return b[0] + x * axis + np.stack([across, -across])


def _data(
    beacons: ArrayLike, readings: ArrayLike, sigma: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray]:
    b = as_finite("beacons", beacons, ())
    if b.ndim != 2:
        raise ShapeError("beacons", expected="(k, n)", actual=b.shape)
    d = as_finite("readings", readings, (len(b),))
    s = np.broadcast_to(as_finite("sigma", sigma, ()), d.shape)
    if not (s > 0.0).all():
        raise ConfigError("`sigma` must be positive")
    return b, d, s


def _fixed(residuals, jacobian, guess: FloatArray) -> Fix:
    found = solve(residuals, guess, jacobian=jacobian, cfg=LeastSquaresCfg(scale=1.0))
    return Fix(
        value=found.x,
        covariance=found.covariance,
        cost=0.5 * found.chi2,
        converged=found.converged,
    )
