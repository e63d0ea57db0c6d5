"""Cells against areas, convexity, samples of points, and the values by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError
from gelenk.geometry.polygon import contains, is_convex, signed_area
from gelenk.planning.cells import cell_path, convex_cells, trapezoid_cells
from gelenk.planning.concepts import PlanStatus
from gelenk.planning.world import PolygonWorld

SQUARE = [[4, 4], [6, 4], [6, 6], [4, 6]]
TRIANGLE = [[4, 4], [6, 4], [5, 6]]
STAR = [[5, 1], [6, 4], [9, 5], [6, 6], [5, 9], [4, 6], [1, 5], [4, 4]]


def _world(*obstacles):
    return PolygonWorld(list(obstacles), [0, 0], [10, 10])


def _random_world(rng):
    obstacles = []
    for center in ([2.5, 2.5], [7.5, 2.5], [2.5, 7.5], [7.5, 7.5], [5, 5]):
        angle = np.sort(rng.uniform(0.0, 2.0 * np.pi, 7))
        radius = rng.uniform(0.3, 1.4, 7)[:, None]
        ring = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        obstacles.append(center + radius * ring)
    return _world(*obstacles)


@pytest.mark.capability("GR-221")
def test_a_square_leaves_four_trapezoids_and_a_triangle_five():
    cells = trapezoid_cells(_world(SQUARE))
    path = cell_path(cells, [1, 5], [9, 5]).path

    assert len(cells.cells) == 4
    assert len(cells.neighbours) == 4
    assert len(trapezoid_cells(_world(TRIANGLE)).cells) == 5
    assert path.length == pytest.approx(10.485281, abs=1e-6)
    assert_allclose(path.points[1:-1, 0], [4, 6])
    assert path.points[1, 1] in (2.0, 8.0)


@pytest.mark.capability("GR-220", "GR-221")
@pytest.mark.parametrize("cut", [trapezoid_cells, convex_cells])
def test_cells_are_convex_and_cover_the_free_space_once(cut):
    rng = np.random.default_rng(0)
    for world in [
        *(_random_world(rng) for _ in range(6)),
        _world(STAR, [[0, 0], [1, 0], [0, 1]]),
    ]:
        cells = cut(world)

        total = sum(signed_area(cell) for cell in cells.cells)
        assert total == pytest.approx(world.free_area, rel=1e-9)
        assert all(is_convex(cell) for cell in cells.cells)
        points = rng.uniform(0.0, 10.0, (300, 2))
        held = sum(contains(cell, points).astype(int) for cell in cells.cells)
        clear = np.abs(world.clearance(points)) > 1e-6
        assert (held[clear] == world.are_free(points)[clear]).all()


@pytest.mark.capability("GR-221")
def test_general_position_gives_three_cells_per_corner_and_one():
    # With n corners of distinct x each adds at most 3 walls' worth: <= 3 n + 1 cells.
    rng = np.random.default_rng(1)
    for _ in range(10):
        world = _random_world(rng)
        corners = sum(len(ring) for ring in world.obstacles)
        assert len(trapezoid_cells(world).cells) <= 3 * corners + 1
        assert len(convex_cells(world).cells) <= len(trapezoid_cells(world).cells)


@pytest.mark.capability("GR-220")
def test_joining_saves_cells_where_unions_stay_convex():
    # Between the corners (3, 2) and (7, 2) of a floor that bulges, nothing must be cut.
    bump = [[2, 0], [5, 2], [8, 0]]
    dent = [[0, 10], [0, 8], [5, 10]]
    world = _world(bump, dent)

    assert len(convex_cells(world).cells) < len(trapezoid_cells(world).cells)


@pytest.mark.capability("GR-220", "GR-221")
def test_paths_through_cells_are_free_and_a_closed_wall_is_proved():
    rng = np.random.default_rng(2)
    for _ in range(5):
        world = _random_world(rng)
        for cut in (trapezoid_cells, convex_cells):
            path = cell_path(cut(world), [0.1, 0.2], [9.8, 9.7]).path
            assert world.are_free_between(path.points[:-1], path.points[1:]).all()
    walled = trapezoid_cells(_world([[4, 0], [5, 0], [5, 10], [4, 10]]))
    assert cell_path(walled, [1, 1], [9, 9]).status == PlanStatus.UNREACHABLE


@pytest.mark.capability("GR-221")
def test_overlapping_obstacles_are_cut_like_their_union():
    shifted = [[5, 5], [7, 5], [7, 7], [5, 7]]
    cells = trapezoid_cells(_world(SQUARE, shifted))

    assert sum(signed_area(cell) for cell in cells.cells) == pytest.approx(93.0)


def test_a_start_in_no_cell_is_refused():
    with pytest.raises(ConfigError, match="`start`"):
        cell_path(trapezoid_cells(_world(SQUARE)), [5, 5], [1, 1])
