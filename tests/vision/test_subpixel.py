"""Tests of the sub-pixel step: statistics on drawn boards, OpenCV beside it."""

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose

from drawn_boards import corners_of_board, draw, homography, projected
from gelenk.errors import ConfigError, ShapeError
from gelenk.vision.subpixel import SubpixelCfg, measure_bias, refine_corners

PRINTED = SubpixelCfg(method="printed")


def board_views(
    count: int, seed: int = 0, max_tilt: float = 0.7
) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Images, true corners, and ways to the next corners."""
    rng = np.random.default_rng(seed)
    views = []
    for _ in range(count):
        at = (
            rng.uniform(-0.02, 0.02),
            rng.uniform(-0.02, 0.02),
            rng.uniform(0.28, 0.4),
        )
        H = homography(
            rng.uniform(-3, 3), rng.uniform(0, max_tilt), rng.uniform(-3, 3), at
        )
        board = corners_of_board()
        true = projected(H, board)
        half = 0.0125 * np.eye(3)[:2]
        steps = np.stack(
            [projected(H, board + h) - projected(H, board - h) for h in half], axis=1
        )
        views.append((draw(H), true, steps))
    return views


VIEWS = board_views(6)


def errors_of(refine) -> np.ndarray:  # type: ignore[no-untyped-def]
    return np.concatenate(
        [refine(image, np.rint(true), steps) - true for image, true, steps in VIEWS]
    )


@pytest.mark.capability("CA-45")
@pytest.mark.slow
def test_corners_are_unbiased_and_finer_than_opencvs() -> None:
    adapted = errors_of(lambda image, xy, steps: refine_corners(image, xy, steps=steps))
    printed = errors_of(lambda image, xy, steps: refine_corners(image, xy, PRINTED))
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 30, 0.01)
    peer = errors_of(
        lambda image, xy, steps: cv2.cornerSubPix(
            image, xy.astype(np.float32).reshape(-1, 1, 2), (5, 5), (-1, -1), stop
        ).reshape(-1, 2)
    )
    assert adapted.std(axis=0).max() < 0.02
    assert printed.std(axis=0).max() < 0.035
    assert np.abs(adapted.mean(axis=0)).max() < 0.005
    assert np.abs(printed.mean(axis=0)).max() < 0.01
    assert adapted.std(axis=0).max() < peer.std(axis=0).max()


def test_a_shifted_image_shifts_its_corners() -> None:
    image, true, steps = VIEWS[0]
    moved = np.roll(image, (3, -2), axis=(0, 1))
    for cfg in (SubpixelCfg(), PRINTED):
        here = refine_corners(image, np.rint(true), cfg, steps)
        there = refine_corners(moved, np.rint(true) + np.array([-2.0, 3.0]), cfg, steps)
        assert_allclose(there, here + np.array([-2.0, 3.0]), atol=1e-4)


def test_the_starting_point_hardly_matters() -> None:
    image, true, steps = VIEWS[1]
    rng = np.random.default_rng(0)
    first = refine_corners(
        image, true + rng.uniform(-1.0, 1.0, true.shape), steps=steps
    )
    second = refine_corners(
        image, true + rng.uniform(-1.0, 1.0, true.shape), steps=steps
    )
    assert_allclose(first, second, atol=0.02)


def test_a_point_without_a_corner_stays() -> None:
    flat = np.full((60, 60), 90, np.uint8)
    x = np.tile(np.arange(60), (60, 1))
    edge = np.where(x < 30, 40, 200).astype(np.uint8)
    for image in (flat, edge):
        for cfg in (SubpixelCfg(), PRINTED):
            assert refine_corners(image, [[30.2, 31.7]], cfg).tolist() == [[30.2, 31.7]]


def test_the_edge_of_a_shadow_pulls_less_if_edges_are_known() -> None:
    image, true, steps = VIEWS[2]
    k = 9
    y, x = np.mgrid[0:480, 0:640]
    diagonal = steps[k, 0] / np.linalg.norm(steps[k, 0]) + steps[k, 1] / np.linalg.norm(
        steps[k, 1]
    )
    across = (x - true[k, 0] - 3.0) * diagonal[1] - (y - true[k, 1] - 3.0) * diagonal[0]
    shaded = np.where(across > 0.0, image, image // 4)
    plain = refine_corners(shaded, true[k : k + 1])
    known = refine_corners(shaded, true[k : k + 1], steps=steps[k : k + 1])
    assert np.linalg.norm(known - true[k]) < 0.5 * np.linalg.norm(plain - true[k])


def test_corners_at_the_border_are_refined_with_what_there_is() -> None:
    image, true, _ = VIEWS[3]
    origin = np.floor(true.min(axis=0)).astype(int) - 6
    x0, y0 = origin
    cut = np.ascontiguousarray(image[y0:, x0:])
    for cfg in (SubpixelCfg(), PRINTED):
        assert (
            np.abs(
                refine_corners(cut, np.rint(true - origin), cfg) + origin - true
            ).max()
            < 0.3
        )


@pytest.mark.capability("CA-47")
def test_a_shift_of_half_a_pixel_is_measured_and_removed() -> None:
    image, true, steps = VIEWS[4]
    other_convention = (
        true - 0.5
    )  # counted from the edge of a pixel instead of its centre
    seen = refine_corners(image, np.rint(true), steps=steps)
    bias = measure_bias(seen, other_convention)
    assert_allclose(bias.mean, [0.5, 0.5], atol=0.01)
    assert (bias.sigma < 0.03).all()
    image, true, steps = VIEWS[5]
    seen = refine_corners(image, np.rint(true), steps=steps)
    assert np.abs((bias.removed_from(seen) - (true - 0.5)).mean(axis=0)).max() < 0.02


def test_wrong_shapes_and_settings_are_named() -> None:
    image = VIEWS[0][0]
    with pytest.raises(ShapeError, match="`steps`"):
        refine_corners(image, [[1.0, 2.0]], steps=np.zeros((2, 2, 2)))
    with pytest.raises(ShapeError, match="`xy`"):
        refine_corners(image, [1.0, 2.0])
    with pytest.raises(ConfigError, match="`sigma`"):
        SubpixelCfg(sigma=0.0)
    with pytest.raises(ConfigError, match="`method`"):
        SubpixelCfg(method="best")  # type: ignore[arg-type]
    with pytest.raises(ShapeError, match="`true`"):
        measure_bias(np.zeros((3, 2)), np.zeros((4, 2)))
