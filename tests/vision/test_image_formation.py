"""Cameras, light, image matrices and colours.

Oracles: OpenCV (calibration, HSV), the numbers of the course, laws of light.
"""

from __future__ import annotations

import colorsys

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.calibration.camera_calibration import (
    board_pose,
    calibrate_camera,
    camera_matrix_from_homographies,
)
from gelenk.errors import ConfigError, ShapeError
from gelenk.spatial import so3
from gelenk.vision.camera import Intrinsics, distort, project, undistort
from gelenk.vision.filters import (
    ILLUMINANCE,
    REFLECTANCE,
    absorptance,
    brightness,
    split_brightness,
)
from gelenk.vision.image_types import (
    FORMATS,
    ImageKind,
    as_binary,
    hsi_from_rgb,
    hue_distance,
    image_kind,
    interlaced_fields,
    line_camera,
    number_of_colors,
    photo_cell,
    quantized,
    rgb_from_hsi,
)

LENS = (-0.2, 0.05, 0.001, -0.0005, 0.0)


def camera(distortion=LENS) -> Intrinsics:
    return Intrinsics(
        width=640, height=480, fx=700, fy=700, cx=320, cy=240, distortion=distortion
    )


@pytest.mark.capability("GR-135")
def test_the_point_of_the_course_appears_where_it_says():  # TV-7.6
    p = [0.2, -0.1, 2.0]
    assert_allclose(project(camera((0.0,) * 5), p), [390.0, 205.0], atol=1e-12)
    assert_allclose(project(camera(), p), [389.807172, 205.102977], atol=1e-6)


@pytest.mark.capability("GR-135")
def test_undistorting_undoes_distorting_and_opencv_agrees():
    xy = np.random.default_rng(0).uniform(-0.4, 0.4, (200, 2))
    bent = distort(camera(), xy)
    assert_allclose(undistort(camera(), bent), xy, atol=1e-12)
    theirs, _ = cv2.projectPoints(
        np.column_stack([xy, np.ones(200)]),
        np.zeros(3),
        np.zeros(3),
        camera().matrix,
        np.array(LENS),
    )
    assert_allclose(
        project(camera(), np.column_stack([xy, np.ones(200)])), theirs[:, 0], atol=1e-9
    )


def board_views(rng, noise: float, count: int = 6):
    x, y = np.meshgrid(np.arange(8), np.arange(6))
    board = 0.03 * np.column_stack([x.ravel(), y.ravel()]).astype(float)
    views = []
    for _ in range(count):
        R = so3.exp(rng.uniform(-0.6, 0.6, 3))
        t = np.array([-0.1, -0.08, 0.45]) + rng.uniform(-0.03, 0.03, 3)
        corners = np.column_stack([board, np.zeros(len(board))]) @ R.T + t
        views.append(
            project(camera(), corners) + noise * rng.normal(size=(len(board), 2))
        )
    return board, np.stack(views)


@pytest.mark.capability("GR-135")
def test_calibration_finds_the_camera_that_took_the_views():
    board, views = board_views(np.random.default_rng(1), 0.0, count=4)
    found = calibrate_camera(board, views, width=640, height=480)
    assert_allclose(found.intrinsics.matrix, camera().matrix, rtol=1e-6, atol=1e-6)
    assert_allclose(found.intrinsics.distortion, LENS, atol=1e-6)
    assert found.rms < 1e-6


@pytest.mark.capability("GR-135")
def test_calibration_of_noisy_views_is_that_of_opencv_and_knows_its_error():
    board, views = board_views(np.random.default_rng(2), 0.2)
    found = calibrate_camera(board, views, width=640, height=480)
    corners = np.column_stack([board, np.zeros(len(board))]).astype(np.float32)
    rms, K, _, _, _ = cv2.calibrateCamera(
        [corners] * len(views),
        [uv.astype(np.float32) for uv in views],
        (640, 480),
        np.eye(3),
        np.zeros(5),
        flags=cv2.CALIB_FIX_K3,
    )
    assert found.rms == pytest.approx(rms, rel=1e-4)
    assert_allclose(found.intrinsics.matrix, K, atol=0.02)
    off = np.array([found.intrinsics.fx - 700, found.intrinsics.cx - 320])
    assert np.all(np.abs(off) < 4.0 * found.sigma[[0, 2]])
    assert np.all(found.sigma[[0, 2]] < 10.0)


