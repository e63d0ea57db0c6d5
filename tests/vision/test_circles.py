"""Tests of the circle detector on discs drawn by area, independent of its kernels."""

import time

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

from gelenk.errors import ConfigError, ShapeError
from gelenk.vision.circles import CircleCfg, Circles, SearchWindow, find_circles

SIZE = (200, 240)


def draw_disc(
    xy: tuple[float, float],
    r: float,
    *,
    inside: float = 40.0,
    outside: float | np.ndarray = 160.0,
    shape: tuple[int, int] = SIZE,
    blur: float = 0.7,
) -> np.ndarray:
    """Return gray levels of a disc, each pixel the mean of 8 x 8 samples, blurred."""
    part = (np.arange(8) + 0.5) / 8.0 - 0.5
    y = (np.arange(shape[0])[:, None] + part).ravel() - xy[1]
    x = (np.arange(shape[1])[:, None] + part).ravel() - xy[0]
    cover = (x[None] ** 2 + y[:, None] ** 2 < r * r).astype(float)
    cover = cover.reshape(shape[0], 8, shape[1], 8).mean(axis=(1, 3))
    return gaussian_filter(outside + cover * (inside - outside), blur)


def as_image(levels: np.ndarray, rng: np.random.Generator, noise: float = 2.0):
    noisy = levels + noise * rng.standard_normal(levels.shape)
    return np.clip(np.rint(noisy), 0, 255).astype(np.uint8)


def foliage(rng: np.random.Generator, contrast: float) -> np.ndarray:
    """Return texture of the size of small balls."""
    rough = gaussian_filter(rng.standard_normal(SIZE), 2.0)
    return 120.0 + contrast * rough / rough.std()


def nearest(found: Circles, xy: tuple[float, float]) -> int | None:
    if not len(found):
        return None
    away = np.hypot(*(found.center - np.array(xy)).T)
    return int(away.argmin()) if away.min() < 3.0 else None


@pytest.mark.capability("BB-63")
@pytest.mark.parametrize(
    ("inside", "outside"),
    [(8, 20), (20, 8), (100, 112), (112, 100), (40, 160), (250, 20), (235, 250)],
)
def test_discs_are_measured_below_half_a_pixel_at_any_brightness_and_contrast(
    inside: float, outside: float
) -> None:
    rng = np.random.default_rng(3)
    errors = []
    for r in (7.0, 9.5, 12.7, 16.0, 22.0, 30.0, 45.0):
        xy = (rng.uniform(60.0, 180.0), rng.uniform(60.0, 140.0))
        image = as_image(draw_disc(xy, r, inside=inside, outside=outside), rng, 1.0)
        found = find_circles(image)
        k = nearest(found, xy)
        assert k is not None, f"radius {r} not found"
        errors.append([*(found.center[k] - xy), found.radius[k] - r])
    assert np.abs(errors).max() < 0.5
    assert np.sqrt(np.mean(np.square(errors))) < 0.15


def test_an_exact_disc_is_measured_to_a_twentieth_of_a_pixel() -> None:
    for r in (7.3, 11.0, 19.4, 38.2):
        levels = draw_disc((101.37, 92.61), r)
        found = find_circles(np.rint(levels).astype(np.uint8))
        assert len(found) == 1
        assert np.abs(found.center[0] - (101.37, 92.61)).max() < 0.05
        assert abs(found.radius[0] - r) < 0.05


@pytest.mark.capability("BB-63")
def test_circles_stay_when_the_light_changes() -> None:
    rng = np.random.default_rng(5)
    levels = draw_disc((90.4, 80.7), 14.3, inside=90.0, outside=150.0)
    first = find_circles(as_image(levels, rng, 0.5))
    for gain, offset in ((0.3, 5.0), (1.5, 10.0), (-1.0, 250.0)):
        other = find_circles(as_image(gain * levels + offset, rng, 0.5))
        assert len(other) == len(first) == 1
        assert np.abs(other.center - first.center).max() < 0.15
        assert np.abs(other.radius - first.radius).max() < 0.15


