"""What the grippers with fingers share."""

from __future__ import annotations

from typing import ClassVar

from gelenk.errors import ConfigError
from gelenk.robots.armbot.config import TOUCH_RADIUS as TOUCH_RADIUS
from gelenk.robots.armbot.model import Grasp, GripperModel


class FingerGripper(GripperModel):
    """A gripper whose fingers stand a `width` apart, measured between their surfaces.

    Attributes:
        max_width: When open [m].
    """

    grasp: ClassVar[Grasp] = "fingers"
    max_width: ClassVar[float]

    def width_for_ball(self, radius: float) -> float:
        """Return the width at which a ball in the grip point is just touched [m]."""
        raise NotImplementedError(f"{type(self).__name__} has no width_for_ball()")

    def _check_width(self, width: float) -> None:
        if not 0.0 <= width <= self.max_width:
            raise ConfigError(
                f"{type(self).__name__} opens from 0 to {self.max_width} m, got a "
                f"width of {width} m"
            )
