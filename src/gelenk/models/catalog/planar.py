"""Planar bench arms in the x-y plane: `planar2r`, `planar3r`, `rp`.

They lie in the plane of the paper of a textbook: joint axes along z, gravity along -y.
Tool: the frame of the last DH row. No joint limits.
"""

from __future__ import annotations

import numpy as np

from gelenk.models.assemble import assemble
from gelenk.models.catalog._shapes import DARK, box, cylinder
from gelenk.models.catalog._tubes import tube_arm
from gelenk.models.dh import DhRow
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
