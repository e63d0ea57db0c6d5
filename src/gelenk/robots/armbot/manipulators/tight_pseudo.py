"""A Simple Arm with a rod that measures how far the mount is: pattern TIGHT_PSEUDO.

Roth 2021, ArmBot §4.3: the first chain has no passive part and decides alone; the
second hangs on it loosely, like a sensor.
"""

from __future__ import annotations

import math
from typing import ClassVar

from gelenk.robots.armbot.manipulators.simple import (
    FEMUR,
    FOLD,
    STAND,
    SWING,
    TIBIA,
    SimpleArm,
)
from gelenk.robots.armbot.manipulators.telescope import passive_telescope
from gelenk.robots.armbot.model import Assembly, ManipulatorModel, Method, Tip
from gelenk.typing import FloatArray

EYE = (-0.06, 0.0, 0.05)  # [m], the rod's joint, from the femur's servo


class TightPseudoArm(ManipulatorModel):
    """`stand`, `femur` and `tibia` as in the Simple Arm; passive `rod`.

    The slide `rod` holds the distance between its joint on the turret and the mount.
    Reach and mount are those of the Simple Arm.
    """

    preferred_ik: ClassVar[Method] = "closed"

    def build(self, body: Assembly) -> Tip:
        turret = (
            body.servo("stand")
            .segment((0.0, 0.0, STAND), "column", mass=2.0, radius=0.03)
            .t_connector("turret")
        )
        eye = turret.segment(EYE, "eye", mass=0.1, radius=0.012)
        hand = (
            turret.servo("femur", axis="xz", limits=SWING, home=math.radians(60.0))
            .segment(FEMUR, "femur_bone", mass=0.8, radius=0.02)
            .servo("tibia", axis="xz", limits=FOLD, home=-math.radians(100.0))
            .segment(TIBIA, "tibia_bone", mass=0.5, radius=0.016)
        )
        rod = passive_telescope(eye.fullrot("rod_joint"), "rod", length=0.30, home=0.4)
        hand = body.closed_chain("measured", [hand, rod], pattern="required")
        return hand.gripper_mount("mount")

    def closed_inverse(
        self, position: FloatArray, q_start: FloatArray
    ) -> FloatArray | None:
        return SimpleArm().closed_inverse(position, q_start)
