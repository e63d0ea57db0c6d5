"""Closed-form views against published pixels, OpenCV, and the law of sag."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.robots.nao import sandal
from gelenk.robots.nao.errors import NaoErrors, draw_errors
from gelenk.robots.nao.joints import mirror, model_from_body
from gelenk.robots.nao.kinematics import sole_pose
from gelenk.robots.nao.robot_with_errors import rest_body, true_intrinsics, true_model
from gelenk.robots.nao.truth import gravity_torques, project_truth, true_body

LEG = np.deg2rad([-20.0, 5.0, -60.0, 70.0, -25.0, 8.0])
# A frame that looks along x with z up, in OpenCV's axes.
R_CAMERA_FRAME = np.array([[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]])


def pose(head: tuple[float, float] = (19.0, 13.0)) -> np.ndarray:
    q22 = rest_body()
    q22[:2] = np.deg2rad(head)
    q22[10:16] = LEG
    q22[16] = q22[10]
    return q22


@pytest.mark.capability("CA-11")
@pytest.mark.capability("CA-12")
def test_soles_of_the_published_pose() -> None:
    left, right = (sole_pose(LEG, side)[:3, 3] for side in ("left", "right"))
    assert_allclose(left, [0.1278311, 0.0527297, -0.1673214], atol=5e-8)
    assert_allclose(right, [0.1278311, -0.0527297, -0.1673214], atol=5e-8)


@pytest.mark.capability("CA-17")
def test_corners_of_the_published_pose() -> None:
    view = project_truth(NaoErrors(), pose(), "left", with_hiding=True)
    expected = [
        (239.7494, 187.7378), (407.8487, 181.6866),
        (233.4752, 288.3691), (406.0694, 292.3355),
    ]  # fmt: skip
    # Published from the image's edge, here from the centre of the first pixel.
    assert_allclose(view.pixels[[0, 5, 18, 23]] + 0.5, expected, atol=5e-5)
    assert view.is_visible.all()


@pytest.mark.capability("CA-17")
@pytest.mark.capability("CA-19")
def test_corners_of_the_published_pose_with_errors() -> None:
    errors = NaoErrors(
        camera=tuple(np.deg2rad((1.0, 2.0, 3.0))),
        left=tuple(np.deg2rad((0.5, -0.5, 1.0, -1.0, 0.5, -0.5))),
        left_board=(np.deg2rad(2.0), 0.003, -0.004),
    )
    expected = [
        (242.849, 177.135), (409.0976, 157.9196),
        (244.3575, 276.6155), (415.4029, 266.7401),
    ]  # fmt: skip
    view = project_truth(errors, pose(), "left")
    assert_allclose(view.pixels[[0, 5, 18, 23]] + 0.5, expected, atol=5e-5)


@pytest.mark.capability("CA-17")
@pytest.mark.parametrize("seed", range(4))
def test_opencv_sees_the_same_through_the_true_robot(seed: int) -> None:
    rng = np.random.default_rng(seed)
    errors = replace(
        draw_errors(rng, level=3), compliance=(0.0,) * 12, play=(0.0,) * 12,
        centre=(3.0, -4.0), distortion=(0.1, -0.05, 0.002, -0.001, 0.01),
    )  # fmt: skip
    model, lens = true_model(errors), true_intrinsics(errors)
    q = model_from_body(model, pose())
    T = np.linalg.inv(model.forward(q, "camera_bottom")) @ model.forward(q, "l_sandal")
    p = (sandal.corners() @ T[:3, :3].T + T[:3, 3]) @ R_CAMERA_FRAME.T
    zero = np.zeros(3)
    expected = cv2.projectPoints(p, zero, zero, lens.matrix, np.array(lens.distortion))[
        0
    ]
    got = project_truth(errors, pose(), "left").pixels
    assert_allclose(got, expected[:, 0], atol=1e-9)


def test_the_mirrored_robot_sees_the_mirrored_image() -> None:
    left = project_truth(NaoErrors(), pose(), "left").pixels
    right = project_truth(NaoErrors(), mirror(pose()), "right").pixels
    across = np.arange(24).reshape(4, 6)[:, ::-1].ravel()
    assert_allclose(right[across], left * (-1.0, 1.0) + (639.0, 0.0), atol=1e-9)


def test_many_views_at_once_are_the_views_one_by_one() -> None:
    rng = np.random.default_rng(8)
    errors = draw_errors(rng, level=3)
    poses = pose() + rng.uniform(-0.1, 0.1, (3, 4, 22))
    many = project_truth(errors, poses, "right", with_hiding=True)
    for i in np.ndindex(3, 4):
        one = project_truth(errors, poses[i], "right", with_hiding=True)
        assert_allclose(many.pixels[i], one.pixels, rtol=1e-13)
        assert (many.is_visible[i] == one.is_visible).all()


def test_joints_give_way_by_compliance_times_torque_and_take_up_their_play() -> None:
    errors = NaoErrors(compliance=(0.004,) * 12, play=(0.003,) * 12)
    q22 = true_body(errors, pose())
    torque = gravity_torques(errors, q22)[10:]
    sag = (q22 - pose())[10:]
    assert_allclose(sag, 0.004 * torque + 0.003 * np.sign(torque), atol=1e-9)
    assert sag[0] == sag[6]  # one motor carries both legs
    assert np.abs(sag[1:4]).min() > 0.003


def test_a_leg_is_heaviest_with_its_sandal() -> None:
    load = gravity_torques(NaoErrors(), np.zeros(22))
    lighter = true_model(NaoErrors(), sandals=False)
    hold = lighter.inverse_dynamics(np.zeros(25), np.zeros(25), np.zeros(25))
    i = lighter.joint_id("LHipPitch")
    assert abs(load[12]) > abs(hold[i]) + 0.2


def test_looking_away_no_corner_is_visible() -> None:
    view = project_truth(NaoErrors(), pose(head=(-80.0, 0.0)), "left")
    assert not view.is_visible.any()


def test_from_behind_the_print_is_not_visible() -> None:
    q22 = pose(head=(120.0, 19.0))
    q22[10:16] = np.deg2rad([22.0, -13.0, 8.0, 70.0, 27.0, -14.0])
    view = project_truth(NaoErrors(), q22, "left")
    assert ((view.pixels > 0.0) & (view.pixels < (639.0, 479.0))).all()
    assert not view.is_visible.any()
    # Far and near have changed places with regard to left and right: a mirrored board.
    across, down = view.pixels[5] - view.pixels[0], view.pixels[18] - view.pixels[0]
    assert across[0] * down[1] - across[1] * down[0] < 0.0


@pytest.mark.capability("CA-88")
def test_the_thigh_hides_corners() -> None:
    q22 = rest_body()
    q22[10:16] = np.deg2rad([-19.0, -4.0, -75.0, 112.0, 14.0, 15.0])
    q22[:2] = np.deg2rad([29.0, 24.0])
    plain = project_truth(NaoErrors(), q22, "left")
    hidden = project_truth(NaoErrors(), q22, "left", with_hiding=True)
    assert plain.is_visible.all()
    rows = hidden.is_visible.reshape(4, 6)
    assert 4 < rows.sum() < 20
    assert not rows[:, 0].any()  # the knee is on the left
    assert rows[:, 5].all()


def test_the_upper_camera_looks_over_the_board() -> None:
    lower = project_truth(NaoErrors(), pose(), "left").pixels[:, 1].mean()
    upper = project_truth(NaoErrors(), pose(), "left", "upper").pixels[:, 1].mean()
    assert upper > lower + 200.0  # it looks 38.5 deg higher
