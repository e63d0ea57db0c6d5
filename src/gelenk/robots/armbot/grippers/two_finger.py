"""A gripper with two parallel fingers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

from gelenk.robots.armbot.grippers.finger import TOUCH_RADIUS, FingerGripper
from gelenk.robots.armbot.model import Tip

FINGER = 0.080  # [m] from the palm to the finger tips
REACH = 0.070  # [m] from the palm to the grip point
MAX_WIDTH = 0.12  # [m]
HALF_PAD = 0.008  # [m]: half the distance of the two tips of a finger
# [m] by which a finger stands back behind its tips, so that a ball between them touches
# the tips alone, even if they press by some millimetres.
RECESS = 0.008
SPEED = 0.1  # [m/s], of each finger
OPEN = 0.5 * MAX_WIDTH + TOUCH_RADIUS  # [m] from the middle to the tips


class TwoFingerGripper(FingerGripper):
    """Two fingers that stay parallel and close along y, each driven by itself.

    A finger pushes along its whole length and grips with two touch points at its end:
    on opposite faces of a cuboid, and around a ball, 1 cm beyond its centre. Opens to
    12 cm.
    """

    tcp: ClassVar[tuple[float, float, float]] = (REACH, 0.0, 0.0)
    max_width: ClassVar[float] = MAX_WIDTH
    open_values: ClassVar[Mapping[str, float]] = {
        "finger_left": OPEN,
        "finger_right": OPEN,
    }
    closed_values: ClassVar[Mapping[str, float]] = {
        "finger_left": TOUCH_RADIUS,
        "finger_right": TOUCH_RADIUS,
    }

    def build(self, base: Tip) -> None:
        for side, sign in (("left", 1.0), ("right", -1.0)):
            turn = 0.5 * sign * math.pi
            back = sign * RECESS
            base.segment(
                (0.0, sign * OPEN + back, 0.0), f"rail_{side}", mass=0.1, radius=0.008
            ).termination_point()
            pad = (
                base.linear_motor(
                    f"finger_{side}",
                    limits=(TOUCH_RADIUS, OPEN),
                    max_speed=SPEED,
                    home=OPEN,
                    turn=(turn, 0.0, 0.0),
                )
                .t_connector(f"knuckle_{side}", mass=0.05, turn=(-turn, 0.0, 0.0))
                .touch_segment(
                    FINGER,
                    f"finger_{side}_bone",
                    mass=0.05,
                    radius=TOUCH_RADIUS,
                    at=(0.0, back, 0.0),
                )
                .t_connector(f"pad_{side}")
            )
            for name, z in (("upper", HALF_PAD), ("lower", -HALF_PAD)):
                pad.touch_point(
                    f"tip_{side}_{name}", radius=TOUCH_RADIUS, at=(0.0, -back, z)
                )

    def values_for_width(self, width: float) -> Mapping[str, float]:
        self._check_width(width)
        offset = 0.5 * width + TOUCH_RADIUS
        return {"finger_left": offset, "finger_right": offset}

    def width_for_ball(self, radius: float) -> float:
        across = math.hypot(FINGER - REACH, HALF_PAD)
        offset = math.sqrt((radius + TOUCH_RADIUS) ** 2 - across**2)
        return 2.0 * (offset - TOUCH_RADIUS)
