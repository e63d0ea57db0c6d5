"""Tests of the printed ordering, step by step, on hand-made corners."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from drawn_boards import corners_of_board, homography, projected
from gelenk.vision.chessboard_printed import (
    board_corners,
    capped_mean,
    fit_line,
    four_nearest,
    is_at_infinity,
    line_distances,
    line_family,
    members,
    order_printed,
    pencils,
    point_line_distance,
    vanishing_point,
    weighted_centroid,
)

OPTIONS = {"rows": 4, "cols": 6, "line_distance": 2.0}
GRID = (
    30.0 * np.stack(np.meshgrid(np.arange(6.0), np.arange(4.0)), axis=-1).reshape(-1, 2)
    + 100.0
)
EVEN = np.ones(24)


def view(rng: np.random.Generator, roll: float, max_tilt: float) -> np.ndarray:
    H = homography(
        roll,
        rng.uniform(0.0, max_tilt),
        rng.uniform(-np.pi, np.pi),
        (0.0, 0.0, rng.uniform(0.25, 0.45)),
    )
    return projected(H, corners_of_board())


@pytest.mark.capability("CA-48")
def test_with_one_corner_too_few_there_is_no_board() -> None:
    assert order_printed(GRID[:23], EVEN[:23], **OPTIONS) is None
    assert order_printed(GRID, EVEN, **OPTIONS) is not None


@pytest.mark.capability("CA-49")
def test_the_centre_leans_to_strong_corners_and_has_four_neighbours() -> None:
    xy = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [4.0, 4.0], [20.0, 20.0]])
    assert_allclose(
        weighted_centroid(xy, np.array([1.0, 1.0, 1.0, 1.0, 0.0])), [2.0, 2.0]
    )
    assert_allclose(weighted_centroid(xy[:2], np.array([1.0, 3.0])), [3.0, 0.0])
    ring = four_nearest(xy, np.array([2.0, 2.1]))
    assert set(ring.tolist()) == {0, 1, 2, 3}
    sides = np.linalg.norm(xy[ring] - xy[np.roll(ring, -1)], axis=1)
    assert_allclose(sides, 4.0)  # around the square, never along a diagonal


@pytest.mark.capability("CA-50")
def test_distance_of_points_from_a_line() -> None:
    a, b = np.array([0.0, 0.0]), np.array([3.0, 4.0])
    assert_allclose(
        point_line_distance(np.array([[3.0, 4.0], [5.0, 0.0], [-4.0, 3.0]]), a, b),
        [0.0, 4.0, 5.0],
    )


@pytest.mark.capability("CA-51")
@pytest.mark.capability("CA-27")
@pytest.mark.parametrize("angle", [0.0, 0.7, np.pi / 2.0, 2.5])
def test_a_line_through_noisy_points_is_found_at_any_slope(angle: float) -> None:
    rng = np.random.default_rng(0)
    t = np.linspace(-100.0, 100.0, 9)
    along, normal = (
        np.array([np.cos(angle), np.sin(angle)]),
        np.array([-np.sin(angle), np.cos(angle)]),
    )
    exact = t[:, None] * along + [50.0, 70.0]
    assert line_distances(fit_line(exact), exact).max() < 1e-10
    line = fit_line(exact + rng.normal(0.0, 0.1, exact.shape))
    assert abs(line[:2] @ normal) == pytest.approx(1.0, abs=1e-5)
    # Two points of it are worse than all of them together.
    assert line_distances(line, exact).max() < 0.15


@pytest.mark.capability("CA-52")
def test_vanishing_points_of_parallel_and_converging_lines() -> None:
    flat = pencils(GRID, EVEN, 2.0)
    assert flat is not None
    assert is_at_infinity(flat.v1)
    assert is_at_infinity(flat.v2)
    assert_allclose(np.abs(flat.v1), [0.0, 1.0, 0.0], atol=1e-9)
    assert flat.columns.shape == (6, 24)
    assert flat.rows.shape == (4, 24)
    H = homography(0.0, 0.8, 0.0, (0.0, 0.0, 0.25))  # far edge above or below
    steep = pencils(projected(H, corners_of_board()), EVEN, 2.0)
    assert steep is not None
    true = H[:, 1] / np.linalg.norm(H[:, 1])  # image of the direction of the columns
    assert_allclose(steep.v1[:2] / steep.v1[2], true[:2] / true[2], rtol=1e-6)
    assert (steep.columns.sum(axis=1) == 4).all()


def test_a_family_has_a_line_for_each_corner_at_its_base() -> None:
    base = np.array([0.0, 1.0, -100.0])
    family = line_family(GRID, base, np.array([0.0, 1.0, 0.0]), 2.0)
    assert (family.sum(axis=1) == 4).all()
    assert (family.sum(axis=0) == 1).all()
    assert_allclose(
        vanishing_point(np.array([1.0, 0.0, -3.0]), np.array([0.0, 1.0, -4.0]))
        * np.sqrt(26.0),
        [3, 4, 1],
    )


@pytest.mark.capability("CA-53")
def test_a_perfect_board_stays_and_corners_beside_it_go() -> None:
    assert board_corners(GRID, EVEN, **OPTIONS).all()  # type: ignore[union-attr]
    extra = np.array([[90.0, 215.0], [265.0, 93.0]])
    found = board_corners(np.concatenate([GRID, extra]), np.ones(26), **OPTIONS)
    assert found is not None
    assert found.tolist() == [True] * 24 + [False] * 2


@pytest.mark.capability("CA-53")
def test_means_are_capped_and_lines_at_the_mean_stay() -> None:
    family = np.array([[1, 1, 1, 0, 0], [0, 0, 1, 1, 0]], dtype=bool)
    other = np.ones((1, 5), dtype=bool)
    assert capped_mean(family, 4) == 2.5
    assert capped_mean(family, 2) == 2.0
    assert members(family, other, 2.0).tolist() == [True, True, True, True, False]
    assert members(family, other, 2.5).tolist() == [True, True, True, False, False]
    assert not members(family, other, 3.5).any()


@pytest.mark.capability("CA-54")
def test_boards_within_limits_are_numbered_from_the_top_left() -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        true = view(rng, rng.uniform(-0.69, 0.69), 0.92)
        xy = true + rng.normal(0.0, 0.1, true.shape)
        shuffle = rng.permutation(24)
        order = order_printed(xy[shuffle], np.ones(24), **OPTIONS)
        if order is None:
            continue  # some steep ones have no four corners of one tile in the middle
        assert_allclose(xy[shuffle][order], xy)


def test_most_boards_within_limits_are_found() -> None:
    rng = np.random.default_rng(5)
    views = [view(rng, rng.uniform(-0.69, 0.69), 0.92) for _ in range(300)]
    found = [
        order_printed(xy + rng.normal(0.0, 0.1, xy.shape), EVEN, **OPTIONS) is not None
        for xy in views
    ]
    assert np.mean(found) > 0.95
