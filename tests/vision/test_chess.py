"""Tests of the ChESS response and its filters, against a naive one and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from drawn_boards import draw, homography, projected
from gelenk.errors import ConfigError
from gelenk.vision.chess import (
    ChessCfg,
    CornerCfg,
    chess_maxima,
    chess_response,
    drop_lonely,
    find_corners,
    keep_above,
    keep_strong,
    smooth,
    suppress,
)

# Clockwise from the left of the three top pixels: the other order of the same ring.
CLOCKWISE = [(-2, -5), (0, -5), (2, -5), (4, -4), (5, -2), (5, 0), (5, 2), (4, 4), (2, 5), (0, 5),
             (-2, 5), (-4, 4), (-5, 2), (-5, 0), (-5, -2), (-4, -4)]  # fmt: skip


def naive_response(image: np.ndarray, local_mean: str) -> np.ndarray:
    """(4.11) - (4.16), word by word, for every pixel that has a ring."""
    rows, columns = image.shape
    out = np.zeros(image.shape)
    gray = image.astype(float)
    for y in range(5, rows - 5):
        for x in range(5, columns - 5):
            ring = [gray[y + dy, x + dx] for dx, dy in CLOCKWISE]
            SR = sum(
                abs(ring[n] - ring[n + 4] + ring[n + 8] - ring[n + 12])
                for n in range(4)
            )
            DR = sum(abs(ring[n] - ring[n + 8]) for n in range(8))
            if local_mean == "3x3":
                LM = 16.0 / 9.0 * gray[y - 1 : y + 2, x - 1 : x + 2].sum()
            else:
                LM = 16.0 / 3.0 * gray[y, x - 1 : x + 2].sum()
            out[y, x] = max(SR - DR - abs(sum(ring) - LM), 0.0)
    return out


def ideal_corner(angle: float = 0.0, size: int = 21) -> np.ndarray:
    """Four fields of 20 and 220 that meet in the middle pixel, which is 120."""
    y, x = np.mgrid[0:size, 0:size] - size // 2
    u, v = np.cos(angle) * x + np.sin(angle) * y, np.cos(angle) * y - np.sin(angle) * x
    return np.rint(120 + 100 * np.clip(u, -1, 1) * np.clip(v, -1, 1)).astype(np.uint8)


@pytest.mark.capability("CA-39")
@pytest.mark.parametrize("local_mean", ["3x3", "3x1"])
@given(seed=st.integers(0, 2**32 - 1))
def test_response_equals_a_naive_one(local_mean: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    image = rng.integers(0, 256, (17, 60), dtype=np.uint8)
    ours = chess_response(image, local_mean=local_mean)  # type: ignore[arg-type]
    assert_allclose(ours, naive_response(image, local_mean), atol=1e-9)


@pytest.mark.capability("CA-39")
def test_response_of_an_ideal_corner_is_the_hand_computed_one() -> None:
    # Fields 20 and 220, axes 120. Rings: n = 1, 5, 9, 13 lie on the axes: 0 in SR and DR.
    # n = 0, 2, 3: |+-100 -+100 ...| = 400 each; opposite samples are equal: DR = 0.
    # The ring's sum is 16 * 120, and so is the middle's: MR = 0.
    assert chess_response(ideal_corner())[10, 10] == 1200.0


@pytest.mark.capability("CA-39")
def test_edges_lines_and_faces_answer_nothing() -> None:
    y, x = np.mgrid[0:41, 0:41] - 20.0
    for angle in np.linspace(0.0, np.pi, 13):
        across = np.cos(angle) * x + np.sin(angle) * y
        edge = np.rint(120 + 90 * np.clip(across, -1, 1)).astype(np.uint8)
        line = np.rint(220 - 180 * np.clip(1.5 - np.abs(across), 0, 1)).astype(np.uint8)
        assert chess_response(edge).max() < 20.0  # a corner of this contrast: 1000
        assert chess_response(line).max() < 20.0
    assert chess_response(np.full((41, 41), 77, np.uint8)).max() == 0.0


@given(angle=st.floats(0.0, np.pi))
def test_a_corner_answers_at_any_angle(angle: float) -> None:
    response = chess_response(ideal_corner(angle))
    assert response[10, 10] > 900.0
    assert np.unravel_index(response.argmax(), response.shape) == (10, 10)


@pytest.mark.capability("CA-40")
def test_a_higher_threshold_keeps_a_subset() -> None:
    rng = np.random.default_rng(3)
    response = chess_response(rng.integers(0, 256, (60, 80), dtype=np.uint8))
    before: set[tuple[int, int]] | None = None
    for threshold in (0.0, 20.0, 60.0, 150.0, 400.0):
        spots = {(int(x), int(y)) for x, y in keep_above(response, threshold)}
        assert all(response[y, x] > threshold for x, y in spots)
        assert len(spots) == (response > threshold).sum()
        assert before is None or spots < before
        before = spots


@pytest.mark.capability("CA-41")
def test_a_spike_of_one_pixel_goes_and_a_spot_stays() -> None:
    response = np.zeros((20, 20))
    response[5, 5] = 500.0
    response[12:14, 12:14] = 100.0
    kept = drop_lonely(response, keep_above(response, 60.0), 60.0, 3)
    assert kept.tolist() == [[12, 12], [13, 12], [12, 13], [13, 13]]
    assert len(drop_lonely(response, keep_above(response, 60.0), 60.0, 4)) == 0
    assert response[5, 5] == 500.0  # what comes in is not changed


@pytest.mark.capability("CA-42")
def test_equal_maxima_of_one_window_become_their_middle() -> None:
    response = np.zeros((30, 30))
    response[10, 10:12] = 300.0
    response[9:12, 9:13] = np.maximum(response[9:12, 9:13], 100.0)
    response[20, 25] = 200.0
    found = suppress(response, keep_above(response, 60.0), 5)
    assert found.xy.tolist() == [[10.5, 10.0], [25.0, 20.0]]
    assert found.response.tolist() == [300.0, 200.0]


def test_a_maximum_outside_of_the_window_does_not_count() -> None:
    response = np.zeros((30, 30))
    response[10, 10], response[10, 15], response[10, 21] = 300.0, 200.0, 100.0
    xy = suppress(response, keep_above(response, 60.0), 5).xy
    assert xy.tolist() == [[10.0, 10.0], [21.0, 10.0]]


@pytest.mark.capability("CA-43")
def test_a_weak_corner_goes_and_all_of_the_board_stay() -> None:
    H = homography(0.3, 0.5, 1.0, (0.0, 0.0, 0.35))
    image = draw(H)
    x, y = 60, 60
    faint = ideal_corner(0.4).astype(float)[2:-2, 2:-2] * 0.15 + 110.0
    image[y - 8 : y + 9, x - 8 : x + 9] = np.rint(faint)
    everything = chess_maxima(image, ChessCfg())
    strong = keep_strong(everything, 0.3)
    assert len(everything) == 25
    assert len(strong) == 24
    assert np.linalg.norm(strong.xy - (x, y), axis=1).min() > 20.0


@given(seed=st.integers(0, 2**32 - 1))
def test_the_fast_way_finds_what_the_steps_find(seed: int) -> None:
    rng = np.random.default_rng(seed)
    image = rng.integers(0, 256, (70, 90), dtype=np.uint8)
    cfg = ChessCfg(threshold=30.0, min_neighbours=1)
    response = chess_response(image)
    spots = drop_lonely(response, keep_above(response, 30.0), 30.0, 1)
    slow = suppress(response, spots, 5)
    fast = chess_maxima(image, cfg)
    assert_allclose(fast.xy, slow.xy)
    assert_allclose(fast.response, slow.response, atol=1e-9)


def test_a_region_hides_what_is_outside_of_it() -> None:
    image = draw(homography(0.1, 0.2, 0.0, (0.0, 0.0, 0.4)))
    everything = find_corners(image, CornerCfg(subpixel=None)).xy
    left, top, right, bottom = 200, 180, 330, 250
    inside = find_corners(
        image, CornerCfg(subpixel=None), (left, top, right, bottom)
    ).xy
    x, y = everything.T
    expected = everything[(x >= left) & (x < right) & (y >= top) & (y < bottom)]
    assert 0 < len(expected) < 24
    assert_allclose(inside, expected)
    assert len(find_corners(image, roi=(600, 400, 100, 100))) == 0


def test_an_image_smaller_than_a_ring_has_no_corners() -> None:
    assert len(find_corners(np.zeros((8, 200), np.uint8))) == 0


def test_many_candidates_find_room() -> None:
    image = draw(homography(0.0, 0.0, 0.0, (0.0, 0.0, 0.3)))
    noise = np.random.default_rng(0).integers(0, 256, image.shape, dtype=np.uint8)
    cfg = ChessCfg(threshold=0.0, min_neighbours=0)
    response = chess_response(noise)
    assert (response > 0.0).sum() > 4096
    assert len(chess_maxima(noise, cfg)) == len(
        suppress(response, keep_above(response, 0.0), 5)
    )


def test_smoothing_is_opencvs_binomial_filter() -> None:
    import cv2

    image = np.random.default_rng(1).integers(0, 256, (30, 40), dtype=np.uint8)
    peer = cv2.GaussianBlur(image, (3, 3), 0)  # its kernel of size 3 is 1 2 1
    ours = smooth(image)
    assert np.abs(ours[1:-1, 1:-1].astype(int) - peer[1:-1, 1:-1]).max() <= 1
    np.testing.assert_array_equal(ours[0], image[0])


@pytest.mark.parametrize(
    "wrong",
    [{"threshold": -1.0}, {"min_neighbours": 9}, {"nms_radius": 0}, {"relative_threshold": 1.5}, {"local_mean": "5x5"}],
)  # fmt: skip
def test_settings_out_of_range_are_named(wrong: dict) -> None:
    with pytest.raises(ConfigError, match=f"`{next(iter(wrong))}`"):
        ChessCfg(**wrong)


def test_all_corners_of_a_drawn_board_are_found_at_their_pixels() -> None:
    from drawn_boards import corners_of_board

    H = homography(0.8, 0.6, 2.0, (0.01, 0.0, 0.3))
    found = find_corners(draw(H), CornerCfg(subpixel=None)).xy
    true = projected(H, corners_of_board())
    assert len(found) == 24
    for corner in true:
        assert np.abs(found - corner).max(axis=1).min() < 1.5
