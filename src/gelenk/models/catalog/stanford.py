"""Stanford arm: hinge, hinge, slider, spherical wrist.

Kinematics and limits as in the model `Stanford` of Corke's Robotics Toolbox for Python
1.x (models/DH/Stanford.py), which names as its source R. Paul, Stanford AIM-177 (1972),
fig. 2.3. Its a = 0.0203 m in the sliding row is a slip (the value belongs to the PUMA
560) and is 0 here. Masses: filled tubes of a chosen density; the toolbox's centres of
mass mix units (one lies 6.4 m outside the arm) and are not used. Tool: `link_6`.
"""

from __future__ import annotations

import numpy as np

from gelenk.models.assemble import assemble
from gelenk.models.catalog._shapes import GREEN, cylinder
from gelenk.models.catalog._tubes import tube_arm
from gelenk.models.dh import DhRow
from gelenk.models.tree import RobotModel

DENSITY = 1000.0  # [kg/m^3]
INCH = 0.0254  # [m]
WIDE, BEND = np.deg2rad(170.0), np.deg2rad(90.0)  # [rad]


def make_stanford() -> RobotModel:
    """Return the Stanford arm."""
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
