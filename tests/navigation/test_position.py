"""Where a robot is, from wheels, inertia, beacons, marks: laws, scipy, statistics."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

from gelenk.course.method import Method
from gelenk.errors import ConfigError
from gelenk.estimation.fitting import fit_sphere, fit_sphere_algebraic, solve_weighted
from gelenk.navigation.catalog import CATALOG, PlaceBelief, find_methods
from gelenk.navigation.dead_reckoning import (
    DeadReckoningCfg,
    dead_reckon,
    euler_step,
    inertial_drift,
    integrate_inertial,
    sensor_schedule,
    unicycle_flow,
)
from gelenk.navigation.landmarks import (
    corners_of_scan,
    pose_from_bearings,
    pose_from_features,
    pose_from_tag,
    pose_from_tags,
    position_from_ranges,
    scan_points,
    two_range_places,
)
from gelenk.navigation.odometry import (
    OdometryNoise,
    WheelPair,
    integrate_wheels,
    propagate_covariance,
    sample_odometry,
    split_motion,
    wheel_step,
)
from gelenk.navigation.planar import align_points, compose, relative_pose
from gelenk.navigation.scan_matching import match_maps
from gelenk.planning.occupancy import add_scan, empty_grid
from gelenk.planning.world import PolygonWorld, cast_rays

WHEELS = WheelPair(left_radius=0.05, right_radius=0.05, track=0.3)
ROOM = PolygonWorld(
    [[[5, 3], [7, 3], [7, 6], [5, 6]], [[1, 5.5], [2, 5.5], [2, 7], [1, 7]]],
    [0, 0],
    [10, 8],
)


def _square(side, steps):
    """Wheel turns [rad] around a square, with turns on the spot."""
    straight = np.full((steps, 2), side / WHEELS.left_radius / steps)
    corner = np.pi / 4 * WHEELS.track / WHEELS.left_radius / steps
    turning = np.tile([-corner, corner], (steps, 1))
    return np.concatenate([straight, turning] * 4)


def test_planar_poses_are_homogeneous_matrices():
    def matrix(x):
        T = np.eye(3)
        T[:2, :2] = Rotation.from_euler("z", x[2]).as_matrix()[:2, :2]
        T[:2, 2] = x[:2]
        return T

    a, b = np.random.default_rng(0).uniform(-3, 3, (2, 3))
    assert_allclose(matrix(compose(a, b)), matrix(a) @ matrix(b), atol=1e-12)
    inverse = np.linalg.inv(matrix(a))
    assert_allclose(matrix(relative_pose(a, b)), inverse @ matrix(b), atol=1e-12)


def test_points_are_aligned_like_scipy_aligns_vectors():
    rng = np.random.default_rng(1)
    s, q, w = rng.normal(size=(6, 2)), rng.normal(size=(6, 2)), rng.uniform(1, 3, 6)
    found = align_points(s, q, w)

    flat = least_squares(
        lambda x: (
            np.sqrt(w)[:, None] * (compose(x, np.column_stack([s, 0 * w]))[:, :2] - q)
        ).ravel(),
        found + np.array([0.1, -0.1, 0.2]),
        xtol=1e-15,
        ftol=1e-15,
        gtol=1e-15,
    )
    assert_allclose(found, flat.x, atol=1e-6)


@pytest.mark.capability("GR-236")
def test_wheels_close_a_square_and_the_error_of_wrong_ones_grows():
    """Oracle of a step: the differential equation, integrated by scipy."""
    turns = np.array([0.7, 1.9])
    v = WHEELS.left_radius * turns.mean()
    w = WHEELS.left_radius * (turns[1] - turns[0]) / WHEELS.track
    flow = solve_ivp(
        lambda t, x: [v * np.cos(x[2]), v * np.sin(x[2]), w],
        (0, 1), np.zeros(3), rtol=1e-10, atol=1e-12,
    )  # fmt: skip
    assert_allclose(wheel_step(WHEELS, turns), flow.y[:, -1], atol=1e-9)

    way = integrate_wheels(WHEELS, [0, 0, 0], _square(2.0, 50))
    assert_allclose(way[-1, :2], 0.0, atol=1e-9)
    worn = WheelPair(left_radius=0.05, right_radius=0.0501, track=0.3)
    laps = integrate_wheels(worn, [0, 0, 0], np.tile(_square(2.0, 50), (3, 1)))
    gaps = np.hypot(*laps[[400, 800, 1200], :2].T)
    assert (np.diff(gaps) > 0.01).all()


@pytest.mark.capability("GR-236")
def test_the_spread_of_odometry_is_that_of_ten_thousand_robots():
    rng = np.random.default_rng(2)
    turns, k = np.tile([1.0, 1.4], (30, 1)), 2e-4
    ways = turns * WHEELS.left_radius
    noise = rng.normal(size=(10_000, 30, 2)) * np.sqrt(k * ways) / WHEELS.left_radius
    robots = integrate_wheels(WHEELS, [0, 0, 0], turns + noise)[:, -1]
    way = integrate_wheels(WHEELS, [0, 0, 0], turns)
    P = np.zeros((3, 3))
    for pose, step in zip(way[:-1], turns, strict=True):
        P = propagate_covariance(WHEELS, pose, P, step, k)

    assert_allclose(P, np.cov(robots.T), atol=0.05 * np.diag(P).max())


@pytest.mark.capability("GR-236")
def test_the_spread_of_one_step_is_carried_by_the_slopes_of_its_arc():
    """Second way: slopes of pose and wheel ways by differences."""
    pose, turns, k = np.array([1.0, 2.0, 0.7]), np.array([8.0, 8.6]), 3e-4

    def end(y):
        return compose(y[:3], wheel_step(WHEELS, y[3:] / WHEELS.left_radius))

    y = np.concatenate([pose, WHEELS.left_radius * turns])
    J = np.array([(end(y + e) - end(y - e)) / 2e-6 for e in 1e-6 * np.eye(5)]).T
    P = np.diag([1e-3, 2e-3, 5e-4])
    noise = np.diag([*np.diag(P), *(k * y[3:])])
    found = propagate_covariance(WHEELS, pose, P, turns, k)
    assert_allclose(found, J @ noise @ J.T, atol=2e-2 * P.max())
    alone = propagate_covariance(WHEELS, pose, 0 * P, turns, k)
    assert_allclose(alone, J[:, 3:] @ noise[3:, 3:] @ J[:, 3:].T, rtol=2e-2, atol=2e-6)


@pytest.mark.capability("GR-236", "GR-252")
def test_sampled_motions_have_the_variances_of_the_model():
    noise = OdometryNoise(turn_turn=0.02, turn_way=0.003, way_way=0.01, way_turn=0.004)
    motion = np.array([0.6, 0.2, 0.5])
    d1, dt, d2 = split_motion(motion)
    after = sample_odometry(
        np.zeros((40_000, 3)), motion, noise, np.random.default_rng(3)
    )
    back = relative_pose(np.zeros(3), after)
    seen = np.stack(
        [np.arctan2(back[:, 1], back[:, 0]), np.hypot(*back[:, :2].T)], axis=1
    )

    assert np.var(seen[:, 0]) == pytest.approx(0.02 * d1**2 + 0.003 * dt**2, rel=0.05)
    way = 0.01 * dt**2 + 0.004 * (d1**2 + d2**2)
    assert np.var(seen[:, 1]) == pytest.approx(way, rel=0.05)
    assert_allclose(split_motion([0.0, 0.0, 0.7]), (0, 0, 0.7))


@pytest.mark.capability("GR-237")
def test_inertial_position_follows_the_motion_and_drifts_with_the_square_of_time():
    dt, t = 0.001, np.arange(4000) * 0.001
    v = 1.0 + 0.3 * np.sin(t + 0.5 * dt)
    w = 0.5 * np.cos(t + 0.5 * dt)
    a = np.stack([0.3 * np.cos(t + 0.5 * dt), v * w], axis=1)
    told = integrate_inertial([1, 2, 0.1], [np.cos(0.1), np.sin(0.1)], a, w, dt)
    flow = solve_ivp(
        lambda s, x: [
            (1 + 0.3 * np.sin(s)) * np.cos(x[2]),
            (1 + 0.3 * np.sin(s)) * np.sin(x[2]),
            0.5 * np.cos(s),
        ],
        (0, 4), [1, 2, 0.1], rtol=1e-10, atol=1e-12,
    )  # fmt: skip
    assert_allclose(told.pose[-1], flow.y[:, -1], atol=1e-5)

    biased = integrate_inertial(np.zeros(3), np.zeros(2), 0 * a + 0.02, 0 * w, 0.01)
    at = np.array([1000, 2000, 4000])
    gaps = np.hypot(*biased.pose[at, :2].T)
    assert_allclose(gaps, inertial_drift(at * 0.01, bias=0.02 * np.sqrt(2)), rtol=1e-9)
    rng = np.random.default_rng(4)
    noisy = rng.normal(0.0, 0.1, (800, 500, 2))  # 0.1 m/s² at 100 Hz: 0.01 m/s²/√Hz
    still = integrate_inertial(
        np.zeros(3), np.zeros(2), noisy, np.zeros((800, 500)), 0.01
    )
    expected = inertial_drift(5.0, noise=0.01)
    assert still.pose[:, -1, 0].std() == pytest.approx(expected, rel=0.08)


@pytest.mark.capability("GR-238")
def test_wheels_and_gyro_together_are_better_than_each_alone():
    """60 robots; the oracle is the true way, which no estimator sees."""
    rng = np.random.default_rng(5)
    runs, steps, dt = 60, 1500, 0.02
    true_rate = 0.4 * np.sin(0.3 * dt * np.arange(steps))
    speed = np.full((runs, steps), 0.5)
    wheels = true_rate + rng.normal(0.0, 0.15, (runs, steps))
    slip = rng.random((runs, steps)) < 0.01
    wheels = wheels + np.where(slip, 2.0, 0.0)
    gyro = true_rate + rng.normal(0, 0.05, (runs, 1)) + rng.normal(
        0, 0.01, (runs, steps)
    )  # fmt: skip

    def end(rate_of_wheels, rate_of_gyro, cfg):
        told = dead_reckon(
            np.zeros((runs, 3)), speed, rate_of_wheels, rate_of_gyro, dt, cfg
        )
        return told.pose[:, -1, :2]

    both = DeadReckoningCfg(wheel_sigma=0.15)
    blind = DeadReckoningCfg(wheel_sigma=1e6)
    truth = end(true_rate + 0 * gyro, true_rate + 0 * gyro, blind)
    gap = {
        "wheels": np.linalg.norm(end(wheels, wheels, blind) - truth, axis=1),
        "gyro": np.linalg.norm(end(wheels, gyro, blind) - truth, axis=1),
        "both": np.linalg.norm(end(wheels, gyro, both) - truth, axis=1),
    }
    rms = {name: np.sqrt((value**2).mean()) for name, value in gap.items()}
    assert rms["both"] < 0.5 * rms["wheels"]
    assert rms["both"] < 0.5 * rms["gyro"]


@pytest.mark.capability("GR-239")
def test_ranges_and_bearings_give_the_published_place_and_scipys():
    beacons = np.array([[0.0, 0], [10, 0], [0, 10]])
    fix = position_from_ranges(beacons, [5.1, 8.0, 6.8])
    assert_allclose(fix.value, (3.119859, 4.005559), atol=1e-6)
    assert fix.cost == pytest.approx(0.00190576, abs=1e-8)
    exact = position_from_ranges(beacons, [5, 8.062258, 6.708204])
    assert_allclose(exact.value, (3, 4), atol=1e-6)

    rng = np.random.default_rng(6)
    pose, places = np.array([1.0, -0.5, 2.8]), rng.uniform(-8, 8, (7, 2))
    d = places - pose[:2]
    seen = np.arctan2(d[:, 1], d[:, 0]) - pose[2] + rng.normal(0, 0.01, 7)

    def off(x):
        e = places - x[:2]
        r = np.arctan2(e[:, 1], e[:, 0]) - x[2] - seen
        return np.arctan2(np.sin(r), np.cos(r))

    ours = pose_from_bearings(places, seen, [0, 0, 2.5], sigma=0.01)
    theirs = least_squares(off, [0, 0, 2.5], xtol=1e-14, ftol=1e-14)
    assert_allclose(ours.value, theirs.x, atol=1e-6)
    information = theirs.jac.T @ theirs.jac / 0.01**2
    assert_allclose(ours.covariance, np.linalg.inv(information), rtol=1e-4)


@pytest.mark.capability("GR-239")
def test_two_ranges_leave_a_mirror_image():
    beacons, p = np.array([[1.0, 2.0], [5.0, -1.0]]), np.array([4.0, 4.0])
    places = two_range_places(beacons, np.linalg.norm(beacons - p, axis=1))
    assert np.linalg.norm(places - p, axis=1).min() < 1e-12
    for place in places:
        assert_allclose(
            np.linalg.norm(beacons - place, axis=1),
            np.linalg.norm(beacons - p, axis=1),
        )
    with pytest.raises(ConfigError, match="ambiguous"):
        position_from_ranges(beacons, [1.0, 2.0])


@pytest.mark.capability("GR-240")
def test_a_tag_tells_where_the_robot_is_and_several_tell_better():
    """Oracle: rotations and translations chained by scipy's `Rotation`."""
    rng = np.random.default_rng(7)

    def pose(turn, place):
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = turn.as_matrix(), place
        return T

    robot = Rotation.random(random_state=1)
    at = np.array([1.0, 2.0, 0.3])
    tags = [(Rotation.random(random_state=k), rng.normal(0, 3, 3)) for k in range(40)]
    known = np.array([pose(*tag) for tag in tags])
    seen = np.array([pose(robot.inv() * R, robot.inv().apply(t - at)) for R, t in tags])
    assert_allclose(pose_from_tag(known[0], seen[0]), pose(robot, at), atol=1e-12)

    shake = Rotation.from_rotvec(rng.normal(0, 0.02, (40, 3)))
    rough = seen.copy()
    rough[:, :3, :3] = seen[:, :3, :3] @ shake.as_matrix()
    each = pose_from_tag(known, rough)[:, :3, 3]
    mean = pose_from_tags(known, rough)
    single = np.linalg.norm(each - at, axis=1)
    assert np.linalg.norm(mean[:3, 3] - at) < 0.5 * np.sqrt((single**2).mean())
    assert (Rotation.from_matrix(mean[:3, :3]).inv() * robot).magnitude() < 0.02


