"""Point clouds against brute force, loops and the laws of rigid motion."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from gelenk.errors import ConfigError, ShapeError
from gelenk.pointcloud.cloud import PointCloud

pytestmark = pytest.mark.capability("AB-186")

clouds = arrays(
    np.float64,
    st.tuples(st.integers(1, 40), st.just(3)),
    elements=st.floats(-10.0, 10.0, allow_subnormal=False),
).map(lambda points: PointCloud(points=points))


def random_cloud(n: int = 200, *, seed: int = 0) -> PointCloud:
    rng = np.random.default_rng(seed)
    return PointCloud(points=rng.normal(size=(n, 3)), colors=rng.uniform(size=(n, 3)))


def random_pose(seed: int = 1) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3] = Rotation.from_rotvec([0.3 * seed, -1.1, 0.7]).as_matrix()
    T[:3, 3] = 1.0, -2.0, 3.0
    return T


@given(cloud=clouds)
def test_bounds_and_centroid_are_what_a_loop_finds(cloud):
    low, high = cloud.bounds
    rows = cloud.points.tolist()
    for k in range(3):
        column = [row[k] for row in rows]
        assert (low[k], high[k]) == (min(column), max(column))
        assert cloud.centroid[k] == pytest.approx(sum(column) / len(rows), abs=1e-9)


def test_transforming_keeps_distances_and_goes_back():
    cloud, T = random_cloud(), random_pose()
    moved = cloud.transformed(T)
    before = np.linalg.norm(np.diff(cloud.points, axis=0), axis=1)
    after = np.linalg.norm(np.diff(moved.points, axis=0), axis=1)
    assert_allclose(after, before, atol=1e-12)
    assert_allclose(
        moved.transformed(np.linalg.inv(T)).points, cloud.points, atol=1e-12
    )
    for i in (0, 17):  # one by one, in homogeneous coordinates
        assert_allclose(T @ [*cloud.points[i], 1.0], [*moved.points[i], 1.0])
    assert moved.colors is not None
    assert cloud.colors is not None
    assert_allclose(moved.colors, cloud.colors)


@given(cloud=clouds, edge=st.floats(0.5, 15.0))
def test_cropping_keeps_exactly_what_is_inside(cloud, edge):
    inside = cloud.cropped([-edge] * 3, [edge] * 3)
    expected = [p for p in cloud.points.tolist() if max(map(abs, p)) <= edge]
    assert inside.points.tolist() == expected


def test_a_point_on_the_face_of_the_box_is_inside_and_infinity_is_no_limit():
    cloud = PointCloud(points=np.array([[1.0, 0.0, 0.0], [1.0 + 1e-12, 0.0, 0.0]]))
    assert len(cloud.cropped([0.0, -1.0, -np.inf], [1.0, 1.0, np.inf])) == 1


def test_the_nearest_point_is_the_one_of_brute_force():
    cloud = random_cloud()
    queries = np.random.default_rng(5).normal(size=(4, 7, 3))
    distance, index = cloud.nearest(queries)
    all_distances = np.linalg.norm(queries[..., None, :] - cloud.points, axis=-1)
    assert_allclose(distance, all_distances.min(axis=-1), atol=1e-12)
    assert (index == all_distances.argmin(axis=-1)).all()


@given(cloud=clouds, voxel=st.floats(0.05, 5.0))
def test_thinning_leaves_one_mean_per_cube(cloud, voxel):
    cubes: dict[tuple[int, ...], list[list[float]]] = {}
    for point in cloud.points.tolist():
        cubes.setdefault(tuple(int(np.floor(x / voxel)) for x in point), []).append(
            point
        )
    expected = sorted([np.mean(points, axis=0).tolist() for points in cubes.values()])
    thin = cloud.thinned(voxel)
    assert len(thin) == len(cubes)
    assert_allclose(
        thin.points[np.lexsort(np.round(thin.points, 9).T[::-1])],
        np.array(sorted(expected, key=lambda p: tuple(np.round(p, 9)))),
        atol=1e-9,
    )


def test_thinning_keeps_the_mean_of_all_if_cubes_are_equally_full():
    grid = np.stack(np.meshgrid(*[[0.1, 0.4, 1.1, 1.4]] * 3), axis=-1).reshape(-1, 3)
    cloud = PointCloud(points=grid, colors=np.full((64, 3), 0.25))
    thin = cloud.thinned(1.0)
    assert len(thin) == 8
    assert_allclose(thin.centroid, cloud.centroid)
    assert thin.colors is not None
    assert_allclose(thin.colors, 0.25)


def test_merging_puts_one_behind_the_other():
    a, b = random_cloud(5, seed=1), random_cloud(3, seed=2)
    both = PointCloud.merged([a, b])
    assert len(both) == 8
    assert_allclose(both.where(np.arange(5, 8)).points, b.points)
    assert_allclose(both.centroid, (5 * a.centroid + 3 * b.centroid) / 8.0, atol=1e-12)
    empty = PointCloud(points=np.zeros((0, 3)))
    assert len(PointCloud.merged([])) == 0
    assert len(PointCloud.merged([a, empty])) == 5


def test_clouds_with_and_without_colours_do_not_merge():
    plain = PointCloud(points=np.zeros((1, 3)))
    with pytest.raises(ConfigError, match="1 of 2 clouds have colours"):
        PointCloud.merged([plain, random_cloud(2)])


def test_a_cloud_cannot_be_changed_and_keeps_its_own_copy():
    points = np.zeros((2, 3))
    cloud = PointCloud(points=points)
    points[0, 0] = 9.0
    assert cloud.points[0, 0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        cloud.points[0, 0] = 1.0


def test_an_empty_cloud_is_a_cloud_without_a_middle():
    empty = PointCloud(points=np.array([]))
    assert len(empty) == 0
    assert len(empty.thinned(0.1)) == 0
    assert len(empty.transformed(np.eye(4))) == 0
    for ask in (lambda: empty.centroid, lambda: empty.bounds, lambda: empty.nearest([0, 0, 0])):  # fmt: skip
        with pytest.raises(ConfigError, match="empty cloud"):
            ask()


@pytest.mark.parametrize(
    ("points", "colors", "error"),
    [
        ([[1.0, 2.0]], None, ShapeError),
        ([1.0, 2.0, 3.0], None, ShapeError),
        ([[np.nan, 0.0, 0.0]], None, ConfigError),
        ([[0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]] * 2, ShapeError),
        ([[0.0, 0.0, 0.0]], [[0.0, 0.0, 255.0]], ConfigError),
    ],
)
def test_what_is_no_cloud_is_refused(points, colors, error):
    with pytest.raises(error):
        PointCloud(points=points, colors=colors)
    with pytest.raises(ConfigError, match="voxel"):
        random_cloud(2).thinned(0.0)
