"""Model matching: a small map of the surroundings found in a large one.

For every heading the occupied cells of the local map are correlated with the reference
over all shifts at once (by Fourier transform); the best place is refined by scan
matching. Needs no guess at all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter
from scipy.signal import fftconvolve

from gelenk.errors import ConfigError
from gelenk.navigation.planar import turn
from gelenk.navigation.scan_matching import map_levels, match_scan
from gelenk.planning.occupancy import OccupancyGrid
from gelenk.typing import FloatArray

OCCUPIED = 0.65  # probability from which a cell counts as a wall


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MapMatch:
    """Where a local map lies in the reference.

    Attributes:
        pose: Of the local frame in the reference (x [m], y [m], θ [rad]), shape (3,).
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
        headings: How many are tried around the circle.

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
        score, place = _best_shift(walls @ turn(angle).T, soft, reference)
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
