"""Closing loops: which earlier place is this, and is that really so?

Candidates are old poses near enough for the drift so far; each is verified by matching
scans; what is accepted enters the graph robustly and leaves it again if it disagrees
with everything else. For landmarks, a set of pairs is accepted only together: rᵀ S⁻¹ r
of all stacked residuals must pass chi-square of their number (joint compatibility).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gelenk.checks import as_finite
from gelenk.estimation.kalman import chi2_gate
from gelenk.navigation.ekf_slam import SlamBelief, expect_landmark
from gelenk.navigation.planar import between
from gelenk.navigation.pose_graph import (
    GraphResult,
    MotionEdge,
    SightEdge,
    optimize_graph,
)
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, FloatArray, IntArray


def loop_candidates(
    poses: ArrayLike,
    *,
    drift: float,
    least_age: int = 20,
    most: int = 3,
) -> IntArray:
    """Return old poses that the last one may revisit, nearest first, shape (k,).

    Args:
        poses: Of the way so far, shape (n, 3).
        drift: How far the estimate may be off per metre of way [1].
        least_age: Poses younger than this many steps do not count.
        most: How many to return.

    Example:
        >>> turn = np.linspace(0, 2 * np.pi, 40)
        >>> ring = np.stack([np.cos(turn), np.sin(turn), turn], axis=1)
        >>> loop_candidates(ring, drift=0.02, most=1)
        array([0])
    """
    x = as_finite("poses", poses, (3,))
    steps = np.linalg.norm(np.diff(x[:, :2], axis=0), axis=1)
    way = np.concatenate([[0.0], np.cumsum(steps)])
    old = np.arange(max(len(x) - least_age, 0))
    away = np.linalg.norm(x[old, :2] - x[-1, :2], axis=1)
    near = away <= drift * (way[-1] - way[old])
    order = np.argsort(away[near], kind="stable")
    return old[near][order][:most]


def scan_descriptor(ranges: ArrayLike, bins: int = 20) -> FloatArray:
    """Return what a scan looks like from any heading: its histogram of ranges.

    Args:
        ranges: Of beams all around [m], shape (..., k).
        bins: Of the histogram, from 0 to the longest range.

    Returns:
        Shares, shape (..., bins); two scans of one place differ little in them.
    """
    r = as_finite("ranges", ranges, ())
    edges = np.linspace(0.0, float(r.max()) + 1e-9, bins + 1)
    ids = np.clip(np.searchsorted(edges, r, side="right") - 1, 0, bins - 1)
    return (ids[..., None] == np.arange(bins)).mean(axis=-2)


def close_loops(
    poses: ArrayLike,
    odometry: Sequence[MotionEdge],
    loops: Sequence[MotionEdge],
    *,
    landmarks: ArrayLike = (),
    sights: Sequence[SightEdge] = (),
    huber: float = 3.0,
    gate: float | None = None,
) -> tuple[GraphResult, tuple[bool, ...]]:
    """Return the graph with the loops that fit, and which ones these are.

    All loops enter with a robust weight; one whose chi-square stays above the gate is
    taken out, the worst first, and the rest is optimised again without robust weights.

    Args:
        poses: Start values, shape (n, 3).
        odometry: Edges that are trusted.
        loops: Edges that may be wrong.
        landmarks: Start values [m], shape (m, 2).
        sights: Landmarks as seen; trusted, too.
        huber: Of the robust weight.
        gate: Largest eᵀ Ω e of a loop; None: 99.9 % of good ones.
    """
    limit = chi2_gate(3, 0.999) if gate is None else gate
    kept = list(range(len(loops)))
    found = optimize_graph(
        poses, [*odometry, *loops], landmarks=landmarks, sights=sights, huber=huber
    )
    while kept:
        tensions = found.chi2[len(odometry) :][: len(kept)]
        worst = int(np.argmax(tensions))
        if tensions[worst] <= limit:
            break
        del kept[worst]
        edges = [*odometry, *(loops[k] for k in kept)]
        found = optimize_graph(
            found.poses, edges, landmarks=found.landmarks, sights=sights, huber=huber
        )
    edges = [*odometry, *(loops[k] for k in kept)]
    final = optimize_graph(found.poses, edges, landmarks=found.landmarks, sights=sights)
    return final, tuple(k in kept for k in range(len(loops)))


def loop_edge(
    i: int, j: int, pose_i: ArrayLike, pose_j: ArrayLike, covariance: ArrayLike
) -> MotionEdge:
    """Return the edge that says how pose j, matched on the map of i, lies to pose i."""
    C = as_finite("covariance", covariance, (3, 3))
    information = np.asarray(np.linalg.inv(C), dtype=np.float64)
    return MotionEdge(i=i, j=j, motion=between(pose_i, pose_j), information=information)


def joint_compatibility(
    belief: SlamBelief, readings: ArrayLike, R: ArrayLike, *, level: float = 0.99
) -> tuple[int, ...]:
    """Return the landmark of each reading, -1: none, so that all fit together.

    Branch and bound over pairings, the largest compatible set wins, then the one with
    the smallest rᵀ S⁻¹ r.

    Args:
        belief: Pose and landmarks of one robot.
        readings: Ranges [m] and bearings [rad], shape (k, 2).
        R: Covariance of one reading, shape (2, 2).
        level: Share of good sets that pass.
    """
    z, noise = as_finite("readings", readings, (2,)), as_finite("R", R, (2, 2))
    sights = [expect_landmark(belief, k, R) for k in range(belief.count)]
    best: tuple[int, float, tuple[int, ...]] = (0, np.inf, (-1,) * len(z))

    def distance(pairs: tuple[int, ...]) -> float:
        used = [(i, k) for i, k in enumerate(pairs) if k >= 0]
        H = np.concatenate([sights[k].H for _, k in used])
        gap = np.concatenate([z[i] - sights[k].expected for i, k in used])
        gap[1::2] = wrap_angle(gap[1::2])
        S = H @ belief.covariance @ H.T + np.kron(np.eye(len(used)), noise)
        return float(gap @ np.linalg.solve(S, gap))

    def search(pairs: tuple[int, ...], joined: int, d: float) -> None:
        nonlocal best
        left = len(z) - len(pairs)
        if joined + left < best[0]:
            return
        if not left:
            if (joined, -d) > (best[0], -best[1]):
                best = (joined, d, pairs)
            return
        for k in range(belief.count):
            if k in pairs or not _fits(z[len(pairs)], sights[k], level):
                continue
            more = (*pairs, k)
            d_more = distance(more)
            if d_more <= chi2_gate(2 * (joined + 1), level):
                search(more, joined + 1, d_more)
        search((*pairs, -1), joined, d)

    search((), 0, 0.0)
    return best[2]


def _fits(z: FloatArray, sight, level: float) -> bool:
    gap = z - sight.expected
    gap[1] = wrap_angle(gap[1])
    return float(gap @ np.linalg.solve(sight.S, gap)) <= chi2_gate(2, level)
