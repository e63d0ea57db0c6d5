"""Alignment of clouds.

Oracles: SciPy's rotation between vector sets, a plain ICP on SciPy's tree, derivatives,
known motions, the numbers of the course.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial import KDTree as ScipyTree
from scipy.spatial.transform import Rotation

from gelenk.errors import ConfigError, ShapeError
from gelenk.pointcloud.filters import estimate_normals
from gelenk.pointcloud.kd_tree import KdTree
from gelenk.pointcloud.registration import IcpCfg, IcpStatus, align_clouds, fit_rigid

pytestmark = pytest.mark.capability("GR-170")


def pose(rotvec, t) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3] = Rotation.from_rotvec(rotvec).as_matrix()
    T[:3, 3] = t
    return T


def moved(T: np.ndarray, p: np.ndarray) -> np.ndarray:
    return p @ T[:3, :3].T + T[:3, 3]


def off(T: np.ndarray, truth: np.ndarray) -> tuple[float, float]:
    """Return the error of a pose [deg] and [m]."""
    turn = Rotation.from_matrix(T[:3, :3] @ truth[:3, :3].T).magnitude()
    return float(np.degrees(turn)), float(np.linalg.norm(T[:3, 3] - truth[:3, 3]))


def potato(n: int, seed: int) -> np.ndarray:
    """Return points of a bumpy surface, at other places for each seed."""
    u = np.random.default_rng(seed).normal(size=(n, 3))
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    bumps = (
        1.0 + 0.2 * np.sin(3.0 * u[:, 0]) * np.cos(4.0 * u[:, 1]) + 0.1 * u[:, 2] ** 3
    )
    return u * bumps[:, None] * [1.0, 0.7, 0.5]


TEN = np.radians(10.0) * np.array([1.0, 2.0, 2.0]) / 3.0


def test_the_motion_of_the_course():  # TV-7.17
    p = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]])
    q = np.array(
        [
            [0.5, -0.2, 0.1],
            [1.366025, 0.3, 0.1],
            [-0.5, 1.532051, 0.1],
            [0.5, -0.2, 3.1],
        ]
    )
    T = pose([0.0, 0.0, np.radians(30.0)], [0.5, -0.2, 0.1])
    assert_allclose(moved(T, p), q, atol=1e-6)
    assert_allclose(fit_rigid(p, q), T, atol=1e-6)
    assert_allclose(fit_rigid(p, moved(T, p)), T, atol=1e-12)


def test_motions_of_noisy_pairs_are_those_of_scipy():
    rng = np.random.default_rng(0)
    for seed in range(5):
        p = rng.normal(size=(20, 3))
        q = moved(pose(rng.normal(size=3), rng.normal(size=3)), p) + 0.3 * rng.normal(
            size=p.shape
        )
        weights = rng.uniform(0.1, 1.0, 20)
        T = fit_rigid(p, q, weights)
        a, b = (
            np.average(p, axis=0, weights=weights),
            np.average(q, axis=0, weights=weights),
        )
        R, _ = Rotation.align_vectors(q - b, p - a, weights=weights)
        assert_allclose(T[:3, :3], R.as_matrix(), atol=1e-8)
        assert_allclose(T[:3, 3], b - R.apply(a), atol=1e-8), seed


def test_a_mirror_is_never_the_answer():
    p = np.random.default_rng(1).normal(size=(10, 3))
    assert np.linalg.det(fit_rigid(p, p * [1, 1, -1])[:3, :3]) == pytest.approx(1.0)
    flat = p * [1, 1, 0]
    T = pose([0.1, 0.2, 0.3], [1.0, 2.0, 3.0])
    assert_allclose(fit_rigid(flat, moved(T, flat)), T, atol=1e-9)
    with pytest.raises(ShapeError):
        fit_rigid(p, p[:4])


@pytest.mark.parametrize("method", ["point", "plane"])
def test_ten_degrees_are_found_back(method):
    target = potato(1500, 0)
    T = pose(TEN, [0.05, -0.03, 0.04])
    source = moved(np.linalg.inv(T), target)
    normals = estimate_normals(target, sensor=5.0 * target)
    found = align_clouds(source, target, normals=normals, cfg=IcpCfg(method=method))
    assert found.status is IcpStatus.CONVERGED
    assert found.overlap == 1.0
    turn, way = off(found.T_target_source, T)
    assert turn < 1e-3
    assert way < 1e-5
    assert np.all(np.diff(found.errors) < 1e-9)  # each round brings the pairs nearer


def test_planes_need_fewer_rounds_and_samples_of_their_own_are_aligned():
    target, other = potato(2500, 0), potato(2500, 1)  # not one point in common
    T = pose(TEN, [0.05, -0.03, 0.04])
    source = moved(np.linalg.inv(T), other)
    normals = estimate_normals(target, sensor=5.0 * target)
    tree = KdTree(target)
    point = align_clouds(source, tree, cfg=IcpCfg(method="point"))
    plane = align_clouds(source, tree, normals=normals, cfg=IcpCfg(method="plane"))
    assert plane.iterations < 0.5 * point.iterations
    assert off(plane.T_target_source, T)[0] < 0.3
    assert off(plane.T_target_source, T)[1] < 5e-3
    assert off(point.T_target_source, T)[0] < 1.0


def test_every_round_is_that_of_a_plain_loop():
    target, T = potato(800, 2), pose(TEN, [0.05, 0.0, 0.02])
    source = moved(np.linalg.inv(T), potato(700, 3))
    places, tree = source.copy(), ScipyTree(target)
    errors = []
    for _ in range(15):
        distance, number = tree.query(places)
        errors.append(np.sqrt(np.mean(distance**2)))
        a, b = places.mean(axis=0), target[number].mean(axis=0)
        R, _ = Rotation.align_vectors(target[number] - b, places - a)
        places = R.apply(places - a) + b
    found = align_clouds(source, target, cfg=IcpCfg(max_iterations=15, tolerance=0.0))
    assert found.status is IcpStatus.MAX_ITERATIONS
    assert_allclose(found.errors, errors, rtol=1e-9)
    assert_allclose(moved(found.T_target_source, source), places, atol=1e-9)


def test_with_a_limit_rounds_are_those_of_a_plain_loop_too():
    target = potato(800, 2)
    source = potato(700, 3) + np.array([0.05, 0.0, 0.0])
    places, tree = source.copy(), ScipyTree(target)
    for _ in range(12):
        distance, number = tree.query(places)
        near = distance < 0.06
        a, b = places[near].mean(axis=0), target[number[near]].mean(axis=0)
        R, _ = Rotation.align_vectors(target[number[near]] - b, places[near] - a)
        places = R.apply(places - a) + b
    cfg = IcpCfg(max_iterations=12, tolerance=0.0, max_distance=0.06)
    found = align_clouds(source, target, cfg=cfg)
    assert_allclose(moved(found.T_target_source, source), places, atol=1e-9)
    assert found.overlap < 1.0


def test_half_a_cloud_with_strangers_is_aligned_by_near_pairs_only():
    rng = np.random.default_rng(4)
    target = potato(3000, 0)
    half = target[target[:, 0] > -0.2]
    T = pose(0.4 * TEN, [0.02, 0.0, -0.02])
    strangers = rng.uniform(1.5, 3.0, (300, 3))
    source = moved(np.linalg.inv(T), np.concatenate([half, strangers]))
    all_pairs = align_clouds(source, target)
    near = align_clouds(source, target, cfg=IcpCfg(max_distance=0.2))
    assert off(near.T_target_source, T)[0] < 0.01 < off(all_pairs.T_target_source, T)[0]
    assert near.overlap == pytest.approx(len(half) / len(source), abs=0.01)


def test_a_start_helps_where_none_would_do():
    target = potato(1000, 0)
    T = pose([0.0, 0.0, np.pi / 2], [0.1, 0.0, 0.0])
    source = moved(np.linalg.inv(T), target)
    lost = align_clouds(source, target)
    started = align_clouds(
        source, target, T_start=pose([0.0, 0.0, 1.4], [0.05, 0.0, 0.0])
    )
    assert off(lost.T_target_source, T)[0] > 20.0
    assert off(started.T_target_source, T)[0] < 0.01


def test_clouds_that_never_meet_have_no_motion():
    found = align_clouds(
        potato(50, 0) + 99.0, potato(50, 1), cfg=IcpCfg(max_distance=0.1)
    )
    assert found.status is IcpStatus.TOO_FEW_PAIRS
    assert (found.rms, found.overlap, found.iterations) == (np.inf, 0.0, 0)
    assert_allclose(found.T_target_source, np.eye(4))


def test_what_cannot_be_aligned_is_told():
    p = potato(30, 0)
    with pytest.raises(ConfigError, match="normals"):
        align_clouds(p, p, cfg=IcpCfg(method="plane"))
    with pytest.raises(ConfigError, match="point or plane"):
        IcpCfg(method="line")  # type: ignore[arg-type]
    with pytest.raises(ShapeError):
        align_clouds(p[:, :2], p)
