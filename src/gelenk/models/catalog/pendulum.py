"""Double pendulum: two massless rods of 1 m with point masses of 1 kg at their ends.

Swings in the x-z plane; at q = 0 it hangs down, positive angles lead towards +x, the
second angle counts from the first rod. Dimensions chosen for round numbers. Tool:
`tip`, the second mass.
"""

from __future__ import annotations

import numpy as np

from gelenk.models.assemble import assemble
from gelenk.models.catalog._pose import shift
from gelenk.models.catalog._shapes import BLUE, DARK, ORANGE, box, capsule, sphere
from gelenk.models.link import JointType, Link
from gelenk.models.tree import RobotModel

LENGTH = 1.0  # [m], each rod
MASS = 1.0  # [kg], each end
_HOME = np.deg2rad((120.0, -20.0))  # [rad], raised, so that it falls


def make_double_pendulum() -> RobotModel:
    """Return the double pendulum."""
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
