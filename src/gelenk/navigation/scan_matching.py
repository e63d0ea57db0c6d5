"""Scan matching by the slope of a map (as in Hector SLAM), and matching of whole maps.

min_ξ Σ [1 - M(S_i(ξ))]², S_i = R(ψ) s_i + p, by Gauss-Newton:

    Δξ = H⁻¹ Σ [∇M ∂S_i/∂ξ]ᵀ [1 - M],  H = Σ [∇M ∂S_i/∂ξ]ᵀ [∇M ∂S_i/∂ξ].

M is interpolated between cell centres; coarse maps first, fine ones last. Whole maps:
for every heading the occupied cells of the local map are correlated with the reference
over all shifts at once (by Fourier transform); scan matching refines the best place.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter
from scipy.signal import fftconvolve

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.navigation.planar import planar_rotation, points_in_world
from gelenk.planning.occupancy import OccupancyGrid
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, FloatArray

BLIND = 1e-9  # of the largest entry of H: a corridor leaves one direction open
LONGEST_TURN = 0.2  # [rad] per step; the slope of a map says nothing farther away


def interpolate(values: ArrayLike, at: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return M and its gradient between cell centres, bilinearly; 0 outside.

    Args:
        values: Values at cell centres (0, 0), (1, 0), ..., shape (nx, ny).
        at: Points in units of cells, shape (..., 2).

    Returns:
        M, shape (...), and (∂M/∂x, ∂M/∂y) per cell, shape (..., 2).

    Example:
        >>> M, slope = interpolate([[0.2, 0.4], [0.8, 0.9]], [0.25, 0.5])
        >>> print(M.round(6), slope.round(6))
        0.4375 [0.55  0.175]
    """
    m, p = np.asarray(values, dtype=np.float64), as_finite("at", at, (2,))
    limit = np.array(m.shape) - 1
    inside = np.asarray(((p >= 0.0) & (p <= limit)).all(axis=-1))
    corner = np.clip(np.floor(p).astype(np.int64), 0, limit - 1)
    i, j = corner[..., 0], corner[..., 1]
    x, y = (p - corner)[..., 0], (p - corner)[..., 1]
    m00, m10, m01, m11 = m[i, j], m[i + 1, j], m[i, j + 1], m[i + 1, j + 1]
    value = (1 - y) * ((1 - x) * m00 + x * m10) + y * ((1 - x) * m01 + x * m11)
    dx = (1 - y) * (m10 - m00) + y * (m11 - m01)
    dy = (1 - x) * (m01 - m00) + x * (m11 - m10)
    slope = np.stack([dx, dy], axis=-1)
    return np.where(inside, value, 0.0), np.where(inside[..., None], slope, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MapLevel:
    """A map at one resolution.

    Attributes:
        origin: Corner of cell (0, 0) [m], shape (2,).
        cell: Side of a cell [m].
        values: M, 0 free to 1 occupied, shape (nx, ny).
    """

    origin: FloatArray
    cell: float
    values: FloatArray


def map_levels(grid: OccupancyGrid, count: int = 3) -> tuple[MapLevel, ...]:
    """Return a map at several resolutions, coarse first; each cell the largest of four.

    All are smoothed by one cell, so that their slopes lead to walls from some way off,
    and scaled to 1 at the highest, so that a perfect scan leaves nothing to gain.
    """
    values = np.maximum(2.0 * grid.probability - 1.0, 0.0)  # unseen is no wall
    cell = grid.cell
    levels: list[MapLevel] = []
    for _ in range(count):
        soft = gaussian_filter(values, 1.0, mode="nearest")
        soft = soft / max(float(soft.max()), 1e-9)
        levels.append(MapLevel(origin=grid.origin, cell=cell, values=soft))
        nx, ny = (size - size % 2 for size in values.shape)
        if min(nx, ny) < 8:
            break
        blocks = values[:nx, :ny].reshape(nx // 2, 2, ny // 2, 2)
        values, cell = blocks.max(axis=(1, 3)), 2.0 * cell
    return tuple(reversed(levels))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScanMatch:
    """Pose at which a scan fits a map.

    Attributes:
        pose: Matched pose (x [m], y [m], θ [rad]), shape (3,).
        covariance: σ² H⁻¹ with σ² from the residuals, shape (3, 3).
        score: Mean of M under the scan, 0 to 1.
        iterations: Number of iterations on all levels together.
    """

    pose: FloatArray
    covariance: FloatArray
    score: float
    iterations: int


def match_scan(
    levels: tuple[MapLevel, ...],
    points: ArrayLike,
    guess: ArrayLike,
    *,
    steps: int = 30,
) -> ScanMatch:
    """Return the pose at which a scan lies on the walls of a map.

    Args:
        levels: Levels from `map_levels`, coarse first.
        points: End points of beams that met something, robot axes [m], shape (k, 2).
        guess: Pose to start from, shape (3,).
        steps: Most steps per level.

    Example:
        >>> from gelenk.navigation import match_scan
        >>> from gelenk.navigation.scan_matching import map_levels
        >>> from gelenk.planning.occupancy import OccupancyGrid, log_odds
        >>> odds = np.full((60, 60), float(log_odds(0.1)))
        >>> odds[50, 10:50] = odds[10:50, 50] = float(log_odds(0.95))  # two walls
        >>> grid = OccupancyGrid(origin=np.zeros(2), cell=0.1, odds=odds)
        >>> s = np.linspace(-1.5, 1.5, 40)
        >>> scan = np.concatenate([np.stack([0 * s + 2.05, s], 1),
        ...                        np.stack([s, 0 * s + 2.05], 1)])
        >>> found = match_scan(map_levels(grid), scan, [2.9, 3.1, 0.08])
        >>> print(found.pose.round(2) + 0.0)
        [3. 3. 0.]
    """
    s = as_finite("points", points, (2,))
    x = np.array(as_finite("guess", guess, (3,)))
    done = 0
    for level in levels:
        x, used = _descend(level, s, x, steps)
        done += used
    J, gaps = _slopes(levels[-1], s, x)
    H = J.T @ J
    H = H + BLIND * max(float(H.max()), 1e-12) * np.eye(3)
    variance = float(gaps @ gaps) / max(len(s) - 3, 1)
    x[2] = wrap_angle(x[2])
    return ScanMatch(
        pose=x,
        covariance=variance * np.asarray(np.linalg.inv(H), dtype=np.float64),
        score=float(1.0 - gaps.mean()),
        iterations=done,
    )


def _descend(
    level: MapLevel, s: FloatArray, x: FloatArray, steps: int
) -> tuple[FloatArray, int]:
    """Return the pose after Gauss-Newton on one level, and the steps it took.

    Beyond the crest of a wall its slope leads back: a step that makes things worse is
    shortened by damping, so that it ends on the crest instead of jumping across.
    """
    J, gaps = _slopes(level, s, x)
    cost, damping, used = float(gaps @ gaps), 1e-3, 0
    while used < steps:
        used += 1
        H = J.T @ J
        H = H + damping * np.diag(np.diag(H)) + BLIND * max(H.max(), 1e-12) * np.eye(3)
        step = np.asarray(np.linalg.solve(H, J.T @ gaps), dtype=np.float64)
        far = max(float(np.hypot(*step[:2])) / (2.0 * level.cell), 1e-12)
        step *= min(1.0, 1.0 / far, LONGEST_TURN / max(abs(step[2]), 1e-12))
        J_new, gaps_new = _slopes(level, s, x + step)
        cost_new = float(gaps_new @ gaps_new)
        if cost_new < cost:
            x, J, gaps, cost = x + step, J_new, gaps_new, cost_new
            damping = max(0.2 * damping, 1e-6)
        else:
            damping *= 5.0
        if np.abs(step).max() < 1e-3 * level.cell:
            break
    return x, used


def _slopes(
    level: MapLevel, s: FloatArray, x: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the slopes of M over the pose (k, 3), and 1 - M (k,)."""
    at = (points_in_world(x, s) - level.origin) / level.cell - 0.5
    value, slope = interpolate(level.values, at)
    slope = slope / level.cell
    c, sn = np.cos(x[2]), np.sin(x[2])
    turned = np.stack([-sn * s[:, 0] - c * s[:, 1], c * s[:, 0] - sn * s[:, 1]], axis=1)
    J = np.concatenate([slope, (slope * turned).sum(axis=1, keepdims=True)], axis=1)
    return J, 1.0 - value


OCCUPIED = 0.65  # probability from which a cell counts as a wall


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MapMatch:
    """Pose of a local map in the reference.

    Attributes:
        pose: Pose of the local frame in the reference (x [m], y [m], θ [rad]), shape
            (3,).
        score: Mean support of the local walls, 0 to 1.
        rival: Score of the best place at least 1 m or 30° away.
    """

    pose: FloatArray
    score: float
    rival: float


def match_maps(
    local: OccupancyGrid, reference: OccupancyGrid, *, headings: int = 72
) -> MapMatch:
    """Return the place of a local map in a reference map with cells of the same size.

    score(t, θ) = mean over local walls s of M_ref(R(θ) s + t).

    Args:
        local: Map in the robot's frame.
        reference: Map in the world.
        headings: Number of headings tried around the circle.

    Example:
        The same walls, told by a robot that stands at (1, 0.5).

        >>> odds = np.full((40, 30), -3.0)
        >>> odds[5:35, 4] = odds[34, 4:20] = odds[12, 4:9] = 3.0
        >>> house = OccupancyGrid(origin=np.zeros(2), cell=0.1, odds=odds)
        >>> seen = OccupancyGrid(origin=np.array([-1.0, -0.5]), cell=0.1, odds=odds)
        >>> print(match_maps(seen, house).pose.round(3) + 0.0)
        [1.  0.5 0. ]
    """
    if abs(local.cell - reference.cell) > 1e-9 * reference.cell:
        raise ConfigError(
            f"cells must be equal, got {local.cell} m and {reference.cell} m"
        )
    walls = local.centers()[local.probability > OCCUPIED]
    if len(walls) < 10:
        raise ConfigError(f"a local map needs walls, this one has {len(walls)} cells")
    soft = gaussian_filter(
        (reference.probability > OCCUPIED).astype(float), 1.0, mode="constant"
    )
    soft /= max(float(soft.max()), 1e-9)
    rows: list[tuple[float, float, float, float]] = []
    for angle in 2.0 * np.pi * np.arange(headings) / headings:
        score, place = _best_shift(walls @ planar_rotation(angle).T, soft, reference)
        rows.append((score, *place, angle))
    table = np.array(rows)
    best = table[np.argmax(table[:, 0])]
    off = np.abs((table[:, 3] - best[3] + np.pi) % (2.0 * np.pi) - np.pi)
    far = (np.hypot(*(table[:, 1:3] - best[1:3]).T) > 1.0) | (off > np.pi / 6.0)
    refined = match_scan(map_levels(reference, 2), walls, best[1:])
    return MapMatch(
        pose=refined.pose,
        score=float(best[0]),
        rival=float(table[far, 0].max(initial=0.0)),
    )


def _best_shift(
    walls: FloatArray, soft: FloatArray, reference: OccupancyGrid
) -> tuple[float, tuple[float, float]]:
    cell = reference.cell
    low = walls.min(axis=0)
    ids = np.floor((walls - low) / cell + 0.5).astype(np.int64)
    stamp = np.zeros(tuple(ids.max(axis=0) + 1))
    np.add.at(stamp, (ids[:, 0], ids[:, 1]), 1.0)
    votes = fftconvolve(soft, stamp[::-1, ::-1], mode="full")
    i, j = np.unravel_index(int(np.argmax(votes)), votes.shape)
    first = np.array([i, j]) - np.array(stamp.shape) + 1  # cell of the stamp's corner
    at = reference.origin + (first + 0.5) * cell - low
    return float(votes[i, j]) / len(walls), (float(at[0]), float(at[1]))
