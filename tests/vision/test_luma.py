"""Tests of gray images: the Y channel, and refusal of anything else."""

import cv2
import numpy as np
import pytest

from gelenk.errors import ConfigError, ShapeError
from gelenk.vision.chess import find_corners
from gelenk.vision.image_types import luma_from_rgb, luma_from_ycbcr

RNG = np.random.default_rng(0)
RGB = RNG.integers(0, 256, (12, 15, 3), dtype=np.uint8)


@pytest.mark.capability("CA-38")
def test_gray_is_the_y_channel_of_ycbcr() -> None:
    ycc = cv2.cvtColor(RGB, cv2.COLOR_RGB2YCrCb)
    np.testing.assert_array_equal(luma_from_ycbcr(ycc), ycc[..., 0])


def test_brightness_of_rgb_is_opencvs_within_one_gray_level() -> None:
    ours, peer = (
        luma_from_rgb(RGB).astype(int),
        cv2.cvtColor(RGB, cv2.COLOR_RGB2GRAY).astype(int),
    )
    assert np.abs(ours - peer).max() <= 1
    assert luma_from_rgb(np.full((1, 1, 3), 255, np.uint8)) == 255


def test_a_color_image_is_refused_with_the_way_to_a_gray_one() -> None:
    with pytest.raises(ShapeError, match="luma_from_ycbcr"):
        find_corners(RGB)


def test_gray_levels_must_be_bytes() -> None:
    with pytest.raises(ConfigError, match="uint8"):
        find_corners(np.zeros((20, 20)))


def test_a_read_only_image_is_as_good_as_another() -> None:
    image = RNG.integers(0, 256, (40, 40), dtype=np.uint8)
    frozen = image.copy()
    frozen.setflags(write=False)
    np.testing.assert_array_equal(find_corners(image).xy, find_corners(frozen).xy)
