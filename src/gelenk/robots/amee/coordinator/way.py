"""How far the torso has come, by feet that stay where they stand.

A foot that stands does not move; so what it moves under the torso, as its leg measures
it, is the torso's own way. Ways that were ordered tell less: loaded legs fall short.
"""

from __future__ import annotations

import math
from collections.abc import Mapping


class Way:
    """Account of the way.

    Attributes:
        x: Along the heading of the start [m].
        y: To the left of it [m].
    """

    __slots__ = ("_anchors", "x", "y")

    def __init__(self) -> None:
        self.x = self.y = 0.0
        self._anchors: dict[int, tuple[float, float]] = {}

    def feel(self, feet: Mapping[int, tuple[float, float]], heading: float) -> None:
        """Take where feet stand now; those that also stood before tell the way.

        Args:
            feet: Seen from above: ahead and left of the torso's centre [m], by leg.
            heading: Of the torso, to the left of the start's [rad].
        """
        c, s = math.cos(heading), math.sin(heading)
        now = {leg: (c * x - s * y, s * x + c * y) for leg, (x, y) in feet.items()}
        common = [leg for leg in now if leg in self._anchors]
        for leg in common:
            self.x += (self._anchors[leg][0] - now[leg][0]) / len(common)
            self.y += (self._anchors[leg][1] - now[leg][1]) / len(common)
        if common:
            for leg in set(self._anchors) - set(now):
                del self._anchors[leg]
        self._anchors.update(now)

    def lift(self, leg: int) -> None:
        """Forget where a foot stood."""
        self._anchors.pop(leg, None)
