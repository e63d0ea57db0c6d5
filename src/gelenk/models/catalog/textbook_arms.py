"""Textbook arms: planar, RPR, SCARA and Stanford arms, and a double pendulum.

The planar arms lie in the plane of the paper of a textbook: joint axes along z, gravity
along -y. Unless said otherwise, the tool is the frame of the last DH row and no joint
has limits.
"""

from __future__ import annotations

import numpy as np

from gelenk.models.assembler import assemble
from gelenk.models.catalog.shapes import (
    BLUE,
    DARK,
    GREEN,
    ORANGE,
    box,
    capsule,
    cylinder,
    shift,
    sphere,
    tube_arm,
)
from gelenk.models.dh import DhRow
from gelenk.models.link import JointType, Link
from gelenk.models.tree import RobotModel

GRAVITY = (0.0, -9.81, 0.0)  # [m/s^2], down in the plane
DENSITY = 1000.0  # [kg/m^3], chosen: where no masses are given, filled tubes
_PLATE = (cylinder((0, 0, -0.08), (0, 0, -0.04), 0.07, DARK),)


def make_planar2r() -> RobotModel:
    """Return the 2R arm: 1.0 m and 0.8 m, point masses 2 kg and 1.5 kg at the ends."""
    rows = [
        DhRow(a=1.0, mass=2.0, home=np.deg2rad(30.0)),
        DhRow(a=0.8, mass=1.5, home=np.deg2rad(45.0)),
    ]
    links = tube_arm(rows, base=_PLATE)
    return assemble("planar2r", links, tool="link_2", gravity=GRAVITY)


def make_planar3r() -> RobotModel:
    """Return the 3R arm: 0.5 m, 0.4 m, 0.3 m."""
    rows = [DhRow(a=0.5, home=0.3), DhRow(a=0.4, home=0.4), DhRow(a=0.3, home=0.5)]
    links = tube_arm(rows, base=_PLATE, radius=(0.03, 0.025, 0.02), density=DENSITY)
    return assemble("planar3r", links, tool="link_3", gravity=GRAVITY)


def make_rp() -> RobotModel:
    """Return the RP arm: a hinge, then a slider along the turned x axis.

    Link 1: 2 kg, centre 0.3 m from the hinge, 0.1 kg m^2 about the normal of the plane;
    link 2: 1 kg at the end of the slider, 0.05 kg m^2. The plane's normal is y of both
    link frames; the moments about x are those of a slender body along z.
    """
    sleeve = (
        box((0, 0, 0.15), (0.06, 0.06, 0.3)),
        cylinder((0, -0.06, 0), (0, 0.06, 0), 0.05),
    )
    rows = [
        DhRow(
            theta=np.pi / 2.0,
            alpha=np.pi / 2.0,
            mass=2.0,
            com=(0.0, 0.0, 0.3),
            inertia=np.diag((0.1, 0.1, 0.0)),
            geometry=sleeve,
        ),
        DhRow(kind="P", mass=1.0, inertia=np.diag((0.05, 0.05, 0.0)), home=0.5),
    ]
    links = tube_arm(rows, base=_PLATE, radius=0.02, rod=0.5)
    return assemble("rp", links, tool="link_2", gravity=GRAVITY)


def make_rpr() -> RobotModel:
    """Return the RPR arm.

    A robot made for tests: no parameter is zero, so that no term of the dynamics
    vanishes. Tool: `link_3`. No joint limits.
    """
    rows = [
        DhRow(
            d=0.3,
            a=0.1,
            alpha=-np.pi / 3.0,
            mass=2.0,
            com=(0.01, 0.02, -0.05),
            inertia=(
                (0.02, 0.001, -0.002),
                (0.001, 0.03, 0.0005),
                (-0.002, 0.0005, 0.025),
            ),
            home=0.3,
        ),
        DhRow(
            kind="P",
            theta=0.3,
            d=0.1,
            a=0.05,
            alpha=np.pi / 4.0,
            mass=1.5,
            com=(0.02, -0.01, 0.1),
            inertia=np.diag((0.01, 0.012, 0.008)),
            home=0.2,
        ),
        DhRow(
            theta=0.2,
            d=0.05,
            a=0.25,
            alpha=0.4,
            mass=1.2,
            com=(-0.1, 0.03, 0.02),
            inertia=(
                (0.004, 0.0002, 0.0),
                (0.0002, 0.01, -0.0003),
                (0.0, -0.0003, 0.011),
            ),
            home=-0.5,
        ),
    ]
    foot = (cylinder((0, 0, 0), (0, 0, 0.02), 0.1),)
    links = tube_arm(rows, base=foot, radius=(0.04, 0.025, 0.03), rod=0.3, rgba=ORANGE)
    return assemble("rpr", links, tool="link_3")


