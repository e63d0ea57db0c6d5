"""Stewart platform: six legs that change their length.

Geometry of the course's example: base joints on a circle of 1 m at -10, 10, 110, 130,
230, 250 deg, platform joints on a circle of 0.5 m at -50, 50, 70, 170, 190, 290 deg.
Strokes and masses are chosen. Tool: `platform`. `joint_1` to `joint_6` are the leg
lengths themselves [m], from joint centre to joint centre.

**Model.** Each leg stands on a universal joint (two passive hinges), slides, and closes
on the platform in a point (a ball joint). The platform has six passive coordinates:
x, y, z, yaw, pitch, roll. 18 + 6 coordinates - 18 equations leave mobility 6, none of
the equations redundant. At home the hinges of every leg are at zero with the leg across
both axes, as far as possible from the universal joint's singularity; the platform's
angles are singular at a pitch of 90 deg only.
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
    sphere,
    with_z,
)
from gelenk.models.link import JointType, Link, Loop
from gelenk.models.tree import RobotModel
from gelenk.typing import FloatArray

BASE_RADIUS, PLATFORM_RADIUS = 1.0, 0.5  # [m]
BASE_DEG = (-10.0, 10.0, 110.0, 130.0, 230.0, 250.0)
PLATFORM_DEG = (-50.0, 50.0, 70.0, 170.0, 190.0, 290.0)
HOME = (0.0, 0.0, 1.0)  # [m], of the platform, unturned
STROKE = (0.85, 1.6)  # [m], leg lengths, chosen
TUBE = 0.8  # [m], of the lower and of the upper part of a leg, chosen
DENSITY = 1500.0  # [kg/m^3], chosen


def make_stewart() -> RobotModel:
    """Return the Stewart platform."""
    base_points = _circle(BASE_RADIUS, BASE_DEG)
    platform_points = _circle(PLATFORM_RADIUS, PLATFORM_DEG)
    joints = tuple(sphere(tuple(p), 0.045, DARK) for p in base_points)
    floor = cylinder((0, 0, -0.06), (0, 0, -0.04), BASE_RADIUS + 0.1, GREY)
    links = [Link(name="base", geometry=(floor, *joints))]
    loops: list[Loop] = []
    for i, (foot, head) in enumerate(
        zip(base_points, platform_points, strict=True), start=1
    ):
        links += _leg(i, foot, head + HOME - foot)
        loops.append(
            Loop(
                name=f"ball_{i}",
                links=(f"rod_{i}", "platform"),
                T_link_frame=np.stack([np.eye(4), shift(*head)]),
            )
        )
    return assemble("stewart", [*links, *_platform()], loops=loops, tool="platform")


def _circle(radius: float, degrees: tuple[float, ...]) -> FloatArray:
    angle = np.deg2rad(degrees)
    return radius * np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)


def _leg(i: int, foot: FloatArray, way: FloatArray) -> list[Link]:
    """Return the two hinges and the slider of leg i, whose home direction is `way`."""
    tube = (cylinder((0, 0, 0.03), (0, 0, TUBE), 0.035, ORANGE),)
    rod = (capsule((0, 0, -TUBE), (0, 0, 0), 0.02, GREY), sphere((0, 0, 0), 0.04, DARK))
    tube_body, rod_body = solid(tube, DENSITY), solid(rod, DENSITY)
    return [
        Link(
            name=f"cross_{i}",
            parent="base",
            joint=f"swing_{i}",
            joint_type=JointType.REVOLUTE,
            T_parent_joint=with_z(foot, way),
            axis=(1.0, 0.0, 0.0),
            is_passive=True,
        ),
        Link(
            name=f"tube_{i}",
            parent=f"cross_{i}",
            joint=f"tilt_{i}",
            joint_type=JointType.REVOLUTE,
            axis=(0.0, 1.0, 0.0),
            is_passive=True,
            mass=tube_body[0],
            com=tube_body[1],
            inertia=tube_body[2],
            geometry=tube,
        ),
        Link(
            name=f"rod_{i}",
            parent=f"tube_{i}",
            joint=f"joint_{i}",
            joint_type=JointType.PRISMATIC,
            lower=STROKE[0],
            upper=STROKE[1],
            home=float(np.sqrt(way @ way)),
            mass=rod_body[0],
            com=rod_body[1],
            inertia=rod_body[2],
            geometry=rod,
        ),
    ]


def _platform() -> list[Link]:
    """Return the platform on its six passive coordinates x, y, z, yaw, pitch, roll."""
    plate = (
        cylinder((0, 0, 0.0), (0, 0, 0.02), PLATFORM_RADIUS, BLUE),
        cylinder((0, 0, 0.02), (0, 0, 0.05), 0.1, DARK),
    )
    mass, com, inertia = solid(plate, DENSITY)
    steps = (
        ("slide_x", JointType.PRISMATIC, 0, HOME[0]),
        ("slide_y", JointType.PRISMATIC, 1, HOME[1]),
        ("slide_z", JointType.PRISMATIC, 2, HOME[2]),
        ("yaw", JointType.REVOLUTE, 2, 0.0),
        ("pitch", JointType.REVOLUTE, 1, 0.0),
        ("roll", JointType.REVOLUTE, 0, 0.0),
    )
    links: list[Link] = []
    for joint, kind, axis, home in steps:
        last = joint == "roll"
        links.append(
            Link(
                name="platform" if last else f"platform_{joint}",
                parent=links[-1].name if links else "base",
                joint=joint,
                joint_type=kind,
                axis=np.eye(3)[axis],
                is_passive=True,
                home=home,
                mass=mass if last else 0.0,
                com=com if last else np.zeros(3),
                inertia=inertia if last else np.zeros((3, 3)),
                geometry=plate if last else (),
            )
        )
    return links
