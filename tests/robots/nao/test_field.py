"""Field lines: geometry, projection, what is found in images, whole robots on a field."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.robots.nao.checks.field import (
    FieldCfg,
    field_lines,
    field_pose,
    ground_point,
    line_offsets,
    paint_field,
    project_field,
)
from gelenk.robots.nao.checks.field_check import FieldCheckCfg, check_field
from gelenk.robots.nao.compensation import Compensation
from gelenk.robots.nao.config import nominal_intrinsics
from gelenk.robots.nao.errors import NaoErrors, draw_errors
from gelenk.robots.nao.kinematics import camera_pose, move
from testkit.nao_robots import calibrated_robot, given_bodies

LENS = nominal_intrinsics()


def eye(pitch: float = np.deg2rad(-25.0)) -> np.ndarray:
    """Camera of a robot 3 m behind the centre spot."""
    T_ground_torso = move(0.0, 0.0, 0.23)
    head = np.array([0.1, pitch])
    return field_pose(-3.0, 0.2, 0.05) @ T_ground_torso @ camera_pose(head)


def test_the_field_has_the_printed_sizes() -> None:
    points = np.concatenate(field_lines())
    assert_allclose(np.ptp(points, axis=0), [6.0, 4.0, 0.0])
    halfway, circle = field_lines()[0], field_lines()[-1]
    assert_allclose(halfway[:, 0], 0.0)
    assert_allclose(np.linalg.norm(circle, axis=1), 0.6)
    assert FieldCfg().mark == 1.8


@pytest.mark.capability("CA-79")
def test_projected_lines_agree_with_opencv_and_are_cut_off_near_the_camera() -> None:
    T = eye()
    points = np.concatenate(field_lines())
    ours = project_field(points, T, LENS)
    # OpenCV's camera axes: right, down, ahead.
    R = np.stack([-T[:3, 1], -T[:3, 2], T[:3, 0]])
    theirs, _ = cv2.projectPoints(
        points, cv2.Rodrigues(R)[0], -R @ T[:3, 3], LENS.matrix, np.zeros(5)
    )
    ahead = (points - T[:3, 3]) @ T[:3, 0]
    far = ahead > 0.2
    assert_allclose(ours[far], theirs[far, 0], atol=1e-8)
    assert np.isnan(ours[~far]).all()
    assert far.any()
    assert not far.all()


def test_the_ground_under_a_pixel_is_where_it_was_projected_from() -> None:
    points = np.array([[0.0, 0.0, 0.0], [-1.0, 0.7, 0.0], [2.5, -1.0, 0.0]])
    pixels = project_field(points, eye(), LENS)
    assert_allclose(ground_point(pixels, eye(), LENS), points[:, :2], atol=1e-9)
    assert np.isnan(ground_point([320.0, -400.0], eye(), LENS)).all()


def test_half_a_degree_of_pitch_is_about_twenty_centimetres_at_three_metres() -> None:
    """Oracle: the published scale, 0.36 m per degree with a camera 0.45 m high."""
    T = move(0.0, 0.0, 0.45) @ camera_pose(np.array([0.0, 0.0]))
    T[:3, 3] = 0.0, 0.0, 0.45
    turned = T.copy()
    a = np.deg2rad(0.5)
    turned[:3, :3] = T[:3, :3] @ [
        [np.cos(a), 0.0, np.sin(a)], [0.0, 1.0, 0.0], [-np.sin(a), 0.0, np.cos(a)],
    ]  # fmt: skip
    pixel = project_field([[3.0, 0.0, 0.0]], T, LENS)[0]
    off = 3.0 - ground_point(pixel, turned, LENS)[0]
    assert off == pytest.approx(0.18, abs=0.03)


@pytest.mark.parametrize("shift", [-3.3, 0.0, 5.2])
def test_a_white_line_is_found_where_it_was_drawn(shift: float) -> None:
    rows, columns = np.mgrid[0:120, 0:160]
    angle = 0.3
    across = -(columns - 80.0) * np.sin(angle) + (rows - 60.0) * np.cos(angle)
    image = 60.0 + 150.0 * np.clip(2.5 - np.abs(across - shift), 0.0, 1.0)
    along = np.linspace(-40.0, 40.0, 30)[:, None]
    line = np.array([80.0, 60.0]) + along * [np.cos(angle), np.sin(angle)]
    assert_allclose(line_offsets(image, line), shift, atol=0.05)
    assert np.isnan(line_offsets(np.full((120, 160), 60.0), line)).all()
    assert np.isnan(line_offsets(image, line + 500.0)).all()


def test_the_painted_field_has_white_lines_and_green_carpet() -> None:
    image = paint_field(pixel=0.02)
    assert image.shape == (250, 350, 3)
    middle = image[125, 175]
    carpet = image[125 + 50, 175 + 60]
    assert middle.min() > 200
    assert carpet[1] > carpet[0]
    assert carpet[1] > carpet[2]
    share = (image[..., 0] - float(carpet[0])) / (float(middle[0]) - float(carpet[0]))
    white = share.mean() * 7.0 * 5.0  # [m^2]
    lines = sum(np.linalg.norm(np.diff(p, axis=0), axis=1).sum() for p in field_lines())
    assert white == pytest.approx(0.05 * lines, rel=0.03)


@pytest.mark.slow
def test_a_perfect_robot_sees_the_lines_where_it_projects_them() -> None:
    for camera in ("lower", "upper"):
        check = check_field(NaoErrors(), Compensation(), FieldCheckCfg(camera=camera))
        assert check.offset < 0.01  # [px]
        assert check.seen_offset < 0.1
        assert check.distance_error < 1e-3  # [m]


@pytest.mark.slow
@pytest.mark.capability("CA-75")
@pytest.mark.capability("CA-79")
def test_a_robot_with_systematic_errors_finds_the_centre_spot_within_5_cm() -> None:
    rng = np.random.default_rng(2)
    errors = draw_errors(rng, level=3)
    robot = calibrated_robot(errors, given_bodies()[::2], rng)
    before = check_field(errors)
    after = check_field(errors, robot.compensation)
    assert after.distance_error < 0.02
    assert before.distance_error > 0.1
    assert after.seen_offset < 0.3  # [px], in the image
    assert after.offset < 0.3
    assert before.offset > 5.0


@pytest.mark.slow
@pytest.mark.capability("CA-79")
def test_without_systematic_errors_lines_match_within_a_pixel() -> None:
    rng = np.random.default_rng(3)
    errors = draw_errors(rng, level=1)
    robot = calibrated_robot(errors, given_bodies()[::3], rng, is_extended=False)
    check = check_field(errors, robot.compensation, FieldCheckCfg(level=1))
    assert check.offset < 1.0
    assert check.distance_error < 0.01
