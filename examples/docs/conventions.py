"""The conventions as code: every line here is a sentence of the page."""

import numpy as np

import gelenk
from gelenk.spatial import quaternion_from_matrix, se3, so3
from gelenk.spatial.twist import change_twist_frame, change_wrench_frame

# --8<-- [start:frames]
T_world_base = se3.pose_from_rotation_translation(
    so3.rot_z(np.pi / 2.0), [1.0, 0.0, 0.0]
)
T_base_tool = se3.pose_from_rotation_translation(np.eye(3), [0.5, 0.0, 0.2])

T_world_tool = T_world_base @ T_base_tool  # touching names cancel
p_tool = np.array([0.0, 0.0, 0.1, 1.0])
p_world = T_world_tool @ p_tool

print("tool origin in world [m]:", T_world_tool[:3, 3].round(3))
print("point in world [m]:", p_world[:3].round(3))
print("base seen from tool [m]:", se3.inverse(T_base_tool)[:3, 3].round(3) + 0.0)
# --8<-- [end:frames]

# --8<-- [start:quaternion]
quat_world_base = quaternion_from_matrix(T_world_base[:3, :3])
print("w, x, y, z:", quat_world_base.round(4))
# --8<-- [end:quaternion]

# --8<-- [start:twist]
twist_tool = np.array([0.1, 0.0, 0.0, 0.0, 0.0, 2.0])  # [v; omega], [m/s], [rad/s]
wrench_tool = np.array([5.0, 0.0, 0.0, 0.0, 0.0, 0.3])  # [f; tau], [N], [N m]

# The same motion and the same force, told in the world frame.
twist_world = change_twist_frame(T_world_tool, twist_tool)
wrench_world = change_wrench_frame(T_world_tool, wrench_tool)

print("power in tool [W]:", round(float(twist_tool @ wrench_tool), 6))
print("power in world [W]:", round(float(twist_world @ wrench_world), 6))
# --8<-- [end:twist]

# --8<-- [start:jacobian]
arm = gelenk.load("planar2r")
q, qd = np.array([0.3, 0.8]), np.array([1.0, -0.5])

v_base_tool = arm.jacobian(q)[:3] @ qd  # velocity of the tool origin, base axes

step = 1e-6  # [s]
ahead, behind = arm.forward(q + step * qd), arm.forward(q - step * qd)
by_differences = (ahead - behind)[:3, 3] / (2.0 * step)
print("J qd:           ", v_base_tool.round(6))
print("by differences: ", by_differences.round(6))
# --8<-- [end:jacobian]

# --8<-- [start:floating]
from gelenk.models.urdf import model_from_urdf  # noqa: E402

BOX = """
<robot name="box"><link name="trunk"><inertial><mass value="2"/>
  <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="leg"><inertial><mass value="0.5"/>
  <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hip" type="revolute"><parent link="trunk"/><child link="leg"/>
    <origin xyz="0.2 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="10" velocity="5"/></joint></robot>
"""
box = model_from_urdf(BOX, base="floating")

q = np.concatenate([[0.0, 0.0, 0.5], [1.0, 0.0, 0.0, 0.0], [0.3]])  # xyz, wxyz, hip
qd = np.zeros(box.nv)  # [v; omega] of the trunk in world axes, then the hip
print("nq, nv:", box.nq, box.nv)
print("falls with [m/s^2]:", box.forward_dynamics(q, qd, qd)[:3].round(3) + 0.0)
# --8<-- [end:floating]
