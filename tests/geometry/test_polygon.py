"""Polygons: areas, tests, and the cut into convex pieces.

Oracles: winding numbers by summed angles, hulls by SciPy, and cases counted by hand.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial import ConvexHull

from gelenk.errors import ConfigError, ShapeError
from gelenk.geometry.polygon import (
    contains,
    convex_pieces,
    find_crossing,
    is_convex,
    signed_area,
)

BRACKET = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]
COMB = [[0, 0], [7, 0], [7, 3], [6, 3], [6, 1], [5, 1], [5, 3], [4, 3], [4, 1], [3, 1]]
COMB += [[3, 3], [2, 3], [2, 1], [1, 1], [1, 3], [0, 3]]
BOW_TIE = [[0, 0], [1, 1], [1, 0], [0, 1]]


def star(radii: list[float], turn: float, center: tuple[float, float]) -> np.ndarray:
    """A polygon around a centre: simple whatever the radii are."""
    angles = turn + 2.0 * np.pi * np.arange(len(radii)) / len(radii)
    rays = np.column_stack([np.cos(angles), np.sin(angles)])
    return np.array(center) + np.array(radii)[:, None] * rays


stars = st.builds(
    star,
    st.lists(st.floats(0.1, 3.0), min_size=4, max_size=14),
    st.floats(0.0, 6.0),
    st.tuples(st.floats(-20.0, 20.0), st.floats(-20.0, 20.0)),
)


def winding_number(corners: np.ndarray, point: np.ndarray) -> int:
    rays = corners - point
    angles = np.arctan2(rays[:, 1], rays[:, 0])
    turns = np.diff(np.append(angles, angles[0]))
    return round(float(np.sum((turns + np.pi) % (2.0 * np.pi) - np.pi) / (2.0 * np.pi)))


@given(corners=stars, is_clockwise=st.booleans())
def test_pieces_are_convex_and_tile_the_polygon(
    corners: np.ndarray, is_clockwise: bool
) -> None:
    corners = corners[::-1] if is_clockwise else corners

    pieces = convex_pieces(corners)

    # A piece is convex if it fills its hull.
    areas = [ConvexHull(piece).volume for piece in pieces]
    assert_allclose([signed_area(piece) for piece in pieces], areas, rtol=1e-9)
    assert sum(areas) == pytest.approx(abs(signed_area(corners)), rel=1e-9)
    points = np.random.default_rng(0).uniform(
        corners.min(axis=0), corners.max(axis=0), (60, 2)
    )
    hits = np.sum([contains(piece, points) for piece in pieces], axis=0)
    expected = [abs(winding_number(corners, point)) for point in points]
    np.testing.assert_array_equal(hits, expected)


@given(corners=stars)
def test_membership_is_a_winding_number_of_one(corners: np.ndarray) -> None:
    points = np.random.default_rng(1).uniform(-4.0, 4.0, (5, 4, 2)) + corners[0]

    inside = contains(corners, points)

    assert inside.shape == (5, 4)
    expected = [winding_number(corners, p) == 1 for p in points.reshape(-1, 2)]
    np.testing.assert_array_equal(inside.ravel(), expected)


def test_few_pieces_suffice() -> None:
    assert len(convex_pieces(BRACKET)) == 2
    assert len(convex_pieces([[0, 0], [1, 0], [1, 1], [0, 1]])) == 1
    assert len(convex_pieces(COMB)) <= 9  # one back and four teeth: five at best


def test_corners_on_a_straight_edge_make_no_further_pieces() -> None:
    square = [[0, 0], [0.5, 0], [1, 0], [1, 0.3], [1, 1], [0, 1], [0, 0.7]]

    (piece,) = convex_pieces(square)

    assert_allclose(sorted(piece.tolist()), [[0, 0], [0, 1], [1, 0], [1, 1]])


def test_area_has_the_sign_of_the_rotation() -> None:
    assert signed_area(BRACKET) == 3.0
    assert signed_area(BRACKET[::-1]) == -3.0


def test_convexity_does_not_depend_on_the_rotation() -> None:
    triangle = [[0, 0], [1, 0], [0, 1]]
    assert is_convex(triangle)
    assert is_convex(triangle[::-1])
    assert not is_convex(BRACKET)
    assert not is_convex(BRACKET[::-1])


@pytest.mark.parametrize(
    ("corners", "edges"),
    [
        (BOW_TIE, (0, 2)),
        ([[0, 0], [2, 0], [2, 2], [1, 0], [0, 2]], (0, 2)),  # a corner on an edge
        ([[0, 0], [2, 0], [1, 0], [1, 1]], (0, 1)),  # an edge that folds back
        ([[2, 0], [1, 0], [1, 1], [0, 0]], (0, 3)),  # across the first corner
        ([[0, 0], [1, 0], [1, 0], [0, 1]], (1, 2)),  # a corner given twice
    ],
)
def test_crossing_edges_are_named(
    corners: list[list[float]], edges: tuple[int, int]
) -> None:
    assert find_crossing(corners) == edges
    with pytest.raises(ConfigError, match=rf"edge {edges[0]} .* and edge {edges[1]}"):
        convex_pieces(corners)


@given(corners=stars)
def test_stars_do_not_cross_themselves(corners: np.ndarray) -> None:
    assert find_crossing(corners) is None


def test_what_is_no_polygon_is_refused() -> None:
    with pytest.raises(ConfigError, match="at least 3 corners, got 2"):
        signed_area([[0, 0], [1, 0]])
    with pytest.raises(ShapeError):
        convex_pieces([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    with pytest.raises(ConfigError, match="meet"):
        convex_pieces([[0, 0], [1, 0], [2, 0]])
