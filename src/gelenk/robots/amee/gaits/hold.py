"""How good a foothold is, by the toes that are pressed.

While a foot is lifted, most of the weight hangs on the two beside it: on the diagonal
between them. A foot that bears on one side of that line brings it nearer to the weight
for one lift or another; a foot that bears along it does no harm.
"""

from __future__ import annotations

import math

from gelenk.robots.amee import config
from gelenk.robots.amee.coordinator.balance import bearing_point


def hold_error(leg: int, toes: int) -> float:
    """Return how far beside its diagonal a foot bears [m].

    Args:
        leg: Index 0..3.
        toes: Bits of those that are pressed.
    """
    if not toes & config.TOES_ALL:
        return math.inf
    x, y, _ = config.HIPS[leg]
    ahead, left = bearing_point(toes)
    return abs(ahead * y - left * x) / math.hypot(x, y)
