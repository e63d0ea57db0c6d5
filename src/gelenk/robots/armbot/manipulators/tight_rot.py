"""An excavator: a cylinder lifts a passive boom. Pattern TIGHT_ROT.

Roth 2021, ArmBot §4.3: a chain on a passive hinge is held by one on a ball joint.
"""

from __future__ import annotations

import math
from typing import ClassVar

from gelenk.robots.armbot.manipulators.telescope import motor_telescope
from gelenk.robots.armbot.model import Assembly, ManipulatorModel, Method, Tip

COLUMN = 0.20  # [m], height of the boom's hinge
CYLINDER_FOOT = (0.10, 0.0, -0.14)  # [m], from the boom's hinge
LUG = 0.18  # [m] along the boom, where the cylinder holds it
BOOM, STICK = 0.32, 0.32  # [m]
CYLINDER = (0.125, 0.345)  # [m]; lifts the boom from -10 to 103 degrees
FOLD = (-math.radians(160.0), math.radians(20.0))  # [rad]
HOME = (0.0, 0.296, -math.radians(100.0))  # stand [rad], cylinder [m], stick [rad]
QUARTER = 0.5 * math.pi


class TightRotArm(ManipulatorModel):
    """`stand` turns, the length `cylinder` lifts the boom, `stick` swings behind it.

    Mount: on the floor 30 to 60 cm in front of the stand, up to 62 cm away and up to
    60 cm high. Its x axis goes on along the stick. No formula for the inverse: the
    lengths at the cylinder are left to the numerical methods.
    """

    preferred_ik: ClassVar[Method] = "jac"

    def build(self, body: Assembly) -> Tip:
        turret = (
            body.servo("stand")
            .segment((0.0, 0.0, COLUMN), "column", mass=3.0, radius=0.035)
            .t_connector("turret")
        )
        bracket = turret.segment(CYLINDER_FOOT, "bracket", mass=0.3, radius=0.02)
        # A hinge turns in its x-y plane: it is laid on its side.
        lug = turret.axisrot("boom_hinge", turn=(0.0, 0.0, QUARTER)).segment(
            LUG, "boom_root", mass=0.8, radius=0.025, turn=(0.0, 0.0, -QUARTER)
        )
        cylinder = motor_telescope(
            bracket.fullrot("cylinder_joint"), "cylinder", limits=CYLINDER, home=HOME[1]
        )
        lug = body.closed_chain("lug", [lug, cylinder], pattern="required")
        return (
            lug.segment(BOOM - LUG, "boom", mass=0.6, radius=0.022)
            .servo("stick", axis="xz", limits=FOLD, home=HOME[2])
            .segment(STICK, "stick_bone", mass=0.6, radius=0.018)
            .gripper_mount("mount")
        )
