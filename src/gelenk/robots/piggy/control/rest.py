"""Gains to get there and gains to stay: no oscillation inside the play at rest.

Inside the gap of its gear a motor has only its own inertia, a thirtieth of what the
gains are made for, so a loop that is well damped with the bat may circle without it,
for ever (§5.3). Quick gains are needed on the way only. Some time after the error has
become as small as the play, a joint is at rest and gets a share of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class RestCfg:
    """When a joint rests, and what it gets then.

    Attributes:
        near: Largest error of a joint that may rest [rad]; more than the play, or an
            oscillation in it would pass for motion.
        after: How long the error must have been so small [s].
        share: Of the gains at rest.
    """

    near: float = 0.105
    after: float = 0.25
    share: float = 0.6

    def __post_init__(self) -> None:
        if not (min(self.near, self.after) >= 0.0 and 0.0 < self.share <= 1.0):
            raise ConfigError(
                "`near` and `after` must not be negative and `share` in (0, 1], got "
                f"{self.near} rad, {self.after} s and {self.share}"
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RestState:
    """How long the errors of both joints have been small [s], (2,)."""

    small_for: FloatArray = field(default_factory=lambda: np.zeros(2))


def rest_step(
    cfg: RestCfg, state: RestState, error: FloatArray, period: float
) -> tuple[FloatArray, RestState]:
    """Return the share of the gains to use, (2,), and what to remember.

    Args:
        cfg: When a joint rests.
        state: Of the last cycle.
        error: Of both joints [rad], (2,).
        period: Of control [s].
    """
    small = np.where(np.abs(error) < cfg.near, state.small_for + period, 0.0)
    share = np.where(small > cfg.after, cfg.share, 1.0)
    return share, RestState(small_for=small)
