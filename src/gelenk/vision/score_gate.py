"""A threshold of scores that lets through as many false detections as are wanted.

A constant false alarm rate: what is cluttered gets a high threshold, what is calm a low
one, in which faint things are found too. Learnt from what was detected lately, where
nothing should have been.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

ROUNDING = 1e-9  # 0.29 * 100 is 28.999999999999996


@dataclass(frozen=True, slots=True, kw_only=True)
class GateCfg:
    """What a gate lets through.

    Attributes:
        rate: False detections per image that are let through.
        lowest: Of the threshold; also where it begins.
        highest: Of the threshold; what scores more is always let through, and does not
            count for the rate, as no threshold could help.
        memory: Images that are remembered.
    """

    rate: float = 0.2
    lowest: float = -4.0
    highest: float = 0.0
    memory: int = 50

    def __post_init__(self) -> None:
        if not 0.0 <= self.rate < math.inf:
            raise ConfigError(f"`rate` must not be negative, got {self.rate}")
        if not -math.inf < self.lowest <= self.highest < math.inf:
            raise ConfigError(
                "a gate needs `lowest` <= `highest`, both finite, got "
                f"{self.lowest} and {self.highest}"
            )
        if self.memory < 1:
            raise ConfigError(f"`memory` must be 1 at least, got {self.memory}")


def lowest_threshold(
    scores: ArrayLike, allowed: int, *, lowest: float, highest: float
) -> float:
    """Return the lowest threshold that so many scores reach at most.

    Args:
        scores: Of false detections, (n,); those from `highest` on do not count.
        allowed: How many may reach the threshold.
        lowest: Of the threshold.
        highest: Of the threshold.

    Example:
        >>> scores = [-1.0, -3.0, -2.0, 7.0]
        >>> -2.0 < lowest_threshold(scores, 1, lowest=-4.0, highest=0.0) < -1.999
        True
    """
    s = np.asarray(scores, dtype=np.float64)
    s = s[s < highest]
    if len(s) <= allowed:
        return lowest
    first_too_many = np.partition(s, len(s) - 1 - allowed)[len(s) - 1 - allowed]
    return float(min(max(np.nextafter(first_too_many, np.inf), lowest), highest))


class ScoreGate:
    """Follows the clutter of a place: learns from image to image.

    Images it has not seen yet count as empty, so it begins at the lowest threshold.

    Args:
        cfg: What it lets through.
    """

    def __init__(self, cfg: GateCfg | None = None) -> None:
        self.cfg = cfg or GateCfg()
        self._scores: deque[FloatArray] = deque(maxlen=self.cfg.memory)
        self.threshold = self.cfg.lowest

    def learn(self, scores: ArrayLike) -> None:
        """Take an image into account.

        Args:
            scores: Of its false detections, (n,), also of those below the threshold.
        """
        s = as_finite("scores", scores, ())
        self._scores.append(s[s < self.cfg.highest])
        self.threshold = lowest_threshold(
            np.concatenate(self._scores),
            math.floor(self.cfg.rate * self.cfg.memory + ROUNDING),
            lowest=self.cfg.lowest,
            highest=self.cfg.highest,
        )
