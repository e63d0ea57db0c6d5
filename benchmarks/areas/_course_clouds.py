"""The course: alignment of clouds against code as one writes it in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy.spatial import KDTree

from benchmarks.harness import Row, Settings, interleaved
from gelenk.pointcloud.registration import IcpCfg, align_clouds
from gelenk.spatial import so3
from gelenk.typing import FloatArray, IntArray

_POINTS = 2000  # per cloud; with all pairs the distances of one round take 32 MB
_SPEEDUP = 5.0
_CHUNK = 64  # rows of the distances that are looked at together

Partners = Callable[[FloatArray], IntArray]


def icp_speed(settings: Settings) -> Iterator[Row]:
    """Align two samples of one surface, 10 degrees apart, to the same end."""
    rng = settings.rng()
    source, target = _surface(_POINTS, rng), _surface(_POINTS, rng)
    R = so3.exp(np.radians(10.0) * np.array([1.0, 2.0, 2.0]) / 3.0)
    source = (source - [0.05, -0.03, 0.04]) @ R
    ours = align_clouds(source, target, cfg=IcpCfg(max_iterations=200))
    rounds = ours.iterations

    def numpy_all_pairs() -> FloatArray:
        return _plain_icp(source, target, _by_all_pairs(target), rounds)

    def scipy_tree() -> FloatArray:
        return _plain_icp(source, target, _by_tree(target), rounds)

    ends = source @ ours.T_target_source[:3, :3].T + ours.T_target_source[:3, 3]
    off = max(
        float(np.abs(end() - ends).max()) for end in (numpy_all_pairs, scipy_tree)
    )
    timings = interleaved(
        {
            "ours": lambda: align_clouds(
                source, target, cfg=IcpCfg(max_iterations=200)
            ),
            "NumPy, all pairs": numpy_all_pairs,
            "NumPy, SciPy's C++ tree": scipy_tree,
        },
        rounds=settings.pick(15, 3),
        warmup=1,
    )
    note = (
        f"{_POINTS} points each, {rounds} rounds, {ours.status}, tree built anew; "
        f"all end within {off:.0e} m; ours {1e3 * timings.median('ours'):.1f} ms"
    )
    peers = {
        name: 1e3 * timings.median(name) for name in timings.samples if name != "ours"
    }
    for name, peer, target_ratio in (
        ("icp_over_python", "NumPy, all pairs", _SPEEDUP),
        ("icp_over_compiled_tree", "NumPy, SciPy's C++ tree", None),
    ):
        yield Row(
            name=name,
            value=timings.ratio(peer, "ours"),
            unit="x",
            target=target_ratio,
            direction=">=",
            note=f"{note}, {peer} {peers[peer]:.1f} ms",
        )


def _plain_icp(
    source: FloatArray, target: FloatArray, partners: Partners, rounds: int
) -> FloatArray:
    """Return the source after so many rounds of ICP, in a few lines of NumPy."""
    p = source
    for _ in range(rounds):
        q = target[partners(p)]
        a, b = p.mean(axis=0), q.mean(axis=0)
        U, _, Vt = np.linalg.svd((p - a).T @ (q - b))
        flip = np.array([1.0, 1.0, np.sign(np.linalg.det(Vt.T @ U.T))])
        p = (p - a) @ ((Vt.T * flip) @ U.T).T + b
    return p


def _by_all_pairs(target: FloatArray) -> Partners:
    """Return the quickest search without a tree: least |q|^2 / 2 - p . q.

    Rows that stay in the cache, and sums by hand: a matrix product of three columns
    takes four times as long.
    """
    half = 0.5 * np.sum(target**2, axis=1)
    x, y, z = np.ascontiguousarray(target.T)

    def partners(p: FloatArray) -> IntArray:
        found = np.empty(len(p), dtype=np.int64)
        for at in range(0, len(p), _CHUNK):
            q = p[at : at + _CHUNK]
            cost = half - q[:, :1] * x - q[:, 1:2] * y - q[:, 2:] * z
            found[at : at + _CHUNK] = np.argmin(cost, axis=1)
        return found

    return partners


def _by_tree(target: FloatArray) -> Partners:
    tree = KDTree(target)
    return lambda p: np.asarray(tree.query(p)[1])


def _surface(count: int, rng: np.random.Generator) -> FloatArray:
    """Return points of a bumpy ellipsoid [m], shape (count, 3)."""
    u = rng.normal(size=(count, 3))
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    bumps = (
        1.0 + 0.2 * np.sin(3.0 * u[:, 0]) * np.cos(4.0 * u[:, 1]) + 0.1 * u[:, 2] ** 3
    )
    return u * bumps[:, None] * np.array([1.0, 0.7, 0.5])
