"""RPR bench arm: hinge, slider, hinge with skew axes and full inertia tensors.

A robot made for tests: no parameter is zero, so that no term of the dynamics vanishes.
Tool: `link_3`. No joint limits.
"""

from __future__ import annotations

import numpy as np

from gelenk.models.assemble import assemble
from gelenk.models.catalog._shapes import ORANGE, cylinder
from gelenk.models.catalog._tubes import tube_arm
from gelenk.models.dh import DhRow
from gelenk.models.tree import RobotModel


def make_rpr() -> RobotModel:
    """Return the RPR arm."""
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
