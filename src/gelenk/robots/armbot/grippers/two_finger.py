"""A gripper with two parallel fingers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

from gelenk.robots.armbot.grippers.finger import TOUCH_RADIUS, FingerGripper
from gelenk.robots.armbot.model import Tip

FINGER = 0.085  # [m] from the palm to the finger tips
REACH = 0.07  # [m] from the palm to the grip point
MAX_WIDTH = 0.12  # [m]
PRONG = 0.005  # [m]: half the distance of the two prongs of a finger
SPEED = 0.1  # [m/s], of each finger
OPEN = 0.5 * MAX_WIDTH + TOUCH_RADIUS  # [m] from the middle to the line of a finger


class TwoFingerGripper(FingerGripper):
    """Two fingers that stay parallel and close along y, each driven by itself.

    A finger is a fork of two touching prongs 1 cm apart: it lies flat on the face of
    a cuboid, and two of them hold a ball in four points. Opens to 12 cm; the grip
    point lies 1.5 cm before the finger tips.
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
        for side, turn in (("left", 0.5 * math.pi), ("right", -0.5 * math.pi)):
            base.segment((0.0, math.copysign(OPEN, turn), 0.0), f"rail_{side}",
                         mass=0.1, radius=0.008).termination_point()  # fmt: skip
            finger = base.linear_motor(
                f"finger_{side}",
                limits=(TOUCH_RADIUS, OPEN),
                max_speed=SPEED,
                home=OPEN,
                turn=(turn, 0.0, 0.0),
            ).t_connector(f"knuckle_{side}", mass=0.05, turn=(-turn, 0.0, 0.0))
            for prong, z in (("upper", PRONG), ("lower", -PRONG)):
                finger.touch_segment(
                    FINGER, f"prong_{side}_{prong}", mass=0.02, radius=TOUCH_RADIUS,
                    at=(0.0, 0.0, z),
                ).termination_point()  # fmt: skip

    def values_for_width(self, width: float) -> Mapping[str, float]:
        self._check_width(width)
        offset = 0.5 * width + TOUCH_RADIUS
        return {"finger_left": offset, "finger_right": offset}

    def width_for_ball(self, radius: float) -> float:
        distance = radius + TOUCH_RADIUS
        return 2.0 * (math.sqrt(distance**2 - PRONG**2) - TOUCH_RADIUS)
