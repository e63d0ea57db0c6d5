"""Laser scans, TSDF, outliers, smoothing, normals, planes.

Oracles: geometry of boxes and spheres, trimesh (volume, watertightness), statistics,
the numbers of the course.
"""

from __future__ import annotations

from functools import cache

import mujoco
import numpy as np
import pytest
import trimesh
from numpy.testing import assert_allclose
from scipy.spatial import KDTree as ScipyTree
from scipy.spatial.transform import Rotation

from gelenk.errors import ConfigError, ShapeError
from gelenk.pointcloud.cloud import PointCloud
from gelenk.pointcloud.filters import (
    are_inliers,
    estimate_normals,
    estimate_surface,
    fit_plane,
    have_neighbors,
    mean_neighbor_distances,
    smooth_points,
)
from gelenk.pointcloud.laser_scan import (
    cast_boxes,
    cloud_from_ranges,
    colored_by_camera,
    multi_beam_directions,
    nodding_directions,
)
from gelenk.pointcloud.planes import (
    cut_clusters,
    find_plane,
    find_planes,
    plane_through,
    samples_needed,
)
from gelenk.pointcloud.tsdf import (
    HashedTsdf,
    empty_volume,
    fuse_distance,
    iso_surface,
    with_depth,
)
from gelenk.vision.camera import Intrinsics, unproject

BOX = np.array([[2.0, -0.5, -0.4], [3.0, 0.5, 0.4]])


@pytest.mark.capability("GR-161")
@pytest.mark.parametrize("kind", ["nodding", "multi-beam"])
def test_scanners_reconstruct_a_box(kind):
    angles, tilts = (
        np.radians(np.arange(-25.0, 25.0, 0.5)),
        np.radians(np.arange(-25.0, 25.0)),
    )
    make = nodding_directions if kind == "nodding" else multi_beam_directions
    beams = make(angles, tilts)
    assert_allclose(np.linalg.norm(beams, axis=-1), 1.0)
    T = np.eye(4)
    T[:3, :3] = Rotation.from_euler("z", 0.3).as_matrix()
    T[:3, 3] = 5.0, 1.0, 0.7
    ranges = cast_boxes([0.0, 0.0, 0.0], beams, BOX[None])
    found = cloud_from_ranges(ranges, beams, T_world_scanner=T, max_range=10.0)
    p = (found.points - T[:3, 3]) @ T[:3, :3]
    assert len(p) > 500
    # all lie on the one face that can be seen, and fill it
    assert_allclose(p[:, 0], 2.0, atol=1e-9)
    assert_allclose(p.min(axis=0)[1:], [-0.5, -0.4], atol=0.05)
    assert_allclose(p.max(axis=0)[1:], [0.5, 0.4], atol=0.05)


@pytest.mark.capability("GR-161")
def test_beams_end_where_mujoco_says():
    rng = np.random.default_rng(0)
    beams = rng.normal(size=(300, 3))
    beams /= np.linalg.norm(beams, axis=1, keepdims=True)
    beams[:100] = np.abs(beams[:100]) * [1.0, 0.1, 0.1]  # more of them towards the box
    beams[:100] /= np.linalg.norm(beams[:100], axis=1, keepdims=True)
    origin = np.array([1.0, 0.2, 0.1])
    center, half = BOX.mean(axis=0), 0.5 * np.diff(BOX, axis=0)[0]
    geom = f'<geom type="box" pos="{center[0]} {center[1]} {center[2]}" size="{half[0]} {half[1]} {half[2]}"/>'
    model = mujoco.MjModel.from_xml_string(
        f"<mujoco><worldbody>{geom}</worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    hit = np.zeros(1, dtype=np.int32)
    reach = [mujoco.mj_ray(model, data, origin, d, None, 1, -1, hit) for d in beams]
    expected = np.where(np.array(reach) < 0.0, np.inf, reach)
    assert 50 < np.isfinite(expected).sum() < 250
    assert_allclose(cast_boxes(origin, beams, BOX[None]), expected)
    assert np.isinf(cast_boxes(origin, beams, np.zeros((0, 2, 3)))).all()
    inside = cast_boxes([2.5, 0.0, 0.0], [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0]], BOX[None])
    assert_allclose(inside, [0.5, 0.4])


