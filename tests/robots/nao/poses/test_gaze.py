"""The head looks where it should."""

from __future__ import annotations

import numpy as np
import pytest

import gelenk
from gelenk.robots.nao.joints import head_pitch_limits, model_from_body
from gelenk.robots.nao.poses.body import body_pose, looking_poses
from gelenk.robots.nao.poses.view import TARGETS, gaze, view_board
from gelenk.robots.nao.robot_with_errors import nominal_intrinsics, nominal_model


def test_a_point_that_is_looked_at_lies_on_the_optical_axis() -> None:
    nao = gelenk.load("nao")
    rng = np.random.default_rng(3)
    points = rng.uniform([0.1, -0.2, -0.3], [0.4, 0.2, 0.3], (200, 3))
    head = gaze(points)
    q = np.zeros((200, nao.nq))
    q[:, nao.joint_id("HeadYaw")], q[:, nao.joint_id("HeadPitch")] = head.T
    T = nao.forward(q, frame="camera_bottom")
    p_camera = np.einsum("nji,nj->ni", T[:, :3, :3], points - T[:, :3, 3])
    np.testing.assert_allclose(p_camera[:, 1:], 0.0, atol=1e-15)
    assert (p_camera[:, 0] > 0.0).all()


@pytest.mark.capability("CA-69")
def test_the_three_targets_appear_in_the_middle_of_the_image() -> None:
    nao, lens = nominal_model(), nominal_intrinsics()
    leg = np.deg2rad([-20.0, 5.0, -60.0, 70.0, -25.0, 8.0])
    poses, reached = looking_poses(nao, body_pose(leg[None], "left"), "left")
    assert reached.all()
    T_links = view_board(nao, lens, poses[0], "left").T_links
    camera = T_links[:, nao.link_id("camera_bottom")]
    sole = T_links[:, nao.link_id("l_sole")]
    for k, target in enumerate(TARGETS):
        p_torso = sole[k, :3, :3] @ target + sole[k, :3, 3]
        x, y, z = camera[k, :3, :3].T @ (p_torso - camera[k, :3, 3])
        pixel = lens.cx - lens.fx * y / x, lens.cy - lens.fy * z / x
        np.testing.assert_allclose(pixel, (319.5, 239.5), atol=1e-9)
    # Centre, then 3 cm to the left and to the right, both 4 cm nearer to the heel.
    np.testing.assert_allclose(
        TARGETS, [(0.17, 0, 0), (0.13, 0.03, 0), (0.13, -0.03, 0)]
    )


def test_a_head_that_cannot_turn_so_far_is_said_not_to_reach() -> None:
    nao = nominal_model()
    flat = body_pose(np.zeros((1, 6)), "left")  # needs 34.6 deg of pitch
    poses, reached = looking_poses(nao, flat, "left")
    assert not reached.any()
    yaw, pitch = poses[0, 0, :2]
    assert pitch == pytest.approx(head_pitch_limits(yaw)[1])


def test_the_parked_leg_follows_the_motor_of_the_hip() -> None:
    nao = nominal_model()
    q = model_from_body(nao, body_pose(np.deg2rad([-30.0, 0, 0, 0, 0, 0]), "left"))
    assert q[nao.joint_id("LHipYawPitch")] == pytest.approx(np.deg2rad(-30.0))
    mirrored = body_pose(np.deg2rad([-30.0, 0, 0, 0, 0, 0]), "right")
    assert mirrored[10] == mirrored[16] == pytest.approx(np.deg2rad(-30.0))
