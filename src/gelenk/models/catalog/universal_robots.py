"""Universal Robots UR5e.

- DH rows, masses, centres of mass in S_i: Universal Robots, article "DH parameters for
  calculations of kinematics and dynamics", UR5e.
- Inertia tensors in the axes of S_i, joint limits, speeds, torques:
  UniversalRobots/Universal_Robots_ROS2_Description, config/ur5e,
  physical_parameters.yaml at 3426d674 and joint_limits.yaml at 1c32d8fb.

`base` is the frame "base" of the robot's controller; ROS's `base_link` is `base` turned
by pi about z. Joints 1 to 6 are shoulder_pan, shoulder_lift, elbow, wrist_1, wrist_2,
wrist_3. The elbow could turn by +-2 pi; like the ROS description we stop it at +-pi,
since the upper arm is in the way. Tool: `link_6`, the flange, ROS's `tool0`.
"""

from __future__ import annotations

import numpy as np

from gelenk.models.assembler import assemble
from gelenk.models.catalog.shapes import BLUE, DARK, GREY, capsule, cylinder
from gelenk.models.dh import DhRow, links_from_dh
from gelenk.models.link import Geometry, Link
from gelenk.models.tree import RobotModel

# Columns: d [m], a [m], alpha [rad].
_DH = (
    (0.1625, 0.0, np.pi / 2.0),
    (0.0, -0.425, 0.0),
    (0.0, -0.3922, 0.0),
    (0.1333, 0.0, np.pi / 2.0),
    (0.0997, 0.0, -np.pi / 2.0),
    (0.0996, 0.0, 0.0),
)
# mass [kg], centre of mass [m], xx xy xz yy yz zz about it [kg m^2], all in S_i
_INERTIAL = (
    (
        3.761,
        (0.0, -0.02561, 0.00193),
        (0.00700210, 0.00000073, -0.00001053, 0.00648091, 0.00049994, 0.00657286),
    ),
    (
        8.058,
        (0.2125, 0.0, 0.11336),
        (0.01505885, -0.00005400, 0.00000563, 0.33388086, -0.00000181, 0.33247207),
    ),
    (
        2.846,
        (0.15, 0.0, 0.0265),
        (0.00399632, -0.00001365, 0.00137272, 0.07879254, -0.00000660, 0.07848510),
    ),
    (
        1.37,
        (0.0, -0.0018, 0.01634),
        (0.00165491, -0.00000282, -0.00000438, 0.00135962, 0.00010157, 0.00126279),
    ),
    (
        1.3,
        (0.0, 0.0018, 0.01634),
        (0.00135617, -0.00000274, 0.00000444, 0.00127827, -0.00005048, 0.00096614),
    ),
    (
        0.365,
        (0.0, 0.0, -0.001159),
        (0.00018694, 0.00000006, -0.00000017, 0.00018908, -0.00000092, 0.00025756),
    ),
)
_RANGE = (2.0, 2.0, 1.0, 2.0, 2.0, 2.0)  # [pi rad], both ways
_SPEED = np.pi  # [rad/s], all joints: 180 deg/s
_TORQUE = (150.0, 150.0, 150.0, 28.0, 28.0, 28.0)  # [N m]
_HOME = (-0.5, -0.5, 0.5, -0.5, -0.5, 0.0)  # [pi rad], tool down; chosen


def make_ur5e() -> RobotModel:
    """Return the UR5e."""
    rows: list[DhRow] = []
    for i, ((d, a, alpha), (mass, com, tensor), shapes) in enumerate(
        zip(_DH, _INERTIAL, _draw(), strict=True)
    ):
        xx, xy, xz, yy, yz, zz = tensor
        rows.append(
            DhRow(
                d=d,
                a=a,
                alpha=alpha,
                mass=mass,
                com=com,
                inertia=((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)),
                lower=-_RANGE[i] * np.pi,
                upper=_RANGE[i] * np.pi,
                max_velocity=_SPEED,
                max_effort=_TORQUE[i],
                home=_HOME[i] * np.pi,
                geometry=shapes,
            )
        )
    foot = Link(name="base", geometry=(cylinder((0, 0, 0), (0, 0, 0.1), 0.075, DARK),))
    return assemble("ur5e", [foot, *links_from_dh(rows, parent="base")], tool="link_6")


def _draw() -> tuple[tuple[Geometry, ...], ...]:
    """Return the shapes of links 1 to 6 in S_i.

    The arm tubes run beside their axes by the offsets of the ROS description: shoulder
    0.138 m, elbow 0.007 m. Radii are measured by eye.
    """
    side, inner = 0.138, 0.007
    shoulder = (
        cylinder((0, -0.06, 0), (0, 0.06, 0), 0.06, GREY),
        cylinder((0, 0, 0), (0, 0, 0.075), 0.06, BLUE),
    )
    upper_arm = (
        cylinder((0.425, 0, side - 0.06), (0.425, 0, side + 0.06), 0.06, GREY),
        capsule((0.425, 0, side), (0, 0, side), 0.05, GREY),
        cylinder((0, 0, side + 0.05), (0, 0, 0.07), 0.055, BLUE),
    )
    forearm = (
        cylinder((0.3922, 0, inner - 0.05), (0.3922, 0, 0.065), 0.05, GREY),
        capsule((0.3922, 0, inner), (0, 0, inner), 0.038, GREY),
        cylinder((0, 0, inner - 0.04), (0, 0, 0.08), 0.04, BLUE),
    )
    wrist_1 = (
        cylinder((0, -0.05, 0), (0, 0.045, 0), 0.04, GREY),
        cylinder((0, 0, 0), (0, 0, 0.05), 0.04, BLUE),
    )
    wrist_2 = (
        cylinder((0, -0.045, 0), (0, 0.05, 0), 0.04, GREY),
        cylinder((0, 0, 0), (0, 0, 0.05), 0.04, BLUE),
    )
    wrist_3 = (cylinder((0, 0, -0.045), (0, 0, 0), 0.0375, DARK),)
    return shoulder, upper_arm, forearm, wrist_1, wrist_2, wrist_3
