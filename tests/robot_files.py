"""Robot files for the tests of readers and writers, and a textbook tree to judge them.

`world_poses` shares no code with the package: matrix products and Rodrigues over the
arrays of a model. `assert_same_model` compares two models field by field.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from gelenk.models.link import JointType
from gelenk.models.tree import RobotModel

URDF = """<?xml version="1.0"?>
<robot name="crane" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <!-- a branching robot that uses every element the reader knows -->
  <material name="steel"><color rgba="0.5 0.5 0.6 1"/></material>
  <link name="base">
    <inertial>
      <origin xyz="0.1 0 0.05" rpy="0.3 -0.2 1.1"/>
      <mass value="12"/>
      <inertia ixx="0.3" ixy="0.01" ixz="-0.02" iyy="0.4" iyz="0.03" izz="0.5"/>
    </inertial>
    <visual name="plate">
      <origin xyz="0 0 0.1" rpy="0 0 0.5"/>
      <geometry><box size="0.4 0.3 0.1"/></geometry>
      <material name="steel"/>
    </visual>
    <collision><geometry><cylinder radius="0.2" length="0.1"/></geometry></collision>
  </link>
  <link name="mast">
    <inertial><mass value="4"/>
      <inertia ixx="0.2" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.1"/></inertial>
    <visual><geometry><mesh filename="package://crane/mast.dae" scale="1 1 -1"/></geometry>
      <material name="red"><color rgba="1 0 0 0.5"/></material></visual>
  </link>
  <link name="boom">
    <inertial><origin xyz="0.4 0 0"/><mass value="3"/>
      <inertia ixx="0.01" ixy="0.002" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
    <visual><geometry><capsule radius="0.05" length="0.8"/></geometry>
      <material name="red"/></visual>
    <collision name="tip"><geometry><sphere radius="0.06"/></geometry></collision>
  </link>
  <link name="trolley"/>
  <link name="hook"/>
  <link name="finger_left"/>
  <link name="finger_right"/>
  <joint name="slew" type="continuous">
    <origin xyz="0 0 0.2" rpy="0.1 0.2 0.3"/>
    <parent link="base"/><child link="mast"/>
    <axis xyz="0 0 2"/>
    <limit effort="80" velocity="1.5"/>
    <dynamics damping="0.7" friction="0.1"/>
    <calibration rising="0.0"/>
    <safety_controller k_velocity="10"/>
  </joint>
  <joint name="luff" type="revolute">
    <origin xyz="0.1 0 1.2" rpy="1.5707963267948966 0 0"/>
    <parent link="mast"/><child link="boom"/>
    <limit lower="-0.5" upper="1.2" effort="200" velocity="0.5"/>
  </joint>
  <joint name="travel" type="prismatic">
    <origin xyz="0.05 0 0"/>
    <parent link="boom"/><child link="trolley"/>
    <axis xyz="1 0.2 -0.1"/>
    <limit lower="0" upper="0.7" effort="50" velocity="0.3"/>
  </joint>
  <joint name="mount" type="fixed">
    <origin xyz="0 0 -0.3" rpy="3.141592653589793 0 0.7"/>
    <parent link="trolley"/><child link="hook"/>
  </joint>
  <joint name="grip" type="prismatic">
    <parent link="hook"/><child link="finger_left"/>
    <axis xyz="0 1 0"/>
    <limit lower="0" upper="0.04" effort="5" velocity="0.1"/>
  </joint>
  <joint name="grip_mimic" type="prismatic">
    <parent link="hook"/><child link="finger_right"/>
    <axis xyz="0 1 0"/>
    <limit lower="-0.04" upper="0" effort="5" velocity="0.1"/>
    <mimic joint="grip" multiplier="-0.5" offset="-0.01"/>
  </joint>
  <transmission name="t"><type>simple</type><joint name="slew"/></transmission>
  <gazebo reference="base"><material>Gazebo/Red</material></gazebo>
</robot>
"""

MJCF = """<mujoco model="walker">
  <compiler eulerseq="zYx" meshdir="meshes"/>
  <option gravity="0.1 0.2 -9.7"/>
  <default>
    <joint damping="0.5" axis="0 1 0"/>
    <geom density="700" rgba="0.2 0.4 0.6 1"/>
    <mesh scale="0.001 0.001 0.001"/>
    <default class="leg">
      <joint range="-100 40" armature="0.02"/>
      <geom type="capsule" size="0.03" contype="0" conaffinity="0"/>
      <default class="shin"><joint ref="-30" frictionloss="0.3"/></default>
    </default>
  </default>
  <asset>
    <mesh file="trunk.stl"/>
    <material name="skin" rgba="0.9 0.7 0.6 1"/>
  </asset>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="rail" pos="0 0 1.5" euler="10 20 30">
      <joint name="slide_x" type="slide" axis="1 0 0" range="-2 2"
             actuatorfrcrange="-40 40"/>
      <inertial mass="5" pos="0.01 0.02 0.03" quat="1 0.1 0.2 0.3"
                diaginertia="0.05 0.04 0.03"/>
      <geom type="mesh" mesh="trunk" material="skin" contype="0" conaffinity="0"/>
      <site name="imu" pos="0 0 0.1" axisangle="1 1 0 45"/>
      <frame pos="0 0.1 0" xyaxes="0 1 0 -1 0 0.2" childclass="leg">
        <body name="thigh" pos="0 0 -0.05">
          <joint name="hip_roll" axis="1 0 0" pos="0 0.02 0.03"/>
          <joint name="hip_pitch" pos="0.01 0 0.04" ref="20"/>
          <geom fromto="0 0 0 0.05 0 -0.3"/>
          <geom type="box" size="0.02 0.03 0.04" pos="0.1 0 0" euler="30 0 0" mass="0.4"/>
          <body name="shin" pos="0.05 0 -0.3" zaxis="0.1 0.2 1">
            <joint name="knee" class="shin"/>
            <geom type="cylinder" size="0.02 0.1" pos="0 0 -0.1"/>
            <geom type="ellipsoid" size="0.05 0.02 0.03" pos="0 0 -0.25"/>
            <site name="foot" pos="0 0 -0.3" quat="0 1 0 0"/>
          </body>
        </body>
      </frame>
      <body name="head" pos="0 0 0.2"><geom size="0.1"/></body>
    </body>
  </worldbody>
  <equality><joint joint1="knee" joint2="hip_pitch" polycoef="0.1 -0.7"/></equality>
  <actuator><motor joint="slide_x"/><motor joint="hip_pitch"/></actuator>
  <keyframe><key name="home" qpos="0.5 0.1 0.2 0.3"/></keyframe>
