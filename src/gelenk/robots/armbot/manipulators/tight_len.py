"""A crane whose boom is drawn out by a strut: pattern TIGHT_LEN.

Roth 2021, ArmBot §4.3: a chain with a passive telescope is held by one on a ball joint.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from gelenk.robots.armbot.manipulators.telescope import (
    motor_telescope,
    passive_telescope,
)
from gelenk.robots.armbot.model import Assembly, ManipulatorModel, Method, Tip
from gelenk.typing import FloatArray

COLUMN = 0.30  # [m], height of the boom's servo
MAST = (-0.05, 0.0, 0.30)  # [m], the strut's joint, from the boom's servo
BOOM_TUBE = 0.15  # [m], of which the boom is drawn out
PITCH = (-math.radians(75.0), math.radians(40.0))  # [rad]
STRUT = (0.35, 0.90)  # [m]
HOME = (0.0, math.radians(10.0), 0.50)  # stand, boom [rad], strut [m]
TILT = -math.radians(45.0)  # [rad], of the mount against the boom


class TightLenArm(ManipulatorModel):
    """`stand` turns, `boom` lifts, and the length `strut` draws the boom out.

    Mount: 25 to 60 cm in front of the stand, 6 to 50 cm above the floor. Its x axis
    points 45 degrees below the boom.
    """

    preferred_ik: ClassVar[Method] = "closed"

    def build(self, body: Assembly) -> Tip:
        turret = (
            body.servo("stand")
            .segment((0.0, 0.0, COLUMN), "column", mass=3.0, radius=0.035)
            .t_connector("turret")
        )
        tube = turret.servo("boom", axis="xz", limits=PITCH, home=HOME[1]).segment(
            BOOM_TUBE, "boom_tube", mass=0.8, radius=0.022
        )
        boom = passive_telescope(tube, "extension", length=0.40, home=0.2)
        mast = turret.segment(MAST, "mast", mass=0.8, radius=0.02)
        strut = motor_telescope(
            mast.fullrot("strut_joint"), "strut", limits=STRUT, home=HOME[2]
        )
        end = body.closed_chain("boom_end", [boom, strut], pattern="required")
        return end.gripper_mount("mount", turn=(0.0, TILT, 0.0))

    def closed_inverse(
        self, position: FloatArray, q_start: FloatArray
    ) -> FloatArray | None:
        x, y, z = (float(value) for value in position)
        along, up = math.hypot(x, y), z - COLUMN
        if along == 0.0:
            return None
        strut = math.hypot(along - MAST[0], up - MAST[2])
        return np.array([math.atan2(y, x), math.atan2(up, along), strut])
