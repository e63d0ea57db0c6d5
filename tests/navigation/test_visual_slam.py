"""Two views, bundles, images: published values, OpenCV, scipy, a rendered flight."""

import itertools

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime, least_squares
from scipy.spatial.transform import Rotation

from gelenk.errors import ConfigError
from gelenk.navigation.maps import (
    empty_labels,
    fade_grid,
    fade_probability,
    trusted_sensors,
)
from gelenk.navigation.two_view import (
    essential_from_points,
    essential_matrix,
    solve_two_views,
    triangulate_points,
)
from gelenk.navigation.visual_slam import (
    adjust_bundle,
    align_images,
    locate_camera,
    projection_slope,
    reconstruct,
)
from gelenk.planning.occupancy import OccupancyGrid, add_scan
from gelenk.spatial import se3

FOCAL, WIDTH, HEIGHT = 150.0, 160, 120


def _pose(rotvec, t):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = Rotation.from_rotvec(rotvec).as_matrix(), t
    return T


def _apart(A, B):
    """Return angle [rad] and distance between two poses."""
    turn = Rotation.from_matrix(A[:3, :3]).inv() * Rotation.from_matrix(B[:3, :3])
    return turn.magnitude(), np.linalg.norm(A[:3, 3] - B[:3, 3])


def _rendered(T_camera_world):
    """Return image and depth of a room's corner: back wall, side wall, floor."""
    v, u = np.mgrid[0:HEIGHT, 0:WIDTH]
    ray = np.stack([(u - 79.5) / FOCAL, (v - 59.5) / FOCAL, np.ones(u.shape)], axis=-1)
    R, t = T_camera_world[:3, :3], T_camera_world[:3, 3]
    way, at = ray @ R, -R.T @ t
    depth, image = np.full(u.shape, np.inf), np.zeros(u.shape)
    for axis, where, (a, b) in ((2, 3.0, (0, 1)), (0, 1.2, (2, 1)), (1, 0.8, (0, 2))):
        with np.errstate(divide="ignore"):
            s = (where - at[axis]) / way[..., axis]
        s = np.where(s > 0.0, s, np.inf)
        p = at + np.where(np.isfinite(s), s, 0.0)[..., None] * way
        x, y = p[..., a], p[..., b]
        tone = (
            np.sin(7 * x + axis) * np.cos(6 * y) + np.sin(13 * x - 9 * y)
            + 0.7 * np.cos(17 * y + 5 * x + axis)
        )  # fmt: skip
        image = np.where(s < depth, 0.5 + 0.17 * tone, image)
        depth = np.minimum(depth, s)
    return image, depth  # s is Z: rays have unit forward part


def _flight(count=8):
    return np.array(
        [
            _pose([0.01 * k, -0.012 * k, 0.004 * k], [-0.05 * k, 0.01 * k, 0.02 * k])
            for k in range(count)
        ]
    )


@pytest.mark.capability("GR-259")
def test_the_published_views_matrix_and_slopes():
    c, s = np.cos(0.1), np.sin(0.1)
    R, t = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]), np.array([-0.2, 0, 0.05])
    X = np.array([0.3, -0.2, 2.0])
    X2 = R @ X + t
    E = essential_matrix(R, t)
    assert_allclose(X[:2] / X[2], (0.15, -0.1), atol=1e-6)
    assert_allclose(X2[:2] / X2[2], (0.148338, -0.0995), atol=1e-6)
    assert_allclose(
        E, [[0, -0.05, 0], [0.029784, 0, 0.203993], [0, -0.2, 0]], atol=1e-6
    )
    J = projection_slope(X2, 700.0)
    assert_allclose(
        J[0], (348.248605, 0, -51.658511, 10.331702, 715.402919, 69.649721), atol=1e-5
    )
    assert_allclose(
        J[1], (0, 348.248605, 34.650597, -706.930119, -10.331702, 103.836619), atol=1e-5
    )
    for row in range(2):

        def u(xi, row=row):
            p = se3.transform_point(se3.exp(xi), X2)
            return 700.0 * p[row] / p[2]

        assert_allclose(J[row], approx_fprime(np.zeros(6), u, 1e-7), atol=1e-3)


def _cloud(rng, count=120):
    return rng.uniform([-1, -1, 2], [1, 1, 5], (count, 3))


