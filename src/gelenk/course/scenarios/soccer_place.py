"""Where a soccer robot believes to be on the field.

Several hypotheses, each an extended Kalman filter: steps of the legs, corrected by
posts of known place and by points of lines, each against the nearest line. All lines
look alike: at the start, and when nothing fits any more, poses all around are scored
and the best few become hypotheses, until further images leave one of them.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from gelenk.course.scenarios.soccer_field import POSTS, Sight, nearest_lines
from gelenk.estimation.kalman import (
    Belief,
    chi2_gate,
    extended_predict,
    extended_update,
    kalman_update,
    reweigh_beliefs,
)
from gelenk.navigation.planar import (
    compose,
    planar_rotation,
    points_in_world,
    relative_pose,
)
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import FloatArray

START_SIGMA = np.array([0.35, 0.35, 0.35])  # [m], [m], [rad]
BEARING_SIGMA = 0.02  # of a post [rad]
LINE_GATE = 0.35  # farthest from a line that still belongs to it [m]
LINE_SIGMA = 0.06  # [m]
SPAN = np.array([0.9, 0.9, 0.9])  # around the guess that is searched [m], [m], [rad]
SEARCH = (19, 19, 19)  # poses along each axis
PEAK_SIGMA = np.array([0.10, 0.10, 0.08])
MAX_HYPOTHESES, LEAST_WEIGHT = 4, 0.02
MISFIT = -9.0  # score below which an image does not fit
PATIENCE = 5  # images that do not fit before poses all around are tried
_CELL, _ORIGIN, _FAR = 0.04, np.array([-5.0, -4.0]), 0.3  # of the map of distances [m]


class Where(NamedTuple):
    """Hypotheses of the place.

    Attributes:
        beliefs: Of (x, y, θ).
        weights: Of each, summing to 1.
        misfits: Images in a row that did not fit the best.
        odometry: Way counted by the legs at the last image; None: none yet.
    """

    beliefs: tuple[Belief, ...]
    weights: FloatArray
    misfits: int = PATIENCE  # at first, all around is to be tried
    odometry: FloatArray | None = None

    @property
    def best(self) -> Belief:
        return self.beliefs[int(np.argmax(self.weights))]


def locate(where: Where, odometry: FloatArray, sight: Sight) -> Where:
    """Return where the robot is after a motion and an image.

    Args:
        where: At the last image.
        odometry: Way counted by the legs (x, y, θ), shape (3,).
        sight: What the image shows.
    """
    last = odometry if where.odometry is None else where.odometry
    motion = relative_pose(last, odometry)
    beliefs = tuple(_moved(belief, motion) for belief in where.beliefs)
    where = Where(beliefs, where.weights, where.misfits, odometry)
    if len(sight.lines) + 8 * len(sight.posts) < 8:
        return where
    if where.misfits >= PATIENCE:
        where = _search(where, sight)
    beliefs = tuple(_seen(belief, sight) for belief in where.beliefs)
    scores = score_poses(np.array([b.mean for b in beliefs]), sight)
    weights = reweigh_beliefs(where.weights, np.exp(scores - scores.max()))
    kept = _distinct(beliefs, weights)
    weights = weights[kept] / weights[kept].sum()
    misfits = where.misfits + 1 if scores.max() < MISFIT else max(0, where.misfits - 1)
    return Where(tuple(beliefs[k] for k in kept), weights, misfits, odometry)


def score_poses(poses: FloatArray, sight: Sight) -> FloatArray:
    """Return how well poses explain an image, as a log likelihood, shape (n,).

    Points of one image err alike, so that all of them count like eight; no post and no
    point counts beyond a bound, for it may be something else.

    Args:
        poses: (x [m], y [m], θ [rad]), shape (n, 3).
        sight: What the image shows.
    """
    total = np.zeros(len(poses))
    if len(sight.lines) >= 4:
        points = points_in_world(poses, sight.lines[::2])
        cells = ((points - _ORIGIN) / _CELL).astype(np.int64)
        distances = _distances()
        last = np.array(distances.shape) - 1
        cells = np.clip(cells, 0, last)
        off = distances[cells[..., 0], cells[..., 1]]
        total -= 8.0 * np.mean(0.5 * (off / 0.1) ** 2, axis=-1)
    for kind, reach, bearing, sigma in sight.posts:
        gap = POSTS[int(kind)] - poses[:, None, :2]
        far = (np.hypot(gap[..., 0], gap[..., 1]) - reach) / sigma
        side = np.arctan2(gap[..., 1], gap[..., 0]) - poses[:, 2:] - bearing
        fit = far**2 + (wrap_angle(side) / (2.0 * BEARING_SIGMA)) ** 2
        total -= 0.5 * np.minimum(fit.min(axis=1), 16.0)
    return total


@cache
def _distances() -> FloatArray:
    """Return the distance to the nearest line on a raster, at most `_FAR` [m]."""
    x = np.arange(250) * _CELL + _ORIGIN[0] + 0.5 * _CELL
    y = np.arange(200) * _CELL + _ORIGIN[1] + 0.5 * _CELL
    points = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1)
    off, _ = nearest_lines(points.reshape(-1, 2))
    return np.minimum(np.abs(off), _FAR).reshape(250, 200)


def _search(where: Where, sight: Sight) -> Where:
    """Return the best poses around the best guess as hypotheses."""
    axes = [np.linspace(-s, s, n) for s, n in zip(SPAN, SEARCH, strict=True)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    poses = where.best.mean + grid
    scores = score_poses(poses, sight) - 0.5 * np.sum((grid / 0.5) ** 2, axis=1)
    found, heights = [], []
    left = scores.copy()
    for _ in range(MAX_HYPOTHESES):
        k = int(np.argmax(left))
        if left[k] < scores.max() - 6.0:
            break
        found.append(poses[k])
        heights.append(float(np.exp(left[k] - scores.max())))
        off = np.abs(poses - poses[k])
        left[(off < [0.35, 0.35, 0.3]).all(axis=1)] = -np.inf
    beliefs = tuple(Belief(mean=p, covariance=np.diag(PEAK_SIGMA**2)) for p in found)
    return Where(beliefs, np.array(heights) / sum(heights), 0, where.odometry)


def _distinct(beliefs: tuple[Belief, ...], weights: FloatArray) -> list[int]:
    """Return the hypotheses that are likely and not like a likelier one."""
    kept: list[int] = []
    for k in np.argsort(-weights, kind="stable").tolist():
        if weights[k] < LEAST_WEIGHT and kept:
            continue
        off = [np.abs(beliefs[k].mean - beliefs[j].mean) for j in kept]
        if not any((gap < [0.12, 0.12, 0.12]).all() for gap in off):
            kept.append(k)
    return kept


def _seen(belief: Belief, sight: Sight) -> Belief:
    """Return a hypothesis after an image."""
    for kind, reach, bearing, sigma in sight.posts:
        belief = _by_post(belief, POSTS[int(kind)], reach, bearing, sigma)
    return _by_lines(belief, sight.lines)


def _moved(belief: Belief, motion: FloatArray) -> Belief:
    def derivative(x: FloatArray) -> FloatArray:
        c, s = np.cos(x[2]), np.sin(x[2])
        A = np.eye(3)
        A[0, 2] = -s * motion[0] - c * motion[1]
        A[1, 2] = c * motion[0] - s * motion[1]
        return A

    way, angle = float(np.hypot(motion[0], motion[1])), abs(float(motion[2]))
    spread = np.array([0.15 * way, 0.15 * way, 0.1 * angle + 0.1 * way])
    # Something always happens that the legs do not count, as a shove.
    Q = np.diag(spread**2 + np.array([0.012, 0.012, 0.012]) ** 2)
    return extended_predict(belief, lambda x: compose(x, motion), derivative, Q)


def _by_post(
    belief: Belief, places: FloatArray, reach: float, bearing: float, sigma: float
) -> Belief:
    """Return the belief after the post of a pair that fits better, if one does."""
    tried = []
    for place in places:

        def expected(x: FloatArray, place: FloatArray = place) -> FloatArray:
            gap = place - x[:2]
            return np.array([np.hypot(*gap), np.arctan2(gap[1], gap[0]) - x[2]])

        def slope(x: FloatArray, place: FloatArray = place) -> FloatArray:
            gap = place - x[:2]
            r2 = max(float(gap @ gap), 1e-4)
            r = np.sqrt(r2)
            return np.array(
                [[-gap[0] / r, -gap[1] / r, 0.0], [gap[1] / r2, -gap[0] / r2, -1.0]]
            )

        tried.append(
            extended_update(
                belief,
                [reach, bearing],
                expected,
                slope,
                np.diag([sigma**2, BEARING_SIGMA**2]),
                difference=lambda a, b: np.array(
                    [a[0] - b[0], wrap_angle(a[1] - b[1])]
                ),
                gate=chi2_gate(2, 0.999),
            )
        )
    best = min(tried, key=lambda correction: correction.nis)
    return best.belief


def _by_lines(belief: Belief, points: FloatArray) -> Belief:
    """Return the belief after points of lines, each beside the nearest line."""
    if len(points) < 4:
        return belief
    x = belief.mean
    off, across = nearest_lines(points_in_world(x, points))
    is_near = np.abs(off) < LINE_GATE
    if is_near.sum() < max(4, 0.5 * len(points)):
        return belief
    points, off, across = points[is_near], off[is_near], across[is_near]
    side = planar_rotation(x[2] + 0.5 * np.pi)
    H = np.concatenate(
        [across, np.einsum("ki,ki->k", across, points @ side.T)[:, None]], axis=1
    )
    reach = np.hypot(points[:, 0], points[:, 1])
    sigma = LINE_SIGMA + 0.02 * reach**2
    # Errors of one image are alike: all its points count no more than a few.
    R = np.diag(sigma**2 * max(1.0, len(points) / 6.0))
    return kalman_update(belief, H @ x - off, H, R).belief