@pytest.mark.capability("GR-161")
def test_a_scanner_on_a_moving_mount_sees_a_straight_wall():
    beams = nodding_directions(np.radians(np.arange(-30.0, 31.0)), np.zeros(20))
    T = np.tile(np.eye(4), (20, 61, 1, 1))
    T[..., 2, 3] = np.linspace(0.0, 1.0, 20)[:, None]  # lifted while it scans
    wall = np.array([[[3.0, -9.0, -9.0], [4.0, 9.0, 9.0]]])
    found = cloud_from_ranges(
        cast_boxes(np.zeros(3), beams, wall), beams, T_world_scanner=T
    )
    assert_allclose(found.points[:, 0], 3.0)
    assert np.ptp(found.points[:, 2]) == pytest.approx(1.0)
    with pytest.raises(ShapeError, match="ranges"):
        cloud_from_ranges(np.zeros(3), beams)


@pytest.mark.capability("GR-161")
def test_a_camera_lends_its_colours_to_what_it_sees():
    camera = Intrinsics(width=40, height=30, fx=40, fy=40, cx=19.5, cy=14.5)
    image = np.zeros((30, 40, 3))
    image[:, :20, 0], image[:, 20:, 2] = 1.0, 1.0  # left red, right blue
    points = np.array([[-0.2, 0, 2], [0.2, 0, 2], [-0.4, 0, 4], [0, 0, -1], [9, 0, 1]])
    seen = colored_by_camera(PointCloud(points=points), image, camera, np.eye(4))
    # the third is hidden by the first, the fourth behind, the fifth beside the image
    assert seen.points.tolist() == points[:2].tolist()
    assert seen.colors is not None
    assert seen.colors.tolist() == [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]


@pytest.mark.capability("GR-165")
def test_the_mean_of_the_course():  # TV-7.14
    D, W = 0.0, 0.0
    for sample in (0.05, 0.03, -0.01, 0.04):
        D, W = fuse_distance(D, W, sample, truncation=0.1)
    assert_allclose([D, W], [0.275, 4.0], atol=1e-12)
    far = fuse_distance(0.3, 2.0, [-0.2, np.nan, 5.0], truncation=0.1)
    assert_allclose(far[0], [0.3, 0.3, (0.6 + 1.0) / 3.0])
    assert far[1].tolist() == [2.0, 2.0, 3.0]


RADIUS = 0.5
CAMERA = Intrinsics(width=80, height=80, fx=90, fy=90, cx=39.5, cy=39.5)


