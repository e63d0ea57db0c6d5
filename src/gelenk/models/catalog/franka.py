"""Franka Emika Panda: the arm with seven joints, no gripper.

From frankaemika/franka_ros, folder franka_description/robots:

- joint frames, capsules: common/franka_arm.xacro at b2a62ff6;
- limits, speeds, torques: panda/joint_limits.yaml at b2a62ff6; accelerations, jerks:
  control parameters of the Franka Control Interface documentation;
- masses, centres, inertias: common/inertial.yaml at b2a62ff6. Identified, not official:
  C. Gaz et al., "Dynamic identification of the Franka Emika Panda robot with retrieval
  of feasible parameters using penalty-based optimization", IEEE RA-L 4(4), 2019;
- hand frame and tool centre point: common/franka_robot.xacro at 057a3d97.

The gripper is left out: no mass, no fingers. Its frames stay, so that poses can be
given where its fingers would close: `base` is `panda_link0` of the source, `link_1` to
`link_7` are `panda_link1` to `panda_link7`, `flange` is `panda_link8`, `hand` is
`panda_hand`, and the tool `hand_tcp` is `panda_hand_tcp`, 0.1034 m before the flange
and turned by -45 deg.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gelenk.models.assembler import assemble
from gelenk.models.catalog.shapes import (
    DARK,
    WHITE,
    Rgba,
    capsule,
    cylinder,
    hinge_arm,
    shift,
)
from gelenk.models.link import Geometry, Link
from gelenk.models.tree import RobotModel
from gelenk.spatial.se3 import pose_from_rotation_translation
from gelenk.spatial.so3 import rot_x, rot_z

# Joint frame in its parent: position [m], turn about x [quarter turns].
_JOINTS = (
    ((0.0, 0.0, 0.333), 0),
    ((0.0, 0.0, 0.0), -1),
    ((0.0, -0.316, 0.0), 1),
    ((0.0825, 0.0, 0.0), 1),
    ((-0.0825, 0.384, 0.0), -1),
    ((0.0, 0.0, 0.0), 1),
    ((0.088, 0.0, 0.0), 1),
)
_FLANGE_Z = 0.107  # [m], in link 7
_HAND_YAW = -np.pi / 4.0  # [rad], hand on the flange
_TCP_Z = 0.1034  # [m], in the hand

# mass [kg], centre of mass [m], xx xy xz yy yz zz about it [kg m^2]; base first
_INERTIAL = (
    (
        0.629769,
        (-0.041018, -0.00014, 0.049974),
        (0.00315, 8.2904e-07, 0.00015, 0.00388, 8.2299e-06, 0.004285),
    ),
    (
        4.970684,
        (0.003875, 0.002081, -0.04762),
        (0.70337, -0.000139, 0.006772, 0.70661, 0.019169, 0.009117),
    ),
    (
        0.646926,
        (-0.003141, -0.02872, 0.003495),
        (0.007962, -0.003925, 0.010254, 0.02811, 0.000704, 0.025995),
    ),
    (
        3.228604,
        (0.027518, 0.039252, -0.066502),
        (0.037242, -0.004761, -0.011396, 0.036155, -0.012805, 0.01083),
    ),
    (
        3.587895,
        (-0.05317, 0.104419, 0.027454),
        (0.025853, 0.007796, -0.001332, 0.019552, 0.008641, 0.028323),
    ),
    (
        1.225946,
        (-0.011953, 0.041065, -0.038437),
        (0.035549, -0.002117, -0.004037, 0.029474, 0.000229, 0.008627),
    ),
    (
        1.666555,
        (0.060149, -0.014117, -0.010517),
        (0.001964, 0.000109, -0.001158, 0.004354, 0.000341, 0.005433),
    ),
    (
        0.735522,
        (0.010517, -0.004252, 0.061597),
        (0.012516, -0.000428, -0.001196, 0.010027, -0.000741, 0.004815),
    ),
)
_LOWER = (-2.8973, -1.7628, -2.8973, -3.0718, -2.8973, -0.0175, -2.8973)  # [rad]
_UPPER = (2.8973, 1.7628, 2.8973, -0.0698, 2.8973, 3.7525, 2.8973)  # [rad]
_SPEED = (2.175, 2.175, 2.175, 2.175, 2.61, 2.61, 2.61)  # [rad/s]
# Franka Control Interface documentation, "Necessary conditions", Panda
_ACCELERATION = (15.0, 7.5, 10.0, 12.5, 15.0, 20.0, 20.0)  # [rad/s^2]
_JERK = (7500.0, 3750.0, 5000.0, 6250.0, 7500.0, 10000.0, 10000.0)  # [rad/s^3]
_TORQUE = (87.0, 87.0, 87.0, 87.0, 12.0, 12.0, 12.0)  # [N m]
# [pi rad], ready pose of libfranka's examples
_HOME = (0.0, -0.25, 0.0, -0.75, 0.0, 0.5, 0.25)

# Self-collision capsules of the source, drawn: centre [m], axis, radius, length [m].
_CAPSULES = (
    (((-0.075, 0.0, 0.06), 0, 0.06, 0.03),),
    (((0.0, 0.0, -0.1915), 2, 0.06, 0.283),),
    (((0.0, 0.0, 0.0), 2, 0.06, 0.12),),
    (((0.0, 0.0, -0.145), 2, 0.06, 0.15),),
    (((0.0, 0.0, 0.0), 2, 0.06, 0.12),),
    (((0.0, 0.0, -0.26), 2, 0.06, 0.10), ((0.0, 0.08, -0.13), 2, 0.025, 0.14)),
    (((0.0, 0.0, -0.03), 2, 0.05, 0.08),),
    (((0.0, 0.0, 0.01), 2, 0.04, 0.14), ((0.06, 0.0, 0.082), 0, 0.03, 0.01)),
)


def make_panda() -> RobotModel:
    """Return the Panda arm."""
    bodies = [
        Link(
            name=f"link_{i}" if i else "base",
            mass=mass,
            com=com,
            inertia=((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)),
            geometry=_draw(i),
        )
        for i, (mass, com, (xx, xy, xz, yy, yz, zz)) in enumerate(_INERTIAL)
    ]
    frames = [
        pose_from_rotation_translation(rot_x(quarters * np.pi / 2.0), position)
        for position, quarters in _JOINTS
    ]
    links = hinge_arm(
        bodies,
        frames,
        lower=_LOWER,
        upper=_UPPER,
        max_velocity=_SPEED,
        max_effort=_TORQUE,
        home=np.pi * np.array(_HOME),
    )
    links[1:] = [
        replace(link, max_acceleration=a, max_jerk=j)
        for link, a, j in zip(links[1:], _ACCELERATION, _JERK, strict=True)
    ]
    T_flange_hand = pose_from_rotation_translation(rot_z(_HAND_YAW), np.zeros(3))
    links += [
        Link(name="flange", parent="link_7", T_parent_joint=shift(z=_FLANGE_Z)),
        Link(name="hand", parent="flange", T_parent_joint=T_flange_hand),
        Link(name="hand_tcp", parent="hand", T_parent_joint=shift(z=_TCP_Z)),
    ]
    return assemble("panda", links, tool="hand_tcp")


def _draw(i: int) -> tuple[Geometry, ...]:
    """Return the capsules of link i; link 7's are turned by 45 deg in the source."""
    rgba: Rgba = DARK if i in (2, 4, 6) else WHITE
    R = rot_z(np.pi / 4.0) if i == 7 else np.eye(3)
    shapes: list[Geometry] = []
    for centre, axis, radius, length in _CAPSULES[i]:
        along = np.zeros(3)
        along[axis] = length / 2.0
        ends = [R @ (np.asarray(centre) + s * along) for s in (-1.0, 1.0)]
        shapes.append(capsule(ends[0], ends[1], radius, rgba))
    if i == 0:
        shapes.append(cylinder((0, 0, 0), (0, 0, 0.14), 0.07, WHITE))
    return tuple(shapes)
