"""Registration of point clouds: iterative closest points (ICP).

Repeat until nothing changes: pair each point with the closest one of the target, find
the rigid motion that brings the pairs together best, move. It ends in the nearest
minimum, so it needs a start within about 20 degrees and a fraction of the size.

"point": sum |q - p|^2, solved in closed form. "plane": sum (n^T (q - p))^2 with the
target's normals, linearised, rows [n^T, (p x n)^T] (t, w) = n^T (q - p): points may
slide along the surface, which takes far fewer rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import numpy as np

from gelenk.checks import as_finite, as_kernel_array
from gelenk.errors import ConfigError, ShapeError
from gelenk.pointcloud.kd_tree import KdTree, closest_sums_kernel
from gelenk.spatial import se3, so3
from gelenk.typing import ArrayLike, FloatArray


def fit_rigid(
    p: ArrayLike, q: ArrayLike, weights: ArrayLike | None = None
) -> FloatArray:
    """Return T_q_p, shape (4, 4), that minimises sum w |q - R p - t|^2.

    Args:
        p: Points in one frame [m], shape (n, 3).
        q: The same points in the other frame [m], shape (n, 3).
        weights: Weight of each pair, shape (n,); by default 1.

    Example:
        >>> p = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]])
        >>> q = p @ [[0, 1, 0], [-1, 0, 0], [0, 0, 1]] + [0.5, -0.2, 0.1]
        >>> print(fit_rigid(p, q).round(9) + 0.0)
        [[ 0.  -1.   0.   0.5]
         [ 1.   0.   0.  -0.2]
         [ 0.   0.   1.   0.1]
         [ 0.   0.   0.   1. ]]
    """
    a, b = as_finite("p", p, (3,)), as_finite("q", q, (3,))
    if a.ndim != 2 or a.shape != b.shape or not len(a):
        raise ShapeError("q", expected=f"{a.shape}, at least one row", actual=b.shape)
    w = np.ones(len(a)) if weights is None else as_finite("weights", weights, (len(a),))
    w = w / w.sum()
    return rigid_from_moments(w @ a, w @ b, (a * w[:, None]).T @ b)


def rigid_from_moments(
    mean_p: FloatArray, mean_q: FloatArray, pq: FloatArray
) -> FloatArray:
    """Return T_q_p, shape (4, 4), from mean p, mean q and the mean of p q^T."""
    U, _, Vt = np.linalg.svd(pq - np.outer(mean_p, mean_q))
    V = Vt.T
    sign = np.array([1.0, 1.0, np.sign(np.linalg.det(V @ U.T))])
    R = (V * sign) @ U.T
    return se3.pose_from_rotation_translation(R, mean_q - R @ mean_p)


MIN_PAIRS = 6


class IcpStatus(StrEnum):
    """Reason why an alignment ended."""

    CONVERGED = "converged"
    """The motion of a round was below the tolerance."""
    MAX_ITERATIONS = "max_iterations"
    """The allowed rounds are spent."""
    TOO_FEW_PAIRS = "too_few_pairs"
    """Too few points have a partner within the distance: a bad start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IcpCfg:
    """Settings of `align_clouds`.

    Attributes:
        method: "point" or "plane".
        max_distance: Pairs farther apart do not count [m].
        max_iterations: Rounds at most.
        tolerance: Rotation [rad] and motion relative to the target's size below which
            to stop.
    """

    method: Literal["point", "plane"] = "point"
    max_distance: float = np.inf
    max_iterations: int = 60
    tolerance: float = 1e-7

    def __post_init__(self) -> None:
        if self.method not in ("point", "plane"):
            raise ConfigError(f"`method` must be point or plane, got {self.method!r}")
        if not (self.max_distance > 0.0 and self.max_iterations >= 1):
            raise ConfigError("`max_distance` and `max_iterations` must be positive")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IcpResult:
    """Outcome of an alignment.

    Attributes:
        T_target_source: Pose of the source in the target's frame, shape (4, 4).
        rms: Root mean square distance of the pairs, to the plane for "plane" [m],
            before the last motion.
        overlap: Share of the source's points that have a partner.
        errors: `rms` of each round [m].
        status: Reason why the alignment ended.
    """

    T_target_source: FloatArray
    rms: float
    overlap: float
    errors: tuple[float, ...]
    status: IcpStatus

    @property
    def iterations(self) -> int:
        return len(self.errors)


