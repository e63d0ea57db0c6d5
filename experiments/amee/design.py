"""Decisions before anything was built: how to move, how heavy, for how long.

Scores and masses: Ruhnke 2011, section 2.2 and table 2-1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gelenk.errors import ConfigError

WAYS = ("wheels", "omni wheels", "tracks", "legs")
# Criterion: scores of the four ways, 0 to 10, and weight for rescue work.
CRITERIA: Mapping[str, tuple[tuple[int, int, int, int], int]] = MappingProxyType(
    {
        "energy demand": ((10, 9, 8, 5), 5),
        "wear": ((10, 2, 7, 4), 1),
        "speed": ((10, 6, 8, 4), 1),
        "safe state": ((10, 2, 10, 10), 10),
        "agility in terrain": ((4, 0, 8, 10), 10),
        "extreme agility": ((0, 0, 4, 10), 10),
        "mechanical effort": ((10, 8, 7, 5), 5),
        "software effort": ((6, 10, 8, 4), 2),
        "cost": ((10, 5, 8, 4), 7),
    }
)
# [kg]; legs as built, head and torso estimated.
MASSES: Mapping[str, float] = MappingProxyType(
    {
        "legs": 4 * 4.8,
        "battery": 8.6,
        "torso": 3.0,
        "head": 3.0,
        "computers and sensors": 1.5,
        "cables": 0.3,
    }
)
COMPUTING_POWER = 80.0  # [W], three boards and what their converters lose
LEG_POWER = 100.0  # [W], all legs on flat ground
PEAK_LEG_POWER = 160.0  # [W], A: what makes 20 Ah of the printed 15 to 20
VOLTAGE = 12.0  # [V]
CAPACITY = 24.0  # [Ah]


def compare_ways(weights: Mapping[str, float] | None = None) -> dict[str, float]:
    """Return the weighted sum of each way to move; larger is better.

    Args:
        weights: Other weights than the thesis's, by criterion.

    Raises:
        ConfigError: If a criterion is unknown.

    Example:
        >>> sums = compare_ways()
        >>> max(sums, key=sums.get)
        'legs'
    """
    chosen = {name: float(weight) for name, (_, weight) in CRITERIA.items()}
    for name, weight in (weights or {}).items():
        if name not in chosen:
            raise ConfigError(
                f"there is no criterion {name!r}; there are {', '.join(chosen)}"
            )
        chosen[name] = weight
    return {
        way: sum(chosen[name] * scores[k] for name, (scores, _) in CRITERIA.items())
        for k, way in enumerate(WAYS)
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What a robot weighs and how long its battery lasts.

    Attributes:
        mass: [kg].
        computing: Charge that the computers take in the mission [Ah].
        legs: Likewise the legs [Ah].
        run_time: Until the battery is empty [s].
    """

    mass: float
    computing: float
    legs: float
    run_time: float

    @property
    def total(self) -> float:
        """Charge of the mission [Ah]."""
        return self.computing + self.legs


def plan_budget(
    *,
    leg_power: float = LEG_POWER,
    computing_power: float = COMPUTING_POWER,
    mission: float = 3600.0,
    capacity: float = CAPACITY,
    masses: Mapping[str, float] = MASSES,
) -> Budget:
    """Return mass and charge of a mission.

    Args:
        leg_power: Mean of all legs [W].
        computing_power: Of all computers [W].
        mission: Its length [s].
        capacity: Of the battery [Ah].
        masses: Of all parts [kg].

    Raises:
        ConfigError: If something is negative, or nothing takes power.
    """
    if min(leg_power, computing_power, mission, capacity) < 0.0 or not (
        leg_power + computing_power > 0.0
    ):
        raise ConfigError(
            "powers, mission and capacity must not be negative, and something must "
            f"take power, got {leg_power} W, {computing_power} W, {mission} s and "
            f"{capacity} Ah"
        )
    hours = mission / 3600.0
    return Budget(
        mass=sum(masses.values()),
        computing=computing_power / VOLTAGE * hours,
        legs=leg_power / VOLTAGE * hours,
        run_time=3600.0 * capacity * VOLTAGE / (leg_power + computing_power),
    )