@pytest.mark.capability("GR-259")
def test_the_motion_between_two_views_is_opencvs_with_wrong_pairs_too():
    rng = np.random.default_rng(0)
    X, T = _cloud(rng), _pose([0.05, -0.1, 0.02], [0.3, 0.05, -0.1])
    x1 = X[:, :2] / X[:, 2:] + rng.normal(0, 2e-4, (120, 2))
    Y = se3.transform_point(T, X)
    x2 = Y[:, :2] / Y[:, 2:] + rng.normal(0, 2e-4, (120, 2))
    x2[:30] += rng.uniform(0.05, 0.3, (30, 2))
    found = solve_two_views(x1, x2, rng=rng, tolerance=1e-3)
    E, _ = cv2.findEssentialMat(
        x1, x2, np.eye(3), method=cv2.RANSAC, prob=0.999, threshold=1e-3
    )
    _, R, t, _ = cv2.recoverPose(E, x1, x2, np.eye(3))
    ours, theirs = found.T_second_first, np.eye(4)
    theirs[:3, :3], theirs[:3, 3] = R, t[:, 0]
    truth = T.copy()
    truth[:3, 3] /= np.linalg.norm(T[:3, 3])
    assert max(_apart(ours, theirs)) < 0.05
    assert max(_apart(ours, truth)) < 0.03
    assert not found.is_inlier[:30].any()
    assert found.is_inlier[30:].mean() > 0.95
    scale = np.linalg.norm(T[:3, 3])
    gap = found.points[found.is_inlier] * scale - X[found.is_inlier]
    assert np.median(np.linalg.norm(gap, axis=1)) < 0.05
    P = [np.eye(3, 4), T[:3]]
    flat = cv2.triangulatePoints(P[0], P[1], x1[30:].T, x2[30:].T)
    theirs = (flat[:3] / flat[3]).T
    ours = triangulate_points(np.eye(4), T, x1[30:], x2[30:])
    assert_allclose(ours, theirs, atol=2e-3)
    with pytest.raises(ConfigError, match="8 pairs"):
        essential_from_points(x1[:7], x2[:7])


@pytest.mark.capability("GR-259")
def test_bundle_adjustment_finds_scipys_minimum():
    rng = np.random.default_rng(1)
    X, Ts = _cloud(rng, 10), _flight(13)[::6]
    p = se3.transform_point(Ts[:, None], X)
    u = FOCAL * p[..., :2] / p[..., 2:] + rng.normal(0, 0.3, (3, 10, 2))
    u[2, 3], u[1, 7] = np.nan, np.nan
    start = se3.exp(rng.normal(0, 0.01, (3, 6)) * [[0], [0], [1]]) @ Ts
    found = adjust_bundle(start, X + rng.normal(0, 0.05, X.shape), u, FOCAL, steps=60)
    length = np.linalg.norm(Ts[1, :3, 3])

    def r(v):
        cams = np.concatenate([np.eye(4)[None], se3.exp(v[:12].reshape(2, 6))])
        q = se3.transform_point(cams[:, None], v[12:].reshape(-1, 3))
        gap = u - FOCAL * q[..., :2] / q[..., 2:]
        scale = 1e4 * (np.linalg.norm(cams[1, :3, 3]) - length)
        return np.append(gap[~np.isnan(gap)], scale)

    ours = [se3.log(found.Ts_camera_world[1:]).ravel(), found.points.ravel()]
    best = least_squares(r, np.concatenate(ours), max_nfev=8)  # can it do better?
    count = (~np.isnan(u[..., 0])).sum()
    assert found.rms**2 * count == pytest.approx(2 * best.cost, rel=1e-3)
    assert_allclose(np.linalg.norm(found.Ts_camera_world[1, :3, 3]), length, rtol=1e-9)
    one = locate_camera(Ts[1], X, u[0], FOCAL)
    ok, turn, t = cv2.solvePnP(X, u[0], np.diag([FOCAL, FOCAL, 1.0]), None)
    assert ok
    assert max(_apart(one, _pose(turn[:, 0], t[:, 0]))) < 2e-3


@pytest.fixture(scope="module")
def film():
    Ts = _flight()
    return Ts, [_rendered(T) for T in Ts]


