"""The command set (Tab. 5-4) and the messages (Tab. 5-5).

Ours, of the free numbers: `where`, answered by `stands` (the sole's centre as measured)
and `toes` (closed contacts as bits): on rough ground a foot is not where it was sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

Kind = Literal["none", "point", "angle", "byte"]


class Command(IntEnum):
    """Headers from the main controller to a leg."""

    IDLE = 0
    STOP = 1
    NEXT = 2
    MOVE_POINT = 3
    MOVE_POINT_TOUCH = 4
    MOVE_ANGLE = 5
    MOVE_ANGLE_TOUCH = 6
    DO_STEP = 7
    LINE = 8
    LINE_TOUCH = 9
    SPEED = 10
    SAVE_WALK = 11
    WHERE = 12  # ours: of the free ones


class Report(IntEnum):
    """Headers from a leg to the main controller."""

    IDLE = 0
    OUT_OF_RANGE = 1
    COLLISION = 2
    SENSOR_FAULT = 3
    ERROR = 4
    FOUND = 5
    SYNC = 6
    READY = 7
    STANDS = 8  # ours: of the free ones
    TOES = 9  # ours


class ErrorCode(IntEnum):
    """Low half of the byte of `Error`; the high half is the actor's number 1..4, or 0.

    The thesis lists none; these are ours.
    """

    NO_CLEARANCE = 1
    NO_GROUND = 2
    NO_FOOTHOLD = 3
    LINE_UNREACHABLE = 4
    MECHANICAL_DEFECT = 5
    DRIVE_DEFECT = 6
    WATCHDOG_RESET = 7
    REFUSED = 8
    CONTROLLER_RESET = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """One row of a table.

    Attributes:
        index: Header on the link between the two computers.
        name: Header in text.
        kind: What the values are: metres, radians, bytes.
        count: How many values.
    """

    index: int
    name: str
    kind: Kind
    count: int

    @property
    def packets(self) -> int:
        """Bytes that follow the header."""
        return self.count * (1 if self.kind == "byte" else 2)


def _table(*rows: tuple[int, str, Kind, int]) -> tuple[Header, ...]:
    return tuple(Header(index=i, name=n, kind=k, count=c) for i, n, k, c in rows)


COMMANDS = _table(
    (Command.IDLE, "idle", "none", 0),
    (Command.STOP, "stop", "none", 0),
    (Command.NEXT, "next", "none", 0),
    (Command.MOVE_POINT, "Move2Point", "point", 3),
    (Command.MOVE_POINT_TOUCH, "Move2PointTouch", "point", 3),
    (Command.MOVE_ANGLE, "Move2Angle", "angle", 4),
    (Command.MOVE_ANGLE_TOUCH, "Move2AngleTouch", "angle", 4),
    (Command.DO_STEP, "DoStep", "point", 6),
    (Command.LINE, "LineMove", "point", 6),
    (Command.LINE_TOUCH, "LineMoveTouch", "point", 6),
    (Command.SPEED, "speed", "byte", 1),
    (Command.SAVE_WALK, "saveWalk", "byte", 1),
    (Command.WHERE, "where", "none", 0),
)
REPORTS = _table(
    (Report.IDLE, "idle", "none", 0),
    (Report.OUT_OF_RANGE, "OutOfRange", "none", 0),
    (Report.COLLISION, "Collision", "byte", 1),
    (Report.SENSOR_FAULT, "SensorFault", "byte", 1),
    (Report.ERROR, "Error", "byte", 1),
    (Report.FOUND, "Found", "point", 3),
    (Report.SYNC, "syncNext", "none", 0),
    (Report.READY, "ready", "none", 0),
    (Report.STANDS, "stands", "point", 3),
    (Report.TOES, "toes", "byte", 1),
)
COMMANDS_BY_NAME = {row.name: row for row in COMMANDS}
REPORTS_BY_NAME = {row.name: row for row in REPORTS}


@dataclass(frozen=True, slots=True)
class Request:
    """A command with its values [m], [rad] or bytes."""

    command: Command
    values: tuple[float, ...] = ()

    @property
    def header(self) -> Header:
        """The row of the table."""
        return COMMANDS[self.command]


@dataclass(frozen=True, slots=True)
class Message:
    """A report with its values [m] or bytes."""

    report: Report
    values: tuple[float, ...] = ()

    @property
    def header(self) -> Header:
        """The row of the table."""
        return REPORTS[self.report]


@dataclass(frozen=True, slots=True, kw_only=True)
class WireProblem:
    """Why something from the wire is no message, and where.

    Attributes:
        offset: Of the first byte or symbol that does not fit.
        problem: What was expected and what came.
        excerpt: What stands there.
    """

    offset: int
    problem: str
    excerpt: str = ""

    def __str__(self) -> str:
        return f"byte {self.offset}: {self.problem}" + (
            f" (at {self.excerpt!r})" if self.excerpt else ""
        )
