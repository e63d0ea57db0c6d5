"""What the main controller decided, when, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from gelenk.robots.amee.config import LEG_NAMES

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
