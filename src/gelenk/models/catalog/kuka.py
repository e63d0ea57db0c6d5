"""KUKA LBR arms: `iiwa7`, the LBR iiwa 7 R800, and `lbr7`, its kinematics in DH rows.

Both have seven hinges and the lengths 0.34, 0.4, 0.4, 0.126 m, and give the same pose
for the same joint values. Figures of `iiwa7`:

- Joint frames, masses, centres, inertias: lbr-stack/lbr_fri_ros2_stack,
  lbr_description/urdf/iiwa7/iiwa7_description.xacro at 3a770856. The masses add up to
  the 23.9 kg of the data sheet.
- Axis ranges, speeds, torques: KUKA, specification "LBR iiwa" (Spez LBR iiwa V5), axis
  data of the LBR iiwa 7 R800.

The ROS description narrows each range by 1 deg to stay clear of the hard stops; here
the range of the data sheet counts. Tool: `flange` of `iiwa7`, `link_7` of `lbr7`.
"""

from __future__ import annotations

import numpy as np

from gelenk.models.assembler import assemble
from gelenk.models.catalog.shapes import (
    DARK,
    GREY,
    ORANGE,
    capsule,
    cylinder,
    hinge_arm,
    shift,
    tube_arm,
)
from gelenk.models.dh import DhRow
from gelenk.models.link import Geometry, Link
from gelenk.models.tree import RobotModel

DENSITY = 1000.0  # [kg/m^3], of the filled tubes of `lbr7`, chosen

# Joint position in the parent link [m] and axis; all frames parallel at zero.
_JOINTS = (
    ((0.0, 0.0, 0.1475), (0, 0, 1)),
    ((0.0, -0.0105, 0.1925), (0, 1, 0)),
    ((0.0, 0.0105, 0.2075), (0, 0, 1)),
    ((0.0, 0.0105, 0.1925), (0, -1, 0)),
    ((0.0, -0.0105, 0.2075), (0, 0, 1)),
    ((0.0, -0.0707, 0.1925), (0, 1, 0)),
    ((0.0, 0.0707, 0.091), (0, 0, 1)),
)
_FLANGE_Z = 0.035  # [m], in link 7
# mass [kg], centre [m], xx yy zz xz yz about the centre [kg m^2]; xy is 0. Base first.
_INERTIAL = (
    (4.855658, (-0.012857, 0.0, 0.069964), (0.017839, 0.022294, 0.021334, 0.000781, 0)),
    (3.394011, (0.0, -0.034819, 0.123299), (0.021383, 0.020403, 0.007563, 0, 0.003797)),
    (4.031991, (0.0, 0.039793, 0.086944), (0.031697, 0.03008, 0.009666, 0, 0.005889)),
    (3.394011, (0.0, 0.034819, 0.123299), (0.021383, 0.020403, 0.007563, 0, -0.003797)),
    (4.031989, (0, -0.039793, 0.086944), (0.031695, 0.030079, 0.009665, 0, -0.005889)),
    (1.529239, (0.0, -0.029824, 0.076267), (0.008485, 0.007136, 0.003848, 0, 0.002806)),
    (2.403626, (0.0, 0.07102, 0.00495), (0.007067, 0.006804, 0.004629, 0, 0.000311)),
    (0.259474, (3e-6, -2e-6, 0.013782), (0.000171, 0.000171, 0.000299, 0, 0)),
)  # fmt: skip
_RANGE = (170, 120, 170, 120, 170, 120, 175)  # [deg], both ways
_SPEED = (98, 98, 100, 130, 140, 180, 180)  # [deg/s]
_TORQUE = (176, 176, 110, 110, 110, 40, 40)  # [N m]
_HOME = (0, 30, 0, -90, 0, 60, 0)  # [deg], flange pointing down; chosen


def make_iiwa7() -> RobotModel:
    """Return the KUKA LBR iiwa 7 R800."""
    bodies = [
        Link(
            name=f"link_{i}" if i else "base",
            mass=mass,
            com=com,
            inertia=((xx, 0.0, xz), (0.0, yy, yz), (xz, yz, zz)),
            geometry=_draw(i),
        )
        for i, (mass, com, (xx, yy, zz, xz, yz)) in enumerate(_INERTIAL)
    ]
    links = hinge_arm(
        bodies,
        [shift(*position) for position, _ in _JOINTS],
        axis=[axis for _, axis in _JOINTS],
        lower=-np.deg2rad(_RANGE),
        upper=np.deg2rad(_RANGE),
        max_velocity=np.deg2rad(_SPEED),
        max_effort=_TORQUE,
        home=np.deg2rad(_HOME),
    )
    links.append(
        Link(name="flange", parent="link_7", T_parent_joint=shift(z=_FLANGE_Z))
    )
    return assemble("iiwa7", links, tool="flange")


def _draw(i: int) -> tuple[Geometry, ...]:
    """Return the shapes of link i: tubes and the housings of the next joint."""
    r, rgba = 0.065, ORANGE if i in (1, 3, 5) else GREY
    if i == 0:
        return (cylinder((0, 0, 0), (0, 0, 0.1475), 0.075, GREY),)
    if i in (1, 3):  # upright tube, then the housing of a tilting joint
        y = _JOINTS[i][0][1]
        return (
            capsule((0, 0, 0.04), (0, 0, 0.1925), r, rgba),
            cylinder((0, y - 0.06, 0.1925), (0, y + 0.06, 0.1925), r, DARK),
        )
    if i in (2, 4):
        y = _JOINTS[i][0][1]
        return (capsule((0, y, 0.0), (0, y, 0.17), r, rgba),)
    if i == 5:
        return (capsule((0, 0, 0.03), (0, -0.0707, 0.1925), 0.045, rgba),)
    if i == 6:
        return (
            cylinder((0, 0, 0), (0, 0.0707, 0), 0.045, DARK),
            capsule((0, 0.0707, 0), (0, 0.0707, 0.04), 0.05, GREY),
        )
    return (cylinder((0, 0, -0.01), (0, 0, _FLANGE_Z), 0.04, DARK),)


def make_lbr7() -> RobotModel:
    """Return the LBR arm in standard DH rows; its masses are filled tubes."""
    d = (0.34, 0.0, 0.4, 0.0, 0.4, 0.0, 0.126)  # [m]
    signs = (-1, 1, 1, -1, -1, 1, 0)  # alpha = sign * pi/2
    home = (0.1, 0.5, -0.2, -1.2, 0.3, 0.9, -0.4)  # [rad], pose of the course's tests
    radius = (0.07, 0.07, 0.06, 0.06, 0.05, 0.045, 0.035)  # [m], drawn
    rows = [
        DhRow(d=d_i, alpha=sign * np.pi / 2.0, home=q)
        for d_i, sign, q in zip(d, signs, home, strict=True)
    ]
    foot = (cylinder((0, 0, 0), (0, 0, 0.05), 0.1),)
    links = tube_arm(rows, base=foot, radius=radius, density=DENSITY, rgba=ORANGE)
    return assemble("lbr7", links, tool="link_7")