@pytest.mark.capability("GR-241")
def test_corners_of_a_scan_tell_the_pose_in_a_known_room():
    """Oracle: the true pose; the map is the list of the room's corners."""
    known = np.concatenate([*ROOM.obstacles, [[0, 0], [10, 0], [10, 8], [0, 8]]])
    bearings = np.linspace(-np.pi, np.pi, 720, endpoint=False)
    rng = np.random.default_rng(8)
    for truth in ([3.0, 2.0, 0.4], [8.5, 6.8, -2.0], [3.5, 7.2, 1.5]):
        ranges = cast_rays(ROOM, truth[:2], bearings + truth[2], 20.0)
        points = scan_points(bearings, ranges + rng.normal(0, 0.005, 720))
        corners = corners_of_scan(points, gap=0.04, least=8)
        fix = pose_from_features(corners, known, gap=0.1)

        assert fix is not None
        assert_allclose(fix.pose, truth, atol=0.03)
        assert len(fix.pairs) >= 3


@pytest.mark.capability("GR-241")
def test_a_square_room_tells_no_heading():
    room = np.array([[0.0, 0], [4, 0], [4, 4], [0, 4]])
    assert pose_from_features(room - [1.0, 2.0], room) is None


@pytest.mark.capability("GR-242")
def test_a_local_map_is_found_in_the_map_of_the_house():
    """Oracle: where the local scan was really taken; a wrong heading scores less."""
    bearings = np.linspace(-np.pi, np.pi, 180, endpoint=False)
    house = empty_grid([-0.5, -0.5], [10.5, 10.5], 0.1)
    for x, y in ((2, 2), (8, 2), (8, 7), (3, 7), (3, 4)):
        reach = cast_rays(ROOM, [x, y], bearings, 12.0)
        house = add_scan(house, [x, y, 0], bearings, reach, max_range=12.0)
    truth = np.array([2.6, 3.4, 2.1])
    reach = cast_rays(ROOM, truth[:2], bearings + truth[2], 5.0)
    local = empty_grid([-5, -5], [5, 5], 0.1)
    local = add_scan(local, [0, 0, 0], bearings, reach, max_range=5.0)
    found = match_maps(local, house)

    off = relative_pose(truth, found.pose)
    assert np.hypot(*off[:2]) < 0.1
    assert abs(off[2]) < np.deg2rad(1.5)
    assert found.score > found.rival + 0.05


