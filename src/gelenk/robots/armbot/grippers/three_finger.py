"""A gripper with three fingers around its axis, like the jaws of a chuck."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

from gelenk.robots.armbot.grippers.finger import TOUCH_RADIUS, FingerGripper
from gelenk.robots.armbot.model import Tip

FINGER = 0.080  # [m] from the palm to the finger tips
REACH = 0.070  # [m] from the palm to the grip point
MAX_WIDTH = 0.11  # [m]
SPEED = 0.1  # [m/s], of each finger
# Angle of each finger about x, from y towards z. The first two face each other, as far
# as two of three can; the third stands on the side.
ANGLES = {"left": math.pi / 6.0, "right": 5.0 * math.pi / 6.0, "third": -0.5 * math.pi}
FACING = math.cos(math.pi / 6.0)  # share of their radius that left and right are apart
OPEN = (0.5 * MAX_WIDTH + TOUCH_RADIUS) / FACING  # [m], radius of the finger tips
CLOSED = TOUCH_RADIUS / FACING  # [m]


class ThreeFingerGripper(FingerGripper):
    """Three fingers that move towards the x axis; their tips are touch points.

    The tips touch a ball 1 cm beyond its centre and hold it between them. On a cuboid
    `left` and `right` press on opposite faces along y, `third` touches nothing. The
    width, up to 11 cm, is that between left and right.
    """

    tcp: ClassVar[tuple[float, float, float]] = (REACH, 0.0, 0.0)
    max_width: ClassVar[float] = MAX_WIDTH
    open_values: ClassVar[Mapping[str, float]] = {
        f"finger_{name}": OPEN for name in ANGLES
    }
    closed_values: ClassVar[Mapping[str, float]] = {
        f"finger_{name}": CLOSED for name in ANGLES
    }

    def build(self, base: Tip) -> None:
        for name, angle in ANGLES.items():
            guide = base.t_connector(f"guide_{name}", turn=(0.0, 0.0, angle))
            guide.segment(
                (0.0, OPEN, 0.0), f"rail_{name}", mass=0.08, radius=0.008
            ).termination_point()
            guide.linear_motor(
                f"finger_{name}",
                limits=(CLOSED, OPEN),
                max_speed=SPEED,
                home=OPEN,
                turn=(0.5 * math.pi, 0.0, 0.0),
            ).segment(
                (0.0, -FINGER, 0.0), f"finger_{name}_bone", mass=0.05, radius=0.006
            ).touch_point(f"tip_{name}", radius=TOUCH_RADIUS)

    def values_for_width(self, width: float) -> Mapping[str, float]:
        self._check_width(width)
        radius = (0.5 * width + TOUCH_RADIUS) / FACING
        return dict.fromkeys(self.open_values, radius)

    def width_for_ball(self, radius: float) -> float:
        tips = math.sqrt((radius + TOUCH_RADIUS) ** 2 - (FINGER - REACH) ** 2)
        return 2.0 * (FACING * tips - TOUCH_RADIUS)
