"""How far the torso has come, by what its legs did and where it felt itself turn."""

from __future__ import annotations

import math


class Way:
    """Account of the way.

    Attributes:
        x: Along the heading of the start [m].
        y: To the left of it [m].
    """

    __slots__ = ("x", "y")

    def __init__(self) -> None:
        self.x = self.y = 0.0

    def add(self, ahead: float, heading: float) -> None:
        """Add a piece.

        Args:
            ahead: Its length [m].
            heading: To the left of the start's [rad].
        """
        self.x += ahead * math.cos(heading)
        self.y += ahead * math.sin(heading)
