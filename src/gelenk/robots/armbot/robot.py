"""ArmBot's Simple Arm: a stand that turns, and two segments that swing up and down.

After Roth 2021, ArmBot §5.2. The paper states no lengths; 0.20 m, 0.30 m and 0.25 m and
the servo speed of 90 deg/s are those of our tests. Femur and tibia turn in the x-z
plane, positive upwards (about -y); the tibia counts from the direction of the femur.
Tool: `mount`, the point where a gripper is fitted. No joint limits; the paper's arm
knows no masses, here they are filled tubes of a chosen density.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from gelenk.models.assembler import assemble
from gelenk.models.catalog.registry import RobotSpec
from gelenk.models.catalog.shapes import (
    BLUE,
    DARK,
    ORANGE,
    capsule,
    cylinder,
    shift,
    solid,
)
from gelenk.models.link import JointType, Link
from gelenk.models.tree import RobotModel

Point: TypeAlias = tuple[float, float, float]

STAND, FEMUR, TIBIA = 0.20, 0.30, 0.25  # [m]
SERVO_SPEED = np.pi / 2.0  # [rad/s]
DENSITY = 500.0  # [kg/m^3]
_HOME = tuple(
    np.deg2rad((10.0, 40.0, -60.0)).tolist()
)  # [rad], start of the tests' searches


def make_simple_arm() -> RobotModel:
    """Return the Simple Arm."""
    up = (0.0, -1.0, 0.0)
    links = [
        Link(name="base", geometry=(cylinder((0, 0, -0.02), (0, 0, 0), 0.07, DARK),)),
        _segment("stand", "base", (0, 0, 0), (0, 0, 1), (0, 0, STAND), _HOME[0]),
        _segment("femur", "stand", (0, 0, STAND), up, (FEMUR, 0, 0), _HOME[1]),
        _segment("tibia", "femur", (FEMUR, 0, 0), up, (TIBIA, 0, 0), _HOME[2]),
        Link(name="mount", parent="tibia", T_parent_joint=shift(x=TIBIA)),
    ]
    return assemble("simple_arm", links, tool="mount")


def _segment(
    name: str, parent: str, at: Point, axis: Point, end: Point, home: float
) -> Link:
    """Return a segment from its servo, `at` in the parent, to `end` in its frame."""
    reach = 0.03 * np.asarray(axis)
    shapes = (
        cylinder(-reach, reach, 0.025, DARK),
        capsule((0, 0, 0), end, 0.015, ORANGE if name == "femur" else BLUE),
    )
    mass, com, inertia = solid(shapes, DENSITY)
    return Link(
        name=name,
        parent=parent,
        joint=name,
        joint_type=JointType.REVOLUTE,
        T_parent_joint=shift(*at),
        axis=axis,
        mass=mass,
        com=com,
        inertia=inertia,
        max_velocity=SERVO_SPEED,
        home=home,
        geometry=shapes,
    )


SPEC = RobotSpec(
    name="simple_arm",
    title="Simple Arm: stand, femur, tibia",
    joints="RRR",
    provenance=(
        "Roth 2021, ArmBot §5.2; lengths and speed of its tests; masses chosen here"
    ),
    make=make_simple_arm,
)
