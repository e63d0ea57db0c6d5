"""Unimation PUMA 560, the textbook arm.

- DH rows, masses, centres, inertias: P. Corke, B. Armstrong-Helouvry, "A search for
  consensus among model parameters reported for the PUMA 560 robot", ICRA 1994.
- Joint limits: as in Corke's Robotics Toolbox for Python 1.x (models/DH/Puma560.py),
  after Wang and Chen, IEEE Trans. RA 7(4), 1991.
- Largest torques: B. Armstrong, O. Khatib, J. Burdick, "The explicit dynamic model and
  inertial parameters of the PUMA 560 arm", ICRA 1986, table 7.

S_0 lies in the shoulder, 26.45 in above the floor. Link 1 has an inertia about its
turning axis only; no source states its mass. Rotor inertias are not included. The
toolbox's pose qn has theta_3 = pi; within the limits the same pose is theta_3 = -pi.
Tool: `link_6`, the centre of the wrist.
"""

from __future__ import annotations

import numpy as np

from gelenk.models.assembler import assemble
from gelenk.models.catalog.shapes import DARK, WHITE, cylinder, tube_arm
from gelenk.models.dh import DhRow
from gelenk.models.tree import RobotModel

SHOULDER_HEIGHT = 26.45 * 0.0254  # [m], floor to S_0; drawn only

# Columns: d [m], a [m], alpha [rad].
_DH = (
    (0.0, 0.0, np.pi / 2.0),
    (0.0, 0.4318, 0.0),
    (0.15005, 0.0203, -np.pi / 2.0),
    (0.4318, 0.0, np.pi / 2.0),
    (0.0, 0.0, -np.pi / 2.0),
    (0.0, 0.0, 0.0),
)
# mass [kg], centre of mass in S_i [m], principal moments about it [kg m^2]
_INERTIAL = (
    (0.0, (0.0, 0.0, 0.0), (0.0, 0.35, 0.0)),
    (17.4, (-0.3638, 0.006, 0.2275), (0.13, 0.524, 0.539)),
    (4.8, (-0.0203, -0.0141, 0.070), (0.066, 0.086, 0.0125)),
    (0.82, (0.0, 0.019, 0.0), (1.8e-3, 1.3e-3, 1.8e-3)),
    (0.34, (0.0, 0.0, 0.0), (0.3e-3, 0.4e-3, 0.3e-3)),
    (0.09, (0.0, 0.0, 0.032), (0.15e-3, 0.15e-3, 0.04e-3)),
)
# Lower and upper limit of each joint [deg].
_LIMITS = ((-160, 160), (-45, 225), (-225, 45), (-110, 170), (-100, 100), (-266, 266))
_TORQUE = (97.6, 186.4, 89.4, 24.2, 20.1, 21.3)  # [N m]
_HOME = (0.0, np.pi / 4.0, -np.pi, 0.0, np.pi / 4.0, 0.0)  # qn of the toolbox
_RADIUS = (0.09, 0.07, 0.06, 0.045, 0.03, 0.025)  # [m], drawn only


def make_puma560() -> RobotModel:
    """Return the PUMA 560."""
    rows = [
        DhRow(
            d=d,
            a=a,
            alpha=alpha,
            mass=mass,
            com=com,
            inertia=np.diag(moments),
            lower=np.deg2rad(limits[0]),
            upper=np.deg2rad(limits[1]),
            max_effort=torque,
            home=home,
        )
        for (d, a, alpha), (mass, com, moments), limits, torque, home in zip(
            _DH, _INERTIAL, _LIMITS, _TORQUE, _HOME, strict=True
        )
    ]
    pedestal = (
        cylinder((0, 0, -SHOULDER_HEIGHT), (0, 0, -SHOULDER_HEIGHT + 0.03), 0.16, DARK),
        cylinder((0, 0, -SHOULDER_HEIGHT), (0, 0, -0.12), 0.08, WHITE),
    )
    links = tube_arm(rows, base=pedestal, radius=_RADIUS, rgba=WHITE)
    return assemble("puma560", links, tool="link_6")
