"""Roadmaps among polygons: values by hand, brute force, and laws of their geometry."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import ConvexHull

from gelenk.errors import ConfigError
from gelenk.planning.freeway import (
    find_freeways,
    free_headings,
    freeway_net,
    freeway_path,
    silhouette_roadmap,
)
from gelenk.planning.grid import grid_path
from gelenk.planning.roadmaps import (
    retract_to_voronoi,
    safest_path,
    shortest_path,
    tangent_graph,
    visibility_graph,
    voronoi_roadmap,
)
from gelenk.planning.world import PolygonWorld

SQUARE = [[4, 4], [6, 4], [6, 6], [4, 6]]
ONE = PolygonWorld([SQUARE], [0, 0], [10, 10])
TWO = PolygonWorld(
    [[[2, 2], [4, 2], [4, 5], [2, 5]], [[6, 4], [8, 4], [8, 8], [6, 8]]],
    [0, 0],
    [10, 10],
)
ROOM = PolygonWorld([], [0, 0], [10, 4])


def _random_world(rng, count=4):
    centers = np.array([[2.5, 2.5], [7.5, 2.5], [2.5, 7.5], [7.5, 7.5]])[:count]
    obstacles = []
    for center in centers:
        points = center + rng.uniform(-1.8, 1.8, (9, 2))
        obstacles.append(points[ConvexHull(points).vertices])
    return PolygonWorld(obstacles, [0, 0], [10, 10])


def _edge_set(roadmap):
    return {
        frozenset((tuple(roadmap.points[i]), tuple(roadmap.points[j])))
        for i, j in roadmap.edges
    }


@pytest.mark.capability("GR-216")
def test_a_square_has_eight_lines_of_sight_and_the_known_shortest_path():
    graph = visibility_graph(ONE, [1, 5], [9, 5])
    result = shortest_path(ONE, [1, 5], [9, 5], tangents_only=False)

    assert len(graph.edges) == 8
    assert result.path.length == pytest.approx(2.0 * np.sqrt(10.0) + 2.0, abs=1e-12)
    assert result.path.length == pytest.approx(8.324555, abs=1e-6)


@pytest.mark.capability("GR-216")
def test_two_rectangles_have_eighteen_lines_and_the_known_shortest_path():
    result = shortest_path(TWO, [1, 3], [9, 6], tangents_only=False)

    assert len(visibility_graph(TWO, [1, 3], [9, 6]).edges) == 18
    assert result.path.length == pytest.approx(10.122417, abs=1e-6)
    assert_allclose(result.path.points[1:-1], [[2, 2], [4, 2], [8, 4]])


@pytest.mark.capability("GR-216")
def test_no_path_of_a_fine_grid_is_shorter():
    rng = np.random.default_rng(0)
    for _ in range(3):
        world = _random_world(rng)
        axis = (np.arange(80) + 0.5) / 8.0
        centers = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1)
        free = world.clearance(centers) >= 0.1
        free[2, 2] = free[77, 77] = True
        _, search = grid_path(free, (2, 2), (77, 77))

        exact = shortest_path(world, centers[2, 2], centers[77, 77]).path.length

        assert np.linalg.norm(centers[77, 77] - centers[2, 2]) <= exact + 1e-12
        # A grid walks octagons: at most 1 / cos(pi / 8) = 1.0824 times the length.
        assert exact <= search.cost / 8.0 <= 1.0824 * exact + 0.6


@pytest.mark.capability("GR-217")
def test_sixteen_tangents_are_left_of_the_two_rectangles():
    graph = tangent_graph(TWO, [1, 3], [9, 6])
    expected = [
        ((4, 2), (8, 4)), ((4, 2), (6, 8)), ((4, 5), (6, 4)), ((2, 5), (6, 8)),
    ]  # fmt: skip
    first, second = (
        {tuple(map(float, corner)) for corner in obstacle} for obstacle in TWO.obstacles
    )
    between = {
        edge
        for edge in _edge_set(graph)
        if len(edge & first) == 1 and len(edge & second) == 1
    }

    assert len(graph.edges) == 16
    assert between == {
        frozenset((tuple(map(float, a)), tuple(map(float, b)))) for a, b in expected
    }
    assert shortest_path(TWO, [1, 3], [9, 6]).path.length == pytest.approx(10.122417)


@pytest.mark.capability("GR-217")
def test_tangents_lose_no_shortest_path_and_leave_four_lines_per_pair():
    rng = np.random.default_rng(1)
    for _ in range(8):
        world = _random_world(rng, 2)
        full = shortest_path(world, [0.2, 0.2], [9.8, 3], tangents_only=False)
        lean = shortest_path(world, [0.2, 0.2], [9.8, 3])
        graph = tangent_graph(world)
        split = len(world.obstacles[0])
        between = (graph.edges[:, 0] < split) & (graph.edges[:, 1] >= split)

        assert lean.path.length == pytest.approx(full.path.length, abs=1e-12)
        assert between.sum() == 4


@pytest.mark.capability("GR-218")
def test_the_skeleton_of_a_room_is_its_middle_line_and_four_corner_branches():
    network = voronoi_roadmap(ROOM, 0.1)
    p = network.roadmap.points

    # On the skeleton the two nearest of the four walls are equally far.
    walls = np.sort(np.stack([p[:, 0], 10 - p[:, 0], p[:, 1], 4 - p[:, 1]]), axis=0)
    assert_allclose(walls[0], walls[1], atol=1e-9)
    assert network.roadmap.lengths.sum() == pytest.approx(
        6.0 + 4.0 * np.sqrt(8.0), abs=0.3
    )
    for end in ([2, 2], [8, 2]):
        assert np.linalg.norm(p - end, axis=1).min() < 0.1
    middle = voronoi_roadmap(PolygonWorld([], [0, 0], [20, 2]), 0.1).roadmap.points
    inner = np.abs(middle[:, 0] - 10.0) < 8.5
    assert_allclose(middle[inner, 1], 1.0, atol=1e-9)


@pytest.mark.capability("GR-218")
def test_the_diagram_is_equally_far_from_two_obstacles_everywhere():
    rng = np.random.default_rng(2)
    world = _random_world(rng)
    network = voronoi_roadmap(world, 0.08)

    gaps = world.distances(network.roadmap.points)
    sites = [gaps[:, world.owner == k].min(axis=1) for k in range(-4, 4)]
    nearest = np.sort(np.stack(sites), axis=0)

    far = nearest[0] > 0.3
    assert far.mean() > 0.5
    assert np.abs(nearest[1] - nearest[0])[far].max() < 0.01
    assert_allclose(network.clearance, gaps.min(axis=1), atol=1e-12)


@pytest.mark.capability("GR-218")
def test_retraction_moves_straight_away_until_two_sites_tie():
    rng = np.random.default_rng(3)
    world = _random_world(rng)
    for p in rng.uniform(0.05, 9.95, (60, 2)):
        if world.clearance(p) < 1e-3:
            continue
        onto = retract_to_voronoi(world, p)

        gaps = np.sort(
            [world.distances(onto)[world.owner == k].min() for k in range(-4, 4)]
        )
        assert gaps[1] - gaps[0] < 1e-9
        rise = world.clearance(onto) - world.clearance(p)
        assert rise == pytest.approx(np.linalg.norm(onto - p), abs=1e-9)


@pytest.mark.capability("GR-218")
def test_the_safest_path_is_longer_and_keeps_farther_away():
    safe = safest_path(TWO, [1, 3], [9, 6]).path
    short = shortest_path(TWO, [1, 3], [9, 6]).path

    def least_gap(path):
        along = path.at(np.linspace(0.15, 0.85, 500) * path.length)
        return TWO.clearance(along).min()

    assert TWO.are_free_between(safe.points[:-1], safe.points[1:]).all()
    assert safe.length > short.length
    assert least_gap(safe) > 0.9
    assert least_gap(short) < 1e-9


@pytest.mark.capability("GR-219")
def test_corridors_have_the_spines_that_one_draws_by_hand():
    # Around a square in a room run four corridors, two metres from its sides.
    lines = [way.ends for way in find_freeways(ONE, step=0.25)]
    drawn = [([0, 2], [10, 2]), ([0, 8], [10, 8]), ([2, 0], [2, 10]), ([8, 0], [8, 10])]

    for a, b in drawn:
        assert any(
            np.allclose(np.sort(ends, axis=0), [a, b], atol=1e-9) for ends in lines
        )
    for way in find_freeways(ONE, step=0.25):
        i, j = way.edges
        middle = way.ends.mean(axis=0)
        gaps = np.abs(
            [
                np.cross(
                    np.append(ONE.ends[k] - ONE.starts[k], 0.0),
                    np.append(middle - ONE.starts[k], 0.0),
                )[2]
                / np.linalg.norm(ONE.ends[k] - ONE.starts[k])
                for k in (i, j)
            ]
        )
        assert gaps[0] == pytest.approx(gaps[1], abs=1e-9)  # the bisector


@pytest.mark.capability("GR-219")
def test_a_freeway_path_is_free_and_a_wide_robot_finds_none():
    result = freeway_path(TWO, [1, 3], [9, 6], step=0.2)
    net = freeway_net(TWO, step=0.2)

    assert result.found
    assert TWO.are_free_between(result.path.points[:-1], result.path.points[1:]).all()
    ends = net.points[net.edges]
    assert TWO.are_free_between(ends[:, 0], ends[:, 1]).all()
    gate = PolygonWorld(
        [[[4, 0], [5, 0], [5, 4.5], [4, 4.5]], [[4, 5.5], [5, 5.5], [5, 10], [4, 10]]],
        [0, 0],
        [10, 10],
    )
    assert freeway_path(gate, [1, 5], [9, 5], min_width=0.9, step=0.2).found
    assert not freeway_path(gate, [1, 5], [9, 5], min_width=1.1, step=0.2).found


@pytest.mark.capability("GR-219")
def test_in_a_corridor_a_long_robot_fits_only_lengthwise():
    corridor = PolygonWorld([], [0, 0], [10, 1])
    headings = np.deg2rad(np.arange(0, 180, 1.0))

    fits = free_headings(corridor, [5, 0.5], headings, size=[2.0, 0.4])

    # l sin a + w cos a <= 1, the height of the turned rectangle.
    height = 2.0 * np.sin(headings) + 0.4 * np.abs(np.cos(headings))
    assert (fits == (height <= 1.0)).all()
    assert 0 < fits.sum() < 180


@pytest.mark.capability("GR-219")
def test_silhouettes_join_what_the_free_space_joins():
    wall = PolygonWorld([[[4, 0], [5, 0], [5, 10], [4, 10]]], [0, 0], [10, 10])
    for world, parts in ((ONE, 1), (TWO, 1), (wall, 2)):
        net = silhouette_roadmap(world)
        i, j = net.edges.T
        n = len(net.points)
        count, _ = connected_components(coo_array((np.ones(len(i)), (i, j)), (n, n)))

        assert count == parts
        ends = net.points[net.edges]
        assert world.are_free_between(ends[:, 0], ends[:, 1]).all()


def test_a_start_inside_an_obstacle_is_refused():
    for plan in (shortest_path, safest_path):
        with pytest.raises(ConfigError, match="not in the free space"):
            plan(ONE, [5, 5], [9, 5])
