"""Delta robot: three motors, three parallelograms, a platform that never turns.

Architecture of R. Clavel (1985). Dimensions of the course's example: motor axes on a
circle of 0.2 m, platform joints on one of 0.05 m, upper arms 0.2 m, lower arms 0.4 m;
masses are filled tubes of a chosen density. The motors' plane is z = 0, the platform
hangs below it; angles count from the horizontal downwards. Tool: `platform`.

**Model.** The parallelograms hold the platform's orientation, so it gets three passive
sliders and no hinge. One rod of each pair hangs on the elbow by two passive hinges and
closes on the platform in a point; the second rod mimics the first and stays parallel to
it without an equation of its own. 3 motors + 3 sliders + 6 hinges - 9 equations leave
mobility 3, none of the equations redundant.
"""

from __future__ import annotations

import numpy as np

from gelenk.models.assembler import assemble
from gelenk.models.catalog.shapes import (
    BLUE,
    DARK,
    GREY,
    ORANGE,
    capsule,
    cylinder,
    shift,
    solid,
)
from gelenk.models.link import Geometry, JointType, Link, Loop
from gelenk.models.tree import RobotModel
from gelenk.spatial.se3 import pose_from_rotation_translation
from gelenk.spatial.so3 import rot_z
from gelenk.typing import FloatArray

BASE_RADIUS, PLATFORM_RADIUS = 0.2, 0.05  # [m]
UPPER_ARM, LOWER_ARM = 0.2, 0.4  # [m]
AZIMUTH = (0.0, 2.0 * np.pi / 3.0, 4.0 * np.pi / 3.0)  # [rad], of the motors
HALF_WIDTH = 0.03  # [m], half the distance of a pair of rods, chosen
RANGE = (-np.pi / 4.0, np.pi / 2.0)  # [rad], of the motors, chosen
HOME = (0.0, 0.0, -0.4)  # [m], of the platform
DENSITY = 1500.0  # [kg/m^3], carbon fibre, chosen


def make_delta() -> RobotModel:
    """Return the delta robot; `joint_1` to `joint_3` are the motors."""
    plate = (
        cylinder((0, 0, -0.005), (0, 0, 0.015), PLATFORM_RADIUS, BLUE),
        cylinder((0, 0, -0.03), (0, 0, -0.005), 0.015, DARK),
    )
    mass, com, inertia = solid(plate, DENSITY)
    links = [Link(name="base", geometry=_frame())]
    loops: list[Loop] = []
    for i, azimuth in enumerate(AZIMUTH, start=1):
        links += _arm(i, azimuth)
        corner = _turned(azimuth) @ shift(PLATFORM_RADIUS, HALF_WIDTH)
        loops.append(
            Loop(
                name=f"arm_{i}",
                links=(f"rod_{i}a", "platform"),
                T_link_frame=np.stack([shift(x=LOWER_ARM), corner]),
            )
        )
    parents = ("base", "platform_x", "platform_y")
    for k, name in enumerate(("platform_x", "platform_y", "platform")):
        last = k == 2
        links.append(
            Link(
                name=name,
                parent=parents[k],
                joint=f"slide_{'xyz'[k]}",
                joint_type=JointType.PRISMATIC,
                axis=np.eye(3)[k],
                is_passive=True,
                home=HOME[k],
                mass=mass if last else 0.0,
                com=com if last else np.zeros(3),
                inertia=inertia if last else np.zeros((3, 3)),
                geometry=plate if last else (),
            )
        )
    return assemble("delta", links, loops=loops, tool="platform")


def _arm(i: int, azimuth: float) -> list[Link]:
    """Return the upper arm and the two rods of arm i, assembled at `HOME`."""
    shoulder, swing, side = _home_angles(azimuth)
    upper = (
        capsule((0, 0, 0), (UPPER_ARM, 0, 0), 0.012, ORANGE),
        cylinder((UPPER_ARM, -HALF_WIDTH, 0), (UPPER_ARM, HALF_WIDTH, 0), 0.008, DARK),
    )
    rod = (capsule((0, 0, 0), (LOWER_ARM, 0, 0), 0.005, GREY),)
    mass, com, inertia = solid(upper, DENSITY)
    links = [
        Link(
            name=f"upper_arm_{i}",
            parent="base",
            joint=f"joint_{i}",
            joint_type=JointType.REVOLUTE,
            T_parent_joint=_turned(azimuth) @ shift(x=BASE_RADIUS),
            axis=(0.0, 1.0, 0.0),
            mass=mass,
            com=com,
            inertia=inertia,
            lower=RANGE[0],
            upper=RANGE[1],
            home=shoulder,
            geometry=upper,
        )
    ]
    mass, com, inertia = solid(rod, DENSITY)
    for letter, y in (("a", HALF_WIDTH), ("b", -HALF_WIDTH)):
        elbow, tilt = f"elbow_{i}{letter}", f"tilt_{i}{letter}"
        links += [
            Link(
                name=f"knuckle_{i}{letter}",
                parent=f"upper_arm_{i}",
                joint=elbow,
                joint_type=JointType.REVOLUTE,
                T_parent_joint=shift(UPPER_ARM, y),
                axis=(0.0, 1.0, 0.0),
                mimic=None if letter == "a" else f"elbow_{i}a",
                is_passive=True,
                home=swing,
            ),
            Link(
                name=f"rod_{i}{letter}",
                parent=f"knuckle_{i}{letter}",
                joint=tilt,
                joint_type=JointType.REVOLUTE,
                mimic=None if letter == "a" else f"tilt_{i}a",
                is_passive=True,
                home=side,
                mass=mass,
                com=com,
                inertia=inertia,
                geometry=rod,
            ),
        ]
    return links


def _home_angles(azimuth: float) -> tuple[float, float, float]:
    """Return shoulder, elbow and tilt of an arm for the platform at `HOME`.

    In the arm's plane the elbow lies on a circle about the motor and on a sphere about
    the platform joint: a cos(t) + b sin(t) = c; the root with the elbow outwards.
    """
    p = rot_z(-azimuth) @ HOME
    p[0] += PLATFORM_RADIUS - BASE_RADIUS
    a, b = p[0], -p[2]
    c = (p @ p + UPPER_ARM**2 - LOWER_ARM**2) / (2.0 * UPPER_ARM)
    shoulder = np.arctan2(b, a) - np.arctan2(np.sqrt(a**2 + b**2 - c**2), c)
    rod = p - UPPER_ARM * np.array([np.cos(shoulder), 0.0, -np.sin(shoulder)])
    swing = np.arctan2(-rod[2], rod[0]) - shoulder
    return float(shoulder), float(swing), float(np.arcsin(rod[1] / LOWER_ARM))


def _turned(azimuth: float) -> FloatArray:
    """Return the pose in the base of the frame whose x points to a motor."""
    return pose_from_rotation_translation(rot_z(azimuth), np.zeros(3))


def _frame() -> tuple[Geometry, ...]:
    """Return the drawn frame: a disc above the motors and their housings."""
    housings: list[Geometry] = []
    for azimuth in AZIMUTH:
        T = _turned(azimuth)
        ends = [(T @ [BASE_RADIUS, y, 0.0, 1.0])[:3] for y in (-0.045, 0.045)]
        housings.append(cylinder(ends[0], ends[1], 0.02, DARK))
    return (cylinder((0, 0, 0.025), (0, 0, 0.035), BASE_RADIUS + 0.03, GREY), *housings)