def make_scara() -> RobotModel:
    """Return the SCARA arm.

    Tool: `link_4`, z down. Rows (theta, d, a, alpha) in metres: (q1, 0.4, 0.3, 0), (q2,
    0, 0.25, pi), (0, q3, 0, 0), (q4, 0.05, 0, 0). No joint limits; masses are filled
    tubes of a chosen density.
    """
    rows = [
        DhRow(d=0.4, a=0.3, home=0.5),
        DhRow(a=0.25, alpha=np.pi, home=-0.7),
        DhRow(kind="P", home=0.1),
        DhRow(d=0.05, home=0.3),
    ]
    links = tube_arm(
        rows,
        base=(box((0, 0, 0.01), (0.2, 0.2, 0.02), DARK),),
        radius=(0.05, 0.04, 0.015, 0.02),
        rod=0.25,
        density=DENSITY,
        rgba=BLUE,
    )
    return assemble("scara", links, tool="link_4")


INCH = 0.0254  # [m]
WIDE, BEND = np.deg2rad(170.0), np.deg2rad(90.0)  # [rad]


def make_stanford() -> RobotModel:
    """Return the Stanford arm.

    Kinematics and limits as in the model `Stanford` of Corke's Robotics Toolbox for
    Python 1.x (models/DH/Stanford.py), which names as its source R. Paul, Stanford
    AIM-177 (1972), fig. 2.3. Its a = 0.0203 m in the sliding row is a slip (the value
    belongs to the PUMA 560) and is 0 here. Masses: filled tubes of a chosen density;
    the toolbox's centres of mass mix units (one lies 6.4 m outside the arm) and are not
    used. Tool: `link_6`.
    """
    right = np.pi / 2.0
    rows = [
        DhRow(d=0.412, alpha=-right, lower=-WIDE, upper=WIDE, home=0.1),
        DhRow(d=0.154, alpha=right, lower=-WIDE, upper=WIDE, home=0.2),
        DhRow(kind="P", theta=-right, lower=12.0 * INCH, upper=50.0 * INCH, home=0.5),
        DhRow(alpha=-right, lower=-WIDE, upper=WIDE, home=0.3),
        DhRow(alpha=right, lower=-BEND, upper=BEND, home=-0.4),
        DhRow(d=0.263, lower=-WIDE, upper=WIDE, home=0.6),
    ]
    links = tube_arm(
        rows,
        base=(cylinder((0, 0, 0), (0, 0, 0.03), 0.15),),
        radius=(0.07, 0.06, 0.035, 0.03, 0.03, 0.025),
        rod=0.9,
        density=DENSITY,
        rgba=GREEN,
    )
    return assemble("stanford", links, tool="link_6")


LENGTH = 1.0  # [m], each rod
MASS = 1.0  # [kg], each end
_HOME = np.deg2rad((120.0, -20.0))  # [rad], raised, so that it falls


def make_double_pendulum() -> RobotModel:
    """Return the double pendulum.

    Swings in the x-z plane; at q = 0 it hangs down, positive angles lead towards +x,
    the second angle counts from the first rod. Dimensions chosen for round numbers.
    Tool: `tip`, the second mass.
    """
    end = (0.0, 0.0, -LENGTH)
    links = [Link(name="base", geometry=(box((0, 0, 0), (0.08, 0.08, 0.08), DARK),))]
    for i, rgba in enumerate((ORANGE, BLUE), start=1):
        links.append(
            Link(
                name=f"link_{i}",
                parent="base" if i == 1 else "link_1",
                joint=f"joint_{i}",
                joint_type=JointType.REVOLUTE,
                T_parent_joint=np.eye(4) if i == 1 else shift(*end),
                axis=(0.0, -1.0, 0.0),
                mass=MASS,
                com=end,
                home=float(_HOME[i - 1]),
                geometry=(
                    capsule((0, 0, 0), end, 0.012, DARK),
                    sphere(end, 0.06, rgba),
                ),
            )
        )
    links.append(Link(name="tip", parent="link_2", T_parent_joint=shift(*end)))
    return assemble("double_pendulum", links, tool="tip")
