"""Hopping on springs after Raibert: three small controllers and five states.

Height, forward speed and attitude are controlled apart, each in its own part of the
hop; an automaton with five states says whose turn it is. Legs without mass make the
losses small; a leg damper makes them honest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from gelenk.errors import ConfigError

GRAVITY = 9.81  # [m/s^2]


class HopState(StrEnum):
    """Parts of a hop, in their order."""

    LOADING = "loading"
    """The foot touched: no hip torque, no push."""
    COMPRESSION = "compression"
    """The leg shortens: hold the attitude."""
    THRUST = "thrust"
    """The leg lengthens: push, hold the attitude."""
    UNLOADING = "unloading"
    """The leg is nearly long again: no hip torque."""
    FLIGHT = "flight"
    """The foot is off the ground: place it for the next landing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LegSenses:
    """What the automaton feels of the (virtual) leg.

    Attributes:
        is_down: A foot touches the ground.
        squeeze: How much shorter the leg is than at rest [m].
        rate: Of its length, > 0 lengthening [m/s].
    """

    is_down: bool
    squeeze: float
    rate: float


def next_hop_state(
    state: HopState, senses: LegSenses, *, small: float = 0.005
) -> HopState:
    """Return the state that follows from what the leg feels.

    Args:
        state: Now.
        senses: Of the leg.
        small: Lengths below this count as none [m].

    Example:
        >>> touch = LegSenses(is_down=True, squeeze=0.0, rate=-1.0)
        >>> str(next_hop_state(HopState.FLIGHT, touch))
        'loading'
    """
    match state:
        case HopState.FLIGHT:
            return HopState.LOADING if senses.is_down else state
        case HopState.LOADING:
            is_over = senses.squeeze > small
            return HopState.COMPRESSION if is_over or not senses.is_down else state
        case HopState.COMPRESSION:
            return HopState.THRUST if senses.rate >= 0.0 else state
        case HopState.THRUST:
            is_over = senses.squeeze < small or not senses.is_down
            return HopState.UNLOADING if is_over else state
        case HopState.UNLOADING:
            return state if senses.is_down else HopState.FLIGHT


def foot_placement(
    speed: float, wanted: float, *, stance_time: float, gain: float
) -> float:
    """Return how far ahead of the hip the foot lands [m].

    x_f = ẋ T_s / 2 + k (ẋ - ẋ_d): at the neutral point the speed stays; a foot farther
    ahead brakes.

    Example:
        >>> round(foot_placement(1.2, 1.0, stance_time=0.2, gain=0.05), 9)
        0.13
    """
    return 0.5 * speed * stance_time + gain * (speed - wanted)


def thrust_length(squeeze: float, energy: float, stiffness: float) -> float:
    """Return by how much the leg's rest length grows to add an energy [m].

    Δl = -x_c + √(x_c² + 2 ΔE / k), at the deepest point x_c; energy cannot be taken out
    by more than the spring holds.

    Example:
        >>> round(thrust_length(0.08, 8.0, 5000.0), 6)
        0.01798
    """
    if not stiffness > 0.0:
        raise ConfigError(f"`stiffness` must be > 0, got {stiffness}")
    return -squeeze + math.sqrt(max(squeeze**2 + 2.0 * energy / stiffness, 0.0))


def attitude_torque(
    pitch: float, rate: float, *, stiffness: float, damping: float, wanted: float = 0.0
) -> float:
    """Return the hip torque on the body in stance: -k_p (φ - φ_d) - k_v φ̇ [N m]."""
    return -stiffness * (pitch - wanted) - damping * rate
