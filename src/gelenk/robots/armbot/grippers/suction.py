"""A suction cup."""

from __future__ import annotations

import math
from typing import ClassVar

from gelenk.robots.armbot.grippers.finger import TOUCH_RADIUS
from gelenk.robots.armbot.model import Grasp, GripperModel, Tip

LENGTH = 0.05  # [m] from the base to the middle of the cup's rim
RIM = 0.010  # [m], radius of the cup
NUM_POINTS = 3  # of the rim


class SuctionGripper(GripperModel):
    """A cup without motors that holds what it touches while it is closed.

    It has a touch point in its middle, for balls, and three on its rim. The grip point
    lies in the face that the cup is set upon, not in the object; press it in by a
    millimetre to be sure of the touch.
    """

    grasp: ClassVar[Grasp] = "suction"
    tcp: ClassVar[tuple[float, float, float]] = (LENGTH + TOUCH_RADIUS, 0.0, 0.0)

    def build(self, base: Tip) -> None:
        cup = base.segment(LENGTH, "tube", mass=0.1, radius=0.008).t_connector("cup")
        cup.touch_point("cup_middle", radius=TOUCH_RADIUS)
        for number in range(NUM_POINTS):
            angle = 2.0 * math.pi * number / NUM_POINTS
            place = (0.0, RIM * math.cos(angle), RIM * math.sin(angle))
            cup.touch_point(f"rim_{number + 1}", radius=TOUCH_RADIUS, at=place)
