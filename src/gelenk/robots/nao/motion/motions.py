"""What a motion file says, as data: degrees and milliseconds, as they stand there.

`program` converts to radians and seconds, and nobody else does. Places do not count
in comparisons: two motions are equal if they move alike, wherever they are written.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a file, counted from 1; 0 where it stands nowhere."""

    line: int = 0
    column: int = 0


NOWHERE = Place()


class Special(enum.StrEnum):
    """What a complete line may say in place of an angle."""

    KEEP = "*"
    OFF = "#"


Value: TypeAlias = float | Special  # float: [deg]


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A name that transitions lead to."""

    name: str
    place: Place = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One line of angles.

    Attributes:
        form: "complete": all joints in order; "absolute": some joints by name;
            "relative": added to the last target of the named joints.
        values: Joints and their values [deg].
        duration_ms: Time that the move takes; 0: as fast as the speeds allow.
        max_speed: Of every joint [deg/s]; 0: what the joint can do.
        is_milestone: Whether the pose is held until the request says to go on.
        token: Shown while the line is executed; empty for none.
    """

    form: Literal["complete", "absolute", "relative"]
    values: tuple[tuple[str, Value], ...]
    duration_ms: int = 0
    max_speed: int = 0
    is_milestone: bool = False
    token: str = ""
    place: Place = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hardness:
    """Stiffness of all joints.

    Attributes:
        values: In percent, in the order of the joints, shape (22,).
        duration_ms: Time in which it changes, while the motion goes on.
    """

    values: tuple[int, ...]
    duration_ms: int = 0
    place: Place = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """Where to go on.

    Attributes:
        motion, label: The goal.
        request: Taken only if this motion is requested; None: always.
    """

    motion: str
    label: str
    request: str | None = None
    place: Place = field(default=NOWHERE, compare=False, repr=False)


Line: TypeAlias = Label | Move | Hardness | Transition


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """A motion that is written out.

    Attributes:
        name: What transitions call it.
        lines: The first is a label, the last an unconditional transition.
        end: Place of the closing brace.
    """

    name: str
    lines: tuple[Line, ...]
    place: Place = field(default=NOWHERE, compare=False, repr=False)
    end: Place = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mirrored:
    """A motion that is another one with left and right exchanged.

    Attributes:
        name: What transitions call it.
        source: The motion that is copied.
        lines: Labels that rename those of the source, in order; transitions that
            replace those of the source, as many as there are.
    """

    name: str
    source: str
    lines: tuple[Label | Transition, ...]
    place: Place = field(default=NOWHERE, compare=False, repr=False)
    end: Place = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionFile:
    """All definitions of a file, in order; the first is `motions`."""

    definitions: tuple[Motion | Mirrored, ...]
