"""Occupancy grids, coastal paths, dynamic window: values, sampling, closed loops."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError
from gelenk.planning.configuration_space import grow_by_disc
from gelenk.planning.dynamic_window import (
    DynamicWindow,
    arc_distance,
    choose_speeds,
    separation_speed,
    stopping_speed,
    window_bounds,
)
from gelenk.planning.grid import (
    CoastalSensor,
    coastal_path,
    grid_path,
    lost_information,
    map_information,
    position_information,
    position_spread,
)
from gelenk.planning.occupancy import (
    OccupancyGrid,
    add_scan,
    crossed_cells,
    empty_grid,
    log_odds,
    probability,
)
from gelenk.planning.roadmaps import shortest_path
from gelenk.planning.world import PolygonWorld, cast_rays

BOX = [[4, 4], [6, 4], [6, 6], [4, 6]]
ROOM = PolygonWorld([BOX], [0, 0], [10, 10])


@pytest.mark.capability("GR-230")
def test_four_readings_add_up_to_the_odds_of_the_course():
    odds = log_odds([0.7, 0.7, 0.3, 0.9]).sum()

    assert odds == pytest.approx(3.044522, abs=1e-6)
    assert probability(odds) == pytest.approx(0.954545, abs=1e-6)
    # Bayes with products instead of sums.
    p = np.array([0.7, 0.7, 0.3, 0.9])
    bayes = p.prod() / (p.prod() + (1.0 - p).prod())
    assert probability(odds) == pytest.approx(bayes, abs=1e-12)


@pytest.mark.capability("GR-230")
def test_beams_cross_the_cells_that_dense_points_fall_into():
    rng = np.random.default_rng(0)
    for a, b in rng.uniform(-5.0, 5.0, (40, 2, 2)):
        s = np.linspace(0.0, 1.0, 4001)[:, None]
        dense = {tuple(c) for c in np.floor(a + s * (b - a)).astype(int)}
        cells = crossed_cells(a, b)

        ours = {tuple(c) for c in cells}
        assert dense <= ours
        assert len(ours - dense) <= 1  # a corner cut by less than the step
        assert (np.abs(np.diff(cells, axis=0)).sum(axis=1) == 1).all()


def _mapped(sigma, rng):
    grid = empty_grid([-0.5, -0.5], [10.5, 10.5], 0.25)
    bearings = np.linspace(-np.pi, np.pi, 120, endpoint=False)
    for x, y in ((2, 2), (8, 2), (8, 8), (2, 8), (5, 2), (5, 8)):
        heading = rng.uniform(-np.pi, np.pi)
        ranges = cast_rays(ROOM, [x, y], bearings + heading, 8.0)
        ranges = np.where(ranges < 8.0, ranges + rng.normal(0.0, sigma, 120), ranges)
        grid = add_scan(grid, [x, y, heading], bearings, ranges, max_range=8.0)
    return grid


@pytest.mark.capability("GR-230")
def test_the_map_of_a_room_is_the_room():
    grid = _mapped(0.02, np.random.default_rng(1))
    centers = grid.centers()
    seen = np.abs(grid.odds) > 0.5
    true_free = ROOM.clearance(centers) > 0.0
    mapped_free = grid.are_free()
    both = (mapped_free & true_free & seen).sum()
    either = ((mapped_free & seen) | (true_free & seen)).sum()

    assert both / either > 0.97
    border = np.abs(ROOM.clearance(centers)) > 0.25
    assert (mapped_free == true_free)[seen & border].mean() > 0.995
    # A path planned in the map is a path of the room.
    start, goal = grid.cells([[2, 5], [8, 5]])
    safe = mapped_free & seen
    cells, search = grid_path(safe, tuple(start), tuple(goal))
    assert search.found
    assert ROOM.are_free(centers[cells[:, 0], cells[:, 1]]).all()


@pytest.mark.capability("GR-230")
def test_a_door_that_closes_changes_the_map_and_the_plan():
    open_, bearings = empty_grid([0, 0], [4, 4], 0.5), np.array([0.0])
    for _ in range(5):
        open_ = add_scan(open_, [0.25, 2.2, 0.0], bearings, [9.0], max_range=3.0)
    closed = open_
    for _ in range(12):
        closed = add_scan(closed, [0.25, 2.2, 0.0], bearings, [1.9], max_range=3.0)

    assert open_.are_free()[4, 4]
    assert not closed.are_free()[4, 4]
    assert closed.are_free()[2, 4]


HALL = PolygonWorld([], [0, 0], [24, 12])
SENSOR = CoastalSensor(beams=24, max_range=2.5)


def _coastal(weight):
    axis_x, axis_y = np.arange(0.5, 24.0), np.arange(0.5, 12.0)
    centers = np.stack(np.meshgrid(axis_x, axis_y, indexing="ij"), axis=-1)
    information = position_information(HALL, centers, SENSOR)
    lost = lost_information(information, step_sigma=0.1)
    free = np.ones(lost.shape, dtype=bool)
    cells = coastal_path(free, lost, (1, 5), (22, 5), weight=weight)
    return centers[cells[:, 0], cells[:, 1]], lost, centers


@pytest.mark.capability("GR-231")
def test_the_middle_of_a_hall_tells_nothing_and_walls_tell_across():
    middle, beside = position_information(HALL, [[12, 6], [12, 1.0]], SENSOR)

    assert_allclose(middle, 0.0)
    # A wall along x tells y only: each beam at angle a has slope 1 / sin(a).
    angles = 2.0 * np.pi * np.arange(24) / 24
    hits = np.sin(angles) < -1.0 / 2.5
    expected = (1.0 / np.sin(angles[hits]) ** 2).sum() / 0.05**2
    assert beside[1, 1] == pytest.approx(expected, rel=1e-5)
    assert abs(beside[0, 0]) < 1e-6 * beside[1, 1]


@pytest.mark.capability("GR-231")
def test_the_coastal_path_hugs_walls_and_knows_better_where_it_is():
    short, _, _ = _coastal(0.0)
    coast, _, _ = _coastal(5.0)

    def mean_gap(points):
        return HALL.clearance(points).mean()

    error = [
        position_spread(HALL, points, SENSOR, drift=0.2)[3:-3].mean()
        for points in (short, coast)
    ]
    assert len(coast) >= len(short)
    assert mean_gap(coast) < 2.0 < mean_gap(short)
    assert error[1] < 0.8 * error[0]


@pytest.mark.capability("GR-231")
def test_the_expected_error_is_what_a_simulated_robot_makes():
    # The filter behind `position_spread`, run 300 times on drawn errors.
    rng = np.random.default_rng(2)
    points = np.stack([np.linspace(2.0, 20.0, 19), np.full(19, 1.5)], axis=-1)
    spread = position_spread(HALL, points, SENSOR, drift=0.1, initial=0.05)
    information = position_information(HALL, points, SENSOR)
    runs = 300
    error = rng.normal(0.0, 0.05, (runs, 2))
    P = 0.05**2 * np.eye(2)
    for k in range(19):
        if k:
            error += rng.normal(0.0, 0.1, (runs, 2))
            P = P + 0.01 * np.eye(2)
        W = np.linalg.inv(np.linalg.inv(P) + information[k])
        # A measurement of information I: update by W I (true + noise), noise ~ N(0, I^+).
        noise = (
            rng.normal(size=(runs, 2))
            @ np.linalg.cholesky(information[k] + 1e-12 * np.eye(2)).T
        )
        error = error @ (np.linalg.inv(P) @ W) + noise @ W
        P = W

    assert np.sqrt((error**2).sum(axis=1).mean()) == pytest.approx(spread[-1], rel=0.12)


@pytest.mark.capability("GR-231")
def test_a_map_of_cells_tells_as_much_of_the_position_as_its_walls_do():
    hall = PolygonWorld([], [0.1, 0.1], [7.9, 5.9])
    grid = empty_grid([0, 0], [8, 6], 0.1)
    odds = np.full(grid.odds.shape, -4.0)
    odds[[0, -1]] = odds[:, [0, -1]] = 4.0
    grid = OccupancyGrid(origin=grid.origin, cell=0.1, odds=odds)
    sensor = CoastalSensor(beams=72, max_range=2.5)
    points = np.array([[4.02, 1.03], [1.01, 1.02], [4.0, 2.95], [7.0, 3.0]])

    told = map_information(grid, points, sensor)
    exact = position_information(hall, points, sensor)

    # Beams near a corner, and those that hardly reach a wall, may go either way.
    scale = np.maximum(exact.trace(axis1=1, axis2=2), 1.0)[:, None, None]
    assert (np.abs(told - exact) / scale).max() < 0.12
    assert_allclose(told[2], 0.0)


@pytest.mark.capability("GR-232")
def test_nobody_who_comes_up_is_met_by_a_moving_robot():
    cfg = DynamicWindow(dt=0.2, acceleration=0.8, mover_speed=1.0)
    for gap in (0.25, 0.5, 1.0, 1.6):
        v = separation_speed(cfg, [[gap + cfg.radius, 0.0]])
        # Marching: both come nearer, the robot brakes after one cycle.
        x, dt, t, speed = 0.0, 1e-4, 0.0, v
        while speed > 0.0:
            speed = speed if t < cfg.dt else max(speed - cfg.acceleration * dt, 0.0)
            x, t = x + speed * dt, t + dt
        assert x + cfg.mover_speed * t <= gap + 1e-3
    assert separation_speed(cfg, [[-0.3, 0.0]]) == cfg.max_speed

    person = [[0.7, 0.0]]
    choice = choose_speeds(cfg, 0.2, 0.0, person, [5, 0], movers=person)
    assert choice.speed <= max(separation_speed(cfg, person), 0.2 - 0.16) + 1e-9
    assert choose_speeds(cfg, 0.2, 0.0, person, [5, 0]).speed > choice.speed


@pytest.mark.capability("GR-232")
def test_a_robot_that_stands_too_near_may_still_turn_on_the_spot():
    cfg = DynamicWindow()

    choice = choose_speeds(cfg, 0.0, 0.0, [[0.15, 0.0]], [-1.0, 0.5])

    assert choice.speed == 0.0
    assert choice.turn > 0.0


@pytest.mark.capability("GR-230")
def test_a_scan_says_of_cells_what_its_beams_say_one_by_one():
    rng = np.random.default_rng(5)
    grid, pose = empty_grid([-2, -2], [2, 2], 0.1), [0.03, -0.2, 0.4]
    bearings = np.append(rng.uniform(-np.pi, np.pi, 40), [-0.4, np.pi / 2 - 0.4])
    ranges = np.minimum(rng.uniform(0.0, 3.0, 42), 2.5)
    start = (np.array(pose[:2]) - grid.origin) / grid.cell
    odds = np.zeros(grid.odds.shape)
    for bearing, reach in zip(bearings + pose[2], ranges, strict=True):
        along = reach / grid.cell * np.array([np.cos(bearing), np.sin(bearing)])
        for i, j in crossed_cells(start, start + along):
            if 0 <= i < 40 and 0 <= j < 40:
                at_end = (i, j) == tuple(np.floor(start + along)) and reach < 2.5
                odds[i, j] += log_odds(0.8 if at_end else 0.35)

    seen = add_scan(grid, pose, bearings, ranges, max_range=2.5)

    assert_allclose(seen.odds, np.clip(odds, -8.0, 8.0), atol=1e-12)


@pytest.mark.capability("GR-232")
def test_the_window_has_the_bounds_of_the_course():
    cfg = DynamicWindow(acceleration=0.5, turn_acceleration=1.0, dt=0.25)
    (v0, v1), (w0, w1) = window_bounds(cfg, 0.4, 0.2)

    assert_allclose([v0, v1, w0, w1], [0.275, 0.525, -0.05, 0.45], atol=1e-12)
    assert stopping_speed(0.3, 0.5) == pytest.approx(0.547723, abs=1e-6)


@pytest.mark.capability("GR-232")
def test_arcs_end_where_a_marching_robot_touches():
    rng = np.random.default_rng(3)
    for _ in range(60):
        v, w = rng.uniform(0.05, 0.6), rng.uniform(-1.5, 1.5)
        points = rng.uniform(-2.0, 2.0, (6, 2))
        s = np.arange(0.0, 2.0, 5e-4)
        theta = w / v * s
        x, y = np.sin(theta) * v / w, (1.0 - np.cos(theta)) * v / w
        gaps = np.hypot(points[:, 0] - x[:, None], points[:, 1] - y[:, None]) < 0.2
        touched = gaps.any(axis=1)
        expected = s[touched.argmax()] if touched.any() else 2.0

        distance = arc_distance(v, w, points, radius=0.2, horizon=2.0)

        grazing = abs(
            np.abs(np.hypot(points[:, 0], points[:, 1] - v / w) - abs(v / w)) - 0.2
        ).min()
        if grazing > 1e-3:
            assert distance == pytest.approx(expected, abs=2e-3)


@pytest.mark.slow
@pytest.mark.capability("GR-232")
def test_the_robot_never_collides_and_follows_its_plan():
    cfg, arrived = DynamicWindow(), 0
    bearings = np.linspace(-np.pi, np.pi, 120, endpoint=False)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        boxes = []
        for cx, cy in ((3, 2.5), (5.5, 6), (3, 7), (7.5, 3)):
            x, y = cx + rng.uniform(-0.6, 0.6), cy + rng.uniform(-0.6, 0.6)
            boxes.append(np.array([[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]]))
        world = PolygonWorld(boxes, [0, 0], [10, 10])
        grown = [ring for box in boxes for ring in grow_by_disc(box, 0.4, sides=8)]
        guide = shortest_path(
            PolygonWorld(grown, [0, 0], [10, 10]), [1, 1], [9, 9]
        ).path
        pose, v, w = np.array([1.0, 1.0, rng.uniform(0.0, 1.5)]), 0.0, 0.0
        for _ in range(180):
            ranges = cast_rays(world, pose[:2], bearings + pose[2], 4.0)
            hit = ranges < 4.0
            points = (ranges * np.stack([np.cos(bearings), np.sin(bearings)])).T[hit]
            c, s = np.cos(pose[2]), np.sin(pose[2])
            along = guide.at(np.linspace(0.0, guide.length, 400))
            near = np.linalg.norm(along - pose[:2], axis=1).argmin()
            target = guide.at(near / 399 * guide.length + 0.8)
            goal = np.array([[c, s], [-s, c]]) @ (target - pose[:2])
            choice = choose_speeds(cfg, v, w, points, goal)
            v, w = choice.speed, choice.turn
            for _ in range(5):
                pose = pose + 0.05 * np.array(
                    [v * np.cos(pose[2]), v * np.sin(pose[2]), w]
                )
            # Beams sample the walls; between two of them a corner may stick out a little.
            assert world.clearance(pose[:2]) > cfg.radius - 0.05
            if np.linalg.norm(pose[:2] - 9.0) < 0.5:
                arrived += 1
                break
    assert arrived >= 4


@pytest.mark.capability("GR-232")
def test_before_a_wall_the_robot_brakes_as_hard_as_it_can():
    cfg = DynamicWindow()
    wall = np.stack([np.full(41, 0.3), np.linspace(-1, 1, 41)], axis=-1)

    choice = choose_speeds(cfg, 0.6, 0.3, wall, [5, 0])

    assert choice.is_braking
    assert choice.speed == pytest.approx(0.6 - 0.5 * 0.25)
    assert choice.turn == 0.0


def test_mistakes_are_named():
    with pytest.raises(ConfigError, match="p_hit"):
        add_scan(
            empty_grid([0, 0], [1, 1], 0.5), [0, 0, 0], [0], [1], max_range=2, p_hit=0.4
        )
    with pytest.raises(ConfigError, match="positive"):
        DynamicWindow(radius=0.0)