def align_clouds(
    source: ArrayLike,
    target: ArrayLike | KdTree,
    *,
    normals: ArrayLike | None = None,
    T_start: ArrayLike | None = None,
    cfg: IcpCfg | None = None,
) -> IcpResult:
    """Return the motion that brings `source` onto `target`.

    Args:
        source: Points [m], shape (m, 3).
        target: Points [m], shape (n, 3), or their tree, if it is asked more than once.
        normals: Unit normals of the target, shape (n, 3); for "plane".
        T_start: First guess of T_target_source, shape (4, 4); by default none moves.
        cfg: Settings.

    Raises:
        ConfigError: If "plane" is wanted without normals.

    Example:
        >>> import numpy as np
        >>> from gelenk.pointcloud import align_clouds
        >>> wave = np.stack(np.meshgrid(np.arange(20.0), np.arange(20.0)), axis=-1)
        >>> x, y = wave.reshape(-1, 2).T
        >>> target = np.column_stack([x, y, np.sin(0.5 * x) + np.cos(0.4 * y)])
        >>> found = align_clouds(target - [0.3, -0.2, 0.1], target)
        >>> print(found.T_target_source[:3, 3].round(6), found.status)
        [ 0.3 -0.2  0.1] converged
    """
    cfg = cfg or IcpCfg()
    tree = target if isinstance(target, KdTree) else KdTree(target)
    points = as_kernel_array(as_finite("source", source, (3,)))
    if points.ndim != 2 or tree.points.shape[1] != 3:
        raise ShapeError("source", expected="(m, 3)", actual=points.shape)
    T = np.array(
        np.eye(4) if T_start is None else as_finite("T_start", T_start, (4, 4))
    )
    size = float(np.linalg.norm(tree.boxes[0, 3:] - tree.boxes[0, :3])) or 1.0
    ask = _asking(tree, points, _directions(tree, normals, cfg), cfg.max_distance)
    errors: list[float] = []
    status, pairs = IcpStatus.MAX_ITERATIONS, 0.0
    for _ in range(cfg.max_iterations):
        sums, A, b = ask(T)
        pairs = float(sums[0])
        if pairs < MIN_PAIRS:
            status = IcpStatus.TOO_FEW_PAIRS
            break
        errors.append(float(np.sqrt(sums[1] / pairs)))
        step = _step(sums, A, b, is_plane=cfg.method == "plane")
        T = step @ T
        middle = sums[2:5] / pairs  # how far the cloud itself went
        moved = np.linalg.norm(step[:3, :3] @ middle + step[:3, 3] - middle)
        turn = np.linalg.norm(step[:3, :3] - np.eye(3)) / np.sqrt(2.0)
        if turn < cfg.tolerance and moved < cfg.tolerance * size:
            status = IcpStatus.CONVERGED
            break
    T[:3, :3] = so3.orthonormalize(T[:3, :3])
    return IcpResult(
        T_target_source=T,
        rms=errors[-1] if errors else float("inf"),
        overlap=pairs / max(1, len(points)),
        errors=tuple(errors),
        status=status,
    )


def _directions(tree: KdTree, normals: ArrayLike | None, cfg: IcpCfg) -> FloatArray:
    """Return the normals that count as kernels take them, (n, 3); (0, 3): none."""
    if cfg.method == "point":
        return np.zeros((0, 3))
    if normals is None:
        raise ConfigError('method "plane" needs `normals` of the target')
    return as_kernel_array(as_finite("normals", normals, (len(tree), 3)))


def _asking(
    tree: KdTree, points: FloatArray, directions: FloatArray, max_distance: float
) -> Callable[[FloatArray], tuple[FloatArray, FloatArray, FloatArray]]:
    """Return a function of the motion that gives the sums of all pairs.

    It remembers who was whose partner from call to call.
    """
    partner = np.full(len(points), -1, dtype=np.int64)
    memory = np.empty((len(points), 4))
    sums, A, b = np.empty(17), np.empty((6, 6)), np.empty(6)

    def ask(T: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        closest_sums_kernel(
            tree.sorted_points,
            directions,
            tree.order,
            tree.boxes,
            tree.depth,
            points,
            T,
            max_distance,
            partner,
            memory,
            sums,
            A,
            b,
        )
        return sums, A, b

    return ask


def _step(
    sums: FloatArray, A: FloatArray, b: FloatArray, *, is_plane: bool
) -> FloatArray:
    """Return the motion of one round, shape (4, 4)."""
    count = sums[0]
    if not is_plane:
        return rigid_from_moments(
            sums[2:5] / count, sums[5:8] / count, sums[8:17].reshape(3, 3) / count
        )
    # A plane leaves slides and spins free: the shortest solution does not use them.
    x = np.linalg.lstsq(A, b, rcond=1e-10)[0]
    return se3.pose_from_rotation_translation(so3.exp(x[3:]), x[:3])