@cache
def views(count: int = 14) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return depth images of a sphere from around it, and the poses of the camera."""
    v, u = np.mgrid[0:80, 0:80]
    rays = unproject(CAMERA, np.stack([u, v], axis=-1).astype(float))
    golden, found = np.pi * (3.0 - np.sqrt(5.0)), []
    for k in range(count):
        z = 1.0 - 2.0 * (k + 0.5) / count
        r = np.sqrt(1.0 - z * z)
        place = 1.5 * np.array([r * np.cos(golden * k), r * np.sin(golden * k), z])
        forward = -place / 1.5
        right = np.cross(forward, [0.3, 0.2, 0.9])
        right /= np.linalg.norm(right)
        T = np.eye(4)
        T[:3, :3] = np.column_stack([right, np.cross(forward, right), forward])
        T[:3, 3] = place
        d = rays @ T[:3, :3].T
        a, b = np.sum(d * d, axis=-1), d @ place
        root = b * b - a * (place @ place - RADIUS**2)
        with np.errstate(invalid="ignore"):
            depth = np.where(root > 0.0, (-b - np.sqrt(root)) / a, np.nan)
        found.append((depth, T))
    return found


@pytest.fixture(scope="module")
def sphere_volume():
    volume = empty_volume([-0.7] * 3, [0.7] * 3, 0.05, truncation=0.15)
    for depth, T in views():
        volume = with_depth(volume, depth, CAMERA, T)
    return volume


@pytest.mark.capability("GR-165")
def test_depth_images_of_a_sphere_give_a_closed_mesh_of_its_radius(sphere_volume):
    mesh = sphere_volume.mesh()
    size = np.linalg.norm(mesh.vertices, axis=1)
    assert size.mean() == pytest.approx(RADIUS, abs=0.01)
    assert np.abs(size - RADIUS).max() < 0.05
    judge = trimesh.Trimesh(mesh.vertices, mesh.triangles, process=False)
    assert judge.is_watertight
    assert judge.volume == pytest.approx(4.0 / 3.0 * np.pi * RADIUS**3, rel=0.06)


@pytest.mark.capability("GR-165")
def test_the_hashed_volume_keeps_the_same_surface_in_fewer_voxels(sphere_volume):
    hashed = HashedTsdf(0.05, truncation=0.15)
    with pytest.raises(ConfigError, match="nothing"):
        hashed.volume()
    for depth, T in views()[:7]:  # half of the sphere is enough
        hashed.integrate(depth, CAMERA, T)
    mesh = hashed.volume().mesh()
    size = np.linalg.norm(mesh.vertices, axis=1)
    assert size.mean() == pytest.approx(RADIUS, abs=0.01)
    plain = sphere_volume.mesh()
    off, _ = ScipyTree(plain.vertices).query(mesh.vertices)
    assert np.quantile(off, 0.99) < 1e-9 + 0.05
    fine = HashedTsdf(0.01, truncation=0.03)
    fine.integrate(views()[0][0], CAMERA, views()[0][1])
    assert 8**3 * len(fine.blocks) < 0.15 * (1.4 / 0.01) ** 3


@pytest.mark.capability("GR-165")
def test_iso_surfaces_are_closed_and_face_outwards():
    grid = np.moveaxis(np.indices((21, 21, 21)), 0, -1) * 0.1 - 1.0
    ball = np.linalg.norm(grid, axis=-1) - 0.7
    torus = np.hypot(np.hypot(grid[..., 0], grid[..., 1]) - 0.55, grid[..., 2]) - 0.25
    for values, volume, euler in (
        (ball, 4.0 / 3.0 * np.pi * 0.7**3, 2),
        (torus, 2.0 * np.pi**2 * 0.55 * 0.25**2, 0),
    ):
        mesh = iso_surface(values, origin=[-1.0] * 3, cell=0.1)
        judge = trimesh.Trimesh(mesh.vertices, mesh.triangles, process=False)
        assert judge.is_watertight
        assert judge.is_winding_consistent
        assert judge.volume == pytest.approx(volume, rel=0.05)
        assert judge.euler_number == euler
    assert len(iso_surface(np.ones((3, 3, 3))).triangles) == 0


@pytest.mark.capability("GR-166")
def test_the_outlier_of_the_course():  # TV-7.15
    p = [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [2, 5]]
    distance = mean_neighbor_distances(p, 2)
    assert_allclose(distance, [1.5, 1, 1, 1, 1.5, 5.04951], atol=1e-5)
    assert distance.mean() == pytest.approx(1.841585, abs=1e-6)
    assert distance.std() == pytest.approx(1.451949, abs=1e-6)
    assert are_inliers(p, count=2).tolist() == [True] * 5 + [False]


@pytest.mark.capability("GR-166")
def test_planted_outliers_go_and_the_surface_stays():
    rng = np.random.default_rng(0)
    wall = np.column_stack([rng.uniform(0, 1, (800, 2)), 0.003 * rng.normal(size=800)])
    far = rng.uniform([0, 0, 0.3], [1, 1, 2.0], (20, 3))
    p = np.concatenate([wall, far])
    kept = are_inliers(p, count=8, alpha=1.0)
    theirs = ScipyTree(p).query(p, 9)[0][:, 1:].mean(axis=1)
    assert np.array_equal(kept, theirs <= theirs.mean() + theirs.std())
    assert kept[:800].mean() > 0.99
    assert not kept[800:].any()
    near = have_neighbors(p, radius=0.1, count=5)
    counts = np.array([len(x) - 1 for x in ScipyTree(p).query_ball_point(p, 0.1)])
    assert np.array_equal(near, counts >= 5)
    with pytest.raises(ConfigError, match="count"):
        mean_neighbor_distances(p[:3], 3)


def paraboloid(noise: float, n: int = 900) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    x, y = rng.uniform(-1, 1, (2, n))
    true = np.column_stack([x, y, 0.5 * x * x + 0.3 * y * y - 0.2 * x * y])
    return true, true + noise * rng.normal(size=(n, 1)) * [0.0, 0.0, 1.0]


def off_paraboloid(p: np.ndarray) -> np.ndarray:
    x, y, z = p.T
    slope = np.hypot(x - 0.2 * y, 0.6 * y - 0.2 * x)
    return (z - (0.5 * x * x + 0.3 * y * y - 0.2 * x * y)) / np.sqrt(1.0 + slope**2)


@pytest.mark.capability("GR-167")
def test_noise_on_a_paraboloid_is_reduced():
    _, noisy = paraboloid(0.02)
    moved = smooth_points(noisy, width=0.25, count=40)
    inner = np.abs(noisy[:, :2]).max(axis=1) < 0.8
    before, after = (
        off_paraboloid(noisy)[inner].std(),
        off_paraboloid(moved)[inner].std(),
    )
    assert after < 0.4 * before
    line = smooth_points(noisy, width=0.25, count=40, order=1)
    assert abs(off_paraboloid(line)[inner].mean()) > 3.0 * abs(
        off_paraboloid(moved)[inner].mean()
    )  # planes cut through the inside of the bowl


@pytest.mark.capability("GR-167")
def test_surfaces_of_the_degree_stay_as_they_are():
    rng = np.random.default_rng(2)
    R = Rotation.from_rotvec([0.4, 0.2, -0.9]).as_matrix()
    flat = np.column_stack([rng.uniform(-1, 1, (300, 2)), np.zeros(300)]) @ R.T
    assert_allclose(smooth_points(flat, width=0.5, order=1, count=20), flat, atol=1e-9)
    assert_allclose(smooth_points(flat, width=0.5, order=2, count=20), flat, atol=1e-9)
    # heights are of second degree in any tangent frame only where that is level: the top
    true, _ = paraboloid(0.0)
    top = smooth_points(true, width=0.3, count=40, queries=[[0.0, 0.0, 0.03]])
    assert abs(off_paraboloid(top)[0]) < 1e-3
    with pytest.raises(ConfigError, match="count"):
        smooth_points(flat, width=0.5, order=3, count=9)


@pytest.mark.capability("GR-168")
def test_the_normal_of_the_course():  # TV-7.16
    x, y = np.random.default_rng(0).uniform(-1, 1, (2, 50))
    plane = np.column_stack([x, y, 0.5 * x + 0.2 * y])
    found = estimate_normals(plane, count=8, sensor=[0.0, 0.0, 5.0])
    assert_allclose(
        found, np.tile([-0.440225, -0.176090, 0.880451], (50, 1)), atol=1e-6
    )
    below = estimate_normals(plane, count=8, sensor=[0.0, 0.0, -5.0])
    assert_allclose(below, -found)


@pytest.mark.capability("GR-168")
def test_normals_of_a_sphere_point_outwards_and_edges_are_told_from_planes():
    p = np.random.default_rng(1).normal(size=(3000, 3))
    p /= np.linalg.norm(p, axis=1, keepdims=True)
    found, variation = estimate_surface(p, count=10, sensor=50.0 * p)
    assert np.degrees(np.arccos(np.sum(found * p, axis=1))).mean() < 3.0
    assert np.sum(found * p, axis=1).min() > 0.9
    assert variation.max() < 0.02
    block = np.random.default_rng(2).uniform(size=(3000, 3))
    assert estimate_surface(block, count=40)[1].mean() > 0.15
    n, d = fit_plane(p[:, :] * [1, 1, 0] + [0, 0, 4])
    assert_allclose(np.abs([*n, d]), [0, 0, 1, 4], atol=1e-12)
    with pytest.raises(ConfigError, match="count"):
        estimate_normals(p[:4], count=6)


@pytest.mark.capability("GR-169")
def test_plane_and_number_of_samples_of_the_course():  # D.22
    n, d = plane_through([0, 0, 1], [1, 0, 1.5], [0, 1, 1.2])
    assert_allclose(n, [-0.440225, -0.176090, 0.880451], atol=1e-6)
    assert abs(d) == pytest.approx(0.880451, abs=1e-6)
    assert n @ [1, 1, 1.8] + d == pytest.approx(0.088045, abs=1e-6)
    assert (samples_needed(0.5), samples_needed(0.3)) == (35, 169)
    with pytest.raises(ConfigError, match="line"):
        plane_through([0, 0, 0], [1, 1, 1], [2, 2, 2])


def room(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return points of five faces of a room and clutter, and the true planes."""
    rng = np.random.default_rng(seed)
    truth, points, label = [], [], []
    for axis, level in ((0, 0.0), (0, 4.0), (1, 0.0), (1, 3.0), (2, 0.0)):
        p = rng.uniform(0, 1, (300, 3)) * [4.0, 3.0, 2.5]
        p[:, axis] = level
        points.append(p + 0.005 * rng.normal(size=p.shape))
        label += [len(truth)] * 300
        truth.append((axis, level))
    points.append(rng.uniform(0.3, 2.2, (200, 3)))
    label += [-1] * 200
    return np.concatenate(points) + 1.0, np.array(truth), np.array(label)