def test_an_outline_before_a_background_of_two_shades_is_one_circle() -> None:
    rng = np.random.default_rng(6)
    outside = np.where(np.arange(SIZE[1]) < 110, 40.0, 200.0) * np.ones(SIZE)
    found = find_circles(as_image(draw_disc((110.0, 95.0), 18.0, inside=120.0, outside=outside), rng))  # fmt: skip
    assert len(found) == 1
    assert np.abs(found.center[0] - (110.0, 95.0)).max() < 0.3


def test_there_are_no_circles_where_there_are_none() -> None:
    rng = np.random.default_rng(7)
    y, x = np.mgrid[0 : SIZE[0], 0 : SIZE[1]]
    stripes = 100.0 + 80.0 * (np.sin(0.3 * x + 0.1 * y) > 0.0)
    fields = np.where((x // 115 + y // 115) % 2, 200.0, 30.0)
    corner = np.where((x > 90) & (y > 70), 220.0, 60.0)
    for levels in (np.full(SIZE, 128.0), stripes, fields, corner):
        assert not len(find_circles(as_image(levels, rng)))


def test_several_discs_are_found_best_first_and_no_more_than_wanted() -> None:
    rng = np.random.default_rng(8)
    centers = [(40.0, 50.0), (120.0, 60.0), (190.0, 140.0), (70.0, 150.0)]
    levels = np.full(SIZE, 150.0)
    for xy, r in zip(centers, (8.0, 15.0, 30.0, 11.0), strict=True):
        levels = draw_disc(xy, r, inside=50.0, outside=levels)
    image = as_image(levels, rng)
    found = find_circles(image)
    assert len(found) == 4
    assert all(nearest(found, xy) is not None for xy in centers)
    assert (np.diff(found.score) <= 0.0).all()
    two = find_circles(image, CircleCfg(max_count=2))
    assert np.array_equal(two.center, found.center[:2])


def test_radii_outside_of_the_limits_are_not_returned() -> None:
    rng = np.random.default_rng(9)
    levels = draw_disc((60.0, 60.0), 9.0)
    image = as_image(np.minimum(levels, draw_disc((150.0, 120.0), 30.0)), rng)
    small = find_circles(image, CircleCfg(min_radius=6.0, max_radius=15.0))
    large = find_circles(image, CircleCfg(min_radius=20.0, max_radius=50.0))
    assert small.radius == pytest.approx([9.0], abs=0.3)
    assert large.radius == pytest.approx([30.0], abs=0.3)


def test_outlines_of_spheres_need_the_focal_length() -> None:
    """Far from the optical axis the image of a sphere is an ellipse."""
    f, axis = 200.0, (0.0, 0.0)
    p, radius = np.array([0.5, 0.4, 1.0]), 0.09
    part = (np.arange(6) + 0.5) / 6.0 - 0.5
    y = (np.arange(SIZE[0])[:, None] + part).ravel()[:, None] / f
    x = (np.arange(SIZE[1])[:, None] + part).ravel()[None] / f
    along = p[0] * x + p[1] * y + p[2]  # a ray hits if its distance is below the radius
    hit = along**2 > (p @ p - radius**2) * (x * x + y * y + 1.0)
    cover = hit.reshape(SIZE[0], 6, SIZE[1], 6).mean(axis=(1, 3))
    image = np.rint(gaussian_filter(170.0 - 120.0 * cover, 0.7)).astype(np.uint8)
    rows, columns = np.nonzero(cover > 0.0)
    weight = cover[rows, columns]
    centroid = np.array([columns @ weight, rows @ weight]) / weight.sum()
    area_radius = np.sqrt(weight.sum() / np.pi)
    found = find_circles(image, CircleCfg(focal=f, axis=axis))
    assert len(found) == 1
    assert np.abs(found.center[0] - centroid).max() < 0.05
    assert abs(found.radius[0] - area_radius) < 0.05
    plain = find_circles(image, CircleCfg(min_score=-30.0))
    k = nearest(plain, tuple(centroid))
    assert k is None or plain.coverage[k] < found.coverage[0]


@pytest.mark.capability("BB-64")
def test_windows_find_what_is_expected_and_cost_less_than_a_search_everywhere() -> None:
    rng = np.random.default_rng(10)
    cfg = CircleCfg()
    hits, seconds = np.zeros(2), np.zeros(2)
    anywhere = SearchWindow(
        center=(90, 90), half_size=4.0, radius=9.0, radius_tolerance=1.0
    )
    for windows in (None, [anywhere]):  # compile
        find_circles(np.zeros(SIZE, np.uint8), cfg, windows=windows)
    for _ in range(20):
        xy, r = (rng.uniform(40, 200), rng.uniform(40, 160)), rng.uniform(8.0, 16.0)
        levels = draw_disc(xy, r, inside=70.0, outside=foliage(rng, 30.0))
        image = as_image(levels, rng)
        window = SearchWindow(
            center=(xy[0] + 1.2, xy[1] - 0.9),
            half_size=4.0,
            radius=1.04 * r,
            radius_tolerance=0.12 * r,
        )
        for k, windows in enumerate((None, [window])):
            start = time.thread_time()
            found = find_circles(image, cfg, windows=windows)
            seconds[k] += time.thread_time() - start
            hits[k] += nearest(found, xy) is not None
    assert hits[1] >= 17
    assert seconds[1] < 0.7 * seconds[0]


@pytest.mark.capability("BB-64")
def test_a_window_finds_only_what_it_expects() -> None:
    rng = np.random.default_rng(11)
    levels = draw_disc((60.0, 70.0), 10.0)
    image = as_image(np.minimum(levels, draw_disc((160.0, 120.0), 20.0)), rng)

    def look(x: float, y: float, r: float) -> Circles:
        window = SearchWindow(
            center=(x, y), half_size=5.0, radius=r, radius_tolerance=0.1 * r
        )
        return find_circles(image, windows=[window, window])

    assert len(look(61.0, 69.0, 10.2)) == 1
    assert look(161.0, 118.0, 20.5).radius == pytest.approx([20.0], abs=0.2)
    assert look(161.0, 118.0, 20.5).window.tolist() == [0]
    assert not len(look(61.0, 69.0, 20.0))
    assert not len(look(110.0, 100.0, 10.0))
    assert not len(look(-100.0, 900.0, 10.0))
    assert not len(find_circles(image, windows=[]))


def test_a_disc_cut_by_the_border_is_found_while_its_centre_is_well_inside() -> None:
    rng = np.random.default_rng(12)
    found = find_circles(as_image(draw_disc((13.0, 100.0), 16.0), rng))
    assert nearest(found, (13.0, 100.0)) is not None
    assert found.radius[0] == pytest.approx(16.0, abs=0.4)


def test_small_images_and_views_are_no_problem() -> None:
    assert not len(find_circles(np.zeros((3, 5), np.uint8)))
    image = np.rint(draw_disc((100.0, 90.0), 12.0)).astype(np.uint8)
    image.flags.writeable = False
    mirrored = find_circles(image[:, ::-1])
    assert mirrored.center == pytest.approx(np.array([[139.0, 90.0]]), abs=0.1)


@pytest.mark.parametrize(
    "values",
    [
        {"min_radius": 2.0},
        {"min_radius": 30.0, "max_radius": 20.0},
        {"max_count": 0},
        {"min_contrast": 0.0},
        {"focal": -1.0},
        {"blur": -0.1},
    ],
)
def test_a_configuration_that_makes_no_sense_is_refused(values: dict) -> None:
    with pytest.raises(ConfigError, match=next(iter(values))):
        CircleCfg(**values)


def test_windows_and_images_are_checked() -> None:
    with pytest.raises(ConfigError, match="half_size"):
        SearchWindow(
            center=(1.0, 2.0), half_size=-1.0, radius=8.0, radius_tolerance=1.0
        )
    with pytest.raises(ConfigError, match="radius_tolerance"):
        SearchWindow(center=(1.0, 2.0), half_size=1.0, radius=8.0, radius_tolerance=9.0)
    with pytest.raises(ShapeError):
        find_circles(np.zeros((4, 4, 3), np.uint8))
    with pytest.raises(ConfigError, match="uint8"):
        find_circles(np.zeros((40, 40)))
