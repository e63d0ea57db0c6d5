"""Hough transform: straight lines and other curves by votes of points.

Every point votes for all curves through it; where many votes meet is a curve. A line
y = a x + b is a point (a, b), and a point (x, y) votes along b = -x a + y; vertical
lines have no such (a, b). So

    x cos(theta) + y sin(theta) = rho

is used in practice. Any curve g(x, y, c) = 0 can be found the same way, at the price of
one axis of the accumulator per parameter: circles (x - c1)^2 + (y - c2)^2 = c3^2.
Fast and precise discs: `gelenk.vision.circles.find_circles`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HoughVotes:
    """An accumulator and its axes.

    Attributes:
        counts: Votes, one axis per parameter.
        axes: Middles of the cells along each axis, evenly spaced.
    """

    counts: FloatArray
    axes: tuple[FloatArray, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HoughCurves:
    """Curves that won, best first.

    Attributes:
        parameters: Parameters of the curves, shape (n, number of parameters).
        votes: Votes of each curve's cell, shape (n,).
    """

    parameters: FloatArray
    votes: FloatArray

    def __len__(self) -> int:
        return len(self.votes)


def vote_slopes(points: ArrayLike, a: ArrayLike, b: ArrayLike) -> HoughVotes:
    """Return the votes for lines y = a x + b: each point one per slope.

    Args:
        points: Points (x, y), shape (n, 2).
        a: Slopes to try, evenly spaced, shape (p,).
        b: Intercepts, evenly spaced, shape (q,).

    Example:
        >>> votes = vote_slopes([[0, 1], [1, 3], [2, 5]], np.arange(5), np.arange(5))
        >>> best = strongest_curves(votes, 1)
        >>> print(best.parameters, best.votes)
        [[2. 1.]] [3.]
    """
    x, y = as_finite("points", points, (2,)).reshape(-1, 2).T
    slopes, levels = _axis("a", a), _axis("b", b)
    counts = np.zeros((len(slopes), len(levels)))
    _count(counts, levels, y[None, :] - np.outer(slopes, x))
    return HoughVotes(counts=counts, axes=(slopes, levels))


def vote_lines(
    points: ArrayLike,
    *,
    angle_step: float = np.pi / 180.0,
    step: float = 1.0,
    weights: ArrayLike | None = None,
) -> HoughVotes:
    """Return the votes for lines x cos(theta) + y sin(theta) = rho.

    Args:
        points: Points (x, y) [px], shape (n, 2).
        angle_step: Wanted distance of the angles, 0 <= theta < pi [rad].
        step: Distance of the cells of rho [px].
        weights: Weight of each point, shape (n,); by default 1.
    """
    p = as_finite("points", points, (2,)).reshape(-1, 2)
    if not (0.0 < angle_step <= np.pi and step > 0.0):
        raise ConfigError(f"steps must be positive, got {angle_step} and {step}")
    count = max(1, round(np.pi / angle_step))
    theta: FloatArray = np.linspace(0.0, np.pi, count, endpoint=False)
    rho = p @ np.stack([np.cos(theta), np.sin(theta)])
    reach = np.ceil(np.hypot(*p.T).max(initial=0.0) / step) * step
    levels = np.arange(-reach, reach + 0.5 * step, step)
    counts = np.zeros((count, len(levels)))
    _count(counts, levels, rho.T, weights)
    return HoughVotes(counts=counts, axes=(theta, levels))


def hough_lines(
    points: ArrayLike,
    count: int,
    *,
    angle_step: float = np.pi / 180.0,
    step: float = 1.0,
    min_votes: float = 2.0,
) -> HoughCurves:
    """Return up to `count` lines as (theta [rad], rho [px]), refined by least squares.

    After each line its points are taken away, so that the next one is found by the
    others. The cell of the accumulator is only where to look: theta and rho are those
    of the least squared distance to the points near it.

    Args:
        points: Points (x, y) [px], shape (n, 2).
        count: Lines wanted at most.
        angle_step: Angle between cells of the accumulator [rad].
        step: Distance between cells of the accumulator [px].
        min_votes: Points a line needs.

    Example:
        >>> from gelenk.vision import hough_lines
        >>> lines = hough_lines([[0, 1], [1, 3], [2, 5]], 1, step=0.1)
        >>> print(np.degrees(lines.parameters[0, 0]).round(6),
        ...       lines.parameters[0, 1].round(6))
        153.434949 0.447214
    """
    left = as_finite("points", points, (2,)).reshape(-1, 2)
    found: list[tuple[float, float]] = []
    votes: list[float] = []
    while len(left) >= 2 and len(found) < count:
        best = strongest_curves(vote_lines(left, angle_step=angle_step, step=step), 1)
        theta, rho = best.parameters[0]
        # half a cell of rho, and what half a cell of theta moves the farthest point
        slack = step + 0.5 * angle_step * np.hypot(*left.T).max()
        is_near = np.abs(left @ [np.cos(theta), np.sin(theta)] - rho) <= slack
        if is_near.sum() < max(2.0, min_votes):
            break
        line = fit_line(left[is_near])
        is_near = np.abs(left @ [np.cos(line[0]), np.sin(line[0])] - line[1]) <= slack
        if is_near.sum() < max(2.0, min_votes):
            break
        found.append(fit_line(left[is_near]))
        votes.append(float(is_near.sum()))
        left = left[~is_near]
    return HoughCurves(parameters=np.array(found).reshape(-1, 2), votes=np.array(votes))


def fit_line(points: ArrayLike) -> tuple[float, float]:
    """Return (theta [rad, 0 to pi), rho) of the least squared distance to points."""
    p = as_finite("points", points, (2,)).reshape(-1, 2)
    middle = p.mean(axis=0)
    normal = np.linalg.svd(p - middle)[2][-1]
    theta = float(np.arctan2(normal[1], normal[0]))
    if theta < 0.0 or theta >= np.pi:
        theta = theta % np.pi
    return theta, float(middle @ [np.cos(theta), np.sin(theta)])


def vote_circles(
    points: ArrayLike, radii: ArrayLike, shape: tuple[int, int]
) -> HoughVotes:
    """Return the votes for circles: each point votes for centres around it.

    Args:
        points: Points (x, y) [px], shape (n, 2).
        radii: Radii to try [px], evenly spaced, shape (r,).
        shape: Cells of c1 and c2, whole pixels from 0.

    Returns:
        Axes c1, c2, c3; counts are divided by the circumference [px]: 1 is a full one.
    """
    p = as_finite("points", points, (2,)).reshape(-1, 2)
    sizes = _axis("radii", radii)
    if not sizes.min() > 0.0:
        raise ConfigError(f"`radii` must be positive, got {sizes.min()}")
    counts = np.zeros((*shape, len(sizes)))
    for k, radius in enumerate(sizes):
        steps = max(8, int(np.ceil(2.0 * np.pi * radius)))
        angle = np.arange(steps) * (2.0 * np.pi / steps)
        ring: FloatArray = radius * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        cells = np.round(p[:, None] + ring).astype(np.int64)
        is_inside = np.all((cells >= 0) & (cells < np.array(shape)), axis=-1)
        # a point votes once for a cell, however many steps of its ring fall into it
        owner = np.broadcast_to(np.arange(len(p))[:, None], is_inside.shape)
        votes = np.column_stack([owner[is_inside], cells[is_inside]])
        cell = np.unique(votes, axis=0)[:, 1:] if len(votes) else votes[:, 1:]
        np.add.at(counts[..., k], tuple(cell.T), 1.0 / (2.0 * np.pi * radius))
    axes = (np.arange(float(shape[0])), np.arange(float(shape[1])), sizes)
    return HoughVotes(counts=counts, axes=axes)


def vote_curve(
    points: ArrayLike,
    residual: Callable[..., FloatArray],
    axes: Sequence[ArrayLike],
    *,
    tolerance: float,
) -> HoughVotes:
    """Return the votes for any curve g(x, y, c) = 0: points with |g| <= tolerance.

    Args:
        points: Points (x, y), shape (n, 2).
        residual: g(x, y, c1, c2, ...): takes arrays that broadcast.
        axes: Values to try of each parameter, evenly spaced.
        tolerance: Largest |g| that still counts, in the unit of g.

    Example:
        >>> parabola = lambda x, y, a, b: y - a * x**2 - b
        >>> p = [[-1, 2], [0, 0], [1, 2], [2, 8]]
        >>> votes = vote_curve(p, parabola, [np.arange(4), np.arange(4)], tolerance=0.1)
        >>> print(strongest_curves(votes, 1).parameters)
        [[2. 0.]]
    """
    p = as_finite("points", points, (2,)).reshape(-1, 2)
    values = tuple(_axis(f"axes[{k}]", axis) for k, axis in enumerate(axes))
    grid = np.meshgrid(*values, indexing="ij", sparse=True)
    counts = np.zeros(tuple(len(axis) for axis in values))
    for x, y in p:
        counts += np.abs(residual(x, y, *grid)) <= tolerance
    return HoughVotes(counts=counts, axes=values)


def strongest_curves(
    votes: HoughVotes, count: int, *, reach: int = 1, min_votes: float = 1e-12
) -> HoughCurves:
    """Return the best cells, none within `reach` cells of a better one.

    Args:
        votes: The accumulator.
        count: Cells wanted at most.
        reach: Distance within which a winner silences its neighbours, in cells of every
            axis.
        min_votes: Smallest number of votes of a winner.
    """
    left = votes.counts.copy()
    parameters: list[list[float]] = []
    scores: list[float] = []
    while len(scores) < count:
        cell = np.unravel_index(int(np.argmax(left)), left.shape)
        if left[cell] < min_votes:
            break
        parameters.append([axis[k] for axis, k in zip(votes.axes, cell, strict=True)])
        scores.append(float(left[cell]))
        left[tuple(slice(max(0, k - reach), k + reach + 1) for k in cell)] = -np.inf
    return HoughCurves(
        parameters=np.array(parameters).reshape(-1, left.ndim), votes=np.array(scores)
    )


def _axis(name: str, value: ArrayLike) -> FloatArray:
    axis = as_finite(name, value, ()).reshape(-1)
    if len(axis) < 1 or (len(axis) > 2 and np.ptp(np.diff(axis)) > 1e-9 * np.ptp(axis)):
        raise ConfigError(f"`{name}` must be evenly spaced values")
    return axis


def _count(
    counts: FloatArray,
    levels: FloatArray,
    values: FloatArray,
    weights: ArrayLike | None = None,
) -> None:
    """Add one vote per value, row by row, to the cell of the nearest level."""
    step = levels[1] - levels[0] if len(levels) > 1 else 1.0
    place: FloatArray = (values - levels[0]) / step
    cells = np.round(place).astype(np.int64)
    row = np.broadcast_to(np.arange(len(values))[:, None], cells.shape)
    weight = np.broadcast_to(
        1.0 if weights is None else np.asarray(weights), cells.shape
    )
    is_inside = (cells >= 0) & (cells < len(levels))
    np.add.at(counts, (row[is_inside], cells[is_inside]), weight[is_inside])
