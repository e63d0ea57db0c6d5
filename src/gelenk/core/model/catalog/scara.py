"""SCARA arm of the course: two hinges, a slider, a hinge, all axes vertical.

Tool: `link_4`, z down. Rows (theta, d, a, alpha) in metres: (q1, 0.4, 0.3, 0),
(q2, 0, 0.25, pi), (0, q3, 0, 0), (q4, 0.05, 0, 0). No joint limits; masses are filled
tubes of a chosen density.
"""

from __future__ import annotations

import numpy as np

from gelenk.core.model.assemble import assemble
from gelenk.core.model.catalog._dh import DhRow, serial_links
from gelenk.core.model.catalog._shapes import BLUE, DARK, box
from gelenk.core.model.tree import RobotModel

DENSITY = 1000.0  # [kg/m^3]


def make_scara() -> RobotModel:
    """Return the SCARA arm."""
    rows = [
        DhRow(d=0.4, a=0.3, home=0.5, radius=0.05),
        DhRow(a=0.25, alpha=np.pi, home=-0.7, radius=0.04),
        DhRow(kind="P", home=0.1, radius=0.015, rod=0.25),
        DhRow(d=0.05, home=0.3, radius=0.02),
    ]
    foot = (box((0, 0, 0.01), (0.2, 0.2, 0.02), DARK),)
    links = serial_links(rows, base=foot, density=DENSITY, rgba=BLUE)
    return assemble("scara", links, tool="link_4")
