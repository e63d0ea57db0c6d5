"""Faults of AMEE's body: what breaks, on which leg, when, for how long.

Faults of messages and of leg computers act elsewhere; these act where the legs cannot
look, and show in nothing but what drives do and sensors say.

| kind | what happens |
|---|---|
| `joint_locked` | the gear blocks: the joint stays where it is |
| `joint_limp` | the shaft is torn: the joint swings, the motor runs free |
| `motor_wire` | the motor gets no current any more |
| `drive_hot` | the drive is as hot as it may be and cuts out until it has cooled |
| `sensor_frozen` | the angle reads what it read last |
| `sensor_wire` | the angle reads 0: its wire is broken |
| `magnet_lost` | the angle reads 1023: the foil has no wiper |
| `current_wire` | the motor current reads 0 |
| `toe_dead`, `toe_stuck` | a toe's button never closes, or never opens |
| `supply_sag` | the battery's voltage is lower by `amount` [V] |
| `power_gone` | the whole robot has no power |
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.robots.amee.config import ACTOR_NAMES, NUM_ACTORS, NUM_LEGS

BodyFaultKind: TypeAlias = Literal[
    "joint_locked",
    "joint_limp",
    "motor_wire",
    "drive_hot",
    "sensor_frozen",
    "sensor_wire",
    "magnet_lost",
    "current_wire",
    "toe_dead",
    "toe_stuck",
    "supply_sag",
    "power_gone",
]
BODY_FAULTS: tuple[BodyFaultKind, ...] = get_args(BodyFaultKind)
TOE_FAULTS = ("toe_dead", "toe_stuck")
ROBOT_FAULTS = ("supply_sag", "power_gone")  # without a leg


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyFault:
    """One fault.

    Attributes:
        kind: What goes wrong, see above.
        leg: Index 0..3; without meaning for faults of the whole robot.
        part: Actor A..D as 0..3, or toe 0..3.
        start: When it begins [s].
        duration: How long it lasts [s].
        amount: Of `supply_sag` [V].
    """

    kind: BodyFaultKind
    leg: int = 0
    part: int = 0
    start: float = 0.0
    duration: float = math.inf
    amount: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in BODY_FAULTS:
            raise NameNotFoundError("fault", self.kind, BODY_FAULTS)
        if self.leg not in range(NUM_LEGS) or self.part not in range(NUM_ACTORS):
            raise ConfigError(
                f"`leg` and `part` of a {self.kind} fault must be 0 to 3, got "
                f"{self.leg} and {self.part}"
            )
        if not (math.isfinite(self.start) and self.start >= 0.0 < self.duration):
            raise ConfigError(
                f"a {self.kind} fault must start at 0 s or later and last, got start "
                f"{self.start} s, duration {self.duration} s"
            )
        if (self.kind == "supply_sag") != (self.amount > 0.0):
            raise ConfigError(
                f"`amount` is the voltage of a supply_sag and of nothing else, got "
                f"{self.amount} for {self.kind}"
            )

    def is_active(self, time: float) -> bool:
        """Return whether the fault acts at a time [s]."""
        return self.start <= time < self.start + self.duration

    @property
    def place(self) -> str:
        """Where it strikes: "3C", a toe "2t4", or empty for the whole robot."""
        if self.kind in ROBOT_FAULTS:
            return ""
        part = (
            f"t{self.part + 1}" if self.kind in TOE_FAULTS else ACTOR_NAMES[self.part]
        )
        return f"{self.leg + 1}{part}"
