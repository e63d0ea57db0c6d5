"""Pose from landmarks: tags, natural features, and beacons with ranges or bearings.

A tag with a known pose: T_world_robot = T_world_tag (T_robot_tag)⁻¹. Natural features,
corners where two walls meet, look alike: they are told apart by the distances between
them, which no motion changes.

Beacons, by least squares. Ranges: r_i = |b_i - p| - d_i, unknown p. Bearings:
r_i = wrap(atan2(y_i - y, x_i - x) - θ - β_i), unknown p and θ. Three determine the
plane; more are weighed.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.estimation.least_squares import LeastSquaresCfg, solve_least_squares
from gelenk.navigation.planar import align_points, points_in_world
from gelenk.spatial import se3, so3
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray


def pose_from_tag(T_world_tag: ArrayLike, T_robot_tag: ArrayLike) -> FloatArray:
    """Return T_world_robot = T_world_tag (T_robot_tag)⁻¹, shape (..., 4, 4).

    Args:
        T_world_tag: Known pose of the tag, shape (..., 4, 4).
        T_robot_tag: Measured pose of the tag in the robot, shape (..., 4, 4).

    Example:
        >>> from gelenk.navigation import pose_from_tag
        >>> T_world_tag, T_robot_tag = np.eye(4), np.eye(4)
        >>> T_world_tag[0, 3], T_robot_tag[0, 3] = 5.0, 2.0
        >>> print(pose_from_tag(T_world_tag, T_robot_tag)[:3, 3])
        [3. 0. 0.]
    """
    seen = as_finite("T_robot_tag", T_robot_tag, (4, 4))
    return as_finite("T_world_tag", T_world_tag, (4, 4)) @ se3.inverse(seen)


def pose_from_tags(
    Ts_world_tag: ArrayLike, Ts_robot_tag: ArrayLike, weights: ArrayLike | None = None
) -> FloatArray:
    """Return the mean of what several tags say, shape (4, 4).

    Positions are averaged; rotations by the one nearest to the mean of their matrices.

    Args:
        Ts_world_tag: Known poses, shape (k, 4, 4).
        Ts_robot_tag: Measured poses of the tags in the robot, shape (k, 4, 4).
        weights: Positive, shape (k,); None: all equal.
    """
    poses = pose_from_tag(Ts_world_tag, Ts_robot_tag)
    w = np.ones(len(poses)) if weights is None else as_finite("weights", weights, ())
    w = w / w.sum()
    T = np.eye(4)
    T[:3, :3] = so3.orthonormalize(np.einsum("k,kij->ij", w, poses[:, :3, :3]))
    T[:3, 3] = w @ poses[:, :3, 3]
    return T


def scan_points(bearings: ArrayLike, ranges: ArrayLike) -> FloatArray:
    """Return the end points of beams in robot axes [m], shape (..., k, 2)."""
    angle, reach = np.asarray(bearings, dtype=float), np.asarray(ranges, dtype=float)
    return np.stack([reach * np.cos(angle), reach * np.sin(angle)], axis=-1)


def split_lines(points: ArrayLike, *, gap: float, least: int = 5) -> list[IntArray]:
    """Return runs of neighbouring points, each along one line: split where it bends.

    A run is halved at the point farthest from the line through its ends until none is
    farther than `gap`.

    Args:
        points: Points in the order of the scan [m], shape (k, 2).
        gap: Farthest from a line that still belongs to it [m].
        least: Runs of fewer points are dropped.

    Example:
        >>> ahead = [[x, 2.0] for x in range(-3, 4)]
        >>> beside = [[3.0, y] for y in range(1, -4, -1)]
        >>> [len(run) for run in split_lines(ahead + beside, gap=0.05)]
        [7, 6]
    """
    p = as_finite("points", points, (2,))
    runs: list[IntArray] = []
    stack = [(0, len(p) - 1)]
    while stack:
        first, last = stack.pop()
        if last - first + 1 < least:
            continue
        ids = np.arange(first, last + 1)
        along = p[last] - p[first]
        length = max(float(np.hypot(*along)), 1e-12)
        offset = p[ids] - p[first]
        away = np.abs(offset[:, 0] * along[1] - offset[:, 1] * along[0]) / length
        worst = int(np.argmax(away))
        if away[worst] > gap and 0 < worst < len(ids) - 1:
            stack += [(first + worst, last), (first, first + worst)]
        else:
            runs.append(ids)
    return runs


def corners_of_scan(
    points: ArrayLike, *, gap: float = 0.05, least: int = 5
) -> FloatArray:
    """Return the corners in a scan: where fitted neighbouring walls cross [m].

    Args:
        points: Points in the order of the scan, robot axes [m], shape (k, 2).
        gap: Farthest from a line that still belongs to it [m].
        least: Fewest points of a wall.

    Returns:
        Shape (c, 2).
    """
    p = as_finite("points", points, (2,))
    runs = split_lines(p, gap=gap, least=least)
    corners: list[NDArray[Any]] = []
    for a, b in itertools.pairwise(runs):
        if b[0] - a[-1] > 2 or np.hypot(*(p[b[0]] - p[a[-1]])) > 5.0 * gap:
            continue
        (n1, c1), (n2, c2) = _line(p[a]), _line(p[b])
        cross = n1[0] * n2[1] - n1[1] * n2[0]
        if abs(cross) > 0.3:
            corners.append(np.linalg.solve(np.stack([n1, n2]), [c1, c2]))
    return np.array(corners).reshape(-1, 2)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FeatureFix:
    """A pose from natural features.

    Attributes:
        pose: Pose (x [m], y [m], θ [rad]), shape (3,).
        pairs: Seen feature and feature of the map that belong together, shape (k, 2).
        rms: Root mean square of the remaining gaps [m].
    """

    pose: FloatArray
    pairs: IntArray
    rms: float


def pose_from_features(
    seen: ArrayLike, known: ArrayLike, *, gap: float = 0.1, least: int = 3
) -> FeatureFix | None:
    """Return the pose that carries most seen features onto known ones.

    Every two seen features whose distance occurs in the map propose a pose; the one
    that most others confirm within `gap` is refined by all of them.

    Args:
        seen: Features that were seen, robot axes [m], shape (k, 2).
        known: Features of the map, world axes [m], shape (m, 2).
        gap: Farthest that a feature may miss its partner [m].
        least: Fewest pairs to believe, >= 3.

    Returns:
        None if fewer than `least` features fit, or two different poses fit as well.

    Example:
        >>> known = np.array([[0.0, 0], [4, 0], [4, 3], [0, 1]])
        >>> pose = np.array([1.0, 1.0, 0.5])
        >>> seen = (known[1:] - pose[:2]) @ [[np.cos(0.5), -np.sin(0.5)],
        ...                                  [np.sin(0.5), np.cos(0.5)]]
        >>> fix = pose_from_features(seen, known)
        >>> print(fix.pose.round(6), fix.pairs[:, 1])
        [1.  1.  0.5] [1 2 3]
    """
    s, m = as_finite("seen", seen, (2,)), as_finite("known", known, (2,))
    if least < 3 or not gap > 0.0:
        raise ConfigError("`least` must be >= 3 and `gap` positive [m]")
    span = np.linalg.norm(m[:, None] - m, axis=-1)
    found: list[FeatureFix] = []
    for i, j in itertools.combinations(range(len(s)), 2):
        length = float(np.hypot(*(s[i] - s[j])))
        if length < 2.0 * gap:
            continue
        for a, b in np.argwhere(np.abs(span - length) < 2.0 * gap):
            if a == b:
                continue
            pose = align_points(s[[i, j]], m[[a, b]])
            fix = _confirmed(s, m, pose, gap)
            if fix is not None and len(fix.pairs) >= least:
                found.append(fix)
    if not found:
        return None
    best = max(found, key=lambda fix: (len(fix.pairs), -fix.rms))
    for other in found:
        is_as_good = len(other.pairs) >= len(best.pairs)
        if is_as_good and np.hypot(*(other.pose - best.pose)[:2]) > 3.0 * gap:
            return None
    return best


def _confirmed(
    s: FloatArray, m: FloatArray, pose: FloatArray, gap: float
) -> FeatureFix | None:
    near, partner = _partners(s, m, pose, gap)
    if near.sum() < 2:
        return None
    pose = align_points(s[near], m[partner[near]])
    near, partner = _partners(s, m, pose, gap)
    if near.sum() < 2:
        return None
    pose = align_points(s[near], m[partner[near]])
    gaps = points_in_world(pose, s[near]) - m[partner[near]]
    return FeatureFix(
        pose=pose,
        pairs=np.stack([np.flatnonzero(near), partner[near]], axis=1),
        rms=float(np.sqrt((gaps**2).sum(axis=1).mean())),
    )


def _partners(
    s: FloatArray, m: FloatArray, pose: FloatArray, gap: float
) -> tuple[BoolArray, IntArray]:
    """Return which seen features have a known one within `gap`, and which one."""
    away = np.linalg.norm(points_in_world(pose, s)[:, None] - m, axis=-1)
    partner = away.argmin(axis=1)
    return away[np.arange(len(s)), partner] < gap, partner


def _line(p: FloatArray) -> tuple[FloatArray, float]:
    """Return unit normal and offset of the line through points: n · x = c."""
    middle = p.mean(axis=0)
    normal = np.linalg.svd(p - middle)[2][1]
    return normal, float(normal @ middle)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PositionFix:
    """A place found from beacons.

    Attributes:
        value: Position (x, y) or pose (x, y, θ) [m, rad], shape (2,) or (3,).
        covariance: Covariance of the value, for the given or the estimated noise.
        cost: Weighted sum of squared residuals, halved.
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
) -> PositionFix:
    """Return the place that explains ranges to beacons best.

    min_p ½ Σ ((|b_i - p| - d_i) / σ_i)²; the start is the linear solution of the
    differences of squared ranges.

    Args:
        beacons: Known places [m], shape (k, n), k > n, n = 2 or 3.
        ranges: d [m], shape (k,).
        sigma: Standard deviations of the ranges [m], shape (k,) or one for all.
        guess: Start of the search [m], shape (n,).

    Example:
        >>> from gelenk.navigation import position_from_ranges
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
        at = np.asarray(np.linalg.lstsq(A, right, rcond=None)[0], dtype=np.float64)
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
) -> PositionFix:
    """Return the pose that explains bearings to beacons best.

    Args:
        beacons: Known places [m], shape (k, 2), k >= 3.
        bearings: β, from the robot's heading [rad], shape (k,).
        guess: Start of the search (x, y, θ), shape (3,).
        sigma: Standard deviations of the bearings [rad], shape (k,) or one for all.

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
    return PositionFix(
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


def _fixed(
    residuals: Callable[[FloatArray], FloatArray],
    jacobian: Callable[[FloatArray], FloatArray],
    guess: FloatArray,
) -> PositionFix:
    found = solve_least_squares(
        residuals, guess, jacobian=jacobian, cfg=LeastSquaresCfg(scale=1.0)
    )
    return PositionFix(
        value=found.x,
        covariance=found.covariance,
        cost=0.5 * found.chi2,
        converged=found.converged,
    )
