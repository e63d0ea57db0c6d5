"""The true robot against the nominal one: every error does what its name says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.robots.nao.errors import CASES, LinkErrors, NaoErrors, draw_errors
from gelenk.robots.nao.joints import (
    BODY_JOINTS,
    LEG,
    body_from_model,
    limits,
    model_from_body,
)
from gelenk.robots.nao.robot_with_errors import (
    nominal_intrinsics,
    nominal_model,
    rest_body,
    true_intrinsics,
    true_model,
)
from gelenk.robots.nao.truth import (
    _camera,  # pyright: ignore[reportPrivateUsage]
    _sandal_pose,  # pyright: ignore[reportPrivateUsage]
    gravity_torques,
    true_body,
)
from gelenk.spatial.so3 import rot_x, rot_y, rot_z


@pytest.fixture(scope="module")
def poses() -> np.ndarray:
    low, high = limits()
    q22 = np.random.default_rng(3).uniform(low, high, (100, 22))
    q22[:, 16] = q22[:, 10]
    return q22


@pytest.mark.capability("CA-86")
@pytest.mark.parametrize("case", [5, 6, 7])
def test_the_true_joint_angle_is_the_reading_plus_the_offset(
    poses: np.ndarray, case: int
) -> None:
    errors = CASES[case]
    truth, nominal = true_model(errors), nominal_model()
    real = poses.copy()
    real[:, LEG["left"]] += errors.left
    got = truth.forward(model_from_body(truth, poses), "l_sole")
    assert_allclose(
        got, nominal.forward(model_from_body(nominal, real), "l_sole"), atol=1e-12
    )
    real = poses.copy()  # the right hip has an offset of its own on the shared motor
    real[:, LEG["right"]] += errors.right
    real[:, 10] = real[:, 16]
    got = truth.forward(model_from_body(truth, poses), "r_sole")
    assert_allclose(
        got, nominal.forward(model_from_body(nominal, real), "r_sole"), atol=1e-12
    )


@pytest.mark.capability("CA-86")
@pytest.mark.parametrize("seed", range(3))
def test_all_errors_together_put_camera_and_boards_where_the_products_say(
    poses: np.ndarray, seed: int
) -> None:
    errors = draw_errors(np.random.default_rng(seed), level=3)
    stiff = replace(errors, compliance=(0.0,) * 12, play=(0.0,) * 12)
    model = true_model(errors)
    q, real = model_from_body(model, poses), true_body(stiff, poses)
    camera = _camera(errors, real[:, :2], "lower")
    assert_allclose(model.forward(q, "camera_bottom"), camera, atol=1e-12)
    assert_allclose(
        model.forward(q, "l_sandal"), _sandal_pose(errors, real, "left"), atol=1e-12
    )
    assert_allclose(
        model.forward(q, "r_sandal"), _sandal_pose(errors, real, "right"), atol=1e-12
    )


def test_the_camera_is_turned_by_pitch_then_roll_then_yaw() -> None:
    errors = NaoErrors(camera=(0.1, 0.2, 0.3))
    q = np.zeros(25)
    R = nominal_model().forward(q, "camera_bottom")[:3, :3]
    expected = R @ rot_y(0.2) @ rot_x(0.3) @ rot_z(0.1)
    assert_allclose(true_model(errors).forward(q, "camera_bottom")[:3, :3], expected)


def test_longer_links_push_the_sole_down() -> None:
    links = LinkErrors(
        left_thigh=0.001, left_tibia=0.002, left_foot=0.004, left_hip=0.003
    )
    errors, q = NaoErrors(links=links), np.zeros(25)
    moved = true_model(errors).forward(q, "l_sole") - nominal_model().forward(
        q, "l_sole"
    )
    assert_allclose(moved[:3, 3], [0.0, 0.003, -0.007], atol=1e-15)


def test_without_sandals_nothing_hangs_on_the_soles() -> None:
    bare, worn = nominal_model(sandals=False), nominal_model()
    assert "l_sandal" not in bare.link_names
    extra = worn.mass.sum() - bare.mass.sum()
    assert extra == pytest.approx(2 * worn.mass[worn.link_id("l_sandal")])
    assert 0.1 < extra / 2 < 0.2


def test_weight_bends_the_legs_as_inverse_dynamics_says(poses: np.ndarray) -> None:
    model = nominal_model()
    zero = np.zeros((len(poses), 25))
    q = model_from_body(model, poses)
    hold = body_from_model(model, model.inverse_dynamics(q, zero, zero))
    load = gravity_torques(NaoErrors(), poses)
    assert_allclose(load[:, 10:], -hold[:, 10:], atol=1e-12)


def test_lying_the_weight_pulls_towards_the_back() -> None:
    model = nominal_model()
    assert_allclose(model.gravity, [-9.81, 0.0, 0.0])
    # Stretched legs fall towards the floor: HipPitch is pulled to positive angles.
    i = BODY_JOINTS.index("LHipPitch")
    assert gravity_torques(NaoErrors(), np.zeros(22))[i] > 0.5


def test_the_lens_is_the_documented_one_until_it_is_wrong() -> None:
    k = nominal_intrinsics()
    assert (k.width, k.height, k.cx, k.cy) == (640, 480, 319.5, 239.5)
    assert k.fx == pytest.approx(543.5945, abs=1e-4)
    wrong = true_intrinsics(NaoErrors(focal_scale=1.02, centre=(3.0, -2.0)))
    assert wrong.fx == pytest.approx(1.02 * k.fx)
    assert (wrong.cx, wrong.cy) == (322.5, 237.5)


def test_at_rest_the_boards_are_apart() -> None:
    model = nominal_model()
    q = model_from_body(model, rest_body())
    left, right = (model.forward(q, f"{s}_sandal")[1, 3] for s in "lr")
    assert left - right > 0.25  # plates are 0.185 m wide and lean outwards
