"""Diagnosis of broken parts from what legs say or fail to say, and its log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from gelenk.robots.amee.config import ACTOR_NAMES, LEG_NAMES, NUM_LEGS
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


Weight: TypeAlias = Literal["note", "decision", "warning", "fault"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line.

    Attributes:
        time: [s].
        leg: Index 0..3, or -1 for the whole robot.
        weight: How much it matters.
        text: What, and why.
    """

    time: float
    leg: int
    weight: Weight
    text: str

    def __str__(self) -> str:
        who = "robot" if self.leg < 0 else f"leg {self.leg + 1} {LEG_NAMES[self.leg]}"
        return f"{self.time:9.3f} s  {self.weight:8s}  {who}: {self.text}"


class Journal:
    """Keeps all lines of a walk; they are few.

    Attributes:
        entries: In their order.
    """

    __slots__ = ("entries", "now")

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.now = 0.0

    def write(self, weight: Weight, text: str, leg: int = -1) -> None:
        """Write a line at the present time."""
        self.entries.append(Entry(time=self.now, leg=leg, weight=weight, text=text))

    def note(self, text: str, leg: int = -1) -> None:
        """Write what happened."""
        self.write("note", text, leg)

    def decide(self, text: str, leg: int = -1) -> None:
        """Write what was decided, and why."""
        self.write("decision", text, leg)

    def warn(self, text: str, leg: int = -1) -> None:
        """Write what may end badly."""
        self.write("warning", text, leg)

    def fault(self, text: str, leg: int = -1) -> None:
        """Write what is broken."""
        self.write("fault", text, leg)


# What a leg says of itself is never a consequence of something else.
CERTAIN: tuple[CauseKind, ...] = ("silence", "restart", "sensor", "drive", "joint")
_LOST = "messages from or to it are lost"


class Findings:
    """Evidence, in the order in which it came.

    Args:
        journal: Where each new finding is written.

    Attributes:
        causes: What was found, each once.
        unreachable: Legs whose connection is broken.
    """

    __slots__ = ("_journal", "_misses", "causes", "unreachable")

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.causes: list[Cause] = []
        self.unreachable: set[int] = set()
        self._misses = [0] * NUM_LEGS

    def hear(self, leg: int, message: Message) -> None:
        """Take what a leg reported that it could not solve."""
        self._keep(cause_of(leg, message))

    def break_off(self, leg: int) -> None:
        """Note that nobody takes what is sent to a leg."""
        if leg not in self.unreachable:
            self.unreachable.add(leg)
            self._keep(cause_of(leg, None))

    def miss(self, leg: int, *, is_certain: bool = True) -> None:
        """Note that a message was lost: what was said again was answered.

        Args:
            leg: Index 0..3.
            is_certain: Whether it cannot have been a leg that was slow, once.
        """
        self._misses[leg] += 1
        if is_certain or self._misses[leg] >= 2:
            self._keep(Cause(kind="link", leg=leg, text=_LOST))

    def verdict(self, ending: Cause) -> Cause:
        """Return what is broken, all evidence considered.

        Args:
            ending: Why the walk ended; `none` if it went on.
        """
        for kinds in (CERTAIN, ("babble",), ("link",)):
            for cause in self.causes:
                if cause.kind in kinds:
                    return cause
        if ending.kind == "silence":  # reachable, yet nothing came
            return Cause(kind="link", leg=ending.leg, text=_LOST)
        return ending

    def _keep(self, cause: Cause) -> None:
        if all((c.kind, c.leg, c.actor) != (cause.kind, cause.leg, cause.actor)
               for c in self.causes):  # fmt: skip
            self.causes.append(cause)
            if not cause.is_curable:
                self._journal.warn(f"{cause.kind}: {cause.text}", cause.leg)
