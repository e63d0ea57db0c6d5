"""Ends oscillations of a motor inside the play of its gear.

Inside the gap a motor has only its own inertia, a thirtieth of what the gains are made
for, so a loop that is well damped with the bat may circle without it, for ever (§5.3).
The controller watches for a motor that turns round again and again near its setpoint,
and lets go of it for a moment: the bat's weight then closes the gap.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gelenk.core.errors import ConfigError
from gelenk.core.typing import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class CalmCfg:
    """When to let go, and how far.

    Attributes:
        turns: Turns of the motor that are one too many; older ones count less.
        memory: Share of its turns that a motor keeps from cycle to cycle.
        near: Only so near to the setpoint [rad].
        step: Smallest step in one cycle that counts as motion [rad].
        time: How long [s].
        share: Of the gains that is left.
    """

    turns: float = 2.5
    memory: float = 0.9
    near: float = 0.0873
    step: float = 0.0026
    time: float = 0.3
    share: float = 0.4

    def __post_init__(self) -> None:
        if not (0.0 < self.memory < 1.0 and 0.0 < self.share <= 1.0):
            raise ConfigError(
                "`memory` must lie between 0 and 1, `share` in (0, 1], got "
                f"{self.memory} and {self.share}"
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CalmState:
    """What is remembered of both motors.

    Attributes:
        measured: Angles of the last cycle [rad], (2,); None: there was none.
        direction: Of the last motion, (2,).
        turns: Counted so far, fading, (2,).
        left: Time that the gains stay low [s], (2,).
    """

    measured: FloatArray | None = None
    direction: FloatArray = field(default_factory=lambda: np.zeros(2))
    turns: FloatArray = field(default_factory=lambda: np.zeros(2))
    left: FloatArray = field(default_factory=lambda: np.zeros(2))


def calm_step(
    cfg: CalmCfg,
    state: CalmState,
    measured: FloatArray,
    error: FloatArray,
    period: float,
) -> tuple[FloatArray, CalmState]:
    """Return the share of the gains to use, (2,), and what to remember.

    Args:
        cfg: When to let go.
        state: Of the last cycle.
        measured: Angles of the motors [rad], (2,).
        error: Of their setpoint [rad], (2,).
        period: Of control [s].
    """
    moved = np.zeros(2) if state.measured is None else measured - state.measured
    is_near = np.abs(error) < cfg.near
    turned = (moved * state.direction < 0.0) & (np.abs(moved) > cfg.step) & is_near
    turns = (state.turns + turned) * cfg.memory
    direction = np.where(np.abs(moved) > 0.6 * cfg.step, moved, state.direction)
    left = np.where(turns > cfg.turns, cfg.time, state.left) - period
    share = np.where(left > 0.0, cfg.share, 1.0)
    return share, CalmState(
        measured=measured, direction=direction, turns=turns, left=left
    )
