"""SLAM by filters, particles, graphs: statistics, scipy, published values, loops."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import block_diag
from scipy.optimize import approx_fprime, least_squares

from gelenk.errors import ConfigError, FileFormatError
from gelenk.estimation.kalman import chi2_band, nees
from gelenk.navigation.ekf_slam import (
    SlamBelief,
    add_landmark,
    associate_landmark,
    correct_landmark,
    predict_landmark,
    predict_motion,
    start_slam,
)
from gelenk.navigation.fast_slam import fast_slam_step, start_fast_slam
from gelenk.navigation.landmarks import scan_points
from gelenk.navigation.maps import (
    FeatureMap,
    features_from_grid,
    grid_from_features,
    load_features,
    load_grid,
    save_features,
    save_grid,
)
from gelenk.navigation.planar import (
    align_points,
    compose,
    points_in_world,
    relative_pose,
)
from gelenk.navigation.pose_graph import (
    LandmarkEdge,
    MotionEdge,
    close_loops,
    joint_compatibility,
    landmark_error,
    loop_candidates,
    loop_edge,
    motion_error,
    optimize_graph,
    scan_descriptor,
)
from gelenk.navigation.scan_matching import map_levels, match_scan
from gelenk.planning.occupancy import add_scan, empty_grid
from gelenk.planning.world import PolygonWorld, cast_rays
from gelenk.spatial.angles import wrap_angle

LANDMARKS = np.array([[3.0, 1.0], [1.0, 4.0], [-2.0, 3.0], [-3.0, -1.0], [2.0, -2.0]])
Q, R, DT = np.diag([1e-4, 1e-4, 2e-5]), np.diag([4e-4, 1e-4]), 0.5
CONTROL = np.array([1.0, 0.5])  # a circle of 2 m radius, closed after 25 steps


def _runs(runs, steps, rng, Q=Q):
    """Return true poses (runs, steps, 3) and readings (runs, steps, landmarks, 2)."""
    x = np.zeros((runs, 3))
    truth, z = np.empty((runs, steps, 3)), np.empty((runs, steps, len(LANDMARKS), 2))
    for t in range(steps):
        v, w = CONTROL
        way = np.stack([v * np.cos(x[:, 2]), v * np.sin(x[:, 2]), 0 * x[:, 2] + w], 1)
        x = x + DT * way + rng.normal(size=(runs, 3)) * np.sqrt(np.diag(Q))
        d = LANDMARKS - x[:, None, :2]
        bearing = np.arctan2(d[..., 1], d[..., 0]) - x[:, None, 2]
        z[:, t] = np.stack([np.linalg.norm(d, axis=-1), bearing], axis=-1)
        z[:, t] += rng.normal(size=(runs, len(LANDMARKS), 2)) * np.sqrt(np.diag(R))
        truth[:, t] = x
    z[..., 1] = wrap_angle(z[..., 1])
    return truth, z


def _filtered(z):
    """Run EKF-SLAM over a batch of robots that see all landmarks at every step."""
    belief = start_slam(np.zeros((len(z), 3)))
    beliefs, fits = [], []
    for t in range(z.shape[1]):
        belief = predict_motion(belief, CONTROL, dt=DT, Q=Q)
        for k in range(len(LANDMARKS)):
            if k >= belief.count:
                belief = add_landmark(belief, z[:, t, k], R)
            else:
                belief, nis = correct_landmark(belief, k, z[:, t, k], R)
                fits.append(nis)
        beliefs.append(belief)
    return beliefs, np.array(fits)


@pytest.mark.capability("GR-255")
def test_over_a_hundred_seeds_pose_map_and_residuals_err_as_much_as_told():
    """The oracle is chi-square, of pose and landmarks together and of the sights."""
    drives = [_runs(1, 25, np.random.default_rng(seed)) for seed in range(100)]
    truth, z = (np.concatenate(part) for part in zip(*drives, strict=True))
    beliefs, fits = _filtered(z)
    low, high = chi2_band(13, 100, level=0.999)
    for t in (4, 14, 24):
        whole = np.concatenate(
            [truth[:, t], np.tile(LANDMARKS.ravel(), (100, 1))], axis=1
        )
        error = beliefs[t].mean - whole
        error[:, 2] = wrap_angle(error[:, 2])
        assert low < nees(error, beliefs[t].covariance).mean() < high
    low, high = chi2_band(2, fits.size, level=0.999)
    assert low < fits.mean() < high


@pytest.mark.capability("GR-255")
def test_the_map_never_becomes_less_certain_and_landmarks_become_correlated():
    _, z = _runs(1, 50, np.random.default_rng(0))
    beliefs, _ = _filtered(z)
    sizes = [np.linalg.slogdet(b.covariance[0, 3:, 3:])[1] for b in beliefs]
    assert (np.diff(sizes) < 1e-9).all()

    def relative(belief):
        """Variance of the way between two landmarks, against that of one of them."""
        P = belief.covariance[0]
        D = np.concatenate([np.eye(2), -np.eye(2)], axis=1)
        return np.trace(D @ P[3:7, 3:7] @ D.T) / np.trace(P[3:5, 3:5])

    assert relative(beliefs[-1]) < 0.5 * relative(beliefs[0])


@pytest.mark.capability("GR-255")
def test_slopes_of_sights_and_of_new_landmarks_are_derivatives():
    rng = np.random.default_rng(1)
    mean = np.concatenate([[0.3, -0.2, 0.7], LANDMARKS.ravel()])
    root = rng.normal(size=(13, 13)) * 0.1
    belief = SlamBelief(mean=mean, covariance=root @ root.T)
    sight = predict_landmark(belief, 2, R)
    for row in range(2):

        def h(x, row=row):
            moved = SlamBelief(mean=x, covariance=belief.covariance)
            return float(predict_landmark(moved, 2, R).expected[row])

        assert_allclose(sight.H[row], approx_fprime(mean, h, 1e-7), atol=1e-5)
    # A new landmark: the joint covariance of the map x, z -> (x, g(x, z)).
    z = np.array([2.0, 0.4])
    more = add_landmark(belief, z, R)

    def g(both, axis):
        angle = both[2] + both[14]
        return both[axis] + both[13] * (np.cos(angle) if axis == 0 else np.sin(angle))

    both = np.concatenate([mean, z])
    J = np.array([approx_fprime(both, lambda b, a=a: g(b, a), 1e-7) for a in (0, 1)])
    full = np.concatenate([np.eye(13, 15), J])
    P = full @ block_diag(belief.covariance, R) @ full.T
    assert_allclose(more.covariance, P, atol=1e-6)


@pytest.mark.capability("GR-255", "GR-258")
def test_nameless_landmarks_are_recognised_when_the_loop_closes():
    truth, z = _runs(1, 40, np.random.default_rng(2))
    belief, partners = start_slam(), []
    for t in range(40):
        belief = predict_motion(belief, CONTROL, dt=DT, Q=Q)
        near = z[0, t][z[0, t, :, 0] < 4.0]
        step = associate_landmark(belief, near, R)
        belief = step.belief
        partners += step.partners
    assert belief.count == 5
    gaps = np.linalg.norm(belief.landmarks[:, None] - LANDMARKS, axis=-1)
    assert gaps.min(axis=1).max() < 0.1
    assert len(set(gaps.argmin(axis=1))) == 5
    assert np.hypot(*(belief.pose - truth[0, -1])[:2]) < 0.1
    with pytest.raises(ConfigError, match="no landmark 7"):
        predict_landmark(belief, 7, R)


@pytest.mark.capability("GR-256")
def test_more_particles_err_less_and_the_sight_first_proposal_needs_fewer():
    """Oracle: the true landmarks; where the first step has put all of them is left out.

    What the first step got wrong nobody can see later: maps are laid onto the truth.
    """
    noisy = np.diag([4e-3, 4e-3, 1e-3])
    drives = [_runs(1, 20, np.random.default_rng(seed), noisy) for seed in range(8)]

    def gap(count, proposal):
        total = 0.0
        for seed, (_, z) in enumerate(drives):
            rng = np.random.default_rng(100 + seed)
            cloud = start_fast_slam(count, len(LANDMARKS))
            for t in range(20):
                cloud = fast_slam_step(
                    cloud, CONTROL, z[0, t], dt=DT, Q=noisy, R=R, rng=rng,
                    proposal=proposal,
                )  # fmt: skip
            places = cloud.places[cloud.best]
            laid = points_in_world(align_points(places, LANDMARKS), places)
            total += ((laid - LANDMARKS) ** 2).sum(axis=1).mean()
        return np.sqrt(total / len(drives))

    few, many = gap(8, "motion"), gap(120, "motion")
    assert many < 0.75 * few
    assert gap(8, "measurement") < 0.75 * few


@pytest.mark.capability("GR-256")
def test_long_loops_leave_few_ancestors():
    _, z = _runs(1, 60, np.random.default_rng(3))
    rng, cloud = np.random.default_rng(4), start_fast_slam(100, len(LANDMARKS))
    left = []
    for t in range(60):
        cloud = fast_slam_step(cloud, CONTROL, z[0, t], dt=DT, Q=Q, R=R, rng=rng)
        left.append(cloud.num_ancestors)
    assert left[0] > 20
    assert left[-1] <= 5
    assert cloud.is_known.all()
    assert_allclose(cloud.mean_places, LANDMARKS, atol=0.15)


@pytest.mark.capability("GR-256")
def test_a_landmark_of_one_particle_is_filtered_like_a_known_pose_filter():
    """Second way: weighted least squares of all sights from poses that are known."""
    rng, tiny = np.random.default_rng(5), 1e-14 * np.eye(3)
    _, z = _runs(1, 15, rng, 0 * Q)
    cloud, x, sights = start_fast_slam(1, 5), np.zeros(3), []
    for t in range(15):
        cloud = fast_slam_step(cloud, CONTROL, z[0, t], dt=DT, Q=tiny, R=R, rng=rng)
        x = x + DT * np.array([np.cos(x[2]), np.sin(x[2]), 0.5])
        sights.append((x, z[0, t, 1]))

    def r(m):
        out = []
        for pose, seen in sights:
            d = m - pose[:2]
            off = [np.hypot(*d) - seen[0], np.arctan2(d[1], d[0]) - pose[2] - seen[1]]
            out += [off[0] / 0.02, float(wrap_angle(off[1])) / 0.01]
        return out

    best = least_squares(r, LANDMARKS[1])
    assert_allclose(cloud.places[0, 1], best.x, atol=2e-3)
    assert_allclose(
        cloud.spreads[0, 1], np.linalg.inv(best.jac.T @ best.jac), rtol=0.05, atol=1e-6
    )


def _ring(rng, sides=24):
    """Return true poses of a ring and odometry edges with errors."""
    angle = 2 * np.pi * np.arange(sides) / sides
    truth = np.stack([4 * np.sin(angle), 4 - 4 * np.cos(angle), angle], axis=1)
    truth[:, 2] = wrap_angle(truth[:, 2])
    sigma = np.array([0.03, 0.03, 0.02])
    edges = [
        MotionEdge(
            i=k, j=k + 1, motion=relative_pose(truth[k], truth[k + 1]) + rng.normal(0, sigma),
            information=np.diag(sigma**-2),
        )
        for k in range(sides - 1)
    ]  # fmt: skip
    guess = [truth[0]]
    for edge in edges:
        guess.append(compose(guess[-1], edge.motion))
    return truth, edges, np.array(guess)


@pytest.mark.capability("GR-257")
def test_the_published_line_and_the_published_error():
    edges = [
        MotionEdge(i=i, j=j, motion=np.array([d, 0, 0]), information=np.eye(3))
        for i, j, d in ((0, 1, 1.0), (1, 2, 1.0), (0, 2, 1.8))
    ]
    found = optimize_graph([[0, 0, 0], [1, 0, 0], [2, 0, 0]], edges)
    assert_allclose(found.poses[:, 0], (0, 0.933333, 1.866667), atol=1e-6)
    e, A, B = motion_error([1, 2, 0.3], [2.5, 3, 0.9], [1.6, 0.4, 0.55])
    assert_allclose(e, (0.168141, 0.028352, 0.05), atol=1e-6)
    x = np.array([1, 2, 0.3, 2.5, 3, 0.9])
    for row in range(3):
        slope = approx_fprime(
            x, lambda v, r=row: motion_error(v[:3], v[3:], [1.6, 0.4, 0.55])[0][r], 1e-7
        )
        assert_allclose(np.concatenate([A[row], B[row]]), slope, atol=1e-6)
    _, C, D = landmark_error([1, 2, 0.3], [3, 1], [1.5, -1.2])
    y = np.array([1, 2, 0.3, 3, 1])
    for row in range(2):
        slope = approx_fprime(
            y, lambda v, r=row: landmark_error(v[:3], v[3:], [1.5, -1.2])[0][r], 1e-7
        )
        assert_allclose(np.concatenate([C[row], D[row]]), slope, atol=1e-6)


@pytest.mark.capability("GR-257")
def test_the_graph_finds_scipys_minimum_with_loops_and_landmarks():
    rng = np.random.default_rng(6)
    truth, edges, guess = _ring(rng, 12)
    edges.append(
        MotionEdge(
            i=11,
            j=0,
            motion=relative_pose(truth[11], truth[0]),
            information=1e4 * np.eye(3),
        )
    )
    posts = np.array([[2.0, 3.0], [-1.0, 5.0]])
    sights = [
        LandmarkEdge(
            i=k, landmark=m,
            place=compose(relative_pose(truth[k], [0, 0, 0]), [*posts[m], 0])[:2]
            + rng.normal(0, 0.02, 2),
            information=np.eye(2) / 0.02**2,
        )
        for k in range(0, 12, 2) for m in (0, 1)
    ]  # fmt: skip
    found = optimize_graph(
        guess, edges, landmarks=posts + 0.2, landmark_edges=sights, with_covariance=True
    )

    def r(v):
        x = np.concatenate([guess[:1], v[:33].reshape(-1, 3)])
        m = v[33:].reshape(-1, 2)
        out = [
            np.linalg.cholesky(e.information).T
            @ motion_error(x[e.i], x[e.j], e.motion)[0]
            for e in edges
        ]
        out += [(s.place - compose(relative_pose(x[s.i], [0, 0, 0]), [*m[s.landmark], 0])[:2])
                / 0.02 for s in sights]  # fmt: skip
        return np.concatenate(out)

    start = np.concatenate([guess[1:].ravel(), (posts + 0.2).ravel()])
    best = least_squares(r, start, xtol=1e-14, ftol=1e-14)
    assert found.converged
    assert_allclose(found.chi2.sum(), 2 * best.cost, rtol=1e-6)
    assert_allclose(found.landmarks.ravel(), best.x[33:], atol=1e-4)
    assert found.covariance is not None
    assert_allclose(
        found.covariance, np.linalg.inv(best.jac.T @ best.jac), rtol=1e-2, atol=1e-6
    )
    assert np.linalg.norm(found.poses - truth) < 0.6 * np.linalg.norm(guess - truth)


@pytest.mark.capability("GR-258")
def test_true_loops_are_kept_and_a_false_one_is_refused():
    rng = np.random.default_rng(7)
    truth, odometry, guess = _ring(rng)
    tight = np.diag([0.02, 0.02, 0.01]) ** 2
    loops = [
        loop_edge(i, j, truth[i], compose(truth[j], rng.normal(0, [0.02, 0.02, 0.01])),
                  tight)
        for i, j in ((0, 23), (1, 22), (2, 23))
    ]  # fmt: skip
    loops.insert(1, loop_edge(3, 15, truth[3], truth[4], tight))  # another corner
    found, kept = close_loops(guess, odometry, loops)
    assert kept == (True, False, True, True)
    before = np.linalg.norm((guess - truth)[:, :2], axis=1).max()
    after = np.linalg.norm((found.poses - truth)[:, :2], axis=1).max()
    assert after < 0.5 * before
    plain = optimize_graph(guess, [*odometry, *loops])
    assert np.linalg.norm((plain.poses - truth)[:, :2], axis=1).max() > 2.0 * after


@pytest.mark.capability("GR-258")
def test_landmarks_seen_on_the_way_help_to_close_its_loops():
    rng = np.random.default_rng(9)
    truth, odometry, guess = _ring(rng)
    tight = np.diag([0.02, 0.02, 0.01]) ** 2
    loops = [loop_edge(0, 23, truth[0], truth[23], tight),
             loop_edge(3, 15, truth[3], truth[4], tight)]  # fmt: skip
    post = truth[:, :2].mean(axis=0)
    sights = [
        LandmarkEdge(
            i=k,
            landmark=0,
            place=relative_pose(truth[k], [*post, 0.0])[:2],
            information=np.eye(2) / 0.02**2,
        )
        for k in range(0, 24, 3)
    ]
    alone, _ = close_loops(guess, odometry, loops)
    found, kept = close_loops(
        guess, odometry, loops, landmarks=[post + 0.3], landmark_edges=sights
    )
    assert kept == (True, False)
    np.testing.assert_allclose(found.landmarks[0], post, atol=0.05)
    off = [np.hypot(*(g.poses - truth)[:, :2].T).mean() for g in (alone, found)]
    assert off[1] < 0.8 * off[0]
    # A wrong sight is not taken for a wrong loop.
    sights[4] = replace(sights[4], place=sights[4].place + 1.5)
    _, kept = close_loops(
        guess, odometry, loops[:1], landmarks=[post], landmark_edges=sights, gate=60.0
    )
    assert kept == (True,)


@pytest.mark.capability("GR-258")
def test_a_simulated_round_is_closed_by_candidates_and_scan_matching():
    room = PolygonWorld([[[3, 3], [7, 3], [7, 4.6], [3, 4.6]]], [0, 0], [10, 8])
    rng = np.random.default_rng(8)
    corners = np.array([[1.5, 1.5], [8.5, 1.5], [8.5, 6.5], [1.5, 6.5], [1.5, 1.6]])
    truth = [np.array([1.5, 1.5, 0.0])]
    for a, b in itertools.pairwise(corners):
        heading = np.arctan2(*(b - a)[::-1])
        truth += [
            np.array([*(a + s * (b - a)), heading]) for s in np.linspace(0, 1, 9)[1:]
        ]
    truth = np.array(truth)
    sigma = np.array([0.03, 0.03, 0.02])
    guess, odometry = [truth[0]], []
    for k in range(len(truth) - 1):
        told = relative_pose(truth[k], truth[k + 1]) + rng.normal(0, sigma)
        odometry.append(
            MotionEdge(i=k, j=k + 1, motion=told, information=np.diag(sigma**-2))
        )
        guess.append(compose(guess[-1], told))
    guess = np.array(guess)
    last = len(truth) - 1
    ids = loop_candidates(guess, drift=0.05, least_age=20, most=2)
    assert 0 in ids
    beams = np.linspace(-np.pi, np.pi, 120, endpoint=False)

    def scan(k):
        return cast_rays(room, truth[k, :2], beams + truth[k, 2], 12.0)

    seen, old, far = scan_descriptor(np.stack([scan(last), scan(0), scan(4)]))
    assert np.abs(seen - old).sum() < 0.5 * np.abs(seen - far).sum()
    local = empty_grid([-2.05, -2.05], [12.05, 10.05], 0.1)
    for k in range(4):
        local = add_scan(local, guess[k], beams, scan(k), max_range=12.0)
    hit = match_scan(map_levels(local), scan_points(beams, scan(last)), guess[last])
    assert hit.score > 0.5
    edge = loop_edge(0, last, guess[0], hit.pose, np.diag([0.03, 0.03, 0.01]) ** 2)
    found, kept = close_loops(guess, odometry, [edge])
    assert kept == (True,)
    before = np.hypot(*(guess[last] - truth[last])[:2])
    after = np.hypot(*(found.poses[last] - truth[last])[:2])
    assert after < 0.12 < before


@pytest.mark.capability("GR-258")
def test_pairs_that_fit_one_by_one_but_not_together_are_refused():
    """Landmarks in a row, the robot unsure by their gaps: only two tell which."""
    places = np.array([[3.0, 0.0], [3.0, 0.3], [3.0, 0.8]])
    belief = SlamBelief(
        mean=np.concatenate([[0, 0, 0], places.ravel()]),
        covariance=np.diag([0.01, 0.04, 1e-4] + [1e-4] * 6),
    )
    robot = np.array([0.0, 0.25])  # truly aside: the middle one seems the first
    d = places[[1, 2]] - robot
    z = np.stack([np.hypot(*d.T), np.arctan2(d[:, 1], d[:, 0])], axis=1)
    alone = associate_landmark(belief, z[:1], R).partners
    together = joint_compatibility(belief, z, R)
    assert alone == (0,)
    assert together == (1, 2)


@pytest.mark.capability("GR-254")
def test_maps_become_each_other_and_survive_a_file(tmp_path):
    posts = FeatureMap(
        places=np.array([[1.0, 1.5], [3.2, 0.8], [2.1, 3.3]]),
        covariances=np.tile(np.eye(2) * 0.03**2, (3, 1, 1)),
        names=("oak", "pole", "bin"),
    )
    grid = grid_from_features(posts, [0, 0], [4, 4], 0.1)
    back = features_from_grid(grid)
    gaps = np.linalg.norm(back.places[:, None] - posts.places, axis=-1)
    assert len(back.places) == 3
    assert gaps.min(axis=1).max() < 0.06
    free = grid.are_free()
    assert free.mean() > 0.95  # what planners need: all the rest is free
    save_features(posts, tmp_path / "posts.json")
    save_grid(grid, tmp_path / "grid.npz")
    assert load_features(tmp_path / "posts.json").names == posts.names
    again = load_grid(tmp_path / "grid.npz")
    assert_array_equal(again.odds, grid.odds)
    assert_array_equal(again.origin, grid.origin)
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(FileFormatError, match="no map of features"):
        load_features(tmp_path / "bad.json")
    with pytest.raises(FileFormatError, match="no map of cells"):
        load_grid(tmp_path / "bad.json")
