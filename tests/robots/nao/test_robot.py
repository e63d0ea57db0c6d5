"""The body of NAO against a MuJoCo tree and against products of turns and shifts.

The tree below is typed from the manufacturer's links and axes, in millimetres; the
products are those of Kastner 2014 in `gelenk.robots.nao.kinematics`. Neither shares
code with the model or its kernels.
"""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from numpy.testing import assert_allclose

import gelenk
from gelenk.models import catalog
from gelenk.models.tree import RobotModel
from gelenk.robots.nao import bodies, kinematics
from gelenk.robots.nao.joints import BODY_JOINTS, LEG, limits, mirror, model_from_body

SIDES = ("left", "right")


def leg_xml(s: str, y: float, axis: str) -> str:
    return f"""
    <body pos="0 {y} 0"><joint name="{s}HipYawPitch" axis="{axis}"/><geom size="1"/>
     <body><joint name="{s}HipRoll" axis="1 0 0"/><geom size="1"/>
      <body><joint name="{s}HipPitch" axis="0 1 0"/><geom size="1"/>
       <body pos="0 0 -100"><joint name="{s}KneePitch" axis="0 1 0"/><geom size="1"/>
        <body pos="0 0 -102.9"><joint name="{s}AnklePitch" axis="0 1 0"/><geom size="1"/>
         <body><joint name="{s}AnkleRoll" axis="1 0 0"/><geom size="1"/>
          <site name="{s}sole" pos="0 0 -45.19"/>
         </body></body></body></body></body></body>"""


TREE = f"""
<mujoco><compiler angle="radian" boundmass="1" boundinertia="1"/><worldbody>
  {leg_xml("L", 50, "0 1 -1")} {leg_xml("R", -50, "0 1 1")}
  <body pos="0 0 211.5"><joint name="HeadYaw" axis="0 0 1"/><geom size="1"/>
   <body><joint name="HeadPitch" axis="0 1 0"/><geom size="1"/>
    <site name="head"/>
    <site name="lower" pos="50.71 0 17.74" euler="0 0.692895713 0"/>
    <site name="upper" pos="58.71 0 63.64" euler="0 0.020943951 0"/>
   </body></body>
</worldbody></mujoco>"""


@pytest.fixture(scope="module")
def model() -> RobotModel:
    return gelenk.load("nao")


@pytest.fixture(scope="module")
def poses() -> np.ndarray:
    rng = np.random.default_rng(11)
    low, high = limits()
    q22 = rng.uniform(low, high, (1000, 22))
    q22[:, LEG["right"].start] = q22[:, LEG["left"].start]  # one motor
    return q22


def site_poses(q22: np.ndarray, site: str) -> np.ndarray:
    """Poses in the MuJoCo tree, lengths in metres."""
    tree = mujoco.MjModel.from_xml_string(TREE)
    data = mujoco.MjData(tree)
    out = np.tile(np.eye(4), (len(q22), 1, 1))
    for k, q in enumerate(q22):
        for name, value in zip(BODY_JOINTS, q, strict=True):
            if "Hip" in name or "Knee" in name or "Ankle" in name or "Head" in name:
                sign = -1.0 if name in ("LHipRoll", "LAnkleRoll") else 1.0
                data.qpos[tree.joint(name).qposadr[0]] = sign * value
        mujoco.mj_kinematics(tree, data)
        out[k, :3, :3] = data.site(site).xmat.reshape(3, 3)
        out[k, :3, 3] = data.site(site).xpos * 1e-3
    return out


@pytest.mark.parametrize(
    ("frame", "site"),
    [
        pytest.param("l_sole", "Lsole", marks=pytest.mark.capability("CA-11", "CA-13")),
        pytest.param("r_sole", "Rsole", marks=pytest.mark.capability("CA-12", "CA-13")),
        pytest.param("head", "head", marks=pytest.mark.capability("CA-14")),
        pytest.param("camera_bottom", "lower", marks=pytest.mark.capability("CA-15")),
        ("camera_top", "upper"),
    ],
)
def test_poses_are_those_of_the_manufacturers_tree(
    model: RobotModel, poses: np.ndarray, frame: str, site: str
) -> None:
    T = model.forward(model_from_body(model, poses), frame)
    assert_allclose(T, site_poses(poses, site), atol=1e-12)


@pytest.mark.capability("CA-11")
@pytest.mark.capability("CA-12")
@pytest.mark.parametrize("side", SIDES)
def test_legs_are_the_published_products(
    model: RobotModel, poses: np.ndarray, side: kinematics.Side
) -> None:
    frames = kinematics.leg_frames(poses[:, LEG[side]], side)
    q = model_from_body(model, poses)
    for body, T in frames.items():
        assert_allclose(model.forward(q, f"{side[0]}_{body}"), T, atol=1e-12)


@pytest.mark.capability("CA-14")
@pytest.mark.capability("CA-15")
def test_head_and_cameras_are_the_published_products(
    model: RobotModel, poses: np.ndarray
) -> None:
    q, head = model_from_body(model, poses), poses[:, :2]
    assert_allclose(model.forward(q, "head"), kinematics.neck_pose(head), atol=1e-12)
    lower, upper = (kinematics.camera_pose(head, name) for name in ("lower", "upper"))
    assert_allclose(model.forward(q, "camera_bottom"), lower, atol=1e-12)
    assert_allclose(model.forward(q, "camera_top"), upper, atol=1e-12)


@pytest.mark.capability("CA-12")
def test_a_mirrored_pose_puts_the_right_sole_where_the_left_one_was(
    model: RobotModel, poses: np.ndarray
) -> None:
    left = model.forward(model_from_body(model, poses), "l_sole")
    right = model.forward(model_from_body(model, mirror(poses)), "r_sole")
    flip = np.diag([1.0, -1.0, 1.0, 1.0])
    assert_allclose(right, flip @ left @ flip, atol=1e-12)


