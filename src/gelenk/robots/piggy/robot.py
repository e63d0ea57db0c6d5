"""Piggy, the ball-batting unit: a rod with a sphere on two servos, roll under tilt.

- Lengths, masses, servos: Hammer 2011 §3.3.1, §3.3.2 (Dynamixel EX-106+, 14.8 V).
- The distance between the axes stands only in a figure that is lost: chosen, of the
  size of a servo. The tilt axis lies above the roll axis: with the printed sign,
  forward and inverse kinematics contradict each other.
- Masses are distributed: sphere, tube, mount; with them the rod's rubber cover (mass
  from its volume and 65 kg/m^3) and the tilt servo that the roll axis carries.

Root `housing`: its front right corner on the floor; x to the robot's right, y towards
the thrower, z up. `carrier` turns about y (roll, positive to the right), `bat` about
the carrier's x (tilt, positive to the back). Their frames are those of the thesis: z
along the motor's axis, y down. Tool: `sphere`, the centre of the bat's sphere.
"""

from __future__ import annotations

import numpy as np

from gelenk.models.assembler import assemble
from gelenk.models.catalog.registry import RobotSpec
from gelenk.models.catalog.shapes import (
    DARK,
    GREY,
    ORANGE,
    WHITE,
    box,
    capsule,
    cylinder,
    shift,
    sphere,
)
from gelenk.models.link import JointType, Link
from gelenk.models.tree import RobotModel
from gelenk.typing import FloatArray

# -- lengths [m] -----------------------------------------------------------------------

ROLL_ORIGIN = (-0.305, -0.23, 0.898)  # on the roll axis, in the world (4.1)
AXIS_OFFSET = 0.06  # roll to tilt axis; chosen, 0.04 to 0.09 fit a servo
BAT_LENGTH = 0.84  # tilt axis to the sphere's centre
SPHERE_RADIUS = 0.125
TUBE_DIAMETERS = (0.014, 0.011)  # outer, inner
TUBE_LENGTH = 0.9
TUBE_START = 0.065  # from the tilt axis: the tube reaches beyond the sphere's centre
MOUNT_LENGTH = 0.14
FREE_LENGTH = 0.575  # of the tube, between mount and sphere
COVER_THICKNESS = 0.015  # synthetic rubber around the free tube
HOUSING = (0.61, 0.46, 0.84)  # chosen: the roll axis above its middle

# -- masses [kg] -----------------------------------------------------------------------

SPHERE_MASS = 0.230
TUBE_MASS = 0.092 * TUBE_LENGTH  # 92 g/m
BAT_MASS = 0.335  # mount, tube and sphere
MOUNT_MASS = BAT_MASS - SPHERE_MASS - TUBE_MASS
COVER_MASS = 0.050  # estimated, not in the 335 g
SERVO_MASS = 0.154

# -- servos ----------------------------------------------------------------------------

ANGLE_LIMIT = np.pi / 2.0  # [rad], end stops of the 180 degree range
MAX_SPEED = np.deg2rad(437.0)  # [rad/s], without load at 14.8 V: 0.8 of 546 deg/s
MAX_TORQUE = 8.39  # [N m], stall at 14.8 V: 0.8 of 10.49 N m

# Poses of the joints [m], columns: the frames' axes (4.1), (4.3).
T_HOUSING_ROLL = np.array(
    [[1, 0, 0, ROLL_ORIGIN[0]], [0, 0, 1, ROLL_ORIGIN[1]], [0, -1, 0, ROLL_ORIGIN[2]],
     [0, 0, 0, 1]], dtype=np.float64)  # fmt: skip
T_ROLL_TILT = np.array(
    [[0, 0, 1, 0], [0, 1, 0, -AXIS_OFFSET], [-1, 0, 0, 0], [0, 0, 0, 1]],
    dtype=np.float64)  # fmt: skip
T_HOUSING_ROLL.setflags(write=False)
T_ROLL_TILT.setflags(write=False)


def make_piggy() -> RobotModel:
    """Return the unit with everything it carries."""
    return make_unit()


