"""Clouds in files, k-d trees and octrees.

Oracles: brute force, SciPy's tree, trimesh as another reader of PLY, geometry of rays.
"""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from numpy.testing import assert_allclose
from scipy.spatial import KDTree as ScipyTree
from scipy.spatial.transform import Rotation

from gelenk.errors import ConfigError, FileFormatError, ShapeError
from gelenk.pointcloud.cloud import PointCloud
from gelenk.pointcloud.files import load_cloud, save_cloud
from gelenk.pointcloud.kd_tree import KdTree
from gelenk.pointcloud.octree import Octree


def cloud(n: int = 60, seed: int = 0) -> PointCloud:
    rng = np.random.default_rng(seed)
    return PointCloud(points=rng.normal(size=(n, 3)), colors=rng.uniform(size=(n, 3)))


@pytest.mark.capability("GR-162")
def test_clouds_are_moved_and_joined_as_their_points_are():
    T = np.eye(4)
    T[:3, :3] = Rotation.from_rotvec([0.3, -1.1, 0.7]).as_matrix()
    T[:3, 3] = 1.0, -2.0, 3.0
    a, b = cloud(seed=0), cloud(seed=1)
    both = PointCloud.merged([a.transformed(T), b])
    assert len(both) == 120
    turned = Rotation.from_rotvec([0.3, -1.1, 0.7]).apply(np.array(a.points))
    expected = turned + np.array([1.0, -2.0, 3.0])
    assert_allclose(both.points[:60], expected, atol=1e-12)
    assert_allclose(both.points[60:], b.points)
    assert a.colors is not None
    assert_allclose(both.colors[:60], a.colors)


@pytest.mark.capability("GR-162")
@pytest.mark.parametrize("is_binary", [True, False])
def test_clouds_survive_files_and_other_programs_read_them(tmp_path, is_binary):
    path = tmp_path / "cloud.ply"
    save_cloud(cloud(), path, is_binary=is_binary)
    back = load_cloud(path)
    assert np.array_equal(back.points, cloud().points)
    assert_allclose(back.colors, cloud().colors, atol=0.5 / 255.0 + 1e-12)
    theirs = trimesh.load(path)
    assert_allclose(theirs.vertices, cloud().points, rtol=1e-6)
    assert_allclose(theirs.colors[:, :3] / 255.0, back.colors)


@pytest.mark.capability("GR-162")
def test_what_others_wrote_is_read(tmp_path):
    path = tmp_path / "theirs.ply"
    trimesh.PointCloud(cloud().points).export(path)
    assert_allclose(load_cloud(path).points, cloud().points, rtol=1e-6)
    sphere = trimesh.creation.icosphere(subdivisions=1)
    sphere.export(path, encoding="ascii")
    assert_allclose(load_cloud(path).points, sphere.vertices, atol=1e-6)


@pytest.mark.capability("GR-162")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("solid", "no PLY file"),
        ("ply\nformat ascii 1.0\nend_header\n", "no vertices"),
        (
            "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n",
            "no x",
        ),
        ("ply\nformat ascii 1.0\nelement face 1\nend_header\n", "come first"),
    ],
)
def test_files_that_hold_no_cloud_are_told(tmp_path, text, message):
    path = tmp_path / "bad.ply"
    path.write_text(text)
    with pytest.raises(FileFormatError, match=message):
        load_cloud(path)


@pytest.mark.capability("GR-162")
def test_a_file_that_ends_too_early_is_told(tmp_path):
    path = tmp_path / "cut.ply"
    save_cloud(cloud(), path)
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(FileFormatError, match="60 vertices"):
        load_cloud(path)


@pytest.mark.capability("GR-163")
@pytest.mark.parametrize("n", [1, 7, 8, 9, 100, 1337])
@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_neighbours_are_those_of_brute_force(n, dimension):
    rng = np.random.default_rng(n)
    points, queries = rng.normal(size=(n, dimension)), rng.normal(size=(40, dimension))
    count = min(5, n)
    distance, number = KdTree(points).nearest(queries, count)
    every = np.linalg.norm(queries[:, None] - points, axis=-1)
    assert_allclose(distance, np.sort(every, axis=1)[:, :count])
    assert_allclose(np.take_along_axis(every, number, axis=1), distance)
    assert all(len({*row}) == count for row in number.tolist())