@pytest.mark.capability("CA-13")
@pytest.mark.capability("CA-15")
def test_standing_upright_soles_and_camera_are_where_the_data_sheet_says(
    model: RobotModel,
) -> None:
    q = np.zeros(model.nq)
    assert_allclose(model.forward(q, "l_sole")[:3, 3], [0, 0.05, -0.24809], atol=1e-15)
    assert_allclose(model.forward(q, "r_sole")[:3, 3], [0, -0.05, -0.24809], atol=1e-15)
    T = model.forward(q, "camera_bottom")
    assert_allclose(T[:3, 3], [0.05071, 0.0, 0.22924], atol=1e-15)
    down = np.deg2rad(39.7)
    assert_allclose(T[:3, 0], [np.cos(down), 0.0, -np.sin(down)], atol=1e-8)


@pytest.mark.capability("CA-16")
def test_one_motor_turns_both_hips_about_axes_slanted_by_45_degrees(
    model: RobotModel,
) -> None:
    assert "RHipYawPitch" in model.joint_names_all
    assert "RHipYawPitch" not in model.joint_names
    q = np.zeros(model.nq)
    q[model.joint_id("LHipYawPitch")] = 0.5
    for frame, axis in (("l_pelvis", (0, 1, -1)), ("r_pelvis", (0, 1, 1))):
        R = model.forward(q, frame)[:3, :3]
        assert_allclose(R @ axis, axis, atol=1e-12)
        assert np.arccos((np.trace(R) - 1.0) / 2.0) == pytest.approx(0.5)


def test_ranges_and_speeds_are_the_documented_ones(model: RobotModel) -> None:
    def degrees(joint: str) -> list[float]:
        i = model.joint_names_all.index(joint)
        values = model.lower[i], model.upper[i], model.max_velocity[i]
        return np.rad2deg(values).round(6).tolist()

    assert degrees("HeadYaw") == [-119.5, 119.5, 474.0]
    assert degrees("LHipRoll") == [-21.74, 45.29, 238.0]
    assert degrees("RHipRoll") == [-45.29, 21.74, 238.0]
    assert degrees("RKneePitch") == [-5.9, 121.47, 367.0]
    assert degrees("RElbowRoll") == [2.0, 88.5, 412.0]


def test_it_weighs_what_the_robot_weighs(model: RobotModel) -> None:
    assert model.mass.sum() == pytest.approx(5.2, abs=0.1)  # data sheet: 5.182 kg
    # The sum of the table of B-Human without arms: 1.04956 + .06442 + .60533 + 2 legs
    legs = [i for i, n in enumerate(model.link_names) if n[2:] in kinematics.LEG_BODIES]
    assert model.mass[legs].sum() == pytest.approx(2 * 1.17744, abs=1e-9)


def test_the_right_side_is_the_left_one_in_a_mirror(model: RobotModel) -> None:
    flip = np.diag([1.0, -1.0, 1.0])
    for i, name in enumerate(model.link_names):
        if name.startswith("l_"):
            j = model.link_id("r_" + name[2:])
            assert_allclose(model.com[j], flip @ model.com[i], atol=1e-15)
            mirrored = flip @ model.inertia[i] @ flip
            assert_allclose(model.inertia[j], mirrored, atol=1e-15)


def test_bodies_that_touch_are_the_boxes_of_the_scene(model: RobotModel) -> None:
    touched = {
        name: shape
        for name, row in zip(model.link_names, model.geometry, strict=True)
        for shape in row
        if shape.role == "collision"
    }
    assert touched["torso"].size == (0.1, 0.12, 0.19)
    assert touched["l_thigh"].size == touched["r_tibia"].size == (0.07, 0.07, 0.09)
    assert touched["l_ankle"].size == (0.15, 0.075, 0.03)
    centre = np.asarray(touched["r_ankle"].T_link_geometry)[:3, 3]
    assert_allclose(centre, [0.02, -0.003, -0.0301])
    assert touched["head"].size == (0.062,)


@pytest.mark.parametrize("body", ["thigh", "tibia", "bicep", "ankle"])
def test_what_is_drawn_of_a_leg_stays_inside_of_what_touches(body: str) -> None:
    shapes = getattr(bodies, body)()
    (box,) = [shape for shape in shapes if shape.role == "collision"]
    middle = np.asarray(box.T_link_geometry)[:3, 3]
    half = 0.5 * np.array(box.size)
    if body in ("thigh", "ankle"):  # the knee's axle and the sole reach beyond
        half += (0.0, 0.0, 0.018) if body == "thigh" else (0.0, 0.0, 0.0012)
    for shape in shapes:
        if shape.role == "visual":
            T = np.asarray(shape.T_link_geometry)
            reach = extent(shape.kind, shape.size, T[:3, :3])
            assert (np.abs(T[:3, 3] - middle) + reach <= half + 1e-9).all(), shape


def extent(kind: str, size: tuple[float, ...], R: np.ndarray) -> np.ndarray:
    """Half edges of the box around a shape."""
    match kind:
        case "box":
            return np.abs(R) @ (0.5 * np.array(size))
        case "ellipsoid":
            return np.sqrt(np.square(R) @ np.square(size))
        case "capsule":
            return size[0] + np.abs(R[:, 2]) * size[1] / 2.0
        case _:  # cylinder
            z = R[:, 2]
            return size[0] * np.sqrt(1.0 - z**2) + np.abs(z) * size[1] / 2.0


def test_the_catalogue_knows_its_sources() -> None:
    entry = catalog.describe("nao")
    assert entry.joints == "R" * 25
    assert "Aldebaran" in entry.provenance