@pytest.mark.capability("GR-169")
@pytest.mark.parametrize("seed", range(3))
def test_the_planes_of_a_room_are_found(seed):
    points, truth, label = room(seed)
    found = find_planes(
        points, tolerance=0.02, rng=np.random.default_rng(seed), min_points=150
    )
    assert len(found) == 5
    for axis, level in truth:
        axis = int(axis)
        fits = [
            f
            for f in found
            if abs(f.normal[axis]) > 0.999
            and abs(-f.offset * np.sign(f.normal[axis]) - (level + 1.0)) < 0.02
        ]
        assert len(fits) == 1
    owner = np.full(len(points), -1)
    for k, plane in enumerate(found):
        assert np.all(owner[plane.members] == -1)
        owner[plane.members] = k
        assert np.abs(plane.distances(points[plane.members])).max() < 0.05
    assert (owner[label >= 0] >= 0).mean() > 0.97
    assert (owner[label < 0] >= 0).mean() < 0.2


@pytest.mark.capability("GR-169")
def test_three_good_samples_come_as_often_as_the_formula_says():
    rng = np.random.default_rng(5)
    n, w = samples_needed(0.5), 0.5
    hits = (rng.uniform(size=(4000, n, 3)) < w).all(axis=2).any(axis=1).mean()
    assert hits == pytest.approx(0.99, abs=0.006)