@pytest.mark.capability("GR-163")
def test_equal_points_crowds_and_limits_are_those_of_scipy():
    rng = np.random.default_rng(0)
    points = rng.integers(0, 4, (300, 3)).astype(float)  # many on the same place
    queries = rng.uniform(-1.0, 5.0, (50, 3))
    distance, number = KdTree(points).nearest(queries, 12, limit=1.5)
    theirs, _ = ScipyTree(points).query(queries, 12, distance_upper_bound=1.5)
    assert_allclose(distance, theirs)
    assert np.array_equal(number == 300, np.isinf(theirs))
    batch, _ = KdTree(points).nearest(queries.reshape(5, 10, 3), 2)
    assert batch.shape == (5, 10, 2)


@pytest.mark.capability("GR-163")
def test_the_effort_grows_like_the_logarithm_unless_all_are_equally_far():  # E-57
    rng = np.random.default_rng(1)
    queries = rng.uniform(size=(200, 3))
    small = KdTree(rng.uniform(size=(500, 3))).leaves_visited(queries)
    large = KdTree(rng.uniform(size=(32_000, 3))).leaves_visited(queries)
    assert large < 2.0 * small  # leaves looked into; the depth adds log2(64) = 6 steps
    ball = rng.normal(size=(4000, 3))
    ball /= np.linalg.norm(ball, axis=1, keepdims=True)
    worst = KdTree(ball).leaves_visited(np.zeros((1, 3)))
    assert worst > 100.0  # from the centre no box can be left out


@pytest.mark.capability("GR-163")
def test_what_is_no_cloud_is_told():
    with pytest.raises(ShapeError, match="d = 1, 2 or 3"):
        KdTree(np.zeros((4, 5)))
    with pytest.raises(ConfigError, match="count"):
        KdTree(np.zeros((4, 3))).nearest(np.zeros(3), 0)


def filled(n: int = 400, depth: int = 5) -> tuple[Octree, np.ndarray]:
    points = np.random.default_rng(2).uniform(-2.0, 2.0, (n, 3))
    tree = Octree([0.0, 0.0, 0.0], 4.0, depth=depth)
    tree.insert_all(points)
    return tree, points


@pytest.mark.capability("GR-164")
def test_nodes_have_eight_children_or_none_and_hold_what_those_hold():
    tree, points = filled()
    for node in tree.nodes():
        assert len(node.children) in (0, 8)
        if node.children:
            assert node.count == sum(child.count for child in node.children)
    assert len(tree) == 400
    cells = np.unique(np.floor(points / tree.resolution), axis=0)
    assert len(list(tree.leaves())) == len(cells)
    assert_allclose(tree.root.mean, points.mean(axis=0))


@pytest.mark.capability("GR-164")
def test_removing_all_points_leaves_an_empty_cube():
    tree, points = filled(100)
    whole = len(list(tree.nodes()))
    for k, point in enumerate(points):
        assert tree.remove(point)
        assert len(tree) == 99 - k
    assert len(list(tree.nodes())) == 1 < whole
    assert not tree.remove(points[0])
    with pytest.raises(ConfigError, match="outside"):
        tree.insert([9.0, 0.0, 0.0])


@pytest.mark.capability("GR-164")
def test_rays_end_at_the_first_full_cube_of_all():
    tree, points = filled()
    low = np.unique(np.floor(points / tree.resolution), axis=0) * tree.resolution
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(60):
        origin = rng.uniform(-4.0, 4.0, 3)
        way = rng.uniform(-2.0, 2.0, 3) - origin  # towards the cube
        way /= np.linalg.norm(way)
        with np.errstate(divide="ignore"):
            a, b = (low - origin) / way, (low + tree.resolution - origin) / way
        enter = np.maximum(np.minimum(a, b).max(axis=1), 0.0)
        is_hit = enter <= np.maximum(a, b).min(axis=1)
        expected = enter[is_hit].min() if is_hit.any() else None
        hits += expected is not None
        found = tree.ray_cast(origin, way)
        assert (found is None) == (expected is None)
        if found is not None:
            assert found == pytest.approx(expected)
    assert 10 < hits < 60


@pytest.mark.capability("GR-164")
def test_coarser_levels_are_means_of_cubes():
    tree, points = filled()
    means = tree.means(2)
    thinned = PointCloud(points=points).thinned(1.0).points
    assert_allclose(
        means[np.lexsort(means.T)], thinned[np.lexsort(thinned.T)], atol=1e-9
    )
