"""Edges, contours, lines and curves.

Oracles: SciPy's ndimage, OpenCV's Hough transform, NumPy's gradient, geometry, the
numbers of the course.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import ndimage

from gelenk.errors import ConfigError
from gelenk.vision.circles import find_circles
from gelenk.vision.edges import (
    Gradient,
    central_difference,
    crests,
    edge_candidates,
    edge_side,
    forward_difference,
    link_edges,
    prewitt,
    roberts,
    second_difference,
    sobel,
)
from gelenk.vision.hough import (
    hough_lines,
    strongest_curves,
    vote_circles,
    vote_curve,
    vote_lines,
    vote_slopes,
)

STEP = np.repeat([[0.0] * 4 + [100.0] * 4], 6, axis=0)  # a vertical edge


def picture(seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(0.0, 255.0, (19, 27))


def plane() -> np.ndarray:
    x, y = np.mgrid[0:7, 0:9].astype(float)
    return 3.0 * x - 2.0 * y + 5.0


@pytest.mark.capability("GR-144")
def test_differences_of_a_linear_image_are_its_slopes():
    for difference in (forward_difference, central_difference):
        assert_allclose(difference(plane(), "x")[1:-1, 1:-1], 3.0)
        assert_allclose(difference(plane(), "y")[1:-1, 1:-1], -2.0)
    with pytest.raises(ConfigError, match="down"):
        forward_difference(plane(), "z")  # type: ignore[arg-type]


@pytest.mark.capability("GR-144")
def test_central_differences_are_those_of_numpy_and_exact_for_parabolas():
    image = picture()
    gx, gy = np.gradient(image)
    assert_allclose(central_difference(image, "x")[1:-1], gx[1:-1])
    assert_allclose(central_difference(image, "y")[:, 1:-1], gy[:, 1:-1])
    x = np.arange(9.0)
    parabola = np.tile(x[:, None] ** 2, (1, 3))
    assert_allclose(central_difference(parabola, "x")[1:-1, 0], 2.0 * x[1:-1])
    assert_allclose(forward_difference(parabola, "x")[1:-1, 0], 2.0 * x[1:-1] + 1.0)


@pytest.mark.capability("GR-145")
def test_prewitt_of_the_course():  # TV-7.10
    found = prewitt(STEP)
    assert_allclose(found.x, 0.0)
    assert_allclose(found.y[2], [0, 0, 0, 300, 300, 0, 0, 0])
    assert_allclose(found.magnitude[2], [0, 0, 0, 300, 300, 0, 0, 0])


@pytest.mark.capability("GR-145")
def test_prewitt_is_that_of_scipy():
    found = prewitt(picture())
    assert_allclose(found.x, ndimage.prewitt(picture(), 0, mode="nearest"), atol=1e-10)
    assert_allclose(found.y, ndimage.prewitt(picture(), 1, mode="nearest"), atol=1e-10)


@pytest.mark.capability("GR-146")
def test_sobel_of_the_course():  # TV-7.10
    assert_allclose(sobel(STEP).y[2], [0, 0, 0, 400, 400, 0, 0, 0])
    assert_allclose(sobel(STEP).x, 0.0)


@pytest.mark.capability("GR-146")
def test_sobel_is_that_of_opencv_and_knows_directions():
    found = sobel(picture())
    border = cv2.BORDER_REPLICATE
    theirs_y = cv2.Sobel(picture(), cv2.CV_64F, 1, 0, borderType=border)
    theirs_x = cv2.Sobel(picture(), cv2.CV_64F, 0, 1, borderType=border)
    assert_allclose(found.x, theirs_x, atol=1e-10)
    assert_allclose(found.y, theirs_y, atol=1e-10)
    assert_allclose(sobel(plane()).angle[1:-1, 1:-1], np.arctan2(-2.0, 3.0))
    assert_allclose(sobel(plane()).magnitude[1:-1, 1:-1], 8.0 * np.sqrt(13.0))


@pytest.mark.capability("GR-147")
def test_roberts_of_the_course():  # TV-7.10
    assert roberts(STEP)[2].tolist() == [0, 0, 0, 200, 0, 0, 0, 0]
    assert roberts([[0.0, 0.0], [0.0, 100.0]])[0, 0] == 100.0


@pytest.mark.capability("GR-147")
def test_roberts_is_the_sum_of_both_diagonals():
    f = picture()
    loop = [
        [
            abs(f[i + 1, j + 1] - f[i, j]) + abs(f[i + 1, j] - f[i, j + 1])
            for j in range(f.shape[1] - 1)
        ]
        for i in range(f.shape[0] - 1)
    ]
    assert_allclose(roberts(f)[:-1, :-1], loop)


@pytest.mark.capability("GR-148")
def test_second_differences_are_positive_on_the_dark_side():  # E-26
    ramp = np.array([[0.0, 0, 0, 25, 50, 75, 100, 100]])
    assert second_difference(ramp, "y").tolist() == [[0, 0, 25, 0, 0, 0, -25, 0]]
    assert edge_side(ramp, "y").tolist() == [[0, 0, -1, 0, 0, 0, 1, 0]]
    assert edge_side(ramp.T, "x").ravel().tolist() == [0, 0, -1, 0, 0, 0, 1, 0]
    assert not edge_side(ramp, "y", threshold=30.0).any()


@pytest.mark.capability("GR-148")
def test_the_side_said_to_be_bright_is_brighter_than_the_other():
    x, y = np.mgrid[0:64, 0:64]
    disc = 100.0 / (1.0 + np.exp((np.hypot(x - 31.0, y - 31.0) - 18.0) / 1.5))
    side = edge_side(disc, "y", threshold=1.0)
    assert disc[side == 1].min() > 50.0 > disc[side == -1].max()
    bend = ndimage.correlate1d(disc, [1.0, -2.0, 1.0], axis=1, mode="nearest")
    assert_allclose(second_difference(disc, "y"), bend, atol=1e-9)


def broken_square() -> Gradient:
    """Edges of a bright square of 24 px; two pixels of one side are gray."""
    image = np.zeros((40, 40))
    image[8:32, 8:32] = 100.0
    found = sobel(image)
    mask = np.ones((40, 40))
    mask[6:10, 19:21] = 0.0
    return Gradient(x=found.x * mask, y=found.y * mask)


@pytest.mark.capability("GR-149")
def test_a_broken_square_is_linked_to_one_contour():
    edges = broken_square()
    is_edge = edge_candidates(edges, 300.0)
    like = {"max_difference": 250.0, "max_angle": np.radians(50.0)}
    closed = link_edges(edges, is_edge, reach=3, **like)
    assert closed.count == 1
    assert len(closed.pixels(0)) == is_edge.sum()
    # The four sides fall apart where directions may not turn at corners.
    stiff = link_edges(edges, is_edge, reach=1, max_difference=250.0, max_angle=0.3)
    assert stiff.count > 4


@pytest.mark.capability("GR-149")
def test_with_free_limits_contours_are_the_components_of_scipy():
    edges = sobel(picture())
    is_edge = edge_candidates(edges, 600.0)
    found = link_edges(edges, is_edge, max_difference=np.inf, max_angle=4.0)
    theirs, count = ndimage.label(is_edge, np.ones((3, 3)))
    assert found.count == count
    pairs = {
        *zip(found.labels[is_edge].tolist(), theirs[is_edge].tolist(), strict=True)
    }
    assert len(pairs) == count
    sizes = np.bincount(found.labels[is_edge])
    assert np.all(np.diff(sizes) <= 0)


@pytest.mark.capability("GR-149")
def test_directions_are_compared_across_the_cut_of_the_angle():
    # atan2 jumps from pi to -pi; arctan would hold opposite gradients for alike
    edges = Gradient(x=np.array([[-1.0, -1.0, 1.0]]), y=np.array([[0.01, -0.01, 0.0]]))
    found = link_edges(edges, np.ones((1, 3)), max_difference=1.0, max_angle=0.1)
    assert found.labels.tolist() == [[0, 0, 1]]


@pytest.mark.capability("GR-149")
def test_crests_are_lines_one_pixel_wide():
    x, y = np.mgrid[0:40, 0:40]
    soft = 100.0 / (1.0 + np.exp(-(y - 20.3 + 0.0 * x) / 1.5))
    found = crests(sobel(soft), 50.0)
    assert np.all(found.sum(axis=1) == 1)
    assert np.all(found[:, 20])


POINTS = np.array([[0.0, 1.0], [1.0, 3.0], [2.0, 5.0]])


@pytest.mark.capability("GR-150")
def test_the_line_of_the_course():  # TV-7.11
    best = strongest_curves(
        vote_slopes(POINTS, np.linspace(-4, 4, 33), np.arange(-3.0, 4.0, 0.25)), 1
    )
    assert best.parameters.tolist() == [[2.0, 1.0]]
    assert best.votes.tolist() == [3.0]
    (theta, rho) = hough_lines(POINTS, 1, step=0.1).parameters[0]
    assert np.degrees(theta) == pytest.approx(153.434949, abs=1e-6)
    assert rho == pytest.approx(0.447214, abs=1e-6)


@pytest.mark.capability("GR-150")
def test_a_vertical_line_is_found_where_slopes_fail():
    upright = np.column_stack([np.full(20, 7.0), np.arange(20.0)])
    theta, rho = hough_lines(upright, 1).parameters[0]
    assert (theta, rho) == (pytest.approx(0.0, abs=1e-9), pytest.approx(7.0))


@pytest.mark.capability("GR-150")
def test_lines_under_clutter_are_those_that_were_drawn():
    rng = np.random.default_rng(0)
    truth = [(0.4, 60.0), (1.9, 20.0), (2.6, -30.0)]
    points = [rng.uniform(0.0, 200.0, (60, 2))]
    for theta, rho in truth:
        along = rng.uniform(-60.0, 140.0, 80)
        normal, way = [np.cos(theta), np.sin(theta)], [-np.sin(theta), np.cos(theta)]
        points.append(rho * np.array(normal) + np.outer(along, way))
    points = np.concatenate(points) + rng.normal(0.0, 0.3, (300, 2))
    found = hough_lines(points, 3)
    for theta, rho in truth:
        off = np.abs(found.parameters - [theta, rho])
        assert np.any((off[:, 0] < np.radians(0.5)) & (off[:, 1] < 1.0))


@pytest.mark.capability("GR-150")
def test_the_accumulator_peaks_where_that_of_opencv_does():
    image = np.zeros((100, 120), dtype=np.uint8)
    cv2.line(image, (10, 20), (110, 70), 255, 1)
    cv2.line(image, (30, 95), (90, 5), 255, 1)
    v, u = np.nonzero(image)
    best = strongest_curves(vote_lines(np.column_stack([u, v])), 2, reach=5)
    theirs = cv2.HoughLines(image, 1.0, np.pi / 180.0, 40)[:, 0]
    for theta, rho in best.parameters:
        off = np.abs(theirs - [rho, theta])
        assert np.any((off[:, 0] <= 1.0) & (off[:, 1] <= np.radians(1.01)))


def ring(center, radius, count=120) -> np.ndarray:
    angle = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    return np.array(center) + radius * np.column_stack([np.cos(angle), np.sin(angle)])


@pytest.mark.capability("GR-151")
def test_circles_are_found_to_a_pixel():
    rng = np.random.default_rng(0)
    points = np.concatenate(
        [ring((25.3, 30.8), 12.2), ring((50.0, 60.4), 9.1), rng.uniform(0, 80, (80, 2))]
    )
    votes = vote_circles(points, np.arange(6.0, 16.0), (80, 90))
    best = strongest_curves(votes, 2, reach=3).parameters
    best = best[np.argsort(best[:, 0])]
    assert_allclose(best, [[25.3, 30.8, 12.2], [50.0, 60.4, 9.1]], atol=1.0)


@pytest.mark.capability("GR-151")
def test_votes_and_the_detector_of_discs_agree():
    x, y = np.mgrid[0:80, 0:100]
    disc = 60.0 + 100.0 * np.clip(14.5 - np.hypot(x - 37.6, y - 41.3), 0.0, 1.0)
    edges = np.argwhere(crests(sobel(disc), 150.0))
    best = strongest_curves(vote_circles(edges, np.arange(8.0, 20.0), disc.shape), 1)
    assert 0.4 < best.votes[0] < 1.1  # a full circle counts about one
    found = find_circles(disc.astype(np.uint8))
    precise = [found.center[0, 1], found.center[0, 0], found.radius[0]]
    assert_allclose(best.parameters[0], precise, atol=1.0)


@pytest.mark.capability("GR-151")
def test_any_curve_can_be_voted_for():
    points = ring((6.0, 4.0), 3.0, 40)
    circle = lambda x, y, a, b, r: np.hypot(x - a, y - b) - r  # noqa: E731
    axes = (np.arange(10.0), np.arange(10.0), np.arange(1.0, 6.0))
    best = strongest_curves(vote_curve(points, circle, axes, tolerance=0.05), 1)
    assert best.parameters.tolist() == [[6.0, 4.0, 3.0]]
    assert best.votes[0] == 40
    with pytest.raises(ConfigError, match="evenly"):
        vote_curve(points, circle, ([0.0, 1.0, 5.0], [0.0], [1.0]), tolerance=0.1)