</mujoco>
"""

LINK_FIELDS = (
    "parent", "joint_type", "T_parent_joint", "mass", "com", "inertia", "mimic",
    "multiplier", "offset", "gravity",
)  # fmt: skip
# Without meaning for links that do not move.
JOINT_FIELDS = (
    "axis", "lower", "upper", "max_velocity", "max_effort", "damping", "friction",
    "armature", "is_passive", "home",
)  # fmt: skip


def world_poses(
    model: RobotModel,
    values: Mapping[str, float],
    T_world_base: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """Pose of every link in the world, for joint values by joint name (others 0)."""
    poses: list[np.ndarray] = []
    for i, joint in enumerate(model.joint_names_all):
        k = int(model.mimic[i])
        value = values.get(model.joint_names_all[k] if k >= 0 else joint, 0.0)
        value = model.multiplier[i] * value + model.offset[i] if k >= 0 else value
        T = np.array(model.T_parent_joint[i])
        if i == 0:
            T = T if T_world_base is None else T_world_base
        else:
            T = poses[model.parent[i]] @ T @ motion(model, i, value)
        poses.append(T)
    return dict(zip(model.link_names, poses, strict=True))


def motion(model: RobotModel, i: int, value: float) -> np.ndarray:
    """Motion of joint i, by Rodrigues' formula or along its axis."""
    T, (x, y, z) = np.eye(4), model.axis[i]
    if model.joint_type[i] == JointType.REVOLUTE:
        K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        T[:3, :3] += math.sin(value) * K + (1.0 - math.cos(value)) * K @ K
    elif model.joint_type[i] == JointType.PRISMATIC:
        T[:3, 3] = value * model.axis[i]
    return T


def centre_of_mass(model: RobotModel, poses: Mapping[str, np.ndarray]) -> np.ndarray:
    """Common centre of mass in the world [m]."""
    points = [
        (poses[name] @ [*com, 1.0])[:3]
        for name, com in zip(model.link_names, model.com, strict=True)
    ]
    return np.average(points, axis=0, weights=model.mass)


def assert_same_model(
    ours: RobotModel, expected: RobotModel, *, atol: float = 0.0, without: str = ""
) -> None:
    """Compare two models; `without` names fields that may differ."""
    assert ours.name == expected.name
    assert ours.link_names == expected.link_names
    assert ours.joint_names_all == expected.joint_names_all
    if "tool" not in without:
        assert ours.tool == expected.tool
    moves = np.isin(expected.joint_type, [JointType.REVOLUTE, JointType.PRISMATIC])
    for name in (*LINK_FIELDS, *JOINT_FIELDS):
        if name in without.split():
            continue
        a, b = getattr(ours, name), getattr(expected, name)
        a, b = (a[moves], b[moves]) if name in JOINT_FIELDS else (a, b)
        np.testing.assert_allclose(a, b, rtol=0.0, atol=atol, err_msg=name)
    assert len(ours.loops) == len(expected.loops)
    for a, b in zip(ours.loops, expected.loops, strict=True):
        assert (a.name, a.kind, a.links) == (b.name, b.kind, b.links)
        assert a.branch == b.branch
        np.testing.assert_allclose(a.T_link_frame, b.T_link_frame, rtol=0, atol=atol)
        np.testing.assert_allclose(a.length, b.length, rtol=0.0, atol=atol + 1e-15)
    assert_same_shapes(ours, expected, atol=atol, without=without)


def assert_same_shapes(
    ours: RobotModel, expected: RobotModel, *, atol: float, without: str
) -> None:
    if "geometry" in without:
        return
    for row, wanted in zip(ours.geometry, expected.geometry, strict=True):
        assert len(row) == len(wanted)
        for a, b in zip(row, wanted, strict=True):
            assert (a.kind, a.role, a.name, a.mesh) == (b.kind, b.role, b.name, b.mesh)
            assert a.size == b.size
            assert a.rgba == b.rgba
            np.testing.assert_allclose(
                a.T_link_geometry, b.T_link_geometry, rtol=0.0, atol=atol
            )
