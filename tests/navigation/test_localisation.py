"""Grids, graphs, particles, scans: published values, other derivations, closed runs."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.ndimage import distance_transform_edt
from scipy.optimize import approx_fprime
from scipy.stats import norm

from gelenk.errors import ConfigError
from gelenk.navigation.catalog import PlaceBelief
from gelenk.navigation.landmarks import scan_points
from gelenk.navigation.markov_localisation import (
    blur_ring,
    choose_action,
    correct_cells,
    correct_places,
    entropy,
    expected_entropy,
    predict_places,
    shift_cells,
    uniform_grid,
)
from gelenk.navigation.monte_carlo import (
    MonteCarlo,
    MonteCarloCfg,
    effective_number,
    kld_count,
    systematic_indices,
)
from gelenk.navigation.odometry import OdometryNoise, sample_odometry
from gelenk.navigation.planar import compose, points_in_world, relative_pose
from gelenk.navigation.scan_matching import interpolate, map_levels, match_scan
from gelenk.navigation.sensor_models import (
    BeamModel,
    beam_likelihood,
    likelihood_field,
)
from gelenk.planning.occupancy import add_scan, empty_grid
from gelenk.planning.world import PolygonWorld, cast_rays

ROOM = PolygonWorld(
    [[[5, 3], [7, 3], [7, 6], [5, 6]], [[1, 5.5], [2, 5.5], [2, 7], [1, 7]]],
    [0, 0],
    [10, 8],
)
BEAMS = np.linspace(-np.pi, np.pi, 48, endpoint=False)
NOISE = OdometryNoise(turn_turn=0.01, turn_way=0.003, way_way=0.005, way_turn=0.001)


@pytest.fixture(scope="module")
def house():
    """The map of the room, from scans at known poses."""
    bearings = np.linspace(-np.pi, np.pi, 180, endpoint=False)
    grid = empty_grid([-0.55, -0.55], [10.55, 8.55], 0.1)
    for x, y in ((2, 2), (8, 2), (8, 7), (3, 7), (3, 4), (4, 5)):
        reach = cast_rays(ROOM, [x, y], bearings, 12.0)
        grid = add_scan(grid, [x, y, 0], bearings, reach, max_range=12.0)
    return grid


def _scan(pose, rng, sigma=0.02):
    reach = cast_rays(ROOM, pose[:2], BEAMS + pose[2], 12.0)
    return scan_points(BEAMS, reach + rng.normal(0, sigma, len(BEAMS)))


def _anywhere(count, rng):
    poses = rng.uniform([0, 0, -np.pi], [10, 8, np.pi], (4 * count + 8, 3))
    return poses[ROOM.are_free(poses[:, :2])][:count]


@pytest.mark.capability("GR-251")
def test_the_published_row_of_cells():
    seen = correct_cells(np.ones(5) / 5, [0.2, 0.6, 0.6, 0.2, 0.2])
    assert_allclose(seen, np.array([1, 3, 3, 1, 1]) / 9)
    moved = shift_cells(seen, 1, [1, 1, 0, 1, 1])
    assert_allclose(moved, (0, 0.2, 0, 0.6, 0.2), atol=1e-12)
    noisy = blur_ring(seen, 1, [0.1, 0.8, 0.1])
    assert_allclose(
        noisy, (0.111111, 0.133333, 0.311111, 0.311111, 0.133333), atol=1e-6
    )
    # Second way: the chain's matrix.
    T = sum(
        c * np.roll(np.eye(5), 1 + k, axis=1)
        for k, c in zip((-1, 0, 1), (0.1, 0.8, 0.1), strict=True)
    )
    assert_allclose(noisy, seen @ T)
    with pytest.raises(ConfigError, match="contradict"):
        correct_cells([0.5, 0.5], [0.0, 0.0])


@pytest.mark.capability("GR-251")
def test_a_grid_finds_a_robot_that_may_be_anywhere(house):
    """Oracle: the true pose; the map comes from scans, the run has noise."""
    rng = np.random.default_rng(0)
    field = likelihood_field(house)
    grid = uniform_grid([0, 0], [10, 8], 0.25, 24, lambda p: ROOM.clearance(p) > 0.1)
    truth, uncertain = np.array([2.6, 1.8, 0.35]), [grid.entropy]
    for _ in range(6):
        truth = sample_odometry(truth, [0.5, 0.0, 0.1], NOISE, rng)
        scan = _scan(truth, rng)[::4]
        grid = grid.moved([0.5, 0.0, 0.1], NOISE)
        grid = grid.sensed(
            lambda x, s=scan: np.exp(0.4 * field.at(points_in_world(x, s)).sum(axis=-1))
        )
        uncertain.append(grid.entropy)

    off = relative_pose(truth, grid.most_likely)
    assert np.hypot(*off[:2]) < 0.35
    assert abs(off[2]) < 0.3
    assert uncertain[-1] < 0.6 * uncertain[0]
    assert grid.probability.sum() == pytest.approx(1.0)


@pytest.mark.capability("GR-251")
def test_the_grid_moves_as_sampled_robots_do():
    grid = uniform_grid([0, 0], [8, 8], 0.25, 36)
    p = np.zeros_like(grid.probability)
    p[12, 12, 3] = 1.0
    grid = type(grid)(
        origin=grid.origin, cell=0.25, probability=p, possible=grid.possible
    )
    start, motion = grid.most_likely, np.array([1.5, 0.0, 0.6])
    noise = OdometryNoise(turn_turn=0.1, turn_way=0.02, way_way=0.05, way_turn=0.02)
    after = grid.moved(motion, noise)
    mean = np.einsum("ijk,ijkc->c", after.probability, after.poses())
    robots = sample_odometry(
        np.tile(start, (20_000, 1)), motion, noise, np.random.default_rng(1)
    )

    assert_allclose(mean, robots.mean(axis=0), atol=0.12)


@pytest.mark.capability("GR-252")
def test_the_published_draw_and_its_statistics():
    weights = [0.1, 0.2, 0.3, 0.4]
    assert_array_equal(systematic_indices(weights, 0.5), [1, 2, 3, 3])
    assert effective_number(weights) == pytest.approx(3.333333, abs=1e-6)
    # Second way: the inverse of the cumulative distribution, and its mean.
    rng = np.random.default_rng(2)
    w = rng.dirichlet(np.ones(50))
    counts = np.zeros(50)
    for offset in (np.arange(200) + 0.5) / 200:
        ids = systematic_indices(w, offset)
        pointers = (offset + np.arange(50)) / 50
        assert_array_equal(ids, np.searchsorted(np.cumsum(w), pointers))
        counts += np.bincount(ids, minlength=50)
    assert_allclose(counts / 200, 50 * w, atol=0.01)
    # A chi-square quantile (Wilson and Hilferty): the count of the exact law.
    from scipy.stats import chi2

    assert kld_count(100) == pytest.approx(chi2(99).ppf(0.99) / 0.1, rel=2e-3)


@pytest.mark.capability("GR-252")
def test_particles_find_a_robot_and_find_it_again_when_it_is_carried_away(house):
    rng = np.random.default_rng(3)
    field = likelihood_field(house)
    poses = _anywhere(3000, rng)
    cloud = MonteCarlo(
        poses=poses,
        log_weights=np.zeros(len(poses)),
        cfg=MonteCarloCfg(noise=NOISE, share=0.2, slow=0.05, fast=0.6),
    )
    truth, motion, gaps = np.array([2.6, 1.8, 0.35]), np.array([0.3, 0.0, 0.25]), []
    for k in range(50):
        if k == 20:
            truth = np.array([8.6, 4.0, -2.0])
        truth = sample_odometry(truth, motion, NOISE, rng)
        cloud = cloud.moved(motion, rng).seen(field, _scan(truth, rng))
        cloud = cloud.resampled(rng, somewhere=_anywhere)
        gaps.append(np.hypot(*(cloud.mean - truth)[:2]))

    assert max(gaps[14:20]) < 0.25
    assert gaps[20] > 2.0
    assert max(gaps[45:]) < 0.35
    assert cloud.needed() < 1500


@pytest.mark.capability("GR-252")
def test_compiled_particles_do_what_numpy_does(house):
    rng = np.random.default_rng(4)
    field, scan = likelihood_field(house), _scan(np.array([3.0, 2.0, 0.5]), rng)
    cloud = MonteCarlo(poses=_anywhere(200, rng), log_weights=np.zeros(200))
    seen = cloud.seen(field, scan)
    expected = 0.3 * field.at(points_in_world(cloud.poses, scan)).sum(axis=-1)
    assert_allclose(seen.log_weights, expected, atol=1e-9)

    moved = cloud.moved([0.4, 0.1, 0.3], np.random.default_rng(5))
    plain = sample_odometry(
        cloud.poses, [0.4, 0.1, 0.3], cloud.cfg.noise, np.random.default_rng(5)
    )
    assert_allclose(moved.poses, plain, atol=1e-12)


@pytest.mark.capability("GR-252")
def test_the_beam_model_is_a_density():
    model = BeamModel(max=0.05)
    z = np.linspace(0.0, 8.0, 200_001)[:-1]
    mass = beam_likelihood(model, z, 3.0).sum() * (z[1] - z[0])
    early = 1.0 - math.exp(-0.5 * 3.0)
    assert mass == pytest.approx(0.75 + 0.1 * early + 0.1, abs=1e-3)
    hit = beam_likelihood(model, 3.0, 3.0) - beam_likelihood(model, 5.0, 3.0)
    peak = 0.75 * norm(0, 0.1).pdf(0) + 0.1 * 0.5 * math.exp(-1.5)
    assert hit == pytest.approx(peak, rel=1e-6)
    nothing = beam_likelihood(model, 8.0, 3.0) - beam_likelihood(model, 7.9, 3.0)
    assert nothing == pytest.approx(0.05)


@pytest.mark.capability("GR-253")
def test_looking_where_it_differs_tells_sooner_than_looking_on():
    """A ring of 12 cells with two doors 4 apart and one picture; 100 robots each."""
    sight = np.full((12, 3), 0.05)
    kinds = np.array([0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0])
    sight[np.arange(12), kinds] = 0.9
    moves = np.array([np.roll(np.eye(12), k, axis=1) for k in (-1, 0, 1)])
    left = {}
    for manner in ("active", "passive"):
        rng, total = np.random.default_rng(6), 0.0
        for _ in range(100):
            at, p = int(rng.integers(12)), np.ones(12) / 12
            for _ in range(8):
                action = choose_action(p, moves, sight).action
                if manner == "passive":
                    action = 1
                p = p @ moves[action]
                at = int(np.argmax(moves[action][at]))
                z = rng.choice(3, p=sight[at])
                p = p * sight[:, z] / (p @ sight[:, z])
            total += float(entropy(p))
        left[manner] = total / 100
    assert left["active"] < 0.75 * left["passive"]


@pytest.mark.capability("GR-253")
def test_expected_entropy_is_entropy_less_information():
    """Second derivation: H(p') - I(x; z) with the mutual information of the joint."""
    rng = np.random.default_rng(7)
    p, T = rng.dirichlet(np.ones(6)), rng.dirichlet(np.ones(6), 6)
    Z = rng.dirichlet(np.ones(4), 6)
    after = p @ T
    joint = after[:, None] * Z
    information = (joint * np.log(joint / (after[:, None] * joint.sum(axis=0)))).sum()
    assert expected_entropy(p, T, Z) == pytest.approx(entropy(after) - information)
    free = choose_action(p, [np.eye(6), T], Z, costs=[0.0, 1e3])
    assert free.action == 0


@pytest.mark.capability("GR-289")
def test_the_published_corridor_of_places():
    belief = PlaceBelief(places=tuple("ABC"), probability=np.ones(3) / 3)
    forward = np.array([[0.2, 0.8, 0.0], [0.0, 0.2, 0.8], [0.0, 0.0, 1.0]])
    predicted = predict_places(belief, forward)
    seen = correct_places(predicted, [0.7, 0.1, 0.7])
    assert_allclose(predicted.probability, (0.066667, 0.333333, 0.6), atol=1e-6)
    assert_allclose(seen.probability, (0.093333, 0.066667, 0.84), atol=1e-6)
    # Second way: count robots that walked and saw the same.
    rng = np.random.default_rng(8)
    at = rng.integers(3, size=200_000)
    at = np.minimum(at + (rng.random(at.size) < 0.8), 2)
    at = at[rng.random(at.size) < np.array([0.7, 0.1, 0.7])[at]]
    assert_allclose(np.bincount(at) / at.size, seen.probability, atol=5e-3)
    with pytest.raises(ConfigError, match="sum to 1"):
        predict_places(belief, np.ones((3, 3)))


@pytest.mark.capability("GR-260")
def test_the_published_interpolation_and_its_slope():
    M, slope = interpolate([[0.2, 0.4], [0.8, 0.9]], [0.25, 0.5])
    assert float(M) == pytest.approx(0.4375)
    assert_allclose(slope, (0.55, 0.175))
    rng = np.random.default_rng(9)
    values = rng.random((7, 9))
    for at in rng.uniform([0.1, 0.1], [5.9, 7.9], (10, 2)):
        numeric = approx_fprime(at, lambda p: float(interpolate(values, p)[0]), 1e-7)
        assert_allclose(interpolate(values, at)[1], numeric, atol=1e-5)


@pytest.mark.capability("GR-260")
def test_scans_are_matched_from_ten_centimetres_and_five_degrees_off(house):
    rng, levels = np.random.default_rng(10), map_levels(house)
    gaps = []
    for truth in ([2.5, 2.0, 0.3], [8.3, 6.8, -1.5], [3.4, 6.9, 2.5], [8.2, 1.6, 1.0]):
        for _ in range(5):
            off = rng.normal(size=2)
            off *= 0.1 / np.hypot(*off)
            turn = rng.choice([-1, 1]) * np.deg2rad(5.0)
            guess = compose(truth, [*off, turn])
            found = match_scan(levels, _scan(np.array(truth), rng, 0.01), guess)
            gap = relative_pose(truth, found.pose)
            gaps.append([np.hypot(*gap[:2]), abs(gap[2])])
            assert found.score > 0.5
    gaps = np.array(gaps)
    assert gaps[:, 0].max() < 0.05
    assert gaps[:, 1].max() < np.deg2rad(1.0)


@pytest.mark.capability("GR-260")
def test_a_corridor_leaves_its_direction_open():
    hall = empty_grid([0, 0], [12, 3], 0.1)
    bearings = np.linspace(-np.pi, np.pi, 90, endpoint=False)
    walls = PolygonWorld([], [-50, 0.5], [50, 2.5])
    for x in (3.0, 6.0, 9.0):
        reach = cast_rays(walls, [x, 1.5], bearings, 4.0)
        hall = add_scan(hall, [x, 1.5, 0], bearings, reach, max_range=4.0)
    reach = cast_rays(walls, [6.0, 1.5], bearings, 3.0)
    scan = scan_points(bearings, reach)[reach < 3.0]
    found = match_scan(map_levels(hall), scan, [6.05, 1.6, 0.02])
    assert found.covariance[0, 0] > 10.0 * found.covariance[1, 1]
    assert found.pose[1] == pytest.approx(1.5, abs=0.05)


@pytest.mark.capability("GR-252")
def test_visitors_are_told_from_walls_even_where_the_cloud_is_unsure(house):
    rng = np.random.default_rng(8)
    truth = np.array([3.0, 2.5, 0.4])
    free = house.odds < -0.5
    gap = house.cell * distance_transform_edt(free)
    field = likelihood_field(house)
    cloud = MonteCarlo(
        poses=truth + rng.normal(0.0, [0.08, 0.08, 0.03], (200, 3)),
        log_weights=np.zeros(200),
    )
    walls = _scan(truth, rng)
    visitors = np.array([[0.8, 0.1], [0.85, 0.2], [-0.9, 0.6]])
    behind = relative_pose(truth, [3.0, -0.4, 0.0])[
        :2
    ]  # a beam that went through a wall

    strange = cloud.strangers(gap, field, np.concatenate([walls, visitors, [behind]]))

    assert strange[len(walls) : len(walls) + 3].all()
    assert not strange[: len(walls)].any()
    assert not strange[-1]
