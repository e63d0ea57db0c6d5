"""SCARA arm of the course: two hinges, a slider, a hinge, all axes vertical.

Tool: `link_4`, z down. Rows (theta, d, a, alpha) in metres: (q1, 0.4, 0.3, 0),
(q2, 0, 0.25, pi), (0, q3, 0, 0), (q4, 0.05, 0, 0). No joint limits; masses are filled
tubes of a chosen density.
"""

from __future__ import annotations

import numpy as np

from gelenk.models.assemble import assemble
from gelenk.models.catalog._shapes import BLUE, DARK, box
from gelenk.models.catalog._tubes import tube_arm
from gelenk.models.dh import DhRow
from gelenk.models.tree import RobotModel

DENSITY = 1000.0  # [kg/m^3]


def make_scara() -> RobotModel:
    """Return the SCARA arm."""
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
