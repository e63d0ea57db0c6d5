"""SLAM as graph optimisation, and loop closing.

min Σ eᵀ Ω e over all edges, e = (R_zᵀ (R_iᵀ (t_j - t_i) - t_z), θ_j - θ_i - θ_z) for a
measured motion z between poses, e = z - R_iᵀ (m - t_i) for a landmark seen in robot
axes. Sparse Gauss-Newton; the first pose is held, otherwise all could move together.

Loops: candidates are old poses near enough for the drift so far; each is verified by
matching scans; an accepted one enters the graph robustly and leaves it again if it
disagrees with everything else. A set of landmark pairs is accepted only together:
rᵀ S⁻¹ r of all stacked residuals must pass chi-square (joint compatibility).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import splu

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.estimation.kalman import chi2_gate
from gelenk.navigation.ekf_slam import LandmarkPrediction, SlamBelief, predict_landmark
from gelenk.navigation.planar import relative_pose
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MotionEdge:
    """A measured motion from pose i to pose j, in the frame of i.

    Attributes:
        i: Number of the first pose.
        j: Number of the second pose.
        motion: Measured motion (dx [m], dy [m], dθ [rad]), shape (3,).
        information: Ω, inverse covariance, shape (3, 3).

    Example:
        >>> from gelenk.navigation import MotionEdge
        >>> motion = np.array([1.0, 0.0, 0.0])
        >>> MotionEdge(i=0, j=1, motion=motion, information=np.eye(3)).j
        1
    """

    i: int
    j: int
    motion: FloatArray
    information: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LandmarkEdge:
    """A landmark seen from pose i.

    Attributes:
        i: Number of the pose.
        landmark: Number of the landmark.
        place: Measured place in robot axes [m], shape (2,).
        information: Ω, shape (2, 2).
    """

    i: int
    landmark: int
    place: FloatArray
    information: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GraphResult:
    """An optimised graph.

    Attributes:
        poses: Optimised poses, shape (n, 3).
        landmarks: Optimised landmarks, shape (m, 2).
        chi2: eᵀ Ω e of every motion edge, then of every landmark edge, shape (edges,).
        iterations: Steps taken.
        converged: Whether the last step was below 1e-6.
        covariance: Covariance of all numbers but the first pose, row by row as H⁻¹;
            None if not asked for.
    """

    poses: FloatArray
    landmarks: FloatArray
    chi2: FloatArray
    iterations: int
    converged: bool
    covariance: FloatArray | None = None


def motion_error(
    x_i: ArrayLike, x_j: ArrayLike, motion: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return e of motion edges and its slopes A = ∂e/∂x_i, B = ∂e/∂x_j.

    Args:
        x_i: Poses, shape (..., 3).
        x_j: Poses, shape (..., 3).
        motion: Measured motion, shape (..., 3).

    Returns:
        e, shape (..., 3), A and B, shape (..., 3, 3).

    Example:
        >>> e, A, B = motion_error([1, 2, 0.3], [2.5, 3, 0.9], [1.6, 0.4, 0.55])
        >>> print(e.round(6))
        [0.168141 0.028352 0.05    ]
    """
    a, b = as_finite("x_i", x_i, (3,)), as_finite("x_j", x_j, (3,))
    z = as_finite("motion", motion, (3,))
    e = relative_pose(z, relative_pose(a, b))
    angle = a[..., 2] + z[..., 2]
    c, s = np.cos(angle), np.sin(angle)
    d = b[..., :2] - a[..., :2]
    A, B = np.zeros((*e.shape, 3)), np.zeros((*e.shape, 3))
    B[..., 0, 0], B[..., 0, 1], B[..., 1, 0], B[..., 1, 1] = c, s, -s, c
    B[..., 2, 2] = 1.0
    A[...] = -B
    A[..., 0, 2] = -s * d[..., 0] + c * d[..., 1]
    A[..., 1, 2] = -c * d[..., 0] - s * d[..., 1]
    return e, A, B