@pytest.mark.capability("GR-135")
def test_the_camera_matrix_follows_from_three_homographies_alone():
    K = np.array([[620.0, 0.0, 300.0], [0.0, 580.0, 260.0], [0.0, 0.0, 1.0]])
    views, poses = [], []
    for turn in ([0.4, 0.0, 0.1], [0.0, -0.5, 0.0], [0.3, 0.3, -0.4]):
        T = np.column_stack([so3.exp(turn)[:, :2], [0.1, -0.05, 0.8]])
        poses.append(T)
        views.append(-2.5 * K @ T)  # the scale is free, its sign too
    assert_allclose(camera_matrix_from_homographies(views), K, atol=1e-6)
    for H, T in zip(views, poses, strict=True):
        found = board_pose(K, H)
        assert_allclose(found[:3, [0, 1, 3]], T, atol=1e-9)
        assert np.linalg.det(found[:3, :3]) == pytest.approx(1.0)


@pytest.mark.capability("GR-135")
def test_boards_that_are_never_turned_determine_no_camera():
    x, y = np.meshgrid(np.arange(4.0), np.arange(3.0))
    board = np.column_stack([x.ravel(), y.ravel()])
    views = [100.0 + 20.0 * k * board for k in (1, 2, 3)]
    with pytest.raises(ConfigError, match="turn the board"):
        calibrate_camera(board, views, width=640, height=480)
    with pytest.raises(ShapeError, match="n >= 3"):
        calibrate_camera(board, views[:2], width=640, height=480)


@pytest.mark.capability("GR-136")
def test_brightness_of_the_course():  # TV-7.7
    assert brightness(ILLUMINANCE["clouds"], REFLECTANCE["stainless steel"]) == 650.0
    assert brightness(ILLUMINANCE["sun"], REFLECTANCE["snow"]) == pytest.approx(9300.0)


@pytest.mark.capability("GR-136")
def test_light_is_thrown_back_or_kept_and_twice_the_light_is_twice_as_bright():
    r = np.random.default_rng(0).uniform(0.01, 0.99, 50)
    assert_allclose(r + absorptance(r), 1.0)
    kept = 5.0 * absorptance(r)
    assert_allclose(brightness(5.0, r) + kept, 5.0)
    assert_allclose(brightness(10.0, r), 2.0 * brightness(5.0, r))
    with pytest.raises(ConfigError, match="between 0 and 1"):
        brightness(1.0, 1.2)