@pytest.mark.capability("GR-243")
def test_weighted_least_squares_find_scipys_minimum_and_covariance():
    rng = np.random.default_rng(9)
    t, w = np.linspace(0, 2, 30), rng.uniform(0.2, 4.0, 30)
    y = 2.0 * np.exp(-1.3 * t) + rng.normal(0, 0.05, 30) / np.sqrt(w)

    def r(p):
        return p[0] * np.exp(-p[1] * t) - y

    ours = solve_weighted(r, [1.0, 1.0], w)
    theirs = least_squares(
        lambda p: np.sqrt(w) * r(p), [1.0, 1.0], xtol=1e-15, ftol=1e-15, gtol=1e-15
    )
    assert_allclose(ours.x, theirs.x, atol=1e-7)
    spread = 2 * theirs.cost / 28 * np.linalg.inv(theirs.jac.T @ theirs.jac)
    assert_allclose(ours.covariance, spread, rtol=1e-4)
    # A weight of 2 is the same reading twice.
    twice = solve_weighted(
        lambda p: np.concatenate([r(p), r(p)[:1]]), [1.0, 1.0], np.ones(31)
    )
    double = solve_weighted(r, [1.0, 1.0], np.where(np.arange(30) == 0, 2.0, 1.0))
    assert_allclose(double.x, twice.x, atol=1e-7)


