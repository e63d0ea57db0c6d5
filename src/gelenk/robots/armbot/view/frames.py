"""`FrameLimiter`: how often a picture may be drawn anew."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from gelenk.errors import ConfigError


class FrameLimiter:
    """Allows one frame per period of wall time.

    Attributes:
        count: Frames that were allowed.

    Args:
        period: Shortest time between two frames [s]; 0: no limit.
        clock: Monotonic wall clock [s].
    """

    def __init__(
        self, period: float, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        if not (math.isfinite(period) and period >= 0.0):
            raise ConfigError(f"`period` must be 0 s or more, got {period}")
        self.period, self._clock = period, clock
        self._next = -math.inf
        self.count = 0

    def is_due(self) -> bool:
        """Return whether a frame may be drawn now; if so, the period begins anew."""
        now = self._clock()
        if now < self._next:
            return False
        self._next = now + self.period
        self.count += 1
        return True
