"""Projection agrees with OpenCV's, and unprojection undoes it."""

import math

import cv2
import numpy as np
import pytest

from gelenk.errors import ConfigError, ShapeError
from gelenk.vision.camera import (
    Intrinsics,
    distort,
    fold_radius,
    project,
    projection_jacobian,
    undistort,
    unproject,
)

PINHOLE = Intrinsics(width=640, height=480, fx=543.6, fy=543.6, cx=319.5, cy=239.5)
SKEWED = Intrinsics(width=780, height=580, fx=718.3, fy=702.1, cx=371.2, cy=305.7)
BARREL = Intrinsics(
    width=780, height=580, fx=600.0, fy=610.0, cx=380.0, cy=300.0,
    distortion=(-0.28, 0.11, 0.0012, -0.0008, -0.02),
)  # fmt: skip
PINCUSHION = Intrinsics(
    width=320, height=240, fx=290.0, fy=280.0, cx=150.0, cy=130.0,
    distortion=(0.15, -0.03, -0.002, 0.001, 0.01),
)  # fmt: skip
CAMERAS = [PINHOLE, SKEWED, BARREL, PINCUSHION]


def points_in_view(camera: Intrinsics, count: int = 200) -> np.ndarray:
    rng = np.random.default_rng(3)
    uv = rng.uniform([0, 0], [camera.width - 1, camera.height - 1], (count, 2))
    return unproject(camera, uv) * rng.uniform(0.2, 8.0, (count, 1))


@pytest.mark.parametrize("camera", CAMERAS)
def test_projection_agrees_with_opencv(camera: Intrinsics) -> None:
    p = points_in_view(camera)

    theirs, jacobian = cv2.projectPoints(
        p, np.zeros(3), np.zeros(3), camera.matrix, np.array(camera.distortion)
    )

    np.testing.assert_allclose(project(camera, p), theirs[:, 0], rtol=0, atol=1e-9)
    by_translation = jacobian[:, 3:6].reshape(-1, 2, 3)
    np.testing.assert_allclose(
        projection_jacobian(camera, p), by_translation, rtol=1e-9, atol=1e-9
    )


@pytest.mark.parametrize("camera", CAMERAS)
def test_unprojection_undoes_projection(camera: Intrinsics) -> None:
    u, v = np.meshgrid(
        np.linspace(-0.5, camera.width - 0.5, 23),
        np.linspace(-0.5, camera.height - 0.5, 19),
    )
    uv = np.stack([u, v], axis=-1)

    rays = unproject(camera, uv)

    assert rays.shape == (19, 23, 3)
    np.testing.assert_array_equal(rays[..., 2], 1.0)
    np.testing.assert_allclose(project(camera, 2.5 * rays), uv, rtol=0, atol=1e-9)


def test_undistortion_agrees_with_opencv_iterated_to_the_end() -> None:
    uv = np.random.default_rng(5).uniform([0, 0], [779, 579], (300, 2))
    criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 500, 1e-14)

    theirs = cv2.undistortPointsIter(
        uv[:, None], BARREL.matrix, np.array(BARREL.distortion), None, None, criteria
    )[:, 0]

    np.testing.assert_allclose(unproject(BARREL, uv)[:, :2], theirs, rtol=0, atol=1e-10)


@pytest.mark.parametrize("camera", [SKEWED, BARREL])
def test_a_batch_equals_its_points_one_by_one(camera: Intrinsics) -> None:
    p = points_in_view(camera, 12).reshape(3, 4, 3)

    uv = project(camera, p)
    rays = unproject(camera, uv)

    for i, j in np.ndindex(3, 4):
        np.testing.assert_array_equal(project(camera, p[i, j]), uv[i, j])
        np.testing.assert_allclose(
            unproject(camera, uv[i, j]), rays[i, j], rtol=0, atol=1e-12
        )


def test_points_behind_the_camera_are_nowhere_in_the_image() -> None:
    uv = project(PINHOLE, [[0.1, 0.2, -1.0], [0.1, 0.2, 0.0], [0.0, 0.0, 1.0]])

    assert np.isnan(uv[:2]).all()
    np.testing.assert_array_equal(uv[2], [319.5, 239.5])


def test_a_folded_lens_has_no_ray_beyond_its_fold() -> None:
    lens = Intrinsics(
        width=640, height=480, fx=300, fy=300, cx=319.5, cy=239.5,
        distortion=(-0.3, 0.0, 0.0, 0.0, 0.0),
    )  # fmt: skip
    fold = fold_radius(lens)  # 1 - 0.9 r^2 = 0
    edge = fold * (1.0 - 0.3 * fold**2)

    inner, outer = undistort(lens, [[0.99 * edge, 0.0], [1.01 * edge, 0.0]])

    assert fold == pytest.approx(math.sqrt(1.0 / 0.9), rel=1e-12)
    assert inner[0] < fold
    np.testing.assert_allclose(
        distort(lens, inner), [0.99 * edge, 0.0], rtol=0, atol=1e-12
    )
    assert np.isnan(outer).all()
    assert fold_radius(PINHOLE) == math.inf


def test_the_image_covers_half_a_pixel_around_its_border_centres() -> None:
    inside = PINHOLE.contains([[-0.5, -0.5], [639.4, 479.4], [639.5, 10.0], [-0.6, 0]])

    assert inside.tolist() == [True, True, False, False]


def test_the_horizontal_field_of_view_reaches_from_border_to_border() -> None:
    camera = Intrinsics.from_field_of_view(width=780, height=580, horizontal=0.9948)

    left, right = unproject(camera, [[-0.5, 289.5], [779.5, 289.5]])

    angle = np.arctan(right[0]) - np.arctan(left[0])
    assert angle == pytest.approx(0.9948, abs=1e-12)


@pytest.mark.parametrize(
    "changes", [{"fx": 0.0}, {"width": 0}, {"cx": math.nan}, {"distortion": (0.1,)}]
)
def test_impossible_intrinsics_are_refused(changes: dict) -> None:
    values = {"width": 64, "height": 48, "fx": 50.0, "fy": 50.0, "cx": 31.5, "cy": 23.5}

    with pytest.raises(ConfigError):
        Intrinsics(**(values | changes))


def test_points_need_three_coordinates() -> None:
    with pytest.raises(ShapeError, match="p_camera"):
        project(PINHOLE, [1.0, 2.0])
