"""An arm with five servos: two more than a position needs."""

from __future__ import annotations

import math
from typing import ClassVar

from gelenk.robots.armbot.model import Assembly, ManipulatorModel, Method, Tip

STAND, UPPER_ARM, FOREARM, HAND = 0.20, 0.25, 0.20, 0.12  # [m]


class FiveAxisArm(ManipulatorModel):
    """`stand`, `shoulder`, `swing` (sideways), `elbow` and `hand`.

    Mount: up to 57 cm from the shoulder at 20 cm height, on the floor up to 53 cm
    away. Every position inside is reached in a family of postures of two parameters.
    The mount's x axis goes on along the hand.
    """

    preferred_ik: ClassVar[Method] = "jac"

    def build(self, body: Assembly) -> Tip:
        return (
            body.servo("stand")
            .segment((0.0, 0.0, STAND), "column", mass=2.0, radius=0.03)
            .servo("shoulder", axis="xz", limits=_range(-45, 135), home=_rad(60))
            .segment(UPPER_ARM, "upper_arm", mass=0.8, radius=0.022)
            .servo("swing", limits=_range(-100, 100))
            .servo("elbow", axis="xz", limits=_range(-140, 140), home=_rad(-70))
            .segment(FOREARM, "forearm", mass=0.5, radius=0.018)
            .servo("hand", axis="xz", limits=_range(-120, 120), home=_rad(-40))
            .segment(HAND, "palm", mass=0.3, radius=0.016)
            .gripper_mount("mount")
        )


def _rad(degrees: float) -> float:
    return math.radians(degrees)


def _range(low: float, high: float) -> tuple[float, float]:
    return math.radians(low), math.radians(high)
