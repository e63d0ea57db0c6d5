"""Tests of homographies; OpenCV is the oracle."""

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError, ShapeError
from gelenk.vision.homography import (
    apply_homography,
    fit_homography,
    robust_homography_kernel,
)

BOARD = np.stack(np.meshgrid(np.arange(6.0), np.arange(4.0)), axis=-1).reshape(-1, 2)
TRUE = np.array([[40.0, -12.0, 300.0], [9.0, 35.0, 200.0], [0.03, -0.05, 1.0]])


def test_exact_points_give_the_homography_back() -> None:
    H = fit_homography(BOARD, apply_homography(TRUE, BOARD))
    assert_allclose(H / H[2, 2], TRUE, rtol=1e-6)


def test_noisy_points_are_met_as_well_as_opencv_meets_them() -> None:
    rng = np.random.default_rng(0)
    seen = apply_homography(TRUE, BOARD) + rng.normal(0.0, 0.3, BOARD.shape)
    ours = apply_homography(fit_homography(BOARD, seen), BOARD) - seen
    peer = apply_homography(cv2.findHomography(BOARD, seen)[0], BOARD) - seen
    assert (ours**2).sum() < 1.01 * (peer**2).sum()


def test_points_far_off_hardly_pull() -> None:
    seen = apply_homography(TRUE, BOARD)
    seen[[3, 11, 20]] += [[4.0, 1.0], [-3.0, 3.0], [0.0, 6.0]]
    H, distance = fit_homography(BOARD, seen), np.empty(24)
    assert robust_homography_kernel(BOARD, seen, np.ones(24, dtype=bool), H, distance)
    assert np.delete(distance, [3, 11, 20]).max() < 0.01
    assert distance[[3, 11, 20]].min() > 4.0


def test_too_little_is_refused() -> None:
    with pytest.raises(ShapeError, match="`board`"):
        fit_homography(BOARD[:3], BOARD[:3])
    with pytest.raises(ShapeError, match="`image`"):
        fit_homography(BOARD[:5], BOARD[:6])
    with pytest.raises(ConfigError, match="one line"):
        fit_homography(np.zeros((4, 2)), np.zeros((4, 2)))
