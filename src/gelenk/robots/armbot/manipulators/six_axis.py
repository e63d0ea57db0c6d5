"""An arm with six servos, the last three of them a spherical wrist."""

from __future__ import annotations

import math
from typing import ClassVar

from gelenk.robots.armbot.model import Assembly, ManipulatorModel, Method, Tip

COLUMN, UPPER_ARM, FOREARM, FLANGE = 0.25, 0.30, 0.28, 0.05  # [m]
TWO_TURNS = (-2.0 * math.pi, 2.0 * math.pi)  # [rad], of the rolls


class SixAxisArm(ManipulatorModel):
    """`waist`, `shoulder`, `elbow`, then `forearm_roll`, `wrist_pitch`, `wrist_roll`.

    The arm orients its mount itself; its x axis is the axis of the last servo. The
    wrist centre, 5 cm before the mount, reaches 2 to 58 cm from the shoulder at 25 cm
    height; with the gripper down that is the floor up to 56 cm away.
    """

    preferred_ik: ClassVar[Method] = "closed"
    has_own_wrist: ClassVar[bool] = True

    def build(self, body: Assembly) -> Tip:
        return (
            body.servo("waist")
            .segment((0.0, 0.0, COLUMN), "column", mass=3.0, radius=0.04)
            .servo("shoulder", axis="xz", limits=_range(-60, 150), home=_rad(60))
            .segment(UPPER_ARM, "upper_arm", mass=1.2, radius=0.028)
            .servo("elbow", axis="xz", limits=_range(-160, 160), home=_rad(-80))
            .servo("forearm_roll", axis="yz", limits=TWO_TURNS)
            .segment(FOREARM, "forearm", mass=0.8, radius=0.022)
            .servo("wrist_pitch", axis="xz", limits=_range(-125, 125), home=_rad(-70))
            .servo("wrist_roll", axis="yz", limits=TWO_TURNS)
            .segment(FLANGE, "flange", mass=0.2, radius=0.018)
            .gripper_mount("mount")
        )


def _rad(degrees: float) -> float:
    return math.radians(degrees)


def _range(low: float, high: float) -> tuple[float, float]:
    return math.radians(low), math.radians(high)
