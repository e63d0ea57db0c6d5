"""Tests of centres of outlines whose radius is known, on drawn discs."""

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

from gelenk.vision.circles import CircleCfg, find_circles, measure_centers

CFG = CircleCfg(blur=0.0)


def disc(x: float, y: float, r: float, rng: np.random.Generator, *, lit: float = 0.0):
    """Return a disc on gray 60; its upper part, `lit` of its height, is as gray."""
    rows, columns = np.mgrid[0:100, 0:120]
    away = np.hypot(columns - x, rows - y)
    cover = np.clip(r + 0.5 - away, 0.0, 1.0)
    depth = (rows - (y - r)) / (2.0 * r)
    inside = np.where(depth < lit, 60.0, 20.0)
    image = 60.0 + cover * (inside - 60.0) + 1.5 * rng.normal(size=away.shape)
    return np.clip(image, 0.0, 255.0).astype(np.uint8)


def lit_ball(x: float, y: float, r: float, rng: np.random.Generator):
    """Return a ball on gray 60, below dark, above slowly brighter than what is behind."""
    rows, columns = np.mgrid[0:100, 0:120]
    across, down = (columns - x) / r, (rows - y) / r
    front = np.sqrt(np.clip(1.0 - across**2 - down**2, 0.0, 1.0))
    light = np.clip(-0.8 * np.clip(down, -1.0, 1.0) + 0.3 * front, 0.0, 1.0)
    cover = np.clip(r + 0.5 - np.hypot(columns - x, rows - y), 0.0, 1.0)
    image = gaussian_filter(60.0 + cover * (50.0 * light - 35.0), 0.7)
    return (image + 2.0 * rng.normal(size=image.shape)).astype(np.uint8)


def test_a_known_radius_keeps_the_centre_where_the_top_of_a_ball_is_faint() -> None:
    rng = np.random.default_rng(0)
    cfg = CircleCfg(blur=0.7)
    free, sized = [], []
    for _ in range(12):
        x, y = 60.0 + rng.uniform(-2.0, 2.0), 50.0 + rng.uniform(-2.0, 2.0)
        image = lit_ball(x, y, 9.0, rng)
        free.append(find_circles(image, cfg).center[0] - (x, y))
        start = [(x + 0.6, y - 0.6, 9.0)]
        center, _ = measure_centers(image, start, [0.1], cfg)
        sized.append(center[0] - (x, y))
    wrong, right = np.abs(np.mean(free, axis=0)), np.abs(np.mean(sized, axis=0))
    assert wrong[1] > 0.12
    assert right.max() < 0.06
    assert np.abs(sized).max() < 0.2


def test_standard_deviations_tell_how_large_errors_are() -> None:
    rng = np.random.default_rng(1)
    scaled = []
    for _ in range(30):
        x, y, r = 60.0 + rng.uniform(-3, 3), 50.0 + rng.uniform(-3, 3), 12.0
        image = disc(x, y, r, rng).astype(np.float64)
        leaves = rng.uniform(size=image.shape) < rng.uniform(0.0, 0.15)
        rows, columns = np.nonzero(leaves)
        far = np.hypot(columns - x, rows - y) > r + 1.0
        image[rows[far], columns[far]] = 200.0
        start = [(x + 0.4, y + 0.4, r)]
        center, sigma = measure_centers(image.astype(np.uint8), start, [0.1], CFG)
        scaled.append((center[0] - (x, y)) / sigma[0])
    assert 0.2 < np.sqrt(np.mean(np.square(scaled))) < 1.8


def test_an_outline_seen_on_one_side_is_as_vague_as_its_radius() -> None:
    rng = np.random.default_rng(2)
    image = disc(60.0, 50.0, 14.0, rng, lit=0.6)
    start = [(60.0, 50.0, 14.0)] * 2
    _, sigma = measure_centers(image, start, [0.0, 0.5], CFG)
    more = np.sqrt(sigma[1] ** 2 - sigma[0] ** 2)
    assert more[1] > 0.25  # most of 0.5 px, down
    assert more[0] < 0.15


def test_without_an_outline_there_is_no_centre() -> None:
    flat = np.full((60, 60), 90, np.uint8)
    center, sigma = measure_centers(flat, [(30.0, 30.0, 10.0)], [0.1], CFG)
    assert np.isnan(center).all()
    assert np.isnan(sigma).all()
    outside, _ = measure_centers(flat, [(-80.0, 30.0, 10.0)], [0.1], CFG)
    assert np.isnan(outside).all()
    none, _ = measure_centers(flat, np.zeros((0, 3)), np.zeros(0), CFG)
    assert none.shape == (0, 2)


def test_shapes_are_checked() -> None:
    flat = np.full((60, 60), 90, np.uint8)
    with pytest.raises(Exception, match="radius_sigma"):
        measure_centers(flat, [(30.0, 30.0, 10.0)], [0.1, 0.2], CFG)
