"""The fault lottery: one random fault in a short walk; what the robot makes of it.

The way bends to the left and back, so that every joint of every leg is used. The judge
compares what broke with what the robot says is broken; the robot knows nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

import numpy as np

from gelenk.robots.amee.config import NUM_ACTORS, NUM_LEGS
from gelenk.robots.amee.coordinator.desk import Plan
from gelenk.robots.amee.coordinator.diagnosis import Cause, CauseKind
from gelenk.robots.amee.coordinator.link import LinkFault, LinkFaultKind
from gelenk.robots.amee.faults import BodyFault, BodyFaultKind
from gelenk.robots.amee.gaits.config import ORDERS, CarefulName
from gelenk.robots.amee.gaits.cycles import careful_cycle
from gelenk.robots.amee.gaits.walker import Walker
from gelenk.robots.amee.gaits.walking import begin
from gelenk.robots.amee.session import Session, WalkCfg, WalkResult

Kind: TypeAlias = BodyFaultKind | LinkFaultKind
# What a right diagnosis says.
RIGHT: Mapping[Kind, CauseKind] = MappingProxyType(
    {
        "killed": "silence",
        "hung": "restart",
        "joint_locked": "joint",
        "joint_limp": "joint",
        "sensor_frozen": "sensor",
        "sensor_wire": "sensor",
        "motor_wire": "drive",
        "drive_hot": "drive",
        "messages_lost": "link",
        "babble": "babble",
    }
)
KINDS = tuple(RIGHT)
_LINK: Mapping[str, LinkFaultKind] = MappingProxyType(
    {kind: kind for kind in get_args(LinkFaultKind)}
)
_BODY: Mapping[str, BodyFaultKind] = MappingProxyType(
    {kind: kind for kind in get_args(BodyFaultKind)}
)
EARLIEST, LATEST = 1.5, 14.0  # [s], from the first lift to the end of the first cycle
BEND = 0.06  # [rad] to the left in the first cycle, to the right in the second
TIME_LIMIT = 150.0  # [s], simulated


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """One run of the lottery.

    Attributes:
        seed: Of everything.
        fault: What was broken.
        result: What came of the walk.
    """

    seed: int
    fault: BodyFault | LinkFault
    result: WalkResult

    @property
    def diagnosis(self) -> Cause:
        """What the robot says is broken."""
        return self.result.diagnosis

    @property
    def place(self) -> str:
        """Where the fault is: "3C", or "3" for a leg's computer or bus."""
        fault = self.fault
        return fault.place if isinstance(fault, BodyFault) else f"{fault.leg + 1}"

    @property
    def is_named(self) -> bool:
        """Whether the robot names what broke, and at which leg."""
        right = RIGHT[self.fault.kind]
        return self.diagnosis.kind == right and self.diagnosis.leg == self.fault.leg

    @property
    def is_placed(self) -> bool:
        """Whether it also names the right joint."""
        return self.is_named and self.diagnosis.place == self.place

    @property
    def ending(self) -> Literal["fell", "stopped", "walked on"]:
        """How the robot ended."""
        if self.result.fell:
            return "fell"
        return "walked on" if self.result.state == "arrived" else "stopped"


def draw_fault(seed: int, kinds: tuple[Kind, ...] = KINDS) -> BodyFault | LinkFault:
    """Return the fault of a seed: any kind, leg, joint and time."""
    rng = np.random.default_rng([seed, 2011])
    kind = kinds[int(rng.integers(len(kinds)))]
    leg, part = int(rng.integers(NUM_LEGS)), int(rng.integers(NUM_ACTORS))
    start = float(rng.uniform(EARLIEST, LATEST))
    if kind in _LINK:
        return LinkFault(kind=_LINK[kind], leg=leg, start=start)
    return BodyFault(kind=_BODY[kind], leg=leg, part=part, start=start)


def bent_way(gait: CarefulName = "save") -> Callable[[Walker], Plan]:
    """Return a plan: a cycle to the left, one to the right."""

    def plan(walker: Walker) -> Plan:
        yield from begin(walker)
        for turn in (BEND, -BEND):
            yield from careful_cycle(walker, ORDERS[gait], walker.cfg.stroke, turn)

    return plan


def lottery(
    seed: int,
    *,
    drive: str = "geared",
    gait: CarefulName = "save",
    kinds: tuple[Kind, ...] = KINDS,
) -> Draw:
    """Let AMEE walk a few steps with one fault.

    Args:
        seed: Of fault, drives and noise.
        drive: Profile of the drives.
        gait: How it walks.
        kinds: What may break.
    """
    fault = draw_fault(seed, kinds)
    cfg = WalkCfg(
        gait=gait, drive=drive, seed=seed, faults=(fault,), time_limit=TIME_LIMIT
    )
    session = Session(cfg, bent_way(gait))
    try:
        return Draw(seed=seed, fault=fault, result=session.run())
    finally:
        session.close()