@pytest.mark.capability("GR-136")
def test_slow_light_is_told_from_quick_reflectance():
    x, y = np.mgrid[0:128, 0:128]
    light = np.exp(0.8 * np.cos(np.pi * x / 128) + 0.5 * np.cos(np.pi * y / 128))
    surface = np.where((x // 4 + y // 4) % 2, 0.8, 0.2)
    slow, quick = split_brightness(brightness(light, surface), sigma=6.0)
    assert_allclose(slow * quick, light * surface)
    assert np.corrcoef(np.log(slow).ravel(), np.log(light).ravel())[0, 1] > 0.999
    assert np.corrcoef(np.log(quick).ravel(), np.log(surface).ravel())[0, 1] > 0.99


@pytest.mark.capability("GR-137")
def test_formats_and_colours_of_the_course():
    shapes = {f.name: f.shape for f in FORMATS}
    assert shapes == {
        "PAL": (576, 768),
        "NTSC": (480, 640),
        "HD": (720, 1280),
        "Full HD": (1080, 1920),
    }
    assert number_of_colors(8) == 256**3 == 16_777_216
    assert [f.is_interlaced for f in FORMATS] == [True, True, False, True]


@pytest.mark.capability("GR-137")
def test_arrays_are_told_apart_as_images():
    assert image_kind(np.zeros((4, 5), dtype=bool)) is ImageKind.BINARY
    assert image_kind(np.zeros((4, 5), dtype=np.uint8)) is ImageKind.GRAY
    assert image_kind(np.zeros((4, 5, 3))) is ImageKind.COLOR
    with pytest.raises(ShapeError, match="rows, columns"):
        image_kind(np.zeros(7))
    with pytest.raises(ShapeError, match="rows, columns"):
        as_binary(np.zeros((2, 2, 2)))


@pytest.mark.capability("GR-137")
def test_chips_see_a_scene_as_bit_line_and_levels():
    scene = np.linspace(0.0, 1.0, 12).reshape(3, 4)
    assert photo_cell(scene, threshold=0.49)
    assert not photo_cell(scene, threshold=0.51)
    assert_allclose(np.stack([line_camera(scene, k) for k in range(3)]), scene)
    levels = quantized(scene, full=1.0, bits=4)
    assert levels.dtype == np.uint8
    assert np.abs(levels / 15.0 - scene).max() <= 0.5 / 15.0 + 1e-12
    assert quantized(scene, full=1.0, bits=12).max() == 4095
    even, odd = interlaced_fields(levels)
    assert even.tolist() == levels[[0, 2]].tolist()
    assert odd.tolist() == levels[[1]].tolist()


COURSE_COLORS = [  # TV-7.8: RGB, hue [deg], saturation, intensity
    ((255, 0, 0), 0.0, 1.0, 85.0),
    ((0, 255, 0), 120.0, 1.0, 85.0),
    ((0, 0, 255), 240.0, 1.0, 85.0),
    ((255, 255, 0), 60.0, 1.0, 170.0),
    ((255, 128, 0), 30.129724, 1.0, 127.666667),
    ((100, 150, 200), 210.0, 1.0 / 3.0, 150.0),
]


@pytest.mark.capability("GR-138")
@pytest.mark.parametrize(("rgb", "hue", "saturation", "intensity"), COURSE_COLORS)
def test_colours_of_the_course(rgb, hue, saturation, intensity):
    h, s, i = hsi_from_rgb(rgb)
    assert np.degrees(h) == pytest.approx(hue, abs=1e-6)
    assert s == pytest.approx(saturation, abs=1e-12)
    assert i == pytest.approx(intensity, abs=1e-6)


@pytest.mark.capability("GR-138")
def test_gray_has_no_hue_and_black_no_saturation():
    assert hsi_from_rgb([[7.0, 7.0, 7.0], [0.0, 0.0, 0.0]]).tolist() == [
        [0.0, 0.0, 7.0],
        [0.0, 0.0, 0.0],
    ]
    with pytest.raises(ConfigError, match="negative"):
        hsi_from_rgb([1.0, -1.0, 0.0])


@pytest.mark.capability("GR-138")
def test_hue_is_near_that_of_hsv_and_exactly_it_at_the_sextants():
    # HSV (colorsys) bends the circle of hues within each sextant, by 1.12 deg at most.
    rgb = np.random.default_rng(0).uniform(0.0, 1.0, (500, 3))
    hsv = np.array([colorsys.rgb_to_hsv(*row)[0] for row in rgb]) * 2.0 * np.pi
    off = hue_distance(hsi_from_rgb(rgb)[:, 0], hsv)
    assert np.degrees(off.max()) < 1.2
    corners = np.array(
        [[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1]]
    )
    assert_allclose(
        np.degrees(hsi_from_rgb(corners)[:, 0]), [0, 60, 120, 180, 240, 300]
    )


@pytest.mark.capability("GR-288")
def test_colours_come_back_from_hue_saturation_and_intensity():
    rgb = np.random.default_rng(1).uniform(0.0, 255.0, (20, 30, 3))
    assert_allclose(rgb_from_hsi(hsi_from_rgb(rgb)), rgb, atol=1e-6)
    for color, hue, saturation, intensity in COURSE_COLORS:
        back = rgb_from_hsi([np.radians(hue), saturation, intensity])
        assert_allclose(back, color, atol=1e-4)


@pytest.mark.capability("GR-288")
def test_turning_hue_by_a_third_moves_the_channels_on():
    rgb = np.random.default_rng(2).uniform(0.0, 1.0, (100, 3))
    turned = hsi_from_rgb(rgb)
    turned[:, 0] += 2.0 * np.pi / 3.0
    assert_allclose(rgb_from_hsi(turned), np.roll(rgb, 1, axis=1), atol=1e-9)