@pytest.mark.capability("GR-259")
def test_features_of_a_rendered_flight_give_its_way(film):
    """Corners and their tracks by OpenCV; the oracle is the way that was rendered."""
    Ts, frames = film
    grey = [np.clip(255 * image, 0, 255).astype(np.uint8) for image, _ in frames]
    corners = cv2.goodFeaturesToTrack(grey[0], 90, 0.01, 6)
    tracks, lost = [corners[:, 0]], np.zeros(len(corners), dtype=bool)
    for a, b in itertools.pairwise(grey):
        there, ok, _ = cv2.calcOpticalFlowPyrLK(a, b, tracks[-1][:, None], None)
        lost |= ok[:, 0] == 0
        tracks.append(there[:, 0])
    u = np.array(tracks, dtype=float) - [79.5, 59.5]
    u[1:, lost] = np.nan
    found = reconstruct(u, FOCAL, rng=np.random.default_rng(2))
    assert found.rms < 0.6
    scale = np.linalg.norm(Ts[-1][:3, 3]) / np.linalg.norm(
        found.Ts_camera_world[-1, :3, 3]
    )
    gaps = []
    for ours, truth in zip(found.Ts_camera_world, Ts, strict=True):
        scaled = ours.copy()
        scaled[:3, 3] *= scale
        gaps.append(_apart(scaled, truth))
    turn, way = np.array(gaps).max(axis=0)
    assert turn < np.deg2rad(1.0)
    assert way < 0.05 * np.linalg.norm(Ts[-1][:3, 3]) + 0.01


@pytest.mark.capability("GR-259")
def test_intensities_of_a_rendered_flight_give_its_way_in_changed_light(film):
    Ts, frames = film
    first, depth = frames[0]
    guess = np.eye(4)
    for k in (2, 4, 6):
        darker = 0.8 * frames[k][0] + 0.05
        found = align_images(first, depth, darker, FOCAL, guess=guess)
        guess = found.T_second_first
        turn, way = _apart(guess, Ts[k])
        assert turn < np.deg2rad(0.2)
        assert way < 0.01
        assert found.overlap > 0.8
        assert found.residual < 0.03


@pytest.mark.capability("GR-261")
def test_labels_become_certain_as_bayes_says_and_cells_forget():
    confusion = np.array([[0.8, 0.15, 0.05], [0.2, 0.7, 0.1], [0.1, 0.1, 0.8]])
    layer = empty_labels(("floor", "door", "wall"), (4, 4), confusion)
    rng = np.random.default_rng(3)
    truth = rng.integers(3, size=(4, 4))
    cells = np.argwhere(np.ones((4, 4), dtype=bool))
    for _ in range(12):
        seen = [rng.choice(3, p=confusion[truth[tuple(c)]]) for c in cells]
        layer = layer.labelled(cells, seen)
    assert (layer.most_likely == truth).mean() > 0.9
    # Second way: the product of likelihoods of one cell, by hand.
    one = empty_labels(("floor", "door", "wall"), (1,), confusion)
    one = one.labelled([[0], [0], [0]], [1, 1, 2])
    product = confusion[:, 1] ** 2 * confusion[:, 2]
    assert_allclose(one.probability[0], product / product.sum())

    assert float(fade_probability(0.9, off=0.1, on=0.02)) == pytest.approx(0.812)
    rest = fade_probability(0.5, off=0.1, on=0.02)
    for _ in range(200):
        rest = fade_probability(rest, off=0.1, on=0.02)
    assert float(rest) == pytest.approx(0.02 / 0.12)  # balance of the chain


@pytest.mark.capability("GR-261")
def test_a_map_that_fades_learns_sooner_that_a_chair_has_gone():
    def after(off):
        grid = OccupancyGrid(
            origin=np.zeros(2), cell=0.5, odds=np.zeros((8, 1)), clamp=8.0
        )
        for _ in range(30):
            grid = add_scan(grid, [0.1, 0.25, 0], [0.0], [2.2], max_range=3.5)
        count = 0
        while not grid.are_free()[4, 0]:
            grid = fade_grid(grid, off=off, on=0.01) if off else grid
            grid = add_scan(grid, [0.1, 0.25, 0], [0.0], [9.0], max_range=3.5)
            count += 1
        return count

    assert after(0.05) < 0.5 * after(0.0)
    smoke = {"laser": np.full(50, 0.3), "sonar": np.full(50, 2.0)}
    assert trusted_sensors(smoke) == ("sonar",)
