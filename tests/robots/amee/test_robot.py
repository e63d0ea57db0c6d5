"""The body of AMEE against a MuJoCo tree and the figures of its source.

The tree below is typed from the rules for the angles, in millimetres, with bodies whose
axes differ from the model's. The torques are those of a page of arithmetic: weight
times lever arm.
"""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from numpy.testing import assert_allclose

import gelenk
from gelenk.models.tree import RobotModel
from gelenk.robots.amee.robot import standing_angles

WEIGHT = 35.6 * 9.81  # [N]

# A leg that hangs: thigh and shank along -z at 0, foot level at 0. With it turns
# B = -90 deg + b, C = c, D = 90 deg + b + c - d.
TREE = """
<mujoco><compiler angle="radian" boundmass="1" boundinertia="1"/><worldbody>
  <body pos="{x} {y} 0"><joint name="a" axis="0 0 1"/><geom size="1"/>
   <body><joint name="b" axis="0 -1 0"/><geom size="1"/>
    <body pos="0 0 -280"><joint name="c" axis="0 -1 0"/><geom size="1"/>
     <body pos="0 0 -272.5"><joint name="d" axis="0 -1 0"/><geom size="1"/>
      <site name="sole" pos="40 0 -112.5"/><site name="toe_fl" pos="120 60 -112.5"/>
     </body></body></body></body>
</worldbody></mujoco>"""


@pytest.fixture(scope="module")
def model() -> RobotModel:
    return gelenk.load("amee")


@pytest.fixture(scope="module")
def poses(model: RobotModel) -> np.ndarray:
    rng = np.random.default_rng(3)
    return rng.uniform(model.limits[0], model.limits[1], (200, 16))


@pytest.mark.capability("QW-03")
@pytest.mark.parametrize(
    ("leg", "x", "y"), [(1, 350, -200), (2, 350, 200), (3, -350, 200), (4, -350, -200)]
)
def test_yaw_and_three_pitch_joints_lead_to_sole_and_toes(
    model: RobotModel, poses: np.ndarray, leg: int, x: float, y: float
) -> None:
    tree = mujoco.MjModel.from_xml_string(TREE.format(x=x, y=y))
    data = mujoco.MjData(tree)
    for frame, site in ((f"sole_{leg}", "sole"), (f"toe_{leg}_fl", "toe_fl")):
        Ts = model.forward(poses, frame)
        for q, T in zip(poses, Ts, strict=True):
            a, b, c, d = q[4 * leg - 4 : 4 * leg]
            half = np.pi / 2.0
            data.qpos[:] = a, b + half, c, half - d
            mujoco.mj_kinematics(tree, data)
            assert_allclose(T[:3, 3], data.site(site).xpos * 1e-3, atol=1e-12)
            assert_allclose(T[:3, :3], data.site(site).xmat.reshape(3, 3), atol=1e-12)


@pytest.mark.capability("QW-03")
def test_it_weighs_35_6_kg_and_each_leg_4_6_kg(model: RobotModel) -> None:
    assert model.mass.sum() == pytest.approx(35.6, abs=1e-12)
    for leg in "1234":
        links = [i for i, n in enumerate(model.link_names) if f"_{leg}" in n]
        assert model.mass[links].sum() == pytest.approx(4.6, abs=1e-12)


def test_its_centre_of_mass_lies_a_little_behind_the_hips(model: RobotModel) -> None:
    Ts = np.stack(
        [model.forward(model.home_configuration, n) for n in model.link_names]
    )
    centres = np.einsum("nij,nj->ni", Ts[:, :3, :3], model.com) + Ts[:, :3, 3]
    x, y, _ = model.mass @ centres / model.mass.sum()
    assert -0.040 < x < 0.0
    assert y == pytest.approx(0.0, abs=1e-12)


@pytest.mark.capability("QW-04")
def test_the_sole_reaches_665_mm_down_and_440_mm_up(model: RobotModel) -> None:
    straight = {"down": (-np.pi / 2, np.pi / 2), "up": (np.pi / 2, 1.5 * np.pi)}
    for way, (hip, ankle) in straight.items():
        q = model.home_configuration
        q[:4] = 0.0, hip, 0.0, ankle
        sole = model.forward(q, "sole_1")
        assert_allclose(sole[:3, :3], np.eye(3), atol=1e-12)
        assert sole[2, 3] == pytest.approx(-0.665 if way == "down" else 0.440)
    # no pose within the limits reaches further with a level sole
    rng = np.random.default_rng(4)
    q = np.tile(model.home_configuration, (20_000, 1))
    q[:, :3] = rng.uniform(model.limits[0, :3], model.limits[1, :3], (20_000, 3))
    q[:, 3] = np.pi + q[:, 1] + q[:, 2]
    is_level = (q[:, 3] > model.limits[0, 3]) & (q[:, 3] < model.limits[1, 3])
    heights = model.forward(q[is_level], "sole_1")[:, 2, 3]
    assert heights.min() > -0.665
    assert heights.max() < 0.440
    assert heights.min() < -0.64


@pytest.mark.capability("QW-05")
def test_joint_ranges_are_a_quarter_turn_at_the_hip_and_half_a_turn_at_the_knee(
    model: RobotModel,
) -> None:
    low, high = np.rad2deg(model.limits).reshape(2, 4, 4)
    assert_allclose(low, np.tile([-90, -180, 0, 20], (4, 1)), atol=1e-12)
    assert_allclose(high, np.tile([90, 90, 172, 275], (4, 1)), atol=1e-12)


def test_the_drives_are_those_of_the_data_sheet(model: RobotModel) -> None:
    assert_allclose(model.max_velocity[model.joint_ids] * 60 / (2 * np.pi), 21.0)
    assert_allclose(model.max_effort[model.joint_ids], 22.0)


# Knee torque of a leg that bears a fourth, a third, half of the weight [N m], massless
# legs, foot under the hip and 100 mm ahead: derived from the source, one decimal.
KNEE = {
    0.400: ((22.2, 29.5, 44.3), (26.0, 34.6, 52.0)),
    0.500: ((18.8, 25.1, 37.6), (22.8, 30.4, 45.7)),
    0.550: ((16.3, 21.8, 32.7), (20.4, 27.2, 40.8)),
    0.600: ((13.0, 17.3, 25.9), (17.0, 22.7, 34.1)),
    0.630: ((10.0, 13.4, 20.0), (14.0, 18.7, 28.1)),
    0.640: ((8.7, 11.6, 17.4), (12.7, 16.9, 25.4)),
    0.650: ((7.1, 9.4, 14.1), (11.0, 14.6, 21.9)),
}


@pytest.mark.parametrize("height", KNEE)
def test_knees_bear_what_the_table_of_feasible_stances_says(
    model: RobotModel, height: float
) -> None:
    for x, expected in zip((0.0, 0.100), KNEE[height], strict=True):
        q = model.home_configuration
        q[:4] = standing_angles(height, x)
        J = model.jacobian(q, "sole_1")
        for legs, torque in zip((4, 3, 2), expected, strict=True):
            tau = J.T @ [0.0, 0.0, WEIGHT / legs, 0.0, 0.0, 0.0]
            assert abs(tau[2]) == pytest.approx(torque, abs=0.051)
            assert tau[1] == pytest.approx(WEIGHT / legs * x, abs=1e-9)
