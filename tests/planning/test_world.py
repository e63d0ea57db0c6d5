"""The polygon world against dense sampling, and rays against marching."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError
from gelenk.geometry.polygon import contains
from gelenk.planning.world import PolygonWorld, cast_rays

SQUARE = [[4, 4], [6, 4], [6, 6], [4, 6]]
BRACKET = [[1, 1], [3, 1], [3, 2], [2, 2], [2, 8], [1, 8]]
WORLD = PolygonWorld([SQUARE, BRACKET], [0, 0], [10, 10])


def test_segments_are_free_where_all_their_points_are():
    rng = np.random.default_rng(0)
    a, b = rng.uniform(0.0, 10.0, (2, 400, 2))
    s = np.linspace(0.0, 1.0, 2001)[:, None, None]
    points = a + s * (b - a)
    inside = contains(np.array(SQUARE), points) | contains(np.array(BRACKET), points)
    expected = ~inside.any(axis=0)

    free = WORLD.are_free_between(a, b)

    assert 0.2 < free.mean() < 0.8
    # Sampling misses what cuts a corner by less than its step.
    assert (free <= expected).all()
    assert (free != expected).mean() < 0.01


def test_touching_is_allowed_and_crossing_is_not():
    ends = [
        ([2.5, 4], [10, 4], True),  # along an edge
        ([0, 8], [8, 0], False),
        ([3, 7], [7, 7], True),
        ([2, 8], [8, 2], False),  # diagonal of the square
        ([5, 3], [7, 5], True),  # over the corner (6, 4)
        ([4, 4], [6, 6], False),
        ([4, 4], [4, 6], True),
        ([0, 0], [10, 0], True),  # along a wall
        ([5, 9], [5, 10.5], False),  # out of the room
    ]
    for a, b, expected in ends:
        assert WORLD.are_free_between(a, b).item() == expected, (a, b)


def test_clearance_is_the_distance_to_dense_samples_of_all_edges():
    rng = np.random.default_rng(1)
    points = rng.uniform(0.0, 10.0, (100, 2))
    s = np.linspace(0.0, 1.0, 2001)[:, None, None]
    dense = (WORLD.starts + s * (WORLD.ends - WORLD.starts)).reshape(-1, 2)
    expected = np.linalg.norm(points[:, None] - dense, axis=-1).min(axis=1)

    clearance = WORLD.clearance(points)

    assert_allclose(np.abs(clearance), expected, atol=3e-3)
    assert ((clearance < 0.0) == ~WORLD.are_free(points)).all()


def test_rays_end_where_marching_leaves_the_free_space():
    headings = np.linspace(-np.pi, np.pi, 100)
    ranges = cast_rays(WORLD, [3.5, 3.0], headings, 20.0)
    step = 1e-3
    along = step * np.arange(1, 15_000)
    direction = np.stack([np.cos(headings), np.sin(headings)], axis=-1)
    points = np.array([3.5, 3.0]) + along[:, None, None] * direction
    blocked = ((points < 0) | (points > 10)).any(axis=-1)
    for corners in (SQUARE, BRACKET):
        blocked |= contains(np.array(corners), points)

    assert_allclose(ranges, along[blocked.argmax(axis=0)], atol=2e-3)


def test_impossible_worlds_are_refused():
    with pytest.raises(ConfigError, match="crosses itself"):
        PolygonWorld([[[0, 0], [1, 1], [1, 0], [0, 1]]], [0, 0], [2, 2])
    with pytest.raises(ConfigError, match="below"):
        PolygonWorld([], [0, 0], [0, 1])