@pytest.mark.capability("GR-244")
def test_the_published_circle_geometric_and_algebraic():
    p = np.array(
        [[5.05, -1.02], [2.1, 1.97], [-1.03, -0.95], [1.95, -4.04], [4.1, 1.15],
         [-0.1, -3.1]]
    )  # fmt: skip
    ball, rough = fit_sphere(p), fit_sphere_algebraic(p)
    assert_allclose(
        [*ball.center, ball.radius], (2.022094, -1.021978, 3.011446), atol=1e-6
    )
    assert ball.cost == pytest.approx(0.002064996, abs=1e-9)
    assert_allclose(
        [*rough.center, rough.radius], (2.021655, -1.021972, 3.011559), atol=1e-6
    )
    theirs = least_squares(
        lambda x: np.hypot(*(p - x[:2]).T) - x[2], [2, -1, 3], xtol=1e-15
    )
    assert_allclose([*ball.center, ball.radius], theirs.x, atol=1e-7)


@pytest.mark.capability("GR-244")
def test_a_sphere_is_found_with_the_spread_it_claims():
    rng, errors, sigmas = np.random.default_rng(10), [], []
    for _ in range(60):
        u = rng.normal(size=(80, 3))
        u /= np.linalg.norm(u, axis=1)[:, None]
        ball = fit_sphere([1.0, 2.0, 3.0] + (0.5 + rng.normal(0, 0.01, (80, 1))) * u)
        assert ball.covariance is not None
        errors.append([*ball.center - [1, 2, 3], ball.radius - 0.5])
        sigmas.append(np.diag(ball.covariance))
    assert_allclose(np.var(errors, axis=0), np.mean(sigmas, axis=0), rtol=0.6)
    known = fit_sphere(np.array([[1.0, 0], [0, 1], [-1, 0]]) * 1.1, radius=1.0)
    assert known.radius == 1.0
    with pytest.raises(ConfigError, match="one line"):
        fit_sphere([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])