@pytest.mark.capability("GR-169")
def test_normals_keep_a_plane_from_taking_what_it_only_crosses():
    rng = np.random.default_rng(6)
    floor = np.column_stack([rng.uniform(0, 2, (600, 2)), np.zeros(600)])
    wall = np.column_stack(
        [np.full(300, 1.0), rng.uniform(0, 2, 300), rng.uniform(0, 1, 300)]
    )
    p = np.concatenate([floor, wall])
    normals = np.concatenate(
        [np.tile([0.0, 0, 1], (600, 1)), np.tile([1.0, 0, 0], (300, 1))]
    )
    blind = find_plane(p, tolerance=0.05, rng=np.random.default_rng(0))
    seeing = find_plane(
        p, tolerance=0.05, rng=np.random.default_rng(0), normals=normals
    )
    assert blind is not None
    assert seeing is not None
    assert np.count_nonzero(blind.members >= 600) > 5
    assert np.count_nonzero(seeing.members >= 600) == 0
    assert find_plane(p[:2], tolerance=0.1, rng=rng) is None


@pytest.mark.capability("GR-169")
def test_a_plane_falls_into_the_pieces_that_hang_together():
    rng = np.random.default_rng(7)
    patches = [
        rng.uniform(0, 1, (n, 3)) * [1, 1, 0] + [2.0 * k, 0, 0]
        for k, n in enumerate((200, 150, 90))
    ]
    groups = cut_clusters(np.concatenate(patches), gap=0.3, min_points=20)
    assert [len(group) for group in groups] == [200, 150, 90]
    theirs = ScipyTree(np.concatenate(patches)).sparse_distance_matrix(
        ScipyTree(np.concatenate(patches)), 0.05
    )
    from scipy.sparse.csgraph import connected_components

    count = connected_components(theirs, directed=False)[0]
    assert len(cut_clusters(np.concatenate(patches), gap=0.05)) == count
