"""What the main controller has found out about its legs, kept until somebody asks.

A walk may end for a reason that is only a consequence: a leg whose sensor broke leaves
the torso leaning. So every report is kept, and the verdict is the strongest evidence.
"""

from __future__ import annotations

from gelenk.robots.amee.config import NUM_LEGS
from gelenk.robots.amee.coordinator.diagnosis import Cause, CauseKind, cause_of
from gelenk.robots.amee.coordinator.journal import Journal
from gelenk.robots.amee.wire import Message

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