def make_unit(
    *, cover: bool = True, servo: bool = True, home_tilt: float = np.pi / 6.0
) -> RobotModel:
    """Return the unit, if wished without what the printed sums leave out.

    Args:
        cover: Whether the rubber cover of the rod has its mass.
        servo: Whether the tilt servo has its mass.
        home_tilt: Tilt of the home pose [rad].
    """
    mass, com, inertia = bat_inertia(cover=cover)
    limits = {
        "joint_type": JointType.REVOLUTE,
        "lower": -ANGLE_LIMIT,
        "upper": ANGLE_LIMIT,
        "max_velocity": MAX_SPEED,
        "max_effort": MAX_TORQUE,
    }
    width, depth, height = HOUSING
    middle = (-width / 2.0, -depth / 2.0, height / 2.0)
    radius = TUBE_DIAMETERS[0] / 2.0
    free = (MOUNT_LENGTH, MOUNT_LENGTH + FREE_LENGTH)
    links = (
        Link(name="housing", geometry=(box(middle, HOUSING, GREY),)),
        Link(
            name="carrier",
            parent="housing",
            joint="roll",
            T_parent_joint=T_HOUSING_ROLL,
            mass=SERVO_MASS if servo else 0.0,
            com=(0.0, -AXIS_OFFSET, 0.0),
            inertia=_servo_inertia() if servo else np.zeros((3, 3)),
            geometry=(box((0.0, -AXIS_OFFSET, 0.0), (0.0653, 0.0401, 0.0501), DARK),),
            **limits,
        ),
        Link(
            name="bat",
            parent="carrier",
            joint="tilt",
            T_parent_joint=T_ROLL_TILT,
            mass=mass,
            com=(0.0, -com, 0.0),
            inertia=inertia,
            home=home_tilt,
            geometry=(
                cylinder((0, 0, 0), (0, -MOUNT_LENGTH, 0), 2.0 * radius, DARK),
                capsule(
                    (0, -free[0], 0), (0, -free[1], 0), radius + COVER_THICKNESS, GREY
                ),
                sphere((0.0, -BAT_LENGTH, 0.0), SPHERE_RADIUS, WHITE),
                cylinder((0, -0.962, 0), (0, -0.968, 0), 1.5 * radius, ORANGE),
            ),
            **limits,
        ),
        Link(
            name="sphere",
            parent="bat",
            T_parent_joint=shift(0.0, -BAT_LENGTH, 0.0),
        ),
    )
    return assemble("piggy", links, tool="sphere")


def bat_inertia(*, cover: bool) -> tuple[float, float, FloatArray]:
    """Return mass [kg], distance of its centre [m] and inertia about that centre.

    The rod is thin, the sphere solid; the inertia is in axes of the tilt frame, whose
    y axis is the rod, shape (3, 3) [kg m^2].
    """
    middle = MOUNT_LENGTH + FREE_LENGTH / 2.0
    pieces = [  # mass, centre's place, length along the rod, squared gyration radius
        (SPHERE_MASS, BAT_LENGTH, 0.0, 0.4 * SPHERE_RADIUS**2),
        (TUBE_MASS, TUBE_START + TUBE_LENGTH / 2.0, TUBE_LENGTH, 0.0),
        (MOUNT_MASS, MOUNT_LENGTH / 2.0, MOUNT_LENGTH, 0.0),
    ]
    if cover:
        pieces.append((COVER_MASS, middle, FREE_LENGTH, 0.0))
    mass = sum(m for m, *_ in pieces)
    com = sum(m * place for m, place, *_ in pieces) / mass
    across = sum(
        m * ((place - com) ** 2 + length**2 / 12.0 + own)
        for m, place, length, own in pieces
    )
    # About its own axis a thin tube has its wall's radius.
    tube = TUBE_MASS * (TUBE_DIAMETERS[0] ** 2 + TUBE_DIAMETERS[1] ** 2) / 8.0
    along = SPHERE_MASS * 0.4 * SPHERE_RADIUS**2 + tube
    return mass, com, np.diag([across, along, across])


def _servo_inertia() -> FloatArray:
    a, b, c = 0.0653, 0.0401, 0.0501  # [m], along x, y and z of the carrier
    return SERVO_MASS / 12.0 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])


SPEC = RobotSpec(
    name="piggy",
    title="Piggy's batting unit: roll, tilt, rod and sphere",
    joints="RR",
    provenance=(
        "Hammer 2011 §3.3 (lengths, masses, servos); distance of the axes chosen here"
    ),
    make=make_piggy,
)
