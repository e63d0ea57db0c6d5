"""Masks, medians and frequencies.

Oracles: SciPy's ndimage, OpenCV, the convolution theorem, the numbers of the course.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import ndimage

from gelenk.errors import ConfigError, ShapeError
from gelenk.vision.filters import (
    OUTLIER_MASK,
    apply_mask,
    apply_operator,
    binomial_mask,
    butterworth_response,
    filter_frequencies,
    frequencies,
    gaussian_response,
    lone_outliers,
    mask_response,
    mean_mask,
    median_filter,
    smooth_weighted,
    spectrum,
)

SCIPY_BORDER = {
    "nearest": "nearest",
    "mirror": "reflect",
    "wrap": "wrap",
    "zero": "constant",
}


def picture(seed: int = 0, shape=(23, 31)) -> np.ndarray:
    return np.random.default_rng(seed).uniform(0.0, 255.0, shape)


def dot() -> np.ndarray:
    image = np.zeros((5, 5))
    image[2, 2] = 9.0
    return image


@pytest.mark.capability("GR-139")
def test_x_runs_down_and_y_to_the_right():
    x, y = np.mgrid[0:6, 0:8].astype(float)
    image = 10.0 * x + y
    down = apply_operator(image, lambda f: f[..., 2, 1] - f[..., 1, 1])
    right = apply_operator(image, lambda f: f[..., 1, 2] - f[..., 1, 1])
    assert_allclose(down[:-1], 10.0)
    assert_allclose(right[:, :-1], 1.0)


@pytest.mark.capability("GR-139")
@pytest.mark.parametrize("border", SCIPY_BORDER)
def test_operators_see_what_those_of_scipy_see(border):
    image = picture()
    ours = apply_operator(
        image, lambda f: np.ptp(f, axis=(-2, -1)), (3, 5), border=border
    )
    theirs = ndimage.generic_filter(
        image, np.ptp, size=(3, 5), mode=SCIPY_BORDER[border]
    )
    assert_allclose(ours, theirs)


@pytest.mark.capability("GR-139")
def test_an_operator_that_returns_no_image_is_told():
    with pytest.raises(ShapeError, match="operator"):
        apply_operator(dot(), lambda f: f.sum())
    with pytest.raises(ConfigError, match="border"):
        apply_mask(dot(), mean_mask(), border="no")  # type: ignore[arg-type]


@pytest.mark.capability("GR-140")
def test_masks_become_factors_of_frequencies():
    image, mask = picture(), np.random.default_rng(1).normal(size=(3, 5))
    by_frequency = filter_frequencies(image, mask_response(mask, image.shape))
    assert_allclose(by_frequency, apply_mask(image, mask, border="wrap"), atol=1e-10)
    assert_allclose(
        by_frequency, ndimage.correlate(image, mask, mode="wrap"), atol=1e-10
    )


@pytest.mark.capability("GR-140")
def test_a_spectrum_keeps_the_energy_and_a_wave_has_one_frequency():
    image = picture()
    energy = np.sum(np.abs(spectrum(image)) ** 2) / image.size  # Parseval
    assert energy == pytest.approx(np.sum(image**2))
    x, _ = np.mgrid[0:32, 0:32]
    wave = np.abs(spectrum(np.cos(2.0 * np.pi * 5 * x / 32)))
    assert np.flatnonzero(wave.ravel() > 1e-9).tolist() == [5 * 32, 27 * 32]
    assert frequencies((32, 32))[0][5, 0] == 5 / 32


@pytest.mark.capability("GR-140")
def test_a_gaussian_of_frequencies_is_a_gaussian_of_pixels():
    image = picture(shape=(64, 64))
    ours = filter_frequencies(image, gaussian_response(image.shape, sigma=2.0))
    theirs = ndimage.gaussian_filter(image, 2.0, mode="wrap", truncate=8.0)
    assert_allclose(ours, theirs, atol=1e-4)


@pytest.mark.capability("GR-140")
def test_low_and_high_pass_share_an_image():
    image = picture()
    low = filter_frequencies(image, butterworth_response(image.shape, cutoff=0.1))
    high = filter_frequencies(
        image, butterworth_response(image.shape, cutoff=0.1, is_highpass=True)
    )
    assert_allclose(low + high, image)
    assert high.mean() == pytest.approx(0.0, abs=1e-9)
    assert low.var() < 0.2 * image.var()


@pytest.mark.capability("GR-141")
def test_the_mean_of_the_course():  # TV-7.9
    expected = np.zeros((5, 5))
    expected[1:4, 1:4] = 1.0
    assert_allclose(smooth_weighted(dot()), expected)


@pytest.mark.capability("GR-141")
@pytest.mark.parametrize("border", SCIPY_BORDER)
@pytest.mark.parametrize("shape", [(3, 3), (5, 3), (2, 2)])
def test_weighted_sums_are_those_of_scipy(border, shape):
    mask = np.random.default_rng(0).normal(size=shape)
    theirs = ndimage.correlate(picture(), mask, mode=SCIPY_BORDER[border])
    assert_allclose(apply_mask(picture(), mask, border=border), theirs, atol=1e-10)


@pytest.mark.capability("GR-141")
def test_smoothing_keeps_brightness_and_divides_noise_by_the_root_of_the_weights():
    noise = np.random.default_rng(3).normal(size=(300, 300))
    for mask in (mean_mask(3), mean_mask(5), binomial_mask(5)):
        smooth = smooth_weighted(noise, mask, border="wrap")
        assert smooth.mean() == pytest.approx(noise.mean(), abs=1e-12)
        assert smooth.std() == pytest.approx(np.sqrt(np.sum(mask**2)), rel=0.03)
    with pytest.raises(ConfigError, match="sum to 1"):
        smooth_weighted(noise, OUTLIER_MASK)


@pytest.mark.capability("GR-142")
def test_the_outlier_mask_of_the_course():  # TV-7.9
    expected = np.zeros((5, 5))
    expected[1:4, 1:4] = -9.0
    expected[2, 2] = 72.0
    assert_allclose(apply_mask(dot(), OUTLIER_MASK), expected)
    assert OUTLIER_MASK.sum() == 0.0


@pytest.mark.capability("GR-142")
def test_the_planted_outliers_are_found_and_no_others():
    x, y = np.mgrid[0:60, 0:80]
    image = 2.0 * x + 1.0 * y + np.random.default_rng(0).normal(size=x.shape)
    planted = [(5, 7), (30, 40), (50, 12), (51, 70)]
    for k, (i, j) in enumerate(planted):
        image[i, j] += 60.0 if k % 2 else -60.0
    assert list(zip(*np.nonzero(lone_outliers(image, 200.0)), strict=True)) == planted
    # beside an outlier the mask answers, too, with an eighth: it is not one
    assert np.argwhere(lone_outliers(dot(), 5.0)).tolist() == [[2, 2]]
    theirs = cv2.filter2D(image, -1, OUTLIER_MASK, borderType=cv2.BORDER_REPLICATE)
    assert_allclose(apply_mask(image, OUTLIER_MASK), theirs, atol=1e-9)


@pytest.mark.capability("GR-143")
def test_the_median_of_the_course():  # TV-7.9
    assert_allclose(median_filter(dot()), 0.0)


@pytest.mark.capability("GR-143")
@pytest.mark.parametrize("size", [1, 3, 5])
def test_medians_are_those_of_scipy_and_opencv(size):
    image = np.random.default_rng(0).integers(0, 256, (40, 50)).astype(np.uint8)
    ours = median_filter(image, size)
    assert_allclose(ours, ndimage.median_filter(image, size, mode="nearest"))
    assert_allclose(ours, cv2.medianBlur(image, size))


@pytest.mark.capability("GR-143")
def test_the_median_keeps_an_edge_that_the_mean_blurs():
    step = np.repeat([[0.0] * 6 + [100.0] * 6], 9, axis=0)
    assert_allclose(median_filter(step, 5), step)
    assert np.abs(smooth_weighted(step) - step).max() > 30.0
    with pytest.raises(ConfigError, match="odd"):
        median_filter(step, 4)
