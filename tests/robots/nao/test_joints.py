"""NAO's joint vectors: signs and ranges against the tables they come from."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import gelenk
from gelenk.errors import ShapeError
from gelenk.robots.nao import joints

ORDER = (
    "HeadYaw HeadPitch LShoulderPitch LShoulderRoll LElbowYaw LElbowRoll RShoulderPitch "
    "RShoulderRoll RElbowYaw RElbowRoll LHipYawPitch LHipRoll LHipPitch LKneePitch "
    "LAnklePitch LAnkleRoll RHipYawPitch RHipRoll RHipPitch RKneePitch RAnklePitch "
    "RAnkleRoll"
)


def test_the_body_vector_has_b_humans_order() -> None:
    assert " ".join(joints.BODY_JOINTS) == ORDER
    for side in joints.SIDES:
        assert joints.BODY_JOINTS[joints.LEG[side]] == joints.LEG_JOINTS[side]
        assert joints.BODY_JOINTS[joints.ARM[side]] == joints.ARM_JOINTS[side]
    assert joints.BODY_JOINTS[joints.HEAD] == joints.HEAD_JOINTS


def test_only_the_joints_that_b_human_turns_around_change_their_sign() -> None:
    flipped = [
        name
        for name, x in zip(
            joints.BODY_JOINTS, joints.nao_from_bh(np.ones(22)), strict=True
        )
        if x < 0.0
    ]
    assert flipped == [
        "LShoulderPitch", "RShoulderPitch", "RShoulderRoll", "RElbowYaw", "RElbowRoll",
        "LHipRoll", "LAnkleRoll",
    ]  # fmt: skip


def test_both_signs_are_inverse_to_each_other() -> None:
    q22 = np.random.default_rng(0).uniform(-1.0, 1.0, (5, 4, 22))
    assert_allclose(joints.bh_from_nao(joints.nao_from_bh(q22)), q22)


def test_mirroring_twice_changes_nothing_and_once_turns_the_head() -> None:
    q22 = np.random.default_rng(1).uniform(-1.0, 1.0, (7, 22))
    assert_allclose(joints.mirror(joints.mirror(q22)), q22)
    once = joints.mirror(q22)
    assert_allclose(once[:, 0], -q22[:, 0])
    assert_allclose(once[:, 1], q22[:, 1])
    assert_allclose(once[:, 10:16], q22[:, 16:22])
    assert_allclose(once[:, 6:10], q22[:, 2:6])


def test_a_mirrored_arm_reaches_the_mirrored_place() -> None:
    model = gelenk.load("nao")
    low, high = joints.limits()
    q22 = np.random.default_rng(2).uniform(low, high, (50, 22))
    left = model.forward(joints.model_from_body(model, q22), "l_hand")[:, :3, 3]
    mirrored = joints.model_from_body(model, joints.mirror(q22))
    right = model.forward(mirrored, "r_hand")[:, :3, 3]
    assert_allclose(right, left * (1.0, -1.0, 1.0), atol=1e-12)


def test_usable_ranges_lie_within_the_hardware() -> None:
    model = gelenk.load("nao")
    low, high = joints.limits()
    ends = np.sort([joints.nao_from_bh(low), joints.nao_from_bh(high)], axis=0)
    for i, name in enumerate(joints.BODY_JOINTS):
        k = model.joint_names_all.index(name)
        assert ends[0, i] >= model.lower[k] - 1e-9, name
        assert ends[1, i] <= model.upper[k] + 1e-9, name
    assert_allclose(np.rad2deg(low[16:22]), [-65, -41, -88, -5, -67.97, -23])
    assert_allclose(np.rad2deg(high[10:16]), [42.44, 21.74, 21, 120, 52, 22.79])


@pytest.mark.parametrize(
    ("yaw", "pitch", "expected"),
    [(0, 40, 29.5), (0, -50, -38.5), (-43.32, 40, 21.2), (87.49, 40, 11.46),
     (35.585, 40, 22.69), (-51.74, -90, -27.5)],
)  # fmt: skip
def test_the_head_stops_where_it_would_hit_the_shoulders(
    yaw: float, pitch: float, expected: float
) -> None:
    got = joints.clip_head(np.deg2rad(yaw), np.deg2rad(pitch))
    assert_allclose(np.rad2deg(got), (yaw, expected), atol=1e-9)


def test_the_head_stops_turning_at_its_end() -> None:
    yaw, _ = joints.clip_head(np.deg2rad([130.0, -130.0]), 0.0)
    assert_allclose(np.rad2deg(yaw), [119.5, -119.5])


@pytest.mark.parametrize(
    ("pitch", "low", "high"),
    [(0.0, -23.0, 22.79), (-68.15, -4.30, 2.86), (52.87, -2.86, 0.0),
     (-48.13, -9.74, 10.31), (-40.11, -12.61, 22.79)],
)  # fmt: skip
def test_the_ankle_rolls_less_when_it_is_bent(
    pitch: float, low: float, high: float
) -> None:
    got = joints.ankle_roll_limits(np.deg2rad(pitch))
    assert_allclose(np.rad2deg(got), (low, high), atol=1e-9)


def test_a_body_vector_survives_the_way_through_the_model() -> None:
    model = gelenk.load("nao")
    q22 = np.random.default_rng(3).uniform(-1.0, 1.0, (6, 22))
    q22[:, 16] = q22[:, 10]  # one motor
    q = joints.model_from_body(model, q22)
    assert q.shape == (6, 25)
    assert q[2, model.joint_id("LHipRoll")] == -q22[2, 11]
    assert_allclose(joints.body_from_model(model, q), q22)


def test_a_vector_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(ShapeError, match=r"`q22` must have shape \(\.\.\., 22\)"):
        joints.mirror(np.zeros(25))
