"""Tests of the chessboard detector: numbering, false and missing corners, refusals."""

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose

from drawn_boards import corners_of_board, draw, homography, projected
from gelenk.errors import ConfigError, ShapeError
from gelenk.vision.chessboard import detect_chessboard, region_of_interest
from gelenk.vision.chessboard_pattern import (
    ChessboardCfg,
    ChessboardPattern,
    order_corners,
)

BOARD = corners_of_board()


def pose(
    roll: float = 0.2, tilt: float = 0.5, azimuth: float = 1.0, distance: float = 0.33
) -> np.ndarray:
    return homography(roll, tilt, azimuth, (0.005, -0.004, distance))


H0 = pose()
IMAGE, TRUE = draw(H0), projected(H0, BOARD)


def expected_from(true: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A prediction that is off by up to 50 px and 15 degrees."""
    angle = rng.uniform(-0.26, 0.26)
    R = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    middle = true.mean(axis=0)
    return (true - middle) @ R.T + middle + rng.uniform(-50.0, 50.0, 2)


@pytest.mark.capability("CA-54")
@pytest.mark.slow
def test_boards_at_any_roll_are_numbered_as_expected() -> None:
    rng = np.random.default_rng(2)
    for roll in np.linspace(-np.pi, np.pi, 13):
        H = pose(roll, rng.uniform(0.0, 0.9), rng.uniform(-3.0, 3.0))
        true = projected(H, BOARD)
        found = detect_chessboard(draw(H, samples=2), expected=expected_from(true, rng))
        assert found.status == "found", found.reason
        assert np.abs(found.corners - true).max() < 0.5  # four rays per pixel
        assert found.is_measured.all()  # type: ignore[union-attr]


def test_without_a_prediction_columns_run_to_the_right() -> None:
    for half_turn in (0.0, np.pi):
        found = detect_chessboard(draw(pose(0.4 + half_turn), samples=2))
        assert_allclose(found.corners, projected(pose(0.4), BOARD), atol=0.2)


def test_opencv_sees_the_same_corners() -> None:
    is_found, peer = cv2.findChessboardCornersSB(IMAGE, (6, 4))
    assert is_found
    peer = peer.reshape(-1, 2)
    if np.linalg.norm(peer[0] - TRUE[0]) > 5.0:
        peer = peer[::-1]
    assert_allclose(detect_chessboard(IMAGE).corners, peer, atol=0.5)


@pytest.mark.capability("CA-55")
def test_lists_with_three_false_corners_are_ordered_rightly() -> None:
    rng = np.random.default_rng(4)
    right = 0
    for _ in range(300):
        true = projected(
            pose(
                rng.uniform(-np.pi, np.pi),
                rng.uniform(0.0, 1.0),
                rng.uniform(-3.0, 3.0),
            ),
            BOARD,
        )
        low, high = true.min(axis=0) - 20.0, true.max(axis=0) + 20.0
        false = [
            p
            for p in rng.uniform(low, high, (40, 2))
            if np.linalg.norm(true - p, axis=1).min() > 5.0
        ]
        xy = np.concatenate([true + rng.normal(0.0, 0.1, true.shape), false[:3]])
        shuffle = rng.permutation(len(xy))
        order = order_corners(
            xy[shuffle], np.ones(len(xy)), expected=expected_from(true, rng)
        )
        if order is not None:
            assert_allclose(xy[shuffle][order], xy[:24])  # never wrongly
            right += 1
    assert right >= 298


def test_a_list_without_all_corners_is_no_board() -> None:
    assert order_corners(TRUE[:23], np.ones(23)) is None
    assert order_corners(TRUE, np.ones(24), expected=TRUE) is not None


@pytest.mark.capability("CA-56")
def test_a_board_of_which_most_lies_in_deep_shade_is_found() -> None:
    """A hard edge, seven times darker beyond it, with the noise of a gain of seven."""
    rng = np.random.default_rng(4)
    y, x = np.mgrid[0:480, 0:640] - TRUE.mean(axis=0)[::-1, None, None]
    fewest = 24
    for angle in np.arange(0.0, 6.2, 0.5):
        across = x * np.cos(angle) + y * np.sin(angle) - 10.0
        light = 1.0 - 6.0 / 7.0 * np.clip(across + 0.5, 0.0, 1.0)
        noisy = 0.6 * IMAGE * light + 8.0 + rng.normal(0.0, 5.4, IMAGE.shape)
        image = np.clip(np.rint(noisy), 0, 255).astype(np.uint8)
        found = detect_chessboard(image, expected=TRUE)
        assert found.status == "found", found.reason
        assert np.abs(found.corners - TRUE).max() < 5.0  # a square has 35
        fewest = min(fewest, int(found.is_measured.sum()))  # type: ignore[union-attr]
    assert 12 <= fewest < 16  # the others are placed by these, and say so


def test_corners_that_the_detector_lost_are_found_where_the_others_want_them() -> None:
    # A white dot on a corner: no ChESS response there, but the fields are in sight.
    image = IMAGE.copy()
    for k in (0, 8, 15, 23):
        x, y = np.rint(TRUE[k]).astype(int)
        cv2.circle(image, (int(x), int(y)), 2, 255, -1)
    found = detect_chessboard(image, expected=TRUE)
    assert found.status == "found", found.reason
    assert (found.responses == 0.0).sum() == 4  # type: ignore[union-attr]
    assert np.abs(found.corners - TRUE).max() < 1.0


@pytest.mark.parametrize(
    ("what", "status"),
    [("nothing", "too few corners"), ("hidden", "partly hidden"), ("inverted", "wrong colors"), ("larger", "too large")],
)  # fmt: skip
def test_what_is_no_whole_board_is_refused_with_its_reason(
    what: str, status: str
) -> None:
    image = {
        "nothing": np.full((480, 640), 120, np.uint8),
        "hidden": np.where(np.arange(640) > TRUE[3, 0], 60, IMAGE).astype(np.uint8),
        "inverted": draw(H0, samples=2, inverted=True),
        "larger": draw(pose(distance=0.45), samples=2, rows=8, cols=10),
    }[what]
    found = detect_chessboard(image, expected=TRUE)
    assert found.status == status, found.reason
    assert found.corners is None
    assert found.reason


def test_a_board_turned_by_a_right_angle_is_refused() -> None:
    found = detect_chessboard(draw(pose(0.2 + np.pi / 2.0), samples=2), expected=TRUE)
    assert found.status == "turned"
    assert "degrees" in found.reason


def test_a_prediction_from_behind_is_ambiguous() -> None:
    mirrored = TRUE.reshape(4, 6, 2)[:, ::-1].reshape(24, 2)
    assert detect_chessboard(IMAGE, expected=mirrored).status == "ambiguous"


def test_of_two_boards_the_expected_one_is_taken() -> None:
    left, right = (homography(0.1, 0.3, 0.5, (x, 0.0, 0.5)) for x in (-0.12, 0.12))
    image = draw(left, samples=2)
    other = draw(right, samples=2)
    image[:, 320:] = other[:, 320:]
    for H in (left, right):
        true = projected(H, BOARD)
        assert_allclose(
            detect_chessboard(image, expected=true + 10.0).corners, true, atol=0.3
        )
    assert detect_chessboard(image).status == "ambiguous"
    region = region_of_interest(
        projected(left, BOARD), image.shape, margin=30.0, relative_margin=0.1
    )
    assert_allclose(
        detect_chessboard(image, roi=region).corners, projected(left, BOARD), atol=0.3
    )


def test_noise_alone_is_no_board() -> None:
    rng = np.random.default_rng(0)
    for sigma in (20.0, 60.0):
        image = np.clip(rng.normal(128.0, sigma, (480, 640)), 0, 255).astype(np.uint8)
        assert not detect_chessboard(image).is_found


def test_the_printed_method_can_be_chosen() -> None:
    found = detect_chessboard(IMAGE, cfg=ChessboardCfg(method="printed"))
    assert found.status == "found"
    assert_allclose(found.corners, TRUE, atol=0.2)
    nothing = detect_chessboard(
        np.zeros((100, 100), np.uint8), cfg=ChessboardCfg(method="printed")
    )
    assert nothing.status == "too few corners"


def test_a_lens_that_bends_lines_is_no_obstacle() -> None:
    K = np.array([[543.6, 0, 319.5], [0, 543.6, 239.5], [0, 0, 1.0]])
    lens = np.array([-0.28, 0.1, 0.0, 0.0, 0.0])
    y, x = np.mgrid[0:480, 0:640].astype(np.float32)
    straight = cv2.undistortPoints(
        np.stack([x, y], axis=-1).reshape(-1, 1, 2), K, lens, P=K
    )
    grid = straight.reshape(480, 640, 2).astype(np.float32)
    H = homography(0.3, 0.2, 1.0, (0.03, 0.02, 0.3))
    image = cv2.remap(draw(H), grid, None, cv2.INTER_LINEAR)
    rays = np.column_stack([projected(np.linalg.inv(K) @ H, BOARD), np.ones(24)])
    true = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), K, lens)[0].reshape(-1, 2)
    found = detect_chessboard(image, expected=true)
    assert found.status == "found", found.reason
    assert found.residual > 0.3  # no homography explains it
    assert found.is_measured.all()  # type: ignore[union-attr]
    assert np.abs(found.corners - true).max() < 0.15


def test_the_region_of_interest_holds_a_board_that_is_off_by_its_margin() -> None:
    region = region_of_interest(TRUE, IMAGE.shape)
    assert region is not None
    for shift in ((75.0, 0.0), (-75.0, 0.0), (0.0, 75.0), (0.0, -75.0)):
        x, y = (TRUE + shift).T
        assert region[0] <= x.min() < x.max() < region[2]
        assert region[1] <= y.min() < y.max() < region[3]
    assert region_of_interest(TRUE + 5000.0, IMAGE.shape) is None
    assert region_of_interest(TRUE * np.nan, IMAGE.shape) is None


def test_callers_mistakes_are_named() -> None:
    with pytest.raises(ShapeError, match="`expected`"):
        detect_chessboard(IMAGE, expected=TRUE[:5])
    with pytest.raises(ConfigError, match="behind the camera"):
        detect_chessboard(IMAGE, expected=TRUE * np.nan)
    with pytest.raises(ConfigError, match="`roi`"):
        detect_chessboard(IMAGE, roi=(1, 2, 3))  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="quarter"):
        ChessboardPattern(rows=4, cols=4)
    with pytest.raises(ConfigError, match="both"):
        ChessboardPattern(rows=4, cols=5)
    with pytest.raises(ConfigError, match="`method`"):
        ChessboardCfg(method="magic")  # type: ignore[arg-type]


def test_other_patterns_can_be_asked_for() -> None:
    H = pose(distance=0.45)
    image = draw(H, samples=2, rows=6, cols=8)
    found = detect_chessboard(image, ChessboardPattern(rows=6, cols=8))
    assert_allclose(found.corners, projected(H, corners_of_board(6, 8)), atol=0.3)
