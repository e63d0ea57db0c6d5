"""Desk of the main controller: what it knows of each leg, and how far the torso came.

A plan is a generator that yields once per loop. It orders and waits; whatever a leg
reports that it could not solve ends the wait with `TroubleError`, and the plan decides.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from gelenk.robots.amee.config import NUM_LEGS, TOES_ALL, LegCfg
from gelenk.robots.amee.coordinator.attitude import Attitude
from gelenk.robots.amee.coordinator.balance import (
    PAD_SHARE,
    Point,
    Up,
    estimated_margin,
)
from gelenk.robots.amee.coordinator.diagnosis import Findings, Journal
from gelenk.robots.amee.wire import Command, ErrorCode, Message, Report, Request


class Way:
    """Account of the way.

    Attributes:
        x: Along the heading of the start [m].
        y: To the left of it [m].
    """

    __slots__ = ("_anchors", "x", "y")

    def __init__(self) -> None:
        self.x = self.y = 0.0
        self._anchors: dict[int, tuple[float, float]] = {}

    def feel(self, feet: Mapping[int, tuple[float, float]], heading: float) -> None:
        """Take where feet stand now; those that also stood before tell the way.

        Args:
            feet: Seen from above: ahead and left of the torso's centre [m], by leg.
            heading: Of the torso, to the left of the start's [rad].
        """
        c, s = math.cos(heading), math.sin(heading)
        now = {leg: (c * x - s * y, s * x + c * y) for leg, (x, y) in feet.items()}
        common = [leg for leg in now if leg in self._anchors]
        for leg in common:
            self.x += (self._anchors[leg][0] - now[leg][0]) / len(common)
            self.y += (self._anchors[leg][1] - now[leg][1]) / len(common)
        if common:
            for leg in set(self._anchors) - set(now):
                del self._anchors[leg]
        self._anchors.update(now)

    def lift(self, leg: int) -> None:
        """Forget where a foot stood."""
        self._anchors.pop(leg, None)


Plan: TypeAlias = Generator[None, None, None]
TROUBLES = (
    Report.OUT_OF_RANGE,
    Report.COLLISION,
    Report.SENSOR_FAULT,
    Report.ERROR,
)
REFUSAL = Message(Report.ERROR, (float(ErrorCode.REFUSED),))  # of a filter
_FINE = 1e4  # [1/m], what the wire resolves


class TroubleError(Exception):
    """A leg could not do what it was told.

    Args:
        leg: Index 0..3.
        message: What it reported; None: nothing, for too long.
    """

    def __init__(self, leg: int, message: Message | None) -> None:
        super().__init__(leg, message)
        self.leg, self.message = leg, message


class UnsafeError(Exception):
    """A move was refused because the robot would not be in the safe state.

    Args:
        leg: That should have been lifted, or -1.
        margin: That would have remained [m].
        why: What stands against any move, if no single leg does.
    """

    def __init__(self, leg: int, margin: float, why: str = "") -> None:
        super().__init__(leg, margin, why)
        self.leg, self.margin, self.why = leg, margin, why


@dataclass(slots=True)
class LegView:
    """What the main controller believes of one leg.

    Attributes:
        foot: Sole centre in the leg's frame [m].
        yaw: Direction in which the foot points and strokes go [rad].
        stands: Whether the foot bears.
        toes: Bits of its toes that bear, as it last said.
        inbox: Reports that nobody has read.
        heard: When it last said something [s].
        asked: When it was last told something [s].
        collisions: Times of its collisions that it could not solve [s].
    """

    foot: Point = (0.0, 0.0, 0.0)
    yaw: float = 0.0
    stands: bool = True
    toes: int = TOES_ALL
    inbox: deque[Message] = field(default_factory=deque)
    heard: float = 0.0
    asked: float = 0.0
    collisions: list[float] = field(default_factory=list)


class Desk:
    """Shared by all plans.

    Attributes:
        now: Time of this loop [s].
        legs: What is believed of the four legs.
        leg_cfg: Settings that all legs share.
        attitude: How the torso lies.
        journal: Decisions.
        findings: What is known to be broken.
        outbox: Orders of this loop.
        moves: Whether standing feet are under way.
        way: How far the torso has come.
        order_count: Orders given so far.
        pad_share: Of each foot's pad that is taken as bearing.
        toe_trust: Share of the way from a foot's centre to its pressed toes at which it
            is taken to bear; 0: its pad counts.
        busy: Legs whose troubles their own plans hear, while several plans run.
    """

    __slots__ = (
        "attitude",
        "busy",
        "findings",
        "journal",
        "leg_cfg",
        "legs",
        "moves",
        "now",
        "order_count",
        "outbox",
        "pad_share",
        "toe_trust",
        "way",
    )

    def __init__(self, leg_cfg: LegCfg, feet: Iterable[Point]) -> None:
        self.now = 0.0
        self.leg_cfg = leg_cfg
        self.legs = [LegView(foot=foot) for foot in feet]
        self.attitude = Attitude()
        self.journal = Journal()
        self.findings = Findings(self.journal)
        self.outbox: list[tuple[int, Request]] = []
        self.moves = False
        self.way = Way()
        self.order_count = 0
        self.busy: tuple[int, ...] = ()
        self.pad_share = PAD_SHARE
        self.toe_trust = 0.0

    def order(self, leg: int, command: Command, *values: float) -> None:
        """Tell a leg something."""
        self.legs[leg].asked = self.now
        self.order_count += 1
        self.outbox.append((leg, Request(command, values)))

    def order_points(self, leg: int, command: Command, *points: Point) -> None:
        """Tell a leg something about points [m]."""
        self.order(leg, command, *(value for point in points for value in point))

    def stop_all(self) -> None:
        """Take the current from all drives."""
        for leg in range(NUM_LEGS):
            self.order(leg, Command.STOP)
            self.legs[leg].inbox.clear()

    def receive(self, leg: int, message: Message) -> None:
        """Take a report."""
        view = self.legs[leg]
        view.heard = self.now
        if message.report in TROUBLES:
            self.findings.hear(leg, message)
        if message == REFUSAL:  # no trouble of the leg: it goes on
            return
        view.inbox.append(message)
        if message.report == Report.COLLISION:
            view.collisions.append(self.now)

    def standing(self, without: Iterable[int] = ()) -> list[int]:
        """Return the legs that stand, some left out."""
        left_out = set(without)
        return [
            i for i, view in enumerate(self.legs) if view.stands and i not in left_out
        ]

    def margin(self, without: Iterable[int] = (), up: Up | None = None) -> float:
        """Return how far inside the standing feet the weight lies [m].

        Args:
            without: Legs that are about to be lifted.
            up: Where the sky is; by default where the inertial unit feels it.
        """
        feet = [view.foot for view in self.legs]
        return self.margin_at(feet, without, up)

    def margin_at(
        self,
        feet: Sequence[Point],
        without: Iterable[int] = (),
        up: Up | None = None,
        toes: Sequence[int] | None = None,
    ) -> float:
        """Return how far inside the standing feet the weight would lie [m].

        Args:
            feet: Where the feet would be under the torso, legs' frames [m].
            without: Legs that are about to be lifted.
            up: Where the sky is; by default where the inertial unit feels it.
            toes: Bits of the toes that would bear; by default those that are pressed.
        """
        return estimated_margin(
            feet,
            [view.yaw for view in self.legs],
            self.standing(without),
            self.attitude.up if up is None else up,
            self.leg_cfg.geometry,
            self.pad_share,
            [view.toes for view in self.legs] if toes is None else toes,
            self.toe_trust,
        )

    def take(self, leg: int, wanted: tuple[Report, ...]) -> Message | None:
        """Return the next wanted report of a leg; others before it are dropped.

        Raises:
            TroubleError: If a trouble comes first that is not wanted.
        """
        inbox = self.legs[leg].inbox
        while inbox:
            message = inbox.popleft()
            if message.report in wanted:
                return message
            if message.report in TROUBLES:
                raise TroubleError(leg, message)
        return None

    def listen(self, busy: Iterable[int]) -> None:
        """Raise `TroubleError` if a leg outside of `busy` reports one, or is gone."""
        for leg in self.findings.unreachable:
            raise TroubleError(leg, None)
        left_out = set(busy)
        for leg, view in enumerate(self.legs):
            if leg in left_out:
                continue
            for message in view.inbox:
                if message.report in TROUBLES:
                    view.inbox.clear()
                    raise TroubleError(leg, message)


def wire_point(point: Point) -> Point:
    """Return a point as it arrives behind the wire [m]."""
    return (
        round(point[0] * _FINE) / _FINE,
        round(point[1] * _FINE) / _FINE,
        round(point[2] * _FINE) / _FINE,
    )


def wait_for(
    desk: Desk, leg: int, *wanted: Report, limit: float
) -> Generator[None, None, Message]:
    """Wait for a report of one leg.

    Args:
        desk: What is known.
        leg: Index 0..3.
        wanted: What would do.
        limit: Longest wait [s].

    Raises:
        TroubleError: If this or another leg reports one, or this one nothing.
    """
    end = desk.now + limit
    while True:
        message = desk.take(leg, wanted)
        if message is not None:
            return message
        desk.listen((leg, *desk.busy))
        if desk.now >= end:
            raise TroubleError(leg, None)
        yield


def pause(desk: Desk, duration: float) -> Plan:
    """Wait for a while [s]."""
    end = desk.now + duration
    while desk.now < end:
        desk.listen(())
        yield
