"""What is broken, from what legs say or fail to say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from gelenk.robots.amee.config import ACTOR_NAMES
from gelenk.robots.amee.wire import ErrorCode, Message, Report

CauseKind: TypeAlias = Literal[
    "none",
    "silence",
    "restart",
    "sensor",
    "drive",
    "joint",
    "link",
    "babble",
    "collision",
    "no_ground",
    "no_foothold",
    "no_clearance",
    "reach",
    "controller",
    "unsafe",
    "fall",
    "stop",
    "time",
]
# Troubles of the place, not of the leg: another place or height may do.
CURABLE: tuple[CauseKind, ...] = (
    "collision",
    "no_ground",
    "no_foothold",
    "no_clearance",
    "reach",
    "controller",
)
_ERRORS: dict[int, tuple[CauseKind, str]] = {
    ErrorCode.NO_CLEARANCE: ("no_clearance", "has no room to lift its foot"),
    ErrorCode.NO_GROUND: ("no_ground", "found no ground within its reach"),
    ErrorCode.NO_FOOTHOLD: ("no_foothold", "found no ground that bears"),
    ErrorCode.LINE_UNREACHABLE: ("reach", "cannot follow its line any further"),
    ErrorCode.MECHANICAL_DEFECT: ("joint", "does not arrive: joint locked or limp"),
    ErrorCode.DRIVE_DEFECT: ("drive", "draws no current: wire, heat or bridge"),
    ErrorCode.WATCHDOG_RESET: ("restart", "was restarted by its watchdog"),
    ErrorCode.REFUSED: ("babble", "its filter refuses a flood of texts"),
    ErrorCode.CONTROLLER_RESET: ("controller", "reset a controller that hung"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """Why something did not go as planned.

    Attributes:
        kind: What it is.
        leg: Index 0..3, or -1 for the whole robot.
        actor: A..D as 0..3, or -1.
        text: In words.
    """

    kind: CauseKind
    leg: int = -1
    actor: int = -1
    text: str = ""

    @property
    def is_curable(self) -> bool:
        """Whether another place or height may do."""
        return self.kind in CURABLE

    @property
    def place(self) -> str:
        """Where: "3C", "3", or empty for the whole robot."""
        if self.leg < 0:
            return ""
        return f"{self.leg + 1}{ACTOR_NAMES[self.actor] if self.actor >= 0 else ''}"


NO_CAUSE = Cause(kind="none")


def cause_of(leg: int, message: Message | None) -> Cause:
    """Return what a report means, or silence.

    Args:
        leg: Index 0..3.
        message: A trouble that the leg reported; None: it said nothing in time.
    """
    if message is None:
        return Cause(kind="silence", leg=leg, text="does not answer")
    value = int(message.values[0]) if message.values else 0
    if message.report == Report.SENSOR_FAULT:
        text = f"angle sensor {ACTOR_NAMES[value]} frozen, its wire or magnet lost"
        return Cause(kind="sensor", leg=leg, actor=value, text=text)
    if message.report == Report.COLLISION:
        text = f"something hard stops actor {ACTOR_NAMES[value]}, repeats did not help"
        return Cause(kind="collision", leg=leg, actor=value, text=text)
    if message.report == Report.OUT_OF_RANGE:
        return Cause(kind="reach", leg=leg, text="cannot reach its target")
    code, actor = value & 0x0F, (value >> 4) - 1
    kind, text = _ERRORS.get(code, ("controller", f"reports error {code}"))
    return Cause(kind=kind, leg=leg, actor=actor, text=text)