def landmark_error(
    x: ArrayLike, m: ArrayLike, place: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return e = z - R_iᵀ (m - t_i) and its slopes over pose and landmark.

    Args:
        x: Poses, shape (..., 3).
        m: Landmarks [m], shape (..., 2).
        place: Measured place in robot axes [m], shape (..., 2).
    """
    a, b = as_finite("x", x, (3,)), as_finite("m", m, (2,))
    c, s = np.cos(a[..., 2]), np.sin(a[..., 2])
    d = b - a[..., :2]
    local = np.stack([c * d[..., 0] + s * d[..., 1], c * d[..., 1] - s * d[..., 0]], -1)
    B = np.zeros((*local.shape, 2))
    B[..., 0, 0], B[..., 0, 1], B[..., 1, 0], B[..., 1, 1] = -c, -s, s, -c
    turned = np.stack([-local[..., 1], local[..., 0]], axis=-1)[..., None]
    return as_finite("place", place, (2,)) - local, np.concatenate([-B, turned], -1), B


def optimize_graph(
    poses: ArrayLike,
    motions: Sequence[MotionEdge],
    *,
    landmarks: ArrayLike = (),
    landmark_edges: Sequence[LandmarkEdge] = (),
    huber: float = np.inf,
    max_iterations: int = 50,
    with_covariance: bool = False,
) -> GraphResult:
    """Return the poses and landmarks that explain all measurements best.

    Args:
        poses: Start values, shape (n, 3); the first one is held.
        motions: Odometry and closed loops.
        landmarks: Start values [m], shape (m, 2).
        landmark_edges: Measured landmarks.
        huber: k of the robust weight min(1, k / √(eᵀ Ω e)); infinite: plain.
        max_iterations: Most steps.
        with_covariance: Whether to compute H⁻¹, which is dense.

    Example:
        Three poses on a line, 1 m apart by odometry, closed with 1.8 m.

        >>> from gelenk.navigation import MotionEdge, optimize_graph
        >>> edges = [
        ...     MotionEdge(i=i, j=j, motion=np.array([d, 0, 0]), information=np.eye(3))
        ...     for i, j, d in ((0, 1, 1.0), (1, 2, 1.0), (0, 2, 1.8))
        ... ]
        >>> found = optimize_graph([[0, 0, 0], [1, 0, 0], [2, 0, 0]], edges)
        >>> print(found.poses[:, 0].round(6))
        [0.       0.933333 1.866667]
    """
    x = np.array(as_finite("poses", poses, (3,)))
    m: FloatArray = np.array(landmarks, dtype=np.float64).reshape(-1, 2)
    if not motions and not landmark_edges:
        raise ConfigError("a graph needs edges")
    problem = _Graph(motions, landmark_edges, len(x), huber)
    done, step = 0, np.inf
    while done < max_iterations and step > 1e-6:
        H, g, _ = problem.system(x, m)
        delta = _solve(H, -g)
        x[1:] += delta[: 3 * (len(x) - 1)].reshape(-1, 3)
        x[:, 2] = wrap_angle(x[:, 2])
        m += delta[3 * (len(x) - 1) :].reshape(-1, 2)
        done, step = done + 1, float(np.linalg.norm(delta))
    H, _, chi2 = problem.system(x, m)
    covariance: FloatArray | None = None
    if with_covariance:
        covariance = _solve(H, np.eye(H.shape[0]))
    return GraphResult(
        poses=x,
        landmarks=m,
        chi2=chi2,
        iterations=done,
        converged=step <= 1e-6,
        covariance=covariance,
    )


def _solve(H: Any, right: FloatArray) -> FloatArray:
    """Return H⁻¹ times columns, of a sparse H."""
    return np.asarray(cast("Any", splu(H)).solve(right), dtype=np.float64)


class _Graph:
    """The normal equations of a graph."""

    def __init__(
        self,
        motions: Sequence[MotionEdge],
        landmark_edges: Sequence[LandmarkEdge],
        count: int,
        huber: float,
    ) -> None:
        self.huber, self.count = huber, count
        self.i = np.array([e.i for e in motions], dtype=np.int64)
        self.j = np.array([e.j for e in motions], dtype=np.int64)
        self.z = np.array([e.motion for e in motions], dtype=float).reshape(-1, 3)
        self.W = np.array([e.information for e in motions], float).reshape(-1, 3, 3)
        self.si = np.array([e.i for e in landmark_edges], dtype=np.int64)
        self.sk = np.array([e.landmark for e in landmark_edges], dtype=np.int64)
        self.sz = np.array([e.place for e in landmark_edges], dtype=float).reshape(
            -1, 2
        )
        self.sW = np.array([e.information for e in landmark_edges], float).reshape(
            -1, 2, 2
        )

    def system(
        self, x: FloatArray, m: FloatArray
    ) -> tuple[Any, FloatArray, FloatArray]:
        """Return H (sparse), g and the chi2 of all edges, without the first pose."""
        e, A, B = motion_error(x[self.i], x[self.j], self.z)
        f, C, D = landmark_error(x[self.si], m[self.sk], self.sz)
        base = 3 * len(x)
        blocks = [
            (3 * self.i, A, 3 * self.j, B, e, self.W),
            (3 * self.si, C, base + 2 * self.sk, D, f, self.sW),
        ]
        rows: list[IntArray] = []
        cols: list[IntArray] = []
        values: list[FloatArray] = []
        chi2: list[FloatArray] = []
        g = np.zeros(base + 2 * len(m))
        for a_at, a_slope, b_at, b_slope, error, weight in blocks:
            square = np.einsum("ni,nij,nj->n", error, weight, error)
            chi2.append(square)
            share = np.minimum(1.0, self.huber / np.sqrt(np.maximum(square, 1e-300)))
            W = weight * share[:, None, None]
            ends = ((a_at, a_slope), (b_at, b_slope))
            for at, slope in ends:
                ids = at[:, None] + np.arange(slope.shape[2], dtype=np.int64)
                np.add.at(g, ids, np.einsum("nki,nkl,nl->ni", slope, W, error))
                for at2, slope2 in ends:
                    ids2 = at2[:, None] + np.arange(slope2.shape[2], dtype=np.int64)
                    block = np.einsum("nki,nkl,nlj->nij", slope, W, slope2)
                    rows.append(np.broadcast_to(ids[:, :, None], block.shape).ravel())
                    cols.append(np.broadcast_to(ids2[:, None], block.shape).ravel())
                    values.append(block.ravel())
        entries = (np.concatenate(rows), np.concatenate(cols))
        H = coo_matrix((np.concatenate(values), entries), shape=(len(g), len(g)))
        return H.tocsc()[3:, 3:], g[3:], np.concatenate(chi2)


def loop_candidates(
    poses: ArrayLike,
    *,
    drift: float,
    least_age: int = 20,
    most: int = 3,
) -> IntArray:
    """Return old poses that the last one may revisit, nearest first, shape (k,).

    Args:
        poses: Poses of the path so far, shape (n, 3).
        drift: Error of the estimate per metre of path [1].
        least_age: Poses younger than this many steps do not count.
        most: Largest number of candidates.

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
        ranges: Ranges of beams all around [m], shape (..., k).
        bins: Number of bins of the histogram, from 0 to the longest range.

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
    landmark_edges: Sequence[LandmarkEdge] = (),
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
        landmark_edges: Measured landmarks; trusted, too.
        huber: Residual from which the robust weight falls.
        gate: Largest eᵀ Ω e of a loop; None: 99.9 % of good ones.
    """
    limit = chi2_gate(3, 0.999) if gate is None else gate
    kept = list(range(len(loops)))
    found = optimize_graph(
        poses,
        [*odometry, *loops],
        landmarks=landmarks,
        landmark_edges=landmark_edges,
        huber=huber,
    )
    while kept:
        tensions = found.chi2[len(odometry) :][: len(kept)]
        worst = int(np.argmax(tensions))
        if tensions[worst] <= limit:
            break
        del kept[worst]
        edges = [*odometry, *(loops[k] for k in kept)]
        found = optimize_graph(
            found.poses,
            edges,
            landmarks=found.landmarks,
            landmark_edges=landmark_edges,
            huber=huber,
        )
    edges = [*odometry, *(loops[k] for k in kept)]
    final = optimize_graph(
        found.poses, edges, landmarks=found.landmarks, landmark_edges=landmark_edges
    )
    return final, tuple(k in kept for k in range(len(loops)))


def loop_edge(
    i: int, j: int, pose_i: ArrayLike, pose_j: ArrayLike, covariance: ArrayLike
) -> MotionEdge:
    """Return the edge that says how pose j, matched on the map of i, lies to pose i."""
    C = as_finite("covariance", covariance, (3, 3))
    information = np.asarray(np.linalg.inv(C), dtype=np.float64)
    return MotionEdge(
        i=i, j=j, motion=relative_pose(pose_i, pose_j), information=information
    )


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
    expected = [predict_landmark(belief, k, R) for k in range(belief.count)]
    best: tuple[int, float, tuple[int, ...]] = (0, np.inf, (-1,) * len(z))

    def distance(pairs: tuple[int, ...]) -> float:
        used = [(i, k) for i, k in enumerate(pairs) if k >= 0]
        H = np.concatenate([expected[k].H for _, k in used])
        gap = np.concatenate([z[i] - expected[k].expected for i, k in used])
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
            if k in pairs or not _fits(z[len(pairs)], expected[k], level):
                continue
            more = (*pairs, k)
            d_more = distance(more)
            if d_more <= chi2_gate(2 * (joined + 1), level):
                search(more, joined + 1, d_more)
        search((*pairs, -1), joined, d)

    search((), 0, 0.0)
    return best[2]


def _fits(z: FloatArray, prediction: LandmarkPrediction, level: float) -> bool:
    gap = z - prediction.expected
    gap[1] = wrap_angle(gap[1])
    return float(gap @ np.linalg.solve(prediction.S, gap)) <= chi2_gate(2, level)