@pytest.mark.capability("GR-245")
def test_the_catalogue_names_every_class_and_code_that_exists():
    families = " ".join(method.family for method in CATALOG)
    for number in range(1, 9):
        assert f"{number} " in families
    for method in CATALOG:
        found = Method(
            id="GR-245", title=method.name, objects=(method.place,), formula=""
        ).load()
        assert found[0].__doc__
    blind = find_methods(has_map=False, knows_start=True, sensors=["wheels", "gyro"])
    assert {m.name for m in blind} == {"odometry", "dead reckoning"}
    assert not find_methods(has_map=False, knows_start=False, sensors=["wheels"])
    graph = find_methods(
        has_map=True, knows_start=False, sensors=["wheels", "camera"],
        pose_kind="topological",
    )  # fmt: skip
    assert [m.name for m in graph] == ["places of a graph"]
    sure = PlaceBelief(places=("a", "b"), probability=np.array([1.0, 0.0]))
    assert sure.entropy == 0.0
    with pytest.raises(ConfigError, match="sum to 1"):
        PlaceBelief(places=("a", "b"), probability=np.array([0.5, 0.2]))


@pytest.mark.capability("GR-246")
def test_forward_euler_errs_in_proportion_to_the_step():
    u = np.array([1.0, 0.8])
    exact = np.array([np.sin(0.8) / 0.8, (1 - np.cos(0.8)) / 0.8, 0.8])
    errors = []
    for count in (50, 100, 200):
        x = np.zeros(3)
        for _ in range(count):
            x = euler_step(unicycle_flow, x, u, 1.0 / count)
        errors.append(np.linalg.norm(x - exact))
    assert_allclose(np.array(errors[:-1]) / errors[1:], 2.0, rtol=0.02)


@pytest.mark.capability("GR-246")
def test_a_schedule_holds_every_reading_and_its_steps_fill_the_time():
    periods = {"imu": 0.01, "wheels": 0.02, "camera": 0.033}
    plan = sensor_schedule(periods, 1.0)
    assert sum(r.step for r in plan) == pytest.approx(1.0)
    for name, period in periods.items():
        times = [r.time for r in plan if r.sensor == name]
        assert_allclose(times, np.arange(1, int(1.0 / period + 1e-9) + 1) * period)
    assert all(a.time <= b.time for a, b in itertools.pairwise(plan))
    together = [r.sensor for r in plan if r.time == 0.02]
    assert together == ["imu", "wheels"]
